#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Findings on standard error: two lines each and five at most, the weightiest first, all of them with
# --explain; none with --no-findings; none in GNU mode unless it is asked to explain. The report and the
# exit status stay what they are.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

PYTHONPATH=$PYTHONPATH:$GPROFX_SOURCE/tests/findings python3 - <<'END' || fail 'cannot write the files'
from gcovfile import Source, gcov_document
from recipes import ENTRY, Sketch
def write(name, thing):
    open(name, 'wb').write(thing.bytes())
sketch = Sketch(31, gap=64)
sketch.image.symbol('pthread_create', sketch.address[9] + 64, 8)
between = {sketch.address[i] + -(-sketch.size[i] // 16) * 16 + 32: 2000 for i in range(40)}
full = -(-(sketch.end - sketch.base) // 8) * 8 * 2 // 100
arcs = [sketch.call(i % 59, 1 + i * 7 % 59, 3) for i in range(full - 1)]
write('program', sketch.image)
write('odd', sketch.profile({**between, 0: 65535}, arcs, rate=0))
write('other', sketch.profile())
# By its source f1 ran once more than calls were recorded.
calls = sum(n for _, callee, n in arcs + sketch.tree() if callee == sketch.address[1] + ENTRY)
open('counts', 'wb').write(gcov_document([Source('a.c', {3: 1}, [('f1', 3, 4, calls + 1)])]))
started = Sketch(31, gap=64)
started.image.symbol('_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE',
                     started.address[9] + 64, 8)
write('started', started.image)
sound = Sketch(32)
write('sound', sound.image)
write('gmon.out', sound.profile())
write('short', sound.profile({3: 4}))
write('single', sound.profile({3: 1}))
needing = Sketch(32)
needing.image.libraries(['libc.so.6'])
write('needing', needing.image)
needing = Sketch(32)
needing.image.libraries(['libm.so.6', 'libc.so.6'])
write('needing-two', needing.image)
loops = [sound.call(0, 1), sound.call(1, 1), sound.call(0, 2), sound.call(2, 3), sound.call(3, 2)]
write('uncalled', sound.profile(arcs=[]))
write('unused', sound.profile({}, []))
write('loops', sound.profile(arcs=loops))
write('shared', sound.profile(arcs=loops + [sound.call(1, 3)]))
END

expect_status 0 "$GPROFX" -b sound
expect_empty err
cp out expected
expect_status 0 "$GPROFX" -b --explain sound
expect_same out expected
expect_in err 'gprofx: no suspicious numbers were found in the profile'
expect_match err '^Times come from samples: the program counter was sampled 100 times per second'
expect_match err '^<spontaneous> stands where no caller is known'
! grep -qE '^.{80}' err || fail 'a line is too long'
# In one file, the explanations come first.
"$GPROFX" -b --explain sound >both 2>&1 || fail 'status'
cat err expected >explained
expect_same both explained

# A program that is compiled as it should be can have no calls, or no samples.
expect_status 0 "$GPROFX" -b sound uncalled
expect_match err '^  hint: compile every source file with -pg, not only the last step of the build$'
expect_status 0 "$GPROFX" -b sound unused
expect_match err '^  hint: run the program for several seconds; link with -static to sample time in libraries'

# Time is handed to other callers only: neither to the function itself nor within its cycle.
expect_status 0 "$GPROFX" -b --explain sound loops
tr '\n' ' ' <err >words
expect_in words 'each function has at most one other caller'
expect_status 0 "$GPROFX" -b --explain sound shared
tr '\n' ' ' <err >words
expect_in words 'an estimate for 1 function or cycle of this run'

# What is too little in one file is enough with another.
expect_status 0 "$GPROFX" -b sound short
expect_in err 'finding[samples.few]: the run was too short'
expect_status 0 "$GPROFX" -b --explain sound single
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words '1 sample of 0.01 s; the standard error'
expect_in words 'There is 1 sample, 0.01 s in total.'
expect_status 0 "$GPROFX" -b sound short gmon.out
expect_empty err
# The time can be in libraries instead; the CPU time tells.
expect_status 0 "$GPROFX" -b needing short
expect_in err 'finding[samples.few]: few samples: the run was short, or its time was in libc.so.6'
expect_match err '^  hint: .*--cpu-time=SECONDS'
expect_status 0 "$GPROFX" -b needing-two short
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words 'was short, or its time was in libm.so.6 and other libraries'
expect_status 0 "$GPROFX" -b --explain needing-two short
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words 'and neither is time in libm.so.6 and 1 other shared library: --cpu-time=SECONDS shows'
expect_status 0 "$GPROFX" -b --cpu-time=1.6 needing short
expect_not_in err short:
expect_in err 'finding[samples.few]: few samples: much of the CPU time was not sampled'
expect_not_in err 'run for longer'
expect_status 0 "$GPROFX" -b --cpu-time=0.04 needing short
expect_in err 'finding[samples.few]: the run was too short'

expect_status 0 "$GPROFX" -b --correct=no-rates program odd other counts
cp out expected
sed -n 's/^gprofx: finding\[\(.*\)\]: .*/\1/p' err >ids
printf '%s\n' rate.zero rate.differs histogram.saturated calls.table-full calls.threads | diff - ids >&2 ||
	fail 'other findings, or in another order'
[ "$(grep -c '^  hint: ' err)" -eq 5 ] || fail 'not one hint for each'
[ "$(wc -l <err)" -eq 11 ] || fail 'not two lines for each, and one for the rest'
expect_match err '^gprofx: 1 more: --explain$'
expect_not_in err evidence:

expect_status 0 "$GPROFX" -b --correct=no-rates --explain program odd other counts
expect_same out expected
[ "$(grep -c 'finding\[' err)" -eq 6 ] || fail 'not all findings'
[ "$(grep -c '^  evidence: ' err)" -eq 6 ] || fail 'not one evidence for each'
expect_in err 'finding[samples.outside-symbols]: program: '
expect_not_in err 'more: --explain'
expect_in err 'hint: enlarge the arc table: glibc.gmon.minarcs in GLIBC_TUNABLES'

# That threads can lose calls is reported where counts show it, else only in full.
expect_status 0 "$GPROFX" -b program other
expect_not_in err 'finding[calls.threads]'
expect_status 0 "$GPROFX" -b --explain program other
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words 'can run several threads: it uses pthread_create.'
expect_not_in words 'finding[calls.threads]'
expect_status 0 "$GPROFX" -b --explain started other
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words 'it uses std::thread::_M_start_thread. If'
expect_status 0 "$GPROFX" -b --correct=no-rates --explain started odd other counts
tr '\n' ' ' <err | tr -s ' ' >words
expect_in words 'the image uses std::thread::_M_start_thread; '
expect_status 0 "$GPROFX" -b --explain sound
expect_not_in err threads

expect_status 0 "$GPROFX" -b --no-findings --correct=no-rates program odd other counts
expect_same out expected
expect_empty err
# The later one counts.
expect_status 0 "$GPROFX" -b --explain --no-findings --correct=no-rates program odd other counts
expect_empty err
expect_status 0 "$GPROFX" -b --no-findings --explain program odd other
expect_in err 'finding[rate.zero]'

# In GNU mode the messages are gprof's, which knows of no findings.
expect_status 0 "$GPROFX" --gnu -b program odd other
expect_empty err
cp out expected
expect_status 0 "$GPROFX" --gnu --explain -b program odd other
expect_same out expected
expect_in err 'finding[rate.zero]'

# A run that fails has findings, too, if they say why.
python3 - <<-'END' || fail 'cannot write the files'
	from gmonfile import Profile
	open('empty', 'wb').write(Profile().bytes())
END
expect_status 1 "$GPROFX" -b -p sound empty
expect_in err 'finding[profile.empty]'
expect_in err 'error[report.no-histogram]'

# Long names in sentences lose what the compiler added, then parameters, template arguments and scopes.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
scopes = ['first_of_the_namespaces', 'second_of_the_namespaces', 'Table']
program = Program(['main', '_ZN' + ''.join('%d%s' % (len(s), s) for s in scopes) + '3addERKS1_iiii.isra.0'])
open('long', 'wb').write(program.bytes())
open('uncounted', 'wb').write(program.profile({program.names[1]: 100}, [('main', 'main', 1)]).bytes())
END
expect_status 0 "$GPROFX" -b --explain long uncounted
tr '\n' ' ' <err | tr -s ' ' >words
expect_match words 'second_of_the_namespaces::Table::add|Table::add'
expect_not_in words 'first_of'
expect_not_in words '[clone'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The file byte by byte: cycles, several files and lines, events, unknown callers, hostile names, cachegrind's form.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the program'
from exportcases import example
program, samples, calls = example()
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
open('rate-0', 'wb').write(program.profile(samples, calls, rate=0).bytes())
open('cycles', 'wb').write(program.profile(samples, calls, rate=1000, unit=b'cycles', letter=b'c').bytes())
open('nothing', 'wb').write(program.empty().bytes())
open('no-unit', 'wb').write(program.profile(samples, calls, rate=1, unit=b'', letter=b'x').bytes())
END
# written WORD...: the file of such a run, in ./out.
written() {
	expect_status 0 "$GPROFX" --no-findings --output=callgrind "$@"
	expect_undiagnosed
}

written program gmon.out
sed 's/^creator: gprofx .*/creator: gprofx/' out >file
cat >expected <<'END'
# callgrind format
version: 1
creator: gprofx
cmd: program
desc: Profile: gmon.out
desc: Note: costs of calls are estimates (gprof propagation), not measured
desc: Note: within cycles, costs are those of the callee and what it calls outside of the cycle
positions: line
event: Samples : Samples of the profile
events: Time_(10ns) Samples
summary: 10000000 10

ob=(1) program
fl=(1) ???
fn=(1) main
0 1000000 1
cfi=(1)
cfn=(2) a
calls=1 0
0 1500000 2
cfi=(1)
cfn=(3) b
calls=2 0
0 7500000 8

fl=(1)
fn=(2)
0 4000000 4
cfi=(1)
cfn=(4) c
calls=5 0
0 2000000 2

fl=(1)
fn=(3)
0 3000000 3
cfi=(1)
cfn=(2)
calls=3 0
0 4500000 4

fl=(1)
fn=(4)
0 2000000 2
cfi=(1)
cfn=(2)
calls=5 0
0 0 0
END
expect_same expected file
written --gnu program gmon.out
expect_same <(sed 's/^creator: gprofx .*/creator: gprofx/' out) expected
# Where the file that is read states the samples, they are written as stated, and none if it does not.
if "$GPROFX" --list-plugins | grep -q '^input-callgrind '; then
	expect_status 0 "$GPROFX" --no-findings --output=callgrind file
	expect_same <(grep -E '^(event|summary)' out) <(grep -E '^(event|summary)' file)
	expect_match out '^0 4000000 4$'
	printf '# callgrind format\ncreator: gprofx 1\nevents: Time_(10ns)\nfn=a\n3 4000000\n' >times
	expect_status 0 "$GPROFX" --no-findings --output=callgrind times
	expect_match out '^events: Time_\(10ns\)$'
	expect_match out '^summary: 4000000$'
fi
# A callgrind file has no fractions: without a rate, and of other units, it says what it counts.
written program rate-0
expect_in out 'events: Samples'
expect_in out 'summary: 10'
written program cycles
expect_in out 'events: 1/1000_cycles'
expect_in out 'summary: 10'
written program no-unit
expect_in out 'events: Ticks'
expect_in out 'summary: 10'
written program nothing
expect_in out 'summary: 0'
expect_not_in out 'fn='

# -T is about the tables of BSD.
written -T program gmon.out
expect_same <(sed 's/^creator: gprofx .*/creator: gprofx/' out) expected

# cachegrind's form has self costs only, and no numbers for names.
written --set=callgrind.style=cachegrind program gmon.out
expect_same out - <<'END'
desc: Profile: gmon.out
cmd: program
events: Time_(10ns) Samples
fl=???
fn=main
0 1000000 1
fl=???
fn=a
0 4000000 4
fl=???
fn=b
0 3000000 3
fl=???
fn=c
0 2000000 2
summary: 10000000 10
END

# Recursion: the outermost frame has the time; q is called, and is the first of a stack.
cat >stacks <<'END'
main 1
main;a 2
main;a;a 3
main;p;q;p 5
q;p 4
END
written stacks
sed '1,/^summary/d' out >file
cat >expected <<'END'

ob=(1) stacks
fl=(1) ???
fn=(1) main
0 1
cfi=(1)
cfn=(2) a
calls=1 0
0 5
cfi=(1)
cfn=(3) p
calls=1 0
0 5

fl=(1)
fn=(2)
0 5
cfi=(1)
cfn=(2)
calls=1 0
0 0

fl=(1)
fn=(3)
0 9
cfi=(1)
cfn=(4) q
calls=1 0
0 5

fl=(1)
fn=(4)
0 0
cfi=(1)
cfn=(3)
calls=1 0
0 4

fl=(1)
fn=(5) <spontaneous>
0 0
cfi=(1)
cfn=(4)
calls=1 0
0 4
END
expect_same expected file
expect_in out 'events: Samples'
expect_in out 'desc: Note: costs of calls are measured from call stacks'
expect_in out 'desc: Note: calls=1 stands for unknown numbers of calls'
expect_in out 'desc: Note: calls by unknown callers are written as one call'

# Calls into another object and back: frames that the program does not have are in one of their own.
printf 'main;a;elsewhere 3\nmain;b 2\nelsewhere;a 7\n' >stacks
written program stacks
sed '1,/^summary/d' out >file
cat >expected <<'END'

ob=(1) program
fl=(1) ???
fn=(1) main
0 0
cfi=(1)
cfn=(2) a
calls=1 0
0 3
cfi=(1)
cfn=(3) b
calls=1 0
0 2

fl=(1)
fn=(2)
0 7
cob=(2) [names]
cfi=(1)
cfn=(6) elsewhere
calls=1 0
0 3

fl=(1)
fn=(3)
0 2

ob=(2)
fl=(1)
fn=(6)
0 3
cob=(1)
cfi=(1)
cfn=(2)
calls=1 0
0 7

ob=(1)
fl=(1)
fn=(7) <spontaneous>
0 0
cob=(2)
cfi=(1)
cfn=(6)
calls=1 0
0 7
END
expect_same expected file
if command -v callgrind_annotate >/dev/null; then
	mv out file
	expect_status 0 callgrind_annotate --auto=no --threshold=100 --inclusive=yes file
	expect_empty err
	expect_not_in out WARN
	expect_match out '^10 \(83\.33%\) +\?\?\?:a \[program\]$'
	expect_match out '^10 \(83\.33%\) +\?\?\?:elsewhere \[\[names\]\]$'
	expect_match out '^ 5 \(41\.67%\) +\?\?\?:main \[program\]$'
fi

# Stacks and costs of calls together: an event for each metric. Each call has a number, and unknown ones are written as 1.
cat >costed <<'END'
# callgrind format
events: Ir Dr
fn=main
1 10 1
cfn=f
calls=1 2
1 75 4
fn=f
2 15 1
cfn=f'2
calls=1 2
2 60 3
fn=f'2
2 60 3
cfn=f'2
calls=3 2
2 45 2
END
printf 'main;f;f;f 3\nmain;f 4\nmain;g 2\n' >stacks
written stacks costed
expect_in out 'events: Samples Ir Dr'
sed '1,/^summary/d' out >file
cat >expected <<'END'

ob=(1) stacks
fl=(1) ???
fn=(1) main
0 0 10 1
cfi=(1)
cfn=(2) f
calls=1 0
0 7 75 4
cfi=(1)
cfn=(3) g
calls=1 0
0 2 0 0

fl=(1)
fn=(2)
0 7 75 4
cfi=(1)
cfn=(6) f'2
calls=4 0
0 0 60 3

fl=(1)
fn=(3)
0 2 0 0
END
expect_same expected file
# Stacks that have no costs of calls stay measured, and of a cycle, no calls are written that were none.
expect_status 0 "$GPROFX" --no-findings --output=folded stacks costed
expect_same out - <<'END'
main;f 4
main;f;f;f 3
main;g 2
END
printf 'main;a;b;a;b 3\nmain;b 4\n' >stacks
sed -e 's/fn=f/fn=a/' costed >cycle
printf 'fn=b\n7 9 9\ncfn=a\ncalls=7 2\n7 50 1\nfn=a\n2 0 0\ncfn=b\ncalls=5 7\n2 40 2\n' >>cycle
expect_status 0 "$GPROFX" --no-findings --output=callgrind stacks cycle
expect_in err 'warning[profile.unmarked-recursion]'
expect_not_in out 'calls=0 '
expect_not_in out '18446744073709551615'

# Any bytes are names, and each is a function of its own.
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
names = ['main', 'two\nlines', '\xff\xfe', '(7) weird', 'same', 'same', 'x' * 100000, ' ']
program = Program(names)
open('hostile', 'wb').write(program.bytes())
profile = program.empty()
bins = [i + 1 for i in range(len(names))] + [0] * (len(program.names) - len(names))
profile.histogram(program.base, program.end, bins)
for i in range(1, len(names)):
    profile.arc(program.base + 4, program.base + 0x100 * i, 2 ** 32 - 1)
open('gmon.out', 'wb').write(profile.bytes())
END
for mode in --raw-bytes --gnu; do
	written $mode hostile gmon.out
	expect_match out '^c?fn=\([0-9]+\) two\\x0alines$'
	expect_match out '^c?fn=\([0-9]+\) \\xff\\xfe$'
	expect_match out '^c?fn=\([0-9]+\) \(7\) weird$'
	expect_match out '^c?fn=\([0-9]+\) same \[0x401400\]$'
	expect_match out '^calls=4294967295 0$'
	expect_in out 'summary: 36000000 36'
	command -v callgrind_annotate >/dev/null || continue
	mv out file
	expect_status 0 callgrind_annotate --auto=no --threshold=100 file
	expect_empty err
	expect_not_in out WARN
	[ "$(grep -c ':.*\[hostile\]$' out)" = 8 ] || fail 'callgrind_annotate finds other functions'
done

# A function that only calls code outside of functions has a name.
if "$GPROFX" --list-plugins | grep -q '^input-perf '; then
	python3 - <<'END' || fail 'no recording was made'
from perffile import IN_USER, Perf
p = Perf().comm(7, 'one').mmap(7, 0x1000, 0x1000, 0, '/no/such/one', 1)
open('outside.data', 'wb').write(p.sample([IN_USER, 0x300010, 0x1010], time=2).bytes())
END
	expect_status 0 "$GPROFX" --no-findings --output=callgrind outside.data
	expect_match out '^fn=\([0-9]+\) \[one\]'
	! grep 'fn=([0-9]*) $' out || fail 'a function has no name'
fi

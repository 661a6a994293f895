#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands that the summary ends with: each is pasted into a shell and shows the function that it is about.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

gprofx() {
	"$GPROFX" "$@"
}
# pasted: the commands of the last summary.
pasted() {
	sed -n 's/^  \(\(gprofx\|add\) .*\)/\1/p' out | sed 's/   .*//' | grep -v '^gprofx open '
}

cat >make.py <<'PY'
from profiled import Program
names = '''plain fold.isra.0 _ZN1FclEi _ZN1SIlE3fooEv _ZZ3runiEN1L2goEv _ZN12_GLOBAL__N_13fooEi
    _ZZN4shop4lendEiENKUliE_clEi _ZN5ClassD2Ev _ZNK1AcvbEv _ZNK1AcvPKcEv _ZNK1AcvSt6vectorIiSaIiEEEv _Z5twiceIiET_S0_
    _ZNSt10_HashtableIiSaIiEE19_M_find_before_nodeEm _ZN1SltEi _ZN1SltIiEEbT_ _ZlsIcEvT_ _ZN1SdvEi _ZdvRK1SS1_ _ZN1SptEv
    _ZN1ScmEi _ZN1SnwEm _ZN1SIlEixEi _Zli3_kme _ZN1a1fEi.isra.0 _Z1hv.part.0 __solver_MOD_relax
    _ZZN3OutIiE3addEiEN1I3runEv _RINvCs6GmmlP4bgsG_4shop4rustlFElEB2_
    _ZN4core3ptr13drop_in_place17h0123456789abcdefE _Z1fB5cxx11i _ZZZ3runiENKUlvE_clEvENKUlvE0_clEv'''.split()
program = Program(['main'] + names)
program.lines({name: [(0, 7)] for name in names}, source='all.cc')
open('program', 'wb').write(program.bytes())
for i, name in enumerate(names):
    samples = {other: 1 for other in names}
    samples[name] = 50
    open('gmon.%d' % i, 'wb').write(program.profile(samples, [('main', other, 1) for other in names]).bytes())
open('count', 'w').write('%d\n' % len(names))
PY
python3 make.py || fail 'nothing was made'
for ((i = 0; i < $(cat count); i++)); do
	expect_status 0 "$GPROFX" --no-findings -b -p program gmon.$i
	name=$(sed -n '/^ *[0-9]/{s/^.*[0-9][mun]*s  //p;q}' out)
	[ -n "$name" ] || fail 'no function'
	expect_status 0 "$GPROFX" --no-findings --summary -w 200 program gmon.$i
	pasted >commands
	# Of a pair of functions, -q would show the calls.
	case $name in */*) least=1 ;; *) least=2 ;; esac
	[ "$(wc -l <commands)" -eq $least ] || fail "not two commands about $name"
	while read -r command; do
		# As a shell reads it.
		run eval "$command --no-findings"
		[ "$status" -eq 0 ] || fail "status $status from: $command"
		expect_empty err
		expect_in out "$name"
		case $command in
		*' -p'*) expect_not_in out ' main' ;;
		esac
	done <commands
done

# All of it is on a page, if there is an emitter for pages, and the command can be typed.
expect_status 0 "$GPROFX" --no-findings --summary program gmon.0
expect_match out '^  gprofx open program gmon\.[0-9]+  *the same as a page in a browser$'
run bash -c "gprofx() { \"$GPROFX\" \"\$@\"; }; unset DISPLAY WAYLAND_DISPLAY BROWSER; export TMPDIR=$PWD
	$(sed -n 's/^  \(gprofx open .*\)   .*/\1/p' out)"
[ "$status" = 0 ] && [ -s "$(cat out)" ] || fail 'no page'
expect_status 0 "$GPROFX" --no-findings --summary program gmon.0 "$PWD/../${PWD##*/}/gmon.1"{,,,,}
expect_not_in out ' open'
expect_status 0 bash -c '"$0" --no-findings --summary program - <gmon.0' "$GPROFX"
expect_not_in out ' open'
if [ "${GPROFX_BUILTIN:-0}" = 0 ]; then
	mkdir -p less/bin "less/${GPROFX_PLUGIN_DIR#"${GPROFX%/bin/gprofx}/"}"
	cp "$GPROFX" less/bin
	ln -s "$GPROFX_PLUGIN_DIR"/* "less/${GPROFX_PLUGIN_DIR#"${GPROFX%/bin/gprofx}/"}"
	expect_status 0 less/bin/gprofx --no-findings --summary program gmon.0
	expect_in out '  gprofx open program gmon.0'
	rm "less/${GPROFX_PLUGIN_DIR#"${GPROFX%/bin/gprofx}/"}/output-html".*
	expect_status 0 less/bin/gprofx --no-findings --summary program gmon.0
	expect_in out '  gprofx --entry='
	expect_not_in out ' open'
	# A command of its own says what is missing.
	expect_status 1 less/bin/gprofx open program gmon.0
	expect_in err 'package gprofx-output-html'
fi
printf 'plugins: { deny: [output-html] }\n' >denied.yaml
expect_status 0 "$GPROFX" --no-findings --summary --config=denied.yaml program gmon.0
expect_not_in out ' open'

# Of libraries, the CPU time of a run tells how much is not sampled, all of it if there are no samples.
python3 - <<'PY'
from profiled import Program
program = Program(['main', 'work']).lines({'work': [(0, 7)]}, source='work.c')
program.image.libraries(['libm.so.6'])
open('needing', 'wb').write(program.bytes())
open('timed', 'wb').write(program.profile({'work': 100}, [('main', 'work', 3)]).bytes())
open('counted', 'wb').write(program.profile({}, [('main', 'work', 3)]).bytes())
PY
expect_status 0 "$GPROFX" --no-findings --summary needing timed
tail -n 4 out >last
cat >expected <<'END'
  gprofx --entry=work needing timed   its callers and callees
  gprofx -b -l -pwork needing timed   its lines that take the time
  gprofx record ./needing             a run with the time in libraries, too
  gprofx open needing timed           the same as a page in a browser
END
expect_same last expected
# Running the program again could wait for input, or write another profile: without need, that is not the first command.
expect_not_in out '  time '
expect_status 0 "$GPROFX" --no-findings --summary --cpu-time=2 needing timed
expect_not_in out '=SECONDS'
expect_in out 'not sampled: 1.00 s of 2.00 s of CPU time, in libm.so.6'
expect_in out '  gprofx record ./needing  '
expect_status 0 "$GPROFX" --no-findings --summary --cpu-time=1.4 needing timed
expect_not_in out 'gprofx record'
# Few samples, or a library that does much of the work of programs in its language: "record" has it all.
expect_status 0 "$GPROFX" --no-findings --summary needing counted
expect_in out '  gprofx record ./needing  '
expect_not_in out '=SECONDS'
expect_not_in out ' -l '
mkdir -p "a folder"
python3 - <<'PY'
from profiled import Program
for name, machine, needed in (('a folder/needing', 'x86_64', 'libgfortran.so.5'), ('foreign', 'aarch64', 'libstdc++.so.6')):
    program = Program(['main', 'work'], machine=machine)
    program.image.libraries(['libm.so.6', needed])
    open(name, 'wb').write(program.bytes())
    open('many', 'wb').write(program.profile({'work': 200}, [('main', 'work', 3)]).bytes())
    open(name.split('/')[-1] + '.few', 'wb').write(program.profile({'work': 10}, [('main', 'work', 3)]).bytes())
PY
expect_status 0 "$GPROFX" --no-findings --summary "a folder/needing" many
expect_in out "  gprofx record 'a folder/needing'   a run with the time in libraries, too"
expect_not_in out 'most'
expect_status 0 "$GPROFX" --no-findings --summary needing needing.few
expect_match out '^  gprofx record \./needing +a run with the time in libraries, too$'
tr '\n' ' ' <out >line
expect_match line ' not sampled: time in .*; it can be +most of the time '
expect_status 0 "$GPROFX" --no-findings --summary "a folder/needing" many --cpu-time=2
expect_not_in out 'gprofx record'
# Machines without the collector, and programs that the profile is not of.
expect_status 0 "$GPROFX" --no-findings --summary foreign foreign.few
expect_not_in out 'gprofx record'
expect_in out '=SECONDS'
expect_status 0 "$GPROFX" --no-findings --summary --cpu-time=2 needing counted
expect_in out 'not sampled: 2.00 s of 2.00 s of CPU time, in libm.so.6'
expect_status 0 "$GPROFX" --no-findings --summary program gmon.0
expect_not_in out '=SECONDS'
expect_status 0 "$GPROFX" --no-findings --summary -w 100 needing timed counted
expect_match out '^  gprofx record \./needing +a run with the time in libraries, too$'

# Names as tables and narrow summaries show them, also in shorter forms: the function is found, or it is one of several.
# copied NAMES: each line of the file is a name.
copied() {
	[ "$(sort -u "$1" | wc -l)" -ge 20 ] || fail 'too few names'
	while read -r name; do
		run "$GPROFX" --no-findings -b "-p$name" program gmon.0
		if [ "$status" -eq 1 ]; then
			expect_match err "^  hint: did you mean .*${name##*[.: ]}"
			case $form in last*) ;; *) fail "$name is refused" ;; esac
			refused=$((refused + 1))
		else
			[ "$status" -eq 0 ] || fail "status $status from the name $name"
			expect_not_in out ' main'
		fi
	done < <(sort -u "$1")
}
for form in full no-templates last-components; do
	expect_status 0 "$GPROFX" --no-findings -b -p -Pmain --output-option=flat.names=$form program gmon.0
	sed -n '/^ *[0-9]/s/^.*[0-9][mun]*s  //p' out >copied
	refused=0
	copied copied
	[ $refused -le 4 ] || fail "$refused names are refused"
done
# For gprof a name with a dot is always that of a file.
expect_status 0 "$GPROFX" --no-findings -b -pfold.isra.0 program gmon.0
expect_empty err
expect_status 1 "$GPROFX" --no-findings -b --correct=no-spec-files -pfold.isra.0 program gmon.0
expect_in err 'error[symspec.no-match]'

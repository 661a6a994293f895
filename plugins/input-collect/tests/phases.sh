#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Phases in files of the collector: what --phase selects, in both byte orders, of one process and of several, what is
# said if there is no such phase, and damaged files.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	def phased(order='<', *names):
	    file = usual(order).phases(*names or ('load', 'solve\x1b'))
	    for phase, calls in (1, 20), (2, 300), (1, 1000):
	        file.arcs([(at('main+5'), at('work'), calls), (1, at('work'), 1)], phase=phase)
	        file.stacks([(at('work+3'), 0, 0, calls, calls)], phase=phase)
	    return file
	save('phased', phased())
	save('swapped', phased('>'))
	save('without', usual())
	# Numbers without a row are phases, but those that no file can have are none.
	bad = phased()
	for phase in 3, 64, 65, 1 << 31:
	    bad.arcs([(at('main+5'), at('work'), 50000)], phase=phase)
	bad.chunk(PHASES, [(0, 0, 0, 0, b'zero'), (1, 0, 0, 0, b'again'), (77, 0, 0, 0, b'x'), (4, 0, 0, 0, b'')])
	save('bad', bad)
	save('full', phased('<', 'load', *['p%d' % i for i in range(62)], 'other-phases'))
END

# calls_in FILE... PHASE: the calls of work in the flat profile.
calls_in() {
	expect_status 0 "$GPROFX" -b -p --phase="${!#}" program "${@:1:$#-1}"
	sed -n 's/^ *[0-9.]* *[0-9.]* *[0-9.]* *\([0-9]*\) .* work$/\1/p' out
}

for file in phased swapped; do
	[ "$(calls_in $file load)" = 1022 ] || fail "$file: calls in load"
	expect_in out 'Only what happened in phase load.'
	expect_match out '^100\.00 +10\.20 +10\.20 +1022 .* work$'
	expect_not_in out main
	[ "$(calls_in $file no-phase)" = 7 ] || fail "$file: calls in none"
	expect_match out ' 0\.10 +1 .* main$'
done
[ "$(calls_in phased phased load)" = 2044 ] || fail 'calls of two processes'
[ "$(calls_in phased without load)" = 1022 ] || fail 'calls of a file with phases and one without'
expect_status 0 "$GPROFX" -b -p program phased
expect_not_in out phase
expect_match out ' 1330 .* work$'
expect_status 0 "$GPROFX" -b -q --phase=load program phased
expect_in out 'Only what happened in phase load.'
expect_status 0 "$GPROFX" --summary --phase=load program phased
expect_match out '^program: phase load: 10\.20 s'
expect_in out 'gprofx --entry=work --phase=load program phased'
expect_status 0 "$GPROFX" --per-file -b --phase=load program phased swapped
expect_in out 'Only what happened in phase load.'
# Of a name that a terminal would obey, the report shows the bytes.
expect_status 0 "$GPROFX" -b -p --phase=$'solve\e' program phased
expect_match out ' 301 .* work$'
expect_not_in out $'\e'

expect_status 1 "$GPROFX" --phase=nope program phased
expect_in err 'error[profile.unknown-phase]: the profiles have no phase "nope", only: no-phase, load, solve'
expect_status 1 "$GPROFX" --phase=load program without
expect_in err 'error[profile.unknown-phase]: the profiles have no phase "load": they have no phases'
expect_in err 'gprofx_collect_mark()'
# GNU mode has no such files, and says so of each option for them.
as_gprof
for option in --phase=load --per-thread --per-process --per-phase; do
	expect_status 1 "$GPROFX" --gnu "$option" program phased
	expect_in err "gprofx: error[usage.unused-option]: ${option%=*} needs a profile with threads, processes or phases, which GNU mode does not read"
	expect_in err '  hint: leave out --gnu, and call the program gprofx'
	expect_empty out
	expect_status 1 ./gprof "$option" program phased
	expect_in err "gprof: error[usage.unused-option]: ${option%=*} needs a profile"
done

[ "$(calls_in bad load)" = 1022 ] || fail 'calls of a damaged file'
[ "$(calls_in bad 64)" = 50000 ] || fail 'calls of a phase without a name'
[ "$(calls_in bad no-phase)" = 100007 ] || fail 'calls of phases that cannot be'
expect_status 0 "$GPROFX" -b -p program full
expect_in err 'warning[collect.many-phases]: full: the program has 64 phases or more'

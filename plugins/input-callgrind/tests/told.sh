#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind.told: what is said of numbers without names, of lines that are none of callgrind, of sums that differ, and of
# files that end too early; hostile numbers, and cuts at each byte. Nothing is lost without a word. Takes about 6 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

head='# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\npositions: line\nevents: Ir\n'
printf "${head}fl=(1) a.c\nfn=(5)\n1 7\nfn=(5)\n1 1\nfn=(6) f\n1 2\nfn=(6) g\n1 3\ntotals: 13\n" >names
expect_status 0 "$GPROFX" --no-findings -b -p names
[ "$(grep -c 'warning\[callgrind\.undefined-name\]' err)" -eq 1 ] || fail 'a number is not reported once'
expect_match err '^gprofx: warning\[callgrind\.undefined-name\]: names:8: expected a number with a name, found \(5\)$'
expect_match err '^gprofx: warning\[callgrind\.redefined-name\]: names:14: expected one name with the number \(6\), found another one$'
expect_match out '^ *61\.54 +8\.00 +8\.00 +\?\(5\)$'
expect_match out ' 3\.00 +g$'
{
	printf "$head"
	for i in $(seq 13); do printf 'fn=(%d)\n1 1\n' "$i"; done
} >many
expect_status 0 "$GPROFX" --no-findings -b -p many
expect_in err 'warning[callgrind.undefined-names]: many: 3 more numbers have no name'
expect_in err 'warning[callgrind.incomplete]: many: the end of the file is missing'

printf "${head}fn=f\n1 7\nnonsense\n1 x\n1 2 3\ncfn=g\ncalls=1 2\nfn=g\n2 5\ncalls=1 2\n* 9\njump=3 9\n* 0\ntotals: 99\n" >odd
expect_status 0 "$GPROFX" --no-findings -b -p odd
[ "$(grep -c 'warning\[callgrind\.bad-line\]' err)" -eq 5 ] || fail 'not five lines are reported'
expect_match err '^gprofx: warning\[callgrind\.bad-line\]: odd:9: expected a line of callgrind, found something else$'
expect_match err '^gprofx: warning\[callgrind\.bad-line\]: odd:14: expected costs of a call, or where a jump is, found something else$'
expect_in err 'warning[callgrind.other-totals]: odd:20: expected costs of 99 in all, found lines with 21'
expect_match out '^ *66\.67 +14\.00 +14\.00 +g$'
{
	printf "${head}fn=f\n"
	for i in $(seq 13); do echo "nonsense $i"; done
	printf '1 1\ntotals: 1\n'
} >worse
expect_status 0 "$GPROFX" --no-findings -b -p worse
[ "$(grep -c 'warning\[callgrind\.bad-line\]' err)" -eq 10 ] || fail 'not ten lines are reported'
expect_in err 'warning[callgrind.bad-lines]: worse: 3 more lines are left out'

printf '# callgrind format\nfn=f\n1 1\n' >none
expect_status 1 "$GPROFX" -O callgrind none
expect_in err 'error[callgrind.no-events]: none: expected a line "events:" with names, found none'
expect_empty out
{
	printf '# callgrind format\nevents:'
	printf ' e%d' $(seq 129)
	printf '\nfn=f\n1 1\n'
} >wide
expect_status 1 "$GPROFX" wide
expect_in err 'error[callgrind.too-many-events]: wide: expected at most 128 events, found more'

# Costs that no number holds, numbers of names that no array could have, positions that wrap, calls without end.
{
	printf "${head}ob=(18446744073709551615) /bin/p\nfl=(99999999999999999999999999) a.c\nfn=(4294967295) f\n"
	printf '%s\n' '99999999999999999999999 99999999999999999999999' '+1 18446744073709551615' '-18446744073709551615 1' '* 0xffffffffffffffffff'
	printf 'cfn=(4294967294) g\ncalls=99999999999999999999999 1\n1 99999999999999999999999\ncalls=1 1\n1 1\n'
	printf 'cfn=(4294967295)\ncalls=99999999999999999999999 1\n1 99999999999999999999999\n'
	printf 'totals: 18446744073709551615\n'
} >large
expect_status 0 "$GPROFX" --no-findings -b -p large
expect_in err 'warning[profile.weights-overflow]: large: the sum of stack weights exceeds 64 bits: some sums are too small'
expect_match out ' f \(p\)$'

# A function for each of 100000 lines, and a name of 100000 bytes.
{
	printf "$head"
	printf 'fn=(%d) f%d\n1 1\ncfn=(1)\ncalls=1 1\n1 1\n' $(for i in $(seq 20000); do echo "$i $i"; done)
	printf 'totals: 20000\n'
} >functions
expect_status 0 "$GPROFX" --no-findings -b -p functions
expect_empty err
{
	printf "${head}fn="
	head -c 100000 /dev/zero | tr '\0' n
	printf '\n1 1\ntotals: 1\n'
} >long
expect_status 0 "$GPROFX" --no-findings -b -p long
printf "${head}ob=(1) /bin/p\nfl=(1) a.c\nfn=(1) f'2'g\n1 7\ncfi=(2) b.h\ncfn=(2) g\ncalls=1 +3\n* 5\nfi=(2)\n-1 3\njcnd=1/2 +3\n*\ntotals: 10\n" >whole
for bytes in $(seq 1 "$(stat -c %s whole)"); do
	head -c "$bytes" whole >part
	status=0
	"$GPROFX" -O callgrind -b -p part >out 2>err || status=$?
	[ "$status" -le 1 ] || fail "status $status for $bytes bytes"
	! grep -q 'reader\.' err || fail "a defect of the reader for $bytes bytes: $(cat err)"
done

# What tables say of themselves.
expect_status 0 "$GPROFX" "$GPROFX_SOURCE/plugins/input-callgrind/tests/samples/callgrind.plain"
expect_empty err
expect_in out 'Costs are measured, in Ir: of functions, and of calls as a whole.'
expect_in out 'measured: total costs are those of calls as a whole, 6427.00 Ir in all; of a call, "self" is estimated'
expect_in out 'Costs and calls are counted, not sampled'
expect_in out 'how much of it is the child'"'"'s own is an estimate'
expect_status 0 "$GPROFX" --explain "$GPROFX_SOURCE/plugins/input-callgrind/tests/samples/callgrind.plain"
expect_in err 'Numbers of calls are exact.'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --entry lists exactly the entries of what is selected, with their callers and callees, and an index of these only.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'run', 'step', 'leaf', 'odd', 'even'])
open('program', 'wb').write(program.bytes())
arcs = [('main', 'run', 1), ('run', 'step', 10), ('step', 'leaf', 20), ('main', 'odd', 1), ('odd', 'even', 7),
        ('even', 'odd', 7)]
open('gmon.out', 'wb').write(program.profile({'leaf': 40, 'run': 2, 'odd': 9}, arcs).bytes())
END
printf '%s\n' 'main;run;step;leaf 40' 'main;run 2' >stacks

# entries: the names of primary lines; indexed: those of the index.
entries() { sed -nE 's/^\[[0-9]+\].* ([a-z]+)( <cycle [0-9]>)? \[[0-9]+\]$/\1/p' out | paste -sd ' '; }
indexed() { sed '1,/^Index/d' out | grep -oE '[a-z]+' | paste -sd ' '; }
for operands in program stacks; do
	expect_status 0 "$GPROFX" --no-findings --entry=run $operands
	[ "$(entries)" = run ] || fail "entries: $(entries)"
	[ "$(indexed)" = run ] || fail "index: $(indexed)"
	expect_match out ' main \[[0-9]\]$| main \([0-9]\)$'
	expect_match out ' step \([0-9]\)$'
	expect_not_in out 'leaf'
	expect_not_in out 'Flat profile'
	expect_not_in out 'explanation'
done
# The head says what 100 % is, unless the listing shows it.
for words in --entry=run -qrun -fleaf -erun; do
	expect_status 0 "$GPROFX" --no-findings -b $words program
	expect_match out '^100 % is all of the sampled time, 0\.51 seconds\.$'
	expect_status 0 "$GPROFX" --no-findings -b $words stacks
	expect_match out '^100 % is all that was sampled, 42\.00 samples\.$'
done
expect_status 0 "$GPROFX" --no-findings -b -Frun program
expect_match out '^100 % is 0\.42 of 0\.51 seconds: what is selected\.$'
for words in -pleaf -Fleaf; do
	expect_status 0 "$GPROFX" --no-findings -b $words stacks
	expect_match out '\b100 % is 40\.00 of 42\.00 samples: what is selected\.$'
done
for words in -p -q '-p -q -z' '-q -nleaf --gnu'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" -b $words program
	expect_not_in out '100 %'
done
for words in -p -q; do
	expect_status 0 "$GPROFX" --no-findings -b $words stacks
	expect_not_in out '100 %'
done
# -q has what they call, too. Times are the same.
expect_status 0 "$GPROFX" --no-findings -b -qrun program
[ "$(entries)" = 'run leaf step' ] || fail "entries: $(entries)"
grep '^\[.* run ' out >all
expect_status 0 "$GPROFX" --no-findings --entry=run program
grep '^\[.* run ' out >one
expect_same one all
# Several; members of a cycle, with the cycle, whose time is what callers share.
expect_status 0 "$GPROFX" --no-findings --entry=leaf --entry=run program
[ "$(entries)" = 'run leaf' ] || fail "entries: $(entries)"
expect_status 0 "$GPROFX" --no-findings --entry=odd program
[ "$(entries)" = odd ] || fail "entries: $(entries)"
expect_match out '^\[[0-9]\] +17\.6 +0\.09 +0\.00 +1\+14 +<cycle 1 as a whole> \[[0-9]\]$'
! grep -qE '^\[[0-9]\].* even ' out || fail 'even has an entry, too'
# A cycle is no function; its members are.
for name in '<cycle 1 as a whole>' '<cycle 1>' '<cycle 1 as a whole> [3]'; do
	expect_status 1 "$GPROFX" --no-findings "--entry=$name" program
	expect_in err "no function or source line matches $name"
	expect_in err 'hint: name a member of the cycle: -q lists them below the row of the cycle'
done
# Of a pair both ends, with all their times; -q keeps only the arc.
expect_status 0 "$GPROFX" --no-findings -b -q program
grep -E '^\[.* (run|leaf) ' out | sed 's/\[[0-9]*\]//g' >ends
expect_status 0 "$GPROFX" --no-findings --entry=run/leaf program
[ "$(entries)" = 'run leaf' ] || fail "entries: $(entries)"
grep '^\[' out | sed 's/\[[0-9]*\]//g' >pair
expect_same pair ends
expect_status 0 "$GPROFX" --no-findings --entry=run/elaf program
expect_in err 'did you mean leaf?'
expect_status 0 "$GPROFX" --no-findings --entry=main/run --entry=leaf --entry=odd/even program
[ "$(entries | tr ' ' '\n' | sort | paste -sd ' ')" = 'even leaf main odd run' ] || fail "entries: $(entries)"
# The setting alone takes nothing away.
expect_status 0 "$GPROFX" --no-findings -b -q program
cp out all
expect_status 0 "$GPROFX" --no-findings -b -q --set=report.entries-only=true program
expect_same out all

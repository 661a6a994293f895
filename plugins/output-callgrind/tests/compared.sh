#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A comparison in the format of callgrind: an event for each side, with the values of the sides; callgrind_annotate reads
# it, and so does gprofx.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'

# compared NAME WORD...: such a file, NAME.cg.
compared() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" diff --no-findings "--output=callgrind:$name.cg" "$@"
	expect_undiagnosed
	expect_empty out
}
compared one program base after
compared builds --base-image=before then earlier later
# Recursion, which counts once; a function that one side only has.
printf 'main;a;a;leaf 7\nmain;old 11\nmain;a 2\n' >first
printf 'main;a;a;leaf 9\nmain;a;a;a 4\nmain;new 3\n' >second
compared stacks first second
expect_in one.cg 'events: Base_time_(10ns) New_time_(10ns)'
expect_in one.cg 'desc: Comparison: 61.3 % '
expect_in one.cg 'desc: Profile: after'
expect_in stacks.cg 'events: Base_samples New_samples'

# own FILE METRIC SIDE: self values of the functions, as gprofx reads them back, are those that were put in.
own() {
	expect_status 0 "$GPROFX" --no-findings --metric="$2" --output=csv:values.csv "$1"
	python3 - "$3" <<-'END' || fail "$1 has other values of $2"
		import csv, sys, comparedcases as cases
		rows = {row['raw_name']: row for row in csv.DictReader(open('values.csv'))}
		wanted = cases.BASE if sys.argv[1] == 'base' else cases.AFTER
		for name in 'work', 'same':
		    assert abs(float(rows[name]['self_ticks']) / 10**6 - wanted.get(name, 0)) < 1e-6, (name, rows[name])
	END
}
own one.cg 'Base_time_(10ns)' base
own one.cg 'New_time_(10ns)' new
grep -qx 'calls=20 .*' one.cg || fail 'work has not the larger number of calls'
[ "$(sed -n 's/^summary: //p' stacks.cg)" = '20 16' ] || fail 'the totals are not those of the sides'

# The consumer.
if command -v callgrind_annotate >/dev/null; then
	expect_status 0 callgrind_annotate --inclusive=yes --threshold=100 --auto=no stacks.cg
	expect_match out '^ *20 \(100\.0%\) +16 \(100\.0%\) .*PROGRAM TOTALS'
	expect_match out '^ *9 \(45\.00%\) +13 \(81\.25%\) .*:a'
	expect_match out '^ *11 \(55\.00%\) +0 .*:old'
	expect_status 0 callgrind_annotate --show='New_time_(10ns)' --sort='New_time_(10ns)' --threshold=100 --auto=no one.cg
	expect_match out '1,500,000,000 .*work'
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which files come first, and which lines are in the table of the busiest: those that took most time. The truth: the
# samples and calls of each line.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

several

# The heaviest file first, those of the system last; in GNU mode as ever, in its own order.
"$GPROFX" -b -A --set=annotate.system-files=true --source-map=/usr/include/far=. program gmon >out || fail "status $?"
expect_not_in out 'left out'
[ "$(sed -n 's/^\*\*\* File .*\/\([a-z]*\)\..*/\1/p' out | tr '\n' ' ')" = 'other prog often system ' ] ||
	fail "files: $(grep '^\*\*\*' out)"
"$GPROFX" --gnu -b -A -I . program gmon >gnu 2>err || fail "status $?"
[ "$(sed -n 's/^\*\*\* File .*\/\([a-z]*\)\..*/\1/p' gnu | tr '\n' ' ')" = 'system often other prog ' ] ||
	fail "GNU mode: $(grep '^\*\*\*' gnu)"

# The table of busiest lines goes by time; where a file took none, by counts.
sed -n '/other\.c:$/,/^Execution/p' out | sed -n '/^Top/,$p' >table
printf '%s\n' 'Top 10 Lines:' '' '     Line    seconds   share      Count' '' \
	'        2       0.20   20.0%' '        1       0.05    5.0%          5' '' 'Execution Summary:' >expected
expect_same expected table
sed -n '/often\.c:$/,/^Execution/p' out | sed -n '/^Top/,$p' >table
printf '%s\n' 'Top 10 Lines:' '' '     Line      Count' '' '        2  123456789' '' 'Execution Summary:' >expected
expect_same expected table
"$GPROFX" -b -A -t 1 --source-map=/usr/include/far=. program gmon >out || fail "status $?"
expect_in out '        2       0.20   20.0%'
expect_not_in out '        1       0.05    5.0%'
expect_match gnu '^     Line      Count$'
expect_not_in gnu seconds

# Without that setting, one line stands for the files of the system; those that -A names are listed.
"$GPROFX" -b -A --source-map=/usr/include/far=. program gmon >out || fail "status $?"
[ "$(sed -n 's/^\*\*\* File .*\/\([a-z]*\)\..*/\1/p' out | tr '\n' ' ')" = 'other prog often ' ] ||
	fail "files: $(grep '^\*\*\*' out)"
expect_match out '^1 file of the system left out, with [0-9.]+ % of the time; --set=annotate[.]system-files=true lists them$'
# On a screen it continues below, at the start of a word.
"$GPROFX" -b -A --set=annotate.row-width=60 --source-map=/usr/include/far=. program gmon >narrow || fail "status $?"
expect_match narrow '^1 file of the system left out, with [0-9.]+ % of the time;$'
expect_match narrow '^--set=annotate[.]system-files=true lists them$'
expect_not_in gnu 'left out'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# shown-order: lists are sorted by the names that are printed. The truth is the alphabet: functions with
# the same time and calls, whose mangled names sort differently; _low goes last where numbers are given.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profile'
from profiled import Program
names = ['_low', 'mid', '_Z4zetav', '_Z5alphav', '_unused', 'idle']
program = Program(names).lines({n: [(0, i + 1)] for i, n in enumerate(names)})
open('program', 'wb').write(program.bytes())
arcs = [('idle', name, 3) for name in names[:4]]
open('gmon.out', 'wb').write(program.profile({name: 5 for name in names[:4]}, arcs).bytes())
open('calls', 'wb').write(program.profile({}, arcs).bytes())
END

# index: its names in their order, which is down the columns.
index() {
	sed '1,/^Index by/d' out | sed 1d | awk '
		{ for (i = 2; i <= NF; i += 2) name[i, NR] = $i }
		END { for (i = 2; i <= 6; i += 2) for (row = 1; row <= NR; row++)
			if ((i, row) in name) print name[i, row] }' | paste -sd' '
}

# entries: the functions called, in the order of their entries.
entries() {
	sed -nE 's/^\[.* 3         ([^ ]*) .*/\1/p' out | paste -sd' '
}

rows() {
	sed -nE 's/^ 25\.00 .* ([^ ]*)$/\1/p' out | paste -sd' '
}

expect_same_text() {
	[ "$1" = "$2" ] || fail "found '$1' instead of '$2'"
}

expect_status 0 "$GPROFX" --gnu -b program
expect_same_text "$(rows)" 'zeta() alpha() _low mid'
expect_same_text "$(entries)" 'mid zeta() alpha() _low'
expect_same_text "$(index)" 'zeta() alpha() _low mid'

only='--correct=none --correct=shown-order'
expect_status 0 "$GPROFX" $only -b program
expect_same_text "$(rows)" '_low alpha() mid zeta()'
expect_same_text "$(entries)" 'alpha() mid zeta() _low'
expect_same_text "$(index)" '_low alpha() mid zeta()'

# So also without time, and with all functions listed, and with source positions behind names.
expect_status 0 "$GPROFX" $only -b -q program calls
expect_same_text "$(entries)" 'alpha() mid zeta() _low'
expect_status 0 "$GPROFX" $only -b -q program calls
expect_same_text "$(index)" '_low alpha() mid zeta()'
expect_status 0 "$GPROFX" $only -b -q -z program
expect_same_text "$(index)" '_low _unused alpha() idle mid zeta() zz_end'
expect_status 0 "$GPROFX" $only -b -p --inline-file-names program
sed -nE 's/^ 25\.00 .* ([^ ]* \(prog.c:.*)$/\1/p' out >positions
printf '%s (prog.c:%d)\n' _low 1 'alpha()' 4 mid 2 'zeta()' 3 >truth
expect_same truth positions

# Names as printed are those of the symbol table in the traditional layout, and on demand.
for how in -T --no-demangle; do
	expect_status 0 "$GPROFX" $only $how -b -q program
	expect_same_text "$(sed -nE 's/^\[.* 3         ([^ ]*) .*/\1/p' out | paste -sd' ')" \
		'mid _Z4zetav _Z5alphav _low'
done

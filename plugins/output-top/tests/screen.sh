#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The summary on screens of every width: nothing is wider, no character is divided, nothing does something to
# a terminal; 80 columns take at most 22 lines with at least five functions.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >make.py <<'END'
from profiled import Program
names = ['main', 'insert', '_ZNSt6vectorIiSaIiEE9push_backEOi', '__solver_MOD_step', 'exp@plt', '\x1b[31mred',
         'gr\xf6\xdfe_' + 'x' * 90, '_ZN8geometry4mesh13TriangulationIdSt4lessIdEE6insertEd', 'a' * 300,
         'compare_the_names_of_all_the_rows_of_the_table', 'rehash', 'load', 'store', 'last']
program = Program(names + ['mcount']).lines({'insert': [(0, 41)], 'load': [(0, 123456)], 'main': [(0, 3)]},
                               source='a_very_long_name_of_a_source_file.c')
open('program', 'wb').write(program.bytes())
samples = {name: 1000 - 60 * i for i, name in enumerate(names[1:])}
arcs = [('main', 'insert', 920), ('load', 'insert', 80)]
arcs += [('insert', name, min(10 ** i, 4 * 10 ** 9)) for i, name in enumerate(names[2:])]
arcs += [('rehash', name, 1) for name in names[3:9]]
open('gmon.out', 'wb').write(program.profile(samples, arcs).bytes())
open('calls', 'wb').write(program.profile(None, arcs).bytes())
open('times', 'wb').write(program.profile(samples).bytes())
open('empty', 'wb').write(program.profile({}).bytes())
open('few', 'wb').write(program.profile({'insert': 1, 'load': 2, 'mcount': 6}, arcs).bytes())
open('stacks', 'w').write(''.join('main;%s;%s %d\n' % (a, a + '_leaf', i + 1) for i, a in
                                  enumerate(['parse', 'read', '日本語' * 30, 'x' * 200])))
END
python3 make.py || fail 'nothing was made'
# shown COLUMNS WORD...: the summary, kept for the check of all.
mkdir kept
shown() {
	expect_status 0 "$GPROFX" --summary "${@:2}"
	cp out "kept/$1 $(find kept -type f | wc -l)"
}
for width in 20 21 27 33 35 36 39 45 46 47 59 63 64 65 71 79 80 81 96 100 120 133 160 199 200; do
	shown $width -w $width program
done
for profile in calls times empty few; do
	for width in 20 40 63 80 110 200; do
		shown $width -w $width program $profile
	done
done
for width in 20 50 80 120; do
	shown $width -w $width stacks
done
# Less than 20 columns are 20; a later option of the output counts.
shown 20 -w 1 program
shown 60 -w 20 --output-option=top.width=60 program
grep -q '.\{50\}' out || fail 'not 60 columns'

python3 - <<'END' || fail 'not as it has to be'
import os, unicodedata
for name in os.listdir('kept'):
    width, text = int(name.split()[0]), open('kept/' + name, 'rb').read().decode()
    lines = text.splitlines()
    for line in lines:
        columns = sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line)
        assert columns <= width, '%d columns, not %d: %s' % (columns, width, line)
        assert line.rstrip() == line, 'blanks at the end: %r' % line
        assert all(unicodedata.category(c) != 'Cc' for c in line), line
    assert width < 80 or len(lines) <= 22, text
END

# rows: the rows of functions of the last run, without the second lines of some.
rows() {
	awk '/^ *self/ { at = 1; next } at && /^ *[0-9.]+%/ { print; next } at && /^            / { next } at { exit }' out
}
# has_columns WIDTH COLUMN...: these columns there are at this width, and no others.
has_columns() {
	expect_status 0 "$GPROFX" --no-findings --summary -w "$1" program
	shift
	expect_match out "^ *${*// /  *}\$"
}
has_columns 80 'self +total +calls +function +at +called by [(]calls[)]'
has_columns 79 'self +total +calls +function +at'
has_columns 64 'self +total +calls +function +at'
has_columns 63 'self +total +calls +function'
has_columns 46 'self +total +calls +function'
has_columns 45 'self +total +function'
has_columns 36 'self +total +function'
has_columns 35 'self +function'

# How many functions there are.
expect_status 0 "$GPROFX" --no-findings --summary program
[ "$(rows | wc -l)" -eq 10 ] || fail 'not ten functions'
expect_in out '10 of 13 functions; the other 3 take 12.3 %'
for top in 1 7 13; do
	expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=$top program
	[ "$(rows | wc -l)" -eq $top ] || fail "not $top functions"
done
expect_not_in out ' functions; '
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=12 program
expect_in out '12 of 13 functions; the other one takes '
for top in 0 -1 x; do
	expect_status 1 "$GPROFX" --summary --output-option=top.top=$top program
	expect_in err 'error[option.bad-value]'
done

# Findings take their lines from the functions.
expect_status 0 "$GPROFX" --summary --cpu-time=5 program few
expect_match out '^! .* [a-z]+\.[a-z-]+$'
[ "$(wc -l <out)" -eq 22 ] || fail 'not all lines of the screen'
few=$(rows | wc -l)
{ [ "$few" -ge 5 ] && [ "$few" -lt 10 ]; } || fail "$few functions"

# No finding loses a word: what does not fit beside its id goes to the next line, or the id does.
expect_status 0 "$GPROFX" --explain program few --cpu-time=5
sed -n 's/^  *finding\[.*\]: //p; s/^gprofx: finding\[[a-z.-]*\]: //p' out err >whole
expect_status 0 "$GPROFX" --summary --cpu-time=5 program few
tr -s ' \n' '  ' <out >joined
[ -s whole ] || fail 'nothing was found'
head -n 3 whole | while read -r finding; do
	expect_in joined "! $finding "
done
expect_not_in out ' ...'

# But never all of them.
expect_status 0 "$GPROFX" --summary --cpu-time=5 -w 20 program few
[ "$(rows | wc -l)" -eq 5 ] || fail 'not five functions on a narrow screen'

# Colors change nothing but colors.
expect_status 0 "$GPROFX" --summary --cpu-time=5 program few
cp out plain
expect_status 0 "$GPROFX" --color=always --summary --cpu-time=5 program few
sed 's/\x1b\[[0-9;]*m//g' out >without
expect_same plain without
! cmp -s out plain || fail 'no colors'

# A word that is wider than its column is not cut: the name gets a line, the place and the callers the next one.
cat >words.py <<'END'
from profiled import Program
names = ['main', 'computeviscousfluxesofinteriors', 'solve', 'interpolatebetweenthegrids',
         '_ZNSt17_Function_handlerIFbcESt15_BracketMatcherIcEE9_M_invokeEc',
         '_ZNSt17_Function_handlerIFbcESt12_CharMatcherIcEE9_M_invokeEc', 'last']
program = Program(names + ['mcount']).lines({'main': [(0, 3)], 'solve': [(0, 123)], names[1]: [(0, 41)]},
                                            source='conservationequations.f90')
open('words', 'wb').write(program.bytes())
arcs = [('main', names[1], 9), (names[1], 'solve', 8), ('solve', names[3], 7), (names[3], names[4], 6),
        (names[3], names[5], 5), (names[3], 'last', 4)]
open('words.out', 'wb').write(program.profile({name: 100 - i for i, name in enumerate(names)}, arcs).bytes())
END
python3 words.py || fail 'nothing was made'
shown 80 -w 80 words words.out
[ "$(rows | wc -l)" -eq 6 ] || fail "not six functions"
for word in computeviscousfluxesofinteriors interpolatebetweenthegrids conservationequations.f90 \
	'[.][.]_BracketMatcher' '[.][.]_CharMatcher'; do
	expect_match out "(^| |<)$word( |:|[.][.]>|\$)"
done
! grep '[a-z][.][.][.]' out || fail 'a word is cut'
# Where there is one column of texts, a name has no more room on a line for itself.
shown 63 -w 63 words words.out
expect_match out '% +[0-9.]+ +computeviscousfluxesofinteriors$'
expect_not_in out '       inter'

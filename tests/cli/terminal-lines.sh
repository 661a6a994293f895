#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Listings of counts, sources and profiles fit a terminal: no line is wider, and no word is lost or divided. Files that
# are written from there are as wide as any.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
names = ['_ZN8geometry4mesh14TriangulationsIdE16insert_the_pointEd', 'sort', '_ZN5shapeIiE4areaERKSt6vectorIiSaIiEE',
         'a_function_with_quite_a_long_name_that_fits_no_line_together_with_the_folder_of_its_file']
program = Program(['main'] + names, base=0xffffffff81000000)
program.lines({name: [(0, 2 * i + 2)] for i, name in enumerate(names)}, source='src/folder/that/is/deep/triangulations.cpp')
open('wide', 'wb').write(program.bytes())
open('wide.out', 'wb').write(program.profile({name: 65535 for name in names}, [('main', name, 4 * 10 ** 9) for name in names],
                                             unit=b'nanoseconds-too', letter=b'n').bytes())
import os
os.makedirs('src/folder/that/is/deep')
open('src/folder/that/is/deep/triangulations.cpp', 'w').write('''\
short line
\tconst auto inserted = triangulations.insert(points.begin(), points.end(), [&](const auto &point) { return true; });

          deep    indentation     and   several     blanks     between     the   words   of    a    line
größe = maß(länge, breite, höhe) + 関数の名前は長い + 関数の名前は長い + 関数の名前は長い + 関数の名前は長い;\x1b[31m
\t\t\t\t\tfar_to_the_right(behind, five, tabs); // and a comment that goes on until there is no room for it any more
last line but one

last line without end''')
END
same_words() {
	tr -s ' \t\n\f' '\n\n\n\n' <out | grep -v '^$' >shown
	tr -s ' \t\n\f' '\n\n\n\n' <whole | grep -v '^$' >words
	expect_same words shown
}
# fits COLUMNS: no line of the last output is wider.
fits() {
	python3 - "$1" <<-'END' || fail 'too wide'
		import sys, unicodedata
		for line in open('out', encoding='utf-8').read().split('\n'):
		    column = 0
		    for c in line.rstrip('\r'):
		        column += 8 - column % 8 if c == '\t' else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
		    assert column <= int(sys.argv[1]), (column, line)
	END
}
for columns in 80 132; do
	for words in '-C' '-l -C' '-i'; do
		# shellcheck disable=SC2086
		expect_status 0 "$GPROFX" --no-findings --set=counts.names=no-templates $words wide wide.out
		mv out whole
		# shellcheck disable=SC2086
		on_terminal 0 ${columns}x24 TERM=dumb -- "$GPROFX" --no-findings $words wide wide.out
		same_words
		{ [ "$words" != -i ] && [ $columns -lt 132 ]; } || fits $columns
	done
	expect_status 0 "$GPROFX" --no-findings -A wide wide.out
	mv out whole
	on_terminal 0 ${columns}x24 TERM=dumb -- "$GPROFX" --no-findings -A wide wide.out
	same_words
	fits $columns
done
# Only words that no line holds are wider than it.
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -C wide wide.out
expect_match out '^src/folder/that/is/deep/triangulations[.]cpp:2:.?$'
expect_match out '^    [(]geometry::mesh::Triangulations::insert_the_point:0xffffffff81000100[)].?$'
expect_match out '^    4000000000 executions.?$'
[ "$(grep -c '.\{82\}' out)" -eq 1 ] || fail 'not just one name is too wide'
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -i wide wide.out
expect_match out '^  histogram   0x.*, 16-bit.?$'
expect_match out '^              counters.?$'
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -A wide wide.out
expect_match out ' 4000000000 -> '"$(printf '\t')"'const auto inserted'
expect_match out '^ {38}[a-z]'

# Settings, and other places to write to, say otherwise.
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -C --set=counts.row-width=0 --set=counts.names=raw wide wide.out
tr -d '\r' <out >found
expect_status 0 "$GPROFX" --no-findings -C wide wide.out
expect_same out found
expect_in out '_ZN8geometry4mesh14TriangulationsIdE16insert_the_pointEd:0x'
cp out raw
for format in counts info annotate flat; do
	expect_status 0 "$GPROFX" --no-findings --output=$format wide wide.out
	cp out whole
	on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings --output=$format:file wide wide.out
	expect_same whole file
done
expect_status 0 "$GPROFX" --gnu -C wide wide.out
cp out whole
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --gnu -C wide wide.out
tr -d '\r' <out >found
expect_same whole found
expect_status 0 "$GPROFX" --no-findings -A -y wide wide.out
cp triangulations.cpp-ann whole
on_terminal 0 80x24 TERM=dumb -- "$GPROFX" --no-findings -A -y wide wide.out
expect_same whole triangulations.cpp-ann

# Each form of a name is there.
for form in full no-arguments no-templates last-components; do
	expect_status 0 "$GPROFX" --no-findings -C --set=counts.names=$form wide wide.out
	expect_not_in out _ZN
	grep -o '(.*shape.*:0x' out
done >forms
cat >expected <<'END'
(shape<int>::area(std::vector<int, std::allocator<int> > const&):0x
(shape<int>::area:0x
(shape::area:0x
(shape::area:0x
END
expect_same expected forms

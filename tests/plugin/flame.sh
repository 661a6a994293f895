#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example that draws calling contexts: measured ones, as by hand; estimated ones, which have the times of the
# call graph and say what they are; names that could be markup; and what --check-plugin finds with contexts.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
module output-flame <"$GPROFX_SOURCE/examples/plugin/output-flame.c"

cat >boxes.py <<'END'
"""Prints the boxes of an SVG file: depth, name, shares; and holds them against each other."""
import sys
import xml.etree.ElementTree as tree

SPACE = '{http://www.w3.org/2000/svg}'
rows = []
for box in tree.parse(sys.argv[1]).getroot():
    x, y, width = (float(box.get(key)) for key in ('x', 'y', 'width'))
    name = box.find(SPACE + 'text').text
    title = box.find(SPACE + 'title').text
    assert title.startswith(name + ': '), title
    share = float(title[len(name) + 2:].split()[0])
    assert abs(width - 12 * share) < 0.2, (width, title)
    if y > 0:
        above = [row for row in rows if row[1] == y - 16 and row[0] <= x + 0.01 and x + width <= row[0] + row[2] + 0.02]
        beside = [row for row in rows if row[1] == y and row[0] < x + width - 0.02 and x < row[0] + row[2] - 0.02]
        assert len(above) >= 1 and not beside, title
    rows.append((x, y, width))
    print(int(y) // 16, title)
END
# flame STATUS-OF-THE-REST WORD...: the boxes of such a run, in ./boxes.
flame() {
	expect_status 0 "$GPROFX" --plugin=./output-flame.so --no-findings --output=flame:flame.svg "$@"
	expect_empty err
	python3 boxes.py flame.svg >boxes || fail 'the drawing is not in order'
}

# Recursion and a cycle are chains of frames.
cat >stacks.folded <<'END'
main 1
main;a 2
main;a;a 3
main;a;a;b 4
main;p;q;p 5
main;q;p 5
END
flame stacks.folded
expect_same boxes - <<'END'
0 all (measured; 0.00 % too small to show): 100.00 %, itself 0.00 %
1 main: 100.00 %, itself 5.00 %
2 a: 45.00 %, itself 10.00 %
3 a: 35.00 %, itself 15.00 %
4 b: 20.00 %, itself 20.00 %
2 p: 25.00 %, itself 0.00 %
3 q: 25.00 %, itself 0.00 %
4 p: 25.00 %, itself 25.00 %
2 q: 25.00 %, itself 0.00 %
3 p: 25.00 %, itself 25.00 %
END
printf 'a&b<c>"d;\xff\x01 1\n' >stacks.folded
flame stacks.folded
expect_same <(sed 1d boxes | cut -d: -f1) <(printf '1 a&b<c>"d\n2 \\xff\\x01\n')
flame --raw-bytes stacks.folded
expect_same <(sed 1d boxes | cut -d: -f1) <(printf '1 a&b<c>"d\n2 \xef\xbf\xbd\xef\xbf\xbd\n')

# main 1, a 4, c 2, b 3; main calls a once and b twice, b calls a 3 times, a and c are a cycle; d has callers that
# nobody knows.
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'a', 'b', 'c'])
open('program', 'wb').write(program.bytes())
calls = [('main', 'a', 1), ('main', 'b', 2), ('b', 'a', 3), ('a', 'c', 5), ('c', 'a', 5)]
profile = program.profile({'main': 1, 'a': 4, 'b': 3, 'c': 2}, calls)
open('gmon.out', 'wb').write(profile.bytes())
END
flame program gmon.out
expect_same boxes - <<'END'
0 all (gprof estimate, paths not measured; 0.00 % too small to show): 100.00 %, itself 0.00 %
1 main: 100.00 %, itself 10.00 %
2 b: 75.00 %, itself 30.00 %
3 <cycle 1>: 45.00 %, itself 0.00 %
4 a: 30.00 %, itself 30.00 %
2 <cycle 1>: 15.00 %, itself 0.00 %
4 c: 15.00 %, itself 15.00 %
3 a: 10.00 %, itself 10.00 %
3 c: 5.00 %, itself 5.00 %
END
flame --set=report.contexts=4 program gmon.out
expect_match boxes '^0 all \(gprof estimate, paths not measured; 30\.00 % too small to show\)'
[ "$(wc -l <boxes)" = 5 ] || fail 'the bound is not kept'
# With cross-checks of other outputs: a flame of its own beside the call graph changes neither.
expect_status 0 "$GPROFX" --plugin=./output-flame.so --no-findings -b -q --output=flame:again.svg program gmon.out
cp out graph
expect_status 0 "$GPROFX" --no-findings -b -q program gmon.out
expect_same out graph

# A profile without samples has one box.
python3 -c 'from gmonfile import Profile; open("empty", "wb").write(Profile().bytes())' || fail 'cannot write it'
flame program empty
expect_same boxes <(echo '0 all (gprof estimate, paths not measured; 0.00 % too small to show): 100.00 %, itself 0.00 %')

expect_status 0 "$GPROFX" --check-plugin=./output-flame.so
# An emitter that needs measured contexts meets some, and one that cannot bear them is found.
sed 's/GPROFX_CONTEXTS_INLINED}/GPROFX_CONTEXTS_MEASURED}/; s/all\[\] = {0, 0, WIDTH};/all[] = {0, 0, WIDTH}; if (!contexts->is_estimated \&\& contexts->count > 1) __builtin_trap();/' \
	"$GPROFX_SOURCE/examples/plugin/output-flame.c" | module careless
mv careless.so output-careless.so
expect_status 1 "$GPROFX" --check-plugin=./output-careless.so
expect_in out 'a report of stacks'
# So is one that does not accept inlined subroutines.
sed 's/double self = gprofx_real(&time->self, i);/&; if (contexts->flags[i]) __builtin_trap();/' \
	"$GPROFX_SOURCE/examples/plugin/output-flame.c" | module careless
mv careless.so output-careless.so
expect_status 1 "$GPROFX" --check-plugin=./output-careless.so
expect_in out 'a small report'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines of source on both sides of "gprofx diff": of one build by their numbers, of two builds in functions that have as
# many lines as before; no time of a line is lost.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
import os
from profiled import Program
def made(name, base, lines):
    program = Program(['main', 'work', 'rare', 'last'], step=64, base=base)
    program.lines(lines, 'prog.c', '/src')
    open(name, 'wb').write(program.bytes())
    def put(profile, counts):
        bins = [0] * 16
        for place, count in counts.items():
            bins[(program.at(place) - program.base) // 16] += count
        open(profile, 'wb').write(program.empty().histogram(program.base, program.base + 256, bins).bytes())
    return put
# Two lines were put in front of work, and one into rare.
old = made('old', 0x401000, {'main': [(0, 2), (32, 3)], 'work': [(0, 5), (32, 6)], 'rare': [(0, 8), (32, 9)], 'last': [(0, 11), (32, 12)]})
new = made('new', 0x501000, {'main': [(0, 2), (32, 3)], 'work': [(0, 7), (32, 8)], 'rare': [(0, 10), (32, 12)], 'last': [(0, 14), (32, 15)]})
before = {'main': 4, 'work': 10, 'work+32': 20, 'rare': 5, 'rare+32': 6, 'last+32': 7}
old('base', before)
old('same', {**before, 'work+32': 50, 'main+32': 3, 'rare': 0})
new('after', {**before, 'work+32': 50, 'main+32': 3})
for folder in ('bases', 'news'):
    os.mkdir(folder)
for i, count in enumerate((10, 30)):
    old(f'bases/{i}', {'work': count})
    old(f'news/{i}', {'work': 2 * count})
END

# lines WORD...: the lines of such a comparison in ./found: file, lines, function, values.
lines() {
	expect_status 0 "$GPROFX" diff --no-findings --output=csv:lines.csv --output-option=csv.table=lines "$@"
	tr -d '"\r' <lines.csv | tail -n +2 >found
}

lines old base same
cat >wanted <<'END'
/src/prog.c,2,2,main,0.04,0.04,0
/src/prog.c,,3,main,0,0.03,0.03
/src/prog.c,5,5,work,0.1,0.1,0
/src/prog.c,6,6,work,0.2,0.5,0.3
/src/prog.c,8,8,rare,0.05,0,-0.05
/src/prog.c,9,9,rare,0.06,0.06,0
/src/prog.c,12,12,last,0.07,0.07,0
END
expect_same wanted found

# Another build: main and work have as many lines; rare has not, and of last the end is not known.
lines --base-image=old new base after
cat >wanted <<'END'
/src/prog.c,,2,main,0,0.04,0.04
/src/prog.c,2,,main,0.04,0,-0.04
/src/prog.c,,3,main,0,0.03,0.03
/src/prog.c,5,7,work,0.1,0.1,0
/src/prog.c,6,8,work,0.2,0.5,0.3
/src/prog.c,8,,rare,0.05,0,-0.05
/src/prog.c,9,,rare,0.06,0,-0.06
/src/prog.c,,10,rare,0,0.05,0.05
/src/prog.c,,12,rare,0,0.06,0.06
/src/prog.c,12,,last,0.07,0,-0.07
/src/prog.c,,15,last,0,0.07,0.07
END
sort wanted >sorted
expect_same sorted <(sort found)
[ "$(awk -F, '{ b += $5; n += $6 } END { printf "%.2f %.2f", b, n }' found)" = '0.52 0.85' ] || fail 'time is lost'

# Repeated runs: the means; shares of the total.
lines old bases news
expect_same <(echo '/src/prog.c,5,5,work,0.2,0.4,0.2') found
lines --normalize=total old bases news
expect_same <(echo '/src/prog.c,5,5,work,0.4,0.4,0') found

# As text: the largest differences, with both numbers of a line that moved.
expect_status 0 "$GPROFX" diff -b -A --base-image=old new base after
expect_in out 'Lines of source, time in seconds. Differences of lines are not tested:'
expect_match out '^    0\.200     0\.500     \+0\.300  prog\.c:8 \(was 6\)  work$'
expect_match out '^    0\.060     0\.000     -0\.060  prog\.c:9 of the base  rare$'
expect_match out '^    0\.000     0\.050     \+0\.050  prog\.c:10  rare$'
expect_status 0 "$GPROFX" diff -b -A --output-option=diff.top=2 --base-image=old new base after
expect_match out '^\.\.\. and 9 more$'
printf 'main;work 30\n' >folded
expect_status 0 "$GPROFX" diff -b -A folded folded
expect_in out 'No line of source has samples'

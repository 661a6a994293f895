#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# clones: what was made from a function is a function, or belongs to that one. The truth: the bins
# and calls of each; two object files have a static work each, which are distinguished.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from elfimage import ABS, FILE, FUNC, LOCAL, Image
from gmonfile import Profile

BASE = 0x401000
names = ['main', '~work', '~other', '~work.part.0', '@', '~gone.isra.0', '~work', '~work.constprop.0',
         'big', '~big.cold', '~big.isra.0.part.1', '~name.1', '~keep.out', '~odd$1', 'tail']
image = Image('x86_64').section('.text', BASE, b'\x90' * 0x100 * len(names))
image.symbol('one.c', 0, bind=LOCAL, kind=FILE, section=ABS)
for i, name in enumerate(names):
    if name == '@':
        image.symbol('two.c', 0, bind=LOCAL, kind=FILE, section=ABS)
    else:
        image.functions([name], BASE + i * 0x100, 0x100)
open('program', 'wb').write(image.bytes())
p = Profile.of(image).histogram(BASE, BASE + 0x100 * len(names),
                                [1, 1, 1, 6, 0, 10, 20, 40, 80, 160, 320, 640, 1000, 2000, 0])

def call(caller, callee, count):
    p.arc(BASE + caller * 0x100 + 0x20, BASE + callee * 0x100, count)

call(0, 1, 5)       # main: work of one.c
call(1, 3, 4)       # its part: no call by itself
call(2, 3, 3)       # other enters the part, as what was left of work was inlined there
call(0, 7, 9)       # main: the clone of the other work
call(7, 7, 2)       # which calls itself
call(0, 8, 7)       # big
open('gmon', 'wb').write(p.bytes())
PROGRAM

# row NAME [CALLS]: its own seconds, of all rows of that name.
row() {
	awk -v name="$1" '$NF == name {print $3}' out | tr '\n' ' '
}

expect_status 0 "$GPROFX" --gnu -b -p program gmon
[ "$(row other)" = '0.17 ' ] || fail 'gprof: other, with work.part.0 and gone.isra.0'
expect_not_in out work.part

expect_status 0 "$GPROFX" -b -p program gmon
[ "$(row work)" = '0.20 0.01 ' ] || fail 'keep: work'
[ "$(row work.part.0)" = '0.06 ' ] || fail 'keep: work.part.0'
[ "$(row gone.isra.0)" = '0.10 ' ] || fail 'keep: gone.isra.0'
[ "$(row work.constprop.0)" = '0.40 ' ] || fail 'keep: work.constprop.0'
[ "$(row big.cold)" = '1.60 ' ] || fail 'keep: big.cold'
[ "$(row big.isra.0.part.1)" = '3.20 ' ] || fail 'keep: big.isra.0.part.1'
# Names that no compiler gives clones are none of them.
expect_status 0 "$GPROFX" --correct=no-local-names -b -p program gmon
[ "$(row name.1)" = '36.40 ' ] || fail 'keep: name.1 and what is left out behind it'
[ "$(row work.part.0)" = '0.06 ' ] || fail 'keep: work.part.0, by its name'

expect_status 0 "$GPROFX" --clones=fold -b -p program gmon
[ "$(row work)" = '0.60 0.07 ' ] || fail 'fold: work'
[ "$(row other)" = '0.01 ' ] || fail 'fold: other'
[ "$(row big)" = '5.60 ' ] || fail 'fold: big'
[ "$(row gone.isra.0)" = '0.10 ' ] || fail 'fold: gone.isra.0'
expect_not_in out part
expect_not_in out cold
cp out folded
expect_status 0 "$GPROFX" --clones=fold --correct=no-gaps -b -p program gmon
expect_same folded out
expect_status 0 "$GPROFX" --clones=fold -b -z program gmon
expect_not_in out part
expect_not_in out cold
# The work of one.c: 5 calls by main, 3 by other; that of two.c 9, and 2 by itself.
expect_status 0 "$GPROFX" --clones=fold -b -q program gmon
expect_match out ' 5/8 +work '
expect_match out ' 3/8 +work '
expect_match out ' 9\+2 +work '

expect_status 0 "$GPROFX" --clones=drop -b -p program gmon
[ "$(row other)" = '0.17 ' ] || fail 'drop: other, with the part and gone.isra.0 behind it'
[ "$(row work)" = '0.60 0.01 ' ] || fail 'drop: work'
[ "$(row big)" = '5.60 ' ] || fail 'drop: big'

# Off unless asked for, and then it is on in GNU mode, too.
expect_status 0 "$GPROFX" --correct=no-clones -b -p program gmon
expect_not_in out work.part
expect_status 0 "$GPROFX" --gnu --clones=fold -b -p program gmon
[ "$(row work)" = '0.60 0.07 ' ] || fail 'GNU mode, fold: work'

# By chance: gprof looks at the name that stands next in the table.
python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from elfimage import Image
from gmonfile import Profile
for name, next_name in (('lucky', 'zpart'), ('unlucky', 'z.part')):
    image = Image('x86_64').section('.text', 0x401000, b'\x90' * 0x400)
    image.functions(['~f.constprop.0', '~' + next_name], 0x401100, 0x100)
    image.functions(['main'], 0x401000, 0x100).functions(['tail'], 0x401300, 0x100)
    open(name, 'wb').write(image.bytes())
    open('few', 'wb').write(Profile.of(image).histogram(0x401000, 0x401400, [1, 6, 0, 0]).bytes())
PROGRAM
expect_status 0 "$GPROFX" --gnu -b -p lucky few
[ "$(row f.constprop.0)" = '0.06 ' ] || fail 'gprof, lucky'
expect_status 0 "$GPROFX" --gnu -b -p unlucky few
[ "$(row main)" = '0.07 ' ] || fail 'gprof, unlucky'
for program in lucky unlucky; do
	expect_status 0 "$GPROFX" -b -p $program few
	[ "$(row f.constprop.0)" = '0.06 ' ] || fail "$program"
done

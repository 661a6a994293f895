#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# descriptors: static functions that are known by their descriptors count like any other. The truth:
# the bins of each, and main calls work 7 times.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
import struct
from elfimage import ALLOC, GLOBAL, LOCAL, WRITE, Image
from gmonfile import Profile

BASE, OPD = 0x10000000, 0x10010000
names = ['main', '~work', '~work.part.0', '~odd.1x', '~odd$name', 'tail']
image = Image('ppc64').section('.text', BASE, b'\0' * 0x40 * len(names))
rows = [struct.pack('>QQQ', BASE + 0x40 * i, 0, 0) for i in range(len(names))]
image.section('.opd', OPD, b''.join(rows), ALLOC | WRITE, align=8)
for i, name in enumerate(names):
    image.symbol(name.lstrip('~'), OPD + 24 * i, 0x40, LOCAL if name[0] == '~' else GLOBAL,
                 section='.opd')
open('program', 'wb').write(image.bytes())
p = Profile.of(image).histogram(BASE, BASE + 0x40 * len(names), [1, 3, 10, 20, 40, 0])
open('gmon', 'wb').write(p.arc(BASE + 0x10, BASE + 0x40, 7).bytes())
PROGRAM

# row NAME: its own seconds.
row() {
	awk -v name="$1" '$NF == name {print $3}' out
}

expect_status 0 "$GPROFX" --gnu -b -p program gmon
[ "$(row .main)" = 0.74 ] || fail 'gprof: main, with all behind it'
expect_not_in out work

# Names such as that of odd.1x are another correction's.
expect_status 0 "$GPROFX" -b -p program gmon
[ "$(row .main)" = 0.01 ] || fail 'main'
[ "$(row .work)" = 0.03 ] || fail 'work'
[ "$(row .work.part.0)" = 0.10 ] || fail 'work.part.0'
expect_status 0 "$GPROFX" --correct=no-local-names -b -p program gmon
[ "$(row .work.part.0)" = 0.70 ] || fail 'work.part.0, and what is left out behind it'
expect_status 0 "$GPROFX" -b --clones=fold -p program gmon
[ "$(row .work)" = 0.13 ] || fail 'work with its part'

expect_status 0 "$GPROFX" -b -q program gmon
expect_match out ' 7/7 +\.work \['

# By itself.
expect_status 0 "$GPROFX" --correct=no-clones -b -p program gmon
[ "$(row .work)" = 0.13 ] || fail 'work with its part'
expect_status 0 "$GPROFX" --correct=no-descriptors -b -p program gmon
[ "$(row .main)" = 0.74 ] || fail 'switched off: main, with all behind it'

# A dot before a name that the image has itself is part of the name.
python3 - <<'PROGRAM' || fail 'cannot write the program'
from elfimage import Image
image = Image('ppc64').section('.text', 0x10000000, b'\0' * 0x180)
open('dots', 'wb').write(image.functions(['main', '~.work', 'tail'], 0x10000000, 0x40).bytes())
PROGRAM
expect_status 0 "$GPROFX" --correct=no-local-names -b -p dots gmon
expect_not_in out work
expect_status 0 "$GPROFX" -b -p dots gmon
[ "$(row .work)" = 0.03 ] || fail 'a typed .work'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plain-names: of several names of a function, the one that people write. The truth: the names of the source.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from elfimage import Image
image = Image('x86_64')
image.section('.text', 0x1000, b'\x90' * 0x200)
image.functions(['main'], 0x1000, 0x100)
for name in ('___expf64', 'expf64', 'exp', 'expf32x'):
    image.functions([name], 0x1100, 0x80)
image.functions(['last'], 0x1180, 0x80)
open('program', 'wb').write(image.bytes())
END
python3 - <<'END' || fail 'no profile was made'
from gmonfile import Profile
open('gmon.out', 'wb').write(Profile().histogram(0x1000, 0x1200, [3, 0, 5, 0]).bytes())
END
expect_status 0 "$GPROFX" --no-findings -b -p program
expect_match out ' exp$'
expect_status 0 "$GPROFX" --no-findings --correct=no-plain-names -b -p program
expect_match out ' expf64$'
expect_status 0 "$GPROFX" --gnu -b -p program
expect_match out ' expf64$'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# image.bad-symtab: many names that are ends of one long name. To compare all of them would take
# hours, although the file is small.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

need python3
python3 - <<'END' || fail 'no profile was made'
import struct
from profiled import Program

# The strings of all names become one: symbol i is called "aaa…a", a letter less for each of them.
program = Program(['f%05d' % i for i in range(20000)])
image = bytearray(program.bytes())
shoff = struct.unpack_from('<Q', image, 40)[0]
count = struct.unpack_from('<H', image, 60)[0]
rows = [struct.unpack_from('<IIQQQQIIQQ', image, shoff + 64 * i) for i in range(count)]
symtab = next(row for row in rows if row[1] == 2)
strtab = rows[symtab[6]]
image[strtab[4] + 1:strtab[4] + strtab[5] - 1] = b'a' * (strtab[5] - 2)
for i in range(1, symtab[5] // 24):
    struct.pack_into('<I', image, symtab[4] + 24 * i, i)
open('image', 'wb').write(image)
open('gmon.out', 'wb').write(program.profile({'f00001': 3}, [('f00001', 'f00002', 1)]).bytes())
END

expect_status 1 "$GPROFX" -b image
expect_in err 'error[image.bad-symtab]: image: expected function names of at most '
expect_in err '  hint: '
expect_empty out
as_gprof
expect_status 1 ./gprof -b image
expect_in err 'gprof: image: bad value'

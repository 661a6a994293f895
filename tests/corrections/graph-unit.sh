#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# graph-unit: the unit of samples is what the profile says, and a bin is as wide as the address range
# divided by the number of bins. The truth: 40 cache misses; bins of 1, 3 and 256 bytes, and
# 155 of them for 616 bytes, as C libraries make.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'work'])
open('program', 'wb').write(program.bytes())
size = program.end - program.base
for width in (1, 3, 256):
    bins = [0] * (size // width)
    bins[0] = bins[0x100 // width + 1 if width < 256 else 1] = 20
    profile = program.empty().histogram(program.base, program.end, bins, 1, b'cache misses', b'm')
    profile.arc(program.base + 4, program.base + 0x100, 7)
    open('bins%d' % width, 'wb').write(profile.bytes())
profile = program.empty().histogram(program.base, program.base + 616, [40] + [0] * 154, 1)
open('uneven', 'wb').write(profile.arc(program.base + 4, program.base + 0x100, 7).bytes())
profile = program.empty().histogram(program.base, program.end, [], 1)
open('none', 'wb').write(profile.arc(program.base + 4, program.base + 0x100, 7).bytes())
END

expect_status 0 "$GPROFX" --gnu -b -q program bins1
expect_in out 'each sample hit covers 0 byte(s) for 2.50% of 40.00 seconds'
expect_status 0 "$GPROFX" -b -q program bins1
expect_in out 'each sample hit covers 1 byte(s) for 2.50% of 40.00 cache misses'
expect_status 0 "$GPROFX" --gnu -b -q program bins3
expect_in out 'each sample hit covers 2 byte(s) for'
expect_status 0 "$GPROFX" -b -q program bins3
expect_in out 'each sample hit covers 3 byte(s) for'
expect_status 0 "$GPROFX" -b -q program bins256
expect_in out 'each sample hit covers 256 byte(s) for 2.50% of 40.00 cache misses'
expect_status 0 "$GPROFX" -b -q program uneven
expect_in out 'each sample hit covers 3.97 byte(s) for'
# No bin at all is no reason for an infinite width.
expect_status 0 "$GPROFX" -b -q program none
expect_in out 'each sample hit covers 0 byte(s) no time propagated'

# The traditional flat profile has the unit even in gprof.
expect_status 0 "$GPROFX" --gnu -b -T -p program bins1
expect_in out 'each sample hit covers 0 byte(s) for 2.50% of 40.00 cache misses'
expect_status 0 "$GPROFX" -b -T -p program bins1
expect_in out 'each sample hit covers 1 byte(s) for 2.50% of 40.00 cache misses'

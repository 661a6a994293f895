#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gaps: samples in no function are reported as such, once. The truth: the place of each sample, and how long
# the functions are.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from elfimage import FUNC, GLOBAL, IFUNC, LOCAL, NOTYPE, Image
from gmonfile import Profile

BASE = 0x401000
image = Image('x86_64')
image.section('.init', BASE - 0x100, b'\x90' * 32)
image.section('.plt', BASE - 0x80, b'\x90' * 0x80)
image.section('.text', BASE, b'\x90' * 0x400)
image.section('.fini', BASE + 0x400, b'\x90' * 0x100)
image.symbol('_init', BASE - 0x100, 0, section='.init')
image.symbol('main', BASE, 0x31)
image.symbol('work', BASE + 0x40, 0x40)                 # 0x3f bytes behind main align it
image.symbol('asm', BASE + 0x100, 0, kind=NOTYPE)       # no size: up to the next symbol
image.symbol('label', BASE + 0x190, 0, kind=NOTYPE)     # no size, but inside of long
image.symbol('long', BASE + 0x180, 0x40)
image.symbol('resolver', BASE + 0x200, 0x40, kind=IFUNC)
image.symbol('tail', BASE + 0x300, 0x40)
image.symbol('left$out', BASE + 0x280, 0x40, bind=LOCAL)
open('program', 'wb').write(image.bytes())

def write(name, low, high, samples, width=4):
    bins = [0] * ((high - low) // width)
    for address, count in samples.items():
        bins[(address - low) // width] += count
    p = Profile.of(image).histogram(low, high, bins)
    p.arc(BASE + 4, BASE + 0x44, 3)
    open(name, 'wb').write(p.bytes())

inside = {BASE - 0x100: 1,                              # _init
          BASE: 2, BASE + 0x38: 4,                      # main, with what aligns work
          BASE + 0x40: 8, BASE + 0x7c: 8,               # work
          BASE + 0x100: 16, BASE + 0x17c: 16,           # asm
          BASE + 0x184: 32, BASE + 0x1bc: 64,           # long and label
          BASE + 0x280: 128, BASE + 0x2bc: 128,         # left$out: what is before it has it
          BASE + 0x300: 300, BASE + 0x33c: 300}         # tail
outside = {BASE - 0x180: 1, BASE - 0x70: 2, BASE + 0x80: 4, BASE + 0xfc: 8, BASE + 0x1c0: 16,
           BASE + 0x200: 32, BASE + 0x27c: 64, BASE + 0x2c0: 128, BASE + 0x340: 256,
           BASE + 0x480: 512}
write('all', BASE - 0x200, BASE + 0x600, {**inside, **outside})
write('inside', BASE - 0x200, BASE + 0x600, inside)
# Bins of 64 bytes: one holds 16 bytes of nothing and 48 of main.
image.symbols = [s for s in image.symbols if s.name in ('main', 'tail')]
open('two', 'wb').write(image.bytes())
write('coarse', BASE - 16, BASE + 0x430, {BASE: 8, BASE + 0x330: 4}, 64)
PROGRAM

# row NAME: its own seconds.
row() {
	sed -n 's/^ *[0-9.]* *[0-9.]* *\([0-9.]*\) .*  '"$1"'$/\1/p' out
}

expect_status 0 "$GPROFX" --gnu -b -p program all
expect_not_in out '<outside'
[ "$(row work)" = 0.28 ] || fail 'gprof: work and what is behind it'
[ "$(row label)" = 5.60 ] || fail 'gprof: label and what is behind it'

expect_status 0 "$GPROFX" --correct=no-local-names -b -p program all
[ "$(row _init)" = 0.01 ] || fail '_init'
[ "$(row main)" = 0.06 ] || fail 'main'
[ "$(row work)" = 0.16 ] || fail 'work'
[ "$(row asm)" = 0.32 ] || fail 'asm'
[ "$(row long)" = 0.32 ] || fail 'long'
[ "$(row label)" = 3.20 ] || fail 'label'
[ "$(row tail)" = 6.00 ] || fail 'tail'
[ "$(row '<outside any function>')" = 10.23 ] || fail 'outside'
awk '/^ *[0-9]/ {sum += $1} END {exit !(sum > 99.95 && sum < 100.05)}' out || fail 'not 100 %'

# Once in the total of the graph, too, and nobody calls it.
expect_status 0 "$GPROFX" --correct=no-local-names -b -q program all
[ "$(grep -c '^\[.*<outside any function> \[' out)" -eq 1 ] || fail 'no entry of the graph'
grep -B1 '^\[.*<outside any function> \[' out | grep -q '<spontaneous>' || fail 'it has callers'
expect_match out '^\[1\] +50\.4   10\.23    0\.00 .*<outside any function> \[1\]$'

# Nothing is shown where there is nothing, and what is not selected does not count.
expect_status 0 "$GPROFX" --correct=no-local-names -b -z program inside
expect_not_in out '<outside'
expect_status 0 "$GPROFX" --correct=no-local-names -b -pwork program all
expect_match out '^100\.00 .* work$'
expect_not_in out '<outside'
expect_status 0 "$GPROFX" --correct=no-gaps --correct=no-local-names -b program all
expect_not_in out '<outside'

# Bins that a function shares with nothing are divided, here by bytes: 3/4 of the first is main's, 1/4 of the
# other tail's.
expect_status 0 "$GPROFX" -b -p --correct=no-local-names --correct=no-shared-bins two coarse
[ "$(row '<outside any function>')" = 0.05 ] || fail 'coarse bins'
[ "$(row main)" = 0.06 ] || fail 'coarse bins of main'
[ "$(row tail)" = 0.01 ] || fail 'coarse bins of tail'
for option in -T --inline-file-names -z -C --no-demangle --demangle=gnat; do
	expect_status 0 "$GPROFX" --correct=no-local-names -b $option program all
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# exact-bins: a bin covers the addresses that the collector counted in it. The truth: first addresses
# from a list, put into bins as profil() of the GNU C library does; then a real program.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from elfimage import Image
from gmonfile import Profile
from profiled import Program

# 400 functions of 10 bytes and a tail that brings the text to 4776 bytes: 2388 bytes of bins, rounded
# up to 2392. Ten samples at the third byte of each function, 2 bytes from the one before.
low, span = 0x401000, 4776
image = Image('x86_64').section('.text', low, b'\x90' * span)
image.functions(['f%03d' % i for i in range(400)], low, 10)
image.symbol('tail', low + 4000, span - 4000)
open('many', 'wb').write(image.bytes())
bins = [0] * ((span // 2 + 7) // 8 * 8 // 2)
scale = len(bins) * 2 * 65536 // span
for i in range(400):
    bins[(i * 10 + 2) // 2 * scale // 65536] += 10
assert len(bins) == 1196 and scale == 32822
open('many.gmon', 'wb').write(Profile.of(image).histogram(low, low + span, bins).bytes())

# No rounding of the GNU kind: 6 bins for 100 bytes, 10 samples in each.
program = Program(['a', 'b', 'c', 'd'], step=25, mark=False)
open('few', 'wb').write(program.bytes())
open('few.gmon', 'wb').write(Profile.of(program.image).histogram(
    program.base, program.end, [10] * 6).bytes())
PROGRAM

# percent FILE: the sum of the first column.
percent() {
	sed -n '6,$p' "$1" | awk '{sum += $1} END {printf "%.1f\n", sum}'
}

expect_status 0 "$GPROFX" --gnu -b -p many many.gmon
[ "$(grep -c ' 0\.10 *f...$' out)" -lt 400 ] || fail 'gprof is right, too'
awk -v sum="$(percent out)" 'BEGIN {exit !(sum > 100.05)}' || fail 'no more than 100 %'
expect_status 0 "$GPROFX" --correct=none --correct=exact-bins -b -p many many.gmon
awk -v sum="$(percent out)" 'BEGIN {exit !(sum > 99.5 && sum < 100.05)}' || fail 'not 100 %'

# 60 samples for 4 functions of equal size, divided by bytes.
expect_status 0 "$GPROFX" --gnu -b -p few few.gmon
[ "$(grep -c '^ 25\.00 ' out)" -lt 4 ] || fail 'gprof is right, too'
expect_status 0 "$GPROFX" -b -p --correct=no-shared-bins few few.gmon
[ "$(grep -c '^ 25\.00 .* 0\.15 ' out)" -eq 4 ] || fail 'not 25 % each'

# The real collector. Which addresses gprof errs at depends on the number of bins, so it is tried with
# code of several lengths.
need gcc
[ "$(uname -m)" = x86_64 ] || skip 'written for x86-64'
cat >spin.S <<'CODE'
	.text
	.skip 1000000, 0x90
	.p2align 4
	.globl idle, spin
	.type idle, @function
	.type spin, @function
idle:	ret
	.skip 15, 0xcc
	.size idle, . - idle
spin:	dec %rdi
	jnz spin
	ret
	.skip 10, 0xcc
	.size spin, . - spin
	.skip TAIL, 0xcc
	.section .note.GNU-stack, "", @progbits
CODE
cat >main.c <<'CODE'
void spin(long turns);
int main(void)
{
	spin(600000000);
	return 0;
}
CODE
wrong=0
for tail in 0 4 8 12; do
	gcc -pg -no-pie -DTAIL=$tail main.c spin.S -o real 2>err && ./real 2>>err ||
		skip 'this compiler cannot make a profiled program'
	[ -s gmon.out ] || skip 'the program wrote no profile'
	expect_status 0 "$GPROFX" --gnu -b -p real gmon.out
	grep -q ' idle$' out && wrong=$((wrong + 1))
	expect_status 0 "$GPROFX" -b -p real gmon.out
	# The start of the program can have one or two of the forty samples.
	expect_match out '^(9[0-9]|100)\.[0-9]* .* spin$'
	expect_not_in out idle
done
[ "$wrong" -gt 0 ] || fail 'gprof was right with every length'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# stabs-lines: lines end where the stabs say so, and functions have theirs in any order. The truth: bare is in bare.s, which
# has no debug information; late stands behind early in late.c, and before it in the program.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 as ld

cat >late.s <<'PROGRAM'
	.text
	.stabs "late.c",100,0,2,.Lbegin
.Lbegin:
	.section .text.early,"ax",@progbits
	.globl early
	.type early,@function
early:
	.stabs "early:F(0,1)",36,0,0,early
	.stabn 68,0,10,.Lx-early
.Lx:	.fill 16,1,0x90
	.size early,.-early
	.text
	.globl late
	.type late,@function
late:
	.stabs "late:F(0,1)",36,0,0,late
	.stabn 68,0,20,.Ly-late
.Ly:	.fill 16,1,0x90
	.size late,.-late
	.section .text.early
	.stabs "",100,0,0,.Lend
.Lend:
PROGRAM
cat >bare.s <<'PROGRAM'
	.globl bare
	.type bare,@function
	.section .text.zbare,"ax",@progbits
bare:	.fill 16,1,0x90
	.size bare,.-bare
PROGRAM
cat >order.ld <<'SCRIPT'
SECTIONS { . = 0x1000; .text : { *(.text) *(.text.early) *(.text.zbare) } .stab 0 : { *(.stab) } .stabstr 0 : { *(.stabstr) } }
SCRIPT
as late.s -o late.o && as bare.s -o bare.o && ld -e late -T order.ld late.o bare.o -o program || fail 'cannot build'
python3 - <<'END' || fail 'no profile was made'
from gmonfile import Profile
open('gmon.out', 'wb').write(Profile().histogram(0x1000, 0x1030, [1] * 24).arc(0x1014, 0x1000, 5).arc(0x1014, 0x1020, 6).bytes())
END
places() {
	"$GPROFX" --no-findings "$@" -b -C program 2>err | sed 's/:0x[0-9a-f]*//; s/.*\/\([^/]*:\)/\1/'
}
[ "$(places | grep -E 'late|bare')" = $'late.c:20: (late) 5 executions\n<unknown>:0: (bare) 6 executions' ] ||
	fail "own mode: $(places)"
for words in --gnu --correct=no-stabs-lines; do
	places $words | grep -E 'late\)|bare\)' >found
	expect_match found 'late\.c:10: \(bare\) 6 executions'
	expect_match found '<unknown>:0: \(late\) 5 executions'
done
# The same of reports by line.
"$GPROFX" --no-findings -b -p -l program >out 2>err || fail 'status'
expect_match out ' late \(late\.c:20 @ 1000\)$'
expect_match out ' early \(late\.c:10 @ 1010\)$'
expect_match out ' bare$'

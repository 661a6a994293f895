/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the code of functions calls behind their prologue: counts the call in the table of the
 * thread; see entry-x86_64.S.
 *
 * For compilers, this is a call like any other: the registers that calls can change are free.  gcc
 * passes where the function returns to, clang 14 does not; both have it beside the frame pointer.
 * It can be signed there.
 */
#include "aarch64.inc"
#include "hash.h"

#define MASK -24
#define SITE x0
#define CALLEE x1
#define TABLE x3
#define SLOT 32
#define COUNT 16

	.macro probe number, next
	ldp x5, x6, [x4, #\number * SLOT]
	cmp x5, SITE
	ccmp x6, CALLEE, #0, eq
	b.ne \next
	add x4, x4, #\number * SLOT + COUNT
	b count
	.endm

	.text
	.globl _mcount
	.type _mcount, %function
	.p2align 6
_mcount:
	.cfi_startproc
	mov CALLEE, x30
	.cfi_register x30, CALLEE
	ldr x30, [x29, #8]
	hint #7 /* xpaclri: x30 without a signature */
	mov SITE, x30
	mov x30, CALLEE
	.cfi_restore x30
	thread_pointer TABLE, collect_arcs
	constant x4, COLLECT_SITE_FACTOR
	constant x5, COLLECT_CALLEE_FACTOR
	mul x4, x4, SITE
	madd x4, x5, CALLEE, x4
	ldur x5, [TABLE, #MASK]
	and x4, x4, x5
	add x4, TABLE, x4, lsl #1
	probe 0, 1f
1:	probe 1, 1f
1:	probe 2, 1f
1:	probe 3, 1f
1:	b arcs_slow
count:	count_and_return
	.cfi_endproc
	.size _mcount, . - _mcount

	.section .note.GNU-stack, "", %progbits

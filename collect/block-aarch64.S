/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What basic blocks call at their start; see block-x86_64.S. */
#include "hash.h"

#define MASK -24
#define ADDRESS x0
#define SLOT 16
#define COUNT 8

	.macro probe number, next
	ldr x5, [x4, #\number * SLOT]
	cmp x5, ADDRESS
	b.ne \next
	add x4, x4, #\number * SLOT + COUNT
	b count
	.endm

	.text
	.globl __sanitizer_cov_trace_pc
	.type __sanitizer_cov_trace_pc, %function
	.p2align 6
__sanitizer_cov_trace_pc:
	.cfi_startproc
	mov ADDRESS, x30
	adrp x2, :gottprel:collect_blocks
	ldr x2, [x2, #:gottprel_lo12:collect_blocks]
	mrs x3, tpidr_el0
	ldr x3, [x3, x2]
	movz x4, #(COLLECT_SITE_FACTOR & 0xffff)
	movk x4, #((COLLECT_SITE_FACTOR >> 16) & 0xffff), lsl #16
	mul x4, x4, ADDRESS
	ldur x5, [x3, #MASK]
	and x4, x4, x5
	add x4, x3, x4
	probe 0, 1f
1:	probe 1, 1f
1:	probe 2, 1f
1:	probe 3, 1f
1:	b blocks_slow
	/* A signal between the two instructions makes the second one fail. */
count:	ldxr x5, [x4]
	add x5, x5, #1
	stxr w6, x5, [x4]
	cbnz w6, count
	ret
	.cfi_endproc
	.size __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc

	.section .note.GNU-stack, "", %progbits

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What basic blocks call at their start; see block-x86_64.S. */
#include "aarch64.inc"
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
	thread_pointer x3, collect_blocks
	constant x4, COLLECT_SITE_FACTOR
	mul x4, x4, ADDRESS
	ldur x5, [x3, #MASK]
	and x4, x4, x5
	add x4, x3, x4
	probe 0, 1f
1:	probe 1, 1f
1:	probe 2, 1f
1:	probe 3, 1f
1:	b blocks_slow
count:	count_and_return
	.cfi_endproc
	.size __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc

	.section .note.GNU-stack, "", %progbits

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What basic blocks call at their start, with the option -fsanitize-coverage=trace-pc of compilers.
 *
 * For compilers, that is a call like any other: the registers that calls can change are free here.
 * Blocks are looked up by the address after the call, at COLLECT_SITE_FACTOR * address modulo the
 * size of the table, whose mask in the header of the chunk has the lowest bits clear: 16 bytes are
 * a slot.  A count is changed by one instruction: a signal handler of the thread can do the same
 * before or after it.
 */
#include "hash.h"

#define MASK -24(%rax)
#define ADDRESS 0
#define COUNT 8
#define SLOT 16

	.macro probe number, next
	cmpq %rdi, \number * SLOT + ADDRESS(%rax, %rdx)
	jne \next
	incq \number * SLOT + COUNT(%rax, %rdx)
	ret
	.endm

	.text
	.globl __sanitizer_cov_trace_pc
	.type __sanitizer_cov_trace_pc, @function
	.p2align 6
__sanitizer_cov_trace_pc:
	.cfi_startproc
	movq (%rsp), %rdi
	movq collect_blocks@gottpoff(%rip), %rax
	imulq $COLLECT_SITE_FACTOR, %rdi, %rdx
	movq %fs:(%rax), %rax
	andq MASK, %rdx
	probe 0, 1f
1:	probe 1, 1f
1:	probe 2, 1f
1:	probe 3, 1f
1:	jmp blocks_slow
	.cfi_endproc
	.size __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc

	.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the code of functions calls at their entry: counts the call in the table of the thread.
 *
 * Registers with arguments, rax, r10 and r11 keep their values; flags need not.  The stack pointer
 * is described for every instruction, since samples are taken here, too.  A count is changed by one
 * instruction: a signal handler of the thread can do the same before or after it.
 *
 * Pairs of call site and callee are looked up at (site + 4 * callee) modulo the size of the table
 * and in the slots behind; 32 bytes are a slot, and the mask is in the header of the chunk.
 */
#define MASK -24(%rax)
#define SITE 0
#define CALLEE 8
#define COUNT 16
#define SLOT 32

	.macro save register
	pushq \register
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \register, 0
	.endm

	.macro restore register
	popq \register
	.cfi_adjust_cfa_offset -8
	.cfi_restore \register
	.endm

	.macro leave_entry
	.cfi_remember_state
	restore %rsi
	restore %rdx
	restore %rcx
	restore %rax
	ret
	.cfi_restore_state
	.endm

	.macro probe number, next
	cmpq %rcx, \number * SLOT + SITE(%rsi)
	jne \next
	cmpq %rdx, \number * SLOT + CALLEE(%rsi)
	jne \next
	incq \number * SLOT + COUNT(%rsi)
	leave_entry
	.endm

	.macro entry site
	.cfi_startproc
	save %rax
	save %rcx
	save %rdx
	save %rsi
	movq 32(%rsp), %rdx
	movq \site, %rcx
	movq collect_self@gottpoff(%rip), %rax
	movq %fs:(%rax), %rax
	movq (%rax), %rax
	leaq (%rcx, %rdx, 4), %rsi
	shlq $5, %rsi
	andq MASK, %rsi
	addq %rax, %rsi
	probe 0, 1f
1:	probe 1, 1f
1:	probe 2, 1f
1:	probe 3, 1f
1:	jmp slow
	.cfi_endproc
	.endm

	.text
	.p2align 4
	.type slow, @function
slow:
	.cfi_startproc
	.cfi_def_cfa_offset 40
	.cfi_rel_offset %rsi, 0
	.cfi_rel_offset %rdx, 8
	.cfi_rel_offset %rcx, 16
	.cfi_rel_offset %rax, 24
	save %rdi
	save %r8
	save %r9
	save %r10
	save %r11
	movq %rcx, %rdi
	movq %rdx, %rsi
	call arcs_slow
	restore %r11
	restore %r10
	restore %r9
	restore %r8
	restore %rdi
	leave_entry
	.cfi_endproc
	.size slow, . - slow

	/* Called behind the prologue: the caller's frame is at rbp. */
	.globl mcount, _mcount
	.type mcount, @function
	.type _mcount, @function
	.p2align 6
mcount:
_mcount:
	entry 8(%rbp)
	.size mcount, . - mcount
	.size _mcount, . - _mcount

	/* Called as the first instruction: the address after the call of the function is below. */
	.globl __fentry__
	.type __fentry__, @function
	.p2align 6
__fentry__:
	entry 40(%rsp)
	.size __fentry__, . - __fentry__

	.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the code of functions calls at their entry: counts the call in the table of the thread.
 *
 * Registers with arguments, rax, r10 and r11 keep their values; flags need not.  The stack pointer
 * is described for every instruction, since samples are taken here, too.  A count is changed by one
 * instruction: a signal handler of the thread can do the same before or after it.
 *
 * Pairs of call site and callee are looked up at (A * site + B * callee) / 16 modulo the size of
 * the table and in the slots behind; 32 bytes are a slot, and the mask is in the header of the
 * chunk.  Functions start at multiples of 16.  Without the factors, a hundred sites that all call
 * the same hundred functions lead to fewer slots than they need, in a table of any size.
 *
 * Two registers are enough, since the keys are in memory.  Most of the time passes in the calls and
 * returns that the compiler makes of it; each instruction saved here counts where the core is
 * shared.
 */
#include "hash.h"

#define MASK -24(%rax)
#define CALLEE_HERE 16(%rsp)
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
	restore %rcx
	restore %rax
	ret
	.cfi_restore_state
	.endm

	.macro probe number, next, site
	movq \site, %rax
	cmpq %rax, \number * SLOT + SITE(%rcx)
	jne \next
	movq CALLEE_HERE, %rax
	cmpq %rax, \number * SLOT + CALLEE(%rcx)
	jne \next
	incq \number * SLOT + COUNT(%rcx)
	leave_entry
	.endm

	.macro entry site
	.cfi_startproc
	save %rax
	save %rcx
	imulq $COLLECT_SITE_FACTOR, \site, %rcx
	imulq $COLLECT_CALLEE_FACTOR, CALLEE_HERE, %rax
	addq %rax, %rcx
	movq collect_arcs@gottpoff(%rip), %rax
	movq %fs:(%rax), %rax
	andq MASK, %rcx
	leaq (%rax, %rcx, 2), %rcx
	probe 0, 1f, \site
1:	probe 1, 1f, \site
1:	probe 2, 1f, \site
1:	probe 3, 1f, \site
1:	movq \site, %rcx
	movq CALLEE_HERE, %rax
	jmp slow
	.cfi_endproc
	.endm

	.text
	.p2align 4
	.type slow, @function
slow:
	.cfi_startproc
	.cfi_def_cfa_offset 24
	.cfi_rel_offset %rcx, 0
	.cfi_rel_offset %rax, 8
	save %rdx
	save %rsi
	save %rdi
	save %r8
	save %r9
	save %r10
	save %r11
	movq %rcx, %rdi
	movq %rax, %rsi
	call arcs_slow
	restore %r11
	restore %r10
	restore %r9
	restore %r8
	restore %rdi
	restore %rsi
	restore %rdx
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
	entry 24(%rsp)
	.size __fentry__, . - __fentry__

	.section .note.GNU-stack, "", @progbits

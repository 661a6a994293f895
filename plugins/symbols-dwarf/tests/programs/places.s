# SPDX-License-Identifier: Apache-2.0
# Assembler source with code in several sections, out of order, and a weak symbol in data.
	.text
	.globl	first
first:	nop
	ret
	.section .text.unlikely,"ax"
	.globl	second
second:	nop
	ret
	.text
	.globl	third
	.type	third,@function
third:	ret
	.size	third,.-third
	.section elsewhere,"awx"
	.globl	in_data
in_data:
	ret
	.data
	.weak	weak_data
weak_data:
	.long	1
	.text
	.subsection 2
late:	ret
	.subsection 1
early:	ret
	.section .note.GNU-stack,"",@progbits

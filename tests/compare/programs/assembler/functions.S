/* SPDX-License-Identifier: Apache-2.0 */
/* Functions without types and sizes, and labels of all kinds between them. Each counts its calls
 * as a compiler's -pg would. */

	.macro	body
	push	%rbp
	mov	%rsp, %rbp
	call	*mcount@GOTPCREL(%rip)
1:	sub	$1, %edi
	jg	1b
	mov	%edi, %eax
	pop	%rbp
	ret
	.endm

	.text
	.p2align 4
	.globl	typed_function
	.type	typed_function, @function
typed_function:
	body
	.size	typed_function, . - typed_function

	/* Global, without a type: calls are charged to the function before it. */
	.globl	untyped_function
untyped_function:
	body

	.globl	object_function
	.type	object_function, @object
object_function:
	body

	.globl	dotted.function.1
	.type	dotted.function.1, @function
dotted.function.1:
	body

	/* Local labels that are kept, dropped, or split the function before them. */
	.type	local_typed, @function
local_typed:
	body
local_untyped:
	body
name.with.letters:
	nop
name.123:
	nop
name$dollar:
	nop
__gnu_compiled_assembler:
	nop

	.globl	call_local
	.type	call_local, @function
call_local:
	push	%rbp
	mov	%rsp, %rbp
	call	*mcount@GOTPCREL(%rip)
	push	%rdi
	push	%rdi
	call	local_typed
	pop	%rdi
	pop	%rdi
inside_call_local:
	call	local_untyped
	pop	%rbp
	ret

	/* A second global label at one address, and one of the next function at its end. */
	.globl	second_label
second_label:
	.globl	_underscored_label
	.type	_underscored_label, @function
_underscored_label:
	ret

	.section code_of_mine, "ax", @progbits
	.globl	in_section
	.type	in_section, @function
in_section:
	body

	.section .note.GNU-stack, "", @progbits

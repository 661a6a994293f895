; SPDX-License-Identifier: Apache-2.0
; Functions of an object file, with calls among them and to elsewhere.
	bits 32
	section .text
	global _main, _work
	extern _elsewhere

_main:
	call _work
	call local
	call _elsewhere
	ret
	align 16
_work:
	push ebp
	call local
	mov eax, [_table]
	pop ebp
	ret
	align 16
local:
	mov ecx, _table
	ret
	align 16

	section .data
	global _table
_table:
	dd _work, local

	section .bss
room:
	resb 64

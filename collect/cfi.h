/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Follows the stack of a thread that waits, from outside: by the unwind information of its code,
 * and a copy of its stack.  Anywhere; nothing but that copy is read of the thread.
 */
#ifndef COLLECT_CFI_H
#define COLLECT_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum {
	CFI_RBP = 6,
	CFI_RSP = 7,
	CFI_PC = 16,
	CFI_REGISTERS = 17 /* by their numbers in DWARF */
};

/* The values of registers in a function of the stack; bits of known: those that have one. */
struct cfi_frame {
	uint64_t value[CFI_REGISTERS];
	uint32_t known;
	bool is_exact; /* the pc is that of an instruction, and not one after a call */
};

/* The stack, as it was copied; words are read at addresses of the thread. */
struct cfi_memory {
	const uint8_t *bytes;
	uint64_t low, high;
	/* Copies more, up to this address if it can; false: nothing is there. */
	bool (*extend)(struct cfi_memory *memory, uint64_t end);
	/* The code is that of another process, and is not at its addresses in this one. */
	bool is_elsewhere;
};

enum cfi_result { CFI_CALLER, CFI_OUTERMOST, CFI_UNKNOWN };

/* Goes on to the caller, of which little is known at first. */
enum cfi_result cfi_step(struct cfi_frame *frame, struct cfi_memory *memory);

/* How to find a caller by the stack pointer and the frame pointer alone: that is most functions. */
struct cfi_simple {
	bool is_outermost; /* there is none, and the rest is 0 */
	bool by_frame; /* the frame's address is relative to the frame pointer, not the stack's */
	int32_t cfa;   /* what is added for it; the address to return to is 8 bytes below */
	int32_t saved; /* where the caller's frame pointer is, from there; 0: it is the same */
};

/*
 * The same of the code at an address; of one after a call, that is the address before.  False:
 * nothing is known, or more is needed.
 */
bool cfi_simplify(uint64_t pc, struct cfi_simple *simple);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Follows a thread's own stack from a signal handler by what unwind information says of each
 * address, which is kept: the unwinder of the compiler's library looks it up and reads it anew for
 * each frame.  Only the thread's stack is read.
 *
 * Threads share what is kept, without locks.  An entry has two words, which are written one after
 * the other; one of another address, or of two halves, does not fit the address that is looked up.
 */
#include "collect.h"

#include "cfi.h"
#include "unwinding.h"

enum {
	BITS = 10, /* of the number of entries */
	WORD = 8,
	CFA_AT = 8, /* bits of a rule before both numbers, of 28 bits each */
	SAVED_AT = 36,
	NUMBER_BITS = 28
};

/* Bits of a rule. */
enum { IS_KNOWN = 1, IS_OUTERMOST = 2, BY_FRAME = 4 };

static struct entry {
	uint64_t check; /* the address, and the rule: exclusive or */
	uint64_t rule;  /* 0: none */
} entries[1 << BITS];

static uint64_t
pack(const struct cfi_simple *simple)
{
	const uint64_t mask = (UINT64_C(1) << NUMBER_BITS) - 1;

	return IS_KNOWN | (simple->is_outermost ? IS_OUTERMOST : 0) |
	       (simple->by_frame ? BY_FRAME : 0) | ((uint64_t)simple->cfa & mask) << CFA_AT |
	       ((uint64_t)simple->saved & mask) << SAVED_AT;
}

/* A number of a rule. */
static int64_t
unpack(uint64_t rule, int at)
{
	return (int64_t)(rule << (64 - NUMBER_BITS - at)) >> (64 - NUMBER_BITS);
}

/* What is known of the code at an address; 0: it has to be left to the unwinder. */
static uint64_t
rule_at(uint64_t pc)
{
	struct entry *entry = &entries[pc * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS)];
	uint64_t rule = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
	struct cfi_simple simple;

	if (rule != 0 && (__atomic_load_n(&entry->check, __ATOMIC_RELAXED) ^ rule) == pc)
		return rule;
	if (!cfi_simplify(pc, &simple))
		return 0;
	rule = pack(&simple);
	__atomic_store_n(&entry->check, pc ^ rule, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->rule, rule, __ATOMIC_RELAXED);
	return rule;
}

void
walk_forget(void)
{
	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		__atomic_store_n(&entries[i].rule, 0, __ATOMIC_RELAXED);
}

static uint64_t
word_at(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

bool
walk_stack(struct frames *frames, const struct thread *thread, uint64_t sp, uint64_t frame)
{
	uint64_t high = thread->stack_high, pc = frames->pc[0];

	/* What is known can be of a library that is gone. */
	if (__atomic_load_n(&collect.closing, __ATOMIC_ACQUIRE) != 0)
		return false;
	while (!(frames->flags & GXC_STACK_CUT)) {
		/* Behind the first one, addresses are those after calls. */
		uint64_t rule = rule_at(frames->count == 1 ? pc : pc - 1), cfa;
		int64_t saved = unpack(rule, SAVED_AT);

		if (rule & IS_OUTERMOST)
			return true;
		if (rule == 0)
			return false;
		cfa = (rule & BY_FRAME ? frame : sp) + (uint64_t)unpack(rule, CFA_AT);
		if (cfa % WORD != 0 || cfa <= sp || cfa > high || cfa - sp < WORD)
			return false;
		if (saved != 0) {
			uint64_t from = cfa + (uint64_t)saved;

			if (from < sp || from > cfa - WORD)
				return false;
			frame = word_at(from);
		}
		pc = word_at(cfa - WORD);
		sp = cfa;
		if (pc == 0)
			return true;
		unwind_add(frames, pc);
	}
	return true;
}

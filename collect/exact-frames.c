/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where the frame of a function ends that calls the collector.
 *
 * Frames of functions that one caller calls, one after the other, begin at the same address and
 * have different sizes: what tells that the first one is over, if it was left by a jump, is where
 * they end.  On x86-64, that is where the return address is, which the compiler passes to the
 * collector.  On aarch64, it is anywhere in the frame, but all frames are in a list.
 */
#include "exact.h"

#include "collect.h"

#if defined __x86_64__

uint64_t
exact_frame_end(struct exact *own, const struct thread *thread, const struct exact_call *call,
                uint64_t pointer)
{
	enum { MOST_WORDS = 512 };
	const uint64_t *words = (const uint64_t *)(uintptr_t)call->stack;
	struct exact_frame *known = &own->frames[(call->place >> 2) % EXACT_FRAMES];
	uint64_t most = 0;

	(void)pointer;
	if (thread->stack_high > call->stack)
		most = (thread->stack_high - call->stack) / sizeof *words;
	if (most > MOST_WORDS)
		most = MOST_WORDS;
	/* What was found in a fresh stack is right; later there can be the same address elsewhere.
	 */
	if (known->place == call->place) {
		if (known->words == 0)
			return call->stack;
		if (known->words <= most && words[known->words - 1] == call->site)
			return call->stack + (known->words - 1) * sizeof *words;
	}
	known->place = call->place;
	known->words = 0;
	for (uint64_t i = 0; i < most && known->words == 0; i++)
		if (words[i] == call->site)
			known->words = i + 1;
	return known->words != 0 ? call->stack + (known->words - 1) * sizeof *words : call->stack;
}

#else

uint64_t
exact_frame_end(struct exact *own, const struct thread *thread, const struct exact_call *call,
                uint64_t pointer)
{
	uint64_t frame = pointer, end;

	(void)own;
	if (frame < call->stack || frame % 16 != 0 || frame + 16 > thread->stack_high)
		return call->stack;
	/* That of its caller. */
	end = *(const uint64_t *)(uintptr_t)frame;
	return end > frame && end <= thread->stack_high ? end : call->stack;
}

#endif

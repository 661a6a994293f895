/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stacks of what a signal interrupted.
 *
 * By frame pointers: only memory of the thread's own stack is read.  By unwind information: the
 * unwinder of the compiler's library does it, if the C library finds that information without
 * locks (_dl_find_object).
 */
#include "collect.h"

#include <dlfcn.h>
#include <ucontext.h>
#include <unwind.h>

#include "sys.h"
#include "unwinding.h"

enum {
	FRAME = 16, /* bytes of a frame: its caller's frame pointer, and an address */
	ROOM_TO_UNWIND = 24 * 1024 /* of the stack, for the unwinder */
};

/* In glibc from 2.35 on. */
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

bool
unwind_has_cfi(void)
{
	return _dl_find_object != NULL && _Unwind_Backtrace != NULL;
}

static bool
is_in_stack(const struct thread *thread, uint64_t address)
{
	return address >= thread->stack_low && thread->stack_high >= FRAME &&
	       address <= thread->stack_high - FRAME;
}

void
unwind_add(struct frames *frames, uint64_t pc)
{
	if (frames->count < collect.settings.depth)
		frames->pc[frames->count++] = pc;
	else
		frames->flags |= GXC_STACK_CUT;
}

static void
follow_frame_pointers(struct frames *frames, const struct thread *thread, uint64_t sp,
                      uint64_t frame)
{
	uint64_t least = sp;

	while (!(frames->flags & GXC_STACK_CUT)) {
		const uint64_t *pair;

		/* Every caller's frame is above; a function without one left something else. */
		if (frame < least || frame % sizeof *pair != 0 || !is_in_stack(thread, frame)) {
			if (frame != 0)
				frames->flags |= GXC_STACK_BROKEN;
			return;
		}
		pair = (const uint64_t *)(uintptr_t)frame;
		if (pair[1] == 0)
			return;
		unwind_add(frames, machine_plain(pair[1]));
		least = frame + FRAME;
		frame = pair[0];
	}
}

/*
 * Whether an address is in the code that a thread starts with: the program's entry, or what calls
 * the functions of threads.
 */
bool
unwind_is_first(uint64_t pc)
{
	enum { ENTRY_BYTES = 64 };

	return pc - collect.entry < ENTRY_BYTES ||
	       (pc != 0 && (pc == collect.thread_entry || pc == collect.clone_entry));
}

_Unwind_Reason_Code
unwind_see(struct _Unwind_Context *context, void *data)
{
	struct unwinding *walk = data;
	uint64_t pc = (uint64_t)_Unwind_GetIP(context), cfa = (uint64_t)_Unwind_GetCFA(context);

	if (!walk->is_behind) {
		/* The first one is what was interrupted; it is known already. */
		walk->is_behind = pc == walk->interrupted;
		walk->cfa = cfa;
		return _URC_NO_REASON;
	}
	if (pc == 0)
		return _URC_END_OF_STACK;
	unwind_add(walk->frames, pc);
	/* What is wrong about a function must not lead out of the stack. */
	if (cfa <= walk->cfa || !is_in_stack(walk->thread, cfa - FRAME)) {
		if (cfa <= walk->cfa)
			walk->frames->flags |= GXC_STACK_BROKEN;
		return _URC_END_OF_STACK;
	}
	walk->cfa = cfa;
	return walk->frames->flags & GXC_STACK_CUT ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Keeps the last frame of all; behind it the unwinder can show one at no address. */
static _Unwind_Reason_Code
see_last(struct _Unwind_Context *context, void *data)
{
	uint64_t pc = (uint64_t)_Unwind_GetIP(context);

	if (pc != 0)
		*(uint64_t *)data = pc;
	return _URC_NO_REASON;
}

void
unwind_learn_thread(uint64_t caller)
{
	uint64_t last = 0;

	collect.thread_entry = caller;
	if (collect.settings.unwind == UNWIND_CFI)
		(void)_Unwind_Backtrace(see_last, &last);
	collect.clone_entry = last;
}

static _Unwind_Reason_Code
see_nothing(struct _Unwind_Context *context, void *data)
{
	(void)context;
	(void)data;
	return _URC_NO_REASON;
}

void
unwind_prepare(void)
{
	if (collect.settings.unwind != UNWIND_CFI)
		return;
	if (!unwind_has_cfi() || collect.registers_frames)
		collect.settings.unwind = UNWIND_FP;
	else
		/* The first time, it can load and lock things. */
		(void)_Unwind_Backtrace(see_nothing, NULL);
}

bool
unwind_begin(struct unwinding *walk, struct frames *frames, const struct thread *thread,
             void *context)
{
	const ucontext_t *interrupted = context;
	uint64_t pc = machine_pc(interrupted), sp = machine_sp(interrupted);
	bool is_on_stack = is_in_stack(thread, sp);

	frames->count = 0;
	frames->flags = 0;
	unwind_add(frames, pc);
	if (collect.settings.unwind == UNWIND_OFF)
		return false;
	/* A coroutine's stack, or another one, of which nothing is known. */
	if (!is_on_stack) {
		frames->flags |= GXC_STACK_BROKEN;
		return false;
	}
	if (collect.settings.unwind == UNWIND_CFI && sp - thread->stack_low > ROOM_TO_UNWIND) {
		*walk = (struct unwinding){.frames = frames, .thread = thread, .interrupted = pc};
		frames->flags |= GXC_STACK_CFI;
		if (MACHINE_HAS_EXACT_CFI &&
		    walk_stack(frames, thread, sp, machine_frame(interrupted))) {
			unwind_end(walk);
			return false;
		}
		frames->count = 1;
		frames->flags = GXC_STACK_CFI;
		return true;
	}
	follow_frame_pointers(frames, thread, sp, machine_frame(interrupted));
	return false;
}

void
unwind_end(const struct unwinding *walk)
{
	struct frames *frames = walk->frames;

	/* The unwinder says nothing of why it ends. */
	if (!(frames->flags & GXC_STACK_CUT) && !unwind_is_first(frames->pc[frames->count - 1]))
		frames->flags |= GXC_STACK_BROKEN;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stacks of what a signal interrupted, for its handler; anywhere.
 *
 * The handler calls the unwinder itself: each frame that it has to pass before it comes to what was
 * interrupted costs as much as one of the program.
 */
#ifndef COLLECT_UNWINDING_H
#define COLLECT_UNWINDING_H

#include <unwind.h>

#include "collect.h"

/* A static program has these if something else of it needs them; see monitor.c. */
#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetCFA
#pragma weak _Unwind_GetIP

/* A stack that is followed. */
struct unwinding {
	struct frames *frames;
	const struct thread *thread;
	uint64_t interrupted;
	uint64_t cfa;   /* of the last frame */
	bool is_behind; /* the frames of the handler */
};

/* Follows it; or says that the unwinder has to, by _Unwind_Backtrace(unwind_see, walk), and
 * unwind_end(). */
bool unwind_begin(struct unwinding *walk, struct frames *frames, const struct thread *thread,
                  void *context);
_Unwind_Reason_Code unwind_see(struct _Unwind_Context *context, void *walk);
void unwind_end(const struct unwinding *walk);

void unwind_add(struct frames *frames, uint64_t pc); /* a frame, if there is room for it */

/*
 * walk.c: follows the stack by what it keeps of the code.  The first frame is there.  False: other
 * rules are needed, and frames are not all there.
 */
bool walk_stack(struct frames *frames, const struct thread *thread, uint64_t sp, uint64_t frame);

#endif

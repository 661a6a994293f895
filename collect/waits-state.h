/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the system says of threads that wait; for the thread that looks. */
#ifndef COLLECT_WAITS_STATE_H
#define COLLECT_WAITS_STATE_H

#include "collect.h"

enum waits_state {
	STATE_RUNS, /* or it could, if there were a processor */
	STATE_WAITS,
	STATE_WAITS_ANYWHERE /* the system does not say where */
};

/* At first; so many files may stay open. */
void waits_begin_states(uint32_t most_files);
/* Whether a thread waits; with STATE_WAITS also its registers. */
enum waits_state waits_state_of(struct watched *watched, uint64_t *sp, uint64_t *pc);
/* Closes what is open of a thread. */
void waits_forget_thread(struct watched *watched);
/* Whether the program's threads ended one by one, and the status of the first, which stays to be
 * seen: what the system reports is that of the last. */
bool waits_is_alone(long *status);

#endif

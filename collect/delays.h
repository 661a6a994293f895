/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long threads could run, but had no processor, as the system counts it; with clock=wall.
 * Anywhere. */
#ifndef COLLECT_DELAYS_H
#define COLLECT_DELAYS_H

#include "collect.h"

/* What a thread was delayed before does not count. */
void delays_begin(struct thread *thread);
/* Adds to the file what it was since it was asked for the last time. */
void delays_add(struct thread *thread);
/* The same of all threads. */
void delays_begin_all(void);
void delays_add_all(void);

#endif

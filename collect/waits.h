/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where threads wait, with clock=wall; a thread of the collector looks. */
#ifndef COLLECT_WAITS_H
#define COLLECT_WAITS_H

#include "collect.h"

/* Begins and ends to look; anywhere.  The end waits for the thread. */
void waits_begin(void);
void waits_end(void);
void waits_forget(void);  /* after fork */
bool waits_is_here(void); /* the running thread is that one */
/* Waits until it does not read what is loaded: from when collect.closing is not 0, it does not. */
void waits_let_go(void);

#endif

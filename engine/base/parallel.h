/* SPDX-License-Identifier: Apache-2.0 */
/* One parallel loop.  What is computed never depends on how the work was divided. */
#ifndef ENGINE_BASE_PARALLEL_H
#define ENGINE_BASE_PARALLEL_H

#include "base/run.h"

enum { PARALLEL_MOST_WORKERS = 64 };

/* How many workers a loop over count items gets when each should have at least "grain" items. */
uint32_t parallel_workers(struct run *run, uint32_t count, uint32_t grain);

/*
 * Calls body(argument, worker, begin, end) for consecutive pieces of 0 … count-1, one piece per
 * worker, and waits for all.  The body writes only to items of its piece, or to storage of its
 * worker, and uses no service of the run.
 */
void parallel_loop(struct run *run, uint32_t count, uint32_t workers,
                   void (*body)(void *argument, uint32_t worker, uint32_t begin, uint32_t end),
                   void *argument);

/*
 * Calls body(argument, task) for each of count tasks, on as many workers, and waits for all.  Each
 * worker takes the next task when it has done one, so long tasks come first.  The body writes only
 * to what is its task's, and uses no service of the run.
 */
void parallel_tasks(struct run *run, uint32_t count, uint32_t workers,
                    void (*body)(void *argument, uint32_t task), void *argument);

/*
 * Calls work(argument, worker, task) as parallel_tasks() does, and merge(argument, worker, task)
 * for each task by the worker that did it, in the order of the tasks and one at a time.  So a
 * worker needs room for one task only, and what is merged does not depend on the number of workers.
 */
void
parallel_ordered(struct run *run, uint32_t count, uint32_t workers,
                 void (*work)(void *argument, uint32_t worker, uint32_t task),
                 void (*merge)(void *argument, uint32_t worker, uint32_t task), void *argument);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are made for the loop and joined at its end; loops too small for that run in place. */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct piece {
	void (*body)(void *argument, uint32_t worker, uint32_t begin, uint32_t end);
	void *argument;
	uint32_t worker, begin, end;
};

uint32_t
parallel_workers(struct run *run, uint32_t count, uint32_t grain)
{
	uint32_t workers = count / grain;

	if (workers <= 1)
		return 1;
	if (run->threads == 0) {
		/* Asked only here: the answer costs more than all else a small run does. */
		long processors = sysconf(_SC_NPROCESSORS_ONLN);

		run->threads = processors < 1 ? 1 : (uint32_t)processors;
	}
	if (workers > run->threads)
		workers = run->threads;
	if (workers > PARALLEL_MOST_WORKERS)
		workers = PARALLEL_MOST_WORKERS;
	return workers;
}

static void *
work(void *opaque)
{
	struct piece *piece = opaque;

	piece->body(piece->argument, piece->worker, piece->begin, piece->end);
	return NULL;
}

void
parallel_loop(struct run *run, uint32_t count, uint32_t workers,
              void (*body)(void *argument, uint32_t worker, uint32_t begin, uint32_t end),
              void *argument)
{
	struct piece pieces[PARALLEL_MOST_WORKERS];
	pthread_t threads[PARALLEL_MOST_WORKERS];
	bool started[PARALLEL_MOST_WORKERS] = {false};

	(void)run;
	for (uint32_t i = 0; i < workers; i++) {
		uint32_t begin = (uint32_t)((uint64_t)count * i / workers);
		uint32_t end = (uint32_t)((uint64_t)count * (i + 1) / workers);

		pieces[i] = (struct piece){body, argument, i, begin, end};
		/*
		 * The last piece is the caller's own; so is any for which no thread could be made.
		 */
		if (i + 1 < workers)
			started[i] = pthread_create(&threads[i], NULL, work, &pieces[i]) == 0;
		if (!started[i])
			work(&pieces[i]);
	}
	for (uint32_t i = 0; i < workers; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
}

struct tasks {
	void (*body)(void *argument, uint32_t task);
	void *argument;
	uint32_t count;
	atomic_uint next;
};

static void
take_tasks(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	struct tasks *tasks = argument;
	uint32_t task;

	(void)worker;
	(void)begin;
	(void)end;
	while ((task = atomic_fetch_add_explicit(&tasks->next, 1, memory_order_relaxed)) <
	       tasks->count)
		tasks->body(tasks->argument, task);
}

void
parallel_tasks(struct run *run, uint32_t count, uint32_t workers,
               void (*body)(void *argument, uint32_t task), void *argument)
{
	struct tasks tasks = {.body = body, .argument = argument, .count = count};

	atomic_init(&tasks.next, 0);
	parallel_loop(run, workers, workers, take_tasks, &tasks);
}

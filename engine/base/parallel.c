/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are made for the loop and joined at its end; loops too small for that run in place. */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* The thread sanitizer is to see threads wherever there can be any, in small runs, too. */
#ifdef __SANITIZE_THREAD__
enum { SMALL_GRAINS = 1, FEWEST_THREADS = 4 };
#else
enum { SMALL_GRAINS = 0, FEWEST_THREADS = 1 };
#endif

struct piece {
	void (*body)(void *argument, uint32_t worker, uint32_t begin, uint32_t end);
	void *argument;
	uint32_t worker, begin, end;
};

uint32_t
parallel_workers(struct run *run, uint32_t count, uint32_t grain)
{
	uint32_t workers = SMALL_GRAINS ? count : count / grain;

	if (workers <= 1)
		return 1;
	if (run->threads == 0) {
		/* Asked only here: the answer costs more than all else a small run does. */
		long processors = sysconf(_SC_NPROCESSORS_ONLN);

		run->threads = processors < FEWEST_THREADS ? FEWEST_THREADS : (uint32_t)processors;
	}
	if (workers > run->threads)
		workers = run->threads;
	if (workers > PARALLEL_MOST_WORKERS)
		workers = PARALLEL_MOST_WORKERS;
	return workers;
}

static void *
run_piece(void *opaque)
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
			started[i] = pthread_create(&threads[i], NULL, run_piece, &pieces[i]) == 0;
		if (!started[i])
			run_piece(&pieces[i]);
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

struct ordered {
	void (*work)(void *argument, uint32_t worker, uint32_t task);
	void (*merge)(void *argument, uint32_t worker, uint32_t task);
	void *argument;
	uint32_t count;
	atomic_uint next;
	/* Which task is the next one to be merged. */
	uint32_t turn;
	pthread_mutex_t lock;
	pthread_cond_t turned;
};

/* Tasks are begun in their order, so the one whose turn it is waits for none. */
static void
take_ordered(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	struct ordered *ordered = argument;
	uint32_t task;

	(void)begin;
	(void)end;
	while ((task = atomic_fetch_add_explicit(&ordered->next, 1, memory_order_relaxed)) <
	       ordered->count) {
		ordered->work(ordered->argument, worker, task);
		pthread_mutex_lock(&ordered->lock);
		while (ordered->turn != task)
			pthread_cond_wait(&ordered->turned, &ordered->lock);
		ordered->merge(ordered->argument, worker, task);
		ordered->turn++;
		pthread_cond_broadcast(&ordered->turned);
		pthread_mutex_unlock(&ordered->lock);
	}
}

void
parallel_ordered(struct run *run, uint32_t count, uint32_t workers,
                 void (*work)(void *argument, uint32_t worker, uint32_t task),
                 void (*merge)(void *argument, uint32_t worker, uint32_t task), void *argument)
{
	struct ordered ordered = {
		.work = work,
		.merge = merge,
		.argument = argument,
		.count = count,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.turned = PTHREAD_COND_INITIALIZER,
	};

	atomic_init(&ordered.next, 0);
	parallel_loop(run, workers, workers, take_ordered, &ordered);
	pthread_cond_destroy(&ordered.turned);
	pthread_mutex_destroy(&ordered.lock);
}

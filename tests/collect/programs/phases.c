/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases whose calls and times are known: phases ACT [WORD].  Acts print what is known only when
 * they ran.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "acts.h"

#define EVERY_CALL __attribute__((noipa))

enum { THREADS = 4, ROUNDS = 6, OFTEN = 1000 };

/* The collector is there or not. */
void gprofx_collect_mark(const char *phase) __attribute__((weak));

volatile unsigned long work_done;
static pthread_barrier_t barrier;
static _Atomic int done, ready;
static _Atomic long total, handled;

static void
mark(const char *phase)
{
	if (gprofx_collect_mark)
		gprofx_collect_mark(phase);
}

EVERY_CALL void
leaf(void)
{
	__asm__ volatile("");
}

EVERY_CALL void
other(void)
{
	__asm__ volatile("");
}

EVERY_CALL void
in_handler(void)
{
	__asm__ volatile("");
}

/* Each thread marks in turn, and all of them call before and after it, at the same place. */
static void *
take_turns(void *data)
{
	static const char *const names[] = {"load", "solve", "load", "write", "solve", NULL};
	long number = (long)data;

	for (int round = 0; round <= ROUNDS; round++) {
		for (int i = 0; i < OFTEN * (round + 1); i++)
			leaf();
		pthread_barrier_wait(&barrier);
		if (round < ROUNDS && number == round % THREADS)
			mark(names[round]);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void
run_threads(void *(*function)(void *))
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, function, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int
turns(void)
{
	run_threads(take_turns);
	return 0;
}

static void
on_alarm(int number)
{
	(void)number;
	in_handler();
	handled++;
}

static void *
call_freely(void *data)
{
	long own = 0;

	do {
		for (int i = 0; i < OFTEN; i++) {
			leaf();
			other();
		}
		own += OFTEN;
	} while (!done);
	total += own;
	return data;
}

/* Threads come, call and go while phases begin all the time, and so do handlers of signals. */
static int
storm(void)
{
	const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	pthread_t threads[THREADS];
	char name[16];

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int round = 0; round < 100; round++) {
		done = 0;
		for (long i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, call_freely, (void *)i);
		for (int i = 0; i < 100; i++) {
			snprintf(name, sizeof name, "phase %d", (round + i * i) % 7);
			mark(name);
		}
		done = 1;
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld %ld\n", (long)total, (long)handled);
	return 0;
}

/* Milliseconds of processor time in each phase; in threads, each for itself. */
static const struct {
	const char *phase;
	int milliseconds;
} parts[] = {{NULL, 100}, {"load", 200}, {"solve", 400}, {"load", 100}, {"write", 100}};

EVERY_CALL static void
burn_in_phase(int milliseconds)
{
	burn(milliseconds);
}

static void *
take_shares(void *data)
{
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		pthread_barrier_wait(&barrier);
		if (data == NULL && i > 0)
			mark(parts[i].phase);
		pthread_barrier_wait(&barrier);
		burn_in_phase(parts[i].milliseconds);
	}
	return NULL;
}

static int
shares(void)
{
	run_threads(take_shares);
	return 0;
}

static int
many(void)
{
	char name[100];

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 100; i++) {
			snprintf(name, sizeof name, "step %d", i);
			mark(name);
			leaf();
		}
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	mark(name);
	return 0;
}

static int
children(void)
{
	mark("parent");
	leaf();
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			call_leaf(10);
			mark("child");
			call_leaf(5);
			_exit(0);
		}
	while (wait(NULL) > 0) {
	}
	leaf();
	/* One that begins in no phase, and marks none. */
	mark(NULL);
	if (fork() == 0) {
		if (fork() == 0)
			call_leaf(4);
		call_leaf(3);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

/* A library that is loaded and unloaded in each phase. */
static int
unload(void)
{
#ifndef STATIC
	static const char *const names[] = {"load", "solve", "write"};

	for (int i = 0; i < 30; i++) {
		void *library;
		int (*run)(int);

		mark(names[i % 3]);
		library = dlopen(i % 2 ? "./one.so" : "./two.so", RTLD_NOW);
		if (!library)
			return 1;
		*(void **)&run = dlsym(library, "plugin");
		run(100);
		dlclose(library);
	}
#endif
	return 0;
}

static int
call_when_asked(void *data)
{
	(void)data;
	for (int i = 0; i < 2; i++) {
		call_leaf(OFTEN);
		ready++;
		while (done <= i)
			thrd_yield();
	}
	return 0;
}

/* A thread that the collector does not see start, and cannot know the end of. */
static int
unseen(void)
{
	thrd_t thread;

	thrd_create(&thread, call_when_asked, NULL);
	while (ready == 0)
		thrd_yield();
	mark("later");
	usleep(200000);
	done = 1;
	while (ready == 1)
		thrd_yield();
	done = 2;
	thrd_join(thread, NULL);
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct act acts[] = {
		{"turns", turns},       {"storm", storm},   {"shares", shares}, {"many", many},
		{"children", children}, {"unload", unload}, {"unseen", unseen}, {NULL, NULL}};

	return act(acts, argc, argv);
}

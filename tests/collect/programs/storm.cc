/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storms for the collector: each goes on for a time, and prints how often leaf() was called.
 *
 *     storm throw|fork|churn SECONDS PLUGIN
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long work_done;
static double end;
static const char *plugin;
/* Calls of leaf(); of functions, not of threads, since handlers add to them. */
static long calls;

extern "C" KEPT void
leaf(void)
{
	work_done = work_done + 1;
}

static void
call_leaf(int times)
{
	for (int i = 0; i < times; i++)
		leaf();
	__atomic_fetch_add(&calls, times, __ATOMIC_RELAXED);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static KEPT void
descend(int depth)
{
	volatile char room[64];

	room[depth % 64] = 1;
	if (depth == 0)
		throw std::runtime_error("storm");
	descend(depth - 1);
	call_leaf(room[depth % 64]);
}

static void *
throw_on(void *argument)
{
	while (now() < end)
		for (int i = 0; i < 50; i++)
			try {
				call_leaf(3);
				descend(i % 40);
			} catch (const std::exception &) {
				call_leaf(1);
			}
	return argument;
}

static void *
load_on(void *argument)
{
	while (now() < end) {
		void *library = dlopen(plugin, RTLD_NOW);
		void (*function)(int) = library ? (void (*)(int))dlsym(library, "plugin") : NULL;

		if (!function)
			abort();
		function(5);
		call_leaf(1);
		dlclose(library);
	}
	return argument;
}

static void
on_signal(int)
{
	leaf();
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

/* Two threads throw, two load and unload a library, and a timer interrupts all of them. */
static void
storm_throw(void)
{
	const struct itimerval period = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
	pthread_t threads[4];

	signal(SIGPROF, on_signal);
	setitimer(ITIMER_PROF, &period, NULL);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, i % 2 ? load_on : throw_on, NULL) != 0)
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	setitimer(ITIMER_PROF, &none, NULL);
	signal(SIGPROF, SIG_IGN);
}

static void *
call_on(void *argument)
{
	while (now() < end)
		call_leaf(1000);
	return argument;
}

/* A process with much memory forks, while two of its threads call. */
static void
storm_fork(void)
{
	const size_t bytes = (size_t)300 << 20;
	char *memory = (char *)mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t threads[2];
	long children = 0;

	memset(memory, 1, bytes);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, call_on, NULL) != 0)
			abort();
	while (now() < end) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			calls = 0;
			call_leaf(20);
			_exit(calls == 20 ? 0 : 1);
		}
		if (waitpid(child, &status, 0) != child || status != 0)
			abort();
		children++;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	calls += 20 * children;
}

static void *
call_once(void *argument)
{
	call_leaf(50);
	return argument;
}

/* Threads that start, call and end, sixteen at a time. */
static void
storm_churn(void)
{
	while (now() < end) {
		pthread_t threads[16];

		for (int i = 0; i < 16; i++)
			if (pthread_create(&threads[i], NULL, call_once, NULL) != 0)
				abort();
		for (int i = 0; i < 16; i++)
			pthread_join(threads[i], NULL);
	}
}

int
main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	plugin = argv[3];
	end = now() + atof(argv[2]);
	if (strcmp(argv[1], "throw") == 0)
		storm_throw();
	else if (strcmp(argv[1], "fork") == 0)
		storm_fork();
	else
		storm_churn();
	printf("%ld\n", calls);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions whose times are known: each waits or works for so many milliseconds by the clock, and
 * the program prints what it measured itself: "time NAME NANOSECONDS".
 *
 *     exact [ACT]
 */
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define HIDDEN __attribute__((no_instrument_function)) static
#define FUNCTION __attribute__((noinline, noclone)) static

enum { MOST = 32 };

/* The collector is there or not. */
void gprofx_collect_mark(const char *phase) __attribute__((weak));

static struct {
	const char *name;
	uint64_t ns;
} known[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

HIDDEN uint64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

HIDDEN int
row_of(const char *name)
{
	int i = 0;

	while (known[i].name && strcmp(known[i].name, name) != 0)
		i++;
	known[i].name = name;
	return i;
}

/* Processor time, by the clock. */
HIDDEN void
work(unsigned ms)
{
	uint64_t end = now() + (uint64_t)ms * 1000000;

	while (now() < end) {
	}
}

HIDDEN void
rest(unsigned ms)
{
	struct timespec time = {0, (long)ms * 1000000};

	nanosleep(&time, NULL);
}

HIDDEN void
add(const char *name, uint64_t ns)
{
	pthread_mutex_lock(&lock);
	known[row_of(name)].ns += ns;
	pthread_mutex_unlock(&lock);
}

HIDDEN void
print_known(void)
{
	for (int i = 0; i < MOST && known[i].name; i++)
		printf("time %s %llu\n", known[i].name, (unsigned long long)known[i].ns);
	fflush(stdout);
}

/* Around what a function does, if it is not called by itself. */
#define BEGIN uint64_t begun = now()
#define END(name) add(name, now() - begun)

FUNCTION void
leaf(unsigned ms)
{
	BEGIN;
	work(ms);
	END("leaf");
}

FUNCTION void
sleeper(unsigned ms)
{
	BEGIN;
	rest(ms);
	END("sleeper");
}

FUNCTION void
middle(void)
{
	BEGIN;
	leaf(20);
	work(10);
	sleeper(30);
	leaf(10);
	END("middle");
}

/* Recursion: only the outermost call counts. */
FUNCTION void
deep(int n)
{
	work(1);
	if (n > 0)
		deep(n - 1);
	work(1);
}

FUNCTION void
recurse(void)
{
	BEGIN;
	deep(19);
	END("recurse");
	add("deep", now() - begun);
}

FUNCTION void odd(int n);

FUNCTION void
even(int n)
{
	work(1);
	if (n > 0)
		odd(n - 1);
}

FUNCTION void
odd(int n)
{
	uint64_t begun = now();

	work(2);
	if (n > 0)
		even(n - 1);
	if (n == 18)
		add("odd", now() - begun);
}

FUNCTION void
mutual(void)
{
	BEGIN;
	even(19);
	END("mutual");
	add("even", now() - begun);
}

static jmp_buf target;

FUNCTION void
jumper(void)
{
	work(3);
	longjmp(target, 1);
}

FUNCTION void
jumps(void)
{
	BEGIN;
	volatile uint64_t jumped = 0;

	for (volatile int i = 0; i < 10; i++) {
		volatile uint64_t called = now();

		if (setjmp(target) == 0)
			jumper();
		jumped += now() - called;
		leaf(1);
	}
	END("jumps");
	add("jumper", jumped);
}

FUNCTION void *
thread(void *argument)
{
	BEGIN;
	leaf(argument ? 30 : 10);
	rest(20);
	END("thread");
	return NULL;
}

FUNCTION void
threads(void)
{
	BEGIN;
	pthread_t all[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&all[i], NULL, thread, i % 2 ? all : NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	END("threads");
}

static volatile sig_atomic_t handled;

FUNCTION void
on_signal(int number)
{
	(void)number;
	handled++;
	work(1);
}

FUNCTION void
interrupted(void)
{
	BEGIN;
	for (int i = 0; i < 20; i++)
		raise(SIGUSR1);
	END("interrupted");
}

/* Which goes on in both processes, and the child has it from its start on. */
FUNCTION void
forks(void)
{
	BEGIN;
	work(20);
	if (fork() == 0) {
		work(30);
		exit(0);
	}
	wait(NULL);
	END("forks");
}

FUNCTION int
compare(const void *a, const void *b)
{
	work(1);
	return *(const int *)a - *(const int *)b;
}

/* Time in the library is its own. */
FUNCTION void
sorts(void)
{
	BEGIN;
	int numbers[] = {4, 2, 3, 1};

	qsort(numbers, 4, sizeof numbers[0], compare);
	END("sorts");
}

static inline __attribute__((always_inline)) void
inlined(unsigned ms)
{
	BEGIN;
	work(ms);
	END("inlined");
}

FUNCTION void
holds(unsigned ms)
{
	BEGIN;
	inlined(ms);
	work(2);
	inlined(ms);
	END("holds");
}

/* Its stack grows while it runs, and shrinks again. */
FUNCTION void
grows(int n)
{
	BEGIN;
	for (int i = 1; i <= n; i++) {
		volatile char *room = alloca((size_t)i * 1000);

		room[0] = 1;
		leaf(1);
	}
	END("grows");
}

FUNCTION void
million(int n)
{
	if (n > 0)
		million(n - 1);
	else
		work(20);
	__asm__ volatile("");
}

FUNCTION void
bottomless(void)
{
	BEGIN;
	million(100000);
	END("bottomless");
}

FUNCTION void *
leaves(void *argument)
{
	BEGIN;
	work(20);
	END("leaves");
	pthread_exit(argument);
}

FUNCTION void
left(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, leaves, NULL);
	pthread_join(thread, NULL);
}

static ucontext_t home, other;

/* On a stack of its own: its calls are counted, and its time is that of who switches to it. */
FUNCTION void
aside(void)
{
	for (;;) {
		leaf(2);
		swapcontext(&other, &home);
	}
}

FUNCTION void
switches(void)
{
	static char stack[64 * 1024];
	BEGIN;

	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof stack;
	makecontext(&other, aside, 0);
	for (int i = 0; i < 10; i++)
		swapcontext(&home, &other);
	END("switches");
}

HIDDEN void
mark(const char *phase)
{
	if (gprofx_collect_mark)
		gprofx_collect_mark(phase);
}

FUNCTION void
phases(void)
{
	BEGIN;
	work(10);
	mark("first");
	leaf(20);
	work(5);
	mark("second");
	leaf(30);
	mark("first");
	leaf(10);
	mark(NULL);
	END("phases");
}

HIDDEN void
run(const char *what, char **argv)
{
	if (strcmp(what, "forks") == 0) {
		forks();
	} else if (strcmp(what, "killed") == 0) {
		leaf(100);
		work(60);
		raise(SIGKILL);
	} else if (strcmp(what, "execs") == 0) {
		work(30);
		execl(argv[0], argv[0], "killed", (char *)NULL);
	} else if (strcmp(what, "phases") == 0) {
		phases();
	} else if (strcmp(what, "switches") == 0) {
		switches();
	} else if (strcmp(what, "odd") == 0) {
		sorts();
		holds(5);
		grows(10);
		bottomless();
		left();
	} else {
		middle();
		recurse();
		mutual();
		jumps();
		threads();
		interrupted();
	}
}

int
main(int argc, char **argv)
{
	BEGIN;

	signal(SIGUSR1, on_signal);
	run(argc > 1 ? argv[1] : "", argv);
	END("main");
	print_known();
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What programs do with signals.  Each act prints what happened, which is to be the same always. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"

enum { SIGNALS = 65 };

volatile unsigned long work_done;
static sigjmp_buf back;
static volatile sig_atomic_t counts[SIGNALS];

KEPT void
leaf(void)
{
	work_done++;
}

static void
count(int number)
{
	leaf();
	counts[number]++;
}

static void
jump(int number)
{
	siglongjmp(back, number);
}

static int
do_abort(void)
{
	call_leaf(1000);
	burn(30);
	printf("aborting\n");
	fflush(stdout);
	abort();
}

static int
do_abort_handled(void)
{
	signal(SIGABRT, jump);
	for (volatile int i = 0; i < 20; i++)
		if (sigsetjmp(back, 1) == 0) {
			burn(2);
			abort();
		}
	printf("went on\n");
	return 0;
}

static KEPT int
descend(int depth)
{
	volatile char room[256];

	room[depth % 256] = 1;
	return descend(depth + 1) + room[0];
}

/* Stacks that overflow, with a handler on another one. */
static int
do_segv(void)
{
	struct sigaction action = {.sa_flags = SA_ONSTACK | SA_NODEFER};
	stack_t stack = {.ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 8192};
	volatile int caught = 0;

	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	action.sa_handler = jump;
	sigaction(SIGSEGV, &action, NULL);
	for (volatile int i = 0; i < 20; i++) {
		if (sigsetjmp(back, 1) == 0)
			descend(0);
		else
			caught++;
	}
	printf("caught %d\n", caught);
	signal(SIGSEGV, SIG_DFL);
	fflush(stdout);
	*(volatile int *)8 = 1;
	return 1;
}

static void
work_on_other_stack(int number)
{
	burn(60);
	call_leaf(1000);
	counts[number]++;
}

static int
do_alternate_stack(void)
{
	struct sigaction action = {.sa_flags = SA_ONSTACK};
	size_t bytes = (size_t)sysconf(_SC_MINSIGSTKSZ) + 8192;
	char *room = mmap(NULL, bytes + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                  -1, 0);
	stack_t stack = {.ss_sp = room + 65536, .ss_size = bytes};
	size_t touched = 0;

	sigaltstack(&stack, NULL);
	action.sa_handler = work_on_other_stack;
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 3; i++)
		raise(SIGUSR1);
	for (int i = 0; i < 65536; i++)
		touched += room[i] != 0;
	printf("handled %d, %zu bytes below the stack\n", (int)counts[SIGUSR1], touched);
	return 0;
}

/* On a stack that has room for one signal, but not for two. */
static int
do_small_alternate_stack(void)
{
	struct sigaction action = {.sa_flags = SA_ONSTACK}, old;
	size_t bytes = 6144, touched = 0;
	char *room = mmap(NULL, bytes + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                  -1, 0);
	stack_t stack = {.ss_sp = room + 65536, .ss_size = bytes};
	int others = 0;

	if (sigaltstack(&stack, NULL) != 0)
		return 3;
	action.sa_handler = work_on_other_stack;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR1, NULL, &old);
	/* The linker finds functions at the first call of each, and takes much of the stack. */
	burn(1);
	for (int i = 1; i < SIGNALS; i++)
		others += sigismember(&old.sa_mask, i) == 1;
	for (int i = 0; i < 3; i++)
		raise(SIGUSR1);
	for (int i = 0; i < 65536; i++)
		touched += room[i] != 0;
	printf("handled %d, %zu bytes below the stack, %d blocked\n", (int)counts[SIGUSR1], touched,
	       others);
	return 0;
}

static int
do_timers(void)
{
	const struct itimerval period = {{0, 10000}, {0, 10000}}, none = {{0, 0}, {0, 0}};
	int burnt = 400, most;

	signal(SIGPROF, count);
	signal(SIGVTALRM, count);
	setitimer(ITIMER_PROF, &period, NULL);
	setitimer(ITIMER_VIRTUAL, &period, NULL);
	burn(burnt);
	/* On a busy machine the kernel's ticks miss much of a thread that runs for shorter times.
	 */
	for (; (counts[SIGPROF] <= 3 || counts[SIGVTALRM] <= 3) && burnt < 8000; burnt += 100)
		burn(100);
	setitimer(ITIMER_PROF, &none, NULL);
	setitimer(ITIMER_VIRTUAL, &none, NULL);
	/* Half as many more than there can be. */
	most = burnt / 10 * 3 / 2;
	printf("%s %s\n", counts[SIGPROF] > 3 && counts[SIGPROF] < most ? "enough" : "wrong",
	       counts[SIGVTALRM] > 3 && counts[SIGVTALRM] < most ? "enough" : "wrong");
	return 0;
}

/* All signals are handled, ask for what was there before, and get their defaults back. */
static int
do_all(void)
{
	struct sigaction action = {.sa_flags = SA_RESTART}, old;
	int odd = 0;

	action.sa_handler = count;
	for (int i = 1; i < SIGNALS; i++) {
		if (sigaction(i, &action, &old) == 0)
			odd += old.sa_handler != SIG_DFL;
		if (sigaction(i, NULL, &old) == 0)
			odd += old.sa_handler != count;
	}
	burn(150);
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
		raise(i);
	for (int i = 1; i < SIGNALS; i++)
		if (counts[i] != 0)
			printf("%d:%d ", i, (int)counts[i]);
	for (int i = 1; i < SIGNALS; i++)
		odd += i != 32 && i != 33 && signal(i, SIG_DFL) != count && i != SIGKILL &&
		       i != SIGSTOP;
	burn(150);
	printf("%d odd\n", odd);
	return 0;
}

/* Nobody handles them: they end the process. */
static int
do_defaults(void)
{
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			if (i % 2 == 0)
				signal(i, SIG_IGN);
			burn(2);
			raise(i);
			_exit(1);
		}
		waitpid(child, &status, 0);
		printf("%x ", status);
	}
	printf("\n");
	return 0;
}

static void *
work_blocked(void *argument)
{
	burn(100);
	call_leaf(1000);
	return argument;
}

/* One thread waits for all signals, which are blocked. */
static int
do_wait(void)
{
	const struct timespec none = {0, 0};
	struct signalfd_siginfo read_info;
	pthread_t threads[3];
	sigset_t all;
	siginfo_t info;
	int number = 0, descriptor;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work_blocked, NULL);
	burn(100);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%d ", sigtimedwait(&all, &info, &none) < 0 ? errno : info.si_signo);
	kill(getpid(), SIGUSR2);
	printf("%d ", sigwaitinfo(&all, NULL));
	kill(getpid(), SIGTERM);
	printf("%d ", sigwait(&all, &number) == 0 ? number : -1);
	descriptor = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	burn(100);
	printf("%d ", read(descriptor, &read_info, sizeof read_info) < 0 ? errno : 0);
	kill(getpid(), SIGUSR1);
	printf("%d ", read(descriptor, &read_info, sizeof read_info) > 0 ? (int)read_info.ssi_signo
	                                                                 : -errno);
	sigprocmask(SIG_SETMASK, &all, NULL);
	burn(100);
	printf("%d\n", sigtimedwait(&all, &info, &none) < 0 ? errno : info.si_signo);
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct act acts[] = {{"abort", do_abort},
	                                  {"abort-handled", do_abort_handled},
	                                  {"segv", do_segv},
	                                  {"alternate-stack", do_alternate_stack},
	                                  {"small-alternate-stack", do_small_alternate_stack},
	                                  {"timers", do_timers},
	                                  {"all", do_all},
	                                  {"defaults", do_defaults},
	                                  {"wait", do_wait},
	                                  {NULL, NULL}};

	return act(acts, argc, argv);
}

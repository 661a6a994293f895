/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that start at once where others have ended: each calls leaf() half a million times.  In a
 * static program the collector asks the system whether a thread has ended (tgkill), and here the
 * answer takes so long that all of them get it before one of them can act on it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 8 };

static pthread_barrier_t barrier;

__attribute__((noinline)) void
leaf(volatile long *sum)
{
	++*sum;
}

__attribute__((noinline)) void *
work(void *calls)
{
	volatile long sum = 0;

	for (long i = 0; i < *(long *)calls; i++)
		leaf(&sum);
	return NULL;
}

__attribute__((no_instrument_function)) static void *
start(void *calls)
{
	pthread_barrier_wait(&barrier);
	return work(calls);
}

/* The answer of another call that asks the same. */
__attribute__((no_instrument_function)) static void
answer(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	struct timespec moment = {0, 20000000};
	int saved = errno;

	(void)number;
	(void)info;
	registers[REG_RAX] = syscall(SYS_tkill, (int)registers[REG_RSI], 0) == 0 ? 0 : -errno;
	nanosleep(&moment, NULL);
	errno = saved;
}

static void
delay_answers(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
	struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};

	if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		exit(1);
}

static void
run(long calls)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, start, &calls);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int
main(void)
{
	pthread_barrier_init(&barrier, NULL, THREADS);
	run(1000);
	delay_answers();
	for (int i = 0; i < 3; i++)
		run(500000);
	return 0;
}

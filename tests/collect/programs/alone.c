/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread of the collector could change: each act prints what the system answered. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
nap(long milliseconds)
{
	const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	while (nanosleep(&time, NULL) != 0)
		puts("interrupted");
}

static void *
run(void *data)
{
	nap(100);
	puts("last");
	return data;
}

/* The last thread ends without the C library. */
static void
leave(void)
{
	nap(100);
	fflush(stdout);
	syscall(SYS_exit, 3);
}

/* The first thread ends before another one. */
static void
leave_to_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_detach(thread);
	pthread_exit(NULL);
}

static void
enter_namespace(void)
{
	int result = unshare(CLONE_NEWUSER);

	printf("%d %s\n", result, result != 0 ? strerror(errno) : "");
	nap(100);
}

/* The other end is closed if nobody has it. */
static void
use_descriptors(void)
{
	int ends[2], other;
	char byte;

	nap(100);
	if (pipe(ends) != 0)
		return;
	close(ends[1]);
	printf("%d\n", (int)read(ends[0], &byte, 1));
	for (int i = 0; i < 200; i++) {
		other = open("/dev/null", O_RDONLY);
		if (other != ends[1])
			printf("%d instead of %d\n", other, ends[1]);
		close(other);
		nap(1);
	}
}

static void
take_signals(void)
{
	sigset_t set;
	int number = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 20; i++) {
		kill(getpid(), SIGUSR1);
		sigwait(&set, &number);
		nap(1);
	}
	printf("%d\n", number == SIGUSR1);
}

/* /proc then shows nobody where the threads wait. */
static void
hide(void)
{
	printf("%d\n", prctl(PR_SET_DUMPABLE, 0));
	nap(200);
}

static void
fork_often(void)
{
	int status, sum = 0;

	for (int i = 0; i < 30; i++) {
		pid_t child = fork();

		if (child == 0) {
			nap(5);
			if (i % 2 == 0)
				execl("/bin/sh", "sh", "-c", "exit 1", (char *)NULL);
			_exit(1);
		}
		waitpid(child, &status, 0);
		sum += WEXITSTATUS(status);
	}
	printf("%d\n", sum);
}

static const struct {
	const char *name;
	void (*act)(void);
} acts[] = {{"leave", leave},
            {"leave-to-thread", leave_to_thread},
            {"enter-namespace", enter_namespace},
            {"descriptors", use_descriptors},
            {"signals", take_signals},
            {"hide", hide},
            {"fork", fork_often}};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof acts[0]; i++)
		if (strcmp(argv[1], acts[i].name) == 0)
			acts[i].act();
	return 0;
}

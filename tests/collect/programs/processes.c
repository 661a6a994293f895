/* SPDX-License-Identifier: Apache-2.0 */
/* What programs do with processes, descriptors, stacks and limits. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "acts.h"

volatile unsigned long work_done;
extern char **environ;

KEPT void
leaf(void)
{
	work_done++;
}

static int
wait_for(pid_t child)
{
	int status = -1;

	return waitpid(child, &status, 0) < 0 ? -1 : status;
}

static int
do_vfork(void)
{
	for (volatile int i = 0; i < 10; i++) {
		pid_t child = vfork();

		if (child == 0) {
			call_leaf(10);
			if (i % 2 == 0)
				_exit(i);
			execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
			_exit(126);
		}
		burn(5);
		printf("%x ", wait_for(child));
	}
	printf("\n");
	return 0;
}

static int
do_spawn(void)
{
	char *words[] = {
		(char[]){"sh"}, (char[]){"-c"},
		(char[]){"i=0; while [ $i -lt 9000 ]; do i=$((i+1)); done; echo s; exit 5"}, NULL};
	char line[16] = "";
	int result, status;
	FILE *pipe;
	pid_t child;

	burn(10);
	/* Both write to the same file: one after the other. */
	result = posix_spawnp(&child, "sh", NULL, NULL, words, environ);
	status = wait_for(child);
	printf("%d %x ", result, status);
	fflush(stdout);
	printf("%x ", system("exit 4"));
	pipe = popen("echo from a pipe", "r");
	burn(10);
	printf("%s", pipe && fgets(line, sizeof line, pipe) ? line : "nothing\n");
	printf("%x\n", pipe ? pclose(pipe) : -1);
	call_leaf(100);
	return 0;
}

/* An exec that fails, and one in a thread that is not the first. */
static void *
execute(void *argument)
{
	burn(10);
	execl("/bin/sh", "sh", "-c", "echo replaced; exit 7", (char *)NULL);
	return argument;
}

static int
do_exec(void)
{
	char *words[] = {(char[]){"x"}, NULL};
	pthread_t thread;

	for (int i = 0; i < 20; i++) {
		errno = 0;
		printf("%d", execv("/nonexistent/x", words));
		printf(":%d ", errno);
		burn(3);
	}
	call_leaf(100);
	fflush(stdout);
	if (pthread_create(&thread, NULL, execute, NULL) == 0)
		pthread_join(thread, NULL);
	return 1;
}

static volatile int stops;

static void *
keep_calling(void *argument)
{
	while (!stops)
		call_leaf(100);
	return argument;
}

/* Forks without exec, in a program with threads that allocate and call. */
static int
do_fork(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, keep_calling, NULL);
	for (int i = 0; i < 30; i++) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t own;

			stops = 1;
			pthread_create(&own, NULL, keep_calling, NULL);
			pthread_join(own, NULL);
			call_leaf(50);
			burn(3);
			if (i % 3 == 0)
				_exit(i);
			if (i % 3 == 1)
				exit(i);
			signal(SIGABRT, SIG_DFL);
			abort();
		}
		printf("%x ", wait_for(child) & 0xff7f);
		fflush(stdout);
	}
	stops = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("\n");
	return 0;
}

static KEPT int
work_in_copy(void *argument)
{
	call_leaf(50);
	burn(3);
	return argument != NULL;
}

static pid_t
copy_by(int way)
{
	static char stack[65536];

	if (way == 0)
		return (pid_t)syscall(SYS_fork);
	if (way == 1)
		return _Fork();
	return clone(work_in_copy, stack + sizeof stack, SIGCHLD, NULL);
}

/*
 * Children that the C library's fork() did not make.  Those of the first way are noticed by a call
 * that their parent did not do before them.
 */
static int
do_copies(void)
{
	for (int i = 0; i < 15; i++) {
		pid_t child = copy_by(i / 5);

		if (child == 0)
			_exit(work_in_copy(NULL));
		printf("%x ", wait_for(child));
		fflush(stdout);
		if (i == 4)
			work_in_copy(NULL);
	}
	printf("\n");
	return 0;
}

static volatile int forked_children;
static volatile sig_atomic_t is_child;

static void
fork_in_handler(int number)
{
	if (is_child)
		return;
	if (fork() == 0) {
		is_child = 1;
		forked_children = 0;
	} else {
		forked_children++;
	}
	(void)number;
}

/* Children begin in a handler that interrupts anything, and go on where their parent was. */
static int
do_fork_in_handler(void)
{
	const struct itimerval period = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
	int status, bad = 0, children = 0;

	signal(SIGALRM, fork_in_handler);
	setitimer(ITIMER_REAL, &period, NULL);
	while (forked_children < 150 && !is_child)
		call_leaf(1000);
	if (is_child) {
		call_leaf(1000);
		_exit(0);
	}
	setitimer(ITIMER_REAL, &none, NULL);
	while (wait(&status) > 0) {
		bad += status != 0;
		children++;
	}
	printf("%s %d bad\n", children >= 150 ? "enough" : "few", bad);
	return 0;
}

/* Closes what it did not open, and uses the numbers itself. */
static int
do_descriptors(void)
{
	char name[32];
	int descriptor;

	burn(10);
	for (int i = 3; i < 1024; i++)
		close(i);
	for (int i = 0; i < 80; i++) {
		snprintf(name, sizeof name, "own%d", i);
		descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
		printf("%d ", descriptor);
		if (write(descriptor, "own\n", 4) != 4)
			return 1;
		/* Where descriptors are moved to that are to be out of the way. */
		dup2(descriptor, 680 + i);
	}
	return printf("\n") < 0;
}

static KEPT void *
work_in_thread(void *argument)
{
	burn(20);
	call_leaf(1000);
	return argument;
}

static int
do_reopened(void)
{
	struct stat status;
	char name[32];
	pthread_t threads[4];
	int others = 0;

	call_leaf(1000);
	if (do_descriptors() != 0)
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work_in_thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 80; i++) {
		snprintf(name, sizeof name, "own%d", i);
		others += stat(name, &status) != 0 || status.st_size != 4;
	}
	printf("%d changed\n", others);
	return 0;
}

/* Standard error is another file now. */
static int
do_no_stderr(void)
{
	struct stat status;
	int descriptor;

	close(2);
	descriptor = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600);
	call_leaf(100);
	printf("%d ", descriptor);
	if (write(2, "own\n", 4) != 4)
		return 1;
	return printf("%d\n", fstat(2, &status) == 0 ? (int)status.st_size : -1) < 0;
}

static int
do_few_descriptors(void)
{
	int descriptor = 0;

	for (int i = 0; i < 20; i++)
		descriptor = open("/dev/null", O_RDONLY);
	printf("%d\n", descriptor);
	call_leaf(100);
	return 0;
}

static int
do_nothing_special(void)
{
	pthread_t threads[4];

	call_leaf(1000);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, work_in_thread, NULL) != 0)
			return 2;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	burn(60);
	printf("done\n");
	return 0;
}

/* Threads start that can open nothing. */
static int
do_no_descriptors(void)
{
	const struct rlimit none = {3, 3};

	burn(10);
	return setrlimit(RLIMIT_NOFILE, &none) != 0 || do_nothing_special() != 0;
}

static int
do_wait_after(void)
{
	int status = do_nothing_special();

	fflush(stdout);
	pause();
	return status;
}

static int
do_replace(void)
{
	int status = do_nothing_special();

	fflush(stdout);
	execl("/bin/true", "true", (char *)NULL);
	return status;
}

static KEPT int
descend(int depth)
{
	volatile char room[4096];

	room[0] = 1;
	if (depth == 0)
		burn(30);
	return depth == 0 ? room[0] : descend(depth - 1) + room[0];
}

static void *
descend_in_thread(void *argument)
{
	printf("%d\n", descend(100000));
	return argument;
}

/* Stacks of a gigabyte, used for 400 MB. */
static int
do_huge_stacks(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)2 << 30);
	if (pthread_create(&thread, &attributes, descend_in_thread, NULL) != 0)
		return 2;
	pthread_join(thread, NULL);
	printf("%d\n", descend(1000));
	return 0;
}

static ucontext_t first, other;
static int small_burns;

static void
work_on_small_stack(void)
{
	call_leaf(1000);
	if (small_burns)
		burn(60);
}

/* Coroutines on stacks that have hardly any room; what is below them must stay as it is. */
static int
run_small(size_t bytes)
{
	char *room = mmap(NULL, 65536 + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                  -1, 0);
	volatile size_t touched = 0;

	for (int i = 0; i < 5; i++) {
		getcontext(&other);
		other.uc_stack.ss_sp = room + 65536;
		other.uc_stack.ss_size = bytes;
		other.uc_link = &first;
		makecontext(&other, work_on_small_stack, 0);
		swapcontext(&first, &other);
	}
	for (int i = 0; i < 65536; i++)
		touched += room[i] != 0;
	printf("%zu bytes below the stack\n", touched);
	return 0;
}

static int
do_small_stack(void)
{
	return run_small(4096);
}

static int
do_small_stack_sampled(void)
{
	small_burns = 1;
	return run_small((size_t)sysconf(_SC_MINSIGSTKSZ) + 6144);
}

int
main(int argc, char **argv)
{
	static const struct act acts[] = {{"vfork", do_vfork},
	                                  {"spawn", do_spawn},
	                                  {"exec", do_exec},
	                                  {"fork", do_fork},
	                                  {"copies", do_copies},
	                                  {"fork-in-handler", do_fork_in_handler},
	                                  {"reopened", do_reopened},
	                                  {"no-stderr", do_no_stderr},
	                                  {"few-descriptors", do_few_descriptors},
	                                  {"plain", do_nothing_special},
	                                  {"no-descriptors", do_no_descriptors},
	                                  {"plain-and-wait", do_wait_after},
	                                  {"replace", do_replace},
	                                  {"huge-stacks", do_huge_stacks},
	                                  {"small-stack", do_small_stack},
	                                  {"small-stack-sampled", do_small_stack_sampled},
	                                  {NULL, NULL}};

	return act(acts, argc, argv);
}

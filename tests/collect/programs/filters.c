/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that restrict their system calls.  Those of the collector that they do not make
 * themselves end them. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"

volatile unsigned long work_done;

KEPT void
leaf(void)
{
	work_done++;
}

/* What no signal may interrupt with a system call. */
static void
loop(void)
{
	for (long i = 0; i < 20000000; i++)
		work_done++;
}

static KEPT void *
work_restricted(void *argument)
{
	call_leaf(500);
	loop();
	return argument;
}

static void
work_before(void)
{
	burn(100);
	call_leaf(1000);
	printf("before\n");
	fflush(stdout);
}

static int
do_strict(void)
{
	work_before();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return 99;
	work_restricted(NULL);
	if (write(STDOUT_FILENO, "after\n", 6) != 6)
		return 1;
	syscall(SYS_exit, 7);
	return 1;
}

/* The program's own calls go on. */
static int
use_filter(unsigned action, int is_direct)
{
	static const int refused[] = {SYS_fallocate,    SYS_timer_create, SYS_timer_settime,
	                              SYS_timer_delete, SYS_open,         SYS_ioctl,
	                              SYS_nanosleep};
	enum { COUNT = sizeof refused / sizeof refused[0] };
	struct sock_filter rows[COUNT + 3] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	struct sock_fprog filter = {COUNT + 3, rows};
	pthread_t thread;
	int status = -1;
	pid_t child;

	for (int i = 0; i < COUNT; i++)
		rows[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		                                           (unsigned)refused[i],
		                                           (unsigned char)(COUNT - i), 0);
	rows[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	rows[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	work_before();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 99;
	if (is_direct ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)
	              : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return 99;
	work_restricted(NULL);
	if (pthread_create(&thread, NULL, work_restricted, NULL) != 0)
		return 2;
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0) {
		work_restricted(NULL);
		_exit(3);
	}
	waitpid(child, &status, 0);
	printf("after %x\n", status);
	return 7;
}

static int
do_kill(void)
{
	return use_filter(SECCOMP_RET_KILL_PROCESS, 0);
}

static int
do_kill_direct(void)
{
	return use_filter(SECCOMP_RET_KILL_PROCESS, 1);
}

static int
do_error(void)
{
	return use_filter(SECCOMP_RET_ERRNO | 38, 0);
}

/* The system refuses the filter, so that all goes on. */
static int
do_refused(void)
{
	static const struct sock_fprog filter = {0, NULL};

	work_before();
	printf("%d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	burn(100);
	work_restricted(NULL);
	return 7;
}

int
main(int argc, char **argv)
{
	static const struct act acts[] = {{"strict", do_strict},           {"kill", do_kill},
	                                  {"kill-direct", do_kill_direct}, {"error", do_error},
	                                  {"refused", do_refused},         {NULL, NULL}};

	return act(acts, argc, argv);
}

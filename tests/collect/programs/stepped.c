/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program, and from one address to another one instruction at a time: what the collector
 * measures there takes ten thousand times as long, as on a machine that has no time for it.
 *
 *     stepped FROM TO PROGRAM [ARGUMENT...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_TRACING = 77, CANNOT_RUN = 125 };

/* Waits until it stops. */
static int
has_stopped(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFSTOPPED(status);
}

/* Lets it run to an address. */
static int
run_to(pid_t child, unsigned long address)
{
	const long BYTE = 0xff, BREAK = 0xcc;
	struct user_regs_struct registers;
	long code = ptrace(PTRACE_PEEKTEXT, child, address, 0);

	if (ptrace(PTRACE_POKETEXT, child, address, (code & ~BYTE) | BREAK) < 0 ||
	    ptrace(PTRACE_CONT, child, 0, 0) < 0 || !has_stopped(child) ||
	    ptrace(PTRACE_GETREGS, child, 0, &registers) < 0)
		return 0;
	registers.rip = address;
	return ptrace(PTRACE_SETREGS, child, 0, &registers) == 0 &&
	       ptrace(PTRACE_POKETEXT, child, address, code) == 0;
}

static int
step_to(pid_t child, unsigned long address)
{
	struct user_regs_struct registers;

	do {
		if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) < 0 || !has_stopped(child) ||
		    ptrace(PTRACE_GETREGS, child, 0, &registers) < 0)
			return 0;
	} while (registers.rip != address);
	return 1;
}

int
main(int argc, char **argv)
{
	pid_t child;
	int status;

	if (argc < 4)
		return CANNOT_RUN;
	child = fork();
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
			_exit(NO_TRACING);
		execv(argv[3], argv + 3);
		_exit(CANNOT_RUN);
	}
	if (child < 0 || !has_stopped(child) || !run_to(child, strtoul(argv[1], NULL, 16)) ||
	    !step_to(child, strtoul(argv[2], NULL, 16)) || ptrace(PTRACE_DETACH, child, 0, 0) < 0) {
		fputs("stepped: the program cannot be traced\n", stderr);
		return NO_TRACING;
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

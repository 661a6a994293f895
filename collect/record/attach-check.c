/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which processes cannot be attached to, and why. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach.h"
#include "message.h"
#include "snapshot.h"
#include "system.h"

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#else
enum { MACHINE = EM_AARCH64 };
#endif

bool
attach_read_pid(const char *words, int *pid)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(words, &end, 10);
	if (end == words || *end != '\0' || errno != 0 || number <= 0 || number > INT_MAX) {
		message("error[attach.bad-pid]: expected the number of a process after --pid, such "
		        "as one that \"pgrep PROGRAM\" lists, found '%s'",
		        words);
		return false;
	}
	*pid = (int)number;
	return true;
}

static bool
refuse_missing(int pid)
{
	message("error[attach.no-process]: process %d does not run: name one that does, such as "
	        "those that \"pgrep PROGRAM\" lists",
	        pid);
	return false;
}

static bool
refuse_foreign(int pid)
{
	message("error[attach.other-user]: process %d belongs to another user, or runs with the "
	        "rights of one: do this as that user, or as root",
	        pid);
	return false;
}

/* What the system says of a process: its state, flags, and the process that a thread is of. */
struct status {
	char state;
	unsigned long flags;
	int process;
};

static bool
read_status(int pid, struct status *status)
{
	enum { STATE = 1, FLAGS = 7 }; /* words behind the name */
	static const char group[] = "\nTgid:";
	char name[64], text[4096];
	const char *at;

	*status = (struct status){.process = pid};
	snprintf(name, sizeof name, "/proc/%d/stat", pid);
	/* The name can have anything but the end of that line. */
	if (!system_read(name, text, sizeof text) || !(at = strrchr(text, ')')))
		return false;
	for (int i = 1; i <= FLAGS; i++) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
		if (i == STATE)
			status->state = *at;
	}
	status->flags = strtoul(at, NULL, 10);
	snprintf(name, sizeof name, "/proc/%d/status", pid);
	if (system_read(name, text, sizeof text) && (at = strstr(text, group)))
		status->process = (int)strtol(at + sizeof group - 1, NULL, 10);
	return true;
}

/* A program of another architecture has other registers, and other code. */
static bool
check_program(int pid)
{
	unsigned char header[sizeof(Elf64_Ehdr)];
	uint16_t machine = 0;
	char name[64];
	int descriptor;
	ssize_t got;

	snprintf(name, sizeof name, "/proc/%d/exe", pid);
	descriptor = open(name, O_RDONLY | O_CLOEXEC);
	/* Some can be executed, and not read. */
	if (descriptor < 0)
		return errno == EACCES && access(name, F_OK) != 0 ? refuse_foreign(pid) : true;
	got = read(descriptor, header, sizeof header);
	close(descriptor);
	if (got != (ssize_t)sizeof header)
		return true;
	memcpy(&machine, header + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
	if (header[EI_CLASS] == ELFCLASS64 && machine == MACHINE)
		return true;
	message("error[attach.other-machine]: process %d runs a program of another architecture "
	        "(%s, ELF machine %u): use a gprofx of that architecture",
	        pid, header[EI_CLASS] == ELFCLASS64 ? "64-bit" : "32-bit", machine);
	return false;
}

static bool
check_state(int pid)
{
	enum { KERNEL_THREAD = 0x00200000 };
	struct status status;

	if (!read_status(pid, &status))
		return kill(pid, 0) != 0 && errno == EPERM ? refuse_foreign(pid)
		                                           : refuse_missing(pid);
	if (status.flags & KERNEL_THREAD) {
		message("error[attach.kernel-thread]: process %d is a thread of the kernel, which "
		        "has no program: name another process",
		        pid);
		return false;
	}
	if (status.state == 'Z' || status.state == 'X') {
		message("error[attach.ended]: process %d has ended, though its parent has not waited "
		        "for it: name one that runs",
		        pid);
		return false;
	}
	if (status.process != pid) {
		message("error[attach.thread]: %d is a thread of process %d: attach to that, which "
		        "records all of its threads: --pid=%d",
		        pid, status.process, status.process);
		return false;
	}
	return true;
}

bool
attach_check(int pid)
{
	struct stat owner;
	char name[64];
	int file, error;

	if (pid == getpid()) {
		message("error[attach.itself]: process %d is gprofx record itself: name another one",
		        pid);
		return false;
	}
	if (!check_state(pid))
		return false;
	snprintf(name, sizeof name, "/proc/%d", pid);
	if (stat(name, &owner) != 0)
		return refuse_missing(pid);
	if (geteuid() != 0 && owner.st_uid != geteuid())
		return refuse_foreign(pid);
	if (!check_program(pid))
		return false;
	file = snapshot_find(pid, &error);
	if (file < 0 && (error == EACCES || error == EPERM))
		return refuse_foreign(pid);
	if (file < 0)
		return error == 0 ? true : refuse_missing(pid);
	close(file);
	message("error[attach.collected]: process %d already runs under the collector, which "
	        "records more: copy that with \"gprofx record --snapshot=%d\"",
	        pid, pid);
	return false;
}

void
attach_explain(int pid, int error, bool allows_others)
{
	enum { FOR_USERS = 2 };
	static const char other_way[] =
		"or start the program with \"gprofx record PROGRAM\", which "
		"needs none";
	long level = system_number("/proc/sys/kernel/perf_event_paranoid", FOR_USERS);

	if (error == EMFILE || error == ENFILE)
		message("error[attach.too-many-files]: process %d has more threads that there are "
		        "too few file descriptors, one for each thread and processor: allow more "
		        "with \"ulimit -n\"",
		        pid);
	else if (error != EACCES && error != EPERM && error != ENOSYS)
		message("error[attach.failed]: the system refuses performance events: %s; %s",
		        strerror(error), other_way);
	else if (allows_others)
		(void)refuse_foreign(pid);
	else if (level > FOR_USERS)
		message("error[attach.not-permitted]: the system does not allow performance events "
		        "(kernel.perf_event_paranoid is %ld): allow them with \"sysctl "
		        "kernel.perf_event_paranoid=2\", or by the capability CAP_PERFMON; %s",
		        level, other_way);
	else
		message("error[attach.not-permitted]: the system does not allow performance events, "
		        "as with a filter of system calls (seccomp) of a container: allow "
		        "perf_event_open there, or give the capability CAP_PERFMON; %s",
		        other_way);
}

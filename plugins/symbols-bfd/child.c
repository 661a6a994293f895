/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A child process for code that is not to be trusted with a hostile file: it can use so much time
 * and memory, and, where the system knows filters, makes no system calls but those for memory.
 */
#include "symbols-bfd.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <syscall.h>
#include <time.h>
#include <unistd.h>

#include <gprofx/symbols.h>

enum {
	LEAST_SECONDS = 10,
	BYTES_A_SECOND = 1 << 20, /* of a file */
	MEMORY_FREE = 256 << 20,
	MEMORY_TIMES = 64,              /* the length of the file */
	NAP_LONGEST = 10 * 1000 * 1000, /* nanoseconds */
	NAP_FIRST = 100 * 1000
};

/* The memory for data of this process, in bytes; 0: not known. */
static uint64_t
memory_in_use(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	char text[256];
	const char *at = "";

	if (!file)
		return 0;
	if (fgets(text, sizeof text, file))
		at = text;
	fclose(file);
	/* It is the sixth number. */
	for (int i = 1; i < 6; i++)
		at += strcspn(at, " ") + (at[strcspn(at, " ")] != '\0');
	return strtoull(at, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The same, or less if that is too much. */
static struct rlimit
lowered(struct rlimit values, uint64_t most)
{
	if (values.rlim_max == RLIM_INFINITY || most < values.rlim_max)
		values.rlim_max = most;
	values.rlim_cur = values.rlim_max;
	return values;
}

/* The type of its first argument is not the same everywhere. */
#define LIMIT(what, most)                                 \
	do {                                              \
		struct rlimit values;                     \
		if (getrlimit((what), &values) == 0) {    \
			values = lowered(values, (most)); \
			(void)setrlimit((what), &values); \
		}                                         \
	} while (0)

#define ALLOW(number)                                        \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Numbers of calls are those of one machine: a process can make calls of another one, too. */
#if defined __x86_64__
#define OWN_MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define OWN_MACHINE AUDIT_ARCH_AARCH64
#elif defined __i386__
#define OWN_MACHINE AUDIT_ARCH_I386
#elif defined __riscv && __riscv_xlen == 64
#define OWN_MACHINE AUDIT_ARCH_RISCV64
#elif defined __s390x__
#define OWN_MACHINE AUDIT_ARCH_S390X
#elif defined __powerpc64__ && defined __LITTLE_ENDIAN__
#define OWN_MACHINE AUDIT_ARCH_PPC64LE
#endif

/* All other calls fail, as if the child had no right to them. */
static void
filter_calls(void)
{
#ifdef OWN_MACHINE
	static const struct sock_filter rows[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_MACHINE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(__NR_brk),
		ALLOW(__NR_mmap),
		ALLOW(__NR_munmap),
		ALLOW(__NR_mremap),
		ALLOW(__NR_madvise),
		ALLOW(__NR_futex),
		ALLOW(__NR_exit_group),
		ALLOW(__NR_rt_sigreturn),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	const struct sock_fprog program = {sizeof rows / sizeof rows[0],
	                                   (struct sock_filter *)(uintptr_t)rows};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		(void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

static void
live(const struct symbfd_kind *kind, const struct gprofx_image *image, struct symbfd_table *table,
     uint64_t in_use)
{
	static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU};

	/* The program's own handlers would report a crash that is not its own. */
	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		(void)signal(fatal[i], SIG_DFL);
	LIMIT(RLIMIT_CORE, 0);
	LIMIT(RLIMIT_CPU, LEAST_SECONDS + image->length / BYTES_A_SECOND);
	if (in_use > 0)
		LIMIT(RLIMIT_DATA, in_use + MEMORY_FREE + MEMORY_TIMES * image->length);
	filter_calls();
	symbfd_look(kind, image, table);
	_exit(0);
}

/* Waits for a child and ends it when it takes too long; false: it did. */
static bool
wait_for(pid_t child, uint64_t seconds, int *status)
{
	struct timespec start, now, nap = {.tv_nsec = NAP_FIRST};

	clock_gettime(CLOCK_MONOTONIC, &start);
	*status = 0;
	for (;;) {
		pid_t ended = waitpid(child, status, WNOHANG);

		/* Where children are not waited for, there is nothing to be known of them. */
		if (ended == child || (ended < 0 && errno != EINTR))
			return true;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if ((uint64_t)(now.tv_sec - start.tv_sec) > seconds)
			break;
		nanosleep(&nap, NULL);
		nap.tv_nsec = nap.tv_nsec < NAP_LONGEST / 2 ? nap.tv_nsec * 2 : NAP_LONGEST;
	}
	kill(child, SIGKILL);
	while (waitpid(child, status, 0) < 0 && errno == EINTR)
		;
	return false;
}

enum symbfd_end
symbfd_run(const struct symbfd_kind *kind, const struct gprofx_image *image,
           struct symbfd_table *table, int *detail)
{
	uint64_t in_use = memory_in_use();
	uint64_t seconds = 6 * (LEAST_SECONDS + image->length / BYTES_A_SECOND);
	sigset_t all, before;
	pid_t child;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	child = fork();
	if (child == 0)
		live(kind, image, table, in_use);
	*detail = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		return SYMBFD_NO_CHILD;
	if (!wait_for(child, seconds, &status))
		return SYMBFD_TOO_LONG;
	if (WIFSIGNALED(status)) {
		*detail = WTERMSIG(status);
		return *detail == SIGXCPU || *detail == SIGKILL ? SYMBFD_TOO_LONG : SYMBFD_CRASHED;
	}
	return SYMBFD_ENDED;
}

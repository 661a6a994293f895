/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Programs that have the system end them for system calls that they do not need (seccomp) would be
 * ended for ours.  Before such a filter is in force, it is run on the calls of the collector; if it
 * ends the process for one of them, the collector makes none any more.  In the shared library only.
 */
#include "collect.h"

#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sys.h"
#include "wrap.h"

/* A filter under way. */
struct machine {
	uint32_t a, x, memory[BPF_MEMWORDS];
	uint32_t call;
};

/* What a filter loads of a call; false: its arguments, which differ. */
static bool
load(const struct machine *machine, uint32_t offset, uint32_t *to)
{
	if (offset == offsetof(struct seccomp_data, nr))
		*to = machine->call;
	else if (offset == offsetof(struct seccomp_data, arch))
		*to = MACHINE_AUDIT;
	else
		return false;
	return true;
}

static uint32_t
compute(uint32_t code, uint32_t a, uint32_t b)
{
	switch (BPF_OP(code)) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b != 0 ? a / b : 0;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return b < 32 ? a << b : 0;
	case BPF_RSH:
		return b < 32 ? a >> b : 0;
	default: /* BPF_NEG */
		return -a;
	}
}

static bool
compare(uint32_t code, uint32_t a, uint32_t b)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return a == b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	default: /* BPF_JSET */
		return (a & b) != 0;
	}
}

/* Does what an instruction that neither jumps nor returns says; false: it cannot be known. */
static bool
step(struct machine *machine, const struct sock_filter *row)
{
	uint32_t *to = BPF_CLASS(row->code) == BPF_LD ? &machine->a : &machine->x;

	switch (BPF_CLASS(row->code)) {
	case BPF_LD:
	case BPF_LDX:
		if (BPF_MODE(row->code) == BPF_IMM)
			*to = row->k;
		else if (BPF_MODE(row->code) == BPF_MEM && row->k < BPF_MEMWORDS)
			*to = machine->memory[row->k];
		else if (BPF_MODE(row->code) == BPF_LEN)
			*to = sizeof(struct seccomp_data);
		else
			return BPF_MODE(row->code) == BPF_ABS && load(machine, row->k, to);
		return true;
	case BPF_ST:
	case BPF_STX:
		if (row->k >= BPF_MEMWORDS)
			return false;
		machine->memory[row->k] = BPF_CLASS(row->code) == BPF_ST ? machine->a : machine->x;
		return true;
	case BPF_ALU:
		machine->a = compute(row->code, machine->a,
		                     BPF_SRC(row->code) == BPF_X ? machine->x : row->k);
		return true;
	default: /* BPF_MISC */
		if (BPF_MISCOP(row->code) == BPF_TAX)
			machine->x = machine->a;
		else
			machine->a = machine->x;
		return true;
	}
}

/* Whether a filter leaves alive who makes a call, whatever its arguments are. */
static bool
spares(const struct sock_fprog *filter, uint32_t call)
{
	struct machine machine = {.call = call};

	for (uint32_t i = 0; i < filter->len; i++) {
		const struct sock_filter *row = &filter->filter[i];
		uint32_t other = BPF_SRC(row->code) == BPF_X ? machine.x : row->k, action;

		if (BPF_CLASS(row->code) == BPF_RET) {
			action = BPF_RVAL(row->code) == BPF_A ? machine.a : row->k;
			action &= SECCOMP_RET_ACTION_FULL;
			return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_ERRNO ||
			       action == SECCOMP_RET_LOG;
		}
		if (BPF_CLASS(row->code) != BPF_JMP) {
			if (!step(&machine, row))
				return false;
		} else if (BPF_OP(row->code) == BPF_JA) {
			i += row->k < filter->len ? row->k : filter->len;
		} else {
			i += compare(row->code, machine.a, other) ? row->jt : row->jf;
		}
	}
	return false;
}

static bool
spares_all(const struct sock_fprog *filter, const uint16_t *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!spares(filter, calls[i]))
			return false;
	return true;
}

static bool
spares_collector(const struct sock_fprog *filter)
{
	static const uint16_t ours[] = {
		SYS_read,           SYS_write,        SYS_openat,          SYS_close,
		SYS_fstat,          SYS_mmap,         SYS_munmap,          SYS_rt_sigaction,
		SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_ioctl,           SYS_pread64,
		SYS_pwrite64,       SYS_sched_yield,  SYS_madvise,         SYS_nanosleep,
		SYS_getpid,         SYS_gettid,       SYS_getppid,         SYS_fcntl,
		SYS_getrlimit,      SYS_prctl,        SYS_tgkill,          SYS_timer_create,
		SYS_timer_settime,  SYS_timer_delete, SYS_clock_gettime,   SYS_fallocate,
		SYS_uname,          SYS_unlinkat,     SYS_perf_event_open,
	};
	/* Of the thread that looks at others. */
	static const uint16_t of_waits[] = {
		SYS_futex, SYS_process_vm_readv, SYS_exit, SYS_newfstatat, SYS_close_range,
	};

	if (!filter || !spares_all(filter, ours, sizeof ours / sizeof ours[0]))
		return false;
	return collect.settings.clock != GXC_CLOCK_WALL ||
	       spares_all(filter, of_waits, sizeof of_waits / sizeof of_waits[0]);
}

/* Before the program gives itself a filter, or NULL: the strictest one. */
static bool
before_filter(const struct sock_fprog *filter)
{
	if (collect.begun != 2 || collect.is_off || collect.is_quiet || spares_collector(filter))
		return false;
	collect_become_quiet();
	return true;
}

static long
after_filter(long result, bool is_quiet_for_it)
{
	if (is_quiet_for_it && result != 0)
		collect_speak_again();
	return result;
}

EXPORTED int
prctl(int option, ...)
{
	unsigned long words[4];
	bool is_quiet = false;
	va_list list;

	va_start(list, option);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		words[i] = va_arg(list, unsigned long);
	va_end(list);
	wrapped_look_up();
	if (option == PR_SET_SECCOMP)
		is_quiet = before_filter(words[0] == SECCOMP_MODE_FILTER
		                                 ? (const struct sock_fprog *)words[1]
		                                 : NULL);
	return (int)after_filter(wrapped.prctl(option, words[0], words[1], words[2], words[3]),
	                         is_quiet);
}

EXPORTED long
syscall(long number, ...)
{
	unsigned long words[6];
	bool is_quiet = false;
	va_list list;

	va_start(list, number);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		words[i] = va_arg(list, unsigned long);
	va_end(list);
	wrapped_look_up();
	if (number == SYS_seccomp && words[0] <= SECCOMP_SET_MODE_FILTER)
		is_quiet = before_filter(words[0] == SECCOMP_SET_MODE_FILTER
		                                 ? (const struct sock_fprog *)words[2]
		                                 : NULL);
	return after_filter(
		wrapped.syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]),
		is_quiet);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The system's calls without the C library: what runs inside a call of mcount, in a signal handler
 * or in a child of fork must not touch errno, take a lock or allocate memory.  Results below 0 are
 * negative numbers of errors.
 *
 * And what else differs between processors: the registers of what a signal interrupted, and
 * counting in a way that a signal handler of the same thread cannot disturb.  What functions and
 * basic blocks call is in entry-*.S and block-*.S.
 */
#ifndef COLLECT_SYS_H
#define COLLECT_SYS_H

#include <linux/audit.h>
#include <linux/elf-em.h>
#include <stdint.h>
#include <ucontext.h>
/* IWYU pragma: begin_exports */
#include <syscall.h>
#include <time.h>
/* IWYU pragma: end_exports */

#ifdef __clang_analyzer__
/* It does not know that the system writes to memory. */
long sys_call(long number, long a, long b, long c, long d, long e, long f);
#endif

#if defined __x86_64__

enum {
	MACHINE_ELF = EM_X86_64,
	/* Unwind information of the C library is right at every instruction. */
	MACHINE_HAS_EXACT_CFI = 1,
	MACHINE_HAS_WAITS = 1 /* clock=wall */
};
#define MACHINE_AUDIT AUDIT_ARCH_X86_64

#ifndef __clang_analyzer__
static inline long
sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}
#endif

static inline uint64_t
machine_pc(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

static inline uint64_t
machine_sp(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
}

/* The frame pointer. */
static inline uint64_t
machine_frame(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RBP];
}

static inline void
machine_increment(uint64_t *count)
{
	__asm__ volatile("incq %0" : "+m"(*count));
}

/* A return address as it is. */
static inline uint64_t
machine_plain(uint64_t address)
{
	return address;
}

/* A counter of the processor. */
static inline uint64_t
machine_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* Whether its rate never changes, and it can be read. */
static inline int
machine_has_ticks(void)
{
	enum { GET_TSC = 25, ENABLED = 1, EXTENDED = 0x80000000u, POWER = 7, INVARIANT = 1 << 8 };
	uint32_t eax = EXTENDED, ebx, ecx = 0, edx;
	int state = 0;

	if (sys_call(SYS_prctl, GET_TSC, (long)&state, 0, 0, 0, 0) < 0 || state != ENABLED)
		return 0;
	__asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
	if (eax < EXTENDED + POWER)
		return 0;
	eax = EXTENDED + POWER;
	__asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
	return (edx & INVARIANT) != 0;
}

#elif defined __aarch64__

enum {
	MACHINE_ELF = EM_AARCH64,
	/* glibc's is not where the dynamic linker looks up functions: the unwinder would read
	 * where nothing is.  But all code has frame pointers. */
	MACHINE_HAS_EXACT_CFI = 0,
	MACHINE_HAS_WAITS = 0
};
#define MACHINE_AUDIT AUDIT_ARCH_AARCH64

#ifndef __clang_analyzer__
static inline long
sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
	                 : "+r"(x0)
	                 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
	                 : "memory");
	return x0;
}
#endif

static inline uint64_t
machine_pc(const ucontext_t *context)
{
	return context->uc_mcontext.pc;
}

static inline uint64_t
machine_sp(const ucontext_t *context)
{
	return context->uc_mcontext.sp;
}

static inline uint64_t
machine_frame(const ucontext_t *context)
{
	return context->uc_mcontext.regs[29];
}

/* A signal between the two instructions makes the second one fail. */
static inline void
machine_increment(uint64_t *count)
{
	uint64_t value;
	uint32_t has_failed;

	__asm__ volatile("1: ldxr %0, %2\n"
	                 "add %0, %0, 1\n"
	                 "stxr %w1, %0, %2\n"
	                 "cbnz %w1, 1b\n"
	                 : "=&r"(value), "=&r"(has_failed), "+Q"(*count));
}

/* Return addresses on the stack can be signed: xpaclri, which older processors do not know as one.
 */
static inline uint64_t
machine_plain(uint64_t address)
{
	register uint64_t x30 __asm__("x30") = address;

	__asm__("hint 7" : "+r"(x30));
	return x30;
}

/* The counter of the system's timer: its rate never changes. */
static inline uint64_t
machine_ticks(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

static inline int
machine_has_ticks(void)
{
	return 1;
}

#else
#error "the collector does not know this processor"
#endif

#define SYS0(name) sys_call(SYS_##name, 0, 0, 0, 0, 0, 0)
#define SYS1(name, a) sys_call(SYS_##name, (long)(a), 0, 0, 0, 0, 0)
#define SYS2(name, a, b) sys_call(SYS_##name, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYS3(name, a, b, c) sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS4(name, a, b, c, d) \
	sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define SYS5(name, a, b, c, d, e) \
	sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define SYS6(name, a, b, c, d, e, f) \
	sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* Whether a result of mmap is an address. */
static inline int
sys_is_address(long result)
{
	return result < -4095 || result > 0;
}

/* Nanoseconds of a clock; 0 if the system has no such clock. */
static inline uint64_t
sys_nanoseconds(long clock)
{
	struct timespec now;

	if (SYS2(clock_gettime, clock, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The clock of the processor time of a thread. */
static inline int
sys_thread_clock(int tid)
{
	enum { PER_THREAD = 4, SCHEDULER = 2 };

	return (int)((~(unsigned)tid << 3) | PER_THREAD | SCHEDULER);
}

#endif

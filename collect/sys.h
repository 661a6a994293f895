/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The system's calls without the C library: what runs inside a call of mcount, in a signal handler
 * or in a child of fork must not touch errno, take a lock or allocate memory.  Results below 0 are
 * negative numbers of errors.
 */
#ifndef COLLECT_SYS_H
#define COLLECT_SYS_H

#include <stdint.h>
/* IWYU pragma: begin_exports */
#include <syscall.h>
#include <time.h>
/* IWYU pragma: end_exports */

#ifdef __clang_analyzer__
/* It does not know that the system writes to memory. */
long sys_call(long number, long a, long b, long c, long d, long e, long f);
#else
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

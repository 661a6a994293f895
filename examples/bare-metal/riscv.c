/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RISC-V, 32 bits: mcount, which every function compiled with -pg calls at its start, and, for the
 * demonstration, the start, the timer and the serial port of QEMU's machine "virt".
 */
#include "board.h"
#include "profile.h"

/* gcc passes where the function will return to, and keeps arguments elsewhere itself. */
__attribute__((used)) void _mcount(uintptr_t from);

void
_mcount(uintptr_t from)
{
	profile_count(from, (uintptr_t)__builtin_return_address(0));
}

enum { INTERRUPTS_ON = 8 };

uintptr_t
profile_disable(void)
{
	uintptr_t before;

	__asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
	return before & INTERRUPTS_ON;
}

void
profile_enable(uintptr_t before)
{
	__asm__ volatile("csrs mstatus, %0" : : "r"(before) : "memory");
}

/* The demonstration's board. */

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define TIMER_COMPARE 0x2004000
#define TIMER_NOW 0x200bff8
#define UART 0x10000000
#define POWER REGISTER(0x100000)

enum { CLOCK = 10000000, UART_EMPTY = 0x20 };

static uint64_t next_tick;

static void
set_timer(uint64_t time)
{
	/* Never too early in between. */
	REGISTER(TIMER_COMPARE + 4) = UINT32_MAX;
	REGISTER(TIMER_COMPARE) = (uint32_t)time;
	REGISTER(TIMER_COMPARE + 4) = (uint32_t)(time >> 32);
}

static uint64_t
now(void)
{
	uint32_t high, low;

	do {
		high = REGISTER(TIMER_NOW + 4);
		low = REGISTER(TIMER_NOW);
	} while (high != REGISTER(TIMER_NOW + 4));
	return (uint64_t)high << 32 | low;
}

__attribute__((interrupt("machine"), aligned(4))) static void
trap(void)
{
	uintptr_t cause, pc;

	__asm__ volatile("csrr %0, mcause\n csrr %1, mepc" : "=r"(cause), "=r"(pc));
	/* Only the timer is enabled; what else comes here is a fault. */
	if (cause != (UINT32_C(1) << 31 | 7))
		for (;;)
			;
	next_tick += CLOCK / BOARD_RATE;
	set_timer(next_tick);
	profile_sample(pc);
	on_tick();
}

void
board_start_timer(void)
{
	next_tick = now() + CLOCK / BOARD_RATE;
	set_timer(next_tick);
	__asm__ volatile("csrw mtvec, %0\n csrs mie, %1\n csrsi mstatus, 8"
	                 :
	                 : "r"(trap), "r"(1 << 7));
}

void
board_put(uint8_t byte)
{
	while (!(*(volatile uint8_t *)(UART + 5) & UART_EMPTY))
		;
	*(volatile uint8_t *)UART = byte;
}

void
board_exit(void)
{
	for (;;)
		POWER = 0x5555;
}

void start(void);

__attribute__((naked, section(".start"))) void
start(void)
{
	__asm__(".option push\n"
	        ".option norelax\n"
	        "la gp, __global_pointer$\n"
	        ".option pop\n"
	        "la sp, board_stack\n"
	        "la t0, board_bss\n"
	        "la t1, board_bss_end\n"
	        "1: bgeu t0, t1, 2f\n"
	        "sw zero, 0(t0)\n"
	        "addi t0, t0, 4\n"
	        "j 1b\n"
	        "2: call main\n"
	        "call board_exit\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cortex-M: mcount, which every function compiled with -pg calls first, and, for the demonstration,
 * the start, the timer SysTick and the serial port of the board MPS2 AN385.
 */
#include "board.h"
#include "profile.h"

/*
 * gcc puts "push {lr}; bl __gnu_mcount_nc" in front of a function.  So lr is an address in it,
 * where its caller is, is on the stack, and arguments are in r0 to r3.  lr has to get the word from
 * the stack back.  With that word, six more and one to fill up, the stack is aligned to 8 bytes, as
 * C wants it.
 */
__attribute__((naked)) void __gnu_mcount_nc(void);

__attribute__((naked)) void
__gnu_mcount_nc(void)
{
	__asm__("push {r0, r1, r2, r3, r12, lr}\n"
	        "sub sp, sp, #4\n"
	        "ldr r0, [sp, #28]\n"
	        "mov r1, lr\n"
	        "bic r0, r0, #1\n" /* without the bit that says that this is Thumb code */
	        "bic r1, r1, #1\n"
	        "bl profile_count\n"
	        "add sp, sp, #4\n"
	        "pop {r0, r1, r2, r3, r12, lr}\n"
	        "mov r12, lr\n"
	        "pop {lr}\n"
	        "bx r12\n");
}

uintptr_t
profile_disable(void)
{
	uintptr_t before;

	__asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(before) : : "memory");
	return before;
}

void
profile_enable(uintptr_t before)
{
	__asm__ volatile("msr primask, %0" : : "r"(before) : "memory");
}

/* The demonstration's board. */

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK_CONTROL REGISTER(0xe000e010)
#define SYSTICK_RELOAD REGISTER(0xe000e014)
#define SYSTICK_VALUE REGISTER(0xe000e018)
#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_DIVIDER REGISTER(0x40004010)

enum { CLOCK = 25000000, UART_FULL = 1 };

extern uint32_t board_data[], board_data_end[], board_bss[], board_bss_end[], board_stack[];
extern const uint32_t board_data_source[];

__attribute__((used)) void board_tick(uintptr_t pc);

void
board_tick(uintptr_t pc)
{
	profile_sample(pc);
	on_tick();
	/* Not as a jump: this function is the caller, not the processor. */
	__asm__ volatile("");
}

/* The processor has put what it interrupted on the stack that was in use: pc is word 6. */
__attribute__((naked)) static void
systick(void)
{
	__asm__("tst lr, #4\n"
	        "ite eq\n"
	        "mrseq r0, msp\n"
	        "mrsne r0, psp\n"
	        "ldr r0, [r0, #24]\n"
	        "b board_tick\n");
}

static void
reset(void)
{
	const uint32_t *from = board_data_source;

	for (uint32_t *to = board_data; to < board_data_end; to++)
		*to = *from++;
	for (uint32_t *to = board_bss; to < board_bss_end; to++)
		*to = 0;
	UART_DIVIDER = 16;
	UART_CONTROL = 1;
	(void)main();
	board_exit();
}

static void
fail(void)
{
	for (;;)
		;
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	board_stack,
	(void *)reset,
	(void *)fail,
	(void *)fail,
	(void *)fail,
	(void *)fail,
	(void *)fail,
	0,
	0,
	0,
	0,
	(void *)fail,
	0,
	0,
	(void *)fail,
	(void *)systick,
};

void
board_start_timer(void)
{
	SYSTICK_RELOAD = CLOCK / BOARD_RATE - 1;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = 7;
}

void
board_put(uint8_t byte)
{
	while (UART_STATE & UART_FULL)
		;
	UART_DATA = byte;
}

/* By semihosting: the emulator ends. */
void
board_exit(void)
{
	register uint32_t operation __asm__("r0") = 0x18, reason __asm__("r1") = 0x20026;

	for (;;)
		__asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(reason) : "memory");
}

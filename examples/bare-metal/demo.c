/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program without an operating system, whose calls are known: it is compiled with -pg.  At the
 * end it writes its profile to the serial port, as lines of hexadecimal digits between two lines of
 * words.
 */
#include "board.h"
#include "profile.h"

enum { ROUNDS = 1000, PER_LINE = 32, FIBONACCI = 15 };

/* A function of its own at all levels of optimization. */
#define KEEP __attribute__((noipa))

static volatile uint32_t ticks;
static uint32_t in_line;

/* Called in interrupts, whatever the program does. */
KEEP static void
note_tick(void)
{
	ticks++;
}

void
on_tick(void)
{
	note_tick();
}

KEEP static uint32_t
fibonacci(uint32_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Arguments and results have to survive the counting. */
KEEP static uint32_t
mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	for (int i = 0; i < 40; i++)
		a = a * 31 + (b ^ c) + (d << 1);
	return a;
}

KEEP static uint32_t
add(uint32_t a, uint32_t b)
{
	return a + b;
}

KEEP static uint32_t
subtract(uint32_t a, uint32_t b)
{
	return a - b;
}

KEEP static uint32_t
work(void)
{
	static uint32_t (*const operations[])(uint32_t, uint32_t) = {add, subtract, add, add};
	uint32_t sum = 0;

	for (uint32_t i = 0; i < ROUNDS; i++)
		sum = operations[i & 3](sum, mix(i, 2, 3, 4));
	return sum;
}

static void
put_text(const char *text)
{
	while (*text)
		board_put((uint8_t)*text++);
}

static void
put_hex(uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	board_put((uint8_t)digits[byte >> 4]);
	board_put((uint8_t)digits[byte & 15]);
	if (++in_line % PER_LINE == 0)
		board_put('\n');
}

static void
put_number(const char *name, uint32_t number)
{
	put_text(name);
	in_line = 0;
	for (int shift = 24; shift >= 0; shift -= 8)
		put_hex((uint8_t)(number >> shift));
	put_text("\n");
}

int
main(void)
{
	uint32_t lost, result, rest = 0;

	profile_start((uintptr_t)board_text_start, (uintptr_t)board_text_end, BOARD_RATE);
	board_start_timer();
	result = work();
	result += fibonacci(FIBONACCI);
	/* Until there are enough samples. */
	while (ticks < 200)
		rest = mix(rest, 1, 2, 3);
	profile_stop();

	put_text("profile begins\n");
	lost = profile_dump(put_hex);
	put_text("\nprofile ends\n");
	put_number("lost ", lost);
	put_number("result ", result);
	return 0;
}

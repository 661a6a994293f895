/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vsnprintf() for capstone, which prints each instruction that it decodes: for the few conversions
 * that it has instructions printed with, in a fraction of the time.
 */
#ifndef TESTS_UNIT_QUICK_PRINT_H
#define TESTS_UNIT_QUICK_PRINT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <capstone/capstone.h>

/* Characters that are printed, of which only those before "room" are kept. */
struct quick_print {
	char *to;
	size_t room, length;
};

static inline void
quick_put(struct quick_print *print, char character)
{
	if (print->length + 1 < print->room)
		print->to[print->length] = character;
	print->length++;
}

static inline void
quick_put_number(struct quick_print *print, uint64_t number, unsigned base)
{
	char digits[20];
	unsigned count = 0;

	do {
		digits[count++] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number != 0);
	while (count > 0)
		quick_put(print, digits[--count]);
}

/* As vsnprintf(), for %s, %c, %d, %u, %x and %%, with "l" and "ll"; vsnprintf() does all else. */
static int
quick_vsnprintf(char *to, size_t room, const char *format, va_list arguments)
{
	struct quick_print print = {to, room, 0};
	const char *at = format;
	va_list again;

	va_copy(again, arguments);
	for (; *at != '\0'; at++) {
		bool is_long = false;
		int64_t number;

		if (*at != '%') {
			quick_put(&print, *at);
			continue;
		}
		while (*++at == 'l')
			is_long = true;
		switch (*at) {
		case '%':
			quick_put(&print, '%');
			break;
		case 'c':
			quick_put(&print, (char)va_arg(arguments, int));
			break;
		case 's':
			for (const char *text = va_arg(arguments, const char *); *text; text++)
				quick_put(&print, *text);
			break;
		case 'd':
			number = is_long ? va_arg(arguments, long) : va_arg(arguments, int);
			if (number < 0)
				quick_put(&print, '-');
			quick_put_number(&print,
			                 number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
			break;
		case 'u':
		case 'x':
			quick_put_number(&print,
			                 is_long ? va_arg(arguments, unsigned long)
			                         : va_arg(arguments, unsigned),
			                 *at == 'u' ? 10 : 16);
			break;
		default:
			print.length = (size_t)vsnprintf(to, room, format, again);
			va_end(again);
			return (int)print.length;
		}
	}
	va_end(again);
	if (room > 0)
		to[print.length < room ? print.length : room - 1] = '\0';
	return (int)print.length;
}

/* Has capstone print with it, in all handles that are opened from now on. */
static inline void
quick_print_begin(void)
{
	cs_opt_mem with = {malloc, calloc, realloc, free, quick_vsnprintf};

	assert_int_equal(cs_option(0, CS_OPT_MEM, (size_t)&with), CS_ERR_OK);
}

static int
quick_print_either(bool quick, char *to, size_t room, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = (quick ? quick_vsnprintf : vsnprintf)(to, room, format, arguments);
	va_end(arguments);
	return length;
}

/* A test: the same is printed, however little room there is. */
static void
quick_print_agrees(void **state)
{
	static const int64_t numbers[] = {0, 9, 10, -1, 0xabcdef, INT32_MIN, INT64_MIN, INT64_MAX};

	(void)state;
	for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		for (size_t room = 0; room <= 128; room += room < 8 ? 1 : 60)
			for (uint32_t k = 0; k < 3; k++) {
				static const char *const formats[] = {
					"%s, #-0x%lx%d%c", "%%%s%lld[%u]0x%x", "%s%5ld%08x%u"};
				char texts[2][128];
				int lengths[2];

				memset(texts, 'z', sizeof texts);
				for (uint32_t quick = 0; quick < 2; quick++)
					lengths[quick] = quick_print_either(
						quick, texts[quick], room, formats[k], "r0",
						(long)numbers[i], (int)numbers[i], (int)i + 'a');
				assert_int_equal(lengths[0], lengths[1]);
				assert_memory_equal(texts[0], texts[1], sizeof texts[0]);
			}
}

#endif

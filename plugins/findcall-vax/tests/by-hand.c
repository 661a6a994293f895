/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that was encoded by hand, after the VAX Architecture Reference Manual: its chapters 2, on
 * formats of instructions and addressing modes, and 3, on the instructions.
 */
#include "findcall-vax.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ADDRESS = 0x1000, MOST = 8 };

struct expected {
	uint32_t at; /* offset of the instruction */
	uint64_t to;
	enum gprofx_call_kind kind;
};

struct found {
	struct gprofx_calls public; /* first */
	struct gprofx_found_call rows[MOST];
	uint32_t count;
};

/* Functions are at all multiples of 256. */
static bool
begins_here(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return address % 256 == 0;
}

static void
keep(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct found *found = (struct found *)public;

	for (uint32_t i = 0; i < count && found->count < MOST; i++)
		found->rows[found->count++] = rows[i];
}

static void
check(const uint8_t *bytes, size_t count, const struct expected *expected, uint32_t expected_count)
{
	static struct gprofx_scan_options options = {.tail_calls = true};
	static const struct gprofx_entries entries = {.begins = begins_here};
	static const struct gprofx_target target = {.size = sizeof target,
	                                            .machine = 75,
	                                            .pointer_bytes = 4};
	static const struct gprofx_scanned_image image = {.size = sizeof image, .target = &target};
	struct found found = {.public.add = keep};
	uint8_t *copy = malloc(count);
	const struct gprofx_code code = {.size = sizeof code,
	                                 .bytes = copy,
	                                 .byte_count = count,
	                                 .readable = count,
	                                 .address = ADDRESS,
	                                 .image = &image,
	                                 .entries = &entries};

	assert_non_null(copy);
	memcpy(copy, bytes, count);
	findcall.scan(&options, &code, &found.public);
	free(copy);
	assert_int_equal(found.count, expected_count);
	for (uint32_t i = 0; i < expected_count; i++) {
		assert_int_equal(found.rows[i].from, ADDRESS + expected[i].at);
		assert_int_equal(found.rows[i].to, expected[i].to);
		assert_int_equal(found.rows[i].kind, expected[i].kind);
	}
}

#define CHECK(bytes, ...)                                                             \
	do {                                                                          \
		const struct expected wanted[] = {__VA_ARGS__};                       \
		check(bytes, sizeof bytes, wanted, sizeof wanted / sizeof wanted[0]); \
	} while (0)

/* Chapter 3, procedure calls; chapter 2, modes with the program counter. */
static void
procedures_are_called(void **state)
{
	static const uint8_t code[] = {
		0xfc, 0x0f,                                           /* 00 .word ^m<r2,...,r11> */
		0xfb, 0x00, 0xef, 0xf7, 0x0f, 0x00, 0x00,             /* 02 calls #0, l^2000 */
		0xfb, 0x3f, 0xcf, 0xf2, 0x01,                         /* 09 calls #63, w^1200 */
		0xfb, 0x52, 0xaf, 0xee,                               /* 0e calls r2, b^1000 */
		0xfa, 0x6c, 0x9f, 0x00, 0x30, 0x00, 0x00,             /* 12 callg (ap), @#3000 */
		0xfa, 0x9f, 0x00, 0x40, 0x00, 0x00, 0xcf, 0xde, 0x00, /* 19 callg @#4000, w^1100 */
		0x04,                                                 /* 22 ret */
	};

	(void)state;
	CHECK(code, {0x02, 0x2000, GPROFX_CALL_DIRECT}, {0x09, 0x1200, GPROFX_CALL_DIRECT},
	      {0x0e, 0x1000, GPROFX_CALL_DIRECT}, {0x12, 0x3000, GPROFX_CALL_DIRECT},
	      {0x19, 0x1100, GPROFX_CALL_DIRECT});
}

/* Chapter 3, control, calls of subroutines: without a mask, there and here. */
static void
subroutines_are_called(void **state)
{
	static const uint8_t code[] = {
		0x16, 0xef, 0xfa, 0x00, 0x00, 0x00, /* 00 jsb l^1100 */
		0x30, 0xf7, 0x01,                   /* 06 bsbw 1200 */
		0x10, 0xf5,                         /* 09 bsbb 1000 */
		0x16, 0x9f, 0x00, 0x20, 0x00, 0x00, /* 0b jsb @#2000 */
		0x05,                               /* 11 rsb */
	};

	(void)state;
	CHECK(code, {0x00, 0x1100, GPROFX_CALL_DIRECT}, {0x06, 0x1200, GPROFX_CALL_DIRECT},
	      {0x09, 0x1000, GPROFX_CALL_DIRECT}, {0x0b, 0x2000, GPROFX_CALL_DIRECT});
}

/* Two bytes that could be a mask are none where what is behind them is no code. */
static void
an_instruction_is_no_mask(void **state)
{
	static const uint8_t code[] = {
		0xc0, 0x8f, 0x57, 0x57, 0x57, 0x57, 0x50, /* 00 addl2 #57575757, r0 */
		0xfb, 0x00, 0xef, 0xf2, 0x0f, 0x00, 0x00, /* 07 calls #0, l^2000 */
		0x05,                                     /* 0e rsb */
	};

	(void)state;
	CHECK(code, {0x07, 0x2000, GPROFX_CALL_DIRECT});
}

/* Chapter 3, control, jumps and branches; those to procedures lead behind the mask. */
static void
jumps_are_tail_calls(void **state)
{
	static const uint8_t code[] = {
		0x00, 0x00,                         /* 00 .word ^m<> */
		0x17, 0xef, 0xfa, 0x0f, 0x00, 0x00, /* 02 jmp l^2002 */
		0x31, 0xf5, 0x00,                   /* 08 brw 1100 */
		0x11, 0xf3,                         /* 0b brb 1000 */
		0x13, 0xf3,                         /* 0d beql 1002 */
		0x17, 0x9f, 0x00, 0x30, 0x00, 0x00, /* 0f jmp @#3000 */
		0x17, 0x60,                         /* 15 jmp (r0) */
		0x17, 0xff, 0x00, 0x00, 0x00, 0x00, /* 17 jmp @l^101d */
		0xf5, 0x50, 0xe0,                   /* 1d sobgtr r0, 1000 */
		0xf1, 0x01, 0x02, 0x50, 0xda, 0x00, /* 20 acbl #1, #2, r0, 1100 */
		0x11, 0x01,                         /* 26 brb 1029 */
		0x04,                               /* 28 ret */
	};

	(void)state;
	CHECK(code, {0x02, 0x2000, GPROFX_CALL_TAIL}, {0x08, 0x1100, GPROFX_CALL_TAIL},
	      {0x0b, 0x1000, GPROFX_CALL_TAIL}, {0x0d, 0x1000, GPROFX_CALL_TAIL},
	      {0x0f, 0x3000, GPROFX_CALL_TAIL}, {0x1d, 0x1000, GPROFX_CALL_TAIL},
	      {0x20, 0x1100, GPROFX_CALL_TAIL});
}

/* Chapter 2, modes in which registers or memory hold the address. */
static void
callees_in_registers_are_not_known(void **state)
{
	static const uint8_t code[] = {
		0x00, 0x40,                                     /* 00 .word ^m<iv> */
		0xfb, 0x01, 0x60,                               /* 02 calls #1, (r0) */
		0xfb, 0x01, 0xa1, 0x04,                         /* 05 calls #1, b^4(r1) */
		0xfb, 0x01, 0xb1, 0x04,                         /* 09 calls #1, @b^4(r1) */
		0xfb, 0x00, 0xff, 0x10, 0x00, 0x00, 0x00,       /* 0d calls #0, @l^1024 */
		0xfb, 0x00, 0x41, 0x9f, 0x00, 0x20, 0x00, 0x00, /* 14 calls #0, @#2000[r1] */
		0xfa, 0x6c, 0x92,                               /* 1c callg (ap), @(r2)+ */
		0x16, 0x63,                                     /* 1f jsb (r3) */
		0x16, 0xbf, 0x10,                               /* 21 jsb @b^1034 */
		0xfb, 0x00, 0x8f, 0x00,                         /* 24 calls #0, #0: leads nowhere */
		0x04,                                           /* 28 ret */
	};

	(void)state;
	CHECK(code, {0x02, 0, GPROFX_CALL_INDIRECT}, {0x05, 0, GPROFX_CALL_INDIRECT},
	      {0x09, 0, GPROFX_CALL_INDIRECT}, {0x0d, 0, GPROFX_CALL_INDIRECT},
	      {0x14, 0, GPROFX_CALL_INDIRECT}, {0x1c, 0, GPROFX_CALL_INDIRECT},
	      {0x1f, 0, GPROFX_CALL_INDIRECT}, {0x21, 0, GPROFX_CALL_INDIRECT});
}

/* Chapter 2, immediate mode: as many bytes as the kind of data has; calls in them are none. */
static void
constants_are_no_calls(void **state)
{
#define IN_4_BYTES 0xfb, 0x00, 0xaf, 0xfc
#define IN_8_BYTES IN_4_BYTES, IN_4_BYTES
#define IN_16_BYTES IN_8_BYTES, IN_8_BYTES
	static const uint8_t code[] = {
		0x00, 0x00,                                /* 00 .word ^m<> */
		0x90, 0x8f, 0xfb,       0x50,              /* 02 movb #fb, r0 */
		0xb0, 0x8f, 0xfb,       0x00,        0x51, /* 06 movw #fb, r1 */
		0xd0, 0x8f, IN_4_BYTES, 0x52,              /* 0b movl */
		0x7d, 0x8f, IN_8_BYTES, 0x54,              /* 12 movq */
		0x50, 0x8f, IN_4_BYTES, 0x53,              /* 1d movf: chapter 3, floating point */
		0x70, 0x8f, IN_8_BYTES, 0x54,              /* 24 movd */
		0xfd, 0x50, 0x8f,       IN_8_BYTES,  0x54, /* 2f movg */
		0xfd, 0x7d, 0x8f,       IN_16_BYTES, 0x54, /* 3b movo */
		0xfd, 0x70, 0x8f,       IN_16_BYTES, 0x54, /* 4f movh */
		0xfd, 0x32, 0x8f,       IN_8_BYTES,  0x54, /* 63 cvtdh */
		0xff, 0xfd, IN_4_BYTES,                    /* 6f bugl: the list of opcodes */
		0xff, 0xfe, 0xfb,       0x00,              /* 75 bugw */
		0xfd, 0x80, 0x3f,                          /* 79 vvaddl: the chapter on vectors */
		0x28, 0x8f, 0xfb,       0x00,        0x61,
		0x62,                                      /* 7c movc3 #fb, (r1), (r2): strings */
		0xfb, 0x00, 0xcf,       0x79,        0xff, /* 82 calls #0, w^1000 */
		0x04,                                      /* 87 ret */
	};

	(void)state;
	CHECK(code, {0x82, 0x1000, GPROFX_CALL_DIRECT});
}

/* Chapter 3, control, case: as many places as the last operand says, and one. */
static void
tables_are_no_code(void **state)
{
	static const uint8_t code[] = {
		0x00, 0x00,                         /* 00 .word ^m<> */
		0x8f, 0x50, 0x00, 0x02,             /* 02 caseb r0, #0, #2 */
		0xfb, 0x00, 0xaf, 0xf6, 0xfb, 0x00, /* 06 calls #0, b^1000, if it were */
		0xaf, 0x50, 0x8f, 0x00, 0x00, 0x8f, 0x01, 0x00, /* 0c casew r0, #0, #1 */
		0xfb, 0x00, 0xaf, 0xe8,                         /* 14 */
		0xcf, 0x50, 0x01, 0x8f, 0x02, 0x00, 0x00, 0x00, /* 18 casel r0, #1, #2 */
		0xfb, 0x00, 0xaf, 0xdc, 0xfb, 0x00,             /* 20 */
		0xfb, 0x00, 0xef, 0xd3, 0x00, 0x00, 0x00,       /* 26 calls #0, l^1100 */
		0xcf, 0x50, 0x00, 0x8f, 0xff, 0xff, 0xff, 0x7f, /* 2d casel with too many places */
		0xfb, 0x00, 0xef, 0xc4, 0x00, 0x00, 0x00,       /* 35 calls #0, l^1100 */
		0xcf, 0x50, 0x00, 0x51,                         /* 3c casel r0, #0, r1 */
		0xfb, 0x00, 0xef, 0xb9, 0x00, 0x00, 0x00,       /* 40 calls #0, l^1100 */
		0x04,                                           /* 47 ret */
	};

	(void)state;
	CHECK(code, {0x26, 0x1100, GPROFX_CALL_DIRECT}, {0x35, 0x1100, GPROFX_CALL_DIRECT},
	      {0x40, 0x1100, GPROFX_CALL_DIRECT});
}

/* Reserved opcodes and modes; the last call has its end elsewhere. */
static void
what_is_reserved_is_passed_over(void **state)
{
	static const uint8_t code[] = {
		0x00, 0x00,                   /* 00 .word ^m<> */
		0x57,                         /* 02 */
		0xfb, 0x00, 0xaf, 0xf9,       /* 03 calls #0, b^1000 */
		0xfd, 0xff,                   /* 07 */
		0xfb, 0x00, 0xaf, 0xf3,       /* 09 calls #0, b^1000 */
		0xfb, 0x00, 0xef, 0x00, 0x00, /* 0d */
	};

	(void)state;
	CHECK(code, {0x03, 0x1000, GPROFX_CALL_DIRECT}, {0x09, 0x1000, GPROFX_CALL_DIRECT});
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(procedures_are_called),
		cmocka_unit_test(subroutines_are_called),
		cmocka_unit_test(an_instruction_is_no_mask),
		cmocka_unit_test(jumps_are_tail_calls),
		cmocka_unit_test(callees_in_registers_are_not_known),
		cmocka_unit_test(constants_are_no_calls),
		cmocka_unit_test(tables_are_no_code),
		cmocka_unit_test(what_is_reserved_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged lists: every prefix of a list in each layout, and 100,000 random changes of them, read
 * both ways.  Whatever the text says, nothing outside of it is looked at, the memory taken stays
 * within a multiple of its length, and every symbol has a name and a place reserved for it.
 */
#include "symbols-list.c"

/* cmocka has macros with names of members; it comes behind. */
#include "digits.c"
#include "layouts.c"
#include "strict.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
	CHANGES = 100000,
	MOST_BLOCKS = 16,
	ROW_BYTES = 29,       /* of one symbol in all arrays */
	ALWAYS_TAKEN = 65536, /* room for names */
	TIMES_LENGTH = ROW_BYTES
};

/* The host, as far as lists need one; it remembers what it gave. */
struct host {
	struct gprofx gx; /* first */
	void *blocks[MOST_BLOCKS];
	uint32_t block_count, reserved, reservations, errors, warnings;
	uint64_t taken;
};

static void *
host_alloc(struct gprofx *gx, size_t bytes)
{
	struct host *host = (struct host *)gx;
	void *block = calloc(1, bytes ? bytes : 1);

	assert_non_null(block);
	assert_true(host->block_count < MOST_BLOCKS);
	host->blocks[host->block_count++] = block;
	host->taken += bytes;
	return block;
}

static enum gprofx_result
host_fail(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	(void)format;
	((struct host *)gx)->errors++;
	assert_non_null(diagnostic->id);
	assert_non_null(diagnostic->hint);
	return GPROFX_FAILED;
}

static void
host_warn(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	(void)format;
	((struct host *)gx)->warnings++;
	assert_true(diagnostic->line > 0 && diagnostic->column > 0);
}

static void
host_reserve(struct gprofx *gx, struct gprofx_symtab *symtab, uint32_t count)
{
	struct host *host = (struct host *)gx;

	host->reserved = count;
	host->reservations++;
	symtab->rows.address = host_alloc(gx, count * sizeof *symtab->rows.address);
	symtab->rows.bytes = host_alloc(gx, count * sizeof *symtab->rows.bytes);
	symtab->rows.name = host_alloc(gx, count * sizeof *symtab->rows.name);
	symtab->rows.flags = host_alloc(gx, count);
	symtab->unit = host_alloc(gx, count * sizeof *symtab->unit);
}

static const struct gprofx_host services = {.size = sizeof services,
                                            .alloc = host_alloc,
                                            .fail = host_fail,
                                            .warn = host_warn};
static const struct gprofx_symtab_builder builder = {.size = sizeof builder,
                                                     .reserve = host_reserve};

/* Reads a text, which stands in a block of just its length, and looks at all that comes of it. */
static uint32_t
read_text(const uint8_t *text, size_t length, bool strict)
{
	struct host host = {.gx = {.host = &services}};
	struct gprofx_symtab symtab = {.size = sizeof symtab,
	                               .builder = &builder,
	                               .strict = strict};
	uint8_t *bytes = malloc(length ? length : 1);
	struct gprofx_image file = {.size = sizeof file,
	                            .name = "list",
	                            .bytes = bytes,
	                            .length = length};
	enum gprofx_result result;
	size_t named = 0;

	assert_non_null(bytes);
	memcpy(bytes, text, length);
	result = symbols.load(&host.gx, &file, &symtab, NULL);
	assert_int_equal(result, host.errors ? GPROFX_FAILED : GPROFX_OK);
	assert_true(host.errors <= 1 && host.warnings <= 1 && host.reservations <= 1);
	assert_true(!strict || host.errors + host.warnings == 0);
	assert_true(symtab.count <= host.reserved);
	assert_true(host.taken <= ALWAYS_TAKEN + TIMES_LENGTH * (uint64_t)length);
	for (uint32_t i = 0; i < symtab.count; i++) {
		assert_true(symtab.rows.name[i][0] != '\0');
		named += strlen(symtab.rows.name[i]) + 1;
	}
	assert_true(named <= length + 1);
	for (uint32_t i = 0; i < host.block_count; i++)
		free(host.blocks[i]);
	free(bytes);
	return symtab.count;
}

static const char *const lists[] = {
	"0000000000401000 T main\n0000000000401010 0000000000000010 t work\n"
	"                 U printf\n0000000000404000 D table\nffffffffc0a00000 t f\t[mod]\n",
	"main T 401000 10\nwork t 401010\nprintf U         \ntable D 404000 8\na b(int) W 5 1\n",
	"\n\nSymbols from a.out:\n\nName     Value    Class\n\n"
	"main|0000000000401000|   T  |FUNC|0000000000000010|     |.text\n"
	"printf |                |   U  |            NOTYPE|                |     |*UND*\n"
	"a||b|401010| t |NOTYPE| | |.text\n",
	"T\nt\n|\n||||||\n0 Ta\n 0x T \n-1 t x\n\xef\xbb\xbf\n401000 T x [y]\n: \n",
};
enum { LISTS = sizeof lists / sizeof lists[0] };

static void
sound_lists(void **state)
{
	(void)state;
	assert_int_equal(read_text((const uint8_t *)lists[0], strlen(lists[0]), false), 3);
	assert_int_equal(read_text((const uint8_t *)lists[0], strlen(lists[0]), true), 2);
	assert_int_equal(read_text((const uint8_t *)lists[1], strlen(lists[1]), false), 3);
	assert_int_equal(read_text((const uint8_t *)lists[2], strlen(lists[2]), false), 2);
}

/* The value of a digit, found in another way, or 16. */
static unsigned
plain_digit(uint8_t c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *place = c ? strchr(digits, c) : NULL;

	return place ? (unsigned)(place - digits) % 16 : 16;
}

/* Every byte at every place among digits ends a number or is a part of it. */
static void
numbers(void **state)
{
	(void)state;
	for (unsigned place = 0; place < 20; place++)
		for (unsigned c = 0; c < 256; c++) {
			char text[21] = "123456789abcdefABCDE";
			uint64_t number, expected = 0, lost = 0;
			const char *end;
			unsigned length = 0;

			text[place] = (char)c;
			for (; plain_digit((uint8_t)text[length]) < 16; length++) {
				lost |= expected >> 60;
				expected = expected << 4 | plain_digit((uint8_t)text[length]);
			}
			assert_int_equal(
				symlist_digits((struct stretch){text, text + 20}, &number, &end),
				lost == 0);
			assert_int_equal(number, expected);
			assert_ptr_equal(end, text + length);
		}
}

static void
prefixes(void **state)
{
	(void)state;
	for (size_t i = 0; i < LISTS; i++)
		for (size_t length = 0; length <= strlen(lists[i]); length++) {
			read_text((const uint8_t *)lists[i], length, false);
			read_text((const uint8_t *)lists[i], length, true);
		}
}

static uint64_t
draw(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 33;
}

static void
changes(void **state)
{
	static const uint8_t odd[] = {0, '\n', ' ', '\t', '|', 'T', 't', ':', '[', ']', 0xff, '0'};
	uint64_t random = 1;
	uint8_t text[512];

	(void)state;
	for (int turn = 0; turn < CHANGES; turn++) {
		const char *list = lists[draw(&random) % LISTS];
		size_t length = strlen(list);

		memcpy(text, list, length);
		for (uint64_t left = 1 + draw(&random) % 8; left > 0; left--) {
			uint8_t *place = &text[draw(&random) % length];

			*place = draw(&random) % 2 ? odd[draw(&random) % sizeof odd]
			                           : (uint8_t)draw(&random);
		}
		read_text(text, 1 + draw(&random) % length, turn % 2 == 0);
	}
}

/* Texts that are as many symbols, or as long ones, as their length allows. */
static void
extremes(void **state)
{
	enum { LENGTH = 1 << 20 };
	uint8_t *text = malloc(LENGTH);

	(void)state;
	assert_non_null(text);
	for (int strict = 0; strict < 2; strict++) {
		for (size_t i = 0; i < LENGTH; i++)
			text[i] = (uint8_t) "0 Ta\n"[i % 5];
		assert_true(read_text(text, LENGTH, strict) <= LENGTH / 5 + 1);
		for (size_t i = 0; i < LENGTH; i++)
			text[i] = (uint8_t) "0 T a\n"[i % 6];
		assert_int_equal(read_text(text, LENGTH, strict), LENGTH / 6);
		memset(text + 4, 'n', LENGTH - 4);
		assert_int_equal(read_text(text, LENGTH, strict), 1);
		memset(text, '\n', LENGTH);
		assert_int_equal(read_text(text, LENGTH, strict), 0);
		memset(text, '|', LENGTH);
		assert_int_equal(read_text(text, LENGTH, strict), 0);
		memset(text, ']', LENGTH);
		assert_int_equal(read_text(text, LENGTH, strict), 0);
	}
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_lists), cmocka_unit_test(numbers),
		cmocka_unit_test(prefixes),    cmocka_unit_test(changes),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

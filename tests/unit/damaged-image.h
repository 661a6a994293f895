/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of symbol providers: what damages images, and what holds whatever was damaged.
 * Include it behind the plugin's source.
 */
#ifndef TESTS_UNIT_DAMAGED_IMAGE_H
#define TESTS_UNIT_DAMAGED_IMAGE_H

#include "provider.h"

static inline uint32_t
next_number(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

/* Changes a byte to an extreme value, or a bit of it; how: a random number. */
static inline void
damage_byte(uint8_t *byte, uint32_t how)
{
	static const uint8_t extremes[] = {0, 1, 3, 0x7f, 0x80, 0xff};

	if (how % 2)
		*byte = extremes[how / 2 % sizeof extremes];
	else
		*byte = (uint8_t)(*byte ^ 1u << how / 2 % 8);
}

/* Numbers are within bounds that the file's size sets, whatever the file says. */
static inline void
check_bounds(const struct test_host *host, size_t length)
{
	const struct gprofx_symtab *symtab = &host->symtab;

	for (uint32_t i = 0; i < symtab->count; i++)
		assert_true(strlen(symtab->rows.name[i]) <= length + 32);
	for (uint32_t i = 0; i < symtab->code_count; i++) {
		assert_true(symtab->code[i].file_offset <= length);
		assert_true(symtab->code[i].bytes <= length - symtab->code[i].file_offset);
	}
	for (uint32_t i = 0; i < symtab->debug_count; i++) {
		assert_true(symtab->debug[i].file_offset <= length);
		assert_true(symtab->debug[i].bytes <= length - symtab->debug[i].file_offset);
	}
}

/* Loads an image, which is taken or refused, with one error, at a cost that its length justifies.
 */
static inline void
try_image(const uint8_t *image, size_t length)
{
	struct test_host host;
	enum gprofx_result result = load_bytes(&host, image, length);

	assert_true(result == GPROFX_OK || result == GPROFX_FAILED);
	assert_int_equal(host.errors, result == GPROFX_FAILED);
	assert_true(host.allocated < 16 * length + 4096);
	check_bounds(&host, length);
	forget(&host);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of symbol providers: a host that records what the plugin says.  Include it behind
 * the plugin's source.
 */
#ifndef TESTS_UNIT_PROVIDER_H
#define TESTS_UNIT_PROVIDER_H

#include <gprofx/symbols.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read-file.h"

enum { MOST_BLOCKS = 64 };

struct test_host {
	struct gprofx gx; /* first */
	void *blocks[MOST_BLOCKS];
	uint32_t block_count;
	size_t allocated;
	uint32_t errors, warnings, files;
	char file_name[64], id[64], words[256], library_words[64];
	uint64_t offset;
	uint8_t *file; /* of exactly the image's size, so that a sanitizer sees every overrun */
	struct gprofx_symtab symtab;
};

static inline void *
host_alloc(struct gprofx *gx, size_t bytes)
{
	struct test_host *host = (struct test_host *)gx;

	assert_true(host->block_count < MOST_BLOCKS);
	host->allocated += bytes;
	host->blocks[host->block_count] = calloc(1, bytes ? bytes : 1);
	assert_non_null(host->blocks[host->block_count]);
	return host->blocks[host->block_count++];
}

static inline void
host_release(struct gprofx *gx, void *block)
{
	struct test_host *host = (struct test_host *)gx;

	for (uint32_t i = 0; i < host->block_count; i++) {
		if (host->blocks[i] == block) {
			free(block);
			host->blocks[i] = NULL;
		}
	}
}

static inline void
note(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format,
     va_list list)
{
	struct test_host *host = (struct test_host *)gx;

	assert_non_null(diagnostic->id);
	assert_non_null(diagnostic->hint);
	snprintf(host->file_name, sizeof host->file_name, "%s", diagnostic->file);
	snprintf(host->id, sizeof host->id, "%s", diagnostic->id);
	snprintf(host->library_words, sizeof host->library_words, "%s",
	         diagnostic->text[0] ? diagnostic->text[0] : "");
	vsnprintf(host->words, sizeof host->words, format, list);
	host->offset = diagnostic->offset;
}

static inline enum gprofx_result
host_fail(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	note(gx, diagnostic, format, list);
	va_end(list);
	/* What is wrong with another file than the image is no error. */
	assert_string_equal(diagnostic->file, "image");
	((struct test_host *)gx)->errors++;
	return GPROFX_FAILED;
}

static inline void
host_warn(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	note(gx, diagnostic, format, list);
	va_end(list);
	((struct test_host *)gx)->warnings++;
}

/* Files are freed with the blocks. */
static inline uint8_t *
host_map_file(struct gprofx *gx, const char *path, uint64_t *length)
{
	struct test_host *host = (struct test_host *)gx;
	uint8_t *bytes = read_file(path, length);

	assert_true(host->block_count < MOST_BLOCKS);
	host->files += bytes != NULL;
	host->blocks[host->block_count++] = bytes;
	return bytes;
}

static inline void
host_unmap_file(struct gprofx *gx, uint8_t *bytes)
{
	((struct test_host *)gx)->files--;
	host_release(gx, bytes);
}

static inline void
host_reserve(struct gprofx *gx, struct gprofx_symtab *symtab, uint32_t count)
{
	symtab->rows.address = host_alloc(gx, count * sizeof *symtab->rows.address);
	symtab->rows.bytes = host_alloc(gx, count * sizeof *symtab->rows.bytes);
	symtab->rows.name = host_alloc(gx, count * sizeof *symtab->rows.name);
	symtab->rows.flags = host_alloc(gx, count * sizeof *symtab->rows.flags);
	symtab->unit = host_alloc(gx, count * sizeof *symtab->unit);
}

/* Loads the first "length" bytes; the caller ends with forget(). */
static inline enum gprofx_result
load_with(struct test_host *host, const uint8_t *bytes, size_t length, bool wants_slots,
          const void *options)
{
	static const struct gprofx_host services = {.size = sizeof services,
	                                            .abi_major = GPROFX_ABI_MAJOR,
	                                            .alloc = host_alloc,
	                                            .release = host_release,
	                                            .fail = host_fail,
	                                            .warn = host_warn,
	                                            .map_file = host_map_file,
	                                            .unmap_file = host_unmap_file};
	static const struct gprofx_symtab_builder builder = {sizeof builder, host_reserve};
	struct gprofx_image image = {.size = sizeof image, .name = "image", .length = length};

	memset(host, 0, sizeof *host);
	host->gx.host = &services;
	host->symtab.size = sizeof host->symtab;
	host->symtab.builder = &builder;
	host->symtab.wants_slots = wants_slots;
	if (length > 0) {
		host->file = malloc(length);
		assert_non_null(host->file);
		memcpy(host->file, bytes, length);
	}
	image.bytes = host->file;
	return gprofx_plugin_1.symbols->load(&host->gx, &image, &host->symtab, options);
}

static inline enum gprofx_result
load_wanting(struct test_host *host, const uint8_t *bytes, size_t length, bool wants_slots)
{
	return load_with(host, bytes, length, wants_slots, NULL);
}

static inline enum gprofx_result
load_bytes(struct test_host *host, const uint8_t *bytes, size_t length)
{
	return load_wanting(host, bytes, length, false);
}

static inline void
forget(struct test_host *host)
{
	for (uint32_t i = 0; i < host->block_count; i++)
		free(host->blocks[i]);
	free(host->file);
}

/* Loading fails with one error, of this id, whose text has these words. */
static inline void
expect_load_fails(const uint8_t *bytes, size_t length, const char *id, const char *words)
{
	struct test_host host;

	assert_int_equal(load_bytes(&host, bytes, length), GPROFX_FAILED);
	assert_int_equal(host.errors, 1);
	assert_string_equal(host.id, id);
	if (!strstr(host.words, words))
		fail_msg("\"%s\" lacks \"%s\"", host.words, words);
	forget(&host);
}

/* All symbols as text, "name=address/flags" joined by blanks; lives until the next call. */
static inline const char *
listing(const struct test_host *host)
{
	static char text[4096];
	const struct gprofx_symtab *symtab = &host->symtab;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < symtab->count; i++) {
		uint8_t flags = symtab->rows.flags[i];

		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%llx/%s%s%s",
		                         i > 0 ? " " : "", symtab->rows.name[i],
		                         (unsigned long long)symtab->rows.address[i],
		                         (flags & GPROFX_SYMBOL_LOCAL) ? "l" : "",
		                         (flags & GPROFX_SYMBOL_FUNCTION) ? "f" : "",
		                         (flags & GPROFX_SYMBOL_SYNTHETIC) ? "s" : "");
		assert_true(used < sizeof text);
	}
	return text;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of symbols-elf: the plugin itself, and a writer of ELF images of any class and byte
 * order.
 */
#ifndef SYMBOLS_ELF_TESTS_IMAGE_H
#define SYMBOLS_ELF_TESTS_IMAGE_H

#include "symbols-elf.c"

#include "architecture.c"
#include "build-id.c"
#include "libraries.c"
#include "object.c"
#include "modes.c"
#include "opd.c"
#include "debug-symbols.c"
#include "slots.c"
#include "symtab.c"
#include "versions.c"

#include "provider.h"

/* ---- images ---------------------------------------------------------------------------------- */

enum { MOST_SECTIONS = 16, MOST_BYTES = 8192 };

struct plan_section {
	const char *name;
	uint32_t type, link, info;
	uint64_t flags, address, item_bytes;
	const void *bytes;
	uint64_t length;
};

/* Sections in order, without the empty one and the one of section names. */
struct plan {
	bool is_64, big_endian;
	uint16_t machine, type;
	uint32_t flags;
	struct plan_section section[MOST_SECTIONS];
	uint32_t count;
	uint8_t symbols[1024];
	char names[1024];
	uint64_t symbols_bytes, names_bytes;
};

struct bytes {
	uint8_t data[MOST_BYTES];
	size_t length;
	size_t section_headers; /* offset */
};

static inline void
put(uint8_t *at, uint64_t value, uint32_t bytes, bool big_endian)
{
	for (uint32_t i = 0; i < bytes; i++)
		at[big_endian ? bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static inline void
plan_start(struct plan *plan, bool is_64, bool big_endian, uint16_t machine)
{
	memset(plan, 0, sizeof *plan);
	plan->is_64 = is_64;
	plan->big_endian = big_endian;
	plan->machine = machine;
	plan->type = ET_EXEC;
	plan->symbols_bytes = is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	plan->names_bytes = 1;
}

/* Returns the number of the section. */
static inline uint16_t
plan_section(struct plan *plan, const struct plan_section *section)
{
	assert_true(plan->count < MOST_SECTIONS);
	plan->section[plan->count++] = *section;
	return (uint16_t)plan->count;
}

static inline void
plan_symbol(struct plan *plan, const char *name, uint64_t value, uint8_t binding, uint8_t type,
            uint16_t section)
{
	uint8_t *row = plan->symbols + plan->symbols_bytes;
	bool big = plan->big_endian;
	size_t length = strlen(name) + 1;

	assert_true(plan->symbols_bytes + sizeof(Elf64_Sym) <= sizeof plan->symbols);
	assert_true(plan->names_bytes + length <= sizeof plan->names);
	put(row, plan->names_bytes, 4, big);
	memcpy(plan->names + plan->names_bytes, name, length);
	plan->names_bytes += length;
	if (plan->is_64) {
		row[4] = (uint8_t)(binding << 4 | type);
		put(row + 6, section, 2, big);
		put(row + 8, value, 8, big);
		put(row + 16, 4, 8, big);
		plan->symbols_bytes += sizeof(Elf64_Sym);
	} else {
		put(row + 4, value, 4, big);
		put(row + 8, 4, 4, big);
		row[12] = (uint8_t)(binding << 4 | type);
		put(row + 14, section, 2, big);
		plan->symbols_bytes += sizeof(Elf32_Sym);
	}
}

/* Adds .symtab and .strtab; returns the number of .symtab. */
static inline uint16_t
plan_tables(struct plan *plan)
{
	struct plan_section rows = {.name = ".symtab",
	                            .type = SHT_SYMTAB,
	                            .link = plan->count + 2,
	                            .info = 1,
	                            .item_bytes = plan->is_64 ? sizeof(Elf64_Sym)
	                                                      : sizeof(Elf32_Sym),
	                            .bytes = plan->symbols,
	                            .length = plan->symbols_bytes};
	struct plan_section names = {.name = ".strtab",
	                             .type = SHT_STRTAB,
	                             .bytes = plan->names,
	                             .length = plan->names_bytes};
	uint16_t number = plan_section(plan, &rows);

	plan_section(plan, &names);
	return number;
}

static inline void
put_section_header(uint8_t *at, const struct plan *plan, const struct plan_section *section,
                   uint64_t name, uint64_t offset)
{
	uint32_t word = plan->is_64 ? 8 : 4;
	const uint64_t values[10] = {name,
	                             section->type,
	                             section->flags,
	                             section->address,
	                             offset,
	                             section->length,
	                             section->link,
	                             section->info,
	                             section->item_bytes ? word : 1,
	                             section->item_bytes};
	const uint32_t sizes[10] = {4, 4, word, word, word, word, 4, 4, word, word};

	for (uint32_t i = 0; i < 10; i++) {
		put(at, values[i], sizes[i], plan->big_endian);
		at += sizes[i];
	}
}

static inline void
put_file_header(struct bytes *out, const struct plan *plan)
{
	uint32_t word = plan->is_64 ? 8 : 4;
	const uint64_t values[13] = {plan->type,
	                             plan->machine,
	                             EV_CURRENT,
	                             0,
	                             0,
	                             out->section_headers,
	                             plan->flags,
	                             plan->is_64 ? 64 : 52,
	                             0,
	                             0,
	                             plan->is_64 ? 64 : 40,
	                             plan->count + 2,
	                             plan->count + 1};
	const uint32_t sizes[13] = {2, 2, 4, word, word, word, 4, 2, 2, 2, 2, 2, 2};
	uint8_t *at = out->data + EI_NIDENT;

	memcpy(out->data, ELFMAG, SELFMAG);
	out->data[EI_CLASS] = plan->is_64 ? ELFCLASS64 : ELFCLASS32;
	out->data[EI_DATA] = plan->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	out->data[EI_VERSION] = EV_CURRENT;
	for (uint32_t i = 0; i < 13; i++) {
		put(at, values[i], sizes[i], plan->big_endian);
		at += sizes[i];
	}
}

static inline void
write_image(const struct plan *plan, struct bytes *out)
{
	size_t row_bytes = plan->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint64_t offsets[MOST_SECTIONS + 1], names[MOST_SECTIONS + 1];
	char strings[512] = "";
	size_t at = plan->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), used = 1;
	struct plan_section last = {.name = ".shstrtab", .type = SHT_STRTAB, .bytes = strings};

	memset(out, 0, sizeof *out);
	for (uint32_t i = 0; i <= plan->count; i++) {
		const char *name = i < plan->count ? plan->section[i].name : last.name;

		assert_true(used + strlen(name) < sizeof strings);
		names[i] = used;
		memcpy(strings + used, name, strlen(name) + 1);
		used += strlen(name) + 1;
	}
	last.length = used;
	for (uint32_t i = 0; i <= plan->count; i++) {
		const struct plan_section *section = i < plan->count ? &plan->section[i] : &last;

		at = (at + 7) & ~(size_t)7;
		offsets[i] = at;
		if (section->type == SHT_NOBITS)
			continue;
		assert_true(at + section->length <= sizeof out->data);
		if (section->bytes)
			memcpy(out->data + at, section->bytes, section->length);
		at += section->length;
	}
	out->section_headers = at = (at + 7) & ~(size_t)7;
	at += row_bytes;
	for (uint32_t i = 0; i <= plan->count; i++, at += row_bytes) {
		assert_true(at + row_bytes <= sizeof out->data);
		put_section_header(out->data + at, plan,
		                   i < plan->count ? &plan->section[i] : &last, names[i],
		                   offsets[i]);
	}
	out->length = at;
	put_file_header(out, plan);
}

/* Loads an image that must be accepted and compares its symbols. */
static inline void
expect_symbols(const struct plan *plan, const char *symbols_expected)
{
	struct test_host host;
	struct bytes image;

	write_image(plan, &image);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_int_equal(host.errors, 0);
	assert_string_equal(listing(&host), symbols_expected);
	forget(&host);
}

#endif

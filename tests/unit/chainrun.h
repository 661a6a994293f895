/* SPDX-License-Identifier: Apache-2.0 */
/* A provider that knows a chain of inlined subroutines.  Include it first. */
#ifndef TESTS_UNIT_CHAINRUN_H
#define TESTS_UNIT_CHAINRUN_H

#include "testrun.h"

/* What the provider says of code from 0x1000 on, which was inlined into f by so many levels. */
struct chain {
	uint32_t depth;
	uint32_t odd_parent, odd_instance,
		odd_name; /* numbers that nobody gave; 0: all are right */
};

static inline enum gprofx_result
chainrun_lines(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_lines *lines,
               const void *options)
{
	const struct chain *chain = (const void *)image->bytes;
	const struct gprofx_lines_builder *builder = lines->builder;
	uint32_t parent = chain->odd_parent;
	char name[16] = "f";

	(void)options;
	if (chain->depth == 0)
		return GPROFX_OK;
	builder->reserve(gx, lines, 2);
	for (uint32_t i = 1; i <= chain->depth; i++) {
		parent = builder->inlined(gx, lines, builder->name(gx, lines, name),
		                          builder->file(gx, lines, i == 1 ? "f.c" : "i.h"), i,
		                          parent);
		snprintf(name, sizeof name, "s%u", i);
	}
	lines->rows.address[0] = 0x1000;
	lines->rows.name[0] = chain->odd_name ? chain->odd_name : builder->name(gx, lines, name);
	lines->rows.inlined[0] = chain->odd_instance ? chain->odd_instance : parent;
	lines->rows.file[0] = builder->file(gx, lines, "i.h");
	lines->rows.line[0] = 99;
	lines->rows.address[1] = 0x1008;
	lines->rows.name[1] = builder->name(gx, lines, "f");
	lines->rows.file[1] = builder->file(gx, lines, "f.c");
	lines->rows.line[1] = 7;
	lines->count = 2;
	return GPROFX_OK;
}

static inline enum gprofx_result
chainrun_locate(struct gprofx *gx, const struct gprofx_image *image,
                struct gprofx_positions *positions, const void *options)
{
	(void)gx;
	(void)image;
	(void)positions;
	(void)options;
	return GPROFX_OK;
}

static inline int
chainrun_probe(const uint8_t *head, size_t bytes)
{
	(void)head;
	(void)bytes;
	return 0;
}

/* Has a provider say that of the code of these symbols. */
static inline void
chainrun_set(struct testrun *test, struct symbols *symbols, const struct chain *chain)
{
	static const struct gprofx_symbols provider = {.size = sizeof provider,
	                                               .probe = chainrun_probe,
	                                               .locate = chainrun_locate,
	                                               .lines = chainrun_lines};
	static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "symbols-dwarf",
	                                            .version = "1", .summary = "s",
	                                            .symbols = &provider};
	static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

	test->settings.builtin = builtin;
	symbols->image.name = "image";
	symbols->image.bytes = (uint8_t *)(uintptr_t)chain;
	symbols->located = &symbols->image;
	symbols->table.has_source = true;
}

#endif

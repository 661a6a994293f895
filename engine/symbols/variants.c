/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Versions for processors of functions that a library exports: while it is loaded, one of
 * __strcmp_evex, __strcmp_avx2 and others becomes its strcmp.  Only if the library has an indirect
 * function of that name is it certain that such a name is one of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "symbols/parts.h"
#include "symbols/readable.h"
#include "symbols/symbols.h"

enum { LONGEST_NAME = 64 }; /* of an exported function, to be looked for */

/* The names of what other objects call, and the loader chooses the code of. */
static void
add_exported(struct run *run, const struct symbols *image, struct name_table *exported)
{
	const uint8_t other = GPROFX_SYMBOL_LOCAL | GPROFX_SYMBOL_FUNCTION;

	for (uint32_t i = 0; i < image->label_count; i++) {
		const struct code_name *label = &image->labels[i].is;

		if (!(label->flags & other) && strnlen(label->name, LONGEST_NAME) < LONGEST_NAME)
			name_table_add_kept(run, exported,
			                    symbols_without_version(run, label->name));
	}
}

static bool
is_version_of(const struct name_table *exported, const char *name)
{
	struct processor_name parts = processor_name(name);
	char base[LONGEST_NAME];

	if (!parts.words || parts.base_length >= sizeof base)
		return false;
	memcpy(base, parts.base, parts.base_length);
	base[parts.base_length] = '\0';
	return name_table_lookup(exported, base) != NO_NAME;
}

void
symbols_find_variants(struct run *run, struct symbols *symbols, const struct symbols *image)
{
	struct name_table exported = {0};

	add_exported(run, image, &exported);
	for (uint32_t row = 0; exported.count > 0 && row < image->table.count; row++) {
		const char *name = image->table.rows.name[row];

		if (name[0] != '_' || name[1] != '_' || !is_version_of(&exported, name))
			continue;
		symbols->variants = memory_room(run, symbols->variants, sizeof *symbols->variants,
		                                symbols->variant_count, &symbols->variant_room, 1);
		symbols->variants[symbols->variant_count++] = name;
	}
	name_table_release(run, &exported);
}

/* Which texts they are, not what they say: another object can have a function of that name. */
static int
compare_places(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t) * (const char *const *)left;
	uintptr_t b = (uintptr_t) * (const char *const *)right;

	return (a > b) - (a < b);
}

void
symbols_sort_variants(struct symbols *symbols)
{
	if (symbols->variant_count > 0)
		qsort((void *)symbols->variants, symbols->variant_count, sizeof *symbols->variants,
		      compare_places);
}

bool
symbols_is_variant(const struct symbols *symbols, const char *name)
{
	return symbols->variant_count > 0 && name[0] == '_' &&
	       bsearch(&name, symbols->variants, symbols->variant_count, sizeof *symbols->variants,
	               compare_places);
}

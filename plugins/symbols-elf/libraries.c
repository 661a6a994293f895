/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which shared libraries an image asks for (DT_NEEDED) and where (DT_RUNPATH), and the name that it
 * has as one.
 */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "object.h"

/* The dynamic section taken apart, with its table of strings. */
struct dynamic {
	const struct object *object;
	const uint8_t *rows;
	uint32_t count;
	const char *strings; /* strings_bytes of them, the last one a zero */
	uint64_t strings_bytes;
};

/* A member of a row: its tag, or behind it its value. */
static uint64_t
row_word(const struct dynamic *dynamic, uint32_t row, uint32_t word)
{
	const struct gprofx_target *target = &dynamic->object->target;
	size_t at = ((size_t)row * 2 + word) * target->pointer_bytes;

	return gprofx_number_at(dynamic->rows + at, target->pointer_bytes, target->big_endian);
}

/* The string that a row names, or NULL. */
static const char *
row_string(const struct dynamic *dynamic, uint32_t row)
{
	uint64_t at = row_word(dynamic, row, 1);

	if (at >= dynamic->strings_bytes || dynamic->strings[at] == '\0')
		return NULL;
	return dynamic->strings + at;
}

static bool
names_something(uint64_t tag)
{
	return tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RUNPATH || tag == DT_RPATH;
}

static bool
open_dynamic(const struct object *object, struct dynamic *dynamic)
{
	uint32_t row_bytes = 2 * object->target.pointer_bytes;

	dynamic->object = object;
	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i], *strings;

		if (section->type != SHT_DYNAMIC || !section->in_file ||
		    section->link >= object->section_count)
			continue;
		strings = &object->sections[section->link];
		if (strings->type != SHT_STRTAB || !strings->in_file)
			continue;
		dynamic->rows = object->image->bytes + section->offset;
		/* So many that a number of 32 bits is enough for them stand in no sound image. */
		dynamic->count = section->bytes / row_bytes > UINT32_MAX
		                         ? 0
		                         : (uint32_t)(section->bytes / row_bytes);
		dynamic->strings = (const char *)object->image->bytes + strings->offset;
		dynamic->strings_bytes = symelf_strings_bytes(object, strings);
		return true;
	}
	return false;
}

void
symelf_find_libraries(const struct object *object, struct gprofx_symtab *symtab)
{
	struct dynamic dynamic;
	const char **names;
	uint32_t count = 0, needed = 0;
	uint64_t left;
	bool has_runpath = false;

	if (!open_dynamic(object, &dynamic))
		return;
	for (; count < dynamic.count && row_word(&dynamic, count, 0) != DT_NULL; count++)
		needed += row_word(&dynamic, count, 0) == DT_NEEDED;
	names = gprofx_alloc(object->gx, ((size_t)needed + 1) * sizeof *names);
	/* Names of a sound image do not overlap; in a hostile one each can be the whole table. */
	left = dynamic.strings_bytes;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t tag = row_word(&dynamic, i, 0);
		const char *name = names_something(tag) ? row_string(&dynamic, i) : NULL;

		if (!name)
			continue;
		if (strlen(name) >= left)
			break;
		left -= strlen(name) + 1;
		if (tag == DT_NEEDED)
			names[symtab->library_count++] = name;
		else if (tag == DT_SONAME && !symtab->library_name)
			symtab->library_name = name;
		/* Loaders ignore the older tag where the newer one is. */
		else if (tag == DT_RUNPATH || (tag == DT_RPATH && !has_runpath))
			symtab->run_path = name;
		has_runpath = has_runpath || tag == DT_RUNPATH;
	}
	symtab->libraries = names;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which library a function comes from that the image imports: the versions of symbols that it needs
 * name the library of each.  Whatever is damaged is skipped silently.
 */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "object.h"

enum { NEED_BYTES = 16, VERSION_BYTES = 2, HIDDEN = 0x8000, MOST_LIBRARIES = 256 };

/* A member of a row of the needs, which is the same in files of 32 and 64 bits. */
static uint32_t
member(const struct object *object, const uint8_t *row, uint32_t at, uint32_t bytes)
{
	return (uint32_t)gprofx_number_at(row + at, bytes, object->target.big_endian);
}

static const struct section *
section_of(const struct object *object, uint32_t type)
{
	for (uint32_t i = 1; i < object->section_count; i++)
		if (object->sections[i].type == type && object->sections[i].in_file)
			return &object->sections[i];
	return NULL;
}

/* The versions of one library; returns how many rows were read. */
static uint64_t
take_library(struct versions *versions, const struct section *needs, uint64_t at, const char *file)
{
	const struct object *object = versions->object;
	const uint8_t *bytes = object->image->bytes + needs->offset;
	uint32_t count = member(object, bytes + at, 2, 2);
	uint32_t next = member(object, bytes + at, 8, 4);
	uint64_t read = 0;

	for (; read < count && next != 0; read++) {
		uint32_t version;

		at += next;
		if (at > needs->bytes || needs->bytes - at < NEED_BYTES)
			break;
		version = member(object, bytes + at, 6, 2) & ~(uint32_t)HIDDEN;
		if (version < VERSIONS && !versions->file[version])
			versions->file[version] = file;
		next = member(object, bytes + at, 12, 4);
	}
	return read;
}

static void
take_needs(struct versions *versions)
{
	const struct object *object = versions->object;
	const struct section *needs = section_of(object, SHT_GNU_verneed), *strings;
	const char *names;
	uint64_t at = 0, left, names_bytes;
	uint32_t next = 1;

	if (!needs || needs->link >= object->section_count)
		return;
	strings = &object->sections[needs->link];
	if (strings->type != SHT_STRTAB || !strings->in_file)
		return;
	names = (const char *)object->image->bytes + strings->offset;
	names_bytes = symelf_strings_bytes(object, strings);
	/* No two rows of a sound image overlap. */
	for (left = needs->bytes / NEED_BYTES; left > 0 && next != 0; at += next) {
		const uint8_t *row = object->image->bytes + needs->offset + at;
		uint64_t taken, name;

		if (at > needs->bytes || needs->bytes - at < NEED_BYTES)
			break;
		name = member(object, row, 4, 4);
		taken = 1 +
		        take_library(versions, needs, at, name < names_bytes ? names + name : NULL);
		left -= taken < left ? taken : left;
		next = member(object, row, 12, 4);
	}
}

/* The only library of which no version is needed: it is the one of symbols without a version. */
static const char *
find_unversioned(const struct versions *versions, const struct gprofx_symtab *symtab)
{
	const char *found = NULL;

	if (symtab->library_count > MOST_LIBRARIES)
		return NULL;
	for (uint32_t i = 0; i < symtab->library_count; i++) {
		const char *library = symtab->libraries[i];
		bool has_versions = false;

		for (uint32_t k = 0; k < VERSIONS && !has_versions; k++)
			has_versions = versions->file[k] && strcmp(versions->file[k], library) == 0;
		if (has_versions)
			continue;
		if (found)
			return NULL;
		found = library;
	}
	return found;
}

struct versions *
symelf_open_versions(const struct object *object, const struct gprofx_symtab *symtab)
{
	const struct section *of_symbols = section_of(object, SHT_GNU_versym);
	struct versions *versions = gprofx_alloc(object->gx, sizeof *versions);

	versions->object = object;
	if (of_symbols) {
		versions->of_symbol = object->image->bytes + of_symbols->offset;
		versions->symbol_count = of_symbols->bytes / VERSION_BYTES;
	}
	take_needs(versions);
	versions->unversioned = find_unversioned(versions, symtab);
	return versions;
}

const char *
symelf_library_of(const struct versions *versions, uint32_t symbol)
{
	uint32_t version = 0;

	if (symbol < versions->symbol_count)
		version = member(versions->object,
		                 versions->of_symbol + (size_t)symbol * VERSION_BYTES, 0,
		                 VERSION_BYTES) &
		          ~(uint32_t)HIDDEN;
	if (version <= VER_NDX_GLOBAL)
		return versions->unversioned;
	return version < VERSIONS ? versions->file[version] : NULL;
}

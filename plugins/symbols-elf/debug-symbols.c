/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols that were stripped from an image, in its separate debug file.
 *
 * The file is checked as the image is; that it is damaged is a warning, as the image can be
 * reported without it.
 */
#include "object.h"

#include <elf.h>

#include <gprofx/symbols.h>

#include "../shared/separate-file.h"

/* The checksum of a debug link stands at a multiple of this. */
enum { LINK_ALIGNMENT = 4 };

/* A search for the file, and the file. */
struct search {
	struct separate_finder finder; /* first */
	const struct object *stripped;
	struct gprofx_image file; /* mapped */
	struct object object;
};

/* Whether both have the code at the same place, for the same machine. */
static bool
has_same_code(const struct object *one, const struct object *other)
{
	const struct section *text = symelf_section(one, ".text"),
			     *other_text = symelf_section(other, ".text");

	return one->type == other->type && one->target.machine == other->target.machine &&
	       one->target.pointer_bytes == other->target.pointer_bytes &&
	       one->target.big_endian == other->target.big_endian && text && other_text &&
	       text->address == other_text->address && text->bytes == other_text->bytes;
}

static bool
is_proven(const struct object *object, const struct separate_proof *proof)
{
	uint32_t bytes = 0;
	const uint8_t *build_id = symelf_build_id(object, &bytes);

	if (proof->build_id && !separate_is_id(proof, build_id, bytes))
		return false;
	return !proof->has_checksum ||
	       separate_checksum(object->image->bytes, object->image->length) == proof->checksum;
}

static void
close_object(struct object *object)
{
	symelf_close(object);
	object->gx->host->release(object->gx, object->sections);
}

static bool
take_file(struct separate_finder *finder, const struct separate_file *file)
{
	struct search *search = (struct search *)finder;

	search->file = (struct gprofx_image){.size = sizeof search->file,
	                                     .name = file->path,
	                                     .bytes = file->bytes,
	                                     .length = file->length};
	if (symelf_try(&search->object, finder->gx, &search->file) == GPROFX_OK &&
	    has_same_code(&search->object, search->stripped) &&
	    is_proven(&search->object, &finder->proof))
		return true;
	close_object(&search->object);
	return false;
}

/* The name in the debug link, and its checksum; NULL: there is none that is sound. */
static const char *
find_link(const struct object *object, uint32_t *checksum)
{
	const struct section *link = symelf_section(object, ".gnu_debuglink");
	const char *name;
	uint64_t at = 0;

	if (!link || !link->in_file || link->bytes == 0)
		return NULL;
	name = (const char *)object->image->bytes + link->offset;
	while (at < link->bytes && name[at] != '\0')
		at++;
	if (at == 0 || at == link->bytes)
		return NULL;
	at = (at + LINK_ALIGNMENT) & ~(uint64_t)(LINK_ALIGNMENT - 1);
	if (link->bytes < sizeof *checksum || at > link->bytes - sizeof *checksum)
		return NULL;
	*checksum = (uint32_t)gprofx_number_at((const uint8_t *)name + at, sizeof *checksum,
	                                       object->target.big_endian);
	return name;
}

static bool
find_file(struct search *search)
{
	const struct object *stripped = search->stripped;
	struct separate_finder *finder = &search->finder;
	uint32_t bytes = 0, checksum;
	const uint8_t *build_id = symelf_build_id(stripped, &bytes);
	const char *link;

	if (build_id && separate_find_by_build_id(finder, build_id, bytes))
		return true;
	link = find_link(stripped, &checksum);
	if (!link)
		return false;
	finder->proof = (struct separate_proof){.has_checksum = true, .checksum = checksum};
	return separate_find_by_name(finder, link, stripped->image->name);
}

void
symelf_fill_separate(const struct object *stripped, struct gprofx_symtab *symtab,
                     const char *folders)
{
	struct search search = {
		.finder = {.gx = stripped->gx, .folders = folders, .take = take_file},
		.stripped = stripped,
	};
	struct symbol_table table = {0};
	enum gprofx_result result;

	if (!find_file(&search))
		return;
	search.object.voice = VOICE_WARNING;
	result = symelf_find_table(&search.object, SHT_SYMTAB, &table);
	if (result == GPROFX_OK && table.section) {
		result = symelf_fill_all(&search.object, &table, symtab);
		if (result == GPROFX_OK) {
			symtab->symbols_file = search.file.name;
			symtab->symbols_file_bytes = search.file.length;
			/* What has the symbols mostly has the lines, too. */
			symtab->has_source = true;
		} else {
			symtab->count = 0;
		}
	}
	/* The file itself stays: names are in it. */
	close_object(&search.object);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdw reads ELF files only: the sections of other files get the headers of one, in memory.
 */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "debug-file.h"

enum {
	MOST_WRAPPED = 64,
	ALIGNMENT = 8,
	/* Sections that overlap are of a hostile file: all together are no longer than that. */
	TIMES_FILE = 2
};

struct wrapping {
	const struct gprofx_image *image;
	const struct gprofx_debug_section *sections[MOST_WRAPPED];
	uint32_t count;
	uint64_t bytes, name_bytes; /* of all */
};

static uint64_t
aligned(uint64_t bytes)
{
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool
is_dwarf(const char *name)
{
	return strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0;
}

/* Chooses the sections; false: there are none, or too many. */
static bool
choose_sections(struct wrapping *wrapping)
{
	const struct gprofx_image *image = wrapping->image;

	for (uint32_t i = 0; i < image->debug_count; i++) {
		const struct gprofx_debug_section *section = &image->debug[i];

		if (!is_dwarf(section->name) || section->file_offset > image->length ||
		    section->bytes > image->length - section->file_offset || section->bytes == 0)
			continue;
		if (wrapping->count == MOST_WRAPPED)
			return false;
		wrapping->sections[wrapping->count++] = section;
		wrapping->bytes += aligned(section->bytes);
		wrapping->name_bytes += strlen(section->name) + 1;
	}
	return wrapping->count > 0 &&
	       wrapping->bytes <= TIMES_FILE * aligned(image->length) + MOST_WRAPPED * ALIGNMENT;
}

static void
put_number(uint8_t *at, uint64_t value, uint32_t bytes, bool big_endian)
{
	for (uint32_t i = 0; i < bytes; i++)
		at[big_endian ? bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

#define PUT(at, type, member, value) \
	put_number((at) + offsetof(type, member), (value), sizeof((type *)NULL)->member, big_endian)

static void
put_wrapped_header(uint8_t *header, uint32_t type, uint64_t name, uint64_t offset, uint64_t bytes,
                   bool big_endian)
{
	PUT(header, Elf64_Shdr, sh_name, name);
	PUT(header, Elf64_Shdr, sh_type, type);
	PUT(header, Elf64_Shdr, sh_offset, offset);
	PUT(header, Elf64_Shdr, sh_size, bytes);
	PUT(header, Elf64_Shdr, sh_addralign, 1);
}

/* Behind the file header are contents, then names, then section headers. */
static void
write_wrapped(uint8_t *bytes, const struct wrapping *wrapping, uint64_t headers)
{
	const struct gprofx_target *target = wrapping->image->target;
	uint64_t at = sizeof(Elf64_Ehdr), names = at + wrapping->bytes, name = 1;
	bool big_endian = target->big_endian;
	uint8_t *header = bytes + headers + sizeof(Elf64_Shdr);

	for (size_t i = 0; i < SELFMAG; i++)
		bytes[i] = (uint8_t)ELFMAG[i];
	bytes[EI_CLASS] = ELFCLASS64;
	bytes[EI_DATA] = big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	bytes[EI_VERSION] = EV_CURRENT;
	PUT(bytes, Elf64_Ehdr, e_type, ET_EXEC);
	PUT(bytes, Elf64_Ehdr, e_machine, target->machine);
	PUT(bytes, Elf64_Ehdr, e_version, EV_CURRENT);
	PUT(bytes, Elf64_Ehdr, e_shoff, headers);
	PUT(bytes, Elf64_Ehdr, e_ehsize, sizeof(Elf64_Ehdr));
	PUT(bytes, Elf64_Ehdr, e_shentsize, sizeof(Elf64_Shdr));
	PUT(bytes, Elf64_Ehdr, e_shnum, wrapping->count + 2u);
	PUT(bytes, Elf64_Ehdr, e_shstrndx, wrapping->count + 1u);
	for (uint32_t i = 0; i < wrapping->count; i++, header += sizeof(Elf64_Shdr)) {
		const struct gprofx_debug_section *section = wrapping->sections[i];
		size_t length = strlen(section->name) + 1;

		memcpy(bytes + at, wrapping->image->bytes + section->file_offset, section->bytes);
		for (size_t k = 0; k < length; k++)
			bytes[names + name + k] = (uint8_t)section->name[k];
		put_wrapped_header(header, SHT_PROGBITS, name, at, section->bytes, big_endian);
		at += aligned(section->bytes);
		name += length;
	}
	put_wrapped_header(header, SHT_STRTAB, 0, names, wrapping->name_bytes + 1, big_endian);
}

uint8_t *
dwarfsym_wrap(struct gprofx *gx, const struct gprofx_image *image, uint64_t *length)
{
	struct wrapping wrapping = {.image = image};
	uint64_t headers;
	uint8_t *bytes;

	if (image->size <= offsetof(struct gprofx_image, debug_count) || !image->target ||
	    !choose_sections(&wrapping))
		return NULL;
	headers = aligned(sizeof(Elf64_Ehdr) + wrapping.bytes + wrapping.name_bytes + 1);
	*length = headers + (wrapping.count + 2) * sizeof(Elf64_Shdr);
	bytes = gprofx_alloc(gx, *length);
	write_wrapped(bytes, &wrapping, headers);
	return bytes;
}

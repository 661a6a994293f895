/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens an ELF image: checks the header by hand, so that libelf never sees an offset that leads out
 * of the file, then takes the section headers from libelf.
 */
#include "object.h"

#include <gelf.h>
#include <string.h>

static const char give_the_program[] =
	"name the linked program that wrote the profile, as it was when it ran";
const char symelf_copy_again[] = "the file is damaged or cut short; copy or link it again";

/* What the bytes are, when they are not ELF. */
static enum gprofx_result
foreign(const struct object *object)
{
	static const struct {
		const char *start, *found, *advice;
	} kinds[] = {
		{"!<arch>\n", "an archive", "name the program that was linked with the archive"},
		{"#!", "a script",
	         "name the program that the script starts; libtool keeps it in .libs"},
		{"gmon", "a profile", "name the image first, then the profiles"},
	};
	const uint8_t *bytes = object->image->bytes;
	uint64_t length = object->image->length;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		size_t start_bytes = strlen(kinds[i].start);

		if (length >= start_bytes && memcmp(bytes, kinds[i].start, start_bytes) == 0)
			return SYMELF_REJECT(object, 0, kinds[i].advice,
			                     "expected an ELF object file, found %s",
			                     kinds[i].found);
	}
	return SYMELF_REJECT(object, 0, give_the_program, "expected an ELF object file, found %s",
	                     length == 0 ? "an empty file" : "other data");
}

/* The members of the file header that lead elsewhere. */
struct header {
	uint64_t section_offset, segment_offset;
	uint32_t section_count, segment_count, name_section;
};

static uint64_t
header_number(const struct object *object, uint64_t at32, uint64_t at64, uint32_t bytes32,
              uint32_t bytes64)
{
	bool is_64 = object->target.pointer_bytes == 8;

	return gprofx_number_at(object->image->bytes + (is_64 ? at64 : at32),
	                        is_64 ? bytes64 : bytes32, object->target.big_endian);
}

#define HEADER(object, member)                                                              \
	header_number((object), offsetof(Elf32_Ehdr, member), offsetof(Elf64_Ehdr, member), \
	              (uint32_t)sizeof(((Elf32_Ehdr *)0)->member),                          \
	              (uint32_t)sizeof(((Elf64_Ehdr *)0)->member))

static enum gprofx_result
read_ident(struct object *object)
{
	const struct gprofx_image *image = object->image;
	const uint8_t *ident = image->bytes;
	uint64_t header_bytes;

	if (image->length < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
		return foreign(object);
	if (image->length < EI_NIDENT)
		return SYMELF_REJECT(object, image->length, symelf_copy_again,
		                     "expected an ELF header, found the end of the file");
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return SYMELF_REJECT(object, EI_CLASS, symelf_copy_again,
		                     "expected ELF class 1 or 2, found %u", ident[EI_CLASS]);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return SYMELF_REJECT(object, EI_DATA, symelf_copy_again,
		                     "expected ELF byte order 1 or 2, found %u", ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		return SYMELF_REJECT(object, EI_VERSION, symelf_copy_again,
		                     "expected ELF version 1, found %u", ident[EI_VERSION]);
	header_bytes = ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	if (image->length < header_bytes)
		return SYMELF_REJECT(
			object, image->length, symelf_copy_again,
			"expected %llu more bytes of the ELF header, found the end of the file",
			(unsigned long long)(header_bytes - image->length));
	object->target.size = sizeof object->target;
	object->target.pointer_bytes = ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	object->target.big_endian = ident[EI_DATA] == ELFDATA2MSB;
	object->target.machine = (uint16_t)HEADER(object, e_machine);
	object->target.sign_extends = object->target.machine == EM_MIPS;
	object->type = (uint16_t)HEADER(object, e_type);
	object->flags = (uint32_t)HEADER(object, e_flags);
	if (object->type == ET_CORE)
		return SYMELF_REJECT(object, offsetof(Elf64_Ehdr, e_type), give_the_program,
		                     "expected a program, found a core file");
	return GPROFX_OK;
}

/* A member of the section header 0, which holds what is too large for the file header. */
static uint64_t
section_zero(const struct object *object, const struct header *header, uint32_t at32, uint32_t at64,
             uint32_t bytes64)
{
	bool is_64 = object->target.pointer_bytes == 8;

	return gprofx_number_at(object->image->bytes + header->section_offset +
	                                (is_64 ? at64 : at32),
	                        is_64 ? bytes64 : 4, object->target.big_endian);
}

static bool
table_fits(const struct object *object, uint64_t offset, uint64_t count, uint64_t item_bytes)
{
	return offset <= object->image->length &&
	       count <= (object->image->length - offset) / item_bytes;
}

static enum gprofx_result
read_header(const struct object *object, struct header *header)
{
	bool is_64 = object->target.pointer_bytes == 8;
	uint64_t shdr_bytes = is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint64_t ehdr_bytes = is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	uint64_t phdr_bytes = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	uint64_t shoff_at = is_64 ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff);
	uint64_t phoff_at = is_64 ? offsetof(Elf64_Ehdr, e_phoff) : offsetof(Elf32_Ehdr, e_phoff);
	uint64_t shentsize_at = is_64 ? offsetof(Elf64_Ehdr, e_shentsize)
	                              : offsetof(Elf32_Ehdr, e_shentsize);
	uint64_t count;

	header->section_offset = HEADER(object, e_shoff);
	header->section_count = (uint32_t)HEADER(object, e_shnum);
	header->name_section = (uint32_t)HEADER(object, e_shstrndx);
	header->segment_offset = HEADER(object, e_phoff);
	header->segment_count = (uint32_t)HEADER(object, e_phnum);

	if (header->segment_count != 0 && header->segment_count != PN_XNUM &&
	    !table_fits(object, header->segment_offset, header->segment_count, phdr_bytes))
		return SYMELF_REJECT(
			object, phoff_at, symelf_copy_again,
			"expected %u program headers inside the file, found them beyond its end",
			header->segment_count);
	if (header->section_offset == 0 && header->section_count == 0)
		return GPROFX_OK;
	if (header->section_offset < ehdr_bytes)
		return SYMELF_REJECT(
			object, shoff_at, symelf_copy_again,
			"expected section headers behind the file header, found them at offset %llu",
			(unsigned long long)header->section_offset);
	if (HEADER(object, e_shentsize) != shdr_bytes)
		return SYMELF_REJECT(object, shentsize_at, symelf_copy_again,
		                     "expected section headers of %llu bytes, found %llu bytes",
		                     (unsigned long long)shdr_bytes,
		                     (unsigned long long)HEADER(object, e_shentsize));
	count = header->section_count;
	if (table_fits(object, header->section_offset, 1, shdr_bytes)) {
		if (count == 0)
			count = section_zero(object, header, offsetof(Elf32_Shdr, sh_size),
			                     offsetof(Elf64_Shdr, sh_size), 8);
		if (header->name_section == SHN_XINDEX)
			header->name_section = (uint32_t)section_zero(
				object, header, offsetof(Elf32_Shdr, sh_link),
				offsetof(Elf64_Shdr, sh_link), 4);
	}
	if (count == 0 || count > UINT32_MAX ||
	    !table_fits(object, header->section_offset, count, shdr_bytes))
		return SYMELF_REJECT(
			object, shoff_at, symelf_copy_again,
			"expected %llu section headers inside the file, found them beyond its end",
			(unsigned long long)count);
	header->section_count = (uint32_t)count;
	return GPROFX_OK;
}

uint64_t
symelf_address(const struct object *object, uint64_t value)
{
	if (object->target.sign_extends && object->target.pointer_bytes == 4)
		value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
	return value;
}

/* Section headers in one form; names come later. */
static bool
read_sections(struct object *object)
{
	struct section *section = object->sections;
	uint64_t length = object->image->length;

	for (uint32_t i = 0; i < object->section_count; i++, section++) {
		GElf_Shdr row;

		if (!gelf_getshdr(elf_getscn(object->elf, i), &row))
			return false;
		section->name = "";
		section->address = symelf_address(object, row.sh_addr);
		section->flags = row.sh_flags;
		section->offset = row.sh_offset;
		section->bytes = row.sh_size;
		section->entry_bytes = row.sh_entsize;
		section->type = row.sh_type;
		section->link = row.sh_link;
		section->info = row.sh_info;
		section->in_file = row.sh_type != SHT_NOBITS && row.sh_type != SHT_NULL &&
		                   row.sh_offset <= length && row.sh_size <= length - row.sh_offset;
		section->name_at = row.sh_name;
	}
	return true;
}

/* Bytes per item in sections that are tables of a fixed kind; 0: not such a table. */
static uint64_t
item_bytes(const struct section *section, bool is_64)
{
	switch (section->type) {
	case SHT_SYMTAB:
	case SHT_DYNSYM:
		return is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	case SHT_REL:
		return is_64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	case SHT_RELA:
		return is_64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela);
	case SHT_GNU_versym:
		return sizeof(Elf64_Versym);
	default:
		return 0;
	}
}

/* Rejects what gprof rejects for sections that do not fit together. */
static enum gprofx_result
check_sections(const struct object *object, uint64_t offset)
{
	bool is_64 = object->target.pointer_bytes == 8;
	uint64_t row_bytes = is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];
		uint64_t bytes = item_bytes(section, is_64);
		bool is_reserved = section->link >= SHN_LORESERVE && section->link <= SHN_HIRESERVE;

		if (section->link >= object->section_count && !is_reserved)
			return SYMELF_REJECT(
				object, offset + i * row_bytes, symelf_copy_again,
				"expected section %u linked to one of %u sections, found a link to section %u",
				i, object->section_count, section->link);
		if (object->has_names && bytes != 0 && section->entry_bytes != bytes)
			return SYMELF_REJECT(
				object, offset + i * row_bytes, symelf_copy_again,
				"expected items of %llu bytes in section %u, found %llu bytes",
				(unsigned long long)bytes, i,
				(unsigned long long)section->entry_bytes);
	}
	return GPROFX_OK;
}

/* Names of sections; an image without a table of them keeps empty names. */
static enum gprofx_result
name_sections(struct object *object, uint32_t table)
{
	const struct section *names;
	const char *strings;

	if (table == 0 || table >= object->section_count)
		return GPROFX_OK;
	names = &object->sections[table];
	if (names->type != SHT_STRTAB)
		return GPROFX_OK;
	if (!names->in_file || names->bytes == 0)
		return SYMELF_REJECT(
			object, names->offset, symelf_copy_again,
			"expected section names inside the file, found them beyond its end");
	strings = (const char *)object->image->bytes + names->offset;
	if (strings[names->bytes - 1] != '\0')
		return SYMELF_REJECT(object, names->offset + names->bytes - 1, symelf_copy_again,
		                     "expected a NUL at the end of the section names, found 0x%02x",
		                     (unsigned char)strings[names->bytes - 1]);
	for (uint32_t i = 1; i < object->section_count; i++) {
		struct section *section = &object->sections[i];

		if (section->name_at >= names->bytes)
			return SYMELF_REJECT(
				object, names->offset, symelf_copy_again,
				"expected the name of section %u in a table of %llu bytes, found it at %u",
				i, (unsigned long long)names->bytes, section->name_at);
		if (section->type != SHT_NULL)
			section->name = strings + section->name_at;
	}
	object->has_names = true;
	return GPROFX_OK;
}

static enum gprofx_result
open_object(struct object *object)
{
	const struct gprofx_image *image = object->image;
	struct gprofx *gx = object->gx;
	struct header header = {0};
	enum gprofx_result result = read_ident(object);

	if (result == GPROFX_OK)
		result = read_header(object, &header);
	if (result != GPROFX_OK || header.section_offset == 0)
		return result;
	object->sections = gprofx_alloc(gx, header.section_count * sizeof *object->sections);
	object->section_count = header.section_count;
	elf_version(EV_CURRENT);
	object->elf = elf_memory((char *)image->bytes, image->length);
	if (!object->elf || !read_sections(object))
		return SYMELF_REJECT(object, header.section_offset, symelf_copy_again,
		                     "expected section headers, found what libelf cannot read: %s",
		                     elf_errmsg(-1));
	result = name_sections(object, header.name_section);
	if (result == GPROFX_OK)
		result = check_sections(object, header.section_offset);
	return result;
}

enum gprofx_result
symelf_open(struct object *object, struct gprofx *gx, const struct gprofx_image *image)
{
	*object = (struct object){.gx = gx, .image = image};
	return open_object(object);
}

enum gprofx_result
symelf_try(struct object *object, struct gprofx *gx, const struct gprofx_image *image)
{
	*object = (struct object){.gx = gx, .image = image, .voice = VOICE_SILENT};
	return open_object(object);
}

void
symelf_close(struct object *object)
{
	if (object->elf)
		elf_end(object->elf);
}

bool
symelf_is_bookkeeping(const struct section *section)
{
	return section->type == SHT_NULL || section->type == SHT_SYMTAB ||
	       section->type == SHT_SHLIB || section->type == SHT_SYMTAB_SHNDX;
}

/* PE keeps tables in sections of these names; gprof's rule for code looks at names first. */
static bool
is_table_name(const char *name)
{
	static const char *const tables[] = {".drectve", ".edata", ".idata", ".pdata"};

	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		size_t length = strlen(tables[i]);
		char next;

		if (strncmp(name, tables[i], length) != 0)
			continue;
		next = name[length];
		return next == '\0' || next == '.' || next == '$' || (next >= '0' && next <= '9');
	}
	return false;
}

bool
symelf_is_code(const struct section *section)
{
	return (section->flags & SHF_EXECINSTR) != 0 && !symelf_is_bookkeeping(section) &&
	       !is_table_name(section->name);
}

uint64_t
symelf_strings_bytes(const struct object *object, const struct section *strings)
{
	const uint8_t *bytes = object->image->bytes + strings->offset;
	uint64_t count = strings->bytes;

	while (count > 0 && bytes[count - 1] != '\0')
		count--;
	return count;
}

const struct section *
symelf_section(const struct object *object, const char *name)
{
	for (uint32_t i = 1; i < object->section_count; i++) {
		if (!symelf_is_bookkeeping(&object->sections[i]) &&
		    strcmp(object->sections[i].name, name) == 0)
			return &object->sections[i];
	}
	return NULL;
}

const void *
symelf_items(const struct object *object, uint64_t offset, uint64_t bytes, Elf_Type type)
{
	Elf_Data *data = elf_getdata_rawchunk(object->elf, (int64_t)offset, bytes, type);

	return data && data->d_size >= bytes ? data->d_buf : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols that a module asks for and that are not defined.  The system's loader reports the
 * first one only, so its tables are read here, as far as they stand in sections; nothing in them is
 * believed.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "plugin/modules.h"

enum { MOST_LIBRARIES = 64, MOST_NAMED = 10, MOST_LETTERS = 60 };

struct module {
	const uint8_t *bytes;
	uint64_t length;
	ElfW(Ehdr) header;
	void *libraries[MOST_LIBRARIES];
	uint32_t library_count;
};

/* A section; "bytes" NULL: there is no such thing. */
struct section {
	ElfW(Shdr) header;
	const uint8_t *bytes;
};

static struct section
section_of(const struct module *module, uint64_t number)
{
	uint64_t at = module->header.e_shoff, size = sizeof(ElfW(Shdr));
	struct section section = {.bytes = NULL};

	if (number >= module->header.e_shnum || module->header.e_shentsize != size ||
	    at > module->length || module->length - at < (number + 1) * size)
		return section;
	memcpy(&section.header, module->bytes + at + number * size, size);
	at = section.header.sh_offset;
	if (section.header.sh_type != SHT_NOBITS && at <= module->length &&
	    section.header.sh_size <= module->length - at)
		section.bytes = module->bytes + at;
	return section;
}

/* The first section of a type whose rows have this size. */
static struct section
section_of_type(const struct module *module, uint32_t type, uint64_t row_bytes)
{
	for (uint32_t i = 0; i < module->header.e_shnum; i++) {
		struct section section = section_of(module, i);

		if (section.bytes && section.header.sh_type == type &&
		    section.header.sh_entsize == row_bytes)
			return section;
	}
	return (struct section){.bytes = NULL};
}

/* A name in the strings that belong to a section, or "". */
static const char *
name_in(const struct section *strings, uint64_t offset)
{
	uint64_t size = strings->header.sh_size;

	if (!strings->bytes || offset >= size || strings->bytes[size - 1] != '\0')
		return "";
	return (const char *)strings->bytes + offset;
}

/* Opens the libraries that the module asks for.  False: not all can be opened by their names. */
static bool
open_libraries(struct module *module)
{
	struct section rows = section_of_type(module, SHT_DYNAMIC, sizeof(ElfW(Dyn)));
	struct section strings = section_of(module, rows.header.sh_link);
	uint64_t count = rows.bytes ? rows.header.sh_size / sizeof(ElfW(Dyn)) : 0;

	for (uint64_t i = 0; i < count; i++) {
		ElfW(Dyn) row;
		void *library;

		memcpy(&row, rows.bytes + i * sizeof row, sizeof row);
		if (row.d_tag != DT_NEEDED)
			continue;
		library = module->library_count < MOST_LIBRARIES
		                  ? dlopen(name_in(&strings, row.d_un.d_val),
		                           RTLD_LAZY | RTLD_LOCAL)
		                  : NULL;
		if (!library)
			return false;
		module->libraries[module->library_count++] = library;
	}
	return true;
}

static bool
is_defined(const struct module *module, const char *name)
{
	bool is_found = dlsym(RTLD_DEFAULT, name) != NULL;

	for (uint32_t i = 0; i < module->library_count && !is_found; i++)
		is_found = dlsym(module->libraries[i], name) != NULL;
	return is_found;
}

static const char *
list_undefined(struct run *run, const struct module *module, uint32_t *count)
{
	struct section rows = section_of_type(module, SHT_DYNSYM, sizeof(ElfW(Sym)));
	struct section strings = section_of(module, rows.header.sh_link);
	uint64_t symbols = rows.bytes ? rows.header.sh_size / sizeof(ElfW(Sym)) : 0;
	const char *list = NULL;

	for (uint64_t i = 0; i < symbols; i++) {
		const char *name;
		ElfW(Sym) symbol;

		memcpy(&symbol, rows.bytes + i * sizeof symbol, sizeof symbol);
		name = name_in(&strings, symbol.st_name);
		/* Binding and type are stored in the same way in files of both sizes. */
		if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_WEAK ||
		    name[0] == '\0' || is_defined(module, name))
			continue;
		if (++*count <= MOST_NAMED)
			list = text_format(run, "%s%s%.*s", list ? list : "", list ? ", " : "",
			                   MOST_LETTERS, name);
	}
	if (*count > MOST_NAMED)
		list = text_format(run, "%s and %u more", list, *count - MOST_NAMED);
	return list;
}

const char *
plugin_undefined_symbols(struct run *run, const char *path, uint32_t *count)
{
	int error;
	struct mapped_file *file = mapfile_open(run, path, 0, &error);
	struct module module = {.library_count = 0};
	const char *list = NULL;

	*count = 0;
	if (!file)
		return NULL;
	module.bytes = file->bytes;
	module.length = file->length;
	if (module.length >= sizeof module.header) {
		memcpy(&module.header, module.bytes, sizeof module.header);
		if (open_libraries(&module))
			list = list_undefined(run, &module, count);
	}
	while (module.library_count > 0)
		dlclose(module.libraries[--module.library_count]);
	mapfile_close(run, file);
	return list;
}

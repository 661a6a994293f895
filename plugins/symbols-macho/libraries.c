/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which shared libraries a Mach-O image asks for, and the slots that the loader fills with the
 * addresses of their functions.
 */
#include <string.h>

#include <gprofx/symbols.h>

#include "macho.h"

#define NEEDED_LATER 0x80000000u /* of kinds of commands: the loader must know them */

enum {
	LOAD_LIBRARY = 12,
	OWN_NAME = 13,
	LOAD_WEAK = 24,
	RUN_PATH = 28,
	LOAD_AGAIN = 31,
	LOAD_LAZY = 32,
	LOAD_UPWARD = 35,
	NAME_AT = 8 /* of a command: where its text is in it */
};

/* Entries of the indirect table that are no number of a symbol. */
#define INDIRECT_NONE 0xc0000000u

/* The text of a command, or NULL. */
static const char *
command_text(const struct macho *macho, const struct macho_command *command)
{
	uint32_t at;

	if (command->length < NAME_AT + 4)
		return NULL;
	at = macho_word(macho, command->bytes + NAME_AT);
	if (at < NAME_AT + 4 || at >= command->length || command->bytes[at] == '\0' ||
	    !memchr(command->bytes + at, '\0', command->length - at))
		return NULL;
	return (const char *)command->bytes + at;
}

static bool
loads_library(const struct macho_command *command)
{
	switch (command->kind & ~NEEDED_LATER) {
	case LOAD_LIBRARY:
	case LOAD_WEAK:
	case LOAD_AGAIN:
	case LOAD_LAZY:
	case LOAD_UPWARD:
		return true;
	default:
		return false;
	}
}

/*
 * Appends a folder to the run path, behind the bytes that are filled, with the words of ELF for the
 * folder of the image; returns how many bytes are filled then.
 */
static size_t
add_folder(char *path, size_t used, const char *folder)
{
	static const char *const origins[] = {"@loader_path", "@executable_path"};
	static const char origin[] = "$ORIGIN";
	size_t skipped = 0;

	for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++)
		if (strncmp(folder, origins[i], strlen(origins[i])) == 0)
			skipped = strlen(origins[i]);
	if (used > 0)
		path[used++] = ':';
	if (skipped > 0) {
		memcpy(path + used, origin, sizeof origin - 1);
		used += sizeof origin - 1;
	}
	memcpy(path + used, folder + skipped, strlen(folder + skipped));
	return used + strlen(folder + skipped);
}

/* The name without the word for the folders of the run path. */
static const char *
library_name(const char *name)
{
	static const char run_path[] = "@rpath/";

	return strncmp(name, run_path, sizeof run_path - 1) == 0 ? name + sizeof run_path - 1
	                                                         : name;
}

void
macho_find_libraries(const struct macho *macho, struct gprofx_symtab *symtab)
{
	struct macho_command command;
	const char **names, *text;
	uint32_t count = 0;
	size_t path_bytes = 1, used = 0;
	char *path;

	for (bool more = macho_first(macho, &command); more; more = macho_next(macho, &command)) {
		count += loads_library(&command);
		/* The command is longer than its text by more than what can be added to it. */
		if (command.kind == (RUN_PATH | NEEDED_LATER))
			path_bytes += command.length;
	}
	if (count == 0 && path_bytes == 1 && macho->kind == MACHO_OBJECT)
		return;
	names = gprofx_alloc(macho->gx, ((size_t)count + 1) * sizeof *names);
	path = gprofx_alloc(macho->gx, path_bytes);
	for (bool more = macho_first(macho, &command); more; more = macho_next(macho, &command)) {
		text = command_text(macho, &command);
		/* Symbols name libraries by their numbers: each has one. */
		if (loads_library(&command))
			names[symtab->library_count++] = text ? library_name(text) : "unnamed";
		else if (!text)
			continue;
		else if (command.kind == OWN_NAME)
			symtab->library_name = library_name(text);
		else if (command.kind == (RUN_PATH | NEEDED_LATER))
			used = add_folder(path, used, text);
	}
	symtab->libraries = names;
	symtab->run_path = used > 0 ? path : NULL;
}

/* Which library has an undefined symbol; NULL: not known. */
static const char *
library_of(const struct macho *macho, const struct gprofx_symtab *symtab,
           const struct macho_symbol *symbol)
{
	uint32_t ordinal = symbol->properties >> 8;

	if (!macho->has_two_levels || ordinal == 0 || ordinal > symtab->library_count)
		return NULL;
	return symtab->libraries[ordinal - 1];
}

static void
take_slot(const struct macho *macho, struct gprofx_symtab *symtab, struct gprofx_slot *slots,
          uint64_t address, uint32_t number)
{
	struct macho_symbol symbol;
	struct gprofx_slot slot = {.address = address};

	if (number >= macho->symbols.count)
		return;
	symbol = macho_symbol(macho, number);
	if (symbol.name >= macho->names_bytes || (symbol.type & SYMBOL_DEBUG) != 0)
		return;
	slot.name = macho->names + symbol.name;
	if (macho_is_in_code(macho, &symbol))
		slot.function = symbol.value;
	else if ((symbol.type & SYMBOL_PLACE) == 0)
		slot.library = library_of(macho, symtab, &symbol);
	else
		return;
	slots[symtab->slot_count++] = slot;
}

void
macho_find_slots(const struct macho *macho, struct gprofx_symtab *symtab)
{
	uint64_t left = macho->indirect.count;
	uint32_t pointer = macho->target.pointer_bytes;
	struct gprofx_slot *slots;

	if (left == 0 || !macho_has(macho, &macho->indirect, 4))
		return;
	slots = gprofx_alloc(macho->gx, left * sizeof *slots);
	for (uint32_t i = 0; i < macho->section_count; i++) {
		const struct macho_section *section = &macho->sections[i];
		uint32_t type = section->flags & SECTION_TYPE;
		uint64_t count = section->bytes / pointer, first = section->first_indirect;

		if ((type != SECTION_POINTERS && type != SECTION_LAZY_POINTERS) ||
		    first >= macho->indirect.count)
			continue;
		if (count > macho->indirect.count - first)
			count = macho->indirect.count - first;
		/* Sections of a sound image have entries of their own. */
		for (uint64_t k = 0; k < count && left > 0; k++, left--) {
			uint32_t number = macho_word(macho, macho->bytes + macho->indirect.offset +
			                                            4 * (first + k));

			if ((number & INDIRECT_NONE) == 0)
				take_slot(macho, symtab, slots, section->address + k * pointer,
				          number);
		}
	}
	symtab->slots = slots;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks in code of MIPS, whose symbols say in which set of instructions they are.  gcc gives names
 * to the start and the end of data between instructions of MIPS16.
 */
#include <elf.h>
#include <string.h>

#include <gprofx/findcall.h>
#include <gprofx/symbols.h>

#include "object.h"

enum { ISA = 0xc0, MICROMIPS = 0x80, MIPS16 = 0xf0 };

/* What begins at a symbol; NULL: it does not tell. */
static const char *
mark_of(const struct symbol_table *table, const Elf64_Sym *row)
{
	const char *name;

	switch (row->st_info & 15) {
	case STT_FUNC:
		return (row->st_other & MIPS16) == MIPS16   ? "$s"
		       : (row->st_other & ISA) == MICROMIPS ? "$m"
		                                            : "$n";
	case STT_OBJECT:
		name = symelf_name(table, row);
		if (strncmp(name, "__jump_", 7) == 0)
			return "$d";
		return strncmp(name, "__pool_", 7) == 0   ? "$d"
		       : strncmp(name, "__pend_", 7) == 0 ? "$s"
		                                          : NULL;
	default:
		return NULL;
	}
}

static bool
is_in_code(const struct object *object, const Elf64_Sym *row)
{
	return row->st_shndx != SHN_UNDEF && row->st_shndx < object->section_count &&
	       symelf_is_code(&object->sections[row->st_shndx]);
}

void
symelf_modes(const struct object *object, const struct symbol_table *table,
             struct gprofx_symtab *symtab)
{
	bool is_linked = object->type == ET_EXEC || object->type == ET_DYN;
	struct gprofx_code_mark *marks;
	bool has_modes = false;
	uint32_t count = 0;

	if (object->target.machine != EM_MIPS || !is_linked)
		return;
	for (uint32_t i = 1; i < table->count; i++) {
		Elf64_Sym row = symelf_row(object, table, i);
		const char *name = is_in_code(object, &row) ? mark_of(table, &row) : NULL;

		count += name != NULL;
		has_modes = has_modes || (name && name[1] != 'n');
	}
	if (!has_modes)
		return;
	symtab->marks = marks = gprofx_alloc(object->gx, count * sizeof *marks);
	for (uint32_t i = 1; i < table->count; i++) {
		Elf64_Sym row = symelf_row(object, table, i);
		const char *name = is_in_code(object, &row) ? mark_of(table, &row) : NULL;
		uint64_t address = symelf_address(object, row.st_value & ~(uint64_t)1);

		if (name)
			marks[symtab->mark_count++] = (struct gprofx_code_mark){address, name};
	}
}

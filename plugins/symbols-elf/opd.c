/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function descriptors of 64-bit PowerPC (first version of its calling convention): a function's
 * symbol stands at a descriptor in .opd whose first word is the address of the code.  The code gets
 * a symbol of its own, the name with a dot before it, unless it has one already.
 */
#include "object.h"

#include <stdlib.h>
#include <string.h>

/* Calling convention in the header's flags; 2 and above have no descriptors. */
enum { CONVENTION_MASK = 3, CONVENTION_DESCRIPTORS = 1 };

struct descriptor {
	uint64_t address; /* of the descriptor */
	uint32_t rank;    /* which of several names is taken: the lowest */
	uint32_t row;     /* in the symbol table */
};

const struct section *
symelf_opd(const struct object *object)
{
	const struct section *opd;

	if (object->target.machine != EM_PPC64 || object->target.pointer_bytes != 8 ||
	    (object->flags & CONVENTION_MASK) > CONVENTION_DESCRIPTORS ||
	    (object->type != ET_EXEC && object->type != ET_DYN))
		return NULL;
	opd = symelf_section(object, ".opd");
	return opd && opd->in_file ? opd : NULL;
}

/* Types that a function, or its descriptor, can have. */
static bool
may_be_function(const Elf64_Sym *row)
{
	unsigned binding = row->st_info >> 4, type = row->st_info & 15u;

	return binding <= STB_WEAK && type != STT_OBJECT && type != STT_SECTION &&
	       type != STT_FILE && type != STT_COMMON && type != STT_TLS && type != STT_GNU_IFUNC;
}

static bool
is_in(const struct object *object, const Elf64_Sym *row, const struct section *section)
{
	return row->st_shndx < object->section_count &&
	       &object->sections[row->st_shndx] == section && may_be_function(row);
}

uint32_t
symelf_opd_count(const struct object *object, const struct symbol_table *table,
                 const struct section *opd)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < table->count; i++) {
		Elf64_Sym row = symelf_row(object, table, i);

		if (is_in(object, &row, opd))
			count++;
	}
	return count;
}

/* Global before the rest, functions before untyped symbols, weak ones last. */
static uint32_t
rank_of(const Elf64_Sym *row)
{
	unsigned binding = row->st_info >> 4;

	return (binding == STB_GLOBAL ? 0u : 4u) | ((row->st_info & 15u) == STT_FUNC ? 0u : 2u) |
	       (binding == STB_WEAK ? 1u : 0u);
}

static int
compare_descriptors(const void *a, const void *b)
{
	const struct descriptor *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static int
compare_addresses(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Addresses in code that have a symbol already, ascending. */
static uint32_t
find_named_code(const struct object *object, const struct symbol_table *table, uint64_t *named)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < table->count; i++) {
		Elf64_Sym row = symelf_row(object, table, i);

		if (row.st_shndx != SHN_UNDEF && row.st_shndx < object->section_count &&
		    symelf_is_code(&object->sections[row.st_shndx]) && may_be_function(&row))
			named[count++] = row.st_value;
	}
	qsort(named, count, sizeof *named, compare_addresses);
	return count;
}

/* The lowest address of code; false if there is none. */
static bool
lowest_code(const struct object *object, uint64_t *lowest)
{
	bool found = false;

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];

		if ((section->flags & SHF_ALLOC) == 0 || !symelf_is_code(section) ||
		    section->type == SHT_NOBITS)
			continue;
		if (!found || section->address < *lowest)
			*lowest = section->address;
		found = true;
	}
	return found;
}

static char *
dotted(const struct object *object, const char *name)
{
	size_t length = strlen(name);
	char *copy = gprofx_alloc(object->gx, length + 2);

	copy[0] = '.';
	memcpy(copy + 1, name, length);
	return copy;
}

static void
append(const struct object *object, const struct symbol_table *table, uint32_t index,
       uint64_t address, struct gprofx_symtab *symtab)
{
	Elf64_Sym row = symelf_row(object, table, index);
	uint32_t at = symtab->count++;

	symtab->rows.address[at] = address;
	symtab->rows.bytes[at] = row.st_size;
	symtab->rows.name[at] = dotted(object, symelf_name(table, &row));
	symtab->rows.flags[at] = (uint8_t)(GPROFX_SYMBOL_SYNTHETIC |
	                                   (row.st_info >> 4 == STB_LOCAL ? GPROFX_SYMBOL_LOCAL
	                                                                  : 0) |
	                                   ((row.st_info & 15u) == STT_FUNC ? GPROFX_SYMBOL_FUNCTION
	                                                                    : 0));
}

void
symelf_opd_fill(const struct object *object, const struct symbol_table *table,
                const struct section *opd, struct gprofx_symtab *symtab)
{
	struct gprofx *gx = object->gx;
	const uint8_t *bytes = object->image->bytes + opd->offset;
	struct descriptor *descriptors;
	uint64_t *named, lowest = 0;
	uint32_t named_count, count = 0;

	if (opd->bytes < sizeof(uint64_t) || !lowest_code(object, &lowest))
		return;
	descriptors = gprofx_alloc(gx, table->count * sizeof *descriptors);
	named = gprofx_alloc(gx, table->count * sizeof *named);
	named_count = find_named_code(object, table, named);
	for (uint32_t i = 1; i < table->count; i++) {
		Elf64_Sym row = symelf_row(object, table, i);

		if (is_in(object, &row, opd))
			descriptors[count++] = (struct descriptor){row.st_value, rank_of(&row), i};
	}
	qsort(descriptors, count, sizeof *descriptors, compare_descriptors);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t at = descriptors[i].address - opd->address;
		uint64_t entry;

		if ((i > 0 && descriptors[i - 1].address == descriptors[i].address) ||
		    at > opd->bytes - sizeof entry)
			continue;
		entry = gprofx_number_at(bytes + at, sizeof entry, object->target.big_endian);
		if (entry >= lowest &&
		    !bsearch(&entry, named, named_count, sizeof entry, compare_addresses))
			append(object, table, descriptors[i].row, entry, symtab);
	}
	gx->host->release(gx, named);
	gx->host->release(gx, descriptors);
}

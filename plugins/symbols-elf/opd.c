/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function descriptors of 64-bit PowerPC (first version of its calling convention): a function's
 * symbol stands at a descriptor in .opd whose first word is the address of the code.  The code gets
 * a symbol of its own, the name with a dot before it, unless it has one already.
 */
#include "object.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/symbols.h>

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
	return opd && opd->in_file && opd->bytes >= sizeof(uint64_t) ? opd : NULL;
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

/*
 * Keeps the descriptors that lead to code without a symbol, one per address; "address" becomes that
 * of the code.  Returns how many are left.
 */
static uint32_t
follow(const struct object *object, const struct symbol_table *table, const struct section *opd,
       struct descriptor *descriptors, uint32_t count)
{
	struct gprofx *gx = object->gx;
	const uint8_t *bytes = object->image->bytes + opd->offset;
	uint64_t *named = gprofx_alloc(gx, table->count * sizeof *named);
	uint64_t lowest = 0, previous = 0;
	uint32_t named_count = find_named_code(object, table, named), kept = 0;

	if (!lowest_code(object, &lowest))
		count = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = descriptors[i].address, at = address - opd->address, entry;
		bool is_alias = i > 0 && previous == address;

		previous = address;
		if (is_alias || at > opd->bytes - sizeof entry)
			continue;
		entry = gprofx_number_at(bytes + at, sizeof entry, object->target.big_endian);
		if (entry < lowest ||
		    bsearch(&entry, named, named_count, sizeof entry, compare_addresses))
			continue;
		descriptors[kept].address = entry;
		descriptors[kept++].row = descriptors[i].row;
	}
	gx->host->release(gx, named);
	return kept;
}

/*
 * Room for the names with their dots and NULs.  Names of a sound image share next to nothing; those
 * of a hostile one may all be ends of one long name, so the file's size is the limit.
 */
static bool
measure_names(const struct object *object, const struct symbol_table *table,
              const struct descriptor *descriptors, uint32_t count, size_t *total)
{
	uint64_t limit = object->image->length;

	*total = 0;
	for (uint32_t i = 0; i < count; i++) {
		Elf64_Sym row = symelf_row(object, table, descriptors[i].row);
		size_t length = strnlen(symelf_name(table, &row), limit - *total);

		if (length + 2 > limit - *total)
			return false;
		*total += length + 2;
	}
	return true;
}

static void
append(const struct object *object, const struct symbol_table *table,
       const struct descriptor *descriptor, char *name, struct gprofx_symtab *symtab)
{
	Elf64_Sym row = symelf_row(object, table, descriptor->row);
	bool is_local = row.st_info >> 4 == STB_LOCAL,
	     is_function = (row.st_info & 15u) == STT_FUNC;
	uint32_t at = symtab->count++;
	const char *plain = symelf_name(table, &row);

	name[0] = '.';
	memcpy(name + 1, plain, strlen(plain) + 1);
	symtab->rows.address[at] = descriptor->address;
	symtab->rows.bytes[at] = row.st_size;
	symtab->rows.name[at] = name;
	symtab->rows.flags[at] = (uint8_t)(GPROFX_SYMBOL_SYNTHETIC |
	                                   (is_local ? GPROFX_SYMBOL_LOCAL : 0) |
	                                   (is_function ? GPROFX_SYMBOL_FUNCTION : 0));
}

enum gprofx_result
symelf_opd_fill(const struct object *object, const struct symbol_table *table,
                const struct section *opd, struct gprofx_symtab *symtab)
{
	struct gprofx *gx = object->gx;
	struct descriptor *descriptors = gprofx_alloc(gx, table->count * sizeof *descriptors);
	enum gprofx_result result = GPROFX_OK;
	uint32_t count = 0;
	size_t total;
	char *names;

	for (uint32_t i = 1; i < table->count; i++) {
		Elf64_Sym row = symelf_row(object, table, i);

		if (is_in(object, &row, opd))
			descriptors[count++] = (struct descriptor){row.st_value, rank_of(&row), i};
	}
	qsort(descriptors, count, sizeof *descriptors, compare_descriptors);
	count = follow(object, table, opd, descriptors, count);
	if (measure_names(object, table, descriptors, count, &total)) {
		names = gprofx_alloc(gx, total);
		for (uint32_t i = 0; i < count; i++) {
			append(object, table, &descriptors[i], names, symtab);
			names += strlen(names) + 1;
		}
	} else {
		result = SYMELF_BAD_TABLE(
			object, table->section->offset, "bad value",
			"expected names of functions that together fit into %llu bytes, "
			"found longer ones",
			(unsigned long long)object->image->length);
	}
	gx->host->release(gx, descriptors);
	return result;
}

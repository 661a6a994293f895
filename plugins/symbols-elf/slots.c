/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GOT slots, and the functions whose addresses the loader writes into them: what relocations of the
 * image say, and on MIPS the order of the dynamic symbols.
 *
 * All of it is about functions of other objects, and a report is possible without: whatever is
 * damaged is skipped silently.
 */
#include "object.h"

#include <elf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/symbols.h>

enum { NONE = 0, MOST_TABLES = 16 };

/* What the relocations are numbered that write addresses of functions. */
struct kinds {
	uint16_t machine;
	uint16_t jump, data; /* the address of a symbol: for a stub, and for code */
	uint16_t word;       /* the same on machines that have none for code */
	uint16_t relative;   /* an address in the image */
	uint16_t chosen;     /* what a function returns that begins at an address in the image */
};

static const struct kinds machine_kinds[] = {
	{EM_386, R_386_JMP_SLOT, R_386_GLOB_DAT, NONE, R_386_RELATIVE, R_386_IRELATIVE},
	{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64, R_X86_64_RELATIVE,
         R_X86_64_IRELATIVE},
	{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, NONE, R_AARCH64_RELATIVE,
         R_AARCH64_IRELATIVE},
	{EM_ARM, R_ARM_JUMP_SLOT, R_ARM_GLOB_DAT, NONE, R_ARM_RELATIVE, R_ARM_IRELATIVE},
	{EM_RISCV, R_RISCV_JUMP_SLOT, R_RISCV_64, R_RISCV_32, R_RISCV_RELATIVE, R_RISCV_IRELATIVE},
	{EM_PPC, R_PPC_JMP_SLOT, R_PPC_GLOB_DAT, NONE, R_PPC_RELATIVE, R_PPC_IRELATIVE},
	{EM_PPC64, R_PPC64_JMP_SLOT, R_PPC64_GLOB_DAT, R_PPC64_ADDR64, R_PPC64_RELATIVE,
         R_PPC64_IRELATIVE},
	{EM_S390, R_390_JMP_SLOT, R_390_GLOB_DAT, NONE, R_390_RELATIVE, R_390_IRELATIVE},
	{EM_68K, R_68K_JMP_SLOT, R_68K_GLOB_DAT, NONE, R_68K_RELATIVE, NONE},
	{EM_SPARC, R_SPARC_JMP_SLOT, R_SPARC_GLOB_DAT, NONE, R_SPARC_RELATIVE, R_SPARC_IRELATIVE},
	{EM_SPARC32PLUS, R_SPARC_JMP_SLOT, R_SPARC_GLOB_DAT, NONE, R_SPARC_RELATIVE,
         R_SPARC_IRELATIVE},
	{EM_SPARCV9, R_SPARC_JMP_SLOT, R_SPARC_GLOB_DAT, NONE, R_SPARC_RELATIVE, R_SPARC_IRELATIVE},
	{EM_ALPHA, R_ALPHA_JMP_SLOT, R_ALPHA_GLOB_DAT, NONE, R_ALPHA_RELATIVE, NONE},
	{0x9026, R_ALPHA_JMP_SLOT, R_ALPHA_GLOB_DAT, NONE, R_ALPHA_RELATIVE, NONE},
	{EM_MIPS, R_MIPS_JUMP_SLOT, NONE, NONE, NONE, NONE},
	{EM_VAX, R_68K_JMP_SLOT, R_68K_GLOB_DAT, NONE, R_68K_RELATIVE, NONE},
};

/* A function that chooses at run time which one its name stands for. */
struct chooser {
	uint64_t address;
	const char *name;
};

struct finding {
	const struct object *object;
	const struct kinds *kinds;
	const struct section *tables[MOST_TABLES]; /* that slots are in */
	uint32_t table_count;
	struct chooser *choosers; /* ascending; no two of an address */
	uint32_t chooser_count;
	struct gprofx_slot *slots; /* NULL: they are only counted */
	uint32_t count;
	/*
	 * Bytes of tables that are still read: sections of a sound image do not overlap, and in a
	 * hostile one each of many can be the whole file.
	 */
	uint64_t left;
	const struct versions *versions;
};

/* A relocation of either form and size. */
struct relocation {
	uint64_t address, addend;
	uint32_t symbol, kind;
	bool has_addend;
};

static uint64_t
fitted(const struct object *object, uint64_t address)
{
	if (object->target.pointer_bytes == 4)
		address = (uint32_t)address;
	return symelf_address(object, address);
}

static bool
begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

static void
find_tables(struct finding *finding)
{
	const struct object *object = finding->object;

	for (uint32_t i = 1; i < object->section_count && finding->table_count < MOST_TABLES; i++) {
		const struct section *section = &object->sections[i];

		if ((section->flags & SHF_ALLOC) != 0 &&
		    (begins_with(section->name, ".got") || begins_with(section->name, ".plt") ||
		     begins_with(section->name, ".iplt")))
			finding->tables[finding->table_count++] = section;
	}
}

static const struct section *
table_of(const struct finding *finding, uint64_t address)
{
	uint32_t pointer_bytes = finding->object->target.pointer_bytes;

	for (uint32_t i = 0; i < finding->table_count; i++) {
		const struct section *table = finding->tables[i];

		if (address >= table->address && table->bytes >= pointer_bytes &&
		    address - table->address <= table->bytes - pointer_bytes)
			return table;
	}
	return NULL;
}

/* What stands in a slot before the program is loaded; 0: nothing. */
static uint64_t
content_of(const struct object *object, const struct section *table, uint64_t address)
{
	if (table->type == SHT_NOBITS || !table->in_file)
		return 0;
	return gprofx_number_at(object->image->bytes + table->offset + (address - table->address),
	                        object->target.pointer_bytes, object->target.big_endian);
}

/* The address of a function without the bit that gives its set of instructions. */
static uint64_t
without_mode(const struct object *object, uint64_t address)
{
	bool has_modes = object->target.machine == EM_ARM || object->target.machine == EM_MIPS;

	return fitted(object, has_modes ? address & ~(uint64_t)1 : address);
}

static void
add_slot(struct finding *finding, uint64_t address, uint64_t function, const char *name,
         const char *library)
{
	if (!name && function == 0)
		return;
	if (finding->slots)
		finding->slots[finding->count] = (struct gprofx_slot){address, function, name,
		                                                      library};
	finding->count++;
}

/* The slot of a symbol, if that can be a function. */
static void
add_symbol(struct finding *finding, const struct symbol_table *dynamic, uint64_t address,
           uint32_t index)
{
	Elf64_Sym row;
	unsigned type;
	bool is_here;

	if (index == 0 || index >= dynamic->count)
		return;
	row = symelf_row(finding->object, dynamic, index);
	type = row.st_info & 15u;
	if ((type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) ||
	    row.st_name >= dynamic->strings_bytes || dynamic->strings[row.st_name] == '\0')
		return;
	/* Which function it is that such a symbol stands for is not known before it runs. */
	is_here = row.st_shndx != SHN_UNDEF && type != STT_GNU_IFUNC;
	add_slot(finding, address, is_here ? without_mode(finding->object, row.st_value) : 0,
	         dynamic->strings + row.st_name,
	         row.st_shndx == SHN_UNDEF ? symelf_library_of(finding->versions, index) : NULL);
}

static const struct chooser *
chooser_at(const struct finding *finding, uint64_t address)
{
	uint32_t low = 0, high = finding->chooser_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (finding->choosers[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < finding->chooser_count && finding->choosers[low].address == address
	               ? &finding->choosers[low]
	               : NULL;
}

static void
take_relocation(struct finding *finding, const struct symbol_table *dynamic,
                const struct relocation *relocation)
{
	const struct object *object = finding->object;
	const struct kinds *kinds = finding->kinds;
	uint64_t address = fitted(object, relocation->address), value;
	const struct section *table;
	const struct chooser *chooser;

	if (relocation->kind == NONE)
		return;
	table = table_of(finding, address);
	if (!table)
		return;
	if (relocation->kind == kinds->jump || relocation->kind == kinds->data ||
	    relocation->kind == kinds->word) {
		add_symbol(finding, dynamic, address, relocation->symbol);
		return;
	}
	if (relocation->kind != kinds->relative && relocation->kind != kinds->chosen)
		return;
	value = relocation->has_addend ? relocation->addend : content_of(object, table, address);
	value = without_mode(object, value);
	if (relocation->kind == kinds->relative) {
		add_slot(finding, address, value, NULL, NULL);
		return;
	}
	chooser = chooser_at(finding, value);
	if (chooser)
		add_slot(finding, address, 0, chooser->name, NULL);
}

static uint64_t
relocation_bytes(const struct object *object, bool has_addend)
{
	if (object->target.pointer_bytes == 8)
		return has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	return has_addend ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
}

static struct relocation
relocation_at(const struct object *object, const uint8_t *rows, bool has_addend, uint64_t index)
{
	uint64_t bytes = relocation_bytes(object, has_addend);
	struct relocation found = {.has_addend = has_addend};

	if (object->target.pointer_bytes == 8) {
		Elf64_Rela row = {0};

		memcpy(&row, rows + index * bytes, bytes);
		found.address = row.r_offset;
		found.addend = (uint64_t)row.r_addend;
		found.symbol = (uint32_t)(row.r_info >> 32);
		found.kind = (uint32_t)row.r_info;
		/* Of SPARC, the upper 24 bits are a number of the relocation's own. */
		if (object->target.machine == EM_SPARCV9 || object->target.machine == 11)
			found.kind &= 0xff;
	} else {
		Elf32_Rela row = {0};

		memcpy(&row, rows + index * bytes, bytes);
		found.address = row.r_offset;
		found.addend = (uint64_t)(int64_t)row.r_addend;
		found.symbol = row.r_info >> 8;
		found.kind = row.r_info & 0xff;
	}
	return found;
}

/* Symbols of a section, without reporting what is wrong with them; else none. */
static struct symbol_table
open_quietly(const struct object *object, uint32_t number)
{
	struct symbol_table table = {0};
	const struct section *section = number < object->section_count ? &object->sections[number]
	                                                               : NULL;
	uint64_t row_bytes = object->target.pointer_bytes == 8 ? sizeof(Elf64_Sym)
	                                                       : sizeof(Elf32_Sym);
	uint64_t count;

	if (!section || (section->type != SHT_DYNSYM && section->type != SHT_SYMTAB) ||
	    !section->in_file || section->entry_bytes != row_bytes)
		return table;
	count = section->bytes / row_bytes;
	if (count >= UINT32_MAX)
		return table;
	table.section = section;
	table.rows = symelf_items(object, section->offset, count * row_bytes, ELF_T_SYM);
	if (table.rows)
		symelf_open_strings(object, &table);
	if (table.rows && table.strings)
		table.count = (uint32_t)count;
	return table;
}

static bool
is_affordable(struct finding *finding, uint64_t bytes)
{
	if (bytes > finding->left)
		return false;
	finding->left -= bytes;
	return true;
}

static struct symbol_table
open_affordable(struct finding *finding, uint32_t number)
{
	const struct object *object = finding->object;

	if (number >= object->section_count ||
	    !is_affordable(finding, object->sections[number].bytes))
		return (struct symbol_table){0};
	return open_quietly(object, number);
}

static void
take_relocations(struct finding *finding)
{
	const struct object *object = finding->object;
	struct symbol_table dynamic = {0};
	uint32_t opened = 0;

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];
		bool has_addend = section->type == SHT_RELA;
		const uint8_t *rows;

		if ((section->type != SHT_RELA && section->type != SHT_REL) ||
		    !(section->flags & SHF_ALLOC) || !section->in_file ||
		    section->entry_bytes != relocation_bytes(object, has_addend) ||
		    !is_affordable(finding, section->bytes))
			continue;
		rows = symelf_items(object, section->offset, section->bytes,
		                    has_addend ? ELF_T_RELA : ELF_T_REL);
		if (!rows)
			continue;
		if (section->link != opened) {
			opened = section->link;
			dynamic = open_affordable(finding, opened);
		}
		for (uint64_t k = 0; k < section->bytes / section->entry_bytes; k++) {
			struct relocation relocation = relocation_at(object, rows, has_addend, k);

			take_relocation(finding, &dynamic, &relocation);
		}
	}
}

/* An entry of the dynamic section, or 0. */
static uint64_t
dynamic_value(const struct object *object, uint64_t tag)
{
	uint32_t bytes = object->target.pointer_bytes;
	bool big_endian = object->target.big_endian;

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *section = &object->sections[i];
		const uint8_t *rows;

		if (section->type != SHT_DYNAMIC)
			continue;
		if (!section->in_file)
			return 0;
		rows = object->image->bytes + section->offset;
		for (uint64_t at = 0; section->bytes - at >= 2 * (uint64_t)bytes; at += 2 * bytes)
			if (gprofx_number_at(rows + at, bytes, big_endian) == tag)
				return gprofx_number_at(rows + at + bytes, bytes, big_endian);
		return 0;
	}
	return 0;
}

static uint32_t
dynamic_symbols(const struct object *object)
{
	for (uint32_t i = 1; i < object->section_count; i++)
		if (object->sections[i].type == SHT_DYNSYM)
			return i;
	return 0;
}

/* The global slots of MIPS follow the local ones, in the order of the dynamic symbols from one on.
 */
static void
take_mips(struct finding *finding)
{
	const struct object *object = finding->object;
	struct symbol_table dynamic = open_quietly(object, dynamic_symbols(object));
	uint64_t bytes = object->target.pointer_bytes, table = dynamic_value(object, DT_PLTGOT);
	uint64_t local = dynamic_value(object, DT_MIPS_LOCAL_GOTNO);
	uint64_t first = dynamic_value(object, DT_MIPS_GOTSYM);

	if (table == 0 || local > UINT32_MAX || first > UINT32_MAX)
		return;
	for (uint64_t i = first; i < dynamic.count; i++) {
		uint64_t address = fitted(object, table + (local + i - first) * bytes);

		if (table_of(finding, address))
			add_symbol(finding, &dynamic, address, (uint32_t)i);
	}
}

static int
by_address(const void *a, const void *b)
{
	const struct chooser *first = a, *second = b;

	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	/* Of several names, the one that is not the library's own. */
	if ((first->name[0] == '_') != (second->name[0] == '_'))
		return first->name[0] == '_' ? 1 : -1;
	return strcmp(first->name, second->name);
}

/* Puts the functions that choose others into the list, or counts them. */
static uint32_t
list_choosers(const struct object *object, const struct symbol_table *dynamic, struct chooser *list)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < dynamic->count; i++) {
		Elf64_Sym row = symelf_row(object, dynamic, i);

		if ((row.st_info & 15u) != STT_GNU_IFUNC || row.st_shndx == SHN_UNDEF ||
		    row.st_name >= dynamic->strings_bytes)
			continue;
		if (list)
			list[count] = (struct chooser){without_mode(object, row.st_value),
			                               dynamic->strings + row.st_name};
		count++;
	}
	return count;
}

static void
find_choosers(struct finding *finding)
{
	const struct object *object = finding->object;
	struct symbol_table dynamic = {0};
	uint32_t count, kept = 0;

	for (uint32_t i = 1; i < object->section_count && dynamic.count == 0; i++)
		if (object->sections[i].type == SHT_SYMTAB)
			dynamic = open_quietly(object, i);
	count = list_choosers(object, &dynamic, NULL);
	if (count == 0)
		return;
	finding->choosers = gprofx_alloc(object->gx, count * sizeof *finding->choosers);
	list_choosers(object, &dynamic, finding->choosers);
	qsort(finding->choosers, count, sizeof *finding->choosers, by_address);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || finding->choosers[i].address != finding->choosers[kept - 1].address)
			finding->choosers[kept++] = finding->choosers[i];
	finding->chooser_count = kept;
}

/* What code adds distances to; 0: nothing that is known. */
static uint64_t
find_base(const struct object *object)
{
	enum { MIPS_AHEAD = 0x7ff0, PPC_AHEAD = 0x8000 };
	const struct section *table;
	uint64_t base;

	switch (object->target.machine) {
	case EM_386:
		base = dynamic_value(object, DT_PLTGOT);
		table = symelf_section(object, ".got.plt");
		return fitted(object, base == 0 && table ? table->address : base);
	case EM_MIPS:
		base = dynamic_value(object, DT_PLTGOT);
		return base != 0 ? fitted(object, base + MIPS_AHEAD) : 0;
	case EM_PPC64:
		table = symelf_section(object, ".got");
		return table ? table->address + PPC_AHEAD : 0;
	default:
		return 0;
	}
}

void
symelf_find_slots(const struct object *object, struct gprofx_symtab *symtab)
{
	struct finding finding = {.object = object};
	uint32_t count = 0;

	for (size_t i = 0; i < sizeof machine_kinds / sizeof machine_kinds[0]; i++)
		if (machine_kinds[i].machine == object->target.machine)
			finding.kinds = &machine_kinds[i];
	if (!finding.kinds || !object->elf)
		return;
	symtab->linkage_base = find_base(object);
	find_tables(&finding);
	find_choosers(&finding);
	finding.versions = symelf_open_versions(object, symtab);
	for (uint32_t pass = 0; pass < 2; pass++) {
		finding.count = 0;
		finding.left = object->image->length;
		take_relocations(&finding);
		if (object->target.machine == EM_MIPS)
			take_mips(&finding);
		if (finding.count == 0)
			return;
		count = finding.count;
		if (pass == 0)
			finding.slots = gprofx_alloc(object->gx, count * sizeof *finding.slots);
	}
	symtab->slots = finding.slots;
	symtab->slot_count = count;
}

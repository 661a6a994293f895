/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks the symbol table and keeps what lies in code, and every weak symbol that is not data: the
 * latter count as functions wherever they are.
 */
#include "object.h"

#include <elf.h>
#include <libelf.h>
#include <string.h>

#include <gprofx/symbols.h>

/* For the loop over all symbols: a call for each of them costs as much as the work. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Shown for a symbol whose name lies outside the table of names. */
static const char no_name[] = "(null)";

/*
 * The table of names.  It may be missing or broken, then no symbol has a name; one that does not
 * end in a NUL is copied and closed.
 */
void
symelf_open_strings(const struct object *object, struct symbol_table *table)
{
	uint32_t link = table->section->link;
	const struct section *strings = &object->sections[link < object->section_count ? link : 0];
	const char *bytes;
	char *closed;

	/* Types of systems and machines are taken for what the link says, as gprof does. */
	if ((strings->type != SHT_STRTAB && strings->type < SHT_LOOS) || !strings->in_file ||
	    strings->bytes == 0)
		return;
	bytes = (const char *)object->image->bytes + strings->offset;
	table->strings = bytes;
	table->strings_bytes = strings->bytes;
	if (bytes[strings->bytes - 1] == '\0')
		return;
	closed = gprofx_alloc(object->gx, strings->bytes + 1);
	memcpy(closed, bytes, strings->bytes);
	table->strings = closed;
	table->strings_bytes = strings->bytes + 1;
}

enum gprofx_result
symelf_find_table(const struct object *object, uint32_t type, struct symbol_table *table)
{
	uint64_t row_bytes = object->target.pointer_bytes == 8 ? sizeof(Elf64_Sym)
	                                                       : sizeof(Elf32_Sym);
	const struct section *section = NULL;
	uint64_t count;

	*table = (struct symbol_table){0};
	for (uint32_t i = 1; i < object->section_count && !section; i++) {
		if (object->sections[i].type == type)
			section = &object->sections[i];
	}
	/* Other sizes were refused, unless no section has a name: such an image is refused later.
	 */
	if (!section || section->bytes == 0 || section->entry_bytes != row_bytes)
		return GPROFX_OK;
	count = section->bytes / section->entry_bytes;
	if (count == 0 || section->info > count)
		return SYMELF_REJECT(
			object, section->offset, symelf_copy_again,
			"expected the first global symbol among %llu symbols, found it at %u",
			(unsigned long long)count, section->info);
	table->section = section;
	table->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	return GPROFX_OK;
}

enum gprofx_result
symelf_open_table(const struct object *object, struct symbol_table *table)
{
	const struct section *section = table->section;

	if (!section->in_file || table->count == UINT32_MAX)
		return SYMELF_BAD_TABLE(
			object, section->offset, "file truncated",
			"expected the symbol table inside the file, found it beyond the end");
	table->rows = symelf_items(object, section->offset, table->count * section->entry_bytes,
	                           ELF_T_SYM);
	if (!table->rows)
		return SYMELF_BAD_TABLE(
			object, section->offset, elf_errmsg(-1),
			"expected a symbol table, found one that libelf cannot read");
	symelf_open_strings(object, table);
	return GPROFX_OK;
}

/* Rows may be misaligned in the file; a fixed-size copy costs nothing. */
static inline Elf64_Sym
row_64(const void *rows, uint32_t index)
{
	Elf64_Sym row;

	memcpy(&row, (const uint8_t *)rows + (size_t)index * sizeof row, sizeof row);
	return row;
}

static inline Elf64_Sym
row_32(const void *rows, uint32_t index)
{
	Elf32_Sym row;

	memcpy(&row, (const uint8_t *)rows + (size_t)index * sizeof row, sizeof row);
	return (Elf64_Sym){.st_name = row.st_name,
	                   .st_info = row.st_info,
	                   .st_other = row.st_other,
	                   .st_shndx = row.st_shndx,
	                   .st_value = row.st_value,
	                   .st_size = row.st_size};
}

Elf64_Sym
symelf_row(const struct object *object, const struct symbol_table *table, uint32_t index)
{
	return object->target.pointer_bytes == 8 ? row_64(table->rows, index)
	                                         : row_32(table->rows, index);
}

const char *
symelf_name(const struct symbol_table *table, const Elf64_Sym *row)
{
	return row->st_name < table->strings_bytes ? table->strings + row->st_name : no_name;
}

/* What the place of a symbol means. */
enum place {
	PLACE_UNDEFINED, /* elsewhere, or common */
	PLACE_OTHER,     /* defined: data, absolute */
	PLACE_CODE
};

struct walk {
	const struct object *object;
	const struct symbol_table *table;
	const char *strings; /* of the table */
	uint64_t strings_bytes;
	const uint8_t *places; /* enum place of each section */
	uint32_t section_count;
	const uint8_t *far_section; /* section numbers that do not fit, maybe misaligned; or NULL */
	uint64_t far_count;         /* rows that far_section has a number for */
	struct gprofx_symbol_rows rows;
	uint32_t *units; /* of the rows */
	uint32_t unit;   /* of local symbols that come now */
	uint32_t count;
	uint32_t nameless; /* names that lie outside the table */
	bool has_far_table;
	uint32_t far_row;        /* the first row that wants the table, when there is none */
	bool adds_section;       /* values count from the start of their section */
	bool clears_mode;        /* bit 0 of a function's address is no address */
	bool mode_is_relative;   /* ... counted from the start of its section */
	unsigned other_function; /* a second symbol type that is a function, or STT_FUNC again */
	bool sign_extends;
	bool wants_labels;
	bool marks_data; /* weak symbols outside of code are data */
};

/* Section numbers that a machine gives a meaning of its own. */
static enum place
reserved_place(uint16_t machine, uint32_t section)
{
	if (section == SHN_COMMON)
		return PLACE_UNDEFINED;
	if (machine == EM_MIPS) {
		if (section == SHN_MIPS_TEXT)
			return PLACE_CODE;
		if (section == SHN_MIPS_SCOMMON || section == SHN_MIPS_SUNDEFINED)
			return PLACE_UNDEFINED;
	}
	if (machine == EM_X86_64 && section == SHN_LORESERVE + 2) /* common, large model */
		return PLACE_UNDEFINED;
	if (machine == EM_M32R && section == SHN_LORESERVE) /* common, small */
		return PLACE_UNDEFINED;
	return PLACE_OTHER;
}

/* The place of a symbol; *section becomes the number of its section. */
ALWAYS_INLINE enum place
find_place(struct walk *walk, uint32_t index, uint32_t *section)
{
	if (*section >= SHN_LORESERVE) {
		if (*section != SHN_XINDEX) {
			enum place place = reserved_place(walk->object->target.machine, *section);

			*section = 0;
			return place;
		}
		if (!walk->has_far_table && walk->far_row == 0)
			walk->far_row = index;
		if (index >= walk->far_count) {
			*section = 0;
			return PLACE_OTHER;
		}
		memcpy(section, walk->far_section + (size_t)index * sizeof(Elf32_Word),
		       sizeof(Elf32_Word));
	}
	return *section < walk->section_count ? (enum place)walk->places[*section] : PLACE_OTHER;
}

/* Whether a symbol is none of a function, though functions could be where it is. */
static inline bool
is_label(unsigned binding, unsigned type)
{
	return type == STT_GNU_IFUNC || binding > STB_WEAK;
}

/* Weak or not, data is no function; everything else may be one. */
static inline bool
is_accepted(unsigned binding, unsigned type, enum place place, bool wants_labels)
{
	if (type == STT_SECTION || type == STT_FILE)
		return false;
	if (is_label(binding, type))
		return wants_labels && place == PLACE_CODE && type != STT_OBJECT &&
		       type != STT_COMMON && type != STT_TLS;
	if (binding == STB_WEAK)
		return place != PLACE_UNDEFINED && type != STT_OBJECT && type != STT_COMMON;
	return binding <= STB_GLOBAL && place == PLACE_CODE;
}

/* Whether a symbol that is accepted names data: typed so, or weak, without a type, and elsewhere.
 */
static inline bool
is_data(const struct walk *walk, unsigned type, enum place place)
{
	return type == STT_OBJECT ||
	       (walk->marks_data && type == STT_NOTYPE && place == PLACE_OTHER);
}

/* The bit of a function's address that says which instruction set it is in. */
static inline uint64_t
mode_bit(const struct walk *walk, uint32_t section, uint64_t address)
{
	if (walk->mode_is_relative && section < walk->section_count)
		address -= walk->object->sections[section].address;
	return address & 1;
}

ALWAYS_INLINE void
take(struct walk *walk, uint32_t index, const Elf64_Sym *row)
{
	unsigned binding = row->st_info >> 4, type = row->st_info & 15u;
	uint32_t section = row->st_shndx, at = walk->count;
	enum place place = find_place(walk, index, &section);
	uint64_t address = row->st_value;

	/* The local symbols of an object file stand behind its name. */
	walk->unit += type == STT_FILE;
	if (!is_accepted(binding, type, place, walk->wants_labels))
		return;
	if (walk->clears_mode && type == STT_FUNC)
		address -= mode_bit(walk, section, address);
	if (walk->sign_extends)
		address = (uint64_t)(int64_t)(int32_t)(uint32_t)address;
	if (walk->adds_section && section < walk->section_count)
		address += walk->object->sections[section].address;
	if (row->st_name < walk->strings_bytes) {
		walk->rows.name[at] = walk->strings + row->st_name;
	} else {
		walk->rows.name[at] = no_name;
		walk->nameless++;
	}
	walk->rows.address[at] = address;
	walk->rows.bytes[at] = row->st_size;
	walk->units[at] = binding == STB_LOCAL ? walk->unit : 0;
	walk->rows.flags[at] = (uint8_t)((binding == STB_LOCAL ? GPROFX_SYMBOL_LOCAL : 0) |
	                                 (is_data(walk, type, place) ? GPROFX_SYMBOL_DATA : 0) |
	                                 (type == STT_FUNC || type == walk->other_function
	                                          ? GPROFX_SYMBOL_FUNCTION
	                                          : 0) |
	                                 (is_label(binding, type) ? GPROFX_SYMBOL_LABEL : 0));
	walk->count = at + 1;
}

/*
 * The state goes in and out by value: nothing else points to it, so the compiler keeps it in
 * registers in spite of all the stores to rows.
 */
static struct walk
walk_64(struct walk walk)
{
	const void *rows = walk.table->rows;
	uint32_t count = walk.table->count;

	for (uint32_t i = 1; i < count; i++) {
		Elf64_Sym row = row_64(rows, i);

		take(&walk, i, &row);
	}
	return walk;
}

static struct walk
walk_32(struct walk walk)
{
	const void *rows = walk.table->rows;
	uint32_t count = walk.table->count;

	for (uint32_t i = 1; i < count; i++) {
		Elf64_Sym row = row_32(rows, i);

		take(&walk, i, &row);
	}
	return walk;
}

/* The table of section numbers above 65279, which stands beside the symbol table. */
static enum gprofx_result
open_far_sections(struct walk *walk)
{
	const struct object *object = walk->object;
	uint32_t table_number = (uint32_t)(walk->table->section - object->sections);
	const struct section *section = NULL;
	uint64_t count, bytes;

	for (uint32_t i = 1; i < object->section_count; i++) {
		const struct section *candidate = &object->sections[i];

		if (candidate->type != SHT_SYMTAB_SHNDX)
			continue;
		if (!section || candidate->link == table_number)
			section = candidate;
	}
	if (!section)
		return GPROFX_OK;
	walk->has_far_table = true;
	count = section->bytes / sizeof(Elf32_Word);
	if (count > walk->table->count)
		count = walk->table->count;
	bytes = count * sizeof(Elf32_Word);
	if (section->offset > object->image->length ||
	    bytes > object->image->length - section->offset)
		return SYMELF_BAD_TABLE(
			object, section->offset, "file truncated",
			"expected the section numbers of symbols inside the file, found "
			"them beyond its end");
	if (count == 0)
		return GPROFX_OK;
	walk->far_count = count;
	walk->far_section = symelf_items(object, section->offset, bytes, ELF_T_WORD);
	if (!walk->far_section)
		return SYMELF_BAD_TABLE(
			object, section->offset, elf_errmsg(-1),
			"expected section numbers of symbols, found what libelf cannot read");
	return GPROFX_OK;
}

static uint8_t *
find_places(const struct object *object)
{
	uint8_t *places = gprofx_alloc(object->gx, object->section_count);

	for (uint32_t i = 1; i < object->section_count; i++)
		places[i] = symelf_is_code(&object->sections[i]) ? PLACE_CODE : PLACE_OTHER;
	places[0] = PLACE_UNDEFINED;
	return places;
}

static void
warn_nameless(const struct walk *walk)
{
	const struct object *object = walk->object;

	gprofx_warn(
		object->gx,
		&(struct gprofx_diagnostic){.id = "image.bad-symbol-name",
	                                    .file = object->image->name,
	                                    .place = GPROFX_AT_OFFSET,
	                                    .offset = walk->table->section->offset,
	                                    .hint = symelf_copy_again,
	                                    .number = {walk->nameless, walk->table->strings_bytes}},
		"expected names of symbols inside their table of %llu bytes, found %u beyond "
		"its end; they are shown as %s",
		(unsigned long long)walk->table->strings_bytes, walk->nameless, no_name);
}

enum gprofx_result
symelf_fill(const struct object *object, const struct symbol_table *table,
            struct gprofx_symtab *symtab)
{
	struct walk walk = {.object = object,
	                    .table = table,
	                    .rows = symtab->rows,
	                    .units = symtab->unit,
	                    .count = symtab->count,
	                    .strings = table->strings,
	                    .strings_bytes = table->strings_bytes,
	                    .section_count = object->section_count,
	                    .wants_labels = symtab->wants_labels,
	                    .marks_data = !symtab->strict};
	enum gprofx_result result = open_far_sections(&walk);

	if (result != GPROFX_OK)
		return result;
	walk.places = find_places(object);
	walk.adds_section = object->type != ET_EXEC && object->type != ET_DYN;
	/* Thumb functions had a type of their own once. */
	walk.other_function = object->target.machine == EM_ARM ? STT_ARM_TFUNC : STT_FUNC;
	walk.clears_mode = object->target.machine == EM_ARM || object->target.machine == EM_MIPS;
	/* Sections of sound images start at even addresses, so this makes no difference to them. */
	walk.mode_is_relative = object->target.machine == EM_MIPS && !walk.adds_section;
	walk.sign_extends = object->target.sign_extends && object->target.pointer_bytes == 4;
	walk = object->target.pointer_bytes == 8 ? walk_64(walk) : walk_32(walk);
	if (walk.far_row != 0)
		return SYMELF_BAD_TABLE(
			object, table->section->offset + walk.far_row * table->section->entry_bytes,
			"no error",
			"expected a table of section numbers beside the symbol table, found none");
	symtab->count = walk.count;
	if (walk.nameless > 0)
		warn_nameless(&walk);
	return GPROFX_OK;
}

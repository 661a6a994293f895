/* SPDX-License-Identifier: Apache-2.0 */
/* The text of scanner.c: from an ELF file, repeated, and put into a file that can be mapped. */
#include "scanner-text.h"

#include <gelf.h>
#include <libelf.h>

static struct gprofx_begin_bits
make_bits(uint64_t low, uint64_t span, uint32_t shift)
{
	return (struct gprofx_begin_bits){need(((span >> shift) + 1) / 64 + 1, sizeof(uint64_t)),
	                                  low, span, shift};
}

static void
set_bit(const struct gprofx_begin_bits *bits, uint64_t address)
{
	uint64_t place = (address - bits->low) >> bits->shift;

	((uint64_t *)bits->bits)[place / 64] |= (uint64_t)1 << place % 64;
}

static bool
begins(const struct gprofx_entries *entries, uint64_t address)
{
	return gprofx_has_begin(&((const struct known *)entries)->begin_bits, address);
}

static bool
is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	return gprofx_has_begin(&((const struct known *)entries)->slots, address);
}

static int
by_address(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

static int
by_mark(const void *x, const void *y)
{
	uint64_t a = ((const struct gprofx_code_mark *)x)->address,
		 b = ((const struct gprofx_code_mark *)y)->address;

	return (a > b) - (a < b);
}

/* The functions and the marks of .text, each once. */
static void
take_symbols(struct text *text, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t rows = data ? data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT) : 0, kept = 0;
	GElf_Sym row;

	text->function = need(rows + 1, sizeof *text->function);
	text->mark = need(rows + 1, sizeof *text->mark);
	text->function[text->functions++] = text->address;
	for (size_t i = 0; i < rows && gelf_getsym(data, (int)i, &row); i++) {
		const char *name = elf_strptr(elf, header->sh_link, row.st_name);
		bool is_arm_function = text->target.machine == EM_ARM &&
		                       GELF_ST_TYPE(row.st_info) == STT_FUNC;

		if (row.st_value - text->address >= text->size || !name)
			continue;
		if (name[0] == '$')
			text->mark[text->marks++] = (struct gprofx_code_mark){row.st_value, name};
		else if (GELF_ST_TYPE(row.st_info) == STT_FUNC)
			text->function[text->functions++] = row.st_value &
			                                    ~(uint64_t)is_arm_function;
	}
	qsort(text->function, text->functions, sizeof *text->function, by_address);
	for (size_t i = 0; i < text->functions; i++)
		if (kept == 0 || text->function[i] != text->function[kept - 1])
			text->function[kept++] = text->function[i];
	text->functions = kept;
	qsort(text->mark, text->marks, sizeof *text->mark, by_mark);
}

static const unsigned char *
take_sections(struct text *text, Elf *elf)
{
	const unsigned char *bytes = NULL;
	Elf_Scn *section = NULL, *symbols = NULL;
	GElf_Shdr header, table = {0};
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		give_up(elf_errmsg(-1));
	while ((section = elf_nextscn(elf, section)) && gelf_getshdr(section, &header)) {
		const char *name = elf_strptr(elf, names, header.sh_name);

		if (name && !strcmp(name, ".text")) {
			Elf_Data *data = elf_rawdata(section, NULL);

			bytes = data ? data->d_buf : NULL;
			text->address = header.sh_addr;
			text->size = header.sh_size & ~(uint64_t)15;
		} else if (name && !strncmp(name, ".got", 4) && header.sh_size > text->slots_size) {
			text->slots_address = header.sh_addr;
			text->slots_size = header.sh_size;
		}
		if (header.sh_type == SHT_SYMTAB) {
			symbols = section;
			table = header;
		}
	}
	if (!bytes || !symbols || text->size == 0)
		give_up("no .text or no .symtab");
	take_symbols(text, elf, symbols, &table);
	return bytes;
}

static void
take_header(struct text *text, Elf *elf)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		give_up(elf_errmsg(-1));
	text->target = (struct gprofx_target){
		.size = sizeof text->target,
		.machine = header.e_machine,
		.pointer_bytes = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
		.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB,
	};
	text->image = (struct gprofx_scanned_image){.size = sizeof text->image,
	                                            .target = &text->target,
	                                            .machine_flags = header.e_flags};
}

/* Where tables of slots have their base, as compilers count on it. */
static uint64_t
linkage_base(const struct text *text)
{
	return text->slots_address + (text->target.machine == EM_MIPS    ? 0x7ff0
	                              : text->target.machine == EM_PPC64 ? 0x8000
	                                                                 : 0);
}

/* How many of the lowest bits no distance between functions has. */
static uint32_t
common_zeros(const struct text *text)
{
	uint64_t distances = text->size;
	uint32_t zeros = 0;

	for (size_t i = 0; i < text->functions; i++)
		distances |= text->function[i] - text->address;
	while (!(distances >> zeros & 1))
		zeros++;
	return zeros;
}

static void
put_into_file(struct text *text)
{
	text->file = open(".", O_TMPFILE | O_RDWR, 0600);
	if (text->file < 0 || write(text->file, text->bytes, text->size) != (ssize_t)text->size)
		fail("temporary file");
}

void
text_map(const struct text *text)
{
	if (mmap(text->bytes, text->size, PROT_READ, MAP_PRIVATE | MAP_FIXED, text->file, 0) ==
	    MAP_FAILED)
		fail("mapping");
}

/* Repeats the text, and what is known of it. */
static void
repeat(struct text *text, const unsigned char *bytes, size_t wanted)
{
	struct gprofx_code_mark *marks;
	size_t mark = 0;
	uint64_t all, least = text->slots_size ? text->slots_address : text->address;

	text->copies = wanted / text->size + 1;
	all = text->copies * text->size;
	text->bytes = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text->bytes == MAP_FAILED)
		fail("memory");
	text->pieces = text->copies * text->functions;
	text->piece = need(text->pieces, sizeof *text->piece);
	marks = need(text->copies * text->marks, sizeof *marks);
	text->known.begins = make_bits(text->address, all, common_zeros(text));
	text->known.slots = make_bits(least, all + text->slots_size, 2);
	for (size_t copy = 0; copy < text->copies; copy++) {
		uint64_t by = copy * text->size;

		memcpy(text->bytes + by, bytes, text->size);
		for (uint64_t at = 0; at < text->slots_size; at += text->target.pointer_bytes)
			set_bit(&text->known.slots, text->slots_address + by + at);
		for (size_t i = 0; i < text->marks; i++)
			marks[copy * text->marks + i] = (struct gprofx_code_mark){
				text->mark[i].address + by, text->mark[i].name};
		for (size_t i = 0; i < text->functions; i++) {
			uint64_t end = i + 1 < text->functions ? text->function[i + 1]
			                                       : text->address + text->size;
			struct gprofx_code *piece = &text->piece[copy * text->functions + i];

			set_bit(&text->known.begins, text->function[i] + by);
			*piece = (struct gprofx_code){
				.size = sizeof *piece,
				.bytes = text->bytes + by + (text->function[i] - text->address),
				.byte_count = end - text->function[i],
				.address = text->function[i] + by,
				.image = &text->image,
				.entries = &text->known.public,
				.section = ".text",
				.begin_bits = &text->known.begin_bits,
			};
			piece->readable = all - (size_t)(piece->bytes - text->bytes);
		}
	}
	for (size_t i = 0; i < text->pieces; i++) {
		struct gprofx_code *piece = &text->piece[i];
		size_t end;

		while (mark + 1 < text->copies * text->marks &&
		       marks[mark + 1].address <= piece->address)
			mark++;
		for (end = mark; end < text->copies * text->marks &&
		                 marks[end].address < piece->address + piece->byte_count;
		     end++)
			;
		piece->marks = marks + mark;
		piece->mark_count = (uint32_t)(end - mark);
	}
	text->size = all;
	put_into_file(text);
}

bool
text_know(struct text *text, bool has_begins, bool has_slots)
{
	static const uint64_t none;
	struct known *known = &text->known;

	if (has_slots && text->slots_size == 0)
		return false;
	/* As without slots, but what an image says; see gprofx_entries. */
	known->public.is_slot = has_slots ? is_slot : NULL;
	text->image.linkage_base = has_slots ? linkage_base(text) : 0;
	known->begin_bits = has_begins ? known->begins : (struct gprofx_begin_bits){.bits = &none};
	return true;
}

void
text_read(struct text *text, const char *path, size_t wanted)
{
	int file = open(path, O_RDONLY);
	Elf *elf;

	if (file < 0)
		fail(path);
	elf_version(EV_CURRENT);
	elf = elf_begin(file, ELF_C_READ, NULL);
	if (!elf)
		give_up(elf_errmsg(-1));
	text->known.public.begins = begins;
	take_header(text, elf);
	/* It stays open: names of marks are in it. */
	repeat(text, take_sections(text, elf), wanted);
}

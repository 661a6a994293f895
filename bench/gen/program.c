/* SPDX-License-Identifier: Apache-2.0 */
/* The made-up program of genwork: names, code, ELF file; or the functions of a real one. */
#define _GNU_SOURCE
#include "genwork.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct buffer {
	unsigned char *bytes;
	size_t used, room;
};

static void
buffer_put(struct buffer *b, const void *from, size_t n)
{
	if (b->used + n > b->room) {
		b->room = (b->used + n) * 2 + 4096;
		b->bytes = realloc(b->bytes, b->room);
		if (!b->bytes)
			die("memory");
	}
	memcpy(b->bytes + b->used, from, n);
	b->used += n;
}

void
program_place(struct work *w)
{
	uint64_t at = 0;

	w->start = need(w->functions + 1, sizeof *w->start);
	for (uint64_t i = 0; i < w->functions; i++) {
		w->start[i] = at;
		at += (w->mean_size / 2 + random_next() % (w->mean_size + 1) + 8) / 8 * 8;
	}
	w->start[w->functions] = at;
}

/* One component of a mangled name: its length, then its letters. */
static char *
put_component(char *to, const char *stem, uint64_t v)
{
	char text[64];
	int n = snprintf(text, sizeof text, "%s%llu", stem, (unsigned long long)v);

	return to + sprintf(to, "%d%s", n, text);
}

/*
 * A valid name of the Itanium C++ ABI: nested namespaces, template arguments, and a parameter list
 * that uses substitutions.
 */
static size_t
put_cxx_name(char *to, uint64_t i, unsigned parts)
{
	static const char *const stem[] = {"engine", "Container", "detail_impl", "Visitor",
	                                   "graph_"};
	static const char *const parameter[] = {
		"i",
		"d",
		"PKc",
		"RKS_",
		"St6vectorIiSaIiEE",
		"NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
		"m",
		"St8functionIFvidEE",
	};
	uint64_t h = i * 0x9e3779b97f4a7c15u;
	char *o = to;

	o += sprintf(o, "_ZN");
	for (unsigned k = 0; k < parts; k++) {
		o = put_component(o, stem[(h >> (k * 3)) % 5], (h >> ((k * 5 + 9) % 60)) % 997);
		if (k == 1)
			o += sprintf(o, "IiSt4pairIiS_Ed%cE", "ijlmfd"[h % 6]);
	}
	o = put_component(o, "method_", i);
	*o++ = 'E';
	unsigned parameters = 1 + (unsigned)((h >> 50) % 5);
	for (unsigned k = 0; k < parameters; k++)
		o += sprintf(o, "%s", parameter[(h >> (k * 4 + 13)) % 8]);
	return (size_t)(o - to);
}

static size_t
put_name(const struct work *w, char *to, uint64_t i)
{
	if (i == 0)
		return (size_t)sprintf(to, "main");
	if (same(w->names, "cxx"))
		return put_cxx_name(to, i, 3);
	if (same(w->names, "long"))
		return put_cxx_name(to, i, 12);
	return (size_t)sprintf(to, "fn_%llu", (unsigned long long)i);
}

/* Instructions of the common lengths; the last `vary` bytes get random values. */
struct instruction {
	unsigned char length, vary;
	unsigned char bytes[10];
};

static const struct instruction mix[] = {
	{3, 0, {0x48, 0x89, 0xe5}},
	{3, 0, {0x48, 0x89, 0xc7}},
	{4, 1, {0x48, 0x8b, 0x45}},
	{7, 4, {0x48, 0x8d, 0x3d}},
	{2, 0, {0x31, 0xc0}},
	{5, 4, {0xb8}},
	{3, 0, {0x48, 0x85, 0xc0}},
	{2, 1, {0x74}},
	{2, 1, {0x75}},
	{6, 4, {0x0f, 0x84}},
	{4, 1, {0x48, 0x83, 0xc0}},
	{3, 1, {0x83, 0xf8}},
	{8, 5, {0xc7, 0x44, 0x24}},
	{4, 0, {0x0f, 0xb6, 0x04, 0x06}},
	{1, 0, {0x53}},
	{1, 0, {0x5b}},
	{2, 0, {0x41, 0x54}},
	{2, 0, {0x41, 0x5c}},
	{5, 1, {0x48, 0x89, 0x44, 0x24}},
	{4, 0, {0xf2, 0x0f, 0x58, 0xc1}},
	{4, 0, {0xc5, 0xf8, 0x28, 0xc1}},
	{5, 4, {0xe9}},
	{10, 8, {0x48, 0xb8}},
	{3, 0, {0x0f, 0x1f, 0x00}},
};

/* Every sixteenth instruction is a call to the start of some function. */
static void
fill_function(const struct work *w, unsigned char *text, uint64_t at, uint64_t end)
{
	while (at + 16 < end) {
		uint64_t r = random_next();

		if (r % 16 == 0) {
			uint64_t to = w->start[(r >> 16) % w->functions];
			uint32_t distance = (uint32_t)(to - (at + 5));
			text[at] = 0xe8;
			memcpy(text + at + 1, &distance, 4);
			at += 5;
			continue;
		}
		const struct instruction *p = &mix[(r >> 8) % (sizeof mix / sizeof *mix)];
		memcpy(text + at, p->bytes, p->length);
		uint64_t v = r >> 20;
		for (unsigned k = 0; k < p->vary; k++, v >>= 5)
			text[at + p->length - p->vary + k] = (unsigned char)v;
		at += p->length;
	}
	text[at++] = 0xc3;
	memset(text + at, 0x90, end - at);
}

/* Instructions of 4 bytes, little-endian: the machine, one that returns, one that calls. */
static const struct words {
	const char *code;
	uint16_t machine;
	uint32_t flags, ret, call;
	uint32_t bits, unit; /* the distance in a call, in units of N bytes; 0: an address */
	uint32_t ordinary[4];
} words[] = {
	{"aarch64",
         EM_AARCH64,
         0,
         0xd65f03c0,
         0x94000000,
         0x03ffffff,
         4,
         {0xaa0003e1, 0x910043ff, 0xf9400fe0, 0xb4000040}},
	{"ppc64le",
         EM_PPC64,
         2,
         0x4e800020,
         0x48000001,
         0x03fffffc,
         1,
         {0x7c0802a6, 0x38630001, 0xe8610020, 0x41820008}},
	{"mips64el",
         EM_MIPS,
         0x60000000,
         0x03e00008,
         0x0c000000,
         0x03ffffff,
         0,
         {0x0080282d, 0x67bdfff0, 0xdfa40008, 0x10800002}},
};

static const struct words *
words_of(const struct work *w)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (same(w->code, words[i].code))
			return &words[i];
	return NULL;
}

/* Every sixteenth word is a call, all of a function to the same one. */
static void
fill_words(const struct work *w, const struct words *of, unsigned char *text, uint64_t i)
{
	uint64_t at = w->start[i], end = w->start[i + 1], to = w->start[i * 7 % w->functions];

	for (uint64_t r = random_next(); at < end; at += 4, r = random_next()) {
		uint32_t word = of->ordinary[(r >> 8) % 4];

		if (at + 4 >= end)
			word = of->ret;
		else if (r % 16 == 0 && of->unit == 0)
			word = of->call | ((uint32_t)((w->text_base + to) >> 2) & of->bits);
		else if (r % 16 == 0)
			word = of->call |
			       ((uint32_t)((int64_t)(to - at) / (int64_t)of->unit) & of->bits);
		memcpy(text + at, &word, sizeof word);
	}
}

static void
fill_text(const struct work *w, unsigned char *text)
{
	const struct words *of = words_of(w);

	memset(text, 0x90, w->start[w->functions]);
	for (uint64_t i = 0; i < w->functions; i++) {
		if (of)
			fill_words(w, of, text, i);
		else if (same(w->code, "mix"))
			fill_function(w, text, w->start[i], w->start[i + 1]);
		else
			text[w->start[i + 1] - 1] = 0xc3;
	}
}

static void
make_symbols(const struct work *w, struct buffer *symbols, struct buffer *strings)
{
	Elf64_Sym s = {0};
	char name[1024];

	buffer_put(symbols, &s, sizeof s);
	buffer_put(strings, "", 1);
	s.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	s.st_shndx = 1;
	/* Real symbol tables are not sorted by address; neither is this one. */
	for (uint64_t k = 0; k < w->functions; k++) {
		uint64_t i = scatter(w, k);

		s.st_name = (Elf64_Word)strings->used;
		s.st_value = w->text_base + w->start[i];
		s.st_size = w->start[i + 1] - w->start[i];
		buffer_put(symbols, &s, sizeof s);
		buffer_put(strings, name, put_name(w, name, i) + 1);
	}
}

static void
write_at(FILE *f, const char *path, uint64_t offset, const void *bytes, size_t n)
{
	if (fseek(f, (long)offset, SEEK_SET) || fwrite(bytes, 1, n, f) != n)
		die(path);
}

void
program_write(const struct work *w, const char *path)
{
	static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
	struct buffer symbols = {0}, strings = {0};
	const struct words *of = words_of(w);
	uint64_t size = w->start[w->functions];
	unsigned char *text = need(size, 1);

	fill_text(w, text);
	make_symbols(w, &symbols, &strings);
	uint64_t at_text = 0x1000, at_symbols = (at_text + size + 15) & ~(uint64_t)15;
	uint64_t at_strings = at_symbols + symbols.used, at_names = at_strings + strings.used;
	uint64_t at_sections = (at_names + sizeof section_names + 15) & ~(uint64_t)15;
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
	                    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = of ? of->machine : EM_X86_64,
		.e_flags = of ? of->flags : 0,
		.e_version = EV_CURRENT,
		.e_entry = w->text_base,
		.e_phoff = sizeof header,
		.e_shoff = at_sections,
		.e_ehsize = sizeof header,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 5,
		.e_shstrndx = 4,
	};
	Elf64_Phdr segment = {.p_type = PT_LOAD,
	                      .p_flags = PF_R | PF_X,
	                      .p_offset = at_text,
	                      .p_vaddr = w->text_base,
	                      .p_paddr = w->text_base,
	                      .p_filesz = size,
	                      .p_memsz = size,
	                      .p_align = 0x1000};
	Elf64_Shdr section[5] = {
		{0},
		{1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, w->text_base, at_text, size, 0, 0, 16,
	         0},
		{7, SHT_SYMTAB, 0, 0, at_symbols, symbols.used, 3, 1, 8, sizeof(Elf64_Sym)},
		{15, SHT_STRTAB, 0, 0, at_strings, strings.used, 0, 0, 1, 0},
		{23, SHT_STRTAB, 0, 0, at_names, sizeof section_names, 0, 0, 1, 0},
	};

	FILE *f = fopen(path, "wb");
	if (!f)
		die(path);
	write_at(f, path, 0, &header, sizeof header);
	write_at(f, path, sizeof header, &segment, sizeof segment);
	write_at(f, path, at_text, text, size);
	write_at(f, path, at_symbols, symbols.bytes, symbols.used);
	write_at(f, path, at_strings, strings.bytes, strings.used);
	write_at(f, path, at_names, section_names, sizeof section_names);
	write_at(f, path, at_sections, section, sizeof section);
	if (fclose(f) || chmod(path, 0755))
		die(path);
	free(text);
	free(symbols.bytes);
	free(strings.bytes);
}

static int
compare_offsets(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* count items of each bytes at offset, in new memory followed by a zero byte. */
static void *
read_part(FILE *f, const char *path, uint64_t offset, uint64_t count, size_t each)
{
	if (count > (1u << 30) / each)
		die_because(path, "a table is too large");
	void *p = need(count * each + 1, 1);
	if (fseek(f, (long)offset, SEEK_SET) || fread(p, each, count, f) != count)
		die_because(path, "cannot read a table");
	return p;
}

/* Fill w->start from the function symbols of .text, leaving out aliases and one-byte functions. */
static void
take_functions(struct work *w, const Elf64_Sym *symbols, uint64_t count, unsigned text,
               const Elf64_Shdr *section)
{
	uint64_t found = 0, kept = 0;
	uint64_t *start = need(count + 1, sizeof *start);

	for (uint64_t i = 0; i < count; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx == text &&
		    symbols[i].st_value - section->sh_addr + 1 < section->sh_size)
			start[found++] = symbols[i].st_value - section->sh_addr;
	qsort(start, found, sizeof *start, compare_offsets);
	for (uint64_t i = 0; i < found; i++)
		if (!kept || start[i] > start[kept - 1] + 1)
			start[kept++] = start[i];
	start[kept] = section->sh_size;
	w->functions = kept;
	w->start = start;
	w->text_base = section->sh_addr;
}

void
program_load(struct work *w)
{
	const char *path = w->image;
	FILE *f = fopen(path, "rb");
	Elf64_Ehdr header;
	unsigned text = 0, table = 0;

	if (!f)
		die(path);
	if (fread(&header, sizeof header, 1, f) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
		die_because(path, "not a little-endian 64-bit ELF file with sections");
	Elf64_Shdr *section = read_part(f, path, header.e_shoff, header.e_shnum, sizeof *section);
	const Elf64_Shdr *named = &section[header.e_shstrndx];
	char *names = read_part(f, path, named->sh_offset, named->sh_size, 1);
	for (unsigned i = 1; i < header.e_shnum; i++) {
		if (section[i].sh_type == SHT_SYMTAB)
			table = i;
		if (section[i].sh_name < named->sh_size &&
		    same(names + section[i].sh_name, ".text"))
			text = i;
	}
	if (!text || !table)
		die_because(path, "no .text or no .symtab");
	uint64_t count = section[table].sh_size / sizeof(Elf64_Sym);
	Elf64_Sym *symbols = read_part(f, path, section[table].sh_offset, count, sizeof *symbols);
	take_functions(w, symbols, count, text, &section[text]);
	if (w->functions < 2)
		die_because(path, "fewer than two functions");
	fclose(f);
	free(symbols);
	free(names);
	free(section);
}

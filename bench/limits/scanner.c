/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a call scanner is on a large text: scanner PLUGIN PROGRAM MIB RUNS.
 *
 * PLUGIN is a built findcall-*.so, PROGRAM an ELF file whose .text is repeated, functions, marks
 * and linkage table with it, until there are that many MiB.  That is written to a file, without a
 * name, in the current folder.  Then in turn
 *
 *   - the file is mapped, and the text is read once, as words that are added up; and once more,
 *   - the file is mapped, and the text is scanned, one function after the other as the engine does
 *     it; and once more.
 *
 * Printed are functions and bytes, and then, for each purpose of scanning, the calls that were
 * found and medians: milliseconds to read what was just mapped, to scan it, their ratio of each
 * turn; and the same of what was mapped before.  Purposes are
 *
 *   calls   for -c
 *   empty   the same, but no function begins anywhere: no call is found, no bit is looked up
 *   slots   as calls, when it is known what the loader writes into the linkage table
 *   sites   for finding out who called
 *   strict  by GNU gprof's rules; left out where it knows no calls of the machine
 *
 * Whoever is called back does next to nothing: a bit is looked up, calls are counted.
 */
#include "common.h"

#include <dlfcn.h>
#include <gelf.h>
#include <libelf.h>

#include <gprofx/code.h>
#include <gprofx/plugin.h>

enum { MOST_RUNS = 1000 };

static const char *const ways[] = {"calls", "empty", "slots", "sites", "strict"};

enum { CALLS, EMPTY, SLOTS, SITES, STRICT, WAYS };

/* A bit for each 1 << shift bytes from "low" on, as the engine has them. */
struct bits {
	uint64_t low, span;
	uint64_t *words;
	uint32_t shift;
};

/* First what scanners see. */
struct known {
	struct gprofx_entries public;
	struct gprofx_begin_bits begin_bits;
	struct bits begins, slots;
	uint64_t all; /* begins.span, while it is not 0 */
};

struct counter {
	struct gprofx_calls public;
	uint64_t count, sum;
};

struct text {
	const struct gprofx_findcall *findcall;
	struct gprofx_target target;
	struct gprofx_scanned_image image;
	struct known known;
	/* One copy. */
	uint64_t address, size, slots_address, slots_size;
	uint64_t *function;
	struct gprofx_code_mark *mark;
	size_t functions, marks;
	/* All of them. */
	size_t copies;
	unsigned char *bytes;
	struct gprofx_code *piece, *run;
	size_t pieces, runs;
	int file;
};

static _Noreturn void
give_up(const char *what)
{
	fprintf(stderr, "scanner: %s\n", what);
	exit(1);
}

static struct bits
make_bits(uint64_t low, uint64_t span, uint32_t shift)
{
	return (struct bits){low, span, need((span >> shift) / 64 + 1, sizeof(uint64_t)), shift};
}

static void
set_bit(struct bits *bits, uint64_t address)
{
	uint64_t place = (address - bits->low) >> bits->shift;

	bits->words[place / 64] |= (uint64_t)1 << place % 64;
}

static bool
has_bit(const struct bits *bits, uint64_t address)
{
	uint64_t distance = address - bits->low, place = distance >> bits->shift;

	return distance < bits->span && ((bits->words[place / 64] >> place % 64 & 1) != 0) &
	                                        (place << bits->shift == distance);
}

static bool
begins(const struct gprofx_entries *entries, uint64_t address)
{
	return has_bit(&((const struct known *)entries)->begins, address);
}

static bool
is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	return has_bit(&((const struct known *)entries)->slots, address);
}

static void
count_calls(struct gprofx_calls *calls, const struct gprofx_found_call *rows, uint32_t count)
{
	struct counter *counter = (struct counter *)calls;

	for (uint32_t i = 0; i < count; i++)
		counter->sum += rows[i].from ^ rows[i].to ^ rows[i].kind;
	counter->count += count;
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

/* Puts a new mapping in the place of the memory, or of the mapping, that was there. */
static void
map_text(const struct text *text)
{
	if (mmap(text->bytes, text->size, PROT_READ, MAP_PRIVATE | MAP_FIXED, text->file, 0) ==
	    MAP_FAILED)
		fail("mapping");
}

/* Puts functions together, as the engine does it. */
static void
join(struct text *text)
{
	enum { MOST_BYTES = 1 << 16 };
	uint32_t step = text->findcall->size > offsetof(struct gprofx_findcall, step)
	                        ? text->findcall->step
	                        : 0;
	struct gprofx_code *run = text->run = need(text->pieces, sizeof *run);

	for (size_t i = 0; i < text->pieces; i++) {
		const struct gprofx_code *piece = &text->piece[i];

		if (step > 0 && i > 0 && run->byte_count < MOST_BYTES &&
		    piece->address % step == 0 &&
		    piece->address == run->address + run->byte_count) {
			run->byte_count += piece->byte_count;
			run->mark_count = (uint32_t)(piece->marks + piece->mark_count - run->marks);
			continue;
		}
		run += i > 0;
		*run = *piece;
	}
	text->runs = (size_t)(run - text->run) + 1;
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
	text->known.all = all;
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
	join(text);
	put_into_file(text);
}

/* The plain program that the scanners are held against; not inlined, so that it is run each time.
 */
__attribute__((noinline)) static uint32_t
read_once(const unsigned char *bytes, size_t count)
{
	uint32_t sum = 0;

	for (size_t at = 0; at < count; at += 4)
		sum += get32(bytes + at);
	return sum;
}

/* Prepares a way to scan; false: the scanner knows none. */
static bool
choose(struct text *text, int way, const struct gprofx_scan_options *options, void **worker)
{
	/* As without slots, but what an image says; see gprofx_entries. */
	text->known.public.is_slot = way == SLOTS && text->slots_size ? is_slot : NULL;
	text->image.linkage_base = way == SLOTS && text->slots_size ? linkage_base(text) : 0;
	text->known.begins.span = way == EMPTY ? 0 : text->known.all;
	text->known.begin_bits = (struct gprofx_begin_bits){
		text->known.begins.words, text->known.begins.low, text->known.begins.span,
		text->known.begins.shift};
	text->image.strict = way == STRICT;
	text->image.wants_sites = way == SITES;
	if (way == SLOTS && !text->slots_size)
		return false;
	*worker = NULL;
	return !text->findcall->worker_open ||
	       text->findcall->worker_open(NULL, &text->image, options, worker) == GPROFX_OK;
}

static double
read_text(const struct text *text, uint32_t *sum)
{
	double start = milliseconds();

	*sum += read_once(text->bytes, text->size);
	return milliseconds() - start;
}

static double
scan_text(const struct text *text, int way, void *worker, struct counter *counter)
{
	double start = milliseconds();

	*counter = (struct counter){.public.add = count_calls};
	bool by_runs = way != STRICT && way != SITES;
	size_t count = by_runs ? text->runs : text->pieces;

	for (size_t i = 0; i < count; i++) {
		struct gprofx_code code = by_runs ? text->run[i] : text->piece[i];

		if (way == STRICT)
			code.mark_count = 0;
		text->findcall->scan(worker, &code, &counter->public);
	}
	return milliseconds() - start;
}

static double
map_anew(const struct text *text)
{
	double start;

	/* Taking the old mapping away is not counted. */
	munmap(text->bytes, text->size);
	start = milliseconds();
	map_text(text);
	return milliseconds() - start;
}

static int
by_size(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double
median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof *values, by_size);
	return values[count / 2];
}

static void
measure(const struct text *text, int way, void *worker, int runs)
{
	static double mapped_read[MOST_RUNS], read[MOST_RUNS], mapped_scan[MOST_RUNS],
		scan[MOST_RUNS], mapped_ratio[MOST_RUNS], ratio[MOST_RUNS];
	struct counter counter;
	uint32_t sum = 0;

	for (int i = 0; i < runs; i++) {
		mapped_read[i] = map_anew(text) + read_text(text, &sum);
		read[i] = read_text(text, &sum);
		mapped_scan[i] = map_anew(text) + scan_text(text, way, worker, &counter);
		scan[i] = scan_text(text, way, worker, &counter);
		mapped_ratio[i] = mapped_scan[i] / mapped_read[i];
		ratio[i] = scan[i] / read[i];
	}
	printf("%s %llu %.3f %.3f %.3f %.3f %.3f %.3f%s\n", ways[way],
	       (unsigned long long)counter.count, median(mapped_read, runs),
	       median(mapped_scan, runs), median(mapped_ratio, runs), median(read, runs),
	       median(scan, runs), median(ratio, runs), sum == 1 ? " !" : "");
}

int
main(int argc, char **argv)
{
	static const struct gprofx_scan_options options = {true, true, true, false};
	static struct text text;
	int file, runs = argc == 5 ? atoi(argv[4]) : 0;
	const struct gprofx_plugin *plugin;
	void *module, *worker;
	Elf *elf;

	if (runs < 1 || runs > MOST_RUNS)
		return 2;
	module = dlopen(argv[1], RTLD_NOW);
	plugin = module ? dlsym(module, "gprofx_plugin_1") : NULL;
	if (!plugin)
		give_up(dlerror());
	text.findcall = plugin->findcall;
	file = open(argv[2], O_RDONLY);
	if (file < 0)
		fail(argv[2]);
	elf_version(EV_CURRENT);
	elf = elf_begin(file, ELF_C_READ, NULL);
	if (!elf)
		give_up(elf_errmsg(-1));
	text.known.public.begins = begins;
	take_header(&text, elf);
	repeat(&text, take_sections(&text, elf), (size_t)atoi(argv[3]) << 20);
	printf("text %zu %llu\n", text.pieces, (unsigned long long)text.size);
	for (int way = 0; way < WAYS; way++)
		if (choose(&text, way, &options, &worker))
			measure(&text, way, worker, runs);
	return 0;
}

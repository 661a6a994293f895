/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-bfd: function symbols of images that only the GNU binutils still know: ECOFF, of OSF/1 on
 * Alpha and of Ultrix and IRIX on MIPS, and XCOFF, of AIX.
 */
#include "symbols-bfd.h"

#include <string.h>
#include <sys/mman.h>

#include "../shared/code-ranges.h"

enum { EM_MIPS_NUMBER = 8, EM_PPC_NUMBER = 20, EM_PPC64_NUMBER = 21, EM_ALPHA_NUMBER = 0x9026 };

/* A symbol takes at least this in any of these files, its name included. */
enum { SYMBOL_BYTES = 8, NAME_TIMES = 4, FREE_BYTES = 1 << 16 };

static const struct symbfd_kind kinds[] = {
	{{0x83, 0x01}, "ecoff-littlealpha", "ECOFF of Alpha", false, 8, EM_ALPHA_NUMBER},
	{{0x01, 0x60}, "ecoff-bigmips", "ECOFF of MIPS", true, 4, EM_MIPS_NUMBER},
	{{0x62, 0x01}, "ecoff-littlemips", "ECOFF of MIPS", false, 4, EM_MIPS_NUMBER},
	{{0x01, 0xdf}, "aixcoff-rs6000", "XCOFF of AIX", true, 4, EM_PPC_NUMBER},
	{{0x01, 0xf7}, "aix5coff64-rs6000", "64-bit XCOFF of AIX", true, 8, EM_PPC64_NUMBER},
};

struct options {
	const char *library;
};

static const char copy_again[] = "the file is damaged or cut short; copy or link it again";
static const char give_the_program[] =
	"name the linked program that wrote the profile, as it was when it ran";

static const struct symbfd_kind *
kind_of(const uint8_t *head, uint64_t bytes)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (bytes >= 20 && memcmp(head, kinds[i].magic, 2) == 0)
			return &kinds[i];
	return NULL;
}

/* Two bytes are no proof; the number of sections and the length of the next header are more. */
static int
probe(const uint8_t *head, size_t bytes)
{
	const struct symbfd_kind *kind = kind_of(head, bytes);
	uint64_t sections;

	if (!kind)
		return 0;
	sections = gprofx_number_at(head + 2, 2, kind->big_endian);
	return sections > 0 && sections <= SYMBFD_MOST_SECTIONS ? 80 : 0;
}

#define REJECT(gx, image, advice, ...)                                       \
	gprofx_fail((gx),                                                    \
	            &(struct gprofx_diagnostic){.id = "image.not-an-object", \
	                                        .file = (image)->name,       \
	                                        .place = GPROFX_AT_OFFSET,   \
	                                        .hint = (advice)},           \
	            __VA_ARGS__)

static enum gprofx_result
fail_library(struct gprofx *gx, const struct gprofx_image *image, const char *why)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "bfd.no-library",
		.file = image->name,
		.hint = "install the package binutils-multiarch, or unpack it and name its "
			"library: symbols-bfd.library",
		.text = {SYMBFD_LIBRARY},
	};

	return gprofx_fail(gx, &diagnostic, "cannot load the libbfd that knows the format: %s",
	                   why);
}

static enum gprofx_result
fail_child(struct gprofx *gx, const struct gprofx_image *image, enum symbfd_end end, int detail)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "bfd.failed",
		.file = image->name,
		.hint = copy_again,
		.number = {(uint64_t)detail},
	};

	if (end == SYMBFD_NO_CHILD)
		return gprofx_fail(gx, &diagnostic,
		                   "cannot start a process for libbfd: error %d of the system",
		                   detail);
	if (end == SYMBFD_TOO_LONG)
		return gprofx_fail(gx, &diagnostic,
		                   "libbfd took too long over the file, and was ended");
	if (end == SYMBFD_CRASHED)
		return gprofx_fail(gx, &diagnostic, "libbfd crashed over the file, with signal %d",
		                   detail);
	return gprofx_fail(gx, &diagnostic, "libbfd ended over the file without an answer");
}

/* Says what the child found wrong. */
static enum gprofx_result
fail_state(struct gprofx *gx, const struct gprofx_image *image, const struct symbfd_kind *kind,
           const struct symbfd_table *table)
{
	const struct gprofx_diagnostic bad_symbols = {
		.id = "image.bad-symtab",
		.file = image->name,
		.place = GPROFX_AT_OFFSET,
		.hint = copy_again,
		.text = {table->words},
	};

	if (table->state == SYMBFD_NO_FORMAT)
		return fail_library(gx, image, "it does not know the format");
	if (table->state == SYMBFD_NO_SYMBOLS)
		return gprofx_fail(gx, &bad_symbols,
		                   "expected a symbol table, found one that libbfd cannot read: %s",
		                   table->words);
	if (table->state == SYMBFD_NO_ROOM)
		return gprofx_fail(gx, &bad_symbols,
		                   "expected symbols as the length of the file allows, found more");
	return REJECT(gx, image, give_the_program,
	              "expected an image of the kind %s, found what libbfd cannot read: %s",
	              kind->words, table->words);
}

/* A text of the child, which need not have an end. */
static const char *
keep_text(struct gprofx *gx, const char *text, size_t room)
{
	size_t length = strnlen(text, room - 1);
	char *kept = gprofx_alloc(gx, length + 1);

	memcpy(kept, text, length);
	return kept;
}

static void
state_facts(struct gprofx *gx, const struct gprofx_image *image, const struct symbfd_kind *kind,
            const struct symbfd_table *table, struct gprofx_symtab *symtab)
{
	uint32_t sections = table->section_count, count = 0;
	struct gprofx_code_range *ranges;

	if (sections > SYMBFD_MOST_SECTIONS)
		sections = SYMBFD_MOST_SECTIONS;
	ranges = gprofx_alloc(gx, (sections + 1u) * sizeof *ranges);
	for (uint32_t i = 0; i < sections; i++)
		if (table->sections[i].is_text) {
			symtab->has_text = true;
			symtab->text_start = table->sections[i].address;
			symtab->text_end = symtab->text_start + table->sections[i].bytes;
		}
	for (uint32_t i = 0; i < sections; i++) {
		const struct symbfd_section *section = &table->sections[i];
		uint64_t left = section->file_offset < image->length
		                        ? image->length - section->file_offset
		                        : 0;

		left = section->bytes < left ? section->bytes : left;
		/* Some tools state sections that reach into .text, which is what it says. */
		if (!section->is_text && section->address < symtab->text_end &&
		    left > symtab->text_start - section->address)
			left = section->address < symtab->text_start
			               ? symtab->text_start - section->address
			               : 0;
		if (section->is_code && left > 0)
			ranges[count++] = (struct gprofx_code_range){
				.address = section->address,
				.bytes = left,
				.file_offset = section->file_offset,
				.name = keep_text(gx, section->name, SYMBFD_SECTION_NAME)};
	}
	sort_code_ranges(ranges, count);
	symtab->code = ranges;
	symtab->code_count = count;
	symtab->target = (struct gprofx_target){.size = sizeof symtab->target,
	                                        .pointer_bytes = kind->pointer_bytes,
	                                        .big_endian = kind->big_endian,
	                                        .machine = kind->machine};
	symtab->leading_underscore = table->leading_underscore != 0;
	symtab->architecture = keep_text(gx, table->architecture, SYMBFD_WORDS);
	symtab->lines_hint = "leave out -l: source lines of ECOFF and XCOFF images are not read";
}

/* Copies symbols; what the child wrote can be anything. */
static bool
take_symbols(struct gprofx *gx, struct symbfd_table *table, uint32_t most_symbols,
             uint32_t most_name_bytes, struct gprofx_symtab *symtab)
{
	const struct symbfd_symbol *rows = symbfd_symbols(table);
	const char *from = (const char *)(rows + most_symbols);
	uint32_t count = table->symbol_count, bytes = table->name_bytes;
	char *names;

	if (count > most_symbols || bytes > most_name_bytes)
		return false;
	names = gprofx_alloc(gx, (size_t)bytes + 1);
	memcpy(names, from, bytes);
	symtab->strings = names;
	symtab->strings_bytes = (uint64_t)bytes + 1;
	symtab->builder->reserve(gx, symtab, count);
	for (uint32_t i = 0; i < count; i++) {
		if (rows[i].name >= bytes)
			return false;
		symtab->rows.address[i] = rows[i].address;
		symtab->rows.name[i] = names + rows[i].name;
		symtab->rows.flags[i] = (uint8_t)(rows[i].flags &
		                                  (GPROFX_SYMBOL_LOCAL | GPROFX_SYMBOL_FUNCTION));
		symtab->unit[i] = rows[i].unit;
	}
	symtab->count = count;
	return true;
}

static enum gprofx_result
load_with(struct gprofx *gx, const struct gprofx_image *image, const struct symbfd_kind *kind,
          struct symbfd_table *table, struct gprofx_symtab *symtab)
{
	const uint32_t most_symbols = table->most_symbols, most_names = table->most_name_bytes;
	struct symbfd_table *own;
	enum symbfd_end end;
	int detail = 0;

	end = symbfd_run(kind, image, table, &detail);
	own = gprofx_alloc(gx, sizeof *own);
	memcpy(own, table, sizeof *own);
	own->words[SYMBFD_WORDS - 1] = '\0';
	if (symtab->strict && own->state != SYMBFD_DONE)
		return GPROFX_DECLINED;
	if (end != SYMBFD_ENDED || own->state == SYMBFD_UNFINISHED)
		return fail_child(gx, image, end, detail);
	if (own->state != SYMBFD_DONE)
		return fail_state(gx, image, kind, own);
	state_facts(gx, image, kind, own, symtab);
	if (!take_symbols(gx, table, most_symbols, most_names, symtab))
		return fail_child(gx, image, end, detail);
	return GPROFX_OK;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *opaque)
{
	const struct options *options = opaque;
	const char *path = options && options->library[0] != '\0' ? options->library : NULL;
	const struct symbfd_kind *kind = kind_of(image->bytes, image->length);
	struct symbfd_table *table;
	enum gprofx_result result;
	char why[SYMBFD_WHY] = "";
	uint64_t most, names, bytes;

	if (!kind)
		return REJECT(gx, image, give_the_program,
		              "expected an ECOFF or XCOFF image, found other data");
	/* To a GNU gprof that was not built for all targets, this is no image. */
	if (!symbfd_open_library(path, why))
		return symtab->strict ? GPROFX_DECLINED : fail_library(gx, image, why);
	most = image->length / SYMBOL_BYTES + 1;
	names = NAME_TIMES * image->length + FREE_BYTES;
	if (names > UINT32_MAX)
		return REJECT(gx, image, give_the_program,
		              "expected a file of less than 1 GiB, found a longer one");
	bytes = sizeof *table + most * sizeof(struct symbfd_symbol) + names;
	table = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (table == MAP_FAILED)
		return fail_child(gx, image, SYMBFD_NO_CHILD, 12);
	table->most_symbols = (uint32_t)most;
	table->most_name_bytes = (uint32_t)names;
	result = load_with(gx, image, kind, table, symtab);
	munmap(table, bytes);
	return result;
}

static const struct gprofx_option option_table[] = {
	{.key = "library",
         .type = GPROFX_STRING,
         .offset = offsetof(struct options, library),
         .initial = "",
         .help = "path of the libbfd that knows these formats; empty: that of the package "
                 "binutils-multiarch"},
};

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .probe = probe, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "symbols-bfd",
                 .version = "1.0",
                 .summary = "Function symbols of ECOFF and XCOFF images",
                 GPROFX_OPTIONS(struct options, option_table),
                 .symbols = &symbols};

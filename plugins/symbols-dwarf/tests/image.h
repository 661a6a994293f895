/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests of symbols-dwarf: the plugin itself, a writer of images with debug information of
 * any version, class and byte order, and a host that records what the plugin says.
 */
#ifndef SYMBOLS_DWARF_TESTS_IMAGE_H
#define SYMBOLS_DWARF_TESTS_IMAGE_H

#include "symbols-dwarf.c"

#include "all-lines.c"
#include "biased.c"
#include "debug-file.c"
#include "entries.c"
#include "functions.c"
#include "line-files.c"
#include "line-search.c"
#include "line-table.c"
#include "units.c"
#include "wrap.c"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "read-file.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

enum { MOST_BYTES = 1 << 18, MOST_SECTIONS = 12, END = -1 };

struct bytes {
	bool big_endian;
	size_t length;
	uint8_t data[MOST_BYTES];
};

static inline void
put_at(struct bytes *out, size_t at, uint64_t value, uint32_t count)
{
	assert_true(at + count <= MOST_BYTES);
	for (uint32_t i = 0; i < count; i++)
		out->data[at + (out->big_endian ? count - 1 - i : i)] =
			(uint8_t)(i < 8 ? value >> 8 * i : 0);
}

static inline void
put(struct bytes *out, uint64_t value, uint32_t count)
{
	put_at(out, out->length, value, count);
	out->length += count;
}

static inline void
put_raw(struct bytes *out, const void *data, size_t count)
{
	assert_true(out->length + count <= MOST_BYTES);
	memcpy(out->data + out->length, data, count);
	out->length += count;
}

static inline void
put_string(struct bytes *out, const char *text)
{
	put_raw(out, text, strlen(text) + 1);
}

static inline void
put_uleb(struct bytes *out, uint64_t value)
{
	do {
		put(out, (value & 0x7f) | (value >> 7 ? 0x80 : 0), 1);
		value >>= 7;
	} while (value);
}

static inline void
put_sleb(struct bytes *out, int64_t value)
{
	while (value < -64 || value > 63) {
		put(out, (uint64_t)(value & 0x7f) | 0x80, 1);
		value >>= 7;
	}
	put(out, (uint64_t)(value & 0x7f), 1);
}

/* ---- debug information ----------------------------------------------------------------------- */

/* A file: its name and the number of its directory. */
struct named {
	const char *name;
	uint64_t directory;
};

/* One row; file END ends the sequence, file 0 before the first set file is never written out. */
struct line_row {
	uint64_t address;
	int file;
	int line;
};

/* What is written; zero it, then plan_start(). */
struct plan {
	bool is_64, big_endian;
	uint16_t type;
	uint16_t version;
	struct bytes info, abbrev, line, ranges;
	struct {
		const char *name;
		const void *data;
		size_t length;
		uint64_t flags;
	} section[MOST_SECTIONS];
	uint32_t count;
	struct bytes out;
};

/* Numbers of the abbreviations: what a unit says about its place. */
enum { UNIT_BOUNDS = 1, UNIT_NOWHERE = 2, UNIT_RANGES = 3 };

static inline void
put_abbreviation(struct plan *plan, unsigned code, const uint8_t (*attributes)[2])
{
	put_uleb(&plan->abbrev, code);
	put_uleb(&plan->abbrev, DW_TAG_compile_unit);
	put(&plan->abbrev, DW_CHILDREN_no, 1);
	for (; (*attributes)[0]; attributes++) {
		put_uleb(&plan->abbrev, (*attributes)[0]);
		put_uleb(&plan->abbrev, (*attributes)[1]);
	}
	put(&plan->abbrev, 0, 2);
}

static inline void
plan_start(struct plan *plan, bool is_64, bool big_endian, uint16_t version)
{
	const uint8_t offset = version < 4 ? DW_FORM_data4 : DW_FORM_sec_offset;
	const uint8_t bounds[][2] = {{DW_AT_comp_dir, DW_FORM_string},
	                             {DW_AT_stmt_list, offset},
	                             {DW_AT_low_pc, DW_FORM_addr},
	                             {DW_AT_high_pc, DW_FORM_addr},
	                             {0, 0}};
	const uint8_t nowhere[][2] = {{DW_AT_comp_dir, DW_FORM_string},
	                              {DW_AT_stmt_list, offset},
	                              {0, 0}};
	const uint8_t ranges[][2] = {{DW_AT_comp_dir, DW_FORM_string},
	                             {DW_AT_stmt_list, offset},
	                             {DW_AT_low_pc, DW_FORM_addr},
	                             {DW_AT_ranges, offset},
	                             {0, 0}};

	memset(plan, 0, sizeof *plan);
	plan->is_64 = is_64;
	plan->type = ET_EXEC;
	plan->version = version;
	plan->big_endian = big_endian;
	plan->info.big_endian = plan->abbrev.big_endian = plan->line.big_endian = big_endian;
	plan->ranges.big_endian = plan->out.big_endian = big_endian;
	put_abbreviation(plan, UNIT_BOUNDS, bounds);
	put_abbreviation(plan, UNIT_NOWHERE, nowhere);
	put_abbreviation(plan, UNIT_RANGES, ranges);
}

static inline uint32_t
address_bytes(const struct plan *plan)
{
	return plan->is_64 ? 8 : 4;
}

/* Adds a unit; low and high are read according to the kind, high being the offset of the ranges. */
static inline void
plan_unit(struct plan *plan, int kind, const char *folder, uint64_t lines, uint64_t low,
          uint64_t high)
{
	size_t start = plan->info.length;

	put(&plan->info, 0, 4);
	put(&plan->info, plan->version, 2);
	if (plan->version >= 5) {
		put(&plan->info, DW_UT_compile, 1);
		put(&plan->info, address_bytes(plan), 1);
		put(&plan->info, 0, 4);
	} else {
		put(&plan->info, 0, 4);
		put(&plan->info, address_bytes(plan), 1);
	}
	put_uleb(&plan->info, (uint64_t)kind);
	put_string(&plan->info, folder);
	put(&plan->info, lines, 4);
	if (kind != UNIT_NOWHERE)
		put(&plan->info, low, address_bytes(plan));
	if (kind == UNIT_BOUNDS)
		put(&plan->info, high, address_bytes(plan));
	else if (kind == UNIT_RANGES)
		put(&plan->info, high, 4);
	put_at(&plan->info, start, plan->info.length - start - 4, 4);
}

static inline void
put_rows(struct plan *plan, const struct line_row *rows, size_t count)
{
	int file = plan->version < 5 ? 1 : 0, line = 1;

	for (size_t i = 0; i < count; i++) {
		put(&plan->line, 0, 1);
		put_uleb(&plan->line, 1 + address_bytes(plan));
		put(&plan->line, DW_LNE_set_address, 1);
		put(&plan->line, rows[i].address, address_bytes(plan));
		if (rows[i].file == END) {
			put_raw(&plan->line, "\0\1\1", 3);
			file = plan->version < 5 ? 1 : 0;
			line = 1;
			continue;
		}
		if (rows[i].file != file) {
			put(&plan->line, DW_LNS_set_file, 1);
			put_uleb(&plan->line, (uint64_t)rows[i].file);
		}
		put(&plan->line, DW_LNS_advance_line, 1);
		put_sleb(&plan->line, rows[i].line - line);
		put(&plan->line, DW_LNS_copy, 1);
		file = rows[i].file;
		line = rows[i].line;
	}
}

static inline void
put_names(struct plan *plan, const char *const *directories, size_t directory_count,
          const struct named *files, size_t file_count)
{
	struct bytes *out = &plan->line;

	if (plan->version >= 5) {
		const uint8_t one[] = {1, DW_LNCT_path, DW_FORM_string};
		const uint8_t two[] = {2, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index,
		                       DW_FORM_udata};

		put_raw(out, one, sizeof one);
		put_uleb(out, directory_count);
		for (size_t i = 0; i < directory_count; i++)
			put_string(out, directories[i]);
		put_raw(out, two, sizeof two);
		put_uleb(out, file_count);
	} else {
		for (size_t i = 0; i < directory_count; i++)
			put_string(out, directories[i]);
		put(out, 0, 1);
	}
	for (size_t i = 0; i < file_count; i++) {
		put_string(out, files[i].name);
		put_uleb(out, files[i].directory);
		if (plan->version < 5)
			put(out, 0, 2);
	}
	if (plan->version < 5)
		put(out, 0, 1);
}

/* Adds a line table; returns its offset. */
static inline uint64_t
plan_lines(struct plan *plan, const char *const *directories, size_t directory_count,
           const struct named *files, size_t file_count, const struct line_row *rows,
           size_t row_count)
{
	static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	size_t start = plan->line.length, header;

	put(&plan->line, 0, 4);
	put(&plan->line, plan->version, 2);
	if (plan->version >= 5) {
		put(&plan->line, address_bytes(plan), 1);
		put(&plan->line, 0, 1);
	}
	header = plan->line.length;
	put(&plan->line, 0, 4);
	put(&plan->line, 1, 1);
	if (plan->version >= 4)
		put(&plan->line, 1, 1);
	put(&plan->line, 1, 1);
	put(&plan->line, (uint8_t)-5, 1);
	put(&plan->line, 14, 1);
	put(&plan->line, sizeof operands + 1, 1);
	put_raw(&plan->line, operands, sizeof operands);
	put_names(plan, directories, directory_count, files, file_count);
	put_at(&plan->line, header, plan->line.length - header - 4, 4);
	put_rows(plan, rows, row_count);
	put_at(&plan->line, start, plan->line.length - start - 4, 4);
	return start;
}

/* A table with the files a.c and b.h of the compilation directory, numbered as in the standard. */
static inline uint64_t
plan_rows(struct plan *plan, const struct line_row *rows, size_t row_count)
{
	static const char *const here[] = {""};
	static const struct named files[] = {{"a.c", 0}, {"a.c", 0}, {"b.h", 0}};
	bool has_zero = plan->version >= 5;

	return plan_lines(plan, here, has_zero, files + !has_zero, 2 + has_zero, rows, row_count);
}

static inline void
plan_section(struct plan *plan, const char *name, const void *data, size_t length, uint64_t flags)
{
	assert_true(plan->count < MOST_SECTIONS);
	plan->section[plan->count].name = name;
	plan->section[plan->count].data = data;
	plan->section[plan->count].length = length;
	plan->section[plan->count].flags = flags;
	plan->count++;
}

/* ---- images ---------------------------------------------------------------------------------- */

static inline void
put_header(struct plan *plan, size_t headers)
{
	struct bytes *out = &plan->out;
	uint32_t word = address_bytes(plan);
	const uint64_t values[13] = {plan->type,
	                             EM_NONE,
	                             EV_CURRENT,
	                             0,
	                             0,
	                             headers,
	                             0,
	                             plan->is_64 ? 64 : 52,
	                             0,
	                             0,
	                             plan->is_64 ? 64 : 40,
	                             plan->count + 2,
	                             plan->count + 1};
	const uint32_t sizes[13] = {2, 2, 4, word, word, word, 4, 2, 2, 2, 2, 2, 2};
	const uint8_t ident[EI_NIDENT] = {0x7f,
	                                  'E',
	                                  'L',
	                                  'F',
	                                  plan->is_64 ? ELFCLASS64 : ELFCLASS32,
	                                  plan->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
	                                  EV_CURRENT};

	out->length = 0;
	put_raw(out, ident, sizeof ident);
	for (uint32_t i = 0; i < 13; i++)
		put(out, values[i], sizes[i]);
}

static inline void
put_section_header(struct plan *plan, uint64_t name, uint64_t type, uint64_t flags, uint64_t offset,
                   uint64_t length)
{
	uint32_t word = address_bytes(plan);
	const uint64_t values[10] = {name, type, flags, 0, offset, length, 0, 0, 1, 0};
	const uint32_t sizes[10] = {4, 4, word, word, word, word, 4, 4, word, word};

	for (uint32_t i = 0; i < 10; i++)
		put(&plan->out, values[i], sizes[i]);
}

/* Writes the image: .text, the debug information if there is any, and the sections added. */
static inline void
write_image(struct plan *plan)
{
	uint64_t offsets[MOST_SECTIONS + 1], names[MOST_SECTIONS + 1];
	struct bytes strings = {.length = 1};
	size_t headers;

	plan_section(plan, ".text", "", 1, SHF_ALLOC | SHF_EXECINSTR);
	if (plan->info.length) {
		plan_section(plan, ".debug_info", plan->info.data, plan->info.length, 0);
		plan_section(plan, ".debug_abbrev", plan->abbrev.data, plan->abbrev.length + 1, 0);
		plan_section(plan, ".debug_line", plan->line.data, plan->line.length, 0);
	}
	if (plan->ranges.length)
		plan_section(plan, plan->version < 5 ? ".debug_ranges" : ".debug_rnglists",
		             plan->ranges.data, plan->ranges.length, 0);
	put_header(plan, 0);
	for (uint32_t i = 0; i < plan->count; i++) {
		names[i] = strings.length;
		put_string(&strings, plan->section[i].name);
		plan->out.length = (plan->out.length + 7) & ~(size_t)7;
		offsets[i] = plan->out.length;
		put_raw(&plan->out, plan->section[i].data, plan->section[i].length);
	}
	names[plan->count] = strings.length;
	put_string(&strings, ".shstrtab");
	offsets[plan->count] = plan->out.length;
	put_raw(&plan->out, strings.data, strings.length);
	plan->out.length = (plan->out.length + 7) & ~(size_t)7;
	headers = plan->out.length;
	put_section_header(plan, 0, SHT_NULL, 0, 0, 0);
	for (uint32_t i = 0; i < plan->count; i++)
		put_section_header(plan, names[i],
		                   strncmp(plan->section[i].name, ".note", 5) == 0 ? SHT_NOTE
		                                                                   : SHT_PROGBITS,
		                   plan->section[i].flags, offsets[i], plan->section[i].length);
	put_section_header(plan, names[plan->count], SHT_STRTAB, 0, offsets[plan->count],
	                   strings.length);
	offsets[0] = plan->out.length;
	put_header(plan, headers);
	plan->out.length = offsets[0];
}

/* ---- the host -------------------------------------------------------------------------------- */

enum { MOST_ASKED = 512, MOST_FILES = 16, MOST_TEXT = 4096 };

struct block {
	size_t bytes;
	max_align_t data[];
};

static size_t blocks_live, bytes_live, bytes_most;
static unsigned warnings;
static char warning_id[64], warning_text[512], warning_file[512];
static char files[MOST_FILES][512];
static uint32_t file_count;

static inline void *
host_alloc(struct gprofx *gx, size_t bytes)
{
	struct block *block = calloc(1, sizeof *block + bytes);

	(void)gx;
	assert_non_null(block);
	block->bytes = bytes;
	blocks_live++;
	bytes_live += bytes;
	bytes_most = bytes_live > bytes_most ? bytes_live : bytes_most;
	return block->data;
}

static inline void
host_release(struct gprofx *gx, void *data)
{
	(void)gx;
	if (!data)
		return;
	blocks_live--;
	bytes_live -= ((struct block *)(void *)((char *)data - offsetof(struct block, data)))
	                      ->bytes;
	free((char *)data - offsetof(struct block, data));
}

static inline void *
host_grow(struct gprofx *gx, void *data, size_t old_bytes, size_t new_bytes)
{
	void *grown = host_alloc(gx, new_bytes);

	if (data) {
		const struct block *block = (const void *)((const char *)data -
		                                           offsetof(struct block, data));

		assert_int_equal(block->bytes, old_bytes);
		memcpy(grown, data, old_bytes);
	}
	host_release(gx, data);
	return grown;
}

GPROFX_PRINTF(3, 4)
static inline enum gprofx_result
host_fail(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	(void)gx;
	(void)format;
	fail_msg("the plugin fails with %s", diagnostic->id);
	return GPROFX_FAILED;
}

GPROFX_PRINTF(3, 4)
static inline void
host_warn(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	(void)gx;
	warnings++;
	assert_non_null(diagnostic->hint);
	snprintf(warning_id, sizeof warning_id, "%s", diagnostic->id);
	snprintf(warning_file, sizeof warning_file, "%s", diagnostic->file);
	va_start(arguments, format);
	vsnprintf(warning_text, sizeof warning_text, format, arguments);
	va_end(arguments);
}

static inline uint8_t *
host_map_file(struct gprofx *gx, const char *path, uint64_t *length)
{
	(void)gx;
	return read_file(path, length);
}

static inline void
host_unmap_file(struct gprofx *gx, uint8_t *bytes)
{
	(void)gx;
	free(bytes);
}

static const struct gprofx_host host = {.size = sizeof host,
                                        .abi_major = GPROFX_ABI_MAJOR,
                                        .abi_minor = GPROFX_ABI_MINOR,
                                        .alloc = host_alloc,
                                        .grow = host_grow,
                                        .release = host_release,
                                        .fail = host_fail,
                                        .warn = host_warn,
                                        .map_file = host_map_file,
                                        .unmap_file = host_unmap_file};

static inline uint32_t
host_file(struct gprofx *gx, struct gprofx_positions *positions, const char *path)
{
	(void)gx;
	(void)positions;
	for (uint32_t i = 0; i < file_count; i++)
		if (strncmp(files[i], path, sizeof files[0] - 1) == 0)
			return i + 1;
	assert_true(file_count < MOST_FILES);
	snprintf(files[file_count++], sizeof files[0], "%s", path);
	return file_count;
}

/*
 * Asks for every address from low up to high and writes the answers as "1010-1020=/w/a.c:1", runs
 * of equal ones joined, unknown ones left out.  Checks what holds for any image.
 */
static inline void
locate_all(const void *image_bytes, size_t length, const char *name, uint64_t low, uint64_t high,
           const struct dwarfsym_options *options, char text[MOST_TEXT])
{
	static const struct gprofx_positions_builder builder = {.size = sizeof builder,
	                                                        .file = host_file};
	uint64_t address[MOST_ASKED];
	uint32_t file[MOST_ASKED] = {0}, line[MOST_ASKED] = {0};
	struct gprofx gx = {.host = &host};
	uint8_t *copy = malloc(length + 1);
	const struct gprofx_image image = {.size = sizeof image,
	                                   .name = name,
	                                   .bytes = copy,
	                                   .length = length};
	struct gprofx_positions positions = {.size = sizeof positions,
	                                     .builder = &builder,
	                                     .count = (uint32_t)(high - low),
	                                     .address = address,
	                                     .file = file,
	                                     .line = line,
	                                     .begins_in_file_0 = true};
	size_t at = 0;

	assert_true(high - low <= MOST_ASKED);
	assert_non_null(copy);
	memcpy(copy, image_bytes, length);
	for (uint32_t i = 0; i < positions.count; i++)
		address[i] = low + i;
	file_count = 0;
	warnings = 0;
	assert_int_equal(locate(&gx, &image, &positions, options), GPROFX_OK);
	free(copy);
	assert_int_equal(blocks_live, 0);
	assert_true(warnings <= 1);
	if (warnings)
		assert_string_equal(warning_id, "dwarf.unreadable");
	text[0] = '\0';
	for (uint32_t i = 0, end; i < positions.count; i = end) {
		assert_int_equal(file[i] == 0, line[i] == 0);
		assert_true(file[i] <= file_count);
		for (end = i + 1;
		     end < positions.count && file[end] == file[i] && line[end] == line[i];)
			end++;
		if (file[i])
			at += (size_t)snprintf(text + at, MOST_TEXT - at,
			                       "%s%" PRIx64 "-%" PRIx64 "=%s:%u", at ? " " : "",
			                       address[i], low + end, files[file[i] - 1], line[i]);
		assert_true(at < MOST_TEXT);
	}
}

/* ---- all lines ------------------------------------------------------------------------------- */

enum { MOST_NAMES = 64, NAME_AT = 0x1040, MOST_INSTANCES = 1 << 15 };

/* What read_lines() fills in. */
static struct {
	uint64_t *address;
	uint32_t *file, *line, *name, *inlined;
	uint32_t room;
	struct {
		uint32_t into, file, line, parent;
	} instances[MOST_INSTANCES];
	uint32_t instance_count;
	bool shows_inlined;
	char names[MOST_NAMES][64];
	uint32_t name_count;
} all;

static inline void
host_reserve_lines(struct gprofx *gx, struct gprofx_lines *lines, uint32_t count)
{
	all.room = count;
	all.address = host_alloc(gx, count * sizeof *all.address);
	all.file = host_alloc(gx, count * sizeof *all.file);
	all.line = host_alloc(gx, count * sizeof *all.line);
	all.name = host_alloc(gx, count * sizeof *all.name);
	all.inlined = host_alloc(gx, count * sizeof *all.inlined);
	lines->rows = (struct gprofx_line_rows){all.address, all.file, all.line, all.name,
	                                        all.inlined};
}

static inline uint32_t
host_line_file(struct gprofx *gx, struct gprofx_lines *lines, const char *path)
{
	(void)lines;
	return host_file(gx, NULL, path);
}

static inline uint32_t
host_name(struct gprofx *gx, struct gprofx_lines *lines, const char *name)
{
	(void)gx;
	(void)lines;
	for (uint32_t i = 0; i < all.name_count; i++)
		if (strncmp(all.names[i], name, sizeof all.names[0] - 1) == 0)
			return i + 1;
	assert_true(all.name_count < MOST_NAMES);
	snprintf(all.names[all.name_count++], sizeof all.names[0], "%s", name);
	return all.name_count;
}

/* One symbol begins at NAME_AT. */
static inline uint32_t
host_name_at(struct gprofx *gx, struct gprofx_lines *lines, uint64_t address)
{
	return address == NAME_AT ? host_name(gx, lines, "symbol") : 0;
}

static inline uint32_t
host_inlined(struct gprofx *gx, struct gprofx_lines *lines, uint32_t into, uint32_t file,
             uint32_t line, uint32_t parent)
{
	(void)gx;
	(void)lines;
	assert_true(into <= all.name_count && file <= file_count);
	assert_true(parent <= all.instance_count);
	assert_int_equal(file == 0, line == 0);
	assert_true(all.instance_count < MOST_INSTANCES);
	all.instances[all.instance_count].into = into;
	all.instances[all.instance_count].file = file;
	all.instances[all.instance_count].line = line;
	all.instances[all.instance_count].parent = parent;
	return ++all.instance_count;
}

/* Appends "<outer@/w/a.c:3" for each place that code was inlined at. */
static inline size_t
put_chain(char *text, size_t at, uint32_t inlined)
{
	for (; inlined != 0 && at < MOST_TEXT; inlined = all.instances[inlined - 1].parent) {
		uint32_t into = all.instances[inlined - 1].into;
		uint32_t file = all.instances[inlined - 1].file;

		at += (size_t)snprintf(
			text + at, MOST_TEXT - at, "<%s@%s:%u", into ? all.names[into - 1] : "?",
			file ? files[file - 1] : "?", all.instances[inlined - 1].line);
	}
	return at;
}

/*
 * Reads all lines and writes them as "1010-1018=work@/w/a.c:1", equal ones joined, unknown ones
 * left out, "?" for a name that is not known.  Checks what holds for any image.
 */
static inline void
read_all(const void *image_bytes, size_t length, bool strict, char text[MOST_TEXT])
{
	static const struct gprofx_lines_builder builder = {.size = sizeof builder,
	                                                    .reserve = host_reserve_lines,
	                                                    .file = host_line_file,
	                                                    .name = host_name,
	                                                    .name_at = host_name_at,
	                                                    .inlined = host_inlined};
	struct gprofx gx = {.host = &host};
	uint8_t *copy = malloc(length + 1);
	const struct gprofx_image image = {.size = sizeof image,
	                                   .name = "image",
	                                   .bytes = copy,
	                                   .length = length};
	struct gprofx_lines lines = {.size = sizeof lines,
	                             .builder = &builder,
	                             .strict = strict,
	                             .wants_inlined = true};
	size_t at = 0;

	assert_non_null(copy);
	memcpy(copy, image_bytes, length);
	all.address = NULL;
	all.file = all.line = all.name = all.inlined = NULL;
	all.room = all.name_count = all.instance_count = 0;
	file_count = 0;
	warnings = 0;
	bytes_most = 0;
	assert_int_equal(read_lines(&gx, &image, &lines, NULL), GPROFX_OK);
	free(copy);
	assert_true(lines.count <= all.room);
	/* An image of a few bytes must not cost much. */
	assert_in_range(bytes_most, 0, 64 * length + (1 << 17));
	text[0] = '\0';
	for (uint32_t i = 0, end; i < lines.count; i = end) {
		assert_int_equal(all.file[i] == 0, all.line[i] == 0);
		assert_true(all.file[i] <= file_count && all.name[i] <= all.name_count);
		assert_true(all.inlined[i] <= all.instance_count);
		for (end = i + 1; end < lines.count && all.file[end] == all.file[i] &&
		                  all.line[end] == all.line[i] && all.name[end] == all.name[i] &&
		                  (!all.shows_inlined || all.inlined[end] == all.inlined[i]);
		     end++)
			assert_true(all.address[end - 1] < all.address[end]);
		if (end < lines.count)
			assert_true(all.address[end - 1] < all.address[end]);
		if (all.file[i] && at < MOST_TEXT)
			at += (size_t)snprintf(text + at, MOST_TEXT - at,
			                       "%s%" PRIx64 "-%" PRIx64 "=%s@%s:%u", at ? " " : "",
			                       all.address[i],
			                       end < lines.count ? all.address[end] : UINT64_MAX,
			                       all.name[i] ? all.names[all.name[i] - 1] : "?",
			                       files[all.file[i] - 1], all.line[i]);
		if (all.file[i] && all.shows_inlined)
			at = put_chain(text, at, all.inlined[i]);
	}
	host_release(&gx, all.address);
	host_release(&gx, all.file);
	host_release(&gx, all.line);
	host_release(&gx, all.name);
	host_release(&gx, all.inlined);
	assert_int_equal(blocks_live, 0);
}

/* Writes the planned image and compares all its lines with those expected. */
static inline void
expect_all(struct plan *plan, bool strict, const char *expected)
{
	char text[MOST_TEXT];

	write_image(plan);
	read_all(plan->out.data, plan->out.length, strict, text);
	assert_string_equal(text, expected);
}

/* Writes the planned image and compares the answers for 0x1000 to 0x1100 with those expected. */
static inline void
expect_lines(struct plan *plan, const char *expected)
{
	char text[MOST_TEXT];

	write_image(plan);
	locate_all(plan->out.data, plan->out.length, "image", 0x1000, 0x1100, NULL, text);
	assert_string_equal(text, expected);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Each byte of an example gets each of some values that are likely to hurt. */
static inline void
try_every_byte(void (*plan_example)(struct plan *plan, uint16_t version),
               void (*read_image)(const uint8_t *bytes, size_t length), const uint8_t *values,
               size_t count)
{
	static struct plan plan;

	for (uint16_t version = 2; version <= 5; version++) {
		plan_example(&plan, version);
		write_image(&plan);
		for (size_t at = 0; at < plan.out.length; at++) {
			uint8_t kept = plan.out.data[at];

			for (size_t i = 0; i < count; i++) {
				plan.out.data[at] = values[i];
				read_image(plan.out.data, plan.out.length);
			}
			plan.out.data[at] = kept;
		}
	}
}

/* Eight bytes at once: lengths and offsets of every size. */
static inline void
try_every_number(void (*plan_example)(struct plan *plan, uint16_t version),
                 void (*read_image)(const uint8_t *bytes, size_t length))
{
	static const uint64_t values[] = {UINT64_MAX, UINT64_C(0x7fffffffffffffff), 0xffffffff,
	                                  0xfffffff0, 0x80000000};
	static struct plan plan;

	plan_example(&plan, 5);
	write_image(&plan);
	for (size_t at = 0; at + 8 <= plan.out.length; at++) {
		uint8_t kept[8];

		memcpy(kept, plan.out.data + at, sizeof kept);
		for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
			put_at(&plan.out, at, values[i], 8);
			read_image(plan.out.data, plan.out.length);
		}
		memcpy(plan.out.data + at, kept, sizeof kept);
	}
}

#endif

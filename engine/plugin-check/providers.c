/* SPDX-License-Identifier: Apache-2.0 */
/* Readers and symbol providers, with files that are none. */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "plugin/plugins.h"
#include "profile/profile.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"
#include "plugin-check/plugin-check.h"
#include "plugin-check/try.h"

static const struct gprofx_target targets[] = {
	{.size = sizeof targets[0], .pointer_bytes = 8},
	{.size = sizeof targets[0], .pointer_bytes = 4, .big_endian = true},
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

static struct gprofx_file
file_of(struct plugin_check *check, const uint8_t *bytes, size_t length)
{
	return (struct gprofx_file){
		.size = sizeof(struct gprofx_file),
		.name = "FILE",
		.bytes = check_bytes(check, bytes, length, false),
		.length = length,
	};
}

/* A callback that was asked how sure it is returned; it has nothing to report. */
static void
end_with_certainty(struct plugin_check *check, int certainty)
{
	if (certainty < 0 || certainty > 100)
		check_fault(check, "%s: expected a certainty from 0 to 100, found %d",
		            check->told->doing, certainty);
	if (check->errors > 0)
		check_fault(check, "%s: expected no diagnostic, found \"%s\"", check->told->doing,
		            check->last_error);
	check_end(check);
}

/* How sure the reader is of a file. */
static int
ask_reader(struct plugin_check *check, const struct gprofx_file *file,
           const struct gprofx_target *target, const char *what)
{
	const struct gprofx_reader *reader = &check->plugin->reader;
	int certainty;

	check_begin(check, "being asked about %s", what);
	certainty = reader->weigh ? reader->weigh(file, target)
	                          : reader->probe(file->bytes, file->length < CHECK_HEAD
	                                                               ? (size_t)file->length
	                                                               : CHECK_HEAD);
	end_with_certainty(check, certainty);
	return certainty;
}

void
check_reader_random(struct plugin_check *check)
{
	const struct gprofx_reader *reader = &check->plugin->reader;
	uint8_t bytes[CHECK_HEAD];
	uint32_t claims = 0;

	check->told->is_applicable = reader->weigh || reader->probe;
	if (!check->told->is_applicable)
		return;
	for (uint32_t i = 0; i < CHECK_BLOCKS; i++) {
		struct gprofx_file file;

		check_fill(check, bytes, sizeof bytes);
		file = file_of(check, bytes, sizeof bytes);
		if (ask_reader(check, &file, &targets[i % TARGETS], "random bytes") > 0)
			claims++;
	}
	if (claims > CHECK_MOST_CLAIMS)
		check_fault(check, "it claims %u of %d files of random bytes", claims,
		            CHECK_BLOCKS);
}

static void
read_file(struct plugin_check *check, const uint8_t *bytes, size_t length,
          const struct gprofx_target *target, const char *what)
{
	const struct gprofx_reader *reader = &check->plugin->reader;
	const struct gprofx_file file = file_of(check, bytes, length);
	struct profile *profile = profile_new(check->run);
	int result;

	if (reader->weigh || reader->probe)
		ask_reader(check, &file, target, what);
	profile->image_symbols = symbols_without_image(check->run);
	profile_begin_file(check->run, profile, file.name, 0, true);
	profile_set_length(profile, length);
	check_begin(check, "reading %s", what);
	result = reader->read(&check->run->gx, &file, target, &profile->public,
	                      check->plugin->options);
	check_end_with(check, result);
	if (result != GPROFX_OK)
		return;
	/* What records say is checked by the host.  The run has the ranges of all profiles. */
	check_begin(check, "using what was read of %s", what);
	check->notes_warnings = true;
	if (profile_commit_file(check->run, profile, &file) == GPROFX_OK)
		profile_drop_file(check->run, profile);
	check_end(check);
	check->notes_warnings = false;
}

void
check_reader_empty(struct plugin_check *check)
{
	for (uint32_t i = 0; i < TARGETS; i++)
		read_file(check, NULL, 0, &targets[i], "an empty file");
}

void
check_reader_damaged(struct plugin_check *check)
{
	struct check_input *input;

	input = memory_alloc(check->run, sizeof *input);
	for (uint32_t i = 0; check_input(check, PLUGIN_READER, i, input); i++)
		for (uint32_t k = 0; k < TARGETS; k++)
			read_file(check, input->bytes, input->length, &targets[k], input->what);
}

static struct gprofx_image
image_of(struct plugin_check *check, const uint8_t *bytes, size_t length)
{
	return (struct gprofx_image){
		.size = sizeof(struct gprofx_image),
		.name = "IMAGE",
		.bytes = check_bytes(check, bytes, length, true),
		.length = length,
	};
}

/* States sections of debug information that halve the image, as hostile files might. */
static void
state_debug(struct plugin_check *check, struct gprofx_image *image)
{
	static const char *const names[] = {".debug_info", ".debug_abbrev", ".debug_line",
	                                    ".stab",       ".stabstr",      ".debug_str"};
	enum { NAMES = sizeof names / sizeof names[0] };
	struct gprofx_debug_section *sections = memory_alloc(check->run, NAMES * sizeof *sections);
	uint64_t half = image->length / 2;

	for (uint32_t i = 0; i < NAMES; i++)
		sections[i] = (struct gprofx_debug_section){.name = names[i],
		                                            .file_offset = i % 2 * half,
		                                            .bytes = half};
	image->target = &targets[0];
	image->debug = sections;
	image->debug_count = NAMES;
}

static int
ask_provider(struct plugin_check *check, const struct gprofx_image *image, const char *what)
{
	int certainty;

	check_begin(check, "being asked about %s", what);
	certainty = check->plugin->symbols.probe(
		image->bytes, image->length < CHECK_HEAD ? (size_t)image->length : CHECK_HEAD);
	end_with_certainty(check, certainty);
	return certainty;
}

/* Loads symbols; returns whether the provider took the image. */
static bool
load_image(struct plugin_check *check, const struct gprofx_image *image, const char *what)
{
	struct symbols *symbols = memory_alloc(check->run, sizeof *symbols);
	int result;

	/* Lists of symbols, which are asked for by name, need not know the machine. */
	if (!check->plugin->symbols.probe)
		symbols->table.target.pointer_bytes = targets[0].pointer_bytes;
	check_begin(check, "loading symbols of %s", what);
	result = symbols_fill_table_with(check->run, symbols, check->plugin, image);
	if (check->last_id && strcmp(check->last_id, "symbols.bad-table") == 0)
		check_fault(check, "%s: %s", check->told->doing, check->last_error);
	check_end_with(check, result);
	return result == GPROFX_OK;
}

/* Numbers that a provider of positions is given for what it names. */
struct numbers {
	union {
		struct gprofx_positions positions;
		struct gprofx_lines lines;
	} asked; /* first */
	uint32_t given, reserved;
	bool is_nameless; /* a name was NULL */
};

static uint32_t
give_number(struct numbers *numbers, const char *name)
{
	numbers->is_nameless = numbers->is_nameless || !name;
	return ++numbers->given;
}

static uint32_t
number_file(struct gprofx *gx, struct gprofx_positions *positions, const char *path)
{
	(void)gx;
	return give_number((struct numbers *)positions, path);
}

static uint32_t
number_name(struct gprofx *gx, struct gprofx_lines *lines, const char *name)
{
	(void)gx;
	return give_number((struct numbers *)lines, name);
}

static uint32_t
number_name_at(struct gprofx *gx, struct gprofx_lines *lines, uint64_t address)
{
	(void)gx;
	(void)lines;
	(void)address;
	return 0;
}

static uint32_t
number_inlined(struct gprofx *gx, struct gprofx_lines *lines, uint32_t into, uint32_t file,
               uint32_t line, uint32_t parent)
{
	(void)gx;
	(void)into;
	(void)file;
	(void)line;
	(void)parent;
	return give_number((struct numbers *)lines, "");
}

static void
reserve_lines(struct gprofx *gx, struct gprofx_lines *lines, uint32_t count)
{
	struct run *run = (struct run *)gx;

	((struct numbers *)lines)->reserved = count;
	memory_array(run, lines->rows.address, count);
	memory_array(run, lines->rows.file, count);
	memory_array(run, lines->rows.line, count);
	memory_array(run, lines->rows.name, count);
	memory_array(run, lines->rows.inlined, count);
}

static void
check_numbers(struct plugin_check *check, const struct numbers *numbers, const uint32_t *file,
              uint32_t count)
{
	if (numbers->is_nameless)
		check_fault(check, "%s: expected the name of a file or function, found NULL",
		            check->told->doing);
	for (uint32_t i = 0; i < count; i++)
		if (file[i] > numbers->given)
			check_fault(check, "%s: expected only file numbers that were given out",
			            check->told->doing);
}

static void
locate(struct plugin_check *check, const struct gprofx_image *image, const char *what)
{
	static const struct gprofx_positions_builder builder = {.size = sizeof builder,
	                                                        .file = number_file};
	static const uint64_t addresses[] = {0, 0x1000, 0x401000, UINT64_MAX};
	enum { ADDRESSES = sizeof addresses / sizeof addresses[0] };
	uint32_t file[ADDRESSES] = {0}, line[ADDRESSES] = {0};
	struct numbers numbers = {
		.asked.positions = {.size = sizeof numbers.asked.positions,
	                            .builder = &builder,
	                            .address = addresses,
	                            .file = file,
	                            .line = line},
	};
	int result;

	for (uint32_t count = 0; count <= ADDRESSES; count += ADDRESSES) {
		numbers.asked.positions.count = count;
		check_begin(check, "locating %u addresses in %s", count, what);
		result = check->plugin->symbols.locate(
			&check->run->gx, image, &numbers.asked.positions, check->plugin->options);
		check_numbers(check, &numbers, file, count);
		check_end_with(check, result);
	}
}

static void
list_lines(struct plugin_check *check, const struct gprofx_image *image, const char *what)
{
	static const struct gprofx_lines_builder builder = {
		.size = sizeof builder,
		.reserve = reserve_lines,
		.file = number_name,
		.name = number_name,
		.name_at = number_name_at,
		.inlined = number_inlined,
	};
	struct numbers numbers = {
		.asked.lines = {.size = sizeof numbers.asked.lines,
	                        .builder = &builder,
	                        .wants_inlined = true},
	};
	const struct gprofx_lines *lines = &numbers.asked.lines;
	int result;

	check_begin(check, "listing lines of %s", what);
	result = check->plugin->symbols.lines(&check->run->gx, image, &numbers.asked.lines,
	                                      check->plugin->options);
	if (lines->count > numbers.reserved)
		check_fault(check, "%s: expected at most the %u rows that were reserved, found %u",
		            check->told->doing, numbers.reserved, lines->count);
	else
		check_numbers(check, &numbers, lines->rows.file, lines->count);
	check_end_with(check, result);
}

/* All that a provider can be asked; whether it took the image for one of its own. */
static bool
try_image(struct plugin_check *check, const uint8_t *bytes, size_t length, const char *what)
{
	const struct gprofx_symbols *provider = &check->plugin->symbols;
	bool claimed = false, loaded = false;
	struct gprofx_image image = image_of(check, bytes, length);

	if (provider->probe)
		claimed = ask_provider(check, &image, what) > 0;
	if (provider->load)
		loaded = load_image(check, &image, what);
	/* The image may have been written to. */
	image = image_of(check, bytes, length);
	state_debug(check, &image);
	if (provider->locate)
		locate(check, &image, what);
	if (provider->lines)
		list_lines(check, &image, what);
	return claimed || loaded;
}

void
check_symbols_random(struct plugin_check *check)
{
	uint8_t bytes[CHECK_HEAD];
	uint32_t claims = 0;

	for (uint32_t i = 0; i < CHECK_BLOCKS; i++) {
		check_fill(check, bytes, sizeof bytes);
		claims += try_image(check, bytes, sizeof bytes, "random bytes");
	}
	if (claims > CHECK_MOST_CLAIMS)
		check_fault(check, "it accepts %u of %d images of random bytes", claims,
		            CHECK_BLOCKS);
}

void
check_symbols_empty(struct plugin_check *check)
{
	try_image(check, NULL, 0, "an empty image");
}

/* The module itself is an image, and so are its beginnings, cut short. */
static void
try_own_image(struct plugin_check *check)
{
	enum { FIRST = 48 };
	int error;
	struct mapped_file *file = mapfile_open(check->run, check->path, 0, &error);
	size_t most = file ? file->length : 0;

	if (most > CHECK_ROOM)
		most = CHECK_ROOM;
	for (size_t length = FIRST; length < most; length += length / 2)
		try_image(check, file->bytes, length, "an image that is cut off");
	if (file)
		mapfile_close(check->run, file);
}

void
check_symbols_damaged(struct plugin_check *check)
{
	struct check_input *input;

	input = memory_alloc(check->run, sizeof *input);
	for (uint32_t i = 0; check_input(check, PLUGIN_SYMBOLS, i, input); i++)
		try_image(check, input->bytes, input->length, input->what);
	try_own_image(check);
}

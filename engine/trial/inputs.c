/* SPDX-License-Identifier: Apache-2.0 */
/* Readers and symbol providers, with files that are none. */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "plugin/plugins.h"
#include "profile/profile.h"
#include "symbols/load.h"
#include "symbols/symbols.h"
#include "trial/trial.h"

static const struct gprofx_target targets[] = {
	{.size = sizeof targets[0], .pointer_bytes = 8},
	{.size = sizeof targets[0], .pointer_bytes = 4, .big_endian = true},
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

static struct gprofx_file
file_of(struct trial *trial, const uint8_t *bytes, size_t length)
{
	return (struct gprofx_file){
		.size = sizeof(struct gprofx_file),
		.name = "FILE",
		.bytes = trial_bytes(trial, bytes, length, false),
		.length = length,
	};
}

/* A callback that was asked how sure it is returned; it has nothing to tell anybody. */
static void
end_with_certainty(struct trial *trial, int certainty)
{
	if (certainty < 0 || certainty > 100)
		trial_fault(trial, "%s: expected a certainty from 0 to 100, found %d",
		            trial->told->doing, certainty);
	if (trial->errors > 0)
		trial_fault(trial, "%s: expected no diagnostic, found \"%s\"", trial->told->doing,
		            trial->last_error);
	trial_end(trial);
}

/* How sure the reader is of a file. */
static int
ask_reader(struct trial *trial, const struct gprofx_file *file, const struct gprofx_target *target,
           const char *what)
{
	const struct gprofx_reader *reader = &trial->plugin->reader;
	int certainty;

	trial_begin(trial, "being asked about %s", what);
	certainty = reader->weigh ? reader->weigh(file, target)
	                          : reader->probe(file->bytes, file->length < TRIAL_HEAD
	                                                               ? (size_t)file->length
	                                                               : TRIAL_HEAD);
	end_with_certainty(trial, certainty);
	return certainty;
}

void
trial_reader_random(struct trial *trial)
{
	const struct gprofx_reader *reader = &trial->plugin->reader;
	uint8_t bytes[TRIAL_HEAD];
	uint32_t claims = 0;

	trial->told->is_applicable = reader->weigh || reader->probe;
	if (!trial->told->is_applicable)
		return;
	for (uint32_t i = 0; i < TRIAL_BLOCKS; i++) {
		struct gprofx_file file;

		trial_fill(trial, bytes, sizeof bytes);
		file = file_of(trial, bytes, sizeof bytes);
		if (ask_reader(trial, &file, &targets[i % TARGETS], "random bytes") > 0)
			claims++;
	}
	if (claims > TRIAL_MOST_CLAIMS)
		trial_fault(trial,
		            "expected it to claim no file of random bytes, found that it claims %u "
		            "of %d",
		            claims, TRIAL_BLOCKS);
}

static void
read_file(struct trial *trial, const uint8_t *bytes, size_t length,
          const struct gprofx_target *target, const char *what)
{
	const struct gprofx_reader *reader = &trial->plugin->reader;
	const struct gprofx_file file = file_of(trial, bytes, length);
	struct profile *profile = profile_new(trial->run);
	int result;

	if (reader->weigh || reader->probe)
		ask_reader(trial, &file, target, what);
	profile_begin_file(trial->run, profile, file.name, 0, true);
	trial_begin(trial, "reading %s", what);
	result = reader->read(&trial->run->gx, &file, target, &profile->public,
	                      trial->plugin->options);
	trial_end_with(trial, result);
	/* What records say is checked by the host.  The run has the ranges of all profiles. */
	if (result == GPROFX_OK && profile_commit_file(trial->run, profile, &file) == GPROFX_OK)
		profile_drop_file(trial->run, profile);
}

void
trial_reader_empty(struct trial *trial)
{
	for (uint32_t i = 0; i < TARGETS; i++)
		read_file(trial, NULL, 0, &targets[i], "an empty file");
}

void
trial_reader_damaged(struct trial *trial)
{
	struct trial_input *input;

	input = memory_alloc(trial->run, sizeof *input);
	for (uint32_t i = 0; trial_input(trial, PLUGIN_READER, i, input); i++)
		for (uint32_t k = 0; k < TARGETS; k++)
			read_file(trial, input->bytes, input->length, &targets[k], input->what);
}

static struct gprofx_image
image_of(struct trial *trial, const uint8_t *bytes, size_t length)
{
	return (struct gprofx_image){
		.size = sizeof(struct gprofx_image),
		.name = "IMAGE",
		.bytes = trial_bytes(trial, bytes, length, true),
		.length = length,
	};
}

static int
ask_provider(struct trial *trial, const struct gprofx_image *image, const char *what)
{
	int certainty;

	trial_begin(trial, "being asked about %s", what);
	certainty = trial->plugin->symbols.probe(
		image->bytes, image->length < TRIAL_HEAD ? (size_t)image->length : TRIAL_HEAD);
	end_with_certainty(trial, certainty);
	return certainty;
}

/* Loads symbols; returns whether the provider took the image. */
static bool
load_image(struct trial *trial, const struct gprofx_image *image, const char *what)
{
	struct symbols *symbols = memory_alloc(trial->run, sizeof *symbols);
	int result;

	/* Lists of symbols, which are asked for by name, need not know the machine. */
	if (!trial->plugin->symbols.probe)
		symbols->table.target.pointer_bytes = targets[0].pointer_bytes;
	trial_begin(trial, "loading symbols of %s", what);
	result = symbols_fill_table_with(trial->run, symbols, trial->plugin, image);
	if (trial->last_id && strcmp(trial->last_id, "symbols.bad-table") == 0)
		trial_fault(trial, "%s: %s", trial->told->doing, trial->last_error);
	trial_end_with(trial, result);
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
check_numbers(struct trial *trial, const struct numbers *numbers, const uint32_t *file,
              uint32_t count)
{
	if (numbers->is_nameless)
		trial_fault(trial, "%s: expected the name of a file or function, found NULL",
		            trial->told->doing);
	for (uint32_t i = 0; i < count; i++)
		if (file[i] > numbers->given)
			trial_fault(trial, "%s: expected numbers of files that were given out",
			            trial->told->doing);
}

static void
locate(struct trial *trial, const struct gprofx_image *image, const char *what)
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
		trial_begin(trial, "locating %u addresses in %s", count, what);
		result = trial->plugin->symbols.locate(
			&trial->run->gx, image, &numbers.asked.positions, trial->plugin->options);
		check_numbers(trial, &numbers, file, count);
		trial_end_with(trial, result);
	}
}

static void
list_lines(struct trial *trial, const struct gprofx_image *image, const char *what)
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

	trial_begin(trial, "listing lines of %s", what);
	result = trial->plugin->symbols.lines(&trial->run->gx, image, &numbers.asked.lines,
	                                      trial->plugin->options);
	if (lines->count > numbers.reserved)
		trial_fault(trial, "%s: expected at most the %u rows that were reserved, found %u",
		            trial->told->doing, numbers.reserved, lines->count);
	else
		check_numbers(trial, &numbers, lines->rows.file, lines->count);
	trial_end_with(trial, result);
}

/* All that a provider can be asked; whether it took the image for one of its own. */
static bool
try_image(struct trial *trial, const uint8_t *bytes, size_t length, const char *what)
{
	const struct gprofx_symbols *provider = &trial->plugin->symbols;
	bool claimed = false, loaded = false;
	struct gprofx_image image = image_of(trial, bytes, length);

	if (provider->probe)
		claimed = ask_provider(trial, &image, what) > 0;
	if (provider->load)
		loaded = load_image(trial, &image, what);
	/* The image may have been written to. */
	image = image_of(trial, bytes, length);
	if (provider->locate)
		locate(trial, &image, what);
	if (provider->lines)
		list_lines(trial, &image, what);
	return claimed || loaded;
}

void
trial_symbols_random(struct trial *trial)
{
	uint8_t bytes[TRIAL_HEAD];
	uint32_t claims = 0;

	for (uint32_t i = 0; i < TRIAL_BLOCKS; i++) {
		trial_fill(trial, bytes, sizeof bytes);
		claims += try_image(trial, bytes, sizeof bytes, "random bytes");
	}
	if (claims > TRIAL_MOST_CLAIMS)
		trial_fault(trial,
		            "expected it to take no random bytes for an image, found that it takes "
		            "%u of %d",
		            claims, TRIAL_BLOCKS);
}

void
trial_symbols_empty(struct trial *trial)
{
	try_image(trial, NULL, 0, "an empty image");
}

/* The module itself is an image, and so are its beginnings, cut short. */
static void
try_own_image(struct trial *trial)
{
	enum { FIRST = 48 };
	int error;
	struct mapped_file *file = mapfile_open(trial->run, trial->path, 0, &error);
	size_t most = file ? file->length : 0;

	if (most > TRIAL_ROOM)
		most = TRIAL_ROOM;
	for (size_t length = FIRST; length < most; length += length / 2)
		try_image(trial, file->bytes, length, "an image that is cut short");
	if (file)
		mapfile_close(trial->run, file);
}

void
trial_symbols_damaged(struct trial *trial)
{
	struct trial_input *input;

	input = memory_alloc(trial->run, sizeof *input);
	for (uint32_t i = 0; trial_input(trial, PLUGIN_SYMBOLS, i, input); i++)
		try_image(trial, input->bytes, input->length, input->what);
	try_own_image(trial);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "partial/partial.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "partial/parts.h"

/* The last byte says whether the profiles need no program, as they name their functions. */
static const char tag[] = "gprofx partial profile\n";
enum {
	TAG_BYTES = sizeof tag - 1,
	VERSION = 1,
	SUM_BYTES = 2 * 8, /* the length and the checksum */
	FRAMES = 1 << 30   /* of all stacks: seconds of work */
};

bool
partial_is(const struct gprofx_file *file)
{
	return file->length >= TAG_BYTES && memcmp(file->bytes, tag, TAG_BYTES) == 0;
}

bool
partial_needs_no_program(const struct gprofx_file *file)
{
	return partial_is(file) && file->length > TAG_BYTES && file->bytes[TAG_BYTES] != 0;
}

enum gprofx_result
partial_fail(const struct partial *partial)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.damaged",
		.file = partial->file->name,
		.hint = "write the partial profile again",
	};

	return run_fail(partial->run, &diagnostic,
	                "expected a partial profile as gprofx writes it, found one that was "
	                "changed or cut");
}

/* What both runs must have in common: what it is, and its value as a text. */
struct common {
	const char *what, *value;
};
enum { COMMON = 8 };

static const char *
program_text(struct run *run, const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	char digits[2 * LATE_BUILD_ID_BYTES + 1] = "";

	if (!symbols_have_image(symbols))
		return "none";
	for (uint32_t i = 0; i < table->build_id_bytes && i < LATE_BUILD_ID_BYTES; i++)
		snprintf(digits + 2 * (size_t)i, 3, "%02x", table->build_id[i]);
	return text_format(run, "%s, code from 0x%llx to 0x%llx", digits,
	                   (unsigned long long)table->text_start,
	                   (unsigned long long)table->text_end);
}

static void
list_common(struct run *run, const struct profile *profile, struct common list[COMMON])
{
	const struct engine_settings *settings = run->settings;
	const struct slices *slices = &profile->slices;
	uint64_t corrections = 0;
	uint32_t count;
	const struct engine_correction *rows = engine_corrections(&count);

	for (uint32_t i = 0; i < count; i++)
		if (run_corrects(run, rows[i].bit))
			corrections |= rows[i].bit;
	list[0] = (struct common){"program", program_text(run, profile->image_symbols)};
	list[1] = (struct common){"corrections",
	                          text_format(run, "0x%llx", (unsigned long long)corrections)};
	list[2] = (struct common){"metric", settings->metric ? settings->metric : ""};
	list[3] = (struct common){"phase", settings->phase ? settings->phase : ""};
	list[4] = (struct common){"sampling rate", text_format(run, "%u", settings->rate)};
	list[5] = (struct common){"reports by line", settings->by_line ? "yes" : "no"};
	list[6] = (struct common){
		"processes, threads and phases",
		text_format(run, "%u %d %d", slices->wanted, slices->always, slices->by_file)};
	/* Options choose what is distinguished in one program. */
	list[7] = (struct common){"functions of the program",
	                          text_format(run, "%u", profile->image_symbols->count)};
}

static enum gprofx_result
fail_program(const struct partial *partial)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.other-program",
		.file = partial->file->name,
		.hint = "name the program that the profiles are of, in the same build",
	};

	return run_fail(partial->run, &diagnostic,
	                "expected a partial profile of the same program, found one of another "
	                "program or build");
}

static enum gprofx_result
fail_setting(const struct partial *partial, const char *what)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.other-settings",
		.file = partial->file->name,
		.hint = "write partial profiles with the options of the report",
	};

	return run_fail(partial->run, &diagnostic,
	                "expected a partial profile that was written with the same settings, "
	                "found another value for: %s",
	                what);
}

static enum gprofx_result
code_common(struct partial *partial)
{
	struct codec *codec = &partial->codec;
	struct common list[COMMON];

	list_common(partial->run, partial->profile, list);
	for (uint32_t i = 0; i < COMMON; i++) {
		const char *value = list[i].value;

		codec_text(codec, &value);
		if (codec_has_failed(codec) || !value)
			return partial_fail(partial);
		if (strcmp(value, list[i].value) != 0)
			return i == 0 ? fail_program(partial) : fail_setting(partial, list[i].what);
	}
	return GPROFX_OK;
}

/* What is only kept if it is wanted has to be there if it is wanted here. */
static enum gprofx_result
code_wanted(struct partial *partial, bool *has_statistics)
{
	struct profile *profile = partial->profile;
	bool has_facts = profile->facts != NULL;

	*has_statistics = profile->watch_write != NULL;
	codec_bool(&partial->codec, &has_facts);
	codec_bool(&partial->codec, has_statistics);
	if (partial->codec.writes)
		return GPROFX_OK;
	if (codec_has_failed(&partial->codec))
		return partial_fail(partial);
	if (profile->facts && !has_facts)
		return fail_setting(partial, "properties of files");
	if (profile->watch_read && !*has_statistics)
		return fail_setting(partial, "per-file statistics");
	return GPROFX_OK;
}

/* Its length is written, too, so that it can be skipped. */
static void
write_statistics(struct partial *partial)
{
	struct profile *profile = partial->profile;
	struct bytes_out own = {.run = partial->run};

	profile->watch_write(profile->watcher, &own);
	bytes_put_number(&partial->codec.out, own.count);
	bytes_put(&partial->codec.out, own.items, own.count);
	memory_release(partial->run, own.items);
}

static enum gprofx_result
read_statistics(struct partial *partial)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.bad-statistics",
		.file = partial->file->name,
		.hint = "write the partial profile again",
	};
	struct profile *profile = partial->profile;
	struct bytes_in *in = &partial->codec.in;
	uint64_t count = bytes_take_number(in);
	struct bytes_in own = {.at = bytes_take(in, count)};

	if (!profile->watch_read || partial->is_base)
		return GPROFX_OK;
	own.end = own.at ? own.at + count : NULL;
	/* The files are there already, and what was added to sums cannot be taken back. */
	if (!own.at || !profile->watch_read(profile->watcher, &own))
		run_give_up(partial->run, &diagnostic,
		            "expected per-file statistics that fit the profile, found others");
	return GPROFX_OK;
}

/*
 * Everything but statistics, in the order in which it can be read.  Once the bytes turned out not
 * to be right, all that follows is nothing.
 */
static enum gprofx_result
code_all(struct partial *partial)
{
	enum gprofx_result result;

	partial_files(partial);
	partial_images(partial);
	partial_slice_table(partial);
	result = partial_metrics(partial);
	if (result == GPROFX_OK) {
		partial_rows(partial);
		partial_slice_rows(partial);
		partial_source(partial);
		result = partial_stacks(partial);
	}
	return codec_has_failed(&partial->codec) ? partial_fail(partial) : result;
}

const uint8_t *
partial_write(struct run *run, struct profile *profile, size_t *count)
{
	struct partial partial = {.run = run,
	                          .profile = profile,
	                          .codec = {.run = run, .writes = true, .out = {.run = run}}};
	struct bytes_out *out = &partial.codec.out;
	struct bytes_out sums = {.run = run};
	uint8_t flag = !symbols_have_image(profile->image_symbols);
	bool has_statistics;
	size_t first;

	bytes_put(out, tag, TAG_BYTES);
	bytes_put(out, &flag, 1);
	bytes_put(out, "\n", 1);
	bytes_put_fixed(out, VERSION);
	/* The length and the checksum of the contents are not known yet. */
	first = out->count;
	bytes_put_fixed(out, 0);
	bytes_put_fixed(out, 0);
	code_common(&partial);
	code_wanted(&partial, &has_statistics);
	code_all(&partial);
	if (has_statistics)
		write_statistics(&partial);
	bytes_put_fixed(&sums, out->count - first - SUM_BYTES);
	bytes_put_fixed(&sums, bytes_checksum(out->items + first + SUM_BYTES,
	                                      out->count - first - SUM_BYTES));
	memcpy(out->items + first, sums.items, sums.count);
	memory_release(run, sums.items);
	*count = out->count;
	return out->items;
}

/* Checks what comes before the contents. */
static enum gprofx_result
read_head(struct partial *partial)
{
	const struct gprofx_file *file = partial->file;
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.version",
		.file = file->name,
		.hint = "write and read partial profiles with the same version of gprofx",
	};
	struct bytes_in in = {.at = file->bytes + TAG_BYTES, .end = file->bytes + file->length};
	uint64_t version, length, sum;
	const uint8_t *end = bytes_take(&in, 2);

	version = bytes_take_fixed(&in);
	length = bytes_take_fixed(&in);
	sum = bytes_take_fixed(&in);
	if (in.has_failed || !end || end[0] > 1 || end[1] != '\n')
		return partial_fail(partial);
	if (version != VERSION)
		return run_fail(partial->run, &diagnostic,
		                "expected version %d of partial profiles, found %llu", VERSION,
		                (unsigned long long)version);
	if (length != (uint64_t)(in.end - in.at) || sum != bytes_checksum(in.at, (size_t)length))
		return partial_fail(partial);
	partial->codec.in = in;
	return GPROFX_OK;
}

enum gprofx_result
partial_read(struct run *run, struct profile *profile, const struct gprofx_file *file, bool is_base)
{
	struct partial partial = {.run = run,
	                          .profile = profile,
	                          .file = file,
	                          .is_base = is_base,
	                          .codec = {.run = run},
	                          .first_file = profile->file_count};
	bool has_statistics;

	if (read_head(&partial) != GPROFX_OK || code_common(&partial) != GPROFX_OK ||
	    code_wanted(&partial, &has_statistics) != GPROFX_OK)
		return GPROFX_FAILED;
	profile_begin_file(run, profile, file->name, 0, false);
	profile_set_length(profile, file->length);
	if (profile->stacks.frames_left < FRAMES)
		profile->stacks.frames_left = FRAMES;
	/* That is for all of them. */
	profile->stacks.frames_left -= profile->partial_frames < profile->stacks.frames_left
	                                       ? profile->partial_frames
	                                       : profile->stacks.frames_left;
	if (profile->image_symbols->others_bytes > 0)
		profile_place_file(profile, profile->image_symbols, NULL);
	if (code_all(&partial) != GPROFX_OK) {
		profile_drop_file(run, profile);
		/* Sums have a part of it, which nothing takes back. */
		profile->is_spoiled = true;
		return GPROFX_FAILED;
	}
	stacks_commit_file(run, &profile->stacks, NULL);
	if (partial.is_base)
		partial.file_count = 0;
	/* The slice of the file that the partial profile was is that of its first file. */
	if (partial.file_count == 0)
		slices_drop_file(run, profile);
	partial_add_files(&partial);
	return has_statistics ? read_statistics(&partial) : GPROFX_OK;
}

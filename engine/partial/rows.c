/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and blocks, what of them belongs to which slice, and counts of source. */
#include <gprofx/reader.h>
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "partial/parts.h"
#include "profile/kept-rows.h"
#include "profile/source-counts.h"

_Static_assert(sizeof(struct gprofx_raw_arc) == 3 * sizeof(uint64_t), "only words");
_Static_assert(sizeof(struct gprofx_raw_call) == 2 * sizeof(uint64_t), "only words");
_Static_assert(sizeof(struct gprofx_raw_block) == 2 * sizeof(uint64_t), "only words");

static uint64_t *
add_repeating(struct partial *partial, const uint64_t *rows, uint64_t *to, uint32_t *count,
              uint32_t *room, uint32_t words, uint32_t more)
{
	uint64_t *added;

	to = memory_room(partial->run, to, words * sizeof *to, *count, room, more);
	added = to + (size_t)*count * words;
	memcpy(added, rows, (size_t)more * words * sizeof *rows);
	for (size_t i = 0; i < (size_t)more * words; i++)
		if (i % words + 1 < words)
			added[i] = partial_location(partial, added[i]);
	*count += more;
	return to;
}

/* Rows of addresses and a count; *rows has room for *row_room of them. */
static void
code_repeating(struct partial *partial, void **rows, uint32_t *row_count, uint32_t *row_room,
               uint32_t words)
{
	struct codec *codec = &partial->codec;
	uint64_t *read = *rows;
	uint32_t count = *row_count;

	codec_rows(codec, &read, &count, words);
	if (codec->writes || codec_has_failed(codec))
		return;
	if (!partial->is_base && count > 0)
		*rows = add_repeating(partial, read, *rows, row_count, row_room, words, count);
	memory_release(partial->run, read);
}

void
partial_rows(struct partial *partial)
{
	struct profile *profile = partial->profile;
	struct codec *codec = &partial->codec;
	bool has_arcs = profile->has_arcs, has_blocks = profile->has_blocks;
	uint32_t first_arc = profile->arc_count, first_call = profile->call_count;
	void *arcs, *calls, *blocks;

	if (codec->writes)
		profile_merge_repeats(partial->run, profile);
	arcs = profile->arcs;
	calls = profile->calls;
	blocks = profile->blocks;
	codec_bool(codec, &has_arcs);
	codec_bool(codec, &has_blocks);
	code_repeating(partial, &arcs, &profile->arc_count, &profile->arc_room, 3);
	code_repeating(partial, &calls, &profile->call_count, &profile->call_room, 2);
	code_repeating(partial, &blocks, &profile->block_count, &profile->block_room, 2);
	profile->arcs = arcs;
	profile->calls = calls;
	profile->blocks = blocks;
	if (partial->is_base)
		return;
	profile->has_arcs = profile->has_arcs || has_arcs;
	profile->has_blocks = profile->has_blocks || has_blocks;
	if (partial->needs_calls)
		slices_add_calls(partial->run, profile, first_arc, first_call);
}

static void
code_slice_row(struct codec *codec, struct slice_row *row)
{
	codec_up_to(codec, &row->kind, SLICE_KINDS - 1);
	codec_u32(codec, &row->of);
	codec_u64(codec, &row->number);
	codec_text(codec, &row->name);
	codec_u32(codec, &row->file);
	codec_u32(codec, &row->threads);
	codec_bool(codec, &row->is_unknown);
	codec_u64(codec, &row->cpu_ns);
}

uint32_t
partial_slice(struct partial *partial, uint64_t slice)
{
	if (slice <= partial->slice_count)
		return slice > 0 ? partial->slices[slice - 1] + 1 : 0;
	codec_fail(&partial->codec);
	return 0;
}

/* Rows refer to others before them, and to files of the partial profile. */
static void
read_slice_row(struct partial *partial, uint32_t number)
{
	struct codec *codec = &partial->codec;
	struct slice_row row = {.kind = 0};

	code_slice_row(codec, &row);
	partial->slice_count = number;
	row.of = partial_slice(partial, row.of);
	if (row.kind == SLICE_SLICE)
		row.number = partial_slice(partial, row.number);
	if (row.file > partial->file_count)
		codec_fail(codec);
	if (row.file > 0)
		row.file += partial->first_file;
	if (codec_has_failed(codec))
		return;
	partial->slices[number] = partial->is_base ? 0
	                                           : slices_row(partial->run,
	                                                        &partial->profile->slices, &row);
}

static void
code_slice_table(struct partial *partial)
{
	struct slices *slices = &partial->profile->slices;
	struct codec *codec = &partial->codec;
	uint32_t count = slices->count;

	codec_count(codec, &count, 8);
	if (!codec->writes)
		memory_array(partial->run, partial->slices, (size_t)count + 1);
	for (uint32_t i = 0; i < count && !codec_has_failed(codec); i++)
		if (codec->writes)
			code_slice_row(codec, &slices->rows[i]);
		else
			read_slice_row(partial, i);
	partial->slice_count = count;
}

static void
read_slice_bins(struct partial *partial)
{
	struct slices *slices = &partial->profile->slices;
	struct codec *codec = &partial->codec;
	struct slice_bin row;
	uint32_t count;

	count = bytes_take_count(&codec->in, 4);
	for (uint32_t i = 0; i < count && !codec_has_failed(codec); i++) {
		row.slice = partial_slice(partial, bytes_take_number(&codec->in));
		row.histogram = (uint32_t)bytes_take_up_to(&codec->in, UINT32_MAX);
		row.bin = bytes_take_number(&codec->in);
		row.samples = bytes_take_number(&codec->in);
		if (row.histogram >= partial->histogram_count ||
		    row.bin >= partial->profile->histograms[partial->histograms[row.histogram]]
		                       .bin_count)
			codec_fail(codec);
		if (codec_has_failed(codec) || partial->is_base)
			continue;
		row.histogram = partial->histograms[row.histogram];
		*(struct slice_bin *)kept_rows_add(partial->run, &slices->bins, sizeof row,
		                                   1) = row;
	}
}

static void
read_slice_calls(struct partial *partial)
{
	struct slices *slices = &partial->profile->slices;
	struct codec *codec = &partial->codec;
	struct slice_call row;
	uint32_t count;

	count = bytes_take_count(&codec->in, 5);
	for (uint32_t i = 0; i < count && !codec_has_failed(codec); i++) {
		row.slice = partial_slice(partial, bytes_take_number(&codec->in));
		row.has_caller = (uint32_t)bytes_take_up_to(&codec->in, 1);
		row.from = bytes_take_number(&codec->in);
		row.self = partial_location(partial, bytes_take_number(&codec->in));
		row.count = bytes_take_number(&codec->in);
		if (row.has_caller)
			row.from = partial_location(partial, row.from);
		if (!codec_has_failed(codec) && !partial->is_base)
			*(struct slice_call *)kept_rows_add(partial->run, &slices->calls,
			                                    sizeof row, 1) = row;
	}
}

static void
write_slice_rows(struct partial *partial)
{
	struct slices *slices = &partial->profile->slices;
	struct bytes_out *out = &partial->codec.out;
	const struct slice_bin *bins;
	const struct slice_call *calls;

	kept_rows_merge(partial->run, &slices->bins, sizeof *bins, true);
	kept_rows_merge(partial->run, &slices->calls, sizeof *calls, true);
	bins = slices->bins.items;
	calls = slices->calls.items;
	bytes_put_number(out, slices->bins.count);
	for (uint32_t i = 0; i < slices->bins.count; i++) {
		bytes_put_number(out, bins[i].slice);
		bytes_put_number(out, bins[i].histogram);
		bytes_put_number(out, bins[i].bin);
		bytes_put_number(out, bins[i].samples);
	}
	bytes_put_number(out, slices->calls.count);
	for (uint32_t i = 0; i < slices->calls.count; i++) {
		bytes_put_number(out, calls[i].slice);
		bytes_put_number(out, calls[i].has_caller);
		bytes_put_number(out, calls[i].from);
		bytes_put_number(out, calls[i].self);
		bytes_put_number(out, calls[i].count);
	}
}

void
partial_slice_rows(struct partial *partial)
{
	if (partial->codec.writes) {
		write_slice_rows(partial);
		return;
	}
	read_slice_bins(partial);
	read_slice_calls(partial);
}

/*
 * Where one of both runs has kept nothing so far, what it has belongs to no slice: here, for the
 * run that reads; for the one that wrote, once its bins and calls come.
 */
void
partial_slice_table(struct partial *partial)
{
	struct profile *profile = partial->profile;
	struct slices *slices = &profile->slices;
	struct codec *codec = &partial->codec;
	bool keeps_files = slices->keeps_files, has_bins = slices->has_bins;
	bool has_calls = slices->has_calls, is_phase_found = profile->phases.is_found;
	uint32_t found = slices->found;

	codec_u32(codec, &found);
	codec_bool(codec, &keeps_files);
	codec_bool(codec, &has_bins);
	codec_bool(codec, &has_calls);
	codec_bool(codec, &is_phase_found);
	code_slice_table(partial);
	if (codec->writes || codec_has_failed(codec) || partial->is_base)
		return;
	slices->found |= found;
	slices->keeps_files = slices->keeps_files || keeps_files;
	profile->phases.is_found = profile->phases.is_found || is_phase_found;
	if (has_bins)
		slices_begin_bins(partial->run, profile);
	if (has_calls)
		slices_begin_calls(partial->run, profile);
	partial->needs_bins = slices->has_bins && !has_bins;
	partial->needs_calls = slices->has_calls && !has_calls;
}

static void
write_source(const struct partial *partial, struct bytes_out *out)
{
	const struct profile *profile = partial->profile;

	bytes_put_number(out, profile->source_paths.count);
	for (uint32_t i = 0; i < profile->source_paths.count; i++)
		bytes_put_text(out, profile->source_paths.items[i]);
	bytes_put_number(out, profile->source_count_count);
	for (uint32_t i = 0; i < profile->source_count_count; i++) {
		const struct source_count *row = &profile->source_counts[i];

		bytes_put_number(out, row->file);
		bytes_put_number(out, row->line);
		bytes_put_number(out, row->count);
	}
	bytes_put_number(out, profile->source_function_count);
	for (uint32_t i = 0; i < profile->source_function_count; i++) {
		const struct source_function *row = &profile->source_functions[i];

		bytes_put_number(out, row->file);
		bytes_put_text(out, profile->source_names.items[row->name]);
		bytes_put_number(out, row->first_line);
		bytes_put_number(out, row->last_line);
		bytes_put_number(out, row->count);
	}
}

/* Adds lines of one file. */
static void
add_lines(const struct partial *partial, const char *path, const struct gprofx_raw_line *lines,
          uint32_t count)
{
	const struct gprofx_raw_source source = {.size = sizeof source,
	                                         .path = path,
	                                         .lines = lines,
	                                         .line_count = count};

	if (count > 0 && !partial->is_base)
		source_counts_add(partial->run, partial->profile, &source);
}

/* Those of a file mostly follow each other. */
static void
read_lines(struct partial *partial, const char *const *path, uint32_t paths)
{
	enum { MOST_LINES = 512 };
	struct bytes_in *in = &partial->codec.in;
	struct gprofx_raw_line lines[MOST_LINES];
	uint32_t count = bytes_take_count(in, 3), waiting = 0, last = 0;

	for (uint32_t i = 0; i < count && !in->has_failed; i++) {
		uint32_t file = (uint32_t)bytes_take_up_to(in, UINT32_MAX);
		uint32_t line = (uint32_t)bytes_take_up_to(in, UINT32_MAX);
		uint64_t executions = bytes_take_number(in);

		if (in->has_failed || file >= paths) {
			in->has_failed = true;
			return;
		}
		if (waiting == MOST_LINES || file != last) {
			add_lines(partial, path[last], lines, waiting);
			waiting = 0;
		}
		last = file;
		lines[waiting++] = (struct gprofx_raw_line){line, executions};
	}
	if (waiting > 0)
		add_lines(partial, path[last], lines, waiting);
}

static void
read_source(struct partial *partial)
{
	struct profile *profile = partial->profile;
	struct bytes_in *in = &partial->codec.in;
	uint32_t paths = bytes_take_count(in, 1), count;
	const char **path;

	memory_array(partial->run, path, (size_t)paths + 1);
	for (uint32_t i = 0; i < paths; i++) {
		path[i] = bytes_take_text(partial->run, in);
		in->has_failed = in->has_failed || !path[i];
	}
	read_lines(partial, path, paths);
	count = bytes_take_count(in, 5);
	for (uint32_t i = 0; i < count && !in->has_failed; i++) {
		uint32_t file = (uint32_t)bytes_take_up_to(in, UINT32_MAX);
		const struct gprofx_raw_function function = {
			.name = bytes_take_text(partial->run, in),
			.first_line = (uint32_t)bytes_take_up_to(in, UINT32_MAX),
			.last_line = (uint32_t)bytes_take_up_to(in, UINT32_MAX),
			.count = bytes_take_number(in)};

		in->has_failed = in->has_failed || file >= paths || !function.name;
		if (!in->has_failed && !partial->is_base)
			source_counts_add(partial->run, profile,
			                  &(struct gprofx_raw_source){
						  .size = sizeof(struct gprofx_raw_source),
						  .path = path[file],
						  .functions = &function,
						  .function_count = 1});
	}
}

void
partial_source(struct partial *partial)
{
	bool has_source = partial->profile->has_source;

	codec_bool(&partial->codec, &has_source);
	if (!has_source)
		return;
	if (!partial->is_base)
		partial->profile->has_source = true;
	if (partial->codec.writes)
		write_source(partial, &partial->codec.out);
	else
		read_source(partial);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about each file by itself, and which of them have something. */
#include <gprofx/reader.h>
#include <stdlib.h>

#include "base/memory.h"
#include "partial/parts.h"
#include "profile/copies.h"
#include "profile/facts.h"

static void
code_recording(struct codec *codec, struct profile_file *file)
{
	struct gprofx_raw_recording *row = &file->recording;
	uint64_t *const numbers[] = {
		&row->lost_calls, &row->lost_samples,  &row->cut_ticks,  &row->broken_ticks,
		&row->looks,      &row->look_ticks,    &row->delayed_ns, &row->clocked_calls,
		&row->taken_ns,   &row->emptied_calls, &row->excess_ns,
	};

	codec_bool(codec, &file->is_recording);
	codec_u32(codec, &row->flags);
	codec_each_u64(codec, numbers, sizeof numbers / sizeof numbers[0]);
	if (!codec->writes)
		row->size = sizeof *row;
}

/* What the first files have row by row, if that is kept: see copies.h. */
static void
code_rows(struct codec *codec, struct profile_file *file)
{
	bool is_kept = file->rows != NULL;
	struct file_rows *rows = file->rows;
	uint64_t last[2] = {0, 0};

	codec_bool(codec, &is_kept);
	if (!codec->writes && is_kept)
		rows = file->rows = memory_alloc(codec->run, sizeof *rows);
	if (!is_kept || !rows)
		return;
	codec_bool(codec, &rows->is_whole);
	codec_u64(codec, &rows->samples);
	codec_count(codec, &rows->bin_count, 2);
	codec_count(codec, &rows->arc_count, 3);
	if (rows->bin_count > COPIES_MOST_ROWS || rows->arc_count > COPIES_MOST_ROWS)
		codec_fail(codec);
	if (codec_has_failed(codec))
		return;
	if (!codec->writes) {
		memory_array(codec->run, rows->bins, (size_t)rows->bin_count + 1);
		memory_array(codec->run, rows->arcs, (size_t)rows->arc_count + 1);
	}
	for (uint32_t i = 0; i < rows->bin_count; i++) {
		codec_near(codec, &rows->bins[i].address, &last[0]);
		codec_u64(codec, &rows->bins[i].count);
	}
	for (uint32_t i = 0; i < rows->arc_count; i++) {
		codec_near(codec, &rows->arcs[i].self, &last[0]);
		codec_near(codec, &rows->arcs[i].from, &last[1]);
		codec_u64(codec, &rows->arcs[i].count);
	}
}

/* Files of other objects than the program are not among them. */
static void
code_file(struct codec *codec, struct profile_file *file)
{
	uint64_t *const numbers[] = {&file->samples,        &file->calls,       &file->full_low,
	                             &file->slide,          &file->stack_count, &file->stack_ticks,
	                             &file->left_out_ticks, &file->device,      &file->inode,
	                             &file->copied_samples, &file->copied_calls};
	uint32_t *const small[] = {&file->arc_count,  &file->call_count,   &file->rate,
	                           &file->other_rate, &file->full,         &file->nearly_full,
	                           &file->dips,       &file->sparse_count, &file->stack_rate,
	                           &file->deepest};
	bool *const flags[] = {
		&file->has_histogram,   &file->has_other_metric, &file->rate_differs,
		&file->has_sparse,      &file->has_source,       &file->counts_plt_calls,
		&file->counts_no_calls, &file->has_stacks,       &file->has_images};

	codec_text(codec, &file->name);
	codec_i64(codec, &file->modified);
	codec_double(codec, &file->ticks);
	codec_each_u64(codec, numbers, sizeof numbers / sizeof numbers[0]);
	codec_each_u32(codec, small, sizeof small / sizeof small[0]);
	codec_each_bool(codec, flags, sizeof flags / sizeof flags[0]);
	codec_u8(codec, &file->counter_bytes);
	codec_words(codec, file->stack_dimension, sizeof file->stack_dimension);
	codec_text(codec, &file->copied_from);
	code_recording(codec, file);
	facts_code(codec, file);
	code_rows(codec, file);
	if (!codec->writes && !file->name)
		codec_fail(codec);
}

void
partial_files(struct partial *partial)
{
	struct codec *codec = &partial->codec;
	uint32_t count = partial->profile->file_count;

	codec_count(codec, &count, 64);
	if (!codec->writes)
		memory_array(partial->run, partial->files, (size_t)count + 1);
	for (uint32_t i = 0; i < count && !codec_has_failed(codec); i++)
		code_file(codec, codec->writes ? &partial->profile->files[i] : &partial->files[i]);
	partial->file_count = count;
}

/* Rows of a file that was read are where their code is here; they stay in their order. */
static void
place_rows(const struct partial *partial, struct file_rows *rows)
{
	for (uint32_t i = 0; i < rows->bin_count; i++)
		rows->bins[i].address = partial_location(partial, rows->bins[i].address);
	for (uint32_t i = 0; i < rows->arc_count; i++) {
		rows->arcs[i].self = partial_location(partial, rows->arcs[i].self);
		rows->arcs[i].from = partial_location(partial, rows->arcs[i].from);
	}
	if (rows->arc_count > 0)
		qsort(rows->arcs, rows->arc_count, sizeof *rows->arcs, copies_compare_arcs);
}

void
partial_add_files(struct partial *partial)
{
	struct run *run = partial->run;
	struct profile *profile = partial->profile;

	profile->file_count = partial->first_file;
	profile->files = memory_room(run, profile->files, sizeof *profile->files,
	                             profile->file_count, &profile->file_room, partial->file_count);
	for (uint32_t i = 0; i < partial->file_count; i++) {
		struct profile_file *file = &partial->files[i];

		if (!profile->facts)
			file->facts = NULL;
		/* There, another file came first. */
		if (partial->rate != profile->rate && file->has_histogram) {
			file->rate_differs = file->rate != profile->rate;
			file->other_rate = file->rate_differs ? file->rate : 0;
		}
		if (file->rows && copies_take_place(profile))
			place_rows(partial, file->rows);
		else
			file->rows = NULL;
		profile->files[profile->file_count++] = *file;
	}
	profile->added_files = profile->file_count;
	profile->has_partials = profile->has_partials || partial->file_count > 0;
}

static void
write_names(const struct partial *partial, struct bytes_out *out, const struct file_names *names)
{
	const struct profile *profile = partial->profile;
	uint32_t next = 0, last = 0;

	bytes_put_number(out, names->count);
	for (uint32_t i = 0; i < names->count; i++) {
		while (next < profile->file_count && profile->files[next].name != names->items[i])
			next++;
		/* Each is the name of a file behind that of the one before. */
		bytes_put_number(out, next - last);
		last = next;
	}
}

void
partial_names(struct partial *partial, struct file_names *names)
{
	struct codec *codec = &partial->codec;
	uint64_t next = 0;
	uint32_t count;

	if (codec->writes) {
		write_names(partial, &codec->out, names);
		return;
	}
	codec_count(codec, &count, 1);
	for (uint32_t i = 0; i < count && !codec_has_failed(codec); i++) {
		next += bytes_take_up_to(&codec->in, UINT32_MAX);
		if (next >= partial->file_count)
			codec_fail(codec);
		else if (!partial->is_base)
			file_names_add(partial->run, names, partial->files[next].name);
	}
}

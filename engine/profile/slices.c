/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/slices.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "profile/maps.h"
#include "profile/parts.h"
#include "profile/profile.h"

enum { DECLARED_BYTES = 8 }; /* of a file, at least, and what the name has */

static const char *const plural[SLICE_KINDS] = {"processes", "threads", "phases", "slices"};
static const char *const singular[SLICE_KINDS] = {"process", "thread", "phase", "slice"};

void
slices_want(struct profile *profile, uint32_t kinds, bool always)
{
	profile->slices.wanted |= kinds;
	profile->slices.always = always;
	profile->stacks.keeps_slices = profile->stacks.keeps_slices || kinds != 0;
}

void
slices_want_files(struct profile *profile)
{
	profile->slices.by_file = true;
	profile->stacks.keeps_slices = true;
}

bool
slices_are_by_file(const struct profile *profile)
{
	return profile->slices.keeps_files;
}

static bool
are_wanted(const struct slices *slices)
{
	return slices->wanted != 0 || slices->by_file;
}

static uint64_t
hash_of(const struct slices *slices, const struct slice_row *row)
{
	uint64_t hash = hash_word((uint64_t)row->kind << 32 | row->of, slices->factor);

	hash = hash_word(hash ^ row->number, slices->factor);
	hash = hash_word(hash ^ row->file, slices->factor);
	return (row->name ? hash_word(hash ^ hash_text(row->name, slices->factor), slices->factor)
	                  : hash) >>
	       32;
}

static bool
is_same(const void *rows, uint32_t number, const void *wanted)
{
	const struct slice_row *left = &((const struct slices *)rows)->rows[number];
	const struct slice_row *right = wanted;

	if (left->kind != right->kind || left->of != right->of || left->number != right->number ||
	    left->file != right->file || !left->name != !right->name)
		return false;
	return !left->name || strcmp(left->name, right->name) == 0;
}

/* The same thread in another file has the same time, or has gone on since. */
static void
add_facts(struct slice_row *to, const struct slice_row *more)
{
	to->threads = more->threads > to->threads ? more->threads : to->threads;
	to->cpu_ns = more->cpu_ns > to->cpu_ns ? more->cpu_ns : to->cpu_ns;
}

uint32_t
slices_row(struct run *run, struct slices *slices, const struct slice_row *row)
{
	uint32_t *slot;

	if (slices->factor == 0)
		slices->factor = hash_factor();
	if (slots_grow(run, &slices->slots, slices->count))
		for (uint32_t i = 0; i < slices->count; i++)
			*slots_find(&slices->slots, hash_of(slices, &slices->rows[i]), NULL, NULL,
			            NULL) = i + 1;
	slot = slots_find(&slices->slots, hash_of(slices, row), is_same, slices, row);
	if (*slot != 0) {
		add_facts(&slices->rows[*slot - 1], row);
		return *slot - 1;
	}
	slices->rows = memory_room(run, slices->rows, sizeof *slices->rows, slices->count,
	                           &slices->room, 1);
	slices->rows[slices->count] = *row;
	if (row->name)
		slices->rows[slices->count].name = text_keep(run, row->name, strlen(row->name));
	*slot = ++slices->count;
	return slices->count - 1;
}

/* What a file declares; a name counts for what it says, and "" for none. */
static uint32_t
declare(struct run *run, struct profile *profile, struct slice_row row)
{
	struct slices *slices = &profile->slices;
	uint32_t *count = &slices->declared[row.kind];

	if (row.name && row.name[0] == '\0')
		row.name = NULL;
	profile_spend(run, profile, 1, DECLARED_BYTES + (row.name ? strlen(row.name) : 0),
	              plural[row.kind]);
	slices->file_found |= UINT32_C(1) << row.kind;
	if (are_wanted(slices)) {
		slices->row_of[row.kind] = memory_room(run, slices->row_of[row.kind],
		                                       sizeof(uint32_t), *count,
		                                       &slices->row_room[row.kind], 1);
		slices->row_of[row.kind][*count] = slices_row(run, slices, &row);
	}
	return ++*count;
}

/*
 * The row plus 1 of what a file knows by a number; 0 where that is 0, or it is not wanted.  The
 * slice 0 is that of the file.
 */
static uint32_t
resolve(struct run *run, const struct profile *profile, enum slice_kind kind, uint32_t number)
{
	const struct slices *slices = &profile->slices;

	if (number > slices->declared[kind])
		profile_give_up(run, "expected one of the %u %s of the file, found %s %u",
		                slices->declared[kind], plural[kind], singular[kind], number);
	if (number == 0)
		return kind == SLICE_SLICE ? slices->of_file : 0;
	return are_wanted(slices) ? slices->row_of[kind][number - 1] + 1 : 0;
}

uint32_t
slices_process(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
               const struct gprofx_raw_process *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct gprofx_raw_process process;

	(void)file;
	profile_take(run, "the record of a process", &process, sizeof process, given);
	maps_add_process(run, profile, process.parent);
	return declare(
		run, profile,
		(struct slice_row){.kind = SLICE_PROCESS,
	                           .of = resolve(run, profile, SLICE_PROCESS, process.parent),
	                           .number = process.number,
	                           .name = process.name});
}

uint32_t
slices_thread(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
              const struct gprofx_raw_thread *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct gprofx_raw_thread thread;

	(void)file;
	profile_take(run, "the record of a thread", &thread, sizeof thread, given);
	return declare(
		run, profile,
		(struct slice_row){.kind = SLICE_THREAD,
	                           .of = resolve(run, profile, SLICE_PROCESS, thread.process),
	                           .number = thread.number,
	                           .name = thread.name,
	                           .threads = thread.threads,
	                           .is_unknown = thread.is_unknown != 0,
	                           .cpu_ns = thread.cpu_ns});
}

uint32_t
slices_phase(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
             const struct gprofx_raw_phase *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct gprofx_raw_phase phase;
	uint32_t number;

	(void)file;
	profile_take(run, "the record of a phase", &phase, sizeof phase, given);
	number = declare(run, profile,
	                 (struct slice_row){.kind = SLICE_PHASE,
	                                    .number = phase.number,
	                                    .name = phase.name});
	phases_note(run, profile, number, &phase);
	return number;
}

uint32_t
slices_slice(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
             uint32_t thread, uint32_t phase)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	uint32_t number;

	(void)file;
	number = declare(
		run, profile,
		(struct slice_row){.kind = SLICE_SLICE,
	                           .of = resolve(run, profile, SLICE_THREAD, thread),
	                           .number = resolve(run, profile, SLICE_PHASE, phase),
	                           .file = profile->slices.by_file ? profile->file_count : 0});
	phases_note_slice(run, profile, number, phase);
	return number;
}

uint32_t
slices_resolve(struct run *run, const struct profile *profile, uint32_t number)
{
	uint32_t row = resolve(run, profile, SLICE_SLICE, number);

	return phases_leave_out(run, profile, number) ? SLICE_LEFT_OUT : row;
}

const uint32_t *
slices_of_stacks(struct run *run, struct profile *profile, uint32_t common,
                 const struct gprofx_raw_stacks *stacks)
{
	struct slices *slices = &profile->slices;

	for (uint32_t i = 0; stacks->slice && i < stacks->count; i++)
		slices_resolve(run, profile, stacks->slice[i]);
	if (!are_wanted(slices))
		return NULL;
	slices->of_stacks = memory_room(run, slices->of_stacks, sizeof(uint32_t), 0,
	                                &slices->of_stacks_room, stacks->count);
	for (uint32_t i = 0; i < stacks->count; i++)
		slices->of_stacks[i] = stacks->slice
		                               ? slices_resolve(run, profile, stacks->slice[i])
		                               : common;
	return slices->of_stacks;
}

void
slices_begin_file(struct run *run, struct profile *profile)
{
	struct slices *slices = &profile->slices;
	const struct slice_row of_file = {.kind = SLICE_SLICE, .file = profile->file_count};

	slices->old_count = slices->count;
	slices->of_file = slices->by_file ? slices_row(run, slices, &of_file) + 1 : 0;
	slices->file_found = 0;
	memset(slices->declared, 0, sizeof slices->declared);
	slices->arc_batches.count = slices->call_batches.count = 0;
}

void
slices_drop_file(struct run *run, struct profile *profile)
{
	struct slices *slices = &profile->slices;

	if (slices->count == slices->old_count)
		return;
	slots_release(run, &slices->slots);
	slices->count = slices->old_count;
}

void
slices_note_batch(struct run *run, struct slice_batches *batches, uint32_t slice, uint32_t first,
                  uint32_t count)
{
	if (slice == 0 || count == 0)
		return;
	batches->items = memory_room(run, batches->items, sizeof *batches->items, batches->count,
	                             &batches->room, 1);
	batches->items[batches->count++] = (struct slice_batch){slice, first, count};
}

/* The slice of row i, which is behind those that were asked for before. */
static uint32_t
slice_at(const struct slice_batches *batches, uint32_t *next, uint32_t i)
{
	const struct slice_batch *batch;

	while (*next < batches->count &&
	       i >= batches->items[*next].first + batches->items[*next].count)
		++*next;
	batch = *next < batches->count ? &batches->items[*next] : NULL;
	return batch && i >= batch->first ? batch->slice : 0;
}

static bool
are_kept(const struct slices *slices)
{
	return slices->keeps_files ||
	       (slices->wanted != 0 && (slices->found != 0 || slices->always));
}

void
slices_add_calls(struct run *run, struct profile *profile, uint32_t first_arc, uint32_t first_call)
{
	struct slices *slices = &profile->slices;
	struct slice_call *to;
	uint32_t next = 0;

	slices->has_calls = true;
	to = kept_rows_add(run, &slices->calls, sizeof *to,
	                   profile->arc_count - first_arc + profile->call_count - first_call);
	for (uint32_t i = first_arc; i < profile->arc_count; i++) {
		const struct gprofx_raw_arc *arc = &profile->arcs[i];
		uint32_t slice = slice_at(&slices->arc_batches, &next, i);

		*to++ = (struct slice_call){slice, true, arc->from, arc->self, arc->count};
	}
	next = 0;
	for (uint32_t i = first_call; i < profile->call_count; i++) {
		const struct gprofx_raw_call *call = &profile->calls[i];
		uint32_t slice = slice_at(&slices->call_batches, &next, i);

		*to++ = (struct slice_call){slice, false, 0, call->self, call->count};
	}
}

void
slices_begin_calls(struct run *run, struct profile *profile)
{
	if (!profile->slices.has_calls)
		slices_add_calls(run, profile, 0, 0);
}

void
slices_commit_file(struct run *run, struct profile *profile)
{
	struct slices *slices = &profile->slices;

	slices->found |= slices->file_found;
	if (slices->by_file && profile->file_count > 0 &&
	    (profile->stacks.is_there || profile->files[profile->file_count - 1].is_recording))
		slices->keeps_files = true;
	if (!are_kept(slices))
		return;
	if (slices->has_calls)
		slices_add_calls(run, profile, profile->mark.arc_count, profile->mark.call_count);
	else
		slices_begin_calls(run, profile);
}

void
slices_add_bin(struct run *run, struct slices *slices, struct slice_bin row)
{
	struct slice_bin *bin = kept_rows_add(run, &slices->bins, sizeof *bin, 1);

	*bin = row;
}

/* Takes what was added up before any file had slices. */
static void
take_sums(struct run *run, struct profile *profile)
{
	for (uint32_t h = 0; h < profile->histogram_count; h++) {
		const struct histogram *histogram = &profile->histograms[h];

		if (!histogram->bins && !histogram->bins64)
			continue;
		for (uint32_t i = histogram_next(histogram, 0); i < histogram->bin_count;
		     i = histogram_next(histogram, i + 1))
			slices_add_bin(run, &profile->slices,
			               (struct slice_bin){0, h, i, histogram_bin(histogram, i)});
	}
}

void
slices_begin_bins(struct run *run, struct profile *profile)
{
	if (!profile->slices.has_bins)
		take_sums(run, profile);
	profile->slices.has_bins = true;
}

static void
take_bins(struct run *run, struct slices *slices, const struct pending *pending)
{
	const struct gprofx_histogram *record = &pending->record;

	for (uint32_t i = 0; i < record->bin_count; i++) {
		uint64_t samples = record_counter(record, i);

		if (samples != 0)
			slices_add_bin(
				run, slices,
				(struct slice_bin){record->slice, pending->histogram, i, samples});
	}
}

void
slices_add_up(struct run *run, struct profile *profile)
{
	struct slices *slices = &profile->slices;

	kept_rows_merge(run, &profile->stacks.by_slice, sizeof(struct stack_slice), false);
	if (!are_kept(slices))
		return;
	slices_begin_bins(run, profile);
	for (uint32_t i = 0; i < profile->pending_count; i++)
		if (!profile->pending[i].is_left_out)
			take_bins(run, slices, &profile->pending[i]);
	kept_rows_merge(run, &slices->bins, sizeof(struct slice_bin), false);
	kept_rows_merge(run, &slices->calls, sizeof(struct slice_call), false);
}

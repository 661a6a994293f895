/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/copies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	MOST_BINS = 1 << 20,
	FIRST_ROOM = 64,
	MOST_DIGITS = 10, /* of the number of a process */
	NEAR = 8,         /* bytes from the start of a bin to the next one in the same loop */
	PHASES =
		16 /* so many loops, one after the other, may each take the same time in two runs */
};

/* Who keeps. */
struct copies_context {
	struct run *run;
	uint32_t file_count;
	bool of_objects;
};

void
copies_want(struct run *run, struct profile *profile, bool of_objects, uint64_t before)
{
	if (before >= COPIES_MOST_FILES)
		return;
	profile->copies = memory_alloc(run, sizeof *profile->copies);
	profile->copies->run = run;
	profile->copies->of_objects = of_objects;
	profile->copies->file_count = (uint32_t)before;
}

int
copies_compare_arcs(const void *left, const void *right)
{
	const struct gprofx_raw_arc *a = left, *b = right;

	if (a->self != b->self)
		return a->self < b->self ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

bool
copies_take_place(struct profile *profile)
{
	if (!profile->copies || profile->copies->file_count == COPIES_MOST_FILES)
		return false;
	profile->copies->file_count++;
	return true;
}

void
copies_keep_arcs(struct profile *profile)
{
	struct copies_context *context = profile->copies;
	struct profile_file *file = profile_current_file(profile);
	uint32_t first = profile->mark.arc_count, count = profile->arc_count - first, kept = 0;
	struct file_rows *rows;

	if (!context || !file || context->file_count == COPIES_MOST_FILES ||
	    count > COPIES_MOST_ROWS || profile->arc_count < first ||
	    (file->image && !context->of_objects))
		return;
	context->file_count++;
	rows = file->rows = memory_alloc(context->run, sizeof *rows);
	rows->is_whole = true;
	rows->first_arc = first;
	rows->raw_arcs = count;
	memory_array(context->run, rows->arcs, (size_t)count + 1);
	if (count > 0)
		memcpy(rows->arcs, profile->arcs + first, count * sizeof *rows->arcs);
	qsort(rows->arcs, count, sizeof *rows->arcs, copies_compare_arcs);
	for (uint32_t i = 0; i < count; i++) {
		if (kept > 0 && copies_compare_arcs(&rows->arcs[kept - 1], &rows->arcs[i]) == 0)
			rows->arcs[kept - 1].count += rows->arcs[i].count;
		else
			rows->arcs[kept++] = rows->arcs[i];
	}
	rows->arc_count = kept;
}

/* Keeps the counters of a record that are not 0. */
static void
keep_bins(const struct profile *profile, const struct profile_file *file,
          const struct gprofx_histogram *record)
{
	struct file_rows *rows = file->rows;
	uint64_t span = record->high - record->low;

	if (!rows || !rows->is_whole)
		return;
	rows->is_whole = record->bin_count <= MOST_BINS;
	for (uint32_t i = 0; i < record->bin_count && rows->is_whole; i++) {
		uint64_t count = record_counter(record, i);

		if (count == 0)
			continue;
		/* Room doubles from one power of two to the next. */
		if (rows->bin_count == 0)
			memory_array(profile->copies->run, rows->bins, FIRST_ROOM);
		else if (rows->bin_count >= FIRST_ROOM &&
		         (rows->bin_count & (rows->bin_count - 1)) == 0)
			rows->bins = memory_grow(profile->copies->run, rows->bins,
			                         rows->bin_count * sizeof *rows->bins,
			                         2 * rows->bin_count * sizeof *rows->bins);
		rows->bins[rows->bin_count++] = (struct file_bin){
			record->low + (uint64_t)((double)span / record->bin_count * i), count};
		rows->samples += count;
		rows->is_whole = rows->bin_count < COPIES_MOST_ROWS;
	}
}

/* Of files with samples of another metric, not all is kept. */
static void
set_apart(const struct profile *profile, const struct profile *other)
{
	for (uint32_t i = 0; i < other->pending_count; i++)
		if (other->pending[i].file != NO_FILE &&
		    profile->files[other->pending[i].file].rows)
			profile->files[other->pending[i].file].rows->is_whole = false;
}

void
copies_compare(struct run *run, struct profile *profile, bool is_all)
{
	if (!profile->copies)
		return;
	for (uint32_t i = 0; i < profile->pending_count; i++)
		if (profile->pending[i].file != NO_FILE)
			keep_bins(profile, &profile->files[profile->pending[i].file],
			          &profile->pending[i].record);
	/* What only one metric shows to be a copy cannot be taken out of all. */
	for (uint32_t i = 0; i < profile->other_count; i++)
		set_apart(profile, profile->others[i]);
	if (is_all && profile->added_files == 0 && profile->file_count > 1 &&
	    profile->file_count <= COPIES_MOST_FILES &&
	    run_corrects(run, GPROFX_CORRECT_FORKED_COPIES))
		copies_take_out(run, profile);
}

bool
copies_are_one_file(const struct profile_file *a, const struct profile_file *b)
{
	if (a->inode != 0 && b->inode != 0)
		return a->inode == b->inode && a->device == b->device;
	return strcmp(a->name, b->name) == 0;
}

/* The number behind the last dot of a name, and how much stands before it; 0: there is none. */
static size_t
process_number(const char *name, uint64_t *number)
{
	const char *dot = strrchr(name, '.');
	size_t digits = dot ? strspn(dot + 1, "0123456789") : 0;

	if (digits == 0 || digits > MOST_DIGITS || dot[1 + digits] != '\0')
		return 0;
	*number = strtoull(dot + 1, NULL, 10);
	return (size_t)(dot - name) + 1;
}

/* The name of a file without its folder, which a process may have changed. */
static const char *
base_name(const struct profile_file *file)
{
	const char *slash = strrchr(file->name, '/');

	return slash ? slash + 1 : file->name;
}

bool
copies_is_earlier(const struct profile_file *a, const struct profile_file *b)
{
	const char *name = base_name(a), *other = base_name(b);
	uint64_t number = 0, other_number = 0;
	size_t length = process_number(name, &number);

	return length > 0 && length == process_number(other, &other_number) &&
	       strncmp(name, other, length) == 0 && number < other_number;
}

bool
copies_have_same_bins(const struct file_rows *a, const struct file_rows *b)
{
	if (a->bin_count != b->bin_count || a->samples != b->samples)
		return false;
	for (uint32_t i = 0; i < a->bin_count; i++)
		if (a->bins[i].address != b->bins[i].address ||
		    a->bins[i].count != b->bins[i].count)
			return false;
	return true;
}

bool
copies_are_calls_within(const struct file_rows *parent, const struct file_rows *child, bool *more)
{
	uint32_t at = 0;

	*more = child->arc_count > parent->arc_count;
	for (uint32_t i = 0; i < parent->arc_count; i++) {
		const struct gprofx_raw_arc *arc = &parent->arcs[i];

		while (at < child->arc_count && copies_compare_arcs(&child->arcs[at], arc) < 0)
			at++;
		if (at == child->arc_count || copies_compare_arcs(&child->arcs[at], arc) != 0 ||
		    child->arcs[at].count < arc->count)
			return false;
		*more = *more || child->arcs[at].count > arc->count;
	}
	return true;
}

/* What Stirling's formula has for the logarithm of count! beyond count * (log(count) - 1). */
static double
beyond_power(double count)
{
	return log(2 * M_PI * count) / 2 + 1 / (12 * count);
}

/* Whether a bin is of the same loop as the one before it. */
static bool
is_near(const struct file_rows *rows, uint32_t bin)
{
	uint64_t before = rows->bins[bin - 1].address, address = rows->bins[bin].address;

	return address > before && address - before <= NEAR;
}

/*
 * Two runs of a program that does the same each time have the same calls, and may spend the same
 * number of ticks in each of its loops, which come one after the other: neither proves anything.
 * But at which instruction of a loop a tick finds it is chance: an iteration takes nanoseconds, and
 * the clock of ticks is not that of the program.  So let the samples n of a loop be given.  That
 * they fall on its bins as c1, c2, ... has the probability
 *
 *     n! / (c1! c2! ...) * p1^c1 p2^c2 ...
 *
 * which, whatever the p are, is not above its value at p = c / n.  By Stirling's formula the powers
 * cancel, and what is left is the quotient of sqrt(2 pi n) and the product of all sqrt(2 pi c).
 * Which bins a loop has is not known.  Either each has those that lie side by side; then a loop of
 * one bin proves nothing, and so do bins that hold whole loops.  Or there are no more than PHASES
 * of them, wherever their bins are, which together, of N samples, take off at most what they do
 * with N / PHASES each.  The larger one counts.  Where some bins differ, it is chance as well which
 * do.
 */
double
copies_evidence(const struct profile *profile, const struct file_rows *rows,
                const struct file_rows *other)
{
	double by_place = 0, by_phase = 0, phases, samples = 0, differing = 0;
	uint32_t next, at = 0;

	if (2 * profile->scale > NEAR)
		return 0;
	for (uint32_t i = 0; i < rows->bin_count; i = next) {
		double weight = 0, here = 0;
		bool is_same = true;

		for (next = i; next < rows->bin_count && (next == i || is_near(rows, next));
		     next++) {
			const struct file_bin *bin = &rows->bins[next];
			bool is_there = at < other->bin_count &&
			                other->bins[at].address == bin->address;

			weight += beyond_power((double)bin->count);
			here += (double)bin->count;
			is_same = is_same && is_there && other->bins[at].count == bin->count;
			at += is_there;
		}
		if (is_same) {
			by_place += weight - beyond_power(here);
			by_phase += weight;
			samples += here;
		} else {
			differing++;
		}
	}
	if (samples == 0)
		return 0;
	phases = samples < PHASES ? samples : PHASES;
	by_phase -= phases * beyond_power(samples / phases);
	return (by_place > by_phase ? by_place : by_phase) - differing * log1p(rows->bin_count);
}

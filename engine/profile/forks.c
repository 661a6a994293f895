/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes out what files of forked children have copied: the C library lets a child begin with its
 * parent's counters, and without the timer, so that it takes no samples.
 *
 * Files are of a process and its children, and theirs, if all have the same samples, counter by
 * counter, so many that it cannot be chance (copies_evidence()).  A simulator takes samples at the
 * same places in each run, though, so their names have to be those that the C library gives the
 * files of several processes.  What was counted before the fork is known if the parent only waited
 * afterwards: then all its rows are in the files of all others.  If the parent's own file is not
 * among them, a child that called hardly anything could be taken for it; but who forked was there
 * first, and wrote last.
 *
 * Files that are the same in everything may also be copies that a user made: nothing is taken out
 * of them unless another file shows that there was a fork.  Whether a child forked in its turn
 * cannot be distinguished from children that called more than their siblings, so only what all have
 * is taken out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "profile/copies.h"
#include "profile/profile.h"

enum {
	ROWS_COMPARED = 16 << 20, /* in all: so much work the question is worth */
	LATE = 1                  /* seconds: times of files are rounded */
};

/* Natural logarithm of what chance has to be below in any pair of files: 1 in a million. */
static const double proof = 14;

/* Files that have the same samples. */
struct family {
	struct profile *profile;
	uint32_t *members; /* numbers of files */
	uint32_t count;
	uint32_t left; /* rows that may still be compared */
};

static bool
can_be_compared(const struct profile_file *file)
{
	/* Another run may have taken something out already. */
	return file->rows && file->rows->is_whole && file->rows->bin_count > 0 &&
	       file->call_count == 0 && !file->has_source && !file->image && !file->copied_from;
}

/* Whether there is work left for comparing two files. */
static bool
spend(struct family *family, const struct file_rows *a, const struct file_rows *b)
{
	uint32_t cost = 1 + a->bin_count + b->bin_count + a->arc_count + b->arc_count;

	if (family->left < cost)
		return false;
	family->left -= cost;
	return true;
}

/* Lists the files, from number "first" on, that have its samples. */
static void
find_family(struct family *family, uint32_t first, const bool *is_done)
{
	const struct profile *profile = family->profile;
	const struct profile_file *one = &profile->files[first];

	family->count = 0;
	for (uint32_t i = first; i < profile->file_count; i++) {
		const struct profile_file *other = &profile->files[i];

		if (!is_done[i] && can_be_compared(other) && other->slide == one->slide &&
		    other->rows->samples == one->rows->samples &&
		    spend(family, one->rows, other->rows) &&
		    copies_have_same_bins(one->rows, other->rows))
			family->members[family->count++] = i;
	}
}

/*
 * The file whose calls are in all others, if it can be the one of the process that was there first:
 * that with the fewest calls.
 */
static const struct profile_file *
find_parent(struct family *family)
{
	const struct profile_file *files = family->profile->files;
	const struct profile_file *parent = &files[family->members[0]];
	bool is_copied = false;

	for (uint32_t i = 1; i < family->count; i++) {
		const struct profile_file *file = &files[family->members[i]];

		if (file->calls < parent->calls ||
		    (file->calls == parent->calls && copies_is_earlier(file, parent)))
			parent = file;
	}
	for (uint32_t i = 0; i < family->count; i++) {
		const struct profile_file *child = &files[family->members[i]];
		bool more = false;

		if (copies_are_one_file(child, parent))
			continue;
		if (!copies_is_earlier(parent, child) || child->modified > parent->modified + LATE)
			return NULL;
		if (!spend(family, parent->rows, child->rows) ||
		    !copies_are_calls_within(parent->rows, child->rows, &more))
			return NULL;
		is_copied = is_copied || more;
	}
	return is_copied ? parent : NULL;
}

/* Takes the parent's calls out of those of a file; returns how many. */
static uint64_t
take_calls(struct run *run, struct profile *profile, const struct file_rows *parent,
           const struct file_rows *child)
{
	struct gprofx_raw_arc *left;
	uint64_t taken = 0;

	memory_array(run, left, (size_t)parent->arc_count + 1);
	if (parent->arc_count > 0)
		memcpy(left, parent->arcs, parent->arc_count * sizeof *left);
	/* A file can have the same two addresses several times. */
	for (uint32_t i = 0; i < child->raw_arcs; i++) {
		struct gprofx_raw_arc *arc = &profile->arcs[child->first_arc + i];
		struct gprofx_raw_arc *copy = bsearch(arc, left, parent->arc_count, sizeof *left,
		                                      copies_compare_arcs);
		uint64_t count = !copy ? 0 : copy->count < arc->count ? copy->count : arc->count;

		if (count == 0)
			continue;
		copy->count -= count;
		arc->count -= count;
		taken += count;
	}
	memory_release(run, left);
	return taken;
}

static void
take_out(struct run *run, const struct family *family, const struct profile_file *parent)
{
	struct profile *profile = family->profile;

	for (uint32_t i = 0; i < family->count; i++) {
		struct profile_file *child = &profile->files[family->members[i]];

		if (copies_are_one_file(child, parent))
			continue;
		child->copied_from = parent->name;
		child->copied_samples = child->rows->samples;
		child->copied_calls = take_calls(run, profile, parent->rows, child->rows);
	}
	for (uint32_t i = 0; i < profile->pending_count; i++) {
		struct pending *pending = &profile->pending[i];

		pending->is_left_out = pending->is_left_out ||
		                       (pending->file != NO_FILE &&
		                        profile->files[pending->file].copied_from != NULL);
	}
}

/*
 * Looks for files of a process and its children, and takes out what these have copied; only_looks:
 * leaves it at that.  Returns whether there are any.
 */
static bool
search(struct run *run, struct profile *profile, bool only_looks)
{
	struct family family = {.profile = profile, .left = ROWS_COMPARED};
	double pairs = (double)profile->file_count * (profile->file_count - 1.0) / 2;
	bool *is_done, has_any = false;

	/* No library writes blocks and lets children go on with them. */
	if (profile->block_count > 0)
		return false;
	memory_array(run, is_done, profile->file_count);
	memory_array(run, family.members, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct file_rows *rows = profile->files[i].rows;
		const struct profile_file *parent;

		if (is_done[i] || !can_be_compared(&profile->files[i]))
			continue;
		find_family(&family, i, is_done);
		for (uint32_t k = 0; k < family.count; k++)
			is_done[family.members[k]] = true;
		if (family.count < 2 || copies_evidence(profile, rows, rows) < proof + log(pairs))
			continue;
		parent = find_parent(&family);
		has_any = has_any || parent;
		if (parent && !only_looks)
			take_out(run, &family, parent);
	}
	memory_release(run, family.members);
	memory_release(run, is_done);
	return has_any;
}

void
copies_take_out(struct run *run, struct profile *profile)
{
	search(run, profile, false);
}

bool
copies_are_left(struct run *run, struct profile *profile)
{
	return profile->copies && profile->file_count > 1 &&
	       profile->file_count <= COPIES_MOST_FILES &&
	       run_corrects(run, GPROFX_CORRECT_FORKED_COPIES) && search(run, profile, true);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of children that were forked: the C library lets them begin with a copy of their parent's
 * counters, and without a timer.
 *
 * Nothing in a file tells whose it is.  Two runs of one program can have the same calls, and the
 * longer one has more of everything; but that every counter of samples is the same is hardly
 * chance if there are some.  As many samples as the other file has, or fewer, in each counter, and
 * calls beyond it, are what a child has whose parent went on.
 */
#include <math.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "profile/copies.h"
#include "profile/profile.h"

/* What was found about a file, as the child of one and of all. */
enum { FATE_EQUAL = 1, FATE_SAME = 2, FATE_LESS = 4 };

enum { ROWS_COMPARED = 4 << 20 /* in all: so much work the question is worth */ };

/* Natural logarithms of what chance has to be below. */
static const double same_evidence = 12, less_evidence = 14, most_of_bin = 2;

/* What was found about pairs of files. */
struct comparing {
	struct findings *findings;
	uint32_t left; /* rows that may still be compared */
	uint32_t same, less;
	const struct profile_file *parent, *child; /* of the first pair */
	const struct profile_file *less_parent, *less_child;
};

/* How unlikely it is that another run has the same counter: 1 in e to that. */
static double
weight_of_same(uint64_t count)
{
	double weight = log(2 * M_PI * (double)count) / 2;

	return weight < most_of_bin ? weight : most_of_bin;
}

/* Likewise, not more than the other run's, if this one has "part" of the samples of both. */
static double
weight_of_less(uint64_t count, uint64_t other, double part)
{
	double both = (double)count + (double)other;
	double distance = ((double)count + 0.5 - both * part) / sqrt(both * part * (1 - part));
	double weight = -log(erfc(-distance / sqrt(2)) / 2);

	return weight < most_of_bin ? weight : most_of_bin;
}

/* How unlikely it is that two runs have the same counters; 0: theirs differ. */
static double
weight_of_samples(const struct file_rows *parent, const struct file_rows *child)
{
	double evidence = 0;

	if (parent->bin_count != child->bin_count)
		return 0;
	for (uint32_t i = 0; i < parent->bin_count; i++) {
		if (parent->bins[i].address != child->bins[i].address ||
		    parent->bins[i].count != child->bins[i].count)
			return 0;
		evidence += weight_of_same(parent->bins[i].count);
	}
	return evidence;
}

/* Whether the child has fewer samples, none of them in counters where the parent has not as many.
 */
static bool
has_fewer_samples(const struct profile_file *parent, const struct profile_file *child)
{
	const struct file_rows *p = parent->rows, *c = child->rows;
	double part = (double)child->samples / ((double)child->samples + (double)parent->samples);
	double evidence = 0;
	uint32_t at = 0;

	if (child->samples == 0 || child->samples >= parent->samples)
		return false;
	for (uint32_t i = 0; i < p->bin_count; i++) {
		uint64_t count = 0;

		if (at < c->bin_count && c->bins[at].address == p->bins[i].address)
			count = c->bins[at++].count;
		if (count > p->bins[i].count)
			return false;
		evidence += weight_of_less(count, p->bins[i].count, part);
	}
	return at == c->bin_count && evidence >= less_evidence;
}

/*
 * Whether no call of "parent" is missing in "child".  *more: the child has more calls.
 */
static bool
are_calls_within(const struct file_rows *parent, const struct file_rows *child, bool *more)
{
	uint32_t at = 0;

	*more = child->arc_count > parent->arc_count;
	for (uint32_t i = 0; i < parent->arc_count; i++) {
		const struct gprofx_raw_arc *arc = &parent->arcs[i];

		while (at < child->arc_count &&
		       (child->arcs[at].self < arc->self ||
		        (child->arcs[at].self == arc->self && child->arcs[at].from < arc->from)))
			at++;
		if (at == child->arc_count || child->arcs[at].self != arc->self ||
		    child->arcs[at].from != arc->from || child->arcs[at].count < arc->count)
			return false;
		*more = *more || child->arcs[at].count > arc->count;
	}
	return true;
}

/* Compares a file with one that can be its child's; returns the weight of equal samples. */
static double
compare(struct comparing *comparing, const struct profile_file *parent,
        const struct profile_file *child, bool *is_less)
{
	const struct file_rows *p = parent->rows, *c = child->rows;
	uint32_t cost = 1 + p->bin_count + c->bin_count + p->arc_count + c->arc_count;
	double weight;
	bool more;

	if (comparing->left < cost)
		return 0;
	comparing->left -= cost;
	weight = weight_of_samples(p, c);
	if (weight > 0)
		return are_calls_within(p, c, &more) && more ? weight : 0;
	*is_less = *is_less || (has_fewer_samples(parent, child) && !are_calls_within(c, p, &more));
	return 0;
}

static bool
is_kept(const struct profile_file *file)
{
	return file->rows && file->rows->is_whole && file->rows->bin_count > 0 &&
	       file->rows->arc_count > 0;
}

static void
tell(const struct comparing *comparing)
{
	struct findings *findings = comparing->findings;

	if (comparing->child)
		finding_add(
			findings, FINDING_FORKED, comparing->child->name,
			"files hold copies of another one's counters, as those of forked children "
			"do: what was counted before the fork is added up several times",
			text_format(findings->run,
		                    "%u file%s all samples of another one, counter by counter, "
		                    "and all its calls; this one has the %llu of %s and %llu calls "
		                    "more",
		                    comparing->same, comparing->same == 1 ? " has" : "s have",
		                    (unsigned long long)comparing->parent->samples,
		                    comparing->parent->name,
		                    (unsigned long long)(comparing->child->calls -
		                                         comparing->parent->calls)));
	else if (comparing->less_child && comparing->less > 0)
		finding_add(
			findings, FINDING_FORKED, comparing->less_child->name,
			"files look like those of children that were forked while their parent went "
			"on: what was counted before the fork is added up several times",
			text_format(findings->run,
		                    "in %u file%s no counter of samples is above that of another "
		                    "one, and calls are; this one has %llu samples, %s %llu",
		                    comparing->less, comparing->less == 1 ? "" : "s",
		                    (unsigned long long)comparing->less_child->samples,
		                    comparing->less_parent->name,
		                    (unsigned long long)comparing->less_parent->samples));
}

/*
 * Compares all files with one that can be their parent's.  That one counter is the same in two runs
 * may be chance, where it is so in the files of several children it is not.
 */
static void
compare_with(struct comparing *comparing, const struct profile_file *parent, uint8_t *fate)
{
	const struct profile *profile = comparing->findings->profile;
	const struct profile_file *first = NULL;
	double evidence = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *child = &profile->files[i];
		bool is_less = false;
		double weight;

		if (child == parent || !is_kept(child) || child->slide != parent->slide)
			continue;
		weight = compare(comparing, parent, child, &is_less);
		evidence += weight;
		if (weight > 0 && !first)
			first = child;
		if (weight > 0)
			fate[i] |= FATE_EQUAL;
		if (is_less)
			fate[i] |= FATE_LESS;
		if (is_less && !comparing->less_child) {
			comparing->less_parent = parent;
			comparing->less_child = child;
		}
	}
	if (evidence >= same_evidence && !comparing->child) {
		comparing->parent = parent;
		comparing->child = first;
	}
	for (uint32_t i = 0; i < profile->file_count; i++) {
		if ((fate[i] & FATE_EQUAL) && evidence >= same_evidence)
			fate[i] |= FATE_SAME;
		fate[i] &= (uint8_t)~FATE_EQUAL;
	}
}

void
findings_inspect_copies(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	struct comparing comparing = {.findings = findings, .left = ROWS_COMPARED};
	uint8_t *fate;

	memory_array(findings->run, fate, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (is_kept(&profile->files[i]))
			compare_with(&comparing, &profile->files[i], fate);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		comparing.same += (fate[i] & FATE_SAME) != 0;
		comparing.less += fate[i] == FATE_LESS;
	}
	memory_release(findings->run, fate);
	tell(&comparing);
}

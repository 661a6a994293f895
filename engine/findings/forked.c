/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of children that were forked: the C library lets them begin with a copy of their parent's
 * counters, and without a timer.
 *
 * Nothing in a file says which process wrote it.  Two runs of one program can have the same calls,
 * and the longer one has more of everything; but that every counter of samples is the same is
 * hardly chance if there are some.  As many samples as the other file has, or fewer, in each
 * counter, and calls beyond it, are what a child has whose parent went on.
 */
#include <math.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "profile/copies.h"
#include "profile/profile.h"

/* What was found about a file, as the child of one and of all. */
enum {
	FATE_EQUAL = 1,
	FATE_SAME = 2,  /* all samples and calls of another one, and more calls */
	FATE_LESS = 4,  /* fewer samples in each counter, and calls that the other has not */
	FATE_MIXED = 8, /* all samples of another one; each has calls that the other has not */
	FATE_TWIN = 16, /* everything is as in another one */
	FATE_MORE = 32  /* all samples and calls of another one, and samples elsewhere */
};

enum { ROWS_COMPARED = 4 << 20 /* in all: so much work the question is worth */ };

/* Natural logarithms of what chance has to be below. */
static const double same_evidence = 12, less_evidence = 14, pair_evidence = 14, most_of_bin = 2;

/* Two files of a kind. */
struct pair {
	const struct profile_file *parent, *child; /* the first ones; NULL: there are none */
	uint32_t count;                            /* children */
};

/* What was found about pairs of files. */
struct comparing {
	struct findings *findings;
	uint32_t left; /* rows that may still be compared */
	struct pair same, more, less, mixed, twin;
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

/* How unlikely it is that another run has the same samples, counter by counter. */
static double
weight_of_samples(const struct file_rows *rows)
{
	double evidence = 0;

	for (uint32_t i = 0; i < rows->bin_count; i++)
		evidence += weight_of_same(rows->bins[i].count);
	return evidence;
}

/*
 * Whether the child has fewer samples, none of them in counters where the parent has not as many:
 * so often fewer, or just as many, that it is hardly chance.
 */
static bool
has_fewer_samples(const struct profile *profile, const struct profile_file *parent,
                  const struct profile_file *child)
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
	return at == c->bin_count &&
	       (evidence >= less_evidence || copies_evidence(profile, p, c) >= pair_evidence);
}

/* Whether the child has the parent's samples, counter by counter, and others in other counters. */
static bool
has_samples_besides(const struct file_rows *parent, const struct file_rows *child)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < parent->bin_count; i++) {
		const struct file_bin *bin = &parent->bins[i];

		while (at < child->bin_count && child->bins[at].address < bin->address)
			at++;
		if (at == child->bin_count || child->bins[at].address != bin->address ||
		    child->bins[at].count != bin->count)
			return false;
	}
	return child->bin_count > parent->bin_count;
}

/* What it says of two files that their samples differ. */
static uint32_t
compare_differing(const struct profile *profile, const struct profile_file *parent,
                  const struct profile_file *child)
{
	const struct file_rows *p = parent->rows, *c = child->rows;
	bool more = false;

	if (has_fewer_samples(profile, parent, child))
		return copies_are_calls_within(c, p, &more) ? 0 : FATE_LESS;
	/* In a simulator, a longer run can begin as a shorter one. */
	return copies_is_earlier(parent, child) && has_samples_besides(p, c) &&
	                       copies_evidence(profile, p, p) >= pair_evidence &&
	                       copies_are_calls_within(p, c, &more)
	               ? FATE_MORE
	               : 0;
}

/* Compares a file with one that can be its child's; returns the weight of equal samples. */
static double
compare(struct comparing *comparing, const struct profile_file *parent,
        const struct profile_file *child, uint32_t *fate)
{
	const struct profile *profile = comparing->findings->profile;
	const struct file_rows *p = parent->rows, *c = child->rows;
	uint32_t cost = 1 + p->bin_count + c->bin_count + p->arc_count + c->arc_count;
	bool more = false, is_within;

	if (comparing->left < cost)
		return 0;
	comparing->left -= cost;
	if (!copies_have_same_bins(p, c)) {
		*fate |= compare_differing(profile, parent, child);
		return 0;
	}
	is_within = copies_are_calls_within(p, c, &more);
	if (is_within && more) {
		*fate |= FATE_EQUAL;
		return weight_of_samples(p);
	}
	if (copies_are_one_file(parent, child) || copies_evidence(profile, p, c) < pair_evidence)
		return 0;
	/* In a simulator, two runs can be the same in everything. */
	if (is_within)
		*fate |= copies_is_earlier(parent, child) ? FATE_TWIN : 0;
	else if (!copies_are_calls_within(c, p, &more))
		*fate |= FATE_MIXED;
	return 0;
}

static bool
is_kept(const struct profile_file *file)
{
	return file->rows && file->rows->is_whole && file->rows->bin_count > 0 &&
	       file->rows->arc_count > 0 && !file->copied_from;
}

/* What is left in: one sentence for all, and how it shows. */
static const char *
files_have(struct run *run, uint32_t count)
{
	return text_format(run, "%u file%s", count, count == 1 ? " has" : "s have");
}

/* Of files that have all samples of another one: what that means, and what of their calls. */
static void
tell_of_all_samples(struct findings *findings, const struct pair *pair, const char *summary,
                    const char *calls)
{
	finding_add(findings, FINDING_FORKED, pair->child->name, summary,
	            text_format(findings->run,
	                        "%s all samples of another file%s; this one has the %llu of %s",
	                        files_have(findings->run, pair->count), calls,
	                        (unsigned long long)pair->parent->samples, pair->parent->name));
}

static void
tell_same(struct findings *findings, const struct pair *pair)
{
	finding_add(findings, FINDING_FORKED, pair->child->name,
	            "files contain copies of another file's counters, as those of forked children "
	            "do: what was counted before the fork is added up several times",
	            text_format(findings->run,
	                        "%s all samples of another file, counter by counter, and all its "
	                        "calls; this one has the %llu of %s and %llu more calls",
	                        files_have(findings->run, pair->count),
	                        (unsigned long long)pair->parent->samples, pair->parent->name,
	                        (unsigned long long)(pair->child->calls - pair->parent->calls)));
}

/* Of two files that have not the same samples: how it shows, and how many they have. */
static void
tell_differing(struct findings *findings, const struct pair *pair, const char *summary,
               const char *evidence)
{
	finding_add(findings, FINDING_FORKED, pair->child->name, summary,
	            text_format(findings->run, "%s; this one has %llu samples, %s %llu", evidence,
	                        (unsigned long long)pair->child->samples, pair->parent->name,
	                        (unsigned long long)pair->parent->samples));
}

static void
tell_more(struct findings *findings, const struct pair *pair)
{
	tell_differing(findings, pair,
	               "files contain copies of another file's counters, as those of forked "
	               "children with their own timer do: what was counted before the fork is "
	               "added up several times",
	               text_format(findings->run,
	                           "%s all samples of another file, counter by counter, and all "
	                           "its calls, and samples elsewhere",
	                           files_have(findings->run, pair->count)));
}

static void
tell_less(struct findings *findings, const struct pair *pair)
{
	tell_differing(findings, pair,
	               "files look like those of children that were forked while their parent kept "
	               "running: what was counted before the fork is added up several times",
	               text_format(findings->run,
	                           "in %u file%s no sample counter exceeds that of another file, "
	                           "but call counts do",
	                           pair->count, pair->count == 1 ? "" : "s"));
}

/* What is left in: the heaviest first. */
static void
tell(const struct comparing *comparing)
{
	struct findings *findings = comparing->findings;

	if (comparing->same.child)
		tell_same(findings, &comparing->same);
	else if (comparing->more.child)
		tell_more(findings, &comparing->more);
	else if (comparing->less.child && comparing->less.count > 0)
		tell_less(findings, &comparing->less);
	else if (comparing->mixed.child)
		tell_of_all_samples(
			findings, &comparing->mixed,
			"files contain copies of another file's counters, as those of a forked "
			"child and a parent that made more calls after the fork do: what was "
			"counted before the fork is added up several times",
			", counter by counter, and each has calls that the other does not have");
	else if (comparing->twin.child)
		tell_of_all_samples(
			findings, &comparing->twin,
			"files have identical counters, as those of forked children that made no "
			"calls of their own, or of deterministic runs: they are added up "
			"nevertheless",
			" and all its calls, and nothing else");
}

static void
note(struct pair *pair, const struct profile_file *parent, const struct profile_file *child)
{
	if (pair->child)
		return;
	pair->parent = parent;
	pair->child = child;
}

/*
 * Compares all files with one that can be their parent's.  That one counter is the same in two runs
 * may be chance, where it is so in the files of several children it is not.
 */
static void
compare_with(struct comparing *comparing, const struct profile_file *parent, uint32_t *fate)
{
	const struct profile *profile = comparing->findings->profile;
	const struct profile_file *first = NULL;
	double evidence = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *child = &profile->files[i];
		uint32_t found = 0;

		if (child == parent || !is_kept(child) || child->slide != parent->slide)
			continue;
		evidence += compare(comparing, parent, child, &found);
		fate[i] |= found;
		if ((found & FATE_EQUAL) && !first)
			first = child;
		if (found & FATE_MORE)
			note(&comparing->more, parent, child);
		if (found & FATE_LESS)
			note(&comparing->less, parent, child);
		if (found & FATE_MIXED)
			note(&comparing->mixed, parent, child);
		if (found & FATE_TWIN)
			note(&comparing->twin, parent, child);
	}
	if (first && evidence >= same_evidence)
		note(&comparing->same, parent, first);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		if ((fate[i] & FATE_EQUAL) && evidence >= same_evidence)
			fate[i] |= FATE_SAME;
		fate[i] &= ~(uint32_t)FATE_EQUAL;
	}
}

/* What was taken out: see profile/forks.c. */
static void
tell_taken(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct profile_file *first = NULL;
	uint64_t samples = 0, calls = 0;
	uint32_t files = 0;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		if (!file->copied_from)
			continue;
		first = first ? first : file;
		samples += file->copied_samples;
		calls += file->copied_calls;
		files++;
	}
	if (first)
		finding_add(
			findings, FINDING_COPIES_TAKEN, first->name,
			"files start with a copy of their parent's counters, as those of forked "
			"children do: what was counted before the fork counts once",
			text_format(findings->run,
		                    "%llu samples and %llu calls were removed from %u file%s; all "
		                    "samples of this one are copies of those of %s, counter by "
		                    "counter",
		                    (unsigned long long)samples, (unsigned long long)calls, files,
		                    files == 1 ? "" : "s", first->copied_from));
}

void
findings_inspect_copies(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	struct comparing comparing = {.findings = findings, .left = ROWS_COMPARED};
	uint32_t *fate;

	tell_taken(findings);
	memory_array(findings->run, fate, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (is_kept(&profile->files[i]))
			compare_with(&comparing, &profile->files[i], fate);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		comparing.same.count += (fate[i] & FATE_SAME) != 0;
		comparing.more.count += (fate[i] & FATE_MORE) != 0;
		comparing.less.count += fate[i] == FATE_LESS;
		comparing.mixed.count += (fate[i] & FATE_MIXED) != 0;
		comparing.twin.count += (fate[i] & FATE_TWIN) != 0;
	}
	memory_release(findings->run, fate);
	tell(&comparing);
}

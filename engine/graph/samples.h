/* SPDX-License-Identifier: Apache-2.0 */
/* How samples are spread over functions, for one record as for the sum of all. */
#ifndef ENGINE_GRAPH_SAMPLES_H
#define ENGINE_GRAPH_SAMPLES_H

#include "base/loose.h"
#include "base/run.h"
#include "graph/graph.h"
#include "graph/shares.h"
#include "profile/profile.h"
#include "scan/scan.h"
#include "select/filters.h"
#include "symbols/symbols.h"

/* What decides to whom samples go. */
struct sample_rules {
	const struct symbols *symbols;
	const struct filters *filters;
	struct scan *scan; /* NULL: code is not to be read */
	struct symbol_spaces spaces;
	/* Bins of several functions are divided by likelihood: see shares.h. */
	bool by_likelihood;
	struct share_spaces functions; /* if the spaces are parts of them */
	struct code_fills *fills;      /* opened before several threads need them */
	struct scan_begins *begins;    /* likewise */
};

/* Samples of one histogram by where they are, in whole numbers: nothing is lost by rounding. */
struct sample_account {
	uint64_t whole[ACCOUNT_KINDS];
	uint64_t parts[ACCOUNT_KINDS]; /* of a sample, BIN_SHARE_BITS bits */
};
/*
 * Completes the rules, which have symbols, filters, what looks at code, and, if they are not to be
 * those of the symbols, spaces.
 */
void samples_prepare(struct run *run, struct sample_rules *rules);

/* Lets go of what decodes code. */
void samples_finish(struct run *run, const struct sample_rules *rules);

/*
 * A bin that several functions share, of one file.  How it is divided is known once all files are
 * read, since that is decided by the sum of them: so what the files have adds up to what all have.
 */
struct shared_bin {
	uint32_t file, histogram, bin;
	uint64_t samples;
};

/* Shared bins that wait, and the symbols that may get some of them, which can repeat. */
struct late_samples {
	struct loose_list bins;    /* of struct shared_bin */
	struct loose_list sharers; /* of uint32_t */
};

/* Where credits go. */
struct sample_credits {
	double *self; /* per symbol, and one more for what lies in none: ticks of the report's rate
	               */
	double all;   /* of all samples */
	double total; /* likewise, less those of functions that the flat filter rejects */
	uint32_t *credited; /* symbols whose ticks are not 0, in any order; or NULL */
	uint32_t count;
	struct sample_account
		*account;           /* or NULL; bins that are not divided exactly are not in it */
	struct gprofx_doubt *doubt; /* per symbol, as self: of bins that are divided; or NULL */
	/* Likewise the number of the bin that a part was of last; NULL: each part is of another. */
	uint32_t *doubted;
	struct late_samples *late; /* or NULL: bins that are divided by likelihood do not wait */
	uint32_t file;             /* of the late ones */
};

/*
 * Credits the bins of one record, which is of the given histogram.  Uses no service of the run but
 * its settings, so that several threads can do so at once, each with credits of its own.
 */
void samples_credit(struct run *run, const struct sample_rules *rules,
                    const struct profile *profile, const struct histogram *histogram,
                    const struct gprofx_histogram *record, struct sample_credits *to);

/* Gives ticks to a symbol, or to what lies in none, which the flat filter can reject. */
static inline void
samples_give(const struct sample_rules *rules, uint32_t symbol, double ticks,
             struct sample_credits *to)
{
	if (!filter_selects(rules->filters, ENGINE_FILTER_FLAT, symbol)) {
		to->total -= ticks;
		return;
	}
	if (to->credited && to->self[symbol] == 0 && ticks != 0)
		to->credited[to->count++] = symbol;
	to->self[symbol] += ticks;
}

/* In which part of the account samples of a function are. */
static inline enum account_kind
samples_kind(const struct sample_rules *rules, uint32_t symbol)
{
	if (filter_selects(rules->filters, ENGINE_FILTER_FLAT, symbol))
		return ACCOUNT_SHOWN;
	return filter_is_collector(rules->symbols->name[symbol]) ? ACCOUNT_PROFILING
	                                                         : ACCOUNT_EXCLUDED;
}

/*
 * Credits sparse samples of a profile, whose rules are complete; account: a row for each kind, or
 * NULL.  As samples_credit(), it uses nothing of the run but its settings.
 */
void samples_credit_sparse(struct run *run, const struct sample_rules *rules,
                           const struct profile *profile, const struct sparse_sample *rows,
                           uint32_t count, struct gprofx_account_part *account,
                           struct sample_credits *to);

/*
 * Credits all samples of one metric to pieces of code: piece i is from start[i] to below
 * start[i + 1], ascending.  Returns their ticks, and sets those of all samples, unless that is
 * NULL.
 */
double *
samples_by_space(struct run *run, const struct symbols *symbols, struct scan *scan,
                 const struct profile *profile, const uint64_t *start, uint32_t count, double *all);

/* Credits one sample of a late bin as the bin is divided in the sum of all files. */
void samples_credit_late(struct run *run, const struct sample_rules *rules,
                         const struct profile *profile, const struct shared_bin *shared,
                         struct sample_credits *to);

/*
 * Spreads the histograms of one metric over functions; where the samples of the profile's own one
 * are is added to the account.
 */
void samples_credit_metric(struct run *run, struct graph *graph, const struct profile *profile);

/* How many ticks of the report's rate a sample of the histogram counts as. */
double samples_weight(const struct run *run, const struct profile *profile,
                      const struct histogram *histogram);

#endif

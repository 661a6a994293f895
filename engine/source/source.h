/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of source with what is known about each: the functions that begin on it, how often it ran,
 * and the samples in its code.
 */
#ifndef ENGINE_SOURCE_SOURCE_H
#define ENGINE_SOURCE_SOURCE_H

#include "base/run.h"
#include "profile/profile.h"
#include "report/model.h"
#include "select/filters.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

/* What is found on the way: pieces of code, each of one line of source. */
struct source_pieces {
	uint64_t *key; /* number of the file and line: see source_key() */
	double *ticks;
	double *in_all; /* see struct gprofx_source_line, total; NULL: not known */
	uint32_t count;
	double total; /* ticks of all samples, of whatever code */
};

static inline uint64_t
source_key(uint32_t file, uint32_t line)
{
	return (uint64_t)file << 32 | line;
}

/* Whether the filter of annotated source selects a symbol, which there need not be. */
static inline bool
source_is_wanted(const struct filters *filters, const struct symbols *symbols, uint32_t symbol)
{
	return symbol < symbols->count && filter_selects(filters, ENGINE_FILTER_ANNOTATE, symbol);
}

/*
 * Whose lines the samples are of, by the line table of the image, or, in reports by line, by the
 * symbols; only of symbols that the filter of annotated source selects.  Pieces without samples are
 * left out.  symbols can learn of more files, and of positions.
 */
struct source_pieces
source_credit_samples(struct run *run, struct symbols *symbols, const struct filters *filters,
                      struct scan *scan, const struct profile *profile);

/*
 * The same of stacks, which there are, each line once, and what they have of lines in all: by the
 * debug information of the program, or, in reports by line, by the symbols, which libraries have,
 * too.
 */
struct source_pieces
source_credit_stacks(struct run *run, struct symbols *symbols, const struct filters *filters,
                     const struct profile *profile);

/* Lines that compilers counted, by the files of the symbols, in the order of the counters'. */
struct source_executed {
	uint64_t *key; /* see source_key() */
	uint64_t *count;
	uint32_t rows;
	/*
	 * Files that are one for the counters, which know what paths mean: by number the one that
	 * stands for them all.  Those with larger numbers than known stand for themselves.
	 */
	uint32_t *same_file;
	uint32_t known_files;
};

/* Those of functions that the filter of annotated source selects.  symbols can learn of files. */
struct source_executed
source_select_executed(struct run *run, struct symbols *symbols, const struct filters *filters,
                       const struct profile *profile, const struct gprofx_report *report);

/*
 * Per function of the report, and per line of one, whether 0 calls do not mean that it was not
 * executed: see gprofx_report_source.is_uncounted.
 */
bool *source_find_uncounted(struct run *run, struct symbols *symbols, const struct filters *filters,
                            const struct scan *scan, const struct gprofx_report *report);

/* Fills what the report says about lines of source.  times: GPROFX_PART_SOURCE_TIMES is wanted. */
void source_report(struct run *run, struct symbols *symbols, const struct filters *filters,
                   struct scan *scan, const struct profile *profile, bool times,
                   struct report_model *model);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was read from all profile files: histograms, arcs, basic blocks, still by address; counts of
 * source by its lines; call stacks.
 *
 * Files are added one after the other, each as a whole or not at all.  Their counters are added up
 * some files at a time, by several threads, each of which has its own part of the bins; so the
 * memory needed does not grow with the number of files.
 */
#ifndef ENGINE_PROFILE_PROFILE_H
#define ENGINE_PROFILE_PROFILE_H

#include <string.h>

#include "base/bytes.h"
#include "base/name-table.h"
#include "base/run.h"
#include "profile/file-names.h"
#include "profile/kept-rows.h"
#include "profile/phases.h" /* IWYU pragma: export */
#include "profile/slices.h" /* IWYU pragma: export */
#include "profile/sparse.h" /* IWYU pragma: export */
#include "profile/stacks.h" /* IWYU pragma: export */
#include "symbols/symbols.h"

enum {
	HISTOGRAM_BLOCK = 64, /* bins that are skipped together when none has samples */
};
#define NO_HISTOGRAM UINT32_MAX

/* The sum of all histogram records of one address range, and of one rate if rates are corrected. */
struct histogram {
	uint64_t low, high;
	uint32_t bin_count;
	uint32_t rate;    /* of its records; 0: not known */
	uint32_t sibling; /* the next one of the same range, with another rate; or NO_HISTOGRAM */
	uint32_t *bins;   /* bin_count sums, unless bins64 is set */
	uint64_t *bins64; /* the same, where a sum could pass 32 bits */
	bool *is_used;    /* per block of bins, the last one cut short: some of them have samples */
	double scale;     /* width of a bin in units of 2 bytes */
	uint64_t most;    /* no sum is larger, once what waits has been added */
};

static inline uint64_t
histogram_bin(const struct histogram *histogram, uint32_t i)
{
	return histogram->bins64 ? histogram->bins64[i] : histogram->bins[i];
}

/*
 * The first bin at or after i that has samples, or bin_count.  Most bins have none, and many lie in
 * memory that was never touched.
 */
static inline uint32_t
histogram_next(const struct histogram *histogram, uint32_t i)
{
	for (; i < histogram->bin_count; i++) {
		if (i % HISTOGRAM_BLOCK == 0)
			while (!histogram->is_used[i / HISTOGRAM_BLOCK]) {
				i += HISTOGRAM_BLOCK;
				if (i >= histogram->bin_count)
					return histogram->bin_count;
			}
		if (histogram_bin(histogram, i) != 0)
			break;
	}
	return i;
}

/* A counter of a record. */
static inline uint64_t
record_counter(const struct gprofx_histogram *record, uint32_t i)
{
	return gprofx_number_at(record->bins + (size_t)i * record->bin_bytes, record->bin_bytes,
	                        record->bins_big_endian);
}

/* What one file held, kept when it is added to the others. */
struct profile_file {
	const char *name;     /* as the user gave it */
	int64_t modified;     /* when it was written, in seconds since 1970; 0: not known */
	uint64_t samples;     /* over all histograms */
	double ticks;         /* the same by the report's rate, if the files are distinguished */
	uint64_t calls;       /* over all arcs and calls without a known caller, modulo 2^64 */
	uint32_t arc_count;   /* records */
	uint32_t call_count;  /* records of calls without a known caller */
	uint32_t rate;        /* of its first histogram */
	uint32_t other_rate;  /* the first one that differs from that of the first file */
	uint32_t full;        /* counters at the largest value that they can hold */
	uint32_t nearly_full; /* counters in the last eighth below that value */
	uint32_t dips; /* counters far below both of their neighbors, which are nearly full */
	uint8_t counter_bytes; /* width of the counters that are full, nearly full, or dip */
	uint64_t full_low;     /* address of the first of them */
	/* All of this, and of samples, is about the profile's own metric; it has others, too. */
	bool has_histogram, has_other_metric, rate_differs;
	bool has_sparse; /* sparse samples, of which the metric has this many rows */
	uint32_t sparse_count;
	uint64_t slide;        /* what was taken off its addresses */
	bool has_source;       /* it counts lines or functions of source */
	bool counts_plt_calls; /* it has no other calls */
	bool counts_no_calls;  /* none ever are, by what wrote it */
	/* Its stacks: how many, and what they weigh together in ticks, so many of which are a unit.
	 */
	bool has_stacks;
	uint64_t stack_count, stack_ticks;
	uint64_t left_out_ticks;      /* of stacks of other phases; not among those */
	uint32_t stack_rate, deepest; /* frames of the longest one */
	char stack_dimension[16];
	const struct symbol_image *image; /* that they are of; NULL: the program */
	bool has_images;   /* it says where the addresses of processes are: nothing moved it */
	bool is_recording; /* its reader has said how well it was recorded */
	struct gprofx_raw_recording recording;
	struct file_facts *facts; /* see facts.h; NULL: not wanted */
	struct file_rows *rows;   /* see copies.h; NULL: not kept */
	uint64_t device, inode;   /* which file it is; 0: not known */
	/* What was taken out of it, as a copy of the counters of another file; NULL: nothing. */
	const char *copied_from;
	uint64_t copied_samples, copied_calls;
};

/* A record whose range is known, and whose counters still have to be added. */
struct pending {
	struct gprofx_histogram record;
	uint32_t histogram; /* where they go */
	uint32_t file;      /* of which file they are; NO_FILE: of none with a name */
	uint64_t upper;     /* no counter is larger */
	bool is_copy;       /* record.bins is ours */
	bool is_left_out;   /* its counters are not added: another file's are the same */
};
#define NO_FILE UINT32_MAX

/* How far the profile was before a file. */
struct profile_mark {
	uint32_t histogram_count, pending_count, arc_count, call_count, block_count, file_count,
		rate, source_count_count, source_function_count, other_count, sparse_count;
	uint64_t sparse_total;
	bool has_histogram, has_sparse, has_arcs, has_blocks, has_source;
	uint32_t histogram_files, sparse_files;
};

struct executions;
struct maps;
struct declared_metric;
struct copies_context;
struct facts_context;

struct profile {
	struct gprofx_profile public; /* first: what readers get */

	const struct gprofx_rounding *rounding; /* set by attribution_find() */
	/* There are calls for a graph: in arc records, or with -c in the code. */
	bool has_graph;
	/* There are stacks alone, which do not show how often anything ran. */
	bool lacks_counts;
	bool counts_calls;   /* it has arcs itself, and not only those that other runs have */
	bool counts_callees; /* it has numbers of calls itself, maybe without their callers */

	/*
	 * What the histograms measure, once there is one; further metrics, in order of first
	 * appearance, each of which is a profile that has but histograms, what waits for them, and
	 * what follows up to their scale; and what the file that is being read calls its metrics.
	 * See metrics.h.
	 */
	const char *metric_name;
	uint32_t metric_kind; /* enum gprofx_metric_kind */
	struct profile **others;
	uint32_t other_count, other_room;
	const struct profile *whole; /* the one that this is a further metric of; or NULL */
	struct profile *next_run;    /* what the next run was measured by; or NULL */
	struct profile *first_run;   /* what the first one was: this one, if it is alone */
	const char *label;           /* of the run; NULL: it has none */
	struct declared_metric *declared;
	uint32_t declared_count;
	bool is_refused; /* something about the file was reported that its reader may have missed */

	/* Histograms in order of first appearance; the first record sets what follows. */
	struct histogram *histograms;
	void *filled_ranges, *empty_ranges; /* trees of their ranges: see ranges.c */
	uint32_t histogram_count, histogram_room;
	uint32_t rate; /* 0 until a histogram was read */
	char dimension[16];
	char abbreviation;
	double scale; /* width of a bin in units of 2 bytes */

	struct file_names histogram_files, sparse_files; /* that have histograms; sparse samples */

	/* Sparse samples of the metric, in the order of the files, then by address. */
	struct kept_rows sparse;
	uint64_t sparse_total;     /* weight of all of them */
	uint64_t sparse_in_stacks; /* of those that became stacks */
	bool has_sparse;           /* some were passed, even if their weights are 0 */
	struct sparse_file sparse_file;
	uint64_t bytes_left;  /* of the file being read: what it can still state */
	uint32_t stack_rows;  /* since bytes of a file were let go */
	struct slices slices; /* processes, threads, phases, and what is whose */
	struct phases phases;

	/* Arcs in the order of the files; of several files, maybe with repeated ones merged. */
	struct gprofx_raw_arc *arcs;
	uint32_t arc_count, arc_room;
	uint32_t distinct_arcs; /* so many from the first on differ from each other */
	/* Copies of them, made by profile_keep_arcs(), for who comes after the graph; or NULL. */
	const struct gprofx_raw_arc *kept_arcs;
	uint32_t kept_arc_count;

	struct gprofx_raw_call *calls; /* without a known caller; likewise */
	uint32_t call_count, call_room;
	uint32_t distinct_calls;

	struct gprofx_raw_block *blocks; /* likewise */
	uint32_t block_count, block_room;
	uint32_t distinct_blocks;

	/*
	 * Executions of lines and functions of source; source_counts_finish() makes the files and
	 * the order.
	 */
	const char **source_files; /* paths, ascending */
	uint32_t source_file_count;
	struct source_count *source_counts;
	uint32_t source_count_count, source_count_room;
	uint32_t distinct_source_counts; /* so many from the first on differ from each other */
	struct source_function *source_functions;
	uint32_t source_function_count, source_function_room;
	uint32_t distinct_source_functions;
	struct name_table source_paths, source_names;
	struct executions *executions; /* whose counts they are; NULL: not known yet */

	struct stacks stacks; /* from which times come where there are any */

	bool has_histogram, has_arcs, has_blocks, has_source;

	/* The names of all files that were to be read, those in folders, and damaged ones, too. */
	const char *const *sources;
	uint32_t source_count;

	/* The files in order; what comes before the first one has a name counts for none. */
	struct profile_file *files;
	uint32_t file_count, file_room;
	struct copies_context *copies; /* keeps rows of single files; NULL: not wanted */
	struct facts_context *facts;   /* for details of files; NULL: not wanted */

	/* What says where addresses of the files' objects are; NULL: all are of the program. */
	const struct symbols *symbols;
	/* So many rows have their places. */
	struct profile_placed {
		uint32_t arcs, calls, blocks, samples; /* samples: of the file */
	} placed;
	/* What gets the images that readers bring; and what the file says of them, or NULL. */
	struct symbols *image_symbols;
	uint64_t length;      /* of the file, in bytes */
	uint64_t frame_slide; /* taken off the addresses of its frames as these come */
	struct maps *maps;

	/* Histogram records of a file that wait for its end, if they have to. */
	bool holds;
	struct gprofx_histogram *held;
	uint32_t held_count, held_room;

	/* Profiles of other formats that the file contains, which are read after it. */
	struct contained_profile {
		const char *name;
		const uint8_t *bytes;
		uint64_t length;
		uint32_t padding_bytes;
	} * contained;
	uint32_t contained_count, contained_room;

	struct pending *pending;
	uint32_t pending_count, pending_room;
	uint32_t added_files; /* so many were added up already */

	/* Looks at what waits before it is added up; or NULL. */
	void (*watch)(void *watcher, struct profile *profile);
	/*
	 * Writes all that the watcher took of files, and adds what another one wrote, of files that
	 * come behind all before, and that the profile has already, with their histograms.  False:
	 * these bytes cannot be right.
	 */
	void (*watch_write)(const void *watcher, struct bytes_out *to);
	bool (*watch_read)(void *watcher, struct bytes_in *from);
	void *watcher;
	struct profile_mark mark;

	bool has_partials; /* other runs have read some of the files */
	bool is_spoiled;   /* a part of what another run has read was added, and cannot be all */
	uint64_t partial_bins, partial_frames; /* of all partial profiles, for their bounds */
	/* What was read, as a partial profile, if that is wanted; run lifetime. */
	const uint8_t *partial;
	size_t partial_bytes;
};

struct profile *profile_new(struct run *run);

/* The histogram of a range for records of a rate, or NO_HISTOGRAM. */
uint32_t profile_find_histogram(const struct run *run, const struct profile *profile, uint64_t low,
                                uint64_t high, uint32_t rate);

/* Whether any sample, of any metric, can lie from "low" to below "past". */
bool profile_has_samples(const struct profile *profile, uint64_t low, uint64_t past);

/*
 * What is built from here on is of this file.  The name has run lifetime.  holds: records are
 * looked at when the file is committed, not when they come.
 */
void profile_begin_file(struct run *run, struct profile *profile, const char *name,
                        int64_t modified, bool holds);

/* How many bytes the file has, which bounds what it can say. */
void profile_set_length(struct profile *profile, uint64_t bytes);

/*
 * The file is of an object, or of the program (NULL) beside which there are objects.  Bins of an
 * object have a width of their own, and its records are held.
 */
void profile_place_file(struct profile *profile, const struct symbols *symbols,
                        const struct symbol_image *image);

/*
 * Enters the records that were held, in their order.  If one does not agree with those before it,
 * nothing of the file is left.
 */
enum gprofx_result
profile_commit_file(struct run *run, struct profile *profile, const struct gprofx_file *file);

/* Takes back everything since profile_begin_file(). */
void profile_drop_file(struct run *run, struct profile *profile);

/*
 * Adds the counters of all committed files, whose bytes have still to be there, and merges repeated
 * arcs, calls and blocks when there are many.
 */
void profile_add_up(struct run *run, struct profile *profile);

/* All files were read.  Fails where what they have cannot be added up, which was reported. */
enum gprofx_result profile_finish(struct run *run, struct profile *profile);

/* Frees the counters of all histograms: they are not used any more. */
void profile_release_bins(struct run *run, struct profile *profile);

/* Whether its basic blocks were counted by calls: see GPROFX_RECORDING_BLOCK_CALLS. */
bool profile_has_block_calls(const struct profile *profile);

/* Merges repeated arcs, calls and blocks, whose first ones keep their places. */
void profile_merge_repeats(struct run *run, struct profile *profile);

/* Keeps the arcs as they were recorded, each once: the graph uses up the others. */
void profile_keep_arcs(struct run *run, struct profile *profile);

/* Whether a file has counts of source alone, and so no run that could be compared with others. */
static inline bool
profile_is_source_only(const struct profile_file *file)
{
	return file->has_source && !file->has_histogram && !file->has_sparse &&
	       !file->has_other_metric && !file->has_stacks && file->arc_count == 0 &&
	       file->call_count == 0;
}

/* Whether there are samples of the profile's own metric, so that it is known what that is. */
static inline bool
profile_is_measured(const struct profile *profile)
{
	return profile->has_histogram || profile->has_sparse;
}

/* Whether there are times, or whatever else was measured. */
static inline bool
profile_has_times(const struct profile *profile)
{
	return profile_is_measured(profile) || profile->stacks.is_there;
}

/* Whether it is known how many seconds a sample stands for. */
static inline bool
profile_is_in_seconds(const struct profile *profile)
{
	return profile->rate > 0 &&
	       strncmp(profile->dimension, "seconds", sizeof profile->dimension) == 0;
}

/* The file that is being read, or NULL. */
static inline struct profile_file *
profile_current_file(struct profile *profile)
{
	return profile->file_count > 0 ? &profile->files[profile->file_count - 1] : NULL;
}

#endif

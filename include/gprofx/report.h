/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report: what emitters write, and what libgprofx returns to programs.  It is complete and
 * never changes.  Everything in it has run lifetime.  Several threads can read it, but only one may
 * call its services.
 *
 * Numbers.  Values are in ticks of their metric, which says how many of them make a unit.  A node
 * is a function (0 … function count - 1, by ascending address) or a cycle (function count …
 * node_count - 1, by cycle number).  The last function can be a placeholder (GPROFX_NODE_OUTSIDE):
 * it has a name, time, and arcs to functions whose callers the profile does not know; it is never
 * called, and its address means nothing.  Another placeholder can follow it (GPROFX_NODE_INDIRECT).
 * An arc is a pair of caller and callee; arcs are numbered by their callers, and those of one
 * caller in the order in which they first appeared in the input.
 */
#ifndef GPROFX_REPORT_H
#define GPROFX_REPORT_H

#include <string.h>

#include <gprofx/plugin.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Parts of the report: bits.  The host makes and shows only those that an emitter or a request asks
 * for: pointers to parts of which nothing was asked for are NULL, and so are arrays that were not
 * asked for, with counts of 0.
 */
enum gprofx_report_part {
	/* Of "graph", each with what GPROFX_PART_NODES has. */
	GPROFX_PART_FLAT = 1,  /* flat */
	GPROFX_PART_GRAPH = 2, /* entry, cycle_arcs, cycle_callers; all lists in display order */
	GPROFX_PART_INDEX = 4, /* index_node; unless traditional, files of static functions */
	/*
	 * Of "source", with what GPROFX_PART_EXECUTED has: counted, counted_row, blocks, and the
	 * source positions of these functions.
	 */
	GPROFX_PART_COUNTS = 8,
	GPROFX_PART_SOURCES = 16, /* the source position of every function, for services->source */
	GPROFX_PART_NAMES = 32,   /* the name of every function; only a matter of speed */
	/*
	 * Of "files": file, rounding; of "functions": left_out.  What needs no other part can be
	 * made for a run that failed or is not finished: the report then has this part, its origin,
	 * and nothing else.
	 */
	GPROFX_PART_FILES = 64,
	GPROFX_PART_PER_FILE = 128, /* of "files": labelled, spread */
	/* Of "graph", with what GPROFX_PART_NODES has: arc_order; of "functions": the map of files
	 */
	GPROFX_PART_ORDER = 256,
	/*
	 * Of "source", with what GPROFX_PART_EXECUTED has: line, functions, file, is_uncounted,
	 * blocks, and the source position of every function.
	 */
	GPROFX_PART_SOURCE = 512,
	GPROFX_PART_SOURCE_TIMES = 1024, /* with it: ticks of lines, and total */
	GPROFX_PART_NODES = 2048,        /* of "graph": times and calls of nodes and arcs */
	GPROFX_PART_EXECUTED = 4096,     /* of "source": executed_..., counted_as */
	GPROFX_PART_FINDINGS = 8192,     /* "findings" */
	/* Of "files", with what GPROFX_PART_PER_FILE has: value_first, value. */
	GPROFX_PART_FILE_VALUES = 16384,
	/* "inlined": only if the user names inlined subroutines for the flat profile or the graph
	 */
	GPROFX_PART_INLINED = 32768,
	/*
	 * "inlined": the heaviest ones, whether named or not, in the place of those.  Not there for
	 * programs whose files are so large (32 MB) that reading their debug information takes long
	 */
	GPROFX_PART_HEAVY_INLINED = 65536,
	/*
	 * Of "slices": table.  With it, values are also split by what the user asks for, by options
	 * such as --per-thread; an emitter that has it in "also" shows that then.
	 */
	GPROFX_PART_SLICE_TABLES = 131072,
	/* "stated": only if profiles state what calls cost */
	GPROFX_PART_STATED = 262144,
	/* "comparison": only where two sides are compared */
	GPROFX_PART_COMPARISON = 524288,
	/* Of "comparison": line */
	GPROFX_PART_COMPARED_LINES = 1048576
};

/*
 * Contexts to make: bits.  Any of them asks for the part "contexts" of the report, which is not
 * made otherwise.
 */
enum gprofx_context_need {
	/* Measured ones where the profile has stacks, else estimated ones. */
	GPROFX_CONTEXTS = 1,
	/* Measured ones only: a run whose profiles have no stacks fails (report.lacks-contexts). */
	GPROFX_CONTEXTS_MEASURED = 2,
	/* Children of one context are distinguished by their places, too, which are then known. */
	GPROFX_CONTEXTS_BY_PLACE = 4,
	/*
	 * Inlined subroutines of the program's functions, from its debug information, are contexts
	 * as well.
	 */
	GPROFX_CONTEXTS_INLINED = 8,
	/* With these: where in the source most of the samples of each context are ("hottest"). */
	GPROFX_CONTEXTS_HOTTEST = 16
};

/* What values can be split by: bits of gprofx_needs.slices (emitter.h). */
enum gprofx_slice_kind {
	GPROFX_SLICE_PROCESS = 1,
	GPROFX_SLICE_THREAD = 2,
	GPROFX_SLICE_PHASE = 4
};

/* How often a basic block ran. */
struct gprofx_block {
	uint64_t address;
	uint64_t count;
};

/* How often a line of source ran. */
struct gprofx_executed_line {
	uint32_t file; /* number in gprofx_report_source.executed_file */
	uint32_t line; /* from 1 */
	uint64_t count;
};

/* How often a function of the source ran. */
struct gprofx_executed_function {
	uint32_t file; /* number in gprofx_report_source.executed_file */
	uint32_t first_line, last_line;
	/*
	 * The function of the report that it is, or UINT32_MAX: there is none, since all its calls
	 * were inlined, or several, as of a static function in a header.
	 */
	uint32_t function;
	const char *name; /* as in the symbol table, NUL-terminated */
	uint64_t count;
};

/* A row of the execution counts. */
struct gprofx_counted_row {
	uint32_t function; /* of the report, with its blocks behind it; UINT32_MAX: none */
	/*
	 * Function or line of the source that the count and the place are of; both UINT32_MAX: they
	 * are those of the function of the report.
	 */
	uint32_t executed_function, executed_line;
	uint64_t count;
};

/* A piece of text, not NUL-terminated. */
struct gprofx_text {
	const char *bytes;
	size_t length;
};

/* Properties of a node. */
enum gprofx_node_flag {
	GPROFX_NODE_SHOWN =
		1, /* selected for the call graph: references to it read [N], else (N) */
	GPROFX_NODE_STATIC = 2,   /* a function that is local to its object file */
	GPROFX_NODE_FUNCTION = 4, /* typed as a function */
	GPROFX_NODE_OUTSIDE =
		8, /* a placeholder for samples, and for callers, outside of all functions */
	GPROFX_NODE_FILE = 16, /* stands for an object file, whose name it has */
	GPROFX_NODE_LINE = 32, /* a line of source; it calls, but is not called */
	/*
	 * A placeholder for all callees of calls through pointers that were found in code; it has
	 * no time, calls or index.
	 */
	GPROFX_NODE_INDIRECT = 64
};

/* How a call that was not recorded was found in the code: bits. */
enum gprofx_static_kind {
	GPROFX_STATIC_CALL = 1,     /* an instruction that calls */
	GPROFX_STATIC_INDIRECT = 2, /* one that calls through a pointer */
	GPROFX_STATIC_TAIL = 4,     /* a jump to the entry of another function */
	GPROFX_STATIC_PLT = 8,      /* a call or jump through a PLT stub */
	GPROFX_STATIC_GOT = 16,     /* one through a GOT slot */
	GPROFX_STATIC_POINTER = 32  /* not a call: an instruction that takes the address */
};

/* Adjacency: the list of node n is item[first[n]] … item[first[n + 1] - 1]. */
struct gprofx_lists {
	const uint32_t *first;
	const uint32_t *item;
};

/*
 * Values of the rows of a table: that of row i is i times "step" bytes after the first one.  A step
 * of 0: all rows have the same value.  gprofx_real(), gprofx_count() and gprofx_id() read them.
 */
struct gprofx_reals {
	const double *first;
	uint32_t step;
};

struct gprofx_counts {
	const uint64_t *first;
	uint32_t step;
};

struct gprofx_ids {
	const uint32_t *first;
	uint32_t step;
};

/* What was measured. */
struct gprofx_metric {
	uint32_t size;
	uint32_t id;             /* its index in the table of metrics */
	const char *name;        /* "time", "cycles"; run lifetime */
	const char *unit;        /* "seconds"; run lifetime */
	char abbreviation;       /* of the unit: 's'; NUL: there is none */
	uint32_t ticks_per_unit; /* 0: not known */
	uint32_t kind;           /* enum gprofx_metric_kind */
	/* The names of the profiles that its values are from; of the first run that measured it. */
	uint32_t file_count;
	const char *const *files;
};

/* Where the names of the functions of an image come from. */
enum gprofx_names_from {
	GPROFX_NAMES_OF_NOTHING = 0, /* there are none: the image is one function */
	GPROFX_NAMES_OF_FILE = 1,    /* from its file */
	GPROFX_NAMES_OF_PROFILE = 2  /* from the profiles */
};

/* Code of an image: addresses as they were linked, and the bytes in its file. */
struct gprofx_image_code {
	uint32_t size;
	uint64_t address, bytes;
	uint64_t file_offset; /* of the first byte */
};

/*
 * An image other than the program: a shared library whose profile was named with it, or one in
 * which the profiles measured something.
 */
struct gprofx_code_image {
	uint32_t size;
	uint32_t kind;           /* enum gprofx_image_kind */
	const char *name;        /* without folders; that of the functions' object_name */
	const char *path;        /* as the profile has it, or as the user gave it */
	const uint8_t *build_id; /* as the profile or the library has it; NULL: not known */
	uint32_t build_id_bytes;
	uint32_t names_from; /* enum gprofx_names_from */
	/* With GPROFX_NAMES_OF_FILE: the file that has the names, if it is not that of the image;
	 * else NULL. */
	const char *symbols_file;
	/* Where its file has code; see gprofx_code_at(). 0: not known. */
	uint32_t code_count;
	const struct gprofx_image_code *code;
};

/* Profiles that were added up. */
struct gprofx_run {
	uint32_t size;
	/* A label that distinguishes it from other runs; run lifetime; "": none. */
	const char *label;
	uint32_t file_count; /* profiles that were read as a whole */
	/*
	 * Per metric, in the order of the metrics: the ticks of all functions, selected or not, and
	 * those outside of all functions if they have a node; 0 also if the run did not measure it.
	 */
	const double *totals;
};

/* Where values come from. */
enum gprofx_origin {
	GPROFX_UNKNOWN = 0,  /* no values; the numbers mean nothing */
	GPROFX_MEASURED = 1, /* the profile has them */
	GPROFX_ESTIMATED = 2 /* computed from others, by a rule that can be wrong */
};

/*
 * The values of one metric for the rows of a table: nodes, or arcs.  Ticks, of which the metric
 * says how many make a unit.  The inclusive value of a row is self and below together.
 */
struct gprofx_column {
	uint32_t size;
	uint32_t run;          /* number in the table of runs */
	uint32_t metric;       /* number in the table of metrics */
	uint32_t self_origin;  /* enum gprofx_origin: of self */
	uint32_t total_origin; /* enum gprofx_origin: of self and below together */
	/*
	 * Of a node: its own ticks, and ticks of its children, propagated along the calls.  Of an
	 * arc: the parts of both of the callee's that the caller is charged with.
	 */
	struct gprofx_reals self, below;
	/*
	 * Of sampled values that were measured, the sum of the squares of the samples' weights, in
	 * ticks: of self, and of self and below together.  Its root is the standard error of the
	 * value, since samples are random (Poisson).  The same pointer as that of self where each
	 * sample weighs one tick.  first is NULL: not known, estimated, or counted.  They are known
	 * for histograms, unless some rates differ, and for stacks, if their reader has them, also
	 * for contexts of the first metric.  They are not known for samples at single addresses,
	 * which can be sums of many, or for lines of source.  A sample shared by several functions
	 * counts for each by its share.
	 */
	struct gprofx_reals self_squares, total_squares;

	/* From here on of nodes only; zero for arcs. */

	/*
	 * In reports by line whose call graph has functions as wholes (GPROFX_CORRECT_LINE_GRAPH):
	 * ticks in a node with all its lines, which self has one by one, and 0 for the lines of a
	 * function.  Arcs lead from functions to functions then, and selected_self, below, calls
	 * and entries are those of wholes.  first is NULL otherwise: it is the same as self.
	 */
	struct gprofx_reals whole_self;
	struct gprofx_reals selected_self, selected_below; /* the parts that the selection leaves */
	/*
	 * The uncertainty of times due to histogram bins that several functions share: per function
	 * that of self, per node that of selected_self and selected_below together.  NULL: there is
	 * none, or it is not known; the second also where there is no graph.
	 */
	const struct gprofx_doubt *self_doubt, *total_doubt;
	double flat_total;  /* ticks that the flat profile's percentages refer to; may be <= 0 */
	double graph_total; /* those of the call graph; may be <= 0 */
};

/* A number of calls that is not known, in columns with some_unknown. */
#define GPROFX_CALLS_UNKNOWN UINT64_MAX

/* Numbers of calls for the rows of a table; gprofx_is_counted() says which are known. */
struct gprofx_call_column {
	uint32_t size;
	uint32_t run;      /* number in the table of runs */
	bool some_unknown; /* calls not counted are GPROFX_CALLS_UNKNOWN */
	/*
	 * Of a node: without self-recursion and calls within the cycle.  Of an arc: 0: possible,
	 * but not recorded.
	 */
	struct gprofx_counts calls;
	/* Of nodes only: self-recursive calls; for a cycle, calls between its members. */
	struct gprofx_counts recursive;
};

/* Arcs: calls from one function to another, or to itself. */
struct gprofx_arcs {
	uint32_t size;
	uint32_t count;
	struct gprofx_ids caller, callee; /* function nodes */
	/*
	 * One for each run and metric: first those of the first run, in the order of the metrics.
	 * The rows are as far apart as their size says; see gprofx_column_of().
	 */
	const struct gprofx_column *columns;
	/* One for each run; see gprofx_calls_in(). */
	const struct gprofx_call_column *calls;
};

/* One arc, with the values of the first metric: see gprofx_arc_at(). */
struct gprofx_arc {
	uint32_t caller, callee;
	uint64_t calls;
	double self, below;
};

/* How many of an arc's calls one line of the caller makes. */
struct gprofx_site {
	uint32_t node; /* the line, or the caller itself for its first line */
	uint64_t calls;
};

/*
 * Where a report differs from that of GNU gprof because GNU gprof is wrong.  Bits of
 * gprofx_report_compatibility.corrections; an emitter asks for those that concern layout and
 * wording; numbers are already corrected.  What each means: gprofx-corrections(7).
 */
#define GPROFX_CORRECT_LAST_SYMBOL UINT64_C(0x1)
#define GPROFX_CORRECT_ZERO_RATE UINT64_C(0x2)
#define GPROFX_CORRECT_WIDE_INDEX UINT64_C(0x4)
#define GPROFX_CORRECT_FULL_INDEX UINT64_C(0x8)
#define GPROFX_CORRECT_CYCLE_ENTRIES UINT64_C(0x10)
#define GPROFX_CORRECT_CYCLE_CALLERS UINT64_C(0x20)
#define GPROFX_CORRECT_STATIC_FILES UINT64_C(0x40)
#define GPROFX_CORRECT_GRAPH_UNIT UINT64_C(0x80)
#define GPROFX_CORRECT_SHOWN_ORDER UINT64_C(0x100)
#define GPROFX_CORRECT_GRANULARITY UINT64_C(0x200)
#define GPROFX_CORRECT_CALL_UNITS UINT64_C(0x400)
#define GPROFX_CORRECT_NARROW_BINS UINT64_C(0x800)
#define GPROFX_CORRECT_UNTYPED_CALLEES UINT64_C(0x1000)
#define GPROFX_CORRECT_CLONES UINT64_C(0x2000)
#define GPROFX_CORRECT_ARC_SPECS UINT64_C(0x4000)
#define GPROFX_CORRECT_EXACT_BINS UINT64_C(0x8000)
#define GPROFX_CORRECT_GAPS UINT64_C(0x10000)
#define GPROFX_CORRECT_RATES UINT64_C(0x20000)
#define GPROFX_CORRECT_DESCRIPTORS UINT64_C(0x40000)
#define GPROFX_CORRECT_BLOCKS UINT64_C(0x80000)
#define GPROFX_CORRECT_SCATTERED UINT64_C(0x100000)
#define GPROFX_CORRECT_STATIC_LINES UINT64_C(0x200000)
#define GPROFX_CORRECT_LINE_GRAPH UINT64_C(0x400000)
#define GPROFX_CORRECT_SHARED_LINES UINT64_C(0x800000)
#define GPROFX_CORRECT_UNCALLED_FILES UINT64_C(0x1000000)
#define GPROFX_CORRECT_SAME_NAMES UINT64_C(0x2000000)
#define GPROFX_CORRECT_CARRIED_COUNTS UINT64_C(0x4000000)
#define GPROFX_CORRECT_LONG_COUNTS UINT64_C(0x8000000)
#define GPROFX_CORRECT_LINE_TOTALS UINT64_C(0x10000000)
#define GPROFX_CORRECT_LOST_SOURCES UINT64_C(0x20000000)
#define GPROFX_CORRECT_SPEC_FILES UINT64_C(0x40000000)
#define GPROFX_CORRECT_FIRST_FILES UINT64_C(0x80000000)
#define GPROFX_CORRECT_INLINED UINT64_C(0x100000000)
#define GPROFX_CORRECT_STATIC_CALLS UINT64_C(0x200000000)
#define GPROFX_CORRECT_CALL_SITES UINT64_C(0x400000000)
#define GPROFX_CORRECT_UNKNOWN_COUNTS UINT64_C(0x800000000)
#define GPROFX_CORRECT_LOCAL_NAMES UINT64_C(0x1000000000)
#define GPROFX_CORRECT_PLT_NAMES UINT64_C(0x2000000000)
#define GPROFX_CORRECT_SHARED_BINS UINT64_C(0x4000000000)
#define GPROFX_CORRECT_FORKED_COPIES UINT64_C(0x8000000000)
#define GPROFX_CORRECT_PROFILING_CODE UINT64_C(0x10000000000)
#define GPROFX_CORRECT_OWN_CALLS UINT64_C(0x20000000000)
#define GPROFX_CORRECT_FORTRAN_NAMES UINT64_C(0x40000000000)
#define GPROFX_CORRECT_WHOLE_LINES UINT64_C(0x80000000000)
#define GPROFX_CORRECT_PLAIN_NAMES UINT64_C(0x100000000000)
#define GPROFX_CORRECT_STABS_LINES UINT64_C(0x200000000000)

/* A finding: a cause of suspicious or missing numbers in the input.  Texts: UTF-8, run lifetime.
 */
struct gprofx_finding {
	uint32_t size;
	const char *id;       /* permanent: "histogram.all-zero"; [a-z0-9.-] */
	const char *file;     /* the file it is about, or NULL: the run as a whole */
	const char *summary;  /* one sentence */
	const char *evidence; /* the numbers that show it, one sentence */
	const char *advice;   /* what to do, one sentence */
	uint32_t run;         /* number in the table of runs */
};

/*
 * The samples of a profile file in a range of addresses, with all records of the same form added
 * up.
 */
struct gprofx_file_range {
	uint32_t size;
	uint32_t records;   /* of the file, from 1 */
	uint64_t low, high; /* first address, address after the last */
	uint32_t bin_count; /* 0 with bin_bytes 0: samples at single addresses, a record each */
	uint32_t rate;      /* ticks per unit of the dimension; 0: not known */
	char dimension[16]; /* "seconds"; NUL-terminated */
	char abbreviation;  /* 's'; NUL: there is none */
	uint8_t bin_bytes;  /* width of a counter in the file */
	bool assumes_rate;  /* the format has no rate: it is the usual one, or that of earlier files
	                     */
	uint64_t samples;   /* UINT64_MAX: or more */
	uint64_t largest;   /* the largest counter of all records */
	/* The name of the metric from the reader; NULL: it is that of the unit, and "time" for
	 * seconds.
	 */
	const char *metric;
};

/*
 * The contents of a profile file before it was added to the others.  Addresses are those of the
 * image: the load bias, "slide", is subtracted.  "Known" means: in functions that the report has.
 * Texts have run lifetime.
 */
struct gprofx_profile_file {
	uint32_t size;
	uint32_t run;       /* number in the table of runs */
	const char *name;   /* as the user gave it; "-": standard input */
	const char *format; /* the word that -O selects its reader by */
	const char *reader; /* name of the plugin that read it */
	/* Its form, from the reader: see struct gprofx_layout in reader.h. */
	const char *variant; /* or NULL */
	bool has_version;
	uint32_t version;
	uint32_t pointer_bytes; /* 0: not known */
	uint32_t byte_order;    /* 0: not known, 1: little-endian, 2: big-endian */
	uint64_t bytes;         /* length of the file */
	int64_t modified;       /* when it was written, seconds since 1970; 0: not known */
	uint64_t slide;         /* modulo the size of addresses; 0: nothing was subtracted */

	const struct gprofx_file_range *ranges; /* range_count, by ascending address */
	uint32_t range_count;
	uint32_t histogram_records;
	uint64_t samples;       /* of all ranges in the report's first metric */
	uint64_t known_samples; /* of these, those in bins that overlap a known function */
	uint32_t full_bins;     /* saturated counters: at their largest value */
	uint32_t near_bins;     /* counters in the last eighth below that value */

	uint32_t arc_records;
	uint32_t arc_count;       /* different pairs of call site and callee */
	uint32_t known_arc_count; /* of these, those with both ends in known functions */
	uint64_t calls;           /* of all arcs; modulo 2^64, as is the next one */
	uint64_t known_calls;     /* of the known ones */
	/* Calls whose callers the file does not record; also modulo 2^64. */
	uint64_t calls_without_caller;
	uint64_t known_calls_without_caller; /* of these, those of known functions */

	uint32_t block_records; /* lists of basic blocks */
	uint32_t block_count;   /* basic blocks in all of them */

	/* Call stacks. */
	uint64_t stack_count;
	uint64_t stack_ticks;     /* weight of all of them */
	uint32_t stack_rate;      /* ticks per unit */
	uint32_t deepest_stack;   /* frames of the longest one */
	char stack_dimension[16]; /* the unit: "samples"; NUL-terminated */

	/* What was counted in the source. */
	uint32_t source_files, source_functions;
	uint32_t source_lines;     /* different ones */
	uint32_t source_lines_run; /* of these, those that ran */

	/*
	 * The file whose counters this one started with, as after a fork; NULL: none.  The samples
	 * and calls above that the report leaves out for this reason.
	 */
	const char *copied_from;
	uint64_t copied_samples, copied_calls;
	/*
	 * Nanoseconds in which threads could run, but no processor was free: of all phases, and of
	 * no metric.  0: none, or not known.
	 */
	uint64_t delayed_ns;
};

/*
 * Calls near function entries whose call sites the profiling runtime rounded, and what became of
 * them.  Arcs are different pairs of call site and callee.
 */
struct gprofx_rounding {
	uint32_t size;
	uint32_t quantum; /* call sites are known to within this many bytes */
	bool was_scanned; /* the code was scanned; false: there is no scanner for the machine */
	uint32_t doubtful_arcs; /* those that can have come from several functions */
	uint32_t moved_arcs;    /* of these, those moved to another function */
	uint32_t split_arcs;    /* those divided between functions */
	uint64_t doubtful_calls, moved_calls, split_calls; /* of the arcs; at most UINT64_MAX */
	/* What to do so that the code can be scanned, in words, or NULL. */
	const char *advice;
	/*
	 * There are so few call sites that only the code, which was not scanned, can show whether
	 * they were rounded; "quantum" is then the usual one.
	 */
	bool is_supposed;
};

/*
 * A symbol of the image that is not a function of the report: its samples and calls count for the
 * function before it.
 */
struct gprofx_left_out {
	uint32_t size;
	const char *name; /* as in the symbol table */
	uint64_t address, bytes;
	const char *reason; /* why, in words; static */
};

/* A profile file that is distinguished from the others. */
struct gprofx_labelled_file {
	uint32_t size;
	const char *name;  /* as the user gave it, or of a file in the folder given; "-" */
	const char *label; /* its name, or a label by the user's pattern */
	/* In all its histograms, in functions or outside; or the weight of its stacks, in ticks. */
	uint64_t samples;
	double ticks; /* the same in ticks of the report */
};

/* Per-file statistics of a value; it is 0 in files that do not have it. */
struct gprofx_spread {
	double total, mean, least, most;
	double deviation; /* standard deviation of all files, divided by their number */
	uint32_t files;   /* number of files in which it is not 0 */
	uint32_t least_file, most_file; /* numbers of files; of several equal ones the first */
};

/* Ticks of bins that several functions share, as an estimate divides them. */
struct gprofx_doubt {
	double less; /* ticks that it has, but others could have */
	double more; /* ticks that others have, but it could have */
};

/* What a file has of a function: one of both is not 0. */
struct gprofx_file_value {
	uint32_t file;  /* number of a labelled file */
	double self;    /* ticks in the function itself */
	uint64_t calls; /* by other functions, at most UINT64_MAX - 1; GPROFX_CALLS_UNKNOWN */
};

/* Per-file statistics of a function. */
struct gprofx_function_spread {
	uint32_t size;
	uint32_t function;
	/*
	 * Ticks in the function itself: those that a report of the file alone would show, except
	 * for bins that several functions share.  These are divided as in the sum of all files, so
	 * that the files add up to it.
	 */
	struct gprofx_spread self;
	/* Calls by other functions, those of its own cycle included. */
	struct gprofx_spread calls;
	/*
	 * Whether chance explains that the file with most of "self" has more than the others, and
	 * that the one with least has less; enum gprofx_verdict: MORE and LESS: it does not; EQUAL:
	 * it does, or all are equal; UNTESTED: the error is not known, or there is one file.  The
	 * file of both that differs more is tested against the mean of all others, then the other
	 * one against the mean of those that are left.  All rows of a table are taken into account:
	 * of rows with MORE or LESS at most 4 in 100 are expected to be wrong.
	 */
	uint32_t most_verdict, least_verdict;
	/*
	 * How likely it is that chance alone makes one of the files differ from the others as much,
	 * in this row alone; NaN: not tested.
	 */
	double p;
	/*
	 * Files with less than "low" or more than "high" ticks are those that differ from the
	 * others by more than chance explains: at most half of them, the farthest first.  NaN: that
	 * is not known, since the row was not tested, or the values of each file were not asked for
	 * or are left out (value_first).
	 */
	double low, high;
};

/*
 * A line of source with data: the symbol of a selected function starts on it, its executions are
 * known, or it took time.
 */
struct gprofx_source_line {
	uint32_t size;
	uint32_t file;   /* index into gprofx_report_source.file */
	uint32_t line;   /* from 1; whether the file is that long is not known */
	bool is_counted; /* the number of executions is known */
	/*
	 * If so: that of a compiler's counters; or else the calls of the functions that start on
	 * it, or the count of its basic block that ran most often, whichever is more.  Where
	 * "begins_with" is there, a block is one of the line if any code of the line is in it, and
	 * counts of several functions with the same line are added up.  Otherwise 0.
	 */
	uint64_t count;
	double ticks; /* of samples in its code; 0 without GPROFX_PART_SOURCE_TIMES */
	/*
	 * The count is that of a compiler's counters, see executed_line, or there is none since the
	 * counters do not have this line, though they have others of this file.
	 */
	bool is_exact;
	/*
	 * With has_line_totals of gprofx_report_source, ticks of the stacks in which the line is
	 * active, each once: a frame is in its code, or in that of a subroutine that was inlined
	 * where it calls it.  The totals of lines overlap.  Otherwise 0.
	 */
	double total;
};

/* A part of all samples. */
struct gprofx_account_part {
	double samples; /* of all histograms, in multiples of 2^-20: a counter can cover two parts
	                 */
	double ticks;   /* the same in ticks of the report: different rates are converted */
};

/*
 * The account of time: where the samples are, and the time that no sample covers.  The parts'
 * samples add up to all of them, exactly up to 2^33 samples.  Where stacks have measured the times,
 * it is about stacks: each tick of their weights counts as a sample.  Texts have run lifetime.
 */
struct gprofx_account {
	uint32_t size;
	uint64_t samples; /* of all profiles and histograms, without copies */
	double ticks;     /* the same in ticks of the report: the sum of the parts */
	struct gprofx_account_part shown;     /* in functions that have rows in the flat profile */
	struct gprofx_account_part profiling; /* in code that counts calls, which has no row */
	struct gprofx_account_part outside;   /* in code that no function covers */
	struct gprofx_account_part excluded; /* in functions that the user's selection leaves out */
	struct gprofx_account_part beyond;   /* in counters that cover no code of the image */
	/*
	 * Names of the shared libraries that the image needs, by itself or through libraries that
	 * are not of the system, and that have no profile: their time is in no sample.
	 */
	uint32_t library_count;
	const char *const *libraries;
	/* Seconds of processor time that the user says the runs took; 0: not stated. */
	double cpu_time;
	/* Those of them that no sample covers; below 0: more was sampled.  0: not known. */
	double unsampled;
	/* The image can load more libraries while it runs; their names are not known. */
	bool loads_libraries;
	/* Calls whose counting is in no sample since a shared library does it; 0: not known. */
	uint64_t counted_calls;
	/*
	 * Samples that are not among these: files of forked children started with them, and their
	 * parent's file has them.  The number of such files.
	 */
	uint64_t copied_samples;
	uint32_t copied_files;
	/*
	 * It is about stacks.  Samples beside them are in no part, and no libraries are listed,
	 * since stacks can have their time.
	 */
	bool is_of_stacks;
	/* "gprofx record" would sample these libraries: it is there for the image's machine. */
	bool is_recordable;
};

struct gprofx_report;

/* Services that belong to a report.  Callable from the emitter's thread during emit(). */
struct gprofx_report_services {
	uint32_t size;
	/*
	 * The displayed name of a node: demangled unless the user chose otherwise, and followed by
	 * the source position if that was asked for; "<cycle N>" for a cycle.  Run lifetime.
	 */
	struct gprofx_text (*name)(const struct gprofx_report *report, uint32_t node);
	/* The source file of a function as recorded, or NULL; its line, 0 if unknown, in *line. */
	const char *(*source)(const struct gprofx_report *report, uint32_t node, uint32_t *line);
	/*
	 * The same as name, but without the place of a line in a report by line: the function that
	 * the line is in.  Made anew each time.  Run lifetime.
	 */
	struct gprofx_text (*function_name)(const struct gprofx_report *report, uint32_t node);
};

/* Where the report comes from, what was measured, and what names show. */
struct gprofx_report_origin {
	uint32_t size;
	const char *version; /* of the gprofx that made it, "1.2.3" */
	/* Name of the image as the user gave it; NULL: there is none, and addresses mean nothing.
	 */
	const char *image;
	/* profile_count names of profiles, as the user gave them; "-": standard input */
	const char *const *profiles;
	uint32_t profile_count;
	/*
	 * The build ID that the linker wrote into the image, or NULL: it has none.
	 */
	const uint8_t *build_id;
	uint32_t build_id_bytes;

	bool has_histogram; /* something was measured: a histogram record or stacks were read */
	/* An arc record was read, even if none could be used, or calls were found in the code. */
	bool has_arcs;
	/* What was measured; reports of one metric show the first one. */
	uint32_t metric_count; /* at least 1 */
	const struct gprofx_metric *metrics;
	/*
	 * The runs that are reported together.  Nodes and arcs are those of all of them, and so are
	 * cycles; each has columns of its own.  What exists only once is that of the first run:
	 * lists and their order, "profiles", has_histogram, has_arcs, lines of source, contexts,
	 * the account of samples, values by process, thread and phase.  Findings are of all runs:
	 * each says of which it is.
	 */
	uint32_t run_count; /* at least 1 */
	const struct gprofx_run *runs;

	bool full_paths; /* show source files with their directories */
	bool positioned; /* the shown names of functions have their source positions */
	/*
	 * Symbols for lines of source inside functions are among the functions (GPROFX_NODE_LINE),
	 * and shown names have their addresses.
	 */
	bool by_line;
	bool shows_unused; /* rows are listed even if all their values are 0 */
	/* Images other than the program; see gprofx_image_at(). */
	uint32_t image_count;
	const struct gprofx_code_image *images;
	int64_t image_modified; /* when the image was written, seconds since 1970; 0: not known */
	/*
	 * Words of the user's command, such as "--object=LIB=PROFILE", that a command about the
	 * same data needs, too: options that decide what is reported and how it is called.
	 */
	uint32_t option_count;
	const char *const *options;
	/* The file that has the symbols of the image, if it is another one; else NULL. */
	const char *symbols_file;
	/* Where the file of the program has code, likewise. */
	uint32_t code_count;
	const struct gprofx_image_code *code;
	/*
	 * The word before options with which the user's program shows the same data as a page;
	 * NULL: it cannot, or a plugin is missing for that.
	 */
	const char *page_command;
	/*
	 * The user named no profiles, but they were found: a command about the same data can leave
	 * them out.
	 */
	bool profiles_are_found;
	/*
	 * The phase of the program that the user chose: what happened in others is left out of all
	 * values.  NULL: the report is of whole runs.
	 */
	const char *phase;
	/* The names of the profiles that numbers of calls are from; of the first run. */
	uint32_t call_file_count;
	const char *const *call_files;
};

/* Functions, by ascending address, those of the program first. */
struct gprofx_report_functions {
	uint32_t size;
	uint32_t count;
	const uint64_t *address, *end; /* first and last address */
	const char *const *raw_name;   /* as in the symbol table, NUL-terminated */
	/*
	 * Per function the name of the object that it is in, if that is another than the program,
	 * such as a shared library; else NULL.  Addresses are those of the object.  NULL: all are
	 * in the program.
	 */
	const char *const *object_name;
	/*
	 * Symbols that are left out, in the order of the symbol table, without other names of a
	 * function's address and mapping symbols of ELF ("$x").  Rows are as far apart as their
	 * size says.  Known with the files.
	 */
	const struct gprofx_left_out *left_out;
	uint32_t left_out_count;
	/*
	 * The map of files that was given, or not: map_count names of functions, each with the name
	 * of the file that defines it, in the order of the map.  Part of GPROFX_PART_ORDER.
	 */
	bool has_map;
	uint32_t map_count;
	const char *const *map_function, *const *map_file;
	/*
	 * Per function the number of its image in the table of images plus 1; 0: it is in the
	 * program.  NULL: all are.
	 */
	const uint32_t *image;
	/*
	 * Per function the one that has its time and its calls, mostly itself: of a clone that is
	 * folded its function, and, in reports by line, of each piece of the code of a line the
	 * first one (GPROFX_CORRECT_WHOLE_LINES).  NULL: each has its own.
	 */
	const uint32_t *merged_into;
};

/* Times and calls: of nodes, which are functions and cycles, and of arcs; and lists of them. */
struct gprofx_report_graph {
	uint32_t size;

	/* Nodes.  Without arcs only their flags, self and calls are meaningful. */
	uint32_t node_count;
	const uint32_t *flags; /* enum gprofx_node_flag */
	/* As of arcs. */
	const struct gprofx_column *columns;
	const struct gprofx_call_column *calls;
	/*
	 * Number of the cycle a node is in or is, from 1; 0: none.  Where inclusive times are
	 * measured, cycles are no nodes: this only says which functions call each other.
	 */
	const uint32_t *cycle;
	/*
	 * Number of its entry, from 1; 0 when there is no graph, and, unless the report is
	 * traditional, when nothing of the graph is asked for beyond GPROFX_PART_FLAT,
	 * GPROFX_PART_COUNTS and GPROFX_PART_NODES.
	 */
	const uint32_t *index;

	struct gprofx_arcs arcs;
	/*
	 * Per arc how it was found, if the profile does not have it: bits of enum
	 * gprofx_static_kind; 0: the profile has it.  NULL: code was not scanned.
	 */
	const uint8_t *arc_static;
	/*
	 * Per arc whether its number of calls, or those of its lines, are an estimate: calls that
	 * several functions or lines can have made were divided evenly.  NULL: no arc is.
	 */
	const bool *arc_divided;
	/*
	 * In reports by line with functions as wholes: the lines that make the calls of arc a,
	 * site[site_first[a]] … site[site_first[a + 1] - 1], by address; else NULL.
	 */
	const struct gprofx_site *site;
	const uint32_t *site_first;
	/*
	 * All arcs in the order in which they first appeared in the input: as many numbers.  Part
	 * of GPROFX_PART_ORDER.
	 */
	const uint32_t *arc_order;

	/* Flat profile: functions in the order of the listing, already selected. */
	uint32_t flat_count;
	const uint32_t *flat;

	/* Call graph: nodes that have an entry, in order of their index. */
	uint32_t entry_count;
	const uint32_t *entry;
	/*
	 * Rows of the entries, in order: arcs into a function, arcs out of it, members of a cycle.
	 */
	struct gprofx_lists callers, callees, members;
	/*
	 * Calls into cycles: list c is that of cycle c + 1, and items are rows of cycle_arcs, in
	 * the order of the listing.  One row for each function outside that calls members of the
	 * cycle, with calls and times of all these calls added up; callee is the node of the cycle.
	 * Part of GPROFX_PART_GRAPH.  first is NULL where cycles are shown without callers, as GNU
	 * gprof does.
	 */
	struct gprofx_arcs cycle_arcs;
	struct gprofx_lists cycle_callers;

	/* Function index: nodes in the order of the listing. */
	uint32_t index_count;
	const uint32_t *index_node;
};

/* What is known of the source, and of basic blocks. */
struct gprofx_report_source {
	uint32_t size;

	/* Execution counts: functions in the order of the listing. */
	uint32_t counted_count;
	const uint32_t *counted;
	/*
	 * Execution counts with those of the source: the rows of "counted", with the better counts,
	 * and functions and lines of the source, each at its place.  Part of GPROFX_PART_COUNTS.
	 */
	uint32_t counted_row_count;
	const struct gprofx_counted_row *counted_row;
	/*
	 * Recorded basic blocks: those of function f are block[block_first[f]] …
	 * block[block_first[f + 1] - 1], in the order in which they first appeared.  NULL where
	 * they are not shown.
	 */
	const struct gprofx_block *block;
	const uint32_t *block_first;

	/*
	 * Counts of the source from compilers' counters, exact where there are any, whatever was
	 * selected.  Files ascend by path; lines by file and number, functions by file, first line
	 * and name.  All NULL and 0 where no profile has such counts.
	 */
	uint32_t executed_file_count, executed_line_count, executed_function_count;
	const char *const *executed_file;
	const struct gprofx_executed_line *executed_line;
	const struct gprofx_executed_function *executed_function;
	/* Per function of the report its executed_function plus 1, or 0; or NULL. */
	const uint32_t *counted_as;
	/*
	 * Per function, or line of it, whether the function ran although no call of it was
	 * recorded, or may have run since no calls were recorded at all, it does not count its
	 * calls, or it was inlined: calls of 0 do not mean that it was not executed.  Basic blocks
	 * are known nevertheless.  NULL: not corrected (GPROFX_CORRECT_UNKNOWN_COUNTS), or not
	 * known.  Part of GPROFX_PART_SOURCE.
	 */
	const bool *is_uncounted;

	/*
	 * Lines of source of the functions that are selected for annotated source, sorted by file
	 * and line, each once; rows are as far apart as their size says.  Part of
	 * GPROFX_PART_SOURCE.
	 */
	uint32_t line_count;
	const struct gprofx_source_line *line;
	/* The functions that start on each row's line, by ascending address. */
	struct gprofx_lists functions;
	/*
	 * Source files as recorded in the debug information, the last ones first; before them those
	 * that only compilers' counters have.  Not all of them have lines.
	 */
	uint32_t file_count;
	const char *const *file;
	/* Ticks of all samples but those in the profiling code; 0 without GPROFX_PART_SOURCE_TIMES.
	 */
	double total;
	/* The user selected functions, by their names or lines, rather than whole files. */
	bool is_of_functions;
	/* Stacks measured the times, so that totals of lines are known, too. */
	bool has_line_totals;
	/*
	 * Per function, or line of it, how often the code ran that it begins with, as blocks show;
	 * GPROFX_CALLS_UNKNOWN: not known.  NULL unless blocks were counted by calls in the code,
	 * so that also those that never ran are known, and how far each block goes.
	 */
	const uint64_t *begins_with;
};

/* The contents of each profile file, and per-file statistics. */
struct gprofx_report_files {
	uint32_t size;
	/* Profile files that were read as a whole, in the order of reading. */
	uint32_t count;
	const struct gprofx_profile_file *file;
	/*
	 * The files, numbered in the order in which they were read, and their statistics: a row for
	 * each function of the flat profile that has time or calls in one of them, by number. Rows
	 * are as far apart as their size says.  Both NULL unless per-file statistics were asked
	 * for, and where they cannot be made of a report that need not have them: see
	 * gprofx_needs.parts_if_several (emitter.h).
	 */
	uint32_t labelled_count, spread_count;
	const struct gprofx_labelled_file *labelled;
	const struct gprofx_function_spread *spread;
	/*
	 * What became of calls with uncertain callers; NULL if there are none, or they are not
	 * corrected.  Known with the files.
	 */
	const struct gprofx_rounding *rounding;
	/*
	 * What each file has of these functions: that of row i of "spread" is value[value_first[i]]
	 * … value[value_first[i + 1] - 1], by number of the file.  Files that are not there have
	 * neither ticks nor calls of the function.  The sum of the ticks, rounded once, is the
	 * "total" of the row to the last bit, and so is that of the calls, as doubles.  NULL unless
	 * values were asked for (GPROFX_PART_FILE_VALUES).
	 *
	 * About two million values of each kind are there at most, so that memory stays bounded.
	 * Where there are more, functions are left out as a whole, those first that have the fewest
	 * ticks in the file that has most of them: so outliers stay.  "spread" has all.  Rows
	 * without any value are those that are left out, values_left_out of them.  Calls are left
	 * out in the same order, and first where no file has ticks: all calls of such a function
	 * are GPROFX_CALLS_UNKNOWN, and files that only have calls of it are not there.  Of more
	 * values than fit in 128 MiB, a few bytes each, none is there.
	 */
	const uint32_t *value_first;
	const struct gprofx_file_value *value;
	uint32_t values_left_out;
};

/* Findings about the input, and the corrections that were made. */
struct gprofx_report_findings {
	uint32_t size;
	uint32_t count; /* by run, those of one in the order of weight */
	const struct gprofx_finding *finding;
	/*
	 * The account of the first run's samples; NULL if it has none outside of stacks, or bins
	 * are not divided exactly (GPROFX_CORRECT_EXACT_BINS).
	 */
	const struct gprofx_account *account;
	/* The names of the corrections that were made. */
	uint32_t correction_count;
	const char *const *correction_names;
	/*
	 * The first run counted calls, and the program has a function that starts threads: if it
	 * did, calls of several at the same time are missing.  False also in GNU mode, and in a run
	 * that looks for no findings and has no account.
	 */
	bool can_start_threads;
};

/* No process, thread or phase, or an unknown one. */
#define GPROFX_NO_ROW UINT32_MAX

/* A process, of any file. */
struct gprofx_process {
	uint32_t size;
	uint32_t parent;  /* in the table of processes, or GPROFX_NO_ROW */
	uint64_t number;  /* that of the system; 0: not known */
	const char *name; /* run lifetime; NULL: not known */
};

struct gprofx_thread {
	uint32_t size;
	uint32_t process; /* in the table of processes, or GPROFX_NO_ROW */
	uint64_t number;  /* that of the system; 0: not known */
	const char *name; /* run lifetime; NULL: not known */
	uint32_t threads; /* more than 1: it stands for so many that were not distinguished */
	bool is_unknown;  /* no thread, but what is of none of the process that is known */
	uint64_t cpu_ns;  /* processor time in nanoseconds, by its clock; 0: not known */
};

struct gprofx_phase {
	uint32_t size;
	uint64_t number;
	const char *name; /* run lifetime; NULL: it has a number only */
};

/* A process, thread and phase with values of their own: each combination once. */
struct gprofx_slice {
	uint32_t size;
	uint32_t process, thread, phase; /* in their tables, or GPROFX_NO_ROW */
	double ticks;                    /* of all its values, including those in no function */
};

/* The values of a function in a slice. */
struct gprofx_slice_value {
	uint32_t slice, node; /* a function, or a line of one */
	double self;          /* ticks, as in the first column of the nodes */
	double below;         /* ticks of its callees, the same way; NaN: not measured */
	/* By other functions, those of its own cycle included; GPROFX_CALLS_UNKNOWN: not known. */
	uint64_t calls;
};

/* A process, thread or phase of a table. */
struct gprofx_member {
	uint32_t size;
	uint32_t row; /* in its table of the part, or GPROFX_NO_ROW: what is of none, the last */
	/* Name and number, as people see them, such as "worker 4711"; run lifetime. */
	const char *label;
	double ticks; /* of all its values, including those in no function */
	double heaviest_ticks;
	uint32_t heaviest; /* the function with most of its ticks in itself, or GPROFX_NO_ROW */
	uint64_t calls; /* of all functions by others; GPROFX_CALLS_UNKNOWN: they are not counted */
};

/*
 * Statistics by one kind: "files" of a row and of struct gprofx_spread are numbers of members here.
 * A member that is not known counts like the others.
 */
struct gprofx_slice_table {
	uint32_t size;
	uint32_t kind; /* enum gprofx_slice_kind: one of them */
	/* In the order in which they were declared. */
	uint32_t member_count;
	const struct gprofx_member *member;
	/* Of functions of which any member has something, by number. */
	uint32_t spread_count;
	const struct gprofx_function_spread *spread;
	/* What members have of the function of a row: as in gprofx_report_files. */
	const uint32_t *value_first;
	const struct gprofx_file_value *value;
	double total; /* ticks of all members */
};

/*
 * Values of the first metric of the first run by those of process, thread and phase that the
 * emitter needs; processes, threads and phases are those of this run as well.  What a function has
 * of all slices adds up to what it has in the first column.  Numbers of a table are those of its
 * rows, which are as far apart as their size says.
 */
struct gprofx_report_slices {
	uint32_t size;
	uint32_t kinds; /* enum gprofx_slice_kind: those that are distinguished here */
	uint32_t process_count, thread_count, phase_count, slice_count;
	const struct gprofx_process *process;
	const struct gprofx_thread *thread;
	const struct gprofx_phase *phase;
	/* The first one has the values without a process, thread or phase. */
	const struct gprofx_slice *slice;
	/* Sorted by slice, then node: those of slice s are value[first[s]] … value[first[s + 1] -
	 * 1]. */
	const struct gprofx_slice_value *value;
	const uint32_t *first;
	uint32_t total_origin; /* enum gprofx_origin: of self and below together */
	/* With GPROFX_PART_SLICE_TABLES, one for each of "kinds" that a profile has, in its order;
	 * otherwise NULL. */
	uint32_t table_count;
	const struct gprofx_slice_table *table;
};

/* For the layout and the wording of GNU gprof and of BSD only. */
struct gprofx_report_compatibility {
	uint32_t size;
	bool traditional;     /* names and layout as in BSD reports */
	double bin_width;     /* of a histogram bin, in units of 2 bytes */
	uint64_t corrections; /* bits GPROFX_CORRECT_… of what was corrected */
};

/* Properties of a calling context: bits. */
enum gprofx_context_flag {
	GPROFX_CONTEXT_INLINED = 1 /* an inlined subroutine: its code is part of its parent's */
};

/* Why some estimated contexts are left out: bits. */
enum gprofx_context_bound {
	GPROFX_BOUND_COUNT = 1, /* the user wants no more of them (report.contexts) */
	GPROFX_BOUND_SHARE = 2, /* each has less than a millionth of the whole */
	GPROFX_BOUND_DEPTH = 4  /* 1,000 contexts are above each of them */
};

#define GPROFX_NO_CONTEXT UINT32_MAX
#define GPROFX_NO_PLACE UINT32_MAX

/*
 * Calling contexts: a node with its chain of callers, up to a root.  They make a tree, or several;
 * a parent has a lower number than its children.  Every context has time, itself or below it, in
 * the metric that is shown first.  How deep a tree is depends on the input: do not recurse on it.
 *
 * Measured contexts are the paths of stacks: the time of a stack that the selection of functions
 * leaves counts for the context of its innermost frame.  Recursion makes a context for each frame.
 *
 * Estimated contexts are made from the call graph, which does not say which chains of calls there
 * were: after "start" and "end" have each called "backup", it is not known for which of them
 * "backup" called "write".  The time of each arc is divided among the contexts of its caller in
 * proportion to their inclusive times, as propagation of time along calls does.  That gives nodes
 * and arcs the times that they have in the call graph; only chains of more than one arc are
 * assumptions.
 *   - The part of a node's inclusive time that is charged to no caller is a root.
 *     GPROFX_NODE_OUTSIDE calls nothing here, so what it calls is a root as well.
 *   - A cycle is a context; below it each member has one, with its share of the cycle's time, and
 *     below a member there are the functions outside of the cycle that it calls.  Calls within the
 *     cycle, and of a function by itself, make no contexts.
 *   - There can be more such contexts than any memory holds.  The heaviest by inclusive time in
 *     the first metric are made, a parent before its children, within the bounds of enum
 *     gprofx_context_bound.  Of equally heavy ones, roots go first, then children of the context
 *     that was made first, and of one parent those with the lower number of their node.
 *   - Contexts are numbered in this order: the heaviest first.
 *
 * An inlined subroutine, where such contexts were asked for, has the node of the function that its
 * code is part of, and a name of its own: see gprofx_context_name().  Frames that a profile itself
 * has for inlined subroutines are nodes like others, and have the flag, too.  Of estimated contexts
 * those of a function's code are in its proportions of samples; what it calls is below the
 * function.
 *
 * The self times of all contexts of a node add up to its selected_self in the column of the same
 * metric, up to rounding, but for what was left out ("cut").  What a context has inclusive, less
 * its self time, less what its children have inclusive, was left out below it.  Where there is no
 * call graph, all contexts are roots; without samples there are none.
 */
struct gprofx_report_contexts {
	uint32_t size;
	uint32_t count;
	const uint32_t *parent; /* per context: a lower number, or GPROFX_NO_CONTEXT: a root */
	/*
	 * Per context its node, a function or a cycle.  Siblings have different nodes or flags,
	 * unless contexts by place were asked for: then they have different nodes, flags or places.
	 */
	const uint32_t *node;
	const uint32_t *flags; /* per context: enum gprofx_context_flag */
	/*
	 * Values per context, a column for each metric, in the order of the metrics: self and
	 * below, in ticks of the first run, each never less than 0.  graph_total is what all
	 * contexts stand for, with what was left out, and total_origin says whether they were
	 * measured or estimated, as self_origin does.  Both are unknown, and there are no values,
	 * for metrics that the first run does not have, and for all but the first where contexts
	 * are measured.  Members that are for nodes only are zero.
	 */
	const struct gprofx_column *columns;
	bool is_estimated; /* chains of calls are estimated, not measured: show it as such */
	uint32_t bounds;   /* enum gprofx_context_bound; 0: all contexts are there */
	const double *cut; /* per metric: ticks that no context here has as its self time */

	/*
	 * Per context the place in its code that was active: its number in the arrays below, or
	 * GPROFX_NO_PLACE: not known.  NULL unless contexts by place, or inlined subroutines, were
	 * asked for.
	 */
	const uint32_t *place;
	uint32_t place_count;
	/*
	 * Per place the name of the inlined subroutine, as names are shown, NUL-terminated; NULL:
	 * that of the node.
	 */
	const char *const *place_name;
	/*
	 * Per place its source file, or NULL: it is not known; its line there, from 1, or 0: not
	 * known; and its address as linked in the object of the function, 0: not known.  All are
	 * unknown unless contexts by place were asked for and are measured; places of "hottest"
	 * have a file and a line.
	 */
	const char *const *place_file;
	const uint32_t *place_line;
	const uint64_t *place_address;
	/*
	 * Per context what self has of the first metric, as an integer, where contexts are measured
	 * and their ticks exceed what doubles hold exactly (2^53); at most 2^64 - 1.  NULL: self is
	 * exact, or an estimate.
	 */
	const uint64_t *self_ticks;
	/*
	 * Per context the place with the file and the line that most of its own samples of the
	 * first metric are at, of equal ones any; of estimated contexts, the samples of all that
	 * are the same inlined subroutines of the same function.  GPROFX_NO_PLACE: not known.
	 * NULL: not asked for, or known of none.
	 */
	const uint32_t *hottest;
};

/* Which listings an inlined subroutine was named for: bits. */
enum gprofx_inlined_listing { GPROFX_INLINED_FLAT = 1, GPROFX_INLINED_GRAPH = 2 };

/* A function that has inlined copies of a subroutine. */
struct gprofx_inlined_owner {
	uint32_t function;
	double total; /* ticks of the copies that are in this function */
};

/*
 * An inlined subroutine that the user named, or a heavy one: the time of all its inlined copies.
 * It has no calls: an inlined call is not counted, since it does not happen.
 */
struct gprofx_inlined {
	uint32_t size;
	uint32_t listings; /* enum gprofx_inlined_listing; 0: of GPROFX_PART_HEAVY_INLINED */
	/* Without parameters and arguments of templates, NUL-terminated. */
	const char *name;
	/* Names of the symbol table that are shown by this one: overloads, and instances of a
	 * template.
	 */
	uint32_t variant_count;
	/* Ticks of the first metric of the first run.  self: in its own code. */
	double self;
	/*
	 * In its own code and in that of subroutines that were inlined into it; of stacks, also in
	 * functions that any of this calls.  Every sample counts once, even in recursion.
	 */
	double total;
	uint32_t owner_count;                     /* 0: no copy has samples */
	const struct gprofx_inlined_owner *owner; /* the largest total first, then by number */
};

struct gprofx_report_inlined {
	uint32_t size;
	uint32_t count;
	/*
	 * Named ones as they were named.  Of heavy ones, those with at least one part in a hundred
	 * of the whole, at most eight: the largest total first, then the largest self, then by
	 * name.
	 */
	const struct gprofx_inlined *row;
	double whole;     /* ticks of all functions that are selected: what shares refer to */
	bool has_callees; /* totals have the time of functions that are called: stacks say it */
};

/* Properties of stated places and calls: bits. */
enum gprofx_stated_flag {
	/* Of a place, or of the caller: of its function when that was active already. */
	GPROFX_STATED_NESTED = 1,
	/* Of a call: the callee was active already. */
	GPROFX_STATED_TO_NESTED = 2
};

/*
 * What profiles state of lines and of calls as a whole, as they state it, before it was added up
 * for functions and arcs: of files of callgrind, all their costs.  It is of the first run.
 */
struct gprofx_report_stated {
	uint32_t size;
	/*
	 * Functions, arcs and all metrics of the report are made of this and of nothing else.
	 * Otherwise other profiles have a part in them.
	 */
	bool is_whole;

	/* Places in code: lines, or what was called. */
	uint32_t place_count;
	const uint32_t *node;  /* per place: the function */
	const uint32_t *flags; /* per place: enum gprofx_stated_flag */
	const uint32_t *line;  /* per place: from 1; 0: not known */
	/* Per place the paths of the source files of its function and of the line; NULL: not known.
	 */
	const char *const *function_file, *const *file;
	/*
	 * Per metric of the report, and then per place: what the place has itself, in ticks; NULL
	 * for metrics that no such profile has.
	 */
	const uint64_t *const *self;

	uint32_t call_count;
	struct gprofx_ids caller, callee; /* per call: places */
	const uint32_t *call_flags;       /* per call: enum gprofx_stated_flag */
	struct gprofx_counts calls;       /* per call: how often it happened */
	/* Per metric, and then per call, with all that was called: likewise. */
	const uint64_t *const *cost;
};

/* How a function of a comparison was found on the other side. */
enum gprofx_match {
	GPROFX_MATCH_NONE = 0,    /* it is on one side only */
	GPROFX_MATCH_BUILD = 1,   /* the same build has it at the same address */
	GPROFX_MATCH_NAME = 2,    /* the same name and source file */
	GPROFX_MATCH_PLAIN = 3,   /* the same name without arguments and clone suffix */
	GPROFX_MATCH_RENAMED = 4, /* another name, but the same place, callers and callees */
	GPROFX_MATCH_KINDS = 5
};

/* What can be said of a difference. */
enum gprofx_verdict {
	GPROFX_VERDICT_UNTESTED = 0, /* the error is not known, or the values are estimates */
	GPROFX_VERDICT_EQUAL = 1,    /* chance explains it; of numbers of calls: there is none */
	GPROFX_VERDICT_LESS = 2,     /* the new value is smaller */
	GPROFX_VERDICT_MORE = 3      /* the new value is larger */
};

/* A value on both sides of a comparison, the mean of their runs, in ticks of the first metric. */
struct gprofx_difference {
	double base;      /* normalized, if the user asked for that */
	double now;       /* of the new side */
	double error;     /* standard error of now - base; NaN: not known */
	double low, high; /* 95 % interval of now - base; NaN: not known */
	double p;         /* two-sided, of this test alone; NaN: not tested */
	uint32_t verdict; /* enum gprofx_verdict, with all rows taken into account */
};

/* A function, or all of them together, on both sides of a comparison. */
struct gprofx_compared {
	uint32_t size;
	uint32_t node;         /* a function of the report; UINT32_MAX: all together */
	uint32_t match;        /* enum gprofx_match */
	bool is_in_base;       /* with GPROFX_MATCH_NONE: the base has it, the new side has not */
	const char *base_name; /* its name in the base, if it is shown by another; else NULL */
	struct gprofx_difference self;
	/* Inclusive; where it is estimated it is not tested, and where it is not known all NaN. */
	struct gprofx_difference total;
	/* Calls by other functions, summed up over the runs; GPROFX_CALLS_UNKNOWN: not counted. */
	uint64_t base_calls, new_calls;
	/* enum gprofx_verdict of calls per run; UNTESTED: a side has not counted them. */
	uint32_t calls_verdict;
};

/* One side of a comparison. */
struct gprofx_compared_side {
	uint32_t size;
	const char *name;    /* the profile or the folder, as the user gave it */
	const char *image;   /* the program, as the user gave it; NULL: none */
	uint32_t run_count;  /* repeated runs; at least 1 */
	uint32_t file_count; /* profiles that were read */
	double ticks;        /* of all functions, the mean of the runs, not normalized */
	double matched[GPROFX_MATCH_KINDS]; /* of these, by enum gprofx_match of the function */
};

/* A line of source on both sides of a comparison, in ticks of the first metric. */
struct gprofx_compared_line {
	uint32_t size;
	const char
		*file; /* as the debug information has it; of the new side, if that has the line */
	/*
	 * The line on each side, from 1.  0: not known, as where a side has no samples on it, or,
	 * in another build, which line of the side it is.
	 */
	uint32_t base_line, new_line;
	uint32_t node;    /* the function that it is in; UINT32_MAX: not known */
	double base, now; /* of samples in its code, the mean of the repeated runs; not tested */
};

/* What the values of the base were multiplied by, before they were compared. */
enum gprofx_normalization {
	GPROFX_NORMALIZED_BY_NOTHING = 0,
	GPROFX_NORMALIZED_BY_TOTAL = 1, /* so that the totals of both sides are equal */
	GPROFX_NORMALIZED_BY_CALLS = 2  /* each function: so that its numbers of calls are equal */
};

/*
 * Two sides that were compared.  Their functions together are those of the report: first the new
 * side's, then those that only the base has.  Columns are of two runs, the base and the new side,
 * in ticks of the first metric; each is the mean of the repeated runs of its side, with values of
 * the base normalized if all were multiplied by the same factor (GPROFX_NORMALIZED_BY_TOTAL).
 *
 * The graph, for emitters that need GPROFX_PART_NODES or GPROFX_PART_GRAPH, has the functions as
 * nodes, with the values of their rows, and the arcs of both sides, with the calls of all repeated
 * runs.  An arc that one side does not have is 0 there.  Cycles are not shown, since each side can
 * have others: "cycle" is 0.  Entries are the functions with rows, the heaviest on either side
 * first; so are the arcs of "callers" and "callees".
 *
 * Contexts, for emitters that need any, are those of both sides: "columns" and "cut" have two rows,
 * the base and the new side.  They are as GPROFX_CONTEXTS makes them, whatever form is needed:
 * siblings have different nodes or flags, and there are no places.  Members of a cycle stand where
 * the cycle would.  They are estimated if those of one side are.  They are sorted by neither side.
 */
struct gprofx_report_comparison {
	uint32_t size;
	/* What came out, and what has to be known about it: sentences; run lifetime. */
	const char *sentence, *caution; /* caution: NULL: nothing */
	struct gprofx_compared_side base, new_side;
	uint32_t normalization;       /* enum gprofx_normalization */
	struct gprofx_compared total; /* all functions together; only "self" is set */
	/*
	 * Functions that have time or calls on a side: first those with a verdict, then those that
	 * could not be tested, then the others; among these the largest difference first.
	 */
	uint32_t row_count;
	const struct gprofx_compared *row;
	/*
	 * Rows that both sides have by the verdict of self; equal ones and untested ones also of
	 * one side, and without those that are counted below.  Each row is counted once.
	 */
	uint32_t less_count, more_count, equal_count, untested_count;
	double total_level, row_rate; /* level of the total's test, false discovery rate of rows */
	/*
	 * How many times as much has to be measured so that one percent of the total becomes
	 * visible; 0: it is; NaN: not known.
	 */
	double needed_for_percent;
	/*
	 * Half the width of the 95 % interval of the total's change, as a part of the base: with
	 * the error of the base, by which it is divided.  NaN: not known.
	 */
	double change_error;
	bool estimates_totals; /* inclusive values of a side are estimates */
	/* Rows with a verdict, of self or the inclusive value, that one side only has. */
	uint32_t only_base_count, only_new_count;
	/* Other rows whose inclusive value has a verdict. */
	uint32_t total_less_count, total_more_count;
	/*
	 * The base, or the new side, has no calls although the other one has: inclusive values are
	 * not compared.
	 */
	bool base_lacks_calls, new_lacks_calls;
	/*
	 * Lines with samples on a side, by file and line; only with GPROFX_PART_COMPARED_LINES,
	 * else NULL.  In different builds, lines of a function are matched if it has as many lines
	 * on both sides, as the next function of its file shows; others are rows of one side.
	 */
	uint32_t line_count;
	const struct gprofx_compared_line *line;
};

/*
 * The result of a run, which never changes.  Everything has run lifetime.  Parts that can be NULL
 * are present if something of them was asked for: see enum gprofx_report_part.
 */
struct gprofx_report {
	uint32_t size;
	const struct gprofx_report_services *services;
	const void *host; /* the host's own */
	const struct gprofx_report_origin *origin;
	const struct gprofx_report_functions *functions;
	const struct gprofx_report_graph *graph;       /* or NULL */
	const struct gprofx_report_source *source;     /* or NULL */
	const struct gprofx_report_files *files;       /* or NULL */
	const struct gprofx_report_findings *findings; /* or NULL */
	const struct gprofx_report_compatibility *compatibility;
	const struct gprofx_report_contexts *contexts; /* or NULL: see gprofx_needs.contexts */
	const struct gprofx_report_slices *slices;     /* or NULL: see gprofx_needs (emitter.h) */
	const struct gprofx_report_inlined
		*inlined; /* or NULL: see GPROFX_PART_INLINED, GPROFX_PART_HEAVY_INLINED */
	const struct gprofx_report_stated *stated; /* or NULL: see GPROFX_PART_STATED */
	/* NULL unless two sides were compared and the emitter asks for GPROFX_PART_COMPARISON */
	const struct gprofx_report_comparison *comparison;
};

/*
 * Rows of arrays whose rows start with their size: they are as far apart as the host says, whose
 * rows can have more members.
 */
#define GPROFX_ROW(type, rows, i) \
	((const type *)(const void *)((const char *)(rows) + (size_t)(i) * (rows)->size))

static inline const struct gprofx_left_out *
gprofx_left_out_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_left_out, report->functions->left_out, i);
}

static inline const struct gprofx_source_line *
gprofx_source_line_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_source_line, report->source->line, i);
}

static inline const struct gprofx_profile_file *
gprofx_file_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_profile_file, report->files->file, i);
}

static inline const struct gprofx_file_range *
gprofx_range_at(const struct gprofx_profile_file *file, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_file_range, file->ranges, i);
}

static inline const struct gprofx_labelled_file *
gprofx_labelled_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_labelled_file, report->files->labelled, i);
}

static inline const struct gprofx_function_spread *
gprofx_spread_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_function_spread, report->files->spread, i);
}

static inline const struct gprofx_finding *
gprofx_finding_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_finding, report->findings->finding, i);
}

static inline const struct gprofx_inlined *
gprofx_inlined_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_inlined, report->inlined->row, i);
}

static inline const struct gprofx_compared *
gprofx_compared_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_compared, report->comparison->row, i);
}

static inline const struct gprofx_compared_line *
gprofx_compared_line_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_compared_line, report->comparison->line, i);
}

static inline const struct gprofx_process *
gprofx_process_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_process, report->slices->process, i);
}

static inline const struct gprofx_thread *
gprofx_thread_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_thread, report->slices->thread, i);
}

static inline const struct gprofx_phase *
gprofx_phase_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_phase, report->slices->phase, i);
}

static inline const struct gprofx_slice *
gprofx_slice_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_slice, report->slices->slice, i);
}

static inline const struct gprofx_slice_table *
gprofx_slice_table_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_slice_table, report->slices->table, i);
}

static inline const struct gprofx_member *
gprofx_member_at(const struct gprofx_slice_table *table, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_member, table->member, i);
}

static inline const struct gprofx_metric *
gprofx_metric_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_metric, report->origin->metrics, i);
}

static inline const struct gprofx_code_image *
gprofx_image_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_code_image, report->origin->images, i);
}

/* A row of where the code of an image is. */
static inline const struct gprofx_image_code *
gprofx_code_at(const struct gprofx_image_code *code, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_image_code, code, i);
}

static inline const struct gprofx_run *
gprofx_run_at(const struct gprofx_report *report, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_run, report->origin->runs, i);
}

/* The column of a table, of nodes or arcs of a report, that has a metric's values in a run. */
static inline const struct gprofx_column *
gprofx_column_of(const struct gprofx_report *report, const struct gprofx_column *columns,
                 uint32_t run, uint32_t metric)
{
	return GPROFX_ROW(struct gprofx_column, columns,
	                  (size_t)run * report->origin->metric_count + metric);
}

/* The column of calls of a table that is of a run. */
static inline const struct gprofx_call_column *
gprofx_calls_in(const struct gprofx_call_column *columns, uint32_t run)
{
	return GPROFX_ROW(struct gprofx_call_column, columns, run);
}

/* The column of a table, of nodes or arcs, that has a metric's values in the first run. */
static inline const struct gprofx_column *
gprofx_column_at(const struct gprofx_column *columns, uint32_t metric)
{
	return GPROFX_ROW(struct gprofx_column, columns, metric);
}

static inline double
gprofx_real(const struct gprofx_reals *values, uint32_t row)
{
	const char *at = (const char *)values->first + (size_t)row * values->step;

	return *(const double *)(const void *)at;
}

static inline uint64_t
gprofx_count(const struct gprofx_counts *values, uint32_t row)
{
	const char *at = (const char *)values->first + (size_t)row * values->step;

	return *(const uint64_t *)(const void *)at;
}

static inline uint32_t
gprofx_id(const struct gprofx_ids *values, uint32_t row)
{
	const char *at = (const char *)values->first + (size_t)row * values->step;

	return *(const uint32_t *)(const void *)at;
}

/* An arc with the values of the first metric. */
static inline struct gprofx_arc
gprofx_arc_at(const struct gprofx_arcs *arcs, uint32_t i)
{
	struct gprofx_arc arc;

	arc.caller = gprofx_id(&arcs->caller, i);
	arc.callee = gprofx_id(&arcs->callee, i);
	arc.calls = gprofx_count(&arcs->calls->calls, i);
	arc.self = gprofx_real(&arcs->columns->self, i);
	arc.below = gprofx_real(&arcs->columns->below, i);
	return arc;
}

/* The name of a context. */
static inline struct gprofx_text
gprofx_context_name(const struct gprofx_report *report, uint32_t context)
{
	const struct gprofx_report_contexts *contexts = report->contexts;
	uint32_t place = contexts->place ? contexts->place[context] : GPROFX_NO_PLACE;
	struct gprofx_text name;

	if (place == GPROFX_NO_PLACE || !contexts->place_name[place])
		return report->services->name(report, contexts->node[context]);
	name.bytes = contexts->place_name[place];
	name.length = strlen(name.bytes);
	return name;
}

/* Of a node: the ticks in it, a function with all its lines. */
static inline double
gprofx_whole_self_in(const struct gprofx_column *column, uint32_t node)
{
	return gprofx_real(column->whole_self.first ? &column->whole_self : &column->self, node);
}

/* Whether a value of a column of calls is known. */
static inline bool
gprofx_is_counted(const struct gprofx_call_column *column, uint64_t calls)
{
	return !column->some_unknown || calls != GPROFX_CALLS_UNKNOWN;
}

/* Whether inclusive times of the first metric are measured, not estimated. */
static inline bool
gprofx_is_measured(const struct gprofx_report *report)
{
	return report->graph->columns->total_origin == GPROFX_MEASURED;
}

/* Whether those are times by a clock, which was read when functions began and ended. */
static inline bool
gprofx_is_clocked(const struct gprofx_report *report)
{
	return report->origin->metrics->kind == GPROFX_CLOCKED && gprofx_is_measured(report);
}

/* The node that stands for a function outside of its cycle: the cycle, or the function itself. */
static inline uint32_t
gprofx_whole_of(const struct gprofx_report *report, uint32_t node)
{
	uint32_t cycle = report->graph->cycle[node], count = report->functions->count;

	return cycle != 0 && node < count && !gprofx_is_measured(report) ? count + cycle - 1 : node;
}

/* Of a node: the first column's ticks, and calls. */
static inline double
gprofx_self_of(const struct gprofx_report *report, uint32_t node)
{
	return gprofx_real(&report->graph->columns->self, node);
}

static inline double
gprofx_below_of(const struct gprofx_report *report, uint32_t node)
{
	return gprofx_real(&report->graph->columns->below, node);
}

static inline double
gprofx_whole_self_of(const struct gprofx_report *report, uint32_t node)
{
	return gprofx_whole_self_in(report->graph->columns, node);
}

static inline uint64_t
gprofx_calls_of(const struct gprofx_report *report, uint32_t node)
{
	return gprofx_count(&report->graph->calls->calls, node);
}

/* The same, but 0 where they were not counted. */
static inline uint64_t
gprofx_known_calls_of(const struct gprofx_report *report, uint32_t node)
{
	uint64_t calls = gprofx_calls_of(report, node);

	return gprofx_is_counted(report->graph->calls, calls) ? calls : 0;
}

static inline uint64_t
gprofx_recursive_of(const struct gprofx_report *report, uint32_t node)
{
	return gprofx_count(&report->graph->calls->recursive, node);
}

/*
 * How often a function was executed, as far as its calls were counted: with those by itself, unless
 * GNU gprof's number is wanted (GPROFX_CORRECT_OWN_CALLS).
 */
static inline uint64_t
gprofx_executions_of(const struct gprofx_report *report, uint32_t node)
{
	uint64_t calls = gprofx_known_calls_of(report, node), own;

	if (!(report->compatibility->corrections & GPROFX_CORRECT_OWN_CALLS))
		return calls;
	own = gprofx_recursive_of(report, node);
	if (!gprofx_is_counted(report->graph->calls, own))
		return calls;
	return own <= UINT64_MAX - calls ? calls + own : UINT64_MAX;
}

/*
 * Bytes that a histogram bin covers, as the granularity lines state it: whole units of 2 bytes,
 * which wraps for widths from 2^62 units on.  0 for a negative or huge width.
 */
static inline long
gprofx_bin_bytes(const struct gprofx_report *report)
{
	double width = report->compatibility->bin_width;
	bool is_sensible = width >= 0 && width < 9223372036854775808.0;

	return is_sensible ? (long)((unsigned long)width * 2) : 0;
}

#ifdef __cplusplus
}
#endif

#endif

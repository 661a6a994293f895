/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers (input-*): turn a profile file into histograms, arcs and basic-block counts by address,
 * counts of lines and functions of source files, and call stacks.
 *
 * A reader gets the whole file as bytes, walks it with a bounded cursor and passes what it finds to
 * the profile builder in bulk.  The host merges records and files, and makes all checks that need
 * more than one record.
 */
#ifndef GPROFX_READER_H
#define GPROFX_READER_H

#include <string.h>

#include <gprofx/plugin.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/* A file beside a profile file, which is a part of the same recording. */
struct gprofx_file_part {
	const char *name;
	const uint8_t *bytes; /* length bytes; may be NULL when length is 0 */
	uint64_t length;
};

/* A profile file, read or mapped completely.  Lifetime: call. */
struct gprofx_file {
	uint32_t size;
	const char *name;     /* as the user gave it; "-" is standard input */
	const uint8_t *bytes; /* length bytes; may be NULL when length is 0 */
	uint64_t length;
	/*
	 * The layout of the file is the target's: a reader of a format that does not state its own
	 * layout infers nothing, corrects nothing and does not report trailing bytes.
	 */
	bool strict;
	/*
	 * The program that the user named, of a format whose files are of several programs: only
	 * what its processes did is read, if any did something.  NULL: all is read.
	 */
	const char *program;
	/* The parts of a recording that is a folder, which this file is the first of. */
	const struct gprofx_file_part *parts;
	uint32_t part_count;
	/*
	 * The path of a list of symbols that the user named without a program, for readers that
	 * take one: of code that no file has, such as the kernel's.  NULL: there is none.
	 */
	const char *symbol_list;
	/*
	 * The build ID of the file that "program" names, which a copy with another name has, too.
	 * Call lifetime; NULL: there is none, or it is not known.
	 */
	const uint8_t *program_build_id;
	uint32_t program_build_id_bytes;
	/*
	 * How many bytes at the end may be none of the profile, if they are zeros: a dump in words
	 * rounds the length up to whole ones.  0: all bytes are of the profile.
	 */
	uint32_t padding_bytes;
};

/* Whether only padding is left from an offset in the file on. */
static inline bool
gprofx_is_padding(const struct gprofx_file *file, uint64_t at)
{
	if (at > file->length || file->length - at > file->padding_bytes)
		return false;
	while (at < file->length && file->bytes[at] == 0)
		at++;
	return at == file->length;
}

/* A program that processes of a file ran. */
struct gprofx_raw_program {
	uint32_t size;
	uint32_t processes; /* with samples */
	/*
	 * Its path on the measured machine, NUL-terminated; call lifetime, as the next; "": not
	 * known, or there is none, as of threads of the kernel.
	 */
	const char *path;
	const char *unit; /* of "amount", the same in all rows: "seconds", "cycles" */
	uint64_t samples;
	double amount; /* of the first metric that the file declares */
};

/* What the image says about the machine that wrote the profile. */
struct gprofx_target {
	uint32_t size;
	uint32_t pointer_bytes; /* 4 or 8 */
	bool big_endian;        /* byte order of data */
	bool sign_extends;      /* 4-byte addresses are sign-extended to 64 bits, as symbols are */
	uint16_t machine;       /* ELF machine number, 0 if unknown */
};

/*
 * Position in a file.  Reads past the end return zero, do not advance, and set "short_by", which
 * the reader checks once per record.
 */
struct gprofx_cursor {
	const uint8_t *bytes;
	uint64_t length, at; /* at <= length */
	uint64_t short_by;   /* bytes that were missing at the first read past the end; 0: none */
	bool big_endian;
};

/* One histogram record.  Addresses in bytes. */
struct gprofx_histogram {
	uint32_t size;
	uint64_t low, high; /* first address, address after the last */
	uint32_t bin_count;
	uint32_t rate;      /* samples per unit; 0: not known */
	char dimension[16]; /* unit, NUL-terminated, at most 15 bytes: "seconds" */
	char abbreviation;  /* of the unit: 's' */
	/* The counters as in the file. */
	const uint8_t *bins; /* bin_count times bin_bytes; call lifetime */
	uint8_t bin_bytes;   /* 1, 2, 4 or 8 */
	bool bins_big_endian;
	bool bins_signed; /* negative counters are refused by the host */
	uint64_t offset;  /* of the record in the file, for messages */

	bool is_only;    /* files of the format have one histogram each, this one */
	bool lacks_rate; /* the format has no rate; "rate" is 0 */
	/*
	 * The usual rate of programs with such files, assumed if neither this record nor an earlier
	 * one states a rate; 0: none.
	 */
	uint32_t usual_rate;
	/*
	 * What metric() returned for what the counters measure; rate, dimension and abbreviation
	 * are then those of the metric, and ignored here.  0: samples in the unit "dimension",
	 * which is also the name of the metric; but the metric of seconds is "time".
	 */
	uint32_t metric;
	uint32_t slice; /* what slice() returned; 0: none */
	/*
	 * What process() returned: the addresses are in one mapping of that process.  0: they
	 * belong to the program, or to the object of the file.
	 */
	uint32_t process;
};

/* What a file measures: see metric() of the profile builder. */
struct gprofx_raw_metric {
	uint32_t size;
	/*
	 * Name and unit, not empty: a name of at most 63 bytes, by which --metric selects it and
	 * metrics of several files are matched; a unit of at most 15 bytes, "seconds", "misses".
	 * NUL-terminated, call lifetime.
	 */
	const char *name, *unit;
	char abbreviation;       /* of the unit: 's'; NUL: there is none */
	uint32_t ticks_per_unit; /* counts that make a unit; 0: not known */
	uint32_t kind;           /* enum gprofx_metric_kind */
};

/* What the rows of a bulk call have in common. */
struct gprofx_from {
	uint32_t size;
	/*
	 * What process() returned for the addresses; 0: they belong to the program, or to the
	 * object of the file.
	 */
	uint32_t process;
	uint32_t slice;  /* what slice() returned; 0: none */
	uint32_t metric; /* of samples: what metric() returned; elsewhere 0 */
};

/* A process that rows of the file belong to. */
struct gprofx_raw_process {
	uint32_t size;
	/* What process() returned for the one that it was forked from; 0: none, or not known. */
	uint32_t parent;
	uint64_t number;  /* that of the system; 0: not known */
	const char *name; /* NUL-terminated, call lifetime; NULL: not known */
};

/* A thread that rows of the file belong to. */
struct gprofx_raw_thread {
	uint32_t size;
	uint32_t process; /* what process() returned for it; 0: not known */
	uint64_t number;  /* that of the system; 0: not known */
	const char *name; /* NUL-terminated, call lifetime; NULL: not known */
	/* What is known of it beyond that: rows that are equal before are the same thread. */
	uint32_t threads;    /* more than 1: it stands for so many that are not distinguished */
	uint32_t is_unknown; /* 1: no thread, but what is of none of the process that is known */
	uint64_t cpu_ns;     /* its processor time in nanoseconds; 0: not known */
};

/* A part of a run, such as a step of a simulation. */
struct gprofx_raw_phase {
	uint32_t size;
	uint64_t number;
	const char *name; /* NUL-terminated, call lifetime; NULL: it has a number only */
};

/*
 * A sample, or several, at one address.  It has no width: it counts in full for the function that
 * contains the address.  Where stacks measure the same metric, it is a stack of one frame.
 */
struct gprofx_raw_sample {
	uint64_t address;
	int64_t weight; /* ticks; a negative weight is left out and reported */
};

/* A call: from the call site to the callee, both addresses as recorded. */
struct gprofx_raw_arc {
	uint64_t from, self, count;
};

/* Calls of a function whose callers the profile does not know. */
struct gprofx_raw_call {
	uint64_t self, count;
};

/* Executions of the basic block that starts at the address. */
struct gprofx_raw_block {
	uint64_t address, count;
};

/* Executions of a line of source. */
struct gprofx_raw_line {
	uint32_t line; /* from 1 */
	uint64_t count;
};

/* Executions of a function of a source file. */
struct gprofx_raw_function {
	const char *name; /* as in the symbol table; NUL-terminated, call lifetime */
	uint32_t first_line, last_line;
	uint64_t count;
};

/* What was counted in a source file, by a compiler's counters. */
struct gprofx_raw_source {
	uint32_t size;
	const char *path; /* NUL-terminated, call lifetime, as are the next ones */
	/* Folder that a relative path starts in, or NULL: not known. */
	const char *folder;
	/*
	 * Lines and functions in any order.  A line can occur several times, for instance once for
	 * each instance of a template: its counts are added up.
	 */
	const struct gprofx_raw_line *lines;
	const struct gprofx_raw_function *functions;
	uint32_t line_count, function_count;
};

/* Properties of the place of a frame. */
enum gprofx_place_flag {
	GPROFX_PLACE_INLINED = 1, /* its function was inlined into that of the next frame */
	/*
	 * Of lines whose costs are stated, and of callers of costed_calls(): the function was
	 * active already when it was called.  Outputs that write what was stated distinguish it.
	 */
	GPROFX_PLACE_NESTED = 2
};

/*
 * A place in code that a file knows by name, without an address.  Places are in one function if its
 * name and the path of its file are the same, and the object, where the reader states that; with a
 * program, if they name the only function of that name in the program, raw or demangled, with
 * arguments or without.
 */
struct gprofx_raw_place {
	const char *function; /* its name, NUL-terminated, not empty; call lifetime, as the next */
	const char *file;     /* the path of its source file; NULL: not known */
	uint32_t line;        /* 0: not known */
	uint32_t flags;       /* enum gprofx_place_flag */
};

/*
 * A place in code that a file knows by names, each a number that texts() returned; 0: not known.
 * As struct gprofx_raw_place, but that the line can be in another file than the function, as it is
 * where code of that file was inlined, and that a text has to be passed only once.
 */
struct gprofx_raw_code {
	uint32_t function; /* its name; not 0 */
	uint32_t file;     /* the path of its source file */
	uint32_t object;   /* as places_in() has it */
	uint32_t line;
	uint32_t line_file; /* the path of the file that the line is in; 0: that of the function */
	uint32_t flags;     /* enum gprofx_place_flag */
};

/* Properties of calls: bits. */
enum gprofx_call_flag {
	/* The caller was active more than once, as it had been called by itself or by what it
	 * called. */
	GPROFX_CALL_FROM_NESTED = 1,
	/* The same of the callee. */
	GPROFX_CALL_TO_NESTED = 2
};

/* Calls from a place to a function. */
struct gprofx_raw_costed_call {
	uint32_t caller, callee; /* numbers of places with names */
	uint32_t flags;          /* enum gprofx_call_flag */
	uint64_t count;
};

/* Calls whose costs were measured, from each call until it returned, with all that it called. */
struct gprofx_raw_costed_calls {
	uint32_t size;
	uint32_t count;
	const struct gprofx_raw_costed_call *rows;
	/* As those of struct gprofx_raw_stacks. */
	const uint64_t *weight; /* metric_count consecutive ones for each row */
	const uint32_t *metrics;
	uint32_t metric_count; /* not 0 */
};

/*
 * Stacks, of one metric or of several: chains of frames, each with what was measured while its
 * innermost frame ran.
 */
struct gprofx_raw_stacks {
	uint32_t size;
	uint32_t count; /* stacks */
	/*
	 * The frames of stack i, the innermost first, are items first[i] … first[i + 1] - 1 of one
	 * of the next two; so there are count + 1 items.  A stack without frames is of no function.
	 */
	const uint32_t *first;
	const uint32_t *place; /* numbers of places; NULL: frames have addresses */
	/*
	 * Addresses in the program.  They are those of the active calls, not return addresses: a
	 * reader that knows return addresses subtracts 1 from all but the innermost one.
	 */
	const uint64_t *address;
	/* In ticks: one for each stack, or, with metrics, metric_count consecutive ones. */
	const uint64_t *weight;
	uint32_t rate;      /* ticks per unit; not 0 */
	char dimension[16]; /* unit, NUL-terminated, at most 15 bytes: "samples" */
	char abbreviation;  /* of the unit; NUL: there is none */
	/* What slice() returned, for each stack; NULL: all have that of the call. */
	const uint32_t *slice;
	/*
	 * What metric() returned for each weight of a stack; then rate, dimension and abbreviation
	 * are ignored.  NULL, with a count of 0: one weight, in the unit "dimension", which is also
	 * the name of the metric; but the metric of seconds is "time".
	 */
	const uint32_t *metrics;
	uint32_t metric_count;
	/*
	 * For each weight, in the same order, the sum of the squares of its samples, which gives
	 * its uncertainty; where each sample weighs one tick, that is the weight itself.  NULL: not
	 * known.  A metric has squares if all its stacks have some.
	 */
	const uint64_t *squares;
};

/* Which byte of a number comes first. */
enum gprofx_byte_order {
	GPROFX_ORDER_UNKNOWN = 0, /* not known, or no number in the file shows it */
	GPROFX_ORDER_LITTLE = 1,
	GPROFX_ORDER_BIG = 2
};

/* The layout of a file as its reader found it. */
struct gprofx_layout {
	uint32_t size;
	uint32_t pointer_bytes; /* of an address in the file; 0: they have no fixed size */
	enum gprofx_byte_order byte_order;
	bool has_version; /* the file states a version of its format */
	uint32_t version; /* that version */
	/*
	 * What the name of the format does not say, in a few words ("32-bit counters"), or NULL.
	 * Static, or run lifetime.
	 */
	const char *variant;
	uint32_t block_records; /* lists of basic blocks, empty ones included */
	/* Calls were counted only where they go through the PLT, whatever the code was compiled
	 * with. */
	bool counts_plt_calls;
	/* What wrote the file samples, and never counts calls, as a debugger. */
	bool counts_no_calls;
};

/* A file that code was mapped from, or code that only the profile names. */
struct gprofx_raw_image {
	uint32_t size;
	uint32_t kind; /* enum gprofx_image_kind */
	/*
	 * The path of the file on the measured machine, or another name of the code: "[vdso]".
	 * NUL-terminated, not empty, less than 4096 bytes; call lifetime, as the next.
	 */
	const char *path;
	const uint8_t *build_id; /* as in the file's note; NULL: not known */
	uint32_t build_id_bytes; /* at most 64; 0: not known */
};

/* A name of code in an image. */
struct gprofx_raw_name {
	uint64_t offset, bytes; /* bytes 0: not known, up to the next name */
	const char *name;       /* NUL-terminated, not empty; call lifetime */
};

/* A range of addresses of a process to which a range of an image is mapped. */
struct gprofx_raw_mapping {
	uint32_t size;
	uint32_t process; /* what process() returned */
	uint64_t address, bytes;
	uint32_t image; /* what image() returned; 0: nothing is mapped there any more */
	/*
	 * True: "offset" is an offset in the image's file, as in the system's tables.  False: it is
	 * the address that the code was linked for.  For an image without a file both are the same.
	 */
	bool is_in_file;
	uint64_t offset; /* in the image, of the first address */
};

/* Properties of a recording: bits. */
enum gprofx_recording_flag {
	/* Nothing says that its process ended: it runs, or was ended from outside. */
	GPROFX_RECORDING_UNFINISHED = 1,
	/* The clock that was asked for was refused; a coarser one took its place. */
	GPROFX_RECORDING_OTHER_CLOCK = 2,
	/* The program took over the signal of the samples: samples are missing. */
	GPROFX_RECORDING_STOPPED = 4,
	/* Callers were found by frame pointers; otherwise by unwind information. */
	GPROFX_RECORDING_FRAME_POINTERS = 8,
	/*
	 * Its basic blocks were counted by calls of __sanitizer_cov_trace_pc(): their addresses are
	 * one below those that the calls return to.  Blocks that are not there did not run.
	 */
	GPROFX_RECORDING_BLOCK_CALLS = 16,
	/* A copy that was made while its process ran: what came later is not in it. */
	GPROFX_RECORDING_SNAPSHOT = 32,
	/* Taken from outside of a process that ran without the collector: calls were not counted.
	 * As a snapshot, it ends before the process did. */
	GPROFX_RECORDING_ATTACHED = 64,
	/* What was lost had no room on the disk, or in files as the user may write them. */
	GPROFX_RECORDING_UNWRITTEN = 128,
	/* Another profiler than gprofx record made it. */
	GPROFX_RECORDING_BY_OTHERS = 256
};

/* How completely a file was recorded. */
struct gprofx_raw_recording {
	uint32_t size;
	uint32_t flags; /* enum gprofx_recording_flag */
	/* What happened but was not recorded, since there was no memory. */
	uint64_t lost_calls, lost_samples;
	/* Of the stacks' first metric, the weight of those without their outermost frames: */
	uint64_t cut_ticks;    /* there were more frames than were kept */
	uint64_t broken_ticks; /* the next caller could not be found */
	/*
	 * How often it was seen whether a thread waits, and how many times of the metric's rate
	 * these stand for: more, where threads were looked at less often.  0: not known.
	 */
	uint64_t looks, look_ticks;
	/* Nanoseconds in which threads could run, but no processor was free; 0: none, or not known.
	 */
	uint64_t delayed_ns;
	/* Calls whose times are by a clock, and the nanoseconds that measuring them took: they are
	 * not part of the times.  0: there are none. */
	uint64_t clocked_calls, taken_ns;
	/* Of these calls, those in functions of whose time nothing is left, and the nanoseconds
	 * that could not be taken off, since it was less than measuring takes otherwise. */
	uint64_t emptied_calls, excess_ns;
};

struct gprofx_profile;

/*
 * The profile builder.  All functions: from the reader's thread only, during read().  Where one
 * takes a struct gprofx_from, NULL stands for one that is all 0.
 */
struct gprofx_profile_builder {
	uint32_t size;
	/*
	 * Checks that a histogram record agrees with earlier ones, without its counters ("bins" is
	 * ignored).  For readers that find the counters truncated: a record that does not agree is
	 * the more useful error.
	 */
	enum gprofx_result (*check_histogram)(struct gprofx *gx, struct gprofx_profile *profile,
	                                      const struct gprofx_file *file,
	                                      const struct gprofx_histogram *histogram);
	/*
	 * Adds a histogram record.  Fails, with the diagnostic already reported, when the record
	 * does not agree with earlier ones; the reader then returns the result.
	 */
	enum gprofx_result (*histogram)(struct gprofx *gx, struct gprofx_profile *profile,
	                                const struct gprofx_file *file,
	                                const struct gprofx_histogram *histogram);
	/*
	 * Adds count arcs in file order; equal arcs may repeat.  Never fails.  A format that always
	 * has arcs says so with a count of 0 where a file has none.
	 */
	void (*arcs)(struct gprofx *gx, struct gprofx_profile *profile,
	             const struct gprofx_from *from, const struct gprofx_raw_arc *rows,
	             uint32_t count);
	/* Adds count basic blocks in file order.  Never fails. */
	void (*blocks)(struct gprofx *gx, struct gprofx_profile *profile,
	               const struct gprofx_from *from, const struct gprofx_raw_block *rows,
	               uint32_t count);
	/*
	 * Describes the layout of the file.  A reader that knows it calls this once for each file,
	 * at any time during read(); the last of several calls counts.  Never fails.
	 */
	void (*describe)(struct gprofx *gx, struct gprofx_profile *profile,
	                 const struct gprofx_layout *layout);
	/*
	 * Adds count rows of calls whose callers are outside of what was profiled, or were not
	 * recorded.  They count for the callees; where there is a call graph, their caller is the
	 * node GPROFX_NODE_OUTSIDE (report.h).  They do not make a call graph: a format that has
	 * one says so by arcs().  Never fails.
	 */
	void (*calls)(struct gprofx *gx, struct gprofx_profile *profile,
	              const struct gprofx_from *from, const struct gprofx_raw_call *rows,
	              uint32_t count);
	/*
	 * Adds the counts of a source file: by line instead of address, and exact.  If a file, line
	 * or function occurs again, in the same profile or another one, its counts are added.
	 * Never fails.
	 */
	void (*source)(struct gprofx *gx, struct gprofx_profile *profile,
	               const struct gprofx_raw_source *source);
	/*
	 * Declares a metric of the file and returns its number, from 1, for histograms, samples and
	 * stacks of this file.  At most 256 in a file: 0 where there are more, which was reported;
	 * the reader then returns GPROFX_FAILED.  A metric of several files has the same unit and
	 * kind in all of them, or the later file is refused; other ticks per unit are converted.
	 */
	uint32_t (*metric)(struct gprofx *gx, struct gprofx_profile *profile,
	                   const struct gprofx_file *file, const struct gprofx_raw_metric *metric);
	/*
	 * Adds places and sets the number of each, for frames of this file.  A place that was added
	 * before keeps its number.  Never fails.
	 */
	void (*places)(struct gprofx *gx, struct gprofx_profile *profile,
	               const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers);
	/*
	 * Adds stacks, in any order; equal ones may repeat: their weights are added.  A file may
	 * not have more frames than bytes, raw or decompressed, without those that a stack shares
	 * with the one before it in the same call, from the outermost on.  Fails, with the
	 * diagnostic already reported, when a metric has another unit than in earlier stacks, is
	 * counted where it was sampled, or has ticks without a common measure with those; the
	 * reader then returns the result.  If there are stacks, the report shows only what they
	 * measure: histograms beside them, and samples of other metrics, are in no row, which a
	 * finding reports.
	 */
	enum gprofx_result (*stacks)(struct gprofx *gx, struct gprofx_profile *profile,
	                             const struct gprofx_file *file, const struct gprofx_from *from,
	                             const struct gprofx_raw_stacks *stacks);
	/*
	 * Declare a process, a thread and a phase, and return its number, from 1, for what the file
	 * declares and adds from then on; each call returns another number.  Rows that are equal in
	 * all members are the same in all files.  A file must have at least 8 bytes for each of
	 * these and for each slice, and at least as many as their names.  Never fail.
	 *
	 * A process inherits the mappings of its parent; later changes in one do not affect the
	 * other.  A process that executes another program is a new one.
	 */
	uint32_t (*process)(struct gprofx *gx, struct gprofx_profile *profile,
	                    const struct gprofx_file *file,
	                    const struct gprofx_raw_process *process);
	uint32_t (*thread)(struct gprofx *gx, struct gprofx_profile *profile,
	                   const struct gprofx_file *file, const struct gprofx_raw_thread *thread);
	uint32_t (*phase)(struct gprofx *gx, struct gprofx_profile *profile,
	                  const struct gprofx_file *file, const struct gprofx_raw_phase *phase);
	/*
	 * Declares that rows can belong to this thread in this phase (0: to none), and returns the
	 * number of such a slice, from 1, for struct gprofx_from and the like.  Values by slice are
	 * kept if an emitter asks for them; otherwise they are added up.  Never fails.
	 */
	uint32_t (*slice)(struct gprofx *gx, struct gprofx_profile *profile,
	                  const struct gprofx_file *file, uint32_t thread, uint32_t phase);
	/*
	 * Adds count samples of a metric: of the one that "from" names, or else of the first that
	 * the file declares, or else of "samples", one tick a unit.  Equal addresses may repeat.  A
	 * file must have at least 2 bytes for each.  Never fails: if a metric does not agree with
	 * earlier files, the file is refused once it is read.  Where there are stacks of the same
	 * metric, a sample is a stack of one frame.
	 */
	void (*samples)(struct gprofx *gx, struct gprofx_profile *profile,
	                const struct gprofx_file *file, const struct gprofx_from *from,
	                const struct gprofx_raw_sample *rows, uint32_t count);
	/*
	 * Declares an image and returns its number, from 1; 0: a member is too long, which was
	 * reported, and the reader returns GPROFX_FAILED.  Images are the same in all files of a
	 * run if their build IDs are, or else their paths; the program and the objects that the
	 * user names are matched with them.  The host itself reads the symbols of images with
	 * files, if it can, from the regular file at that absolute path, but not those of another
	 * build.
	 */
	uint32_t (*image)(struct gprofx *gx, struct gprofx_profile *profile,
	                  const struct gprofx_file *file, const struct gprofx_raw_image *row);
	/*
	 * Adds names of code in an image, for the case that it has no file to read: at most one
	 * name for each byte of the profile.  Code without a name is one function, "[image]".
	 * Fails, with the diagnostic already reported, where a name has more bytes than there are.
	 */
	enum gprofx_result (*names)(struct gprofx *gx, struct gprofx_profile *profile,
	                            const struct gprofx_file *file, uint32_t image,
	                            const struct gprofx_raw_name *rows, uint32_t count);
	/*
	 * Declares a mapping of a process, which applies to what is added after it: a reader of a
	 * file with timestamps follows their order.  It replaces what was mapped there before.
	 * Fails, with the diagnostic already reported, if it is empty or exceeds the address space.
	 * Addresses without a mapping are outside of all functions.
	 */
	enum gprofx_result (*mapping)(struct gprofx *gx, struct gprofx_profile *profile,
	                              const struct gprofx_file *file,
	                              const struct gprofx_raw_mapping *row);
	/*
	 * Says how well the file was recorded, where that is known: once for each file, at any time
	 * during read(); the last of several calls counts.  The report has findings on it, so the
	 * reader does not report it itself.  Never fails.
	 */
	void (*recording)(struct gprofx *gx, struct gprofx_profile *profile,
	                  const struct gprofx_raw_recording *row);
	/*
	 * As places(), of functions in one object: the path of a program or library on the measured
	 * machine, or another name, "[kernel.kallsyms]"; NUL-terminated, not empty, call lifetime.
	 * The last part of its path is that of the program that the user names, if it is that.
	 * Functions of other objects are not those of the program, whatever their names.
	 */
	void (*places_in)(struct gprofx *gx, struct gprofx_profile *profile, const char *object,
	                  const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers);
	/*
	 * Adds texts, NUL-terminated and not empty, of call lifetime, and sets the number of each,
	 * from 1, for struct gprofx_raw_code.  Equal ones get the same number.  A file must have at
	 * least as many bytes as all of its texts and places together, where a place is one.  Never
	 * fails.
	 */
	void (*texts)(struct gprofx *gx, struct gprofx_profile *profile, const char *const *rows,
	              uint32_t count, uint32_t *numbers);
	/* As places(), of places that have their names as numbers. */
	void (*code)(struct gprofx *gx, struct gprofx_profile *profile,
	             const struct gprofx_raw_code *rows, uint32_t count, uint32_t *numbers);
	/*
	 * Adds calls with what was measured during them; equal ones may repeat.  The file states
	 * what functions have themselves as stacks of one frame.  What a function has with all that
	 * it called is then that of all calls to it that are not GPROFX_CALL_TO_NESTED, or, if
	 * there is none, its own and that of the calls that it makes.  Numbers of calls are exact.
	 * A file must have at least 2 bytes for each row.  Fails as stacks() does.
	 */
	enum gprofx_result (*costed_calls)(struct gprofx *gx, struct gprofx_profile *profile,
	                                   const struct gprofx_file *file,
	                                   const struct gprofx_from *from,
	                                   const struct gprofx_raw_costed_calls *calls);
	/*
	 * Passes a profile of another format that is in the file in another form, such as a dump:
	 * the host chooses its reader by its bytes, which takes it after read() has returned
	 * GPROFX_OK.  Only name, bytes, length and padding_bytes of "contained" are used, and
	 * have run lifetime; the name is that of messages, whose offsets are in these bytes.  Each
	 * of several is a file of its own; what is wrong with any but the last one is a warning.
	 * What read() passes besides is left out.  A profile in a profile in the file is refused.
	 * Never fails.
	 */
	void (*contained)(struct gprofx *gx, struct gprofx_profile *profile,
	                  const struct gprofx_file *contained);
};

/* The profile under construction.  Members after the first belong to the host. */
struct gprofx_profile {
	const struct gprofx_profile_builder *builder;
};

/* Takes a row; opaque: as the host passed it.  Called by the reader's thread. */
typedef void gprofx_program_sink(void *opaque, const struct gprofx_raw_program *row);

struct gprofx_reader {
	uint32_t size;
	/* The word that -O selects this reader by.  Static; required. */
	const char *format;
	/*
	 * How sure the reader is that the file is of its format: 0 no … 100 certain.  head: the
	 * first bytes of the file, at most 4096.  May be NULL: the reader is then used only when
	 * named.
	 */
	int (*probe)(const uint8_t *head, size_t bytes);
	/* Reads the whole file.  options: the plugin's options struct, or NULL.  Required. */
	enum gprofx_result (*read)(struct gprofx *gx, const struct gprofx_file *file,
	                           const struct gprofx_target *target,
	                           struct gprofx_profile *profile, const void *options);
	/*
	 * As probe, for formats that their first bytes alone do not identify: it gets the whole
	 * file and what the image says.  It reports nothing.  If it is set, probe is not called.
	 */
	int (*weigh)(const struct gprofx_file *file, const struct gprofx_target *target);
	/*
	 * Files of the format do not need the program: their frames have names, or they say of
	 * which files their code is.  Such a file can be the first one on the command line.
	 */
	bool carries_names;
	/*
	 * Lists the programs whose processes have samples in a file, each once and in any order, by
	 * calling "each" with the row.  Fails with the diagnostic reported.  NULL: files of the
	 * format are of one program.
	 */
	enum gprofx_result (*programs)(struct gprofx *gx, const struct gprofx_file *file,
	                               gprofx_program_sink *each, void *opaque);
	/* It uses the list of symbols of a file (struct gprofx_file). */
	bool takes_symbol_list;
};

/* The layout of a file whose addresses and byte order are those of a target. */
static inline struct gprofx_layout
gprofx_layout(const struct gprofx_target *target)
{
	struct gprofx_layout layout;

	memset(&layout, 0, sizeof layout);
	layout.size = sizeof layout;
	layout.pointer_bytes = target->pointer_bytes;
	layout.byte_order = target->big_endian ? GPROFX_ORDER_BIG : GPROFX_ORDER_LITTLE;
	return layout;
}

static inline struct gprofx_cursor
gprofx_cursor(const struct gprofx_file *file, bool big_endian)
{
	struct gprofx_cursor cursor = {file->bytes, file->length, 0, 0, big_endian};
	return cursor;
}

/* A diagnostic about a place in the file; the texts are static. */
static inline struct gprofx_diagnostic
gprofx_at(const struct gprofx_file *file, uint64_t offset, const char *id, const char *hint)
{
	struct gprofx_diagnostic diagnostic;

	memset(&diagnostic, 0, sizeof diagnostic);
	diagnostic.id = id;
	diagnostic.file = file->name;
	diagnostic.place = GPROFX_AT_OFFSET;
	diagnostic.offset = offset;
	diagnostic.hint = hint;
	return diagnostic;
}

/* Bytes left. */
static inline uint64_t
gprofx_left(const struct gprofx_cursor *cursor)
{
	return cursor->length - cursor->at;
}

/* The next n bytes, borrowed from the file, or NULL when fewer are left. */
static inline const uint8_t *
gprofx_take(struct gprofx_cursor *cursor, uint64_t n)
{
	const uint8_t *bytes;

	if (n > gprofx_left(cursor)) {
		if (cursor->short_by == 0)
			cursor->short_by = n - gprofx_left(cursor);
		return NULL;
	}
	bytes = cursor->bytes + cursor->at;
	cursor->at += n;
	return bytes;
}

/* Four bytes as a number, written so that compilers make it one load. */
static inline uint32_t
gprofx_word_at(const uint8_t *bytes, bool big_endian)
{
	uint32_t little = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	                  (uint32_t)bytes[3] << 24;
	uint32_t big = (uint32_t)bytes[3] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[1] << 16 |
	               (uint32_t)bytes[0] << 24;

	return big_endian ? big : little;
}

/* An unsigned number of 1 to 8 bytes at a place that is known to hold them. */
static inline uint64_t
gprofx_number_at(const uint8_t *bytes, uint32_t n, bool big_endian)
{
	uint64_t value = 0;

	if (n == 4)
		return gprofx_word_at(bytes, big_endian);
	if (n == 8)
		return (uint64_t)gprofx_word_at(bytes + (big_endian ? 4 : 0), big_endian) |
		       (uint64_t)gprofx_word_at(bytes + (big_endian ? 0 : 4), big_endian) << 32;
	for (uint32_t i = 0; i < n; i++)
		value |= (uint64_t)bytes[i] << 8 * (big_endian ? n - 1 - i : i);
	return value;
}

/* The next unsigned number of n (1 to 8) bytes in the cursor's byte order; 0 past the end. */
static inline uint64_t
gprofx_number(struct gprofx_cursor *cursor, uint32_t n)
{
	const uint8_t *bytes = gprofx_take(cursor, n);

	return bytes ? gprofx_number_at(bytes, n, cursor->big_endian) : 0;
}

/* An address of n bytes as the target keeps it: sign-extended where the target does so. */
static inline uint64_t
gprofx_address_at(const uint8_t *bytes, const struct gprofx_target *target)
{
	uint64_t value = gprofx_number_at(bytes, target->pointer_bytes, target->big_endian);

	if (target->sign_extends && target->pointer_bytes == 4)
		value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
	return value;
}

/* The next address of the target's size and byte order; 0 past the end. */
static inline uint64_t
gprofx_take_address(struct gprofx_cursor *cursor, const struct gprofx_target *target)
{
	const uint8_t *bytes = gprofx_take(cursor, target->pointer_bytes);

	return bytes ? gprofx_address_at(bytes, target) : 0;
}

#ifdef __cplusplus
}
#endif

#endif

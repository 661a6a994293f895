/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libgprofx: reports of profiles for other programs.
 *
 * gprofx_analyse() reads a program and its profiles and computes all figures; the report that it
 * makes is the one that emitters get, see report.h.  Link with -lgprofx, or ask pkg-config for
 * "gprofx".
 *
 *     const char *profile = "gmon.out";
 *     struct gprofx_request request = {
 *             .size = sizeof request, .image = "a.out", .profiles = &profile, .profile_count = 1,
 *             .parts = GPROFX_PART_FLAT};
 *     struct gprofx_analysis *analysis = gprofx_analyse(&request);
 *     const struct gprofx_report *report = gprofx_analysis_report(analysis);
 *
 * Growth.  As for plugins: structs start with their size and only grow at the end; members that the
 * caller does not know are zero.
 *
 * Threads.  The library has no state of its own: any number of analyses can be made and live at the
 * same time, each used by one thread at a time.
 *
 * Files are read in place.  If a file is truncated while it is being read, the system sends SIGBUS;
 * a program that has to survive this catches it.  Nothing is printed, and no signal, locale or
 * working directory is changed.  Modules of plugins stay loaded until the process ends.
 */
#ifndef GPROFX_GPROFX_H
#define GPROFX_GPROFX_H

#include <gprofx/report.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

enum gprofx_severity { GPROFX_WARNING = 1, GPROFX_ERROR = 2 };

/* A message for the user.  Lifetime: call. */
struct gprofx_message {
	uint32_t size;
	enum gprofx_severity severity;
	const char *text;  /* what was expected and what was found; one sentence */
	const char *doing; /* what was being done, "reading x with input-y", or NULL */
	const struct gprofx_diagnostic *diagnostic; /* its permanent id, place and hint */
};

/* A report to be written by an emitter. */
struct gprofx_request_output {
	const char *format; /* as the word after --output= */
	const char *file;   /* written completely or not at all; NULL: to gprofx_request.write */
};

/* Profiles to be reported beside others, in columns of their own: see struct gprofx_run. */
struct gprofx_request_run {
	uint32_t size;               /* rows are as far apart as the first one says */
	const char *label;           /* what distinguishes it from other runs; NULL: "" */
	const char *const *profiles; /* profile_count names, as those of the request */
	uint32_t profile_count;
};

enum { GPROFX_RUNS_AT_MOST = 64 }; /* in a request, the first one included */

/* Options of a request: bits. */
enum gprofx_request_flag {
	/* The figures of GNU gprof, without gprofx's corrections; see gprofx-corrections(7). */
	GPROFX_REQUEST_AS_GPROF = 1,
	GPROFX_REQUEST_BY_LINE = 2,      /* as -l */
	GPROFX_REQUEST_STATIC_CALLS = 4, /* as -c */
	GPROFX_REQUEST_NO_STATIC = 8,    /* as -a */
	GPROFX_REQUEST_UNUSED = 16,      /* as -z */
	GPROFX_REQUEST_MANGLED = 32,     /* names as in the symbol table */
	GPROFX_REQUEST_KEEP_GOING = 64,  /* profiles that cannot be read are left out */
	GPROFX_REQUEST_FINDINGS = 128 /* causes of suspicious numbers, and GPROFX_PART_FINDINGS */
};

/*
 * What to analyze.  Unset members are zero.  Everything is copied except "opaque", which has to
 * live as long as the analysis.
 */
struct gprofx_request {
	uint32_t size;  /* sizeof (struct gprofx_request) as the caller knows it */
	uint32_t flags; /* enum gprofx_request_flag */
	const char
		*image; /* the program; NULL: none, the profiles name their functions themselves */
	/* profile_count names of profiles, or of folders of profiles; "-": standard input */
	const char *const *profiles;
	uint32_t profile_count;
	/*
	 * The parts of the report to make: enum gprofx_report_part.  The report has no other parts,
	 * as for an emitter.
	 */
	uint32_t parts;
	const char *reader; /* format of the profiles, as for -O; NULL: detect it */
	const char *config; /* a file of settings, see gprofx-config(5); NULL: none is read */
	/*
	 * plugin_folder_count absolute names of folders with plugins, searched before the one that
	 * belongs to the library.
	 */
	const char *const *plugin_folders;
	uint32_t plugin_folder_count;
	uint32_t plugin_count;
	const char *const *plugins; /* plugin_count names or files of plugins, as --plugin= */
	const struct gprofx_request_output *outputs; /* output_count, written in this order */
	uint32_t output_count;
	uint32_t threads; /* at most; 0: as many as the machine has processors */

	void *opaque; /* first argument of the functions below */
	/*
	 * Receives messages, in the thread of gprofx_analyse() while it runs.  NULL: messages are
	 * lost.
	 */
	void (*tell)(void *opaque, const struct gprofx_message *message);
	/*
	 * Receives outputs that have no file; returns 0, or an errno value that ends the output.
	 * Required if there is such an output.
	 */
	int (*write)(void *opaque, const void *bytes, size_t count);
	/* The contexts to make: enum gprofx_context_need; 0: none. */
	uint32_t contexts;
	/*
	 * What the part "slices" of the report splits values by: enum gprofx_slice_kind; 0:
	 * nothing.  It has no values where no profile says to what they belong.
	 */
	uint32_t slices;

	/*
	 * Runs of the same program beside the first one, which is that of "profiles" and has this
	 * label, or NULL.  The report has nodes and arcs of all of them, and columns for each; only
	 * emitters that show several runs can be outputs then.  Per-file statistics are of one run
	 * alone: they cannot be asked for.
	 */
	const char *label;
	const struct gprofx_request_run *further_runs;
	uint32_t further_run_count;

	/*
	 * A partial profile (see gprofx_serialize()) that the profiles have to agree with, as if it
	 * had been read before them: that of the first of all files makes sure that each process
	 * accepts and refuses the files that one process would.  None of its numbers count.  NULL:
	 * there is none.  It is not copied, and not used any more once the call has returned.
	 */
	const struct gprofx_bytes *base;
};

struct gprofx_analysis;

/*
 * Reads, computes, and writes the outputs.  NULL: it failed, and reported at least one message of
 * severity GPROFX_ERROR; files of outputs are complete or were not touched.  A profile that
 * GPROFX_REQUEST_KEEP_GOING leaves out is reported in the same way, and the analysis is that of the
 * others.
 */
GPROFX_EXPORT struct gprofx_analysis *gprofx_analyse(const struct gprofx_request *request);

/* The report.  It lives as long as the analysis. */
GPROFX_EXPORT const struct gprofx_report *
gprofx_analysis_report(const struct gprofx_analysis *analysis);

/* Frees the analysis, its report and all that these refer to.  NULL is allowed. */
GPROFX_EXPORT void gprofx_analysis_end(struct gprofx_analysis *analysis);

/*
 * Partial profiles: what several processes or machines have read of the files of one program, to be
 * added up before there is a report.
 *
 *     each:   partial = gprofx_serialize(&request_of_its_files);
 *             bytes = gprofx_partial_bytes(partial, &length);  ... to be passed on ...
 *     maybe:  gprofx_merge(&request, rows, count), whose bytes are passed on again
 *     last:   analysis = gprofx_finish(&request, rows, count);
 *
 * Merged in the order of their files, in whatever groups, they make the report that
 * gprofx_analyse() makes of all files in this order, byte for byte: sums are exact.  (Only copies
 * of counters in files of forked children are found among the files of one request alone.)
 *
 * The bytes are of this version of the library, whose number, length and checksum are checked when
 * they are read, and so are all numbers in them: bytes that are damaged or hostile are refused, in
 * time and memory that their length justifies.  They are the same on all machines.  All requests
 * must name the same program, in the same build, and the same options, parts, slices and outputs;
 * those of gprofx_serialize() and gprofx_merge() write no outputs.
 */
struct gprofx_partial;

/* The bytes of a partial profile, which stay the caller's. */
struct gprofx_bytes {
	uint32_t size;    /* rows are as far apart as the first one says */
	const char *name; /* for messages: where they are from; NULL: "partial profile" */
	const void *bytes;
	uint64_t length; /* of them */
};

/*
 * Reads the profiles of the request as one partial profile.  NULL: it failed, and reported at least
 * one message of severity GPROFX_ERROR.  With GPROFX_REQUEST_KEEP_GOING profiles that cannot be
 * read are left out, and reported.
 */
GPROFX_EXPORT struct gprofx_partial *gprofx_serialize(const struct gprofx_request *request);

/*
 * Adds up partial profiles, at least one, in this order, as one.  Profiles of the request, if there
 * are any, are read before.  NULL: as above.
 */
GPROFX_EXPORT struct gprofx_partial *
gprofx_merge(const struct gprofx_request *request, const struct gprofx_bytes *partials,
             uint32_t count);

/* The same, to a report, as gprofx_analyse(): the rows have to last until this returns. */
GPROFX_EXPORT struct gprofx_analysis *
gprofx_finish(const struct gprofx_request *request, const struct gprofx_bytes *partials,
              uint32_t count);

/* The bytes, which live as long as the partial profile; *length is set to their number. */
GPROFX_EXPORT const void *
gprofx_partial_bytes(const struct gprofx_partial *partial, uint64_t *length);

/* Frees a partial profile.  NULL is allowed. */
GPROFX_EXPORT void gprofx_partial_end(struct gprofx_partial *partial);

/* The version of the library, "1.2.3".  Static. */
GPROFX_EXPORT const char *gprofx_version(void);

#ifdef __cplusplus
}
#endif

#endif

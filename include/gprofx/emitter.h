/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emitters (output-*): write the report in one form.
 *
 * An emitter declares what it needs of the report, and gets the finished, read-only report
 * (report.h) with that and a writer.  It opens no file and checks no write: the writer keeps the
 * first failure and the host reports it with the name of the file.
 */
#ifndef GPROFX_EMITTER_H
#define GPROFX_EMITTER_H

#include <string.h>

#include <gprofx/report.h> /* IWYU pragma: export */
#include <gprofx/text.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gprofx_writer;

/* Services that belong to a writer. */
struct gprofx_writer_services {
	uint32_t size;
	/* Makes sure that at least GPROFX_WRITER_ROOM bytes are free. */
	void (*make_room)(struct gprofx_writer *writer);
	/* Writes a block of any length. */
	void (*put)(struct gprofx_writer *writer, const void *bytes, size_t count);
	/* As printf. */
	void (*format)(struct gprofx_writer *writer, const char *format, ...) GPROFX_PRINTF(2, 3);
	/* The bytes of printf("%*.*f", width, precision, value), much faster; precision 0 … 3. */
	void (*fixed)(struct gprofx_writer *writer, double value, int width, int precision);
	/* The bytes of printf("%*lu"), or of printf("%-*lu") with a negative width. */
	void (*number)(struct gprofx_writer *writer, uint64_t value, int width);
	/*
	 * Starts a listing: writes a form feed and a newline if the file already has a listing.
	 */
	void (*separator)(struct gprofx_writer *writer);
	/*
	 * Whether the output may have escape sequences for colors.  They change how bytes look,
	 * never which ones are written or where.
	 */
	bool (*takes_color)(const struct gprofx_writer *writer);
	/*
	 * Starts another file beside the report, in the working directory unless the name has
	 * folders.  It appears under its name when it is closed.  It never replaces an input of the
	 * run or another output.  Returns NULL after a warning that it cannot be written.
	 */
	struct gprofx_writer *(*open)(struct gprofx_writer *writer, const char *name);
	/*
	 * Closes such a file; call it before opening the next one.  keep: the file is complete;
	 * otherwise it is removed.  Returns GPROFX_FAILED after a warning that it could not be
	 * written.
	 */
	enum gprofx_result (*close)(struct gprofx_writer *file, bool keep);
	/*
	 * Writes text of unknown origin that is not part of the report, such as a line of a source
	 * file.  Tabs are kept, and each byte that is not printable becomes \xNN, unless texts are
	 * written unchanged: see GPROFX_EMITTER_BYTES.
	 */
	void (*text)(struct gprofx_writer *writer, const char *bytes, size_t count);
};

#define GPROFX_WRITER_ROOM 512

/* Where output goes.  Members after the first three belong to the host. */
struct gprofx_writer {
	char *at, *end; /* free room in the buffer */
	const struct gprofx_writer_services *services;
};

/* What the host has to know about an emitter before it writes: bits. */
enum gprofx_emitter_trait {
	/* It writes a document for programs, which has to be alone in its file. */
	GPROFX_EMITTER_ALONE = 1,
	/*
	 * It escapes texts of unknown origin itself, such as names, and gets their bytes unchanged.
	 * Other emitters get \xNN for each byte of a control character, an invisible character, or
	 * anything that is not UTF-8; but not in GNU mode, or if the user asked for the bytes.
	 */
	GPROFX_EMITTER_BYTES = 2,
	/* It writes nothing but files beside the report. */
	GPROFX_EMITTER_BESIDE = 4,
	/* It shows all runs of a report.  Other emitters never get a report of several runs. */
	GPROFX_EMITTER_RUNS = 8,
	/*
	 * It can show a comparison: then report->comparison is there, if it has
	 * GPROFX_PART_COMPARISON in "parts" or "also", and of the others only origin, functions,
	 * compatibility and, if it needs them, graph and contexts, as struct
	 * gprofx_report_comparison has them.  Other emitters never get one.
	 */
	GPROFX_EMITTER_COMPARES = 16
};

/* What an emitter needs.  The host refuses bits that it does not know. */
struct gprofx_needs {
	uint32_t size;
	uint32_t parts;  /* enum gprofx_report_part: the host makes these for the emitter */
	uint32_t also;   /* enum gprofx_report_part: the emitter shows these if they are made */
	uint32_t traits; /* enum gprofx_emitter_trait */
	/* enum gprofx_context_need: the host makes these contexts for the emitter; 0: none */
	uint32_t contexts;
	/*
	 * enum gprofx_slice_kind: report->slices has values by these.  Profiles without any of
	 * them are an error.
	 */
	uint32_t slices;
	/*
	 * enum gprofx_slice_kind: report->slices has values by these, and by those of "slices", if
	 * a profile has any of them; otherwise it is NULL.
	 */
	uint32_t slices_if_any;
	/*
	 * GPROFX_PART_PER_FILE, GPROFX_PART_FILE_VALUES: the host makes these where the user names
	 * several profiles, or a folder of them, and their files can be distinguished; otherwise
	 * they are as in "also".  Those that another emitter gets for this reason are not shown to
	 * emitters that have them in "also".  They cannot be distinguished in a report of several
	 * runs, without a program, with call stacks, with images of other code, or if a file has
	 * too many histograms: files->labelled is NULL then.
	 */
	uint32_t parts_if_several;
};

/* What a profile can have: bits. */
enum gprofx_profile_data {
	GPROFX_DATA_TIMES = 1,  /* a histogram */
	GPROFX_DATA_CALLS = 2,  /* arcs that were recorded, seen on stacks, or found in the code */
	GPROFX_DATA_COUNTS = 4, /* numbers of calls, even if 0; stacks alone have none */
	/*
	 * Counts of lines of source: those of compilers' counters or, in a report by line, of basic
	 * blocks.
	 */
	GPROFX_DATA_LINES = 8
};

enum { GPROFX_LISTINGS_AT_MOST = 32 }; /* of one emitter */

/*
 * A listing: a table with a fixed place among the tables on standard output, whatever the order in
 * which they are asked for.  It is written there once.
 */
struct gprofx_listing {
	uint32_t size;
	uint32_t data;    /* enum gprofx_profile_data that the listing requires */
	const char *name; /* a word, for messages about the plugin; static; required */
	/*
	 * For the error where the profile lacks the data: "expected a histogram for SUBJECT, found
	 * none", and what the user can do about it.  Static; required with data.
	 */
	const char *subject, *hint;
	/*
	 * Listings are ordered by place; those with the same place, as they were asked for.  gprofx
	 * has the summary at 50, the files at 100, the flat profile at 200, the call graph at 300,
	 * its index at 400, execution counts at 500, times per file at 600, annotated source at
	 * 700, and orders for the linker at 800.
	 */
	int32_t place;
	int32_t traditional_place; /* with -T; 0: the same */
};

/* One call of an emitter. */
struct gprofx_emission {
	uint32_t size;
	/*
	 * What to write: bits, 1 << i for row i of the emitter's listings.  All of them, but on
	 * standard output, where an emitter is called once for listings that follow each other.
	 */
	uint32_t listings;
	/* Origin, functions, compatibility, and what the emitter's needs name; see report.h. */
	const struct gprofx_report *report;
	struct gprofx_writer *writer;
};

struct gprofx_emitter {
	uint32_t size;
	const char *format;    /* the word after --output=; static; required */
	const char *extension; /* of a file in this form, without the dot; static */
	/* Writes.  Required. */
	enum gprofx_result (*emit)(struct gprofx *gx, const struct gprofx_emission *emission,
	                           const void *options);
	/* What it needs; static.  NULL: neither parts nor traits. */
	const struct gprofx_needs *needs;
	/*
	 * Sets what it needs with these options, in place of "needs"; or NULL.  The host has set
	 * the size, and all else to 0.  Called before a profile is read.
	 */
	void (*needs_with)(const void *options, struct gprofx_needs *needs);
	/*
	 * Its listings, at most GPROFX_LISTINGS_AT_MOST; static; rows are as far apart as their
	 * size says.  Without any, its output follows all listings, as often as it is asked for.  A
	 * listing of an emitter that needs nothing but GPROFX_PART_FILES is written before all
	 * others, as soon as the files are read, even if the run then fails.
	 */
	const struct gprofx_listing *listings;
	uint32_t listing_count;
};

/* Short forms. */

static inline void
gprofx_put(struct gprofx_writer *writer, const char *bytes, size_t count)
{
	if (count > (size_t)(writer->end - writer->at)) {
		writer->services->put(writer, bytes, count);
		return;
	}
	memcpy(writer->at, bytes, count);
	writer->at += count;
}

static inline void
gprofx_puts(struct gprofx_writer *writer, const char *text)
{
	gprofx_put(writer, text, strlen(text));
}

static inline void
gprofx_putc(struct gprofx_writer *writer, char c)
{
	gprofx_put(writer, &c, 1);
}

/* Writes what is not printable as \xNN for each byte. */
static inline void
gprofx_put_printable(struct gprofx_writer *writer, const char *bytes, size_t count)
{
	for (;;) {
		size_t length = gprofx_printable(bytes, count);
		char escaped[4];

		gprofx_put(writer, bytes, length);
		if (length == count)
			return;
		gprofx_escape(escaped, bytes[length]);
		gprofx_put(writer, escaped, sizeof escaped);
		bytes += length + 1;
		count -= length + 1;
	}
}

static inline void
gprofx_blanks(struct gprofx_writer *writer, size_t count)
{
	static const char blanks[] =
		"                                                                ";
	enum { PIECE = sizeof blanks - 1 };

	/* If there is room, a piece of constant length is copied, even if less of it is kept. */
	for (; count >= PIECE; count -= PIECE)
		gprofx_put(writer, blanks, PIECE);
	if (writer->end - writer->at < PIECE) {
		gprofx_put(writer, blanks, count);
		return;
	}
	memcpy(writer->at, blanks, PIECE);
	writer->at += count;
}

#define gprofx_out(writer, ...) ((writer)->services->format((writer), __VA_ARGS__))

/* What follows the name of a node: its cycle, then the number of its entry. */
static inline void
gprofx_put_place(struct gprofx_writer *writer, const struct gprofx_report *report, uint32_t node)
{
	const struct gprofx_report_graph *graph = report->graph;

	if (node < report->functions->count && graph->cycle[node] != 0) {
		gprofx_puts(writer, " <cycle ");
		writer->services->number(writer, graph->cycle[node], 0);
		gprofx_putc(writer, '>');
	}
	if (graph->index[node] != 0) {
		bool shown = (graph->flags[node] & GPROFX_NODE_SHOWN) != 0;

		gprofx_puts(writer, shown ? " [" : " (");
		writer->services->number(writer, graph->index[node], 0);
		gprofx_putc(writer, shown ? ']' : ')');
	}
}

/* The name of a node, then its cycle, then the number of its entry: "f <cycle 1> [4]". */
static inline void
gprofx_put_reference(struct gprofx_writer *writer, const struct gprofx_report *report,
                     uint32_t node)
{
	struct gprofx_text name = report->services->name(report, node);

	gprofx_put(writer, name.bytes, name.length);
	gprofx_put_place(writer, report, node);
}

#ifdef __cplusplus
}
#endif

#endif

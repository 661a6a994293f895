/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source with what is known about them, and their text as far as there is room. */
#ifndef OUTPUT_HTML_SOURCE_H
#define OUTPUT_HTML_SOURCE_H

#include <gprofx/emitter.h>

#include "../shared/find-source.h"
#include "../shared/kept.h"
#include "values.h"
#include "nodes.h"
#include "parts.h"

/* Whose text the page has. */
enum source_mode {
	SOURCE_ALL,  /* of all files with functions */
	SOURCE_HOT,  /* of files with time or counts; of large ones, around these lines */
	SOURCE_NONE, /* of none, and nothing about lines */
};

/* A file of the report with data, or with lines that the page has links to. */
struct source_file {
	const char *name;
	uint32_t first, end;        /* its rows of gprofx_report_source.line; equal: it has none */
	uint32_t link, link_end;    /* its lines of source.link */
	double ticks, linked_ticks; /* of its rows, and of what the links are for */
	double most_total;          /* the largest of a row; 0: not known */
	uint32_t lines;             /* that ran, or took time */
	uint32_t path;              /* its row of the texts */
	/* Of its text, once it was looked for. */
	bool is_found;
	bool is_left;          /* its text was left out for size */
	const char *tried;     /* where it was looked for, if it was not found, or NULL */
	uint32_t line_count;   /* lines that it has; 0: not known */
	size_t text, text_end; /* where its text is in "kept"; equal: nowhere */
};

struct source {
	struct gprofx *gx;
	const struct gprofx_report *report;
	enum source_mode mode;
	uint64_t room; /* bytes of text that there is still room for */
	struct finder finder;
	struct parts_line *link; /* by file and line */
	uint32_t link_count;
	struct source_file *files; /* the heaviest first */
	uint32_t count;
	struct kept kept;    /* text of all files, as data */
	uint32_t shown;      /* files whose text the page has */
	uint32_t lost;       /* files that were not found */
	uint32_t left;       /* files whose text was left out for size */
	uint64_t left_bytes; /* of text that were left out for size */
};

/* What the user asked for. */
struct source_choice {
	enum source_mode mode;
	uint64_t most;              /* bytes of text */
	const char *folders, *maps; /* as for finder_begin() */
};

/*
 * Lists the files, and chooses what is shown of their texts, with the lines of the parts.  Can
 * fail as finder_begin() does.
 */
enum gprofx_result source_begin(struct source *source, const struct nodes *nodes,
                                const struct parts *parts, const struct source_choice *choice);

/* Adds the paths to the table of texts. */
void source_add_texts(struct source *source, struct strings *texts);

/* The member of the page's data. */
void source_put(const struct source *source, const struct strings *texts, struct values *c);

void source_release(struct source *source);

#endif

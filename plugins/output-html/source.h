/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source with what is known about them, and their text as far as there is room. */
#ifndef OUTPUT_HTML_SOURCE_H
#define OUTPUT_HTML_SOURCE_H

#include <gprofx/emitter.h>

#include "../shared/find-source.h"
#include "../shared/kept.h"
#include "values.h"
#include "nodes.h"

/* Whose text the page has. */
enum source_mode {
	SOURCE_ALL,  /* of all files with functions */
	SOURCE_HOT,  /* of files with time or counts; of large ones, around these lines */
	SOURCE_NONE, /* of none, and nothing about lines */
};

/* A file of the report with data. */
struct source_file {
	uint32_t file;       /* number in the report */
	uint32_t first, end; /* its rows of gprofx_report_source.line */
	double ticks;
	uint32_t lines; /* that ran, or took time */
	uint32_t path;  /* its row of the texts */
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
	struct source_file *files; /* the heaviest first */
	uint32_t count;
	struct kept kept;    /* text of all files, as data */
	uint32_t shown;      /* files whose text the page has */
	uint32_t lost;       /* files that were not found */
	uint32_t left;       /* files whose text was left out for size */
	uint64_t left_bytes; /* of text that were left out for size */
};

/*
 * Lists the files, and chooses what is shown of their texts.  most: bytes of it; folders and maps
 * as for finder_begin(), which can fail.
 */
enum gprofx_result
source_begin(struct source *source, const struct nodes *nodes, enum source_mode mode, uint64_t most,
             const char *folders, const char *maps);

/* Adds the paths to the table of texts. */
void source_add_texts(struct source *source, struct strings *texts);

/* The member of the page's data. */
void source_put(const struct source *source, const struct strings *texts, struct values *c);

void source_release(struct source *source);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A report as Markdown: what its parts share. */
#ifndef OUTPUT_MARKDOWN_MARKDOWN_H
#define OUTPUT_MARKDOWN_MARKDOWN_H

#include <gprofx/emitter.h>

#include "../shared/names.h"

struct markdown_options {
	bool all;
	uint32_t names; /* enum name_form */
	int64_t top;    /* 0: all */
};

struct markdown {
	struct gprofx *gx;
	const struct gprofx_report *report;
	struct gprofx_writer *w;
	const struct markdown_options *options;
	struct names names;
};

/* Texts, in text.c. */

/* A sentence: what Markdown would act on is escaped. */
void markdown_put_prose(struct markdown *m, const char *text);

/*
 * A text of unknown origin, such as a name, as code, also in a cell of a table: whatever is in it
 * is shown as it is, and neither mentions nor links anybody.
 */
void markdown_put_code(struct markdown *m, struct gprofx_text text);

/* The same of a word that ends with a zero byte. */
void markdown_put_word(struct markdown *m, const char *word);

/* A metric or its unit: a profile states them, but most are words, which need no marks. */
void markdown_put_term(struct markdown *m, const char *word);

/* The name of a function, in the form that the options request. */
void markdown_put_name(struct markdown *m, uint32_t node);

/* Below a table, if rows were left out: how many of the functions. */
void markdown_put_beyond(struct markdown *m, uint32_t count);

/* How many of the rows of a table the option "top" leaves. */
uint32_t markdown_rows(const struct markdown *m, uint32_t count);

/* compared.c: a comparison. */
void markdown_put_comparison(struct markdown *m);

/* functions.c: the heaviest functions. */
void markdown_put_functions(struct markdown *m);

#endif

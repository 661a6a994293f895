/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as the page's data has it: objects, and columns of numbers and texts. */
#ifndef OUTPUT_HTML_COLUMNS_H
#define OUTPUT_HTML_COLUMNS_H

#include <gprofx/emitter.h>

struct columns {
	struct gprofx_writer *w;
	bool has_before; /* a comma has to stand before the next value */
};

/* The next member of an object; its value follows. */
void columns_key(struct columns *c, const char *key);

/* An object '{' or a column '[', and its end. */
void columns_open(struct columns *c, char bracket);
void columns_close(struct columns *c, char bracket);

void columns_null(struct columns *c);
void columns_bool(struct columns *c, bool value);
void columns_count(struct columns *c, uint64_t value);
/* -1 in place of a number that there is none of. */
void columns_index(struct columns *c, uint32_t value, uint32_t none);
/* A value with at most nine significant digits. */
void columns_real(struct columns *c, double value);
/* NULL: null. */
void columns_text(struct columns *c, const char *text);
void columns_texts(struct columns *c, const char *bytes, size_t count);

/* A number of calls; -1: not known. */
void columns_calls(struct columns *c, const struct gprofx_call_column *column, uint64_t calls);

#endif

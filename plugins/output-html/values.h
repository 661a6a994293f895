/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as the page's data has it: objects, and columns of numbers and texts. */
#ifndef OUTPUT_HTML_VALUES_H
#define OUTPUT_HTML_VALUES_H

#include <gprofx/emitter.h>

struct values {
	struct gprofx_writer *w;
	bool has_before; /* a comma has to stand before the next value */
};

/* The next member of an object; its value follows. */
void values_key(struct values *c, const char *key);

/* An object '{' or a column '[', and its end. */
void values_open(struct values *c, char bracket);
void values_close(struct values *c, char bracket);

void values_null(struct values *c);
void values_bool(struct values *c, bool value);
void values_count(struct values *c, uint64_t value);
/* -1 in place of a number that there is none of. */
void values_index(struct values *c, uint32_t value, uint32_t none);
/* A value with at most nine significant digits. */
void values_real(struct values *c, double value);
/* NULL: null. */
void values_text(struct values *c, const char *text);
void values_texts(struct values *c, const char *bytes, size_t count);

/* A number of calls; -1: not known. */
void values_calls(struct values *c, const struct gprofx_call_column *column, uint64_t calls);

#endif

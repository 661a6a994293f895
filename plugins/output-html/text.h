/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of unknown origin in the page.  What is not printable becomes \xNN for each byte: controls,
 * invisible characters and those that change the direction of text among them.
 */
#ifndef OUTPUT_HTML_TEXT_H
#define OUTPUT_HTML_TEXT_H

#include <gprofx/emitter.h>

/* As text of an element, or inside the quotes of an attribute. */
void text_put_html(struct gprofx_writer *w, const char *bytes, size_t count);
void text_puts_html(struct gprofx_writer *w, const char *text);

/*
 * As a string of JSON, with its quotes, in which nothing ends the element that it is in.  Tabs are
 * kept.
 */
void text_put_json(struct gprofx_writer *w, const char *bytes, size_t count);
/* The same as part of such a string, which has the quotes. */
void text_put_part(struct gprofx_writer *w, const char *bytes, size_t count);

#endif

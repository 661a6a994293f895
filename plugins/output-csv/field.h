/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in fields. */
#ifndef PLUGINS_OUTPUT_CSV_FIELD_H
#define PLUGINS_OUTPUT_CSV_FIELD_H

#include <gprofx/emitter.h>

/*
 * Text of unknown origin, always quoted.  What is not printable becomes \xNN for each byte, so that
 * the file is UTF-8; the ends of lines may stand between quotes as they are.  defuses: an
 * apostrophe is put before what spreadsheets would take for a formula.
 */
void field_put_text(struct gprofx_writer *w, const char *bytes, size_t length, bool defuses);

#endif

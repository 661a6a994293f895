/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of unknown origin as JSON strings, with their quotes. */
#ifndef OUTPUT_JSON_QUOTED_H
#define OUTPUT_JSON_QUOTED_H

#include <gprofx/emitter.h>

/* Whether the text can be a JSON string as it is. */
bool quoted_is_utf8(struct gprofx_text text);

/* Such a text. */
void quoted_put(struct gprofx_writer *writer, struct gprofx_text text);

/* Any text: bytes that are not UTF-8 as \xNN. */
void quoted_put_escaped(struct gprofx_writer *writer, struct gprofx_text text);

/* All bytes in base64. */
void quoted_put_base64(struct gprofx_writer *writer, struct gprofx_text text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of many texts that are alike, as names of templates and paths are: each word of them
 * once, and numbers of words.
 */
#ifndef OUTPUT_HTML_WORDS_H
#define OUTPUT_HTML_WORDS_H

#include <gprofx/emitter.h>

#include "values.h"

/*
 * The member of this key is a column of these texts; data.md has the form.  With blocks, a page can
 * read some of them and leave the others.
 */
void words_put(struct values *c, struct gprofx *gx, const char *key,
               const struct gprofx_text *texts, uint32_t count, bool with_blocks);

#endif

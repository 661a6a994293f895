/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a source file by lines. */
#ifndef OUTPUT_HTML_LINES_H
#define OUTPUT_HTML_LINES_H

#include <gprofx/emitter.h>

#include "values.h"

enum {
	LINES_MOST_BYTES = 1 << 25, /* of a file; what is larger is not read */
	LINES_LONGEST = 4096        /* bytes; of what is longer, the beginning is shown */
};

struct lines {
	struct gprofx *gx;
	char *text;
	size_t length;
	size_t *start; /* of each line, and at last the length */
	uint32_t count;
};

/* Reads the file; false: it is too large, or cannot be read. */
bool lines_read(struct lines *lines, struct gprofx *gx, int descriptor);
void lines_release(struct lines *lines);

/* What lines come to: bytes that they take in the page, and bytes of the file that these show. */
struct lines_size {
	uint64_t cost, shown;
};

/* That of lines from "first" (from 0) up to "end". */
struct lines_size lines_size(const struct lines *lines, uint32_t first, uint32_t end);

/* These lines as a column of texts. */
void lines_put_values(const struct lines *lines, struct values *c, uint32_t first, uint32_t end);

#endif

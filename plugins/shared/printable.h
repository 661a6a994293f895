/* SPDX-License-Identifier: Apache-2.0 */
/* Text of unknown origin. */
#ifndef PLUGINS_SHARED_PRINTABLE_H
#define PLUGINS_SHARED_PRINTABLE_H

#include <string.h>

#include <gprofx/emitter.h>

/* Writes it with its tabs; each other byte that is not printable becomes \xNN. */
static inline void
put_printable_text(struct gprofx_writer *w, const char *bytes, size_t count)
{
	const char *end = bytes + count;

	for (;;) {
		const char *tab = memchr(bytes, '\t', (size_t)(end - bytes));

		gprofx_put_printable(w, bytes, (size_t)((tab ? tab : end) - bytes));
		if (!tab)
			return;
		gprofx_putc(w, '\t');
		bytes = tab + 1;
	}
}

#endif

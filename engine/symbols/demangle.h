/* SPDX-License-Identifier: Apache-2.0 */
/* Mangled names to source names. */
#ifndef ENGINE_SYMBOLS_DEMANGLE_H
#define ENGINE_SYMBOLS_DEMANGLE_H

#include <string.h>

#include "engine.h"

/* Growing text outside the run's memory, so that threads can use it. */
struct demangle_text {
	char *bytes; /* from malloc() */
	size_t length, room;
	bool failed; /* out of memory */
	/* Bytes that attempts made and that were taken back, for who has a budget. */
	size_t wasted;
};

/* Makes room for more bytes; without memory for them nothing is appended and "failed" is set. */
bool demangle_reserve(struct demangle_text *text, size_t count);

/* Appends bytes, which are not the text's own, if there is memory for them. */
static inline bool
demangle_add(struct demangle_text *text, const char *bytes, size_t count)
{
	if (text->failed || (text->room - text->length < count && !demangle_reserve(text, count)))
		return false;
	if (count > 0)
		memcpy(text->bytes + text->length, bytes, count);
	text->length += count;
	return true;
}

/*
 * Appends the demangled form of a name; what was there stays.  False: the name is shown as it is,
 * and nothing was appended.  Thread-safe; each thread has a text of its own.
 */
bool demangle(enum engine_demangling style, const char *name, struct demangle_text *text);

/*
 * As demangle(), for a symbol of the table as the settings want it shown: without the underscore
 * that the table's format puts in front of names of C, too.
 */
bool demangle_symbol(const struct engine_settings *settings, const struct gprofx_symtab *table,
                     const char *name, struct demangle_text *text);

/* The same without arguments of functions, as perf writes names: "ns::f" for "ns::f(int)". */
bool demangle_short(const struct engine_settings *settings, const struct gprofx_symtab *table,
                    const char *name, struct demangle_text *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Mangled names to source names. */
#ifndef ENGINE_SYMBOLS_DEMANGLE_H
#define ENGINE_SYMBOLS_DEMANGLE_H

#include "engine.h"
#include "gprofx/symbols.h"

/* Growing text outside the run's memory, so that threads can use it. */
struct demangle_text {
	char *bytes; /* from malloc() */
	size_t length, room;
	bool failed; /* out of memory */
};

/* Appends bytes; without memory for them nothing more is appended and "failed" is set. */
bool demangle_add(struct demangle_text *text, const char *bytes, size_t count);

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

#endif

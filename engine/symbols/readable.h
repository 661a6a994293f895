/* SPDX-License-Identifier: Apache-2.0 */
/* Names that compilers gave to parts and versions of functions, as people write them. */
#ifndef ENGINE_SYMBOLS_READABLE_H
#define ENGINE_SYMBOLS_READABLE_H

#include "base/run.h"
#include "symbols/demangle.h"
#include "symbols/symbols.h"

/* A part or version of a function, by its name. */
struct derived_name {
	const char *base; /* the function's name, not ended by a NUL; of base_length bytes */
	size_t base_length;
	const char *suffix; /* the dot that the suffix begins with; NULL: it is no such name */
	/* What the function itself goes on in, such as an OpenMP region or a coroutine's body. */
	bool is_part;
};

struct derived_name derived_name(const char *name);

/*
 * A version of a function for processors, as the GNU C library names them: "__strcmp_evex".  Only
 * the image can tell whether it is one; see symbols_is_variant().
 */
struct processor_name {
	const char *base; /* the function's name, not ended by a NUL; of base_length bytes */
	size_t base_length;
	const char *words; /* "avx512_unaligned_erms"; NULL: the name has not that form */
};

struct processor_name processor_name(const char *name);

/*
 * As demangle_symbol(), and with what such names say behind the function's name, as in "main [omp
 * 0]" or "strcmp [evex]", if that is corrected.
 */
bool readable_symbol(const struct run *run, const struct symbols *symbols, const char *name,
                     struct demangle_text *text);

/* Whether names of gfortran are shown as its sources have them, "module::procedure". */
bool readable_fortran(const struct run *run);

/*
 * Appends "module::procedure" for "__module_MOD_procedure", with what clones have behind it. False:
 * the name is no such name.
 */
bool readable_add_fortran(struct demangle_text *text, const char *raw, size_t length);

/* Bytes that names which are made of those of all images may have together in a run. */
uint64_t readable_most_text(const struct symbols *symbols);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of plugins that begin with their size in 32 bits. */
#ifndef ENGINE_BASE_SIZED_H
#define ENGINE_BASE_SIZED_H

#include "base/run.h"

/* Whose struct it is, for diagnostics. */
struct sized_source {
	const char *what;      /* names the struct at the start of a sentence */
	const char *id, *hint; /* of the diagnostic for a size that cannot be */
	const char *file;      /* or NULL */
	size_t least;          /* bytes that it has to have */
	bool ends_run;         /* a defect ends the run, as the plugin cannot go on either */
};

/*
 * Copies what the host knows of a struct, to_bytes, with zeros for members that the plugin does not
 * know.  What is set behind those that the host knows would go unheeded: nothing may be set there.
 */
enum gprofx_result sized_copy(struct run *run, const struct sized_source *source, void *to,
                              size_t to_bytes, const void *from);

#endif

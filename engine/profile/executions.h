/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions of the report those are that were counted in the source. */
#ifndef ENGINE_PROFILE_EXECUTIONS_H
#define ENGINE_PROFILE_EXECUTIONS_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

struct executions {
	/*
	 * Per function of the profile's source the one symbol that it is, or NO_SYMBOL: the image
	 * has none, as all calls were inlined, or several, as for a static function in a header.
	 */
	uint32_t *symbol;
	/* Per symbol its function in the source plus 1, or 0.  Several can have the same. */
	uint32_t *function;
	/* Per line of the source the function around it, the innermost one, plus 1, or 0. */
	uint32_t *line_function;
};

/* Sets profile->executions, if anything was counted in the source.  All input has been read. */
void executions_match(struct run *run, struct symbols *symbols, struct profile *profile);

#endif

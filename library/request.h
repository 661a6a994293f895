/* SPDX-License-Identifier: Apache-2.0 */
/* Requests, and the settings of the engine that they become. */
#ifndef LIBRARY_REQUEST_H
#define LIBRARY_REQUEST_H

#include <gprofx/gprofx.h>

#include "engine.h"

/* Copies of what the request refers to; all of it is in one list. */
struct copy {
	struct copy *next;
	_Alignas(max_align_t) char bytes[];
};

struct gprofx_analysis {
	struct gprofx_request request; /* of our size */
	struct engine_settings settings;
	struct engine_frontend frontend;
	struct engine_config config;
	uint32_t trusted_users[2]; /* whose files of settings and plugins may be used */
	struct copy *copies;
	bool failed; /* a copy could not be made */
	struct engine_analysis *engine;
	/* Partial profiles that are added, and how many of them were passed on. */
	const struct gprofx_bytes *partials;
	uint32_t partial_count, partials_passed;
	/* The one that is made; from malloc. */
	char *made;
	size_t made_bytes;
};

/* An analysis of nothing yet, with as much of the request as both sides know.  NULL: no memory. */
struct gprofx_analysis *request_begin(const struct gprofx_request *request);

/* What is wrong with the request, or NULL.  takes_partials: it needs no profiles. */
const char *request_problem(const struct gprofx_request *request, bool takes_partials);

/* Makes the settings; sets "failed". */
void request_settle(struct gprofx_analysis *analysis);

/* Reports an error to the caller of the library. */
void request_fail(const struct gprofx_analysis *analysis, const char *id, const char *text,
                  const char *hint);

#endif

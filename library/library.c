/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libgprofx: the calls of its header.  Like the engine it keeps no globals, prints nothing and
 * never ends the process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/gprofx.h>

#include "engine.h"
#include "request.h"

/* The analysis ends with a message. */
static struct gprofx_analysis *
fail(struct gprofx_analysis *analysis, const char *id, const char *text, const char *hint)
{
	request_fail(analysis, id, text, hint);
	gprofx_analysis_end(analysis);
	return NULL;
}

/* A request with its settings, or NULL after a message. */
static struct gprofx_analysis *
begin(const struct gprofx_request *request, bool takes_partials)
{
	struct gprofx_analysis *analysis = request_begin(request);
	const char *problem;

	if (!analysis)
		return NULL;
	problem = request_problem(&analysis->request, takes_partials);
	if (problem)
		return fail(analysis, "library.bad-request", problem,
		            "the members of struct gprofx_request are described in "
		            "<gprofx/gprofx.h>");
	request_settle(analysis);
	if (analysis->failed)
		return fail(analysis, "memory.exhausted",
		            "expected memory for the request, found none",
		            "give the program more memory");
	return analysis;
}

static struct gprofx_analysis *
analyse(struct gprofx_analysis *analysis)
{
	if (!analysis)
		return NULL;
	analysis->engine = engine_analyse(&analysis->settings, &analysis->frontend);
	if (analysis->engine)
		return analysis;
	gprofx_analysis_end(analysis);
	return NULL;
}

struct gprofx_analysis *
gprofx_analyse(const struct gprofx_request *request)
{
	return analyse(begin(request, false));
}

/* The rows are as far apart as the first one says. */
static const struct gprofx_bytes *
partial_at(const struct gprofx_analysis *analysis, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_bytes, analysis->partials, i);
}

static enum engine_next
pass_partial(void *opaque, struct engine_partial *partial)
{
	struct gprofx_analysis *analysis = opaque;
	const struct gprofx_bytes *next;

	if (analysis->partials_passed == analysis->partial_count)
		return ENGINE_NEXT_NONE;
	next = partial_at(analysis, analysis->partials_passed++);
	*partial = (struct engine_partial){next->name ? next->name : "partial profile", next->bytes,
	                                   next->length};
	return ENGINE_NEXT_PARTIAL;
}

static int
take_made(void *opaque, const void *bytes, size_t count)
{
	struct gprofx_analysis *analysis = opaque;
	char *grown = realloc(analysis->made, analysis->made_bytes + count + 1);

	if (!grown)
		return ENOMEM;
	memcpy(grown + analysis->made_bytes, bytes, count);
	analysis->made = grown;
	analysis->made_bytes += count;
	return 0;
}

/* A request that adds partial profiles; their bytes stay the caller's. */
static struct gprofx_analysis *
begin_with(const struct gprofx_request *request, const struct gprofx_bytes *partials,
           uint32_t count)
{
	struct gprofx_analysis *analysis = begin(request, true);
	bool lacks_any = count == 0 || !partials || partials->size < sizeof *partials;

	if (!analysis)
		return NULL;
	analysis->partials = partials;
	analysis->partial_count = count;
	for (uint32_t i = 0; !lacks_any && i < count; i++)
		lacks_any = !partial_at(analysis, i)->bytes;
	if (lacks_any)
		return fail(analysis, "library.bad-request",
		            "expected at least one partial profile, each with its bytes, found "
		            "none",
		            "struct gprofx_bytes is described in <gprofx/gprofx.h>");
	analysis->frontend.next_partial = pass_partial;
	return analysis;
}

static struct gprofx_partial *
make_partial(struct gprofx_analysis *analysis)
{
	if (!analysis)
		return NULL;
	analysis->frontend.take_partial = take_made;
	if (engine_run(&analysis->settings, &analysis->frontend))
		return (struct gprofx_partial *)analysis;
	gprofx_analysis_end(analysis);
	return NULL;
}

struct gprofx_partial *
gprofx_serialize(const struct gprofx_request *request)
{
	return make_partial(begin(request, false));
}

struct gprofx_partial *
gprofx_merge(const struct gprofx_request *request, const struct gprofx_bytes *partials,
             uint32_t count)
{
	return make_partial(begin_with(request, partials, count));
}

struct gprofx_analysis *
gprofx_finish(const struct gprofx_request *request, const struct gprofx_bytes *partials,
              uint32_t count)
{
	return analyse(begin_with(request, partials, count));
}

const void *
gprofx_partial_bytes(const struct gprofx_partial *partial, uint64_t *length)
{
	const struct gprofx_analysis *analysis = (const struct gprofx_analysis *)partial;

	*length = analysis->made_bytes;
	return analysis->made;
}

void
gprofx_partial_end(struct gprofx_partial *partial)
{
	gprofx_analysis_end((struct gprofx_analysis *)partial);
}

const struct gprofx_report *
gprofx_analysis_report(const struct gprofx_analysis *analysis)
{
	return engine_analysis_report(analysis->engine);
}

void
gprofx_analysis_end(struct gprofx_analysis *analysis)
{
	struct copy *next;

	if (!analysis)
		return;
	engine_analysis_end(analysis->engine);
	for (struct copy *copy = analysis->copies; copy; copy = next) {
		next = copy->next;
		free(copy);
	}
	free(analysis->made);
	free(analysis);
}

const char *
gprofx_version(void)
{
	return GPROFX_VERSION;
}

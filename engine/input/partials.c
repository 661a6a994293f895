/* SPDX-License-Identifier: Apache-2.0 */
/* Partial profiles among what is read. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "input/reading.h"
#include "partial/partial.h"
#include "profile/copies.h"
#include "profile/profile.h"

static enum gprofx_result
fail_no_partial(struct run *run, const struct gprofx_file *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.expected",
		.file = file->name,
		.hint = "use the same version of gprofx in all processes",
	};

	return run_fail(run, &diagnostic, "expected a partial profile, found other bytes");
}

/*
 * Adds what another run has read, behind all files before, which are added up.  is_base: it is only
 * what files have to agree with.
 */
static enum gprofx_result
add_partial(struct reading *reading, const struct gprofx_file *file, bool is_base)
{
	enum gprofx_result result;

	run_doing(reading->run, "adding %s", file->name);
	result = partial_read(reading->run, reading->profile, file, is_base);
	run_doing_nothing(reading->run);
	return result;
}

/* The same of a file, the last one that was opened. */
enum gprofx_result
reading_add_partial(struct reading *reading, const struct gprofx_file *file)
{
	struct mapped_file *own = reading->open[--reading->open_count];

	reading_add_up(reading, false);
	reading->open[reading->open_count++] = own;
	if (!reading->profile->copies)
		reading_want_copies(reading, false);
	return add_partial(reading, file, false);
}

/* Adds what the front end has from other processes; how many is known in the end. */
enum gprofx_result
reading_add_passed(struct reading *reading, uint32_t *good)
{
	struct run *run = reading->run;
	const struct engine_frontend *frontend = run->frontend;
	enum gprofx_result result = GPROFX_OK;
	struct engine_partial partial = {.name = NULL};

	reading_add_up(reading, false);
	for (;;) {
		struct gprofx_file file = {.size = sizeof file};
		enum engine_next next = frontend->next_partial(frontend->opaque, &partial);

		if (next == ENGINE_NEXT_NONE)
			return result;
		if (next == ENGINE_NEXT_FAILED) {
			run->error_count++;
			return GPROFX_FAILED;
		}
		/* It is the front end's, and ends before the run. */
		file.name = text_keep(run, partial.name, strlen(partial.name));
		file.bytes = partial.bytes;
		file.length = partial.length;
		if (!partial_is(&file))
			result = fail_no_partial(run, &file);
		else if (add_partial(reading, &file, false) != GPROFX_OK)
			result = GPROFX_FAILED;
		else
			*good += reading->profile->file_count > 0;
	}
}

enum gprofx_result
reading_add_base(struct reading *reading)
{
	const struct engine_partial *base = &reading->run->settings->base;
	const struct gprofx_file file = {.size = sizeof file,
	                                 .name = base->name,
	                                 .bytes = base->bytes,
	                                 .length = base->length};

	if (!base->bytes)
		return GPROFX_OK;
	return partial_is(&file) ? add_partial(reading, &file, true)
	                         : fail_no_partial(reading->run, &file);
}

enum gprofx_result
reading_check_copies(struct reading *reading)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.copies",
		.hint = "read the profiles of these processes in one run, or count them twice with "
			"--correct=no-forked-copies",
	};

	if (!reading->profile->has_partials || !copies_are_left(reading->run, reading->profile))
		return GPROFX_OK;
	return run_fail(reading->run, &diagnostic,
	                "expected partial profiles of separate processes, found some with the "
	                "counters of a process and of its forked children");
}

enum gprofx_result
reading_check_whole(struct reading *reading)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.does-not-fit",
		.hint = "read all profiles in one run, which leaves out those that do not fit",
	};

	if (!reading->profile->is_spoiled)
		return GPROFX_OK;
	return run_fail(reading->run, &diagnostic,
	                "expected partial profiles that fit each other, found one that does not: "
	                "no report can be made, as a part of it was added already");
}

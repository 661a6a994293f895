/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles of several objects.  A profile of a program or of a library by itself is all that a run
 * writes, since there is one timer: those of several objects are of several runs, and what part of
 * all their samples an object has depends on how long, and how often, each was run.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "base/text.h"
#include "findings/parts.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

struct object {
	const char *path, *profile; /* as they were named; one of its profiles */
	uint64_t samples;
};

/* Adds the samples of a file to those of its object. */
static void
add_file(struct object *objects, uint32_t *count, const struct symbols *symbols,
         const struct profile_file *file)
{
	const char *path = file->image ? file->image->path : symbols->image.name;
	uint32_t i = 0;

	while (i < *count && objects[i].path != path)
		i++;
	if (i == *count)
		objects[(*count)++] = (struct object){.path = path, .profile = file->name};
	sum_add(&objects[i].samples, file->samples - file->copied_samples);
}

/* The first object besides the program, which a report of its own is suggested for. */
static const struct object *
first_library(const struct symbols *symbols, const struct object *objects)
{
	return &objects[objects[0].path == symbols->image.name];
}

static void
report(struct findings *findings, const struct object *objects, uint32_t count)
{
	struct run *run = findings->run;
	const struct object *library = first_library(findings->symbols, objects);
	const char *more = "", *evidence = NULL;

	if (count > 2)
		more = text_format(run, " and %u more", count - 2);
	for (uint32_t i = 0; i < 2; i++)
		evidence = text_format(run, "%s%s%llu samples of %s", evidence ? evidence : "",
		                       evidence ? ", " : "", (unsigned long long)objects[i].samples,
		                       text_last_name(objects[i].path));
	finding_add(findings, FINDING_SEPARATE_RUNS, NULL,
	            text_format(run,
	                        "%s%s%s%s were profiled in separate runs: shares of the one and "
	                        "of the other do not compare",
	                        text_last_name(objects[0].path), count > 2 ? ", " : " and ",
	                        text_last_name(objects[1].path), more),
	            text_format(run, "%s%s; a run samples one object", evidence,
	                        count > 2 ? ", and others" : ""));
	finding_advise(findings, FINDING_SEPARATE_RUNS,
	               text_format(run,
	                           "compare functions of one object only; its own shares are shown "
	                           "by: gprofx %s %s; link the libraries statically for shares "
	                           "of one run",
	                           library->path, library->profile));
}

void
findings_inspect_objects(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	const struct symbols *symbols = findings->symbols;
	struct object *objects;
	uint32_t count = 0;

	if (symbols->image_count < 2 || profile->stacks.is_there)
		return;
	memory_array(findings->run, objects, symbols->image_count);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		/* One that has images of its own is of one run. */
		if (file->samples > file->copied_samples && !file->has_images)
			add_file(objects, &count, symbols, file);
	}
	if (count > 1)
		report(findings, objects, count);
}

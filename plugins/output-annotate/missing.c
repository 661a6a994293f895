/* SPDX-License-Identifier: Apache-2.0 */
#include "missing.h"

#include <gprofx/report.h>

#include "../shared/find-source.h"
#include "../shared/formatted.h"

void
missing_begin(struct missing *missing, struct finder *finder)
{
	const size_t count = (size_t)finder->report->origin->image_count + 1;

	*missing = (struct missing){.report = finder->report, .finder = finder};
	missing->wanted = gprofx_alloc(finder->gx, count * sizeof *missing->wanted);
	missing->count = gprofx_alloc(finder->gx, count * sizeof *missing->count);
	missing->first = gprofx_alloc(finder->gx, count * sizeof *missing->first);
}

/* The library that has all functions of these lines; 0: the program has some, or none starts here.
 */
static uint32_t
library_of(const struct missing *missing, struct listed_rows rows)
{
	const struct gprofx_lists *functions = &missing->report->source->functions;
	const uint32_t *image = missing->report->functions->image;
	uint32_t first = functions->first[rows.first], end = functions->first[rows.end];

	if (!image || first == end)
		return 0;
	for (uint32_t i = first + 1; i < end; i++)
		if (image[functions->item[i]] != image[functions->item[first]])
			return 0;
	return image[functions->item[first]];
}

int
missing_open(struct missing *missing, const char *name, struct listed_rows rows)
{
	uint32_t library = missing->finder->as_gprof ? 0 : library_of(missing, rows);
	int descriptor;

	if (library == 0)
		return finder_open(missing->finder, name);
	descriptor = finder_look(missing->finder, name);
	missing->wanted[library]++;
	if (descriptor < 0 && missing->count[library]++ == 0)
		missing->first[library] = name;
	return descriptor;
}

static void
warn_of_library(const struct missing *missing, uint32_t library)
{
	struct gprofx *gx = missing->finder->gx;
	uint32_t count = missing->count[library], wanted = missing->wanted[library];
	const struct gprofx_diagnostic diagnostic = {
		.id = "source.not-found",
		.file = gprofx_image_at(missing->report, library - 1)->name,
		.number = {count, wanted},
		.text = {missing->first[library], NULL},
		.hint = "to see its source, name the folders with -I, or map old to new folders with "
			"--source-map=FROM=TO",
	};

	gprofx_warn(gx, &diagnostic, "cannot find %s source files of the library, such as %s",
	            count == wanted ? formatted(gx, "the %u", count)
	                            : formatted(gx, "%u of %u", count, wanted),
	            missing->first[library]);
}

void
missing_end(struct missing *missing)
{
	for (uint32_t i = 1; i <= missing->report->origin->image_count; i++) {
		/* With all places where it was looked for. */
		if (missing->count[i] == 1)
			(void)finder_open(missing->finder, missing->first[i]);
		else if (missing->count[i] > 1)
			warn_of_library(missing, i);
	}
}

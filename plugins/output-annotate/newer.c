/* SPDX-License-Identifier: Apache-2.0 */
#include "newer.h"

#include <sys/stat.h>

enum { MOST_WARNINGS = 3 };

static const char hint[] =
	"build the program again and run it: times and counts can stand at other "
	"lines than those that they are of";

static int64_t
time_of(const struct gprofx_code_image *image)
{
	struct stat status;

	/* A file of another build, which gave no names, says nothing about this one. */
	if (image->names_from != GPROFX_NAMES_OF_FILE || stat(image->path, &status) != 0)
		return 0;
	return status.st_mtim.tv_sec;
}

void
newer_begin(struct newer *newer, struct gprofx *gx, const struct gprofx_report *report)
{
	const uint32_t count = report->origin->image_count;

	*newer = (struct newer){.gx = gx, .report = report};
	newer->built = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *newer->built);
	newer->built[0] = report->origin->image_modified;
	for (uint32_t i = 0; i < count; i++)
		newer->built[i + 1] = time_of(gprofx_image_at(report, i));
}

/* The image with functions of these lines that was built first; false: none is known. */
static bool
find_image(const struct newer *newer, struct listed_rows rows, uint32_t *found)
{
	const struct gprofx_lists *functions = &newer->report->source->functions;
	const uint32_t *image = newer->report->functions->image;
	bool is_found = false;

	for (uint32_t i = functions->first[rows.first]; i < functions->first[rows.end]; i++) {
		uint32_t number = image ? image[functions->item[i]] : 0;

		if (newer->built[number] == 0)
			continue;
		if (!is_found || newer->built[number] < newer->built[*found])
			*found = number;
		is_found = true;
	}
	return is_found;
}

/* The one that was built last: what is newer than that is newer than whatever it is in. */
static uint32_t
last_built(const struct newer *newer)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i <= newer->report->origin->image_count; i++)
		if (newer->built[i] > newer->built[last])
			last = i;
	return last;
}

void
newer_check(struct newer *newer, const char *name, struct listed_rows rows, int64_t modified)
{
	const struct gprofx_lists *functions = &newer->report->source->functions;
	struct gprofx_diagnostic diagnostic = {.id = "source.newer", .file = name, .hint = hint};
	uint32_t image = 0;

	/* No function starts in a header whose code was inlined everywhere. */
	if (functions->first[rows.first] == functions->first[rows.end])
		image = last_built(newer);
	else if (!find_image(newer, rows, &image))
		return;
	if (modified == 0 || newer->built[image] == 0 || modified <= newer->built[image] ||
	    newer->count++ >= MOST_WARNINGS)
		return;
	diagnostic.number[0] = (uint64_t)(modified - newer->built[image]);
	gprofx_warn(newer->gx, &diagnostic, "changed after %s was built: lines can have moved",
	            image == 0 ? "the program" : gprofx_image_at(newer->report, image - 1)->name);
}

void
newer_end(struct newer *newer)
{
	const struct gprofx_diagnostic diagnostic = {.id = "source.newer",
	                                             .hint = hint,
	                                             .number = {newer->count}};
	const uint32_t more = newer->count > MOST_WARNINGS ? newer->count - MOST_WARNINGS : 0;

	if (more > 0)
		gprofx_warn(newer->gx, &diagnostic,
		            "%u more source %s changed after the build: lines can have moved", more,
		            more == 1 ? "file was" : "files were");
	newer->gx->host->release(newer->gx, newer->built);
}

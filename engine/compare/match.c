/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the steps, and those that compare what the symbol table has. */
#include "compare/match.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "compare/matching.h"

/* Builds of images, of the program first, as numbers; MATCHING_NONE: not known. */
struct builds {
	struct name_table known;
	uint32_t *of_image[2];
};

static uint32_t
number_of_id(struct run *run, struct name_table *known, const uint8_t *id, uint32_t bytes)
{
	char *text = memory_alloc(run, (size_t)2 * bytes + 1);

	for (uint32_t i = 0; i < bytes; i++) {
		text[2 * i] = "0123456789abcdef"[id[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	return name_table_add_kept(run, known, text);
}

/* Without a build ID the program is the same build if it is the same file, which has not changed.
 */
static uint32_t
build_of_program(struct run *run, struct name_table *known, const struct gprofx_report *report)
{
	const struct gprofx_report_origin *origin = report->origin;
	const char *text;

	if (!origin->image)
		return MATCHING_NONE;
	if (origin->build_id && origin->build_id_bytes > 0)
		return number_of_id(run, known, origin->build_id, origin->build_id_bytes);
	if (origin->image_modified == 0)
		return MATCHING_NONE;
	text = text_format(run, "%" PRId64 " %s", origin->image_modified, origin->image);
	return name_table_add_kept(run, known, text);
}

static uint32_t *
read_builds(struct run *run, struct name_table *known, const struct gprofx_report *report)
{
	uint32_t *builds;

	memory_array(run, builds, (size_t)report->origin->image_count + 1);
	builds[0] = build_of_program(run, known, report);
	for (uint32_t i = 0; i < report->origin->image_count; i++) {
		const struct gprofx_code_image *image = gprofx_image_at(report, i);
		bool is_known = image->build_id && image->build_id_bytes > 0;

		/* Functions that profiles name can have addresses of no meaning. */
		builds[i + 1] = is_known && image->names_from == GPROFX_NAMES_OF_FILE
		                        ? number_of_id(run, known, image->build_id,
		                                       image->build_id_bytes)
		                        : MATCHING_NONE;
	}
	return builds;
}

static uint32_t
build_of_row(const struct matching *matching, const struct builds *builds, uint32_t row)
{
	const uint32_t *image = matching_report(matching, row)->functions->image;
	uint32_t function = matching_function(matching, row);

	return builds->of_image[matching_is_new(matching, row)][image ? image[function] : 0];
}

static bool
has_address(const struct matching *matching, const struct builds *builds, uint32_t row)
{
	return matching->kind[row] <= MATCHING_LINE &&
	       build_of_row(matching, builds, row) != MATCHING_NONE;
}

/* Functions and lines of the same builds. */
static void
match_addresses(struct matching *matching, const struct builds *builds)
{
	uint32_t *number;

	memory_array(matching->run, number, matching->row_count);
	for (uint32_t row = 0; row < matching->row_count; row++)
		if (has_address(matching, builds, row))
			matching_add(
				matching, row,
				matching_report(matching, row)
					->functions->address[matching_function(matching, row)]);
	matching_number(matching, number);
	for (uint32_t row = 0; row < matching->row_count; row++)
		if (has_address(matching, builds, row)) {
			uint32_t build = build_of_row(matching, builds, row);

			/* A line can be where its function is. */
			build = 2 * build + (matching->kind[row] == MATCHING_LINE);
			matching_add(matching, row, matching_key(build, number[row]));
		}
	matching_pair(matching, GPROFX_MATCH_BUILD, NULL, NULL);
	memory_release(matching->run, number);
}

/* Returns whether the program is the same build. */
static bool
match_builds(struct matching *matching)
{
	struct run *run = matching->run;
	struct builds builds = {0};
	bool is_same;

	for (uint32_t side = 0; side < 2; side++)
		builds.of_image[side] = read_builds(run, &builds.known, matching->reports[side]);
	is_same = builds.of_image[0][0] == builds.of_image[1][0] &&
	          builds.of_image[0][0] != MATCHING_NONE;
	match_addresses(matching, &builds);
	memory_release(run, builds.of_image[0]);
	memory_release(run, builds.of_image[1]);
	name_table_release(run, &builds.known);
	return is_same;
}

/* Placeholders, whose kinds are their names. */
static void
match_placeholders(struct matching *matching, bool is_same_build)
{
	for (uint32_t row = 0; row < matching->row_count; row++)
		if (matching->kind[row] == MATCHING_OTHER) {
			uint32_t function = matching_function(matching, row);
			uint32_t flags = matching_report(matching, row)->graph->flags[function];

			matching_add(matching, row, flags & GPROFX_NODE_OUTSIDE);
		}
	matching_pair(matching, is_same_build ? GPROFX_MATCH_BUILD : GPROFX_MATCH_NAME, NULL, NULL);
}

/* Names as in the symbol table. */
static void
match_names(struct matching *matching)
{
	const uint32_t *name = matching->name, *place = matching->place;
	uint32_t count = matching->row_count;

	for (uint32_t row = 0; row < count; row++)
		if (matching_is_left(matching, row, MATCHING_FUNCTION) &&
		    name[row] != MATCHING_NONE && place[row] != MATCHING_NONE)
			matching_add(matching, row, matching_key(name[row], place[row]));
	matching_pair(matching, GPROFX_MATCH_NAME, NULL, NULL);
	for (uint32_t row = 0; row < count; row++)
		if (matching_is_left(matching, row, MATCHING_FUNCTION) &&
		    name[row] != MATCHING_NONE)
			matching_add(matching, row, matching_key(name[row], matching->object[row]));
	matching_pair(matching, GPROFX_MATCH_NAME, matching_lacks_files, NULL);
	for (uint32_t row = 0; row < count; row++)
		if (matching_is_left(matching, row, MATCHING_FILE) && name[row] != MATCHING_NONE)
			matching_add(matching, row, name[row]);
	matching_pair(matching, GPROFX_MATCH_NAME, NULL, NULL);
}

static void
warn_names(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {.id = "report.long-names"};

	run_warn(run, &diagnostic,
	         "the names of functions are longer than their number justifies; some functions "
	         "are not matched by name");
}

void
compare_match(struct run *run, const struct gprofx_report *base, const struct gprofx_report *new,
              struct compare_matches *matches)
{
	uint32_t base_count = base->functions->count, new_count = new->functions->count;
	struct matching matching = {
		.run = run,
		.reports = {base, new},
		.base_count = base_count,
		.row_count = base_count + new_count,
	};

	memory_array(run, matching.partner, matching.row_count);
	memset(matching.partner, 0xff, matching.row_count * sizeof *matching.partner);
	memory_array(run, matching.how, new_count);
	*matches = (struct compare_matches){
		.base_count = base_count,
		.new_count = new_count,
		.of_base = matching.partner,
		.of_new = matching.partner + base_count,
		.how = matching.how,
	};
	matching_read(&matching);
	matches->is_same_build = match_builds(&matching);
	match_placeholders(&matching, matches->is_same_build);
	match_names(&matching);
	matching_plain_names(&matching);
	matching_renamed(&matching);
	if (matching.is_cut)
		warn_names(run);
	matching_release(&matching);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "comments.h"

#include <stdio.h>
#include <string.h>

#include "../shared/compared.h"
#include "../shared/export-names.h"

/* More than there are, beside the names of profiles. */
enum { FEW = 6 };

/* Two texts in one. */
static uint32_t
add(struct gprofx *gx, struct texts *texts, const char *before, const char *text)
{
	struct gprofx_text escaped = export_word(gx, text);
	size_t room = strlen(before) + escaped.length + 1;
	char *comment = gprofx_alloc(gx, room);

	snprintf(comment, room, "%s%.*s", before, (int)escaped.length, escaped.bytes);
	return texts_add_word(gx, texts, comment);
}

uint32_t *
pprof_comments(struct gprofx *gx, const struct gprofx_report *report,
               const struct gprofx_report_contexts *contexts, struct texts *texts, uint32_t *count)
{
	const struct gprofx_report_origin *origin = report->origin;
	const struct gprofx_report_comparison *comparison = report->comparison;
	const char *note = comparison ? compared_normalization_note(comparison->normalization)
	                              : NULL;
	uint32_t *comments = gprofx_alloc(gx,
	                                  ((size_t)origin->profile_count + FEW) * sizeof *comments);
	uint32_t added = 0;

	comments[added++] = add(gx, texts, "Written by gprofx ", origin->version);
	for (uint32_t i = 0; i < origin->profile_count; i++)
		comments[added++] = add(gx, texts, "Profile: ", origin->profiles[i]);
	if (comparison) {
		comments[added++] = add(gx, texts, "", comparison->sentence);
		comments[added++] = texts_add_word(
			gx, texts, "Differences here are not tested: chance explains some");
	}
	if (note)
		comments[added++] = add(gx, texts, "Here, ", note);
	if (contexts && contexts->is_estimated)
		comments[added++] = texts_add_word(
			gx, texts,
			"The paths of calls are estimated (gprof propagation), not measured");
	*count = added;
	return comments;
}

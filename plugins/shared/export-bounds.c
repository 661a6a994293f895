/* SPDX-License-Identifier: Apache-2.0 */
#include "export-bounds.h"

/*
 * Each stack is spelled out, so a deep tree can take any room.  Nobody reads files with so many
 * frames.
 */
#define MOST_FRAMES (UINT64_C(1) << 28)

enum gprofx_result
export_check_frames(struct gprofx *gx, const struct gprofx_report_contexts *contexts,
                    const char *id, uint32_t *deepest)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = id,
		.hint = "write fewer contexts: --set=report.contexts=1000",
	};
	uint32_t most = 0, *depth;
	uint64_t all = 0;

	depth = gprofx_alloc(gx, ((size_t)contexts->count + 1) * sizeof *depth);
	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t parent = contexts->parent[i];

		depth[i] = 1 + (parent == GPROFX_NO_CONTEXT ? 0 : depth[parent]);
		most = depth[i] > most ? depth[i] : most;
		all += gprofx_real(&contexts->columns->self, i) > 0 ? depth[i] : 0;
	}
	gx->host->release(gx, depth);
	if (deepest)
		*deepest = most;
	if (all > MOST_FRAMES)
		return gprofx_fail(gx, &diagnostic,
		                   "expected at most %llu frames in all stacks, found %llu",
		                   (unsigned long long)MOST_FRAMES, (unsigned long long)all);
	return GPROFX_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sized.h"

#include <stdio.h>
#include <string.h>

/* No struct of any version of the interface comes near. */
enum { MOST_BYTES = 65536 };

static enum gprofx_result
tell(struct run *run, const struct sized_source *source, const struct gprofx_diagnostic *diagnostic,
     const char *problem)
{
	if (source->ends_run)
		run_give_up(run, diagnostic, "%s %s", source->what, problem);
	return run_fail(run, diagnostic, "%s %s", source->what, problem);
}

enum gprofx_result
sized_copy(struct run *run, const struct sized_source *source, void *to, size_t to_bytes,
           const void *from)
{
	struct gprofx_diagnostic diagnostic = {.id = source->id,
	                                       .file = source->file,
	                                       .hint = source->hint};
	const uint8_t *bytes = from;
	size_t set = to_bytes;
	char problem[160];
	uint32_t stated;

	memcpy(&stated, from, sizeof stated);
	diagnostic.number[0] = stated;
	diagnostic.number[1] = to_bytes;
	if (stated < source->least || stated < sizeof stated)
		return tell(run, source, &diagnostic, "is too small");
	if (stated > MOST_BYTES)
		return tell(run, source, &diagnostic, "states an impossible size");
	while (set < stated && bytes[set] == 0)
		set++;
	if (set < stated) {
		diagnostic.id = "plugin.unknown-member";
		diagnostic.hint = "use a newer gprofx, or a build of the plugin for this one";
		diagnostic.number[2] = set;
		snprintf(problem, sizeof problem,
		         "has a member that this gprofx does not know: it knows %zu bytes, and "
		         "byte %zu is set",
		         to_bytes, set);
		return tell(run, source, &diagnostic, problem);
	}
	memset(to, 0, to_bytes);
	memcpy(to, from, stated < to_bytes ? stated : to_bytes);
	return GPROFX_OK;
}

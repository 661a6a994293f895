/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/standard.h"

#include <unistd.h>

#include "base/memory.h"
#include "plugin/plugins.h"

bool
emit_is_standard_output(const struct stat *file)
{
	struct stat standard;

	return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == file->st_dev &&
	       standard.st_ino == file->st_ino;
}

/* Whether what is written appears on standard output, which a null device discards. */
static bool
is_on_standard_output(const struct emit_use *use)
{
	const char *file = use->output->file;
	struct stat status;

	if (use->needs.traits & GPROFX_EMITTER_BESIDE)
		return false;
	if (!file)
		return true;
	return stat(file, &status) == 0 && emit_is_standard_output(&status) &&
	       (!S_ISCHR(status.st_mode) || isatty(STDOUT_FILENO));
}

enum gprofx_result
emit_check_standard(struct run *run, const struct emit_use *const *uses, uint32_t count)
{
	struct gprofx_diagnostic diagnostic = {.id = "output.not-alone"};
	const struct emit_use *alone = NULL, *other = NULL;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_on_standard_output(uses[i]))
			continue;
		if (!alone && (uses[i]->needs.traits & GPROFX_EMITTER_ALONE))
			alone = uses[i];
		else
			other = uses[i];
	}
	if (!alone || (!other && run->settings->trace_topics == 0))
		return GPROFX_OK;
	diagnostic.text[0] = alone->emitter->emitter.format;
	diagnostic.text[1] = other ? other->emitter->emitter.format : "trace";
	diagnostic.hint = text_format(run, "write it to a file, as in --output=%s:FILE, or %s",
	                              diagnostic.text[0],
	                              other ? "leave the other one out" : "leave out -d");
	return run_fail(run, &diagnostic,
	                "the format \"%s\" cannot share standard output with %s%s%s",
	                diagnostic.text[0], other ? "the format \"" : "the ", diagnostic.text[1],
	                other ? "\"" : "");
}

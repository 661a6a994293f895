/* SPDX-License-Identifier: Apache-2.0 */
/* Paths that files of settings name, and what they are relative to. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "config/keys.h"
#include "schema/schema.h"

const char *
config_path(struct config *config, const char *path, const struct engine_origin *origin)
{
	const char *file = config->source->file, *slash = strrchr(file, '/');
	const struct gprofx_diagnostic diagnostic = config_diagnostic(
		NULL, origin, "config.bad-value",
		"write an absolute path; only settings files have a folder that relative paths can "
		"start from");

	if (path[0] != '/' && config->source->has_no_folder) {
		run_fail(config->run, &diagnostic, "the path \"%s\" is not absolute", path);
		return NULL;
	}
	if (path[0] == '/' || !slash)
		return path;
	return text_format(config->run, "%.*s/%s", (int)(slash - file), file, path);
}

static void
tell_relative_folder(struct schema *s, const struct gprofx_node *item)
{
	const struct config *config = s->target;
	const char *file = config->source->file, *slash = strrchr(file, '/'), *folder = ".";
	struct gprofx_diagnostic diagnostic = schema_at(s, "config.relative-path", item->line,
	                                                item->column, NULL);
	const char *meant = "";
	char real[PATH_MAX];

	if (slash)
		folder = text_format(s->run, "%.*s/", (int)(slash - file), file);
	/* Who writes ~ means another folder than one of that name. */
	if (!config->source->has_no_folder && item->text[0] != '~' && realpath(folder, real))
		meant = text_format(s->run, ", %s/%s", real, item->text);
	diagnostic.hint = text_format(
		s->run,
		"write an absolute path%s; only --plugin-path on the command line may be relative",
		meant);
	run_fail(s->run, &diagnostic, "the folder \"%s\" is not an absolute path", item->text);
}

void
config_check_folders(struct schema *s, const struct gprofx_node *list)
{
	if (list->kind != GPROFX_SEQUENCE)
		return;
	for (const struct gprofx_node *item = schema_first(s, list); item;
	     item = schema_next(s, item))
		if (item->kind == GPROFX_SCALAR && item->text[0] != '/' && item->text[0] != '\0')
			tell_relative_folder(s, item);
}

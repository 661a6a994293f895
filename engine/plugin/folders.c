/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which folders of plugins, and modules in them, are used.  A module that the user named is the
 * user's own word; what the environment or a file of settings names must be the work of somebody
 * who is trusted; and no folder is searched that just anybody may write to.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/trust.h"
#include "plugin/load.h"

struct plugin_folder {
	const struct plugin_folder *next;
	const char *path;
	bool is_used;
};

/* Who says that a folder is to be used. */
enum word { WORD_OF_USER, WORD_OF_OTHERS, WORD_OF_INSTALLATION };

static enum word
word_for(const struct engine_settings *settings, uint32_t folder)
{
	uint32_t installed = settings->plugin_folder_count - settings->installed_folder_count;
	uint32_t found = settings->environment_folder_count + settings->config_folder_count;

	if (folder >= installed + settings->user_folder_count)
		return WORD_OF_INSTALLATION;
	return folder >= installed - found ? WORD_OF_OTHERS : WORD_OF_USER;
}

static trust_judge *
judge_of(enum word word)
{
	return word == WORD_OF_OTHERS ? trust_doubt : trust_doubt_about_writers;
}

/* Why something should not be used, or NULL.  What is not there is none of this file's business. */
static const char *
doubt_about(struct run *run, enum word word, const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? judge_of(word)(run, &status, S_IWOTH, "it") : NULL;
}

/*
 * The same of a module, for which a link has another folder decide.  has_folder: its own was looked
 * at before.  *file: what is to be opened, which no link that somebody changes in the meantime can
 * lead away from.
 */
static const char *
doubt_about_module(struct run *run, enum word word, const char *path, bool has_folder,
                   const char **file)
{
	struct stat status;
	const char *doubt;
	char *real = NULL;

	*file = path;
	if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
		real = realpath(path, NULL);
	if (real)
		*file = text_keep(run, real, strlen(real));
	free(real);
	doubt = doubt_about(run, word, *file);
	if (!doubt && (*file != path || !has_folder))
		doubt = trust_doubt_about_folder(run, *file, S_IWOTH, judge_of(word));
	return doubt;
}

static void
tell_folder(struct run *run, const char *path, const char *doubt)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.folder-not-trusted",
		.file = path,
		.hint = "take the right to write from others (chmod o-w), or name each module with "
			"--plugin=FILE",
	};

	run_warn(run, &diagnostic,
	         "expected a folder of plugins that only you and the administrator write to, but "
	         "%s; it is not used",
	         doubt);
}

bool
plugin_folder_is_used(struct run *run, uint32_t folder)
{
	const char *path = run->settings->plugin_folders[folder], *doubt;
	enum word word = word_for(run->settings, folder);
	struct plugin_folder *known;

	for (const struct plugin_folder *other = run->plugin_folders; other; other = other->next)
		if (strcmp(other->path, path) == 0)
			return other->is_used;
	doubt = doubt_about(run, word, path);
	known = memory_alloc(run, sizeof *known);
	*known = (struct plugin_folder){run->plugin_folders, path, !doubt};
	run->plugin_folders = known;
	if (doubt)
		tell_folder(run, path, doubt);
	return known->is_used;
}

const char *
plugin_module_doubt(struct run *run, uint32_t folder, const char *path)
{
	enum word word = word_for(run->settings, folder);
	const char *file;

	return word == WORD_OF_USER ? NULL : doubt_about_module(run, word, path, true, &file);
}

static const char *
check_module(struct run *run, enum word word, const char *path, bool has_folder)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.not-trusted",
		.file = path,
		.hint = "take the right to write from others (chmod o-w), or install the plugin again",
	};
	const char *file, *doubt = doubt_about_module(run, word, path, has_folder, &file);

	if (!doubt)
		return file;
	run_fail(run, &diagnostic,
	         "expected a module that only you and the administrator write to, but %s", doubt);
	return NULL;
}

const char *
plugin_check_module(struct run *run, uint32_t folder, const char *path)
{
	enum word word = word_for(run->settings, folder);

	return word == WORD_OF_USER ? path : check_module(run, word, path, true);
}

const char *
plugin_check_found_module(struct run *run, const char *path)
{
	return check_module(run, WORD_OF_OTHERS, path, false);
}

void
plugin_check_named_module(struct run *run, const char *path)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.not-trusted",
		.file = path,
		.hint = "take the right to write from others (chmod o-w)",
	};
	const char *doubt = doubt_about(run, WORD_OF_USER, path);

	if (doubt)
		run_warn(run, &diagnostic,
		         "expected a module that only you and the administrator write to, but %s; "
		         "it is used, since you named it",
		         doubt);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which folders of plugins, and modules in them, are used.  A module that the user named is the
 * user's own word; what the environment or a file of settings names must be the work of a user who
 * is trusted; and no folder is searched that others may write to.  Each folder is opened once; what
 * is in it is looked for and opened through that descriptor, so that it is what was judged.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "base/text.h"
#include "base/trust.h"
#include "plugin/modules.h"

struct plugin_folder {
	const char *name; /* as the settings have it */
	struct trust_place place;
	bool was_told;
};

/* Those that were looked at, by the numbers of their names. */
struct plugin_folders {
	struct name_table names;
	struct plugin_folder **items;
	uint32_t count, room;
};

/* Who says that a folder is to be used. */
enum word { WORD_OF_USER, WORD_OF_OTHERS, WORD_OF_INSTALLATION };

static bool
word_is_of_installation(const struct engine_settings *settings, uint32_t folder)
{
	return folder >= settings->plugin_folder_count - settings->installed_folder_count +
	                         settings->user_folder_count;
}

static enum word
word_for(const struct engine_settings *settings, uint32_t folder)
{
	uint32_t installed = settings->plugin_folder_count - settings->installed_folder_count;
	uint32_t found = settings->environment_folder_count + settings->config_folder_count;

	if (word_is_of_installation(settings, folder))
		return settings->is_privileged ? WORD_OF_OTHERS : WORD_OF_INSTALLATION;
	return folder >= installed - found ? WORD_OF_OTHERS : WORD_OF_USER;
}

/*
 * A group that may write to folders above those of the user or the installation is their choice, as
 * is /usr/local of Debian, where the administrator's group may write.
 */
static const struct trust_rules *
rules_of(enum word word)
{
	static const struct trust_rules others = {trust_doubt, TRUST_WRITERS};
	static const struct trust_rules own = {trust_doubt_about_writers, S_IWOTH};

	return word == WORD_OF_OTHERS ? &others : &own;
}

/* Without this all plugins would seem not to be installed. */
static void
tell_place_unknown(struct run *run, const struct plugin_folder *folder)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.place-unknown",
		.file = folder->name,
		.system_error = folder->place.error,
		.hint = "mount /proc, or name the folder of the installed plugins with "
			"--plugin-path",
	};

	if (run->settings->place_problem)
		run_warn(run, &diagnostic,
		         "cannot find out where the program is: %s; the plugin folder that it was "
		         "built for cannot be read: %s",
		         run->settings->place_problem, strerror(folder->place.error));
}

static struct plugin_folder *
open_folder(struct run *run, uint32_t number)
{
	const char *name = run->settings->plugin_folders[number];
	enum word word = word_for(run->settings, number);
	struct plugin_folders *folders = plugin_host(run)->folders;
	struct plugin_folder *folder;
	uint32_t place;

	if (!folders)
		folders = run->plugin_host->folders = memory_alloc(run, sizeof *folders);
	place = name_table_add_kept(run, &folders->names, name);
	if (place < folders->count)
		return folders->items[place];
	folder = memory_alloc(run, sizeof *folder);
	folder->name = name;
	folder->place = trust_find_folder(run, name, rules_of(word));
	folders->items = memory_room(run, folders->items, sizeof(struct plugin_folder *),
	                             folders->count, &folders->room, 1);
	folders->items[folders->count++] = folder;
	if (word_is_of_installation(run->settings, number) && folder->place.error != 0)
		tell_place_unknown(run, folder);
	return folder;
}

static void
tell_folder(struct run *run, const struct plugin_folder *folder)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.folder-not-trusted",
		.file = folder->name,
		.hint = "remove write permission for others (chmod go-w), or name each module with "
			"--plugin=FILE",
	};

	run_warn(run, &diagnostic, "the plugin folder is not trusted: %s; it is not used",
	         folder->place.doubt);
}

/* Whether another user could have filled the folder, which is reported once. */
static bool
is_doubtful(struct run *run, struct plugin_folder *folder)
{
	if (!folder->place.doubt)
		return false;
	if (!folder->was_told)
		tell_folder(run, folder);
	folder->was_told = true;
	return true;
}

enum gprofx_result
plugin_open_folder(struct run *run, uint32_t number, int *descriptor, int *error)
{
	struct plugin_folder *folder = open_folder(run, number);

	*error = folder->place.error;
	*descriptor = folder->place.folder;
	return is_doubtful(run, folder) ? GPROFX_DECLINED : GPROFX_OK;
}

bool
plugin_folder_has(struct run *run, uint32_t number, const char *file)
{
	struct plugin_folder *folder = open_folder(run, number);

	return folder->place.folder >= 0 && faccessat(folder->place.folder, file, F_OK, 0) == 0 &&
	       !is_doubtful(run, folder);
}

/* Looks for a module, and judges what is there.  What is not there is none of this file's business.
 */
static const char *
find_module(struct run *run, const struct trust_place *folder, enum word word, const char *path,
            struct plugin_module *module)
{
	const char *name = folder ? text_last_name(path) : path;
	const struct trust_rules *rules = rules_of(word);
	struct trust_place place = trust_find_file(run, folder, name, rules);
	struct stat status;
	const char *doubt = NULL;

	*module = (struct plugin_module){place.folder, place.error, place.name, path, path};
	if (place.error != 0)
		return NULL;
	/* Behind a link it is called by another name. */
	module->real = place.path;
	if (strcmp(place.name, text_last_name(path)) != 0 ||
	    (folder && strcmp(place.path, text_format(run, "%s/%s", folder->path, name)) != 0))
		module->path = place.path;
	if (fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0)
		doubt = rules->judge(run, &status, TRUST_WRITERS, "it");
	return doubt ? doubt : place.doubt;
}

const char *
plugin_module_doubt(struct run *run, uint32_t folder, const char *path)
{
	enum word word = word_for(run->settings, folder);
	struct plugin_module module;

	if (word == WORD_OF_USER)
		return NULL;
	return find_module(run, &open_folder(run, folder)->place, word, path, &module);
}

static enum gprofx_result
check_module(struct run *run, const struct trust_place *folder, enum word word, const char *path,
             struct plugin_module *module)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.not-trusted",
		.file = path,
		.hint = "remove write permission for others (chmod go-w), or install the plugin "
			"again",
	};
	const char *doubt = find_module(run, folder, word, path, module);

	if (!doubt || word == WORD_OF_USER)
		return GPROFX_OK;
	return run_fail(run, &diagnostic, "the module is not trusted: %s", doubt);
}

enum gprofx_result
plugin_find_module(struct run *run, uint32_t folder, const char *path, struct plugin_module *module)
{
	return check_module(run, &open_folder(run, folder)->place, word_for(run->settings, folder),
	                    path, module);
}

enum gprofx_result
plugin_find_found_module(struct run *run, const char *path, struct plugin_module *module)
{
	return check_module(run, NULL, WORD_OF_OTHERS, path, module);
}

struct plugin_module
plugin_named_module(struct run *run, const char *path)
{
	const char *name = text_last_name(path);
	const char *folder = name == path ? "." : text_keep(run, path, (size_t)(name - path));
	struct plugin_module module = {open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), 0, name,
	                               path, path};

	if (module.folder < 0)
		module.error = errno;
	else
		run_keep_descriptor(run, module.folder);
	return module;
}

void
plugin_warn_of_named_module(struct run *run, const struct plugin_module *module)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.not-trusted",
		.file = module->path,
		.hint = "remove write permission for others (chmod o-w)",
	};
	const char *doubt = NULL;
	struct stat status;

	if (module->folder >= 0 && fstatat(module->folder, module->name, &status, 0) == 0)
		doubt = trust_doubt_about_writers(run, &status, S_IWOTH, "it");
	if (doubt)
		run_warn(run, &diagnostic,
		         "the module is not trusted: %s; it is used because you named it", doubt);
}

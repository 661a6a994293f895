/* SPDX-License-Identifier: Apache-2.0 */
/* Opening modules and taking over their descriptors. */
#ifndef ENGINE_PLUGIN_MODULES_H
#define ENGINE_PLUGIN_MODULES_H

#include "base/memory.h"
#include "base/run.h"

/* What to do about a descriptor that is wrong, for users and makers. */
#define PLUGIN_DEFECT \
	"this is a bug in the plugin: report it to its author; gprofx-plugin(3) has the rules"

/* A module: a file in a folder that is open for the run. */
struct plugin_module {
	int folder;       /* descriptor of the folder; -1: it cannot be opened */
	int error;        /* why not */
	const char *name; /* of the file in the folder */
	const char *path; /* for messages and lists */
	const char *real; /* to open it by where descriptors have no names */
};

/*
 * The descriptor of a folder of the settings, which is opened once; -1 with *error if it cannot be.
 * GPROFX_DECLINED: it is not to be used, and the reason was reported once.
 */
enum gprofx_result
plugin_open_folder(struct run *run, uint32_t number, int *descriptor, int *error);
/* Whether there is a file of that name in it, and it is to be used.  The same is reported. */
bool plugin_folder_has(struct run *run, uint32_t number, const char *file);
/* Why a module in such a folder is not to be opened, or NULL. */
const char *plugin_module_doubt(struct run *run, uint32_t folder, const char *path);
/* The module in it, behind all links; a failure was reported. */
enum gprofx_result plugin_find_module(struct run *run, uint32_t folder, const char *path,
                                      struct plugin_module *module);
/* The same for one whose path stands in settings that were found. */
enum gprofx_result
plugin_find_found_module(struct run *run, const char *path, struct plugin_module *module);
/* A module that was named by its path: the way to it is not checked. */
struct plugin_module plugin_named_module(struct run *run, const char *path);
/* Warns if others may write to it. */
void plugin_warn_of_named_module(struct run *run, const struct plugin_module *module);

/* Whether a file can be a module, as far as that is seen from outside; else an error is reported.
 */
enum gprofx_result plugin_check_file(struct run *run, const struct plugin_module *module);

/*
 * Opens the module in a file and returns its descriptor, or NULL after an error was reported.
 */
const struct gprofx_plugin *plugin_load(struct run *run, const struct plugin_module *module);

/*
 * The undefined symbols that the module in a file asks for, "a, b and 7 more", and how many they
 * are; NULL: none are known.  Loads the libraries that the module needs.
 */
const char *plugin_undefined_symbols(struct run *run, const char *path, uint32_t *count);

/*
 * Checks a descriptor and copies it, without its options.  expected_name: what the file name says
 * it is called, or NULL.  Returns NULL after an error was reported.
 */
struct plugin *plugin_describe(struct run *run, const struct gprofx_plugin *descriptor,
                               const char *path, const char *expected_name);

/* The same with its options. */
struct plugin *plugin_check(struct run *run, const struct gprofx_plugin *descriptor,
                            const char *path, const char *expected_name);

/* What a run knows of plugins; each part belongs to the file that makes it. */
struct plugin_host {
	struct plugin_set *set;         /* those that are open */
	struct plugin_folders *folders; /* those that were looked at */
	struct manifest_set *manifests; /* NULL: not read yet */
};

static inline struct plugin_host *
plugin_host(struct run *run)
{
	if (!run->plugin_host)
		run->plugin_host = memory_alloc(run, sizeof *run->plugin_host);
	return run->plugin_host;
}

#endif

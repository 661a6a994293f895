/* SPDX-License-Identifier: Apache-2.0 */
/* Opening modules and taking over their descriptors. */
#ifndef ENGINE_PLUGIN_LOAD_H
#define ENGINE_PLUGIN_LOAD_H

#include "base/run.h"

/* What to do about a descriptor that is wrong, for users and makers. */
#define PLUGIN_DEFECT \
	"this is a defect of the plugin: ask its maker, for whom gprofx-plugin(3) has the rules"

/* Whether a folder of the settings is used.  What is wrong with it is told once. */
bool plugin_folder_is_used(struct run *run, uint32_t folder);
/* Why a module in such a folder is not to be opened, or NULL. */
const char *plugin_module_doubt(struct run *run, uint32_t folder, const char *path);
/* The file that is to be opened for it, behind all links, or NULL after an error. */
const char *plugin_check_module(struct run *run, uint32_t folder, const char *path);
/* The same for one whose path stands in settings that were found. */
const char *plugin_check_found_module(struct run *run, const char *path);
/* Warns of a module that was named by its path. */
void plugin_check_named_module(struct run *run, const char *path);

/* Whether a file can be a module, as far as that is seen from outside; else an error is reported.
 */
enum gprofx_result plugin_check_file(struct run *run, const char *path);

/*
 * Opens the module in a file and returns its descriptor, or NULL after an error was reported.
 */
const struct gprofx_plugin *plugin_load(struct run *run, const char *path);

/*
 * The symbols that nobody defines which the module in a file asks for, "a, b and 7 more", and how
 * many they are; NULL: none are known.  Loads the libraries that the module needs.
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

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What may stand in a file of settings, as one table, and the settings under way. */
#ifndef ENGINE_CONFIG_KEYS_H
#define ENGINE_CONFIG_KEYS_H

#include "base/run.h"
#include "schema/schema.h"

/* A document of settings. */
struct config_source {
	const struct config_source *includer; /* the one that names it, or NULL */
	const char *file;                     /* for messages, and to see relative paths from */
	const char *preset;                   /* its name, if it is one; or NULL */
	bool is_optional;                     /* it was not asked for */
	bool is_found;                        /* it was not named: who owns it matters */
	bool has_no_folder;                   /* paths in it must be absolute */
	bool is_set;                          /* a single setting; its nodes have no places */
	bool is_environment;                  /* not a file, but a variable */
	uint64_t device, inode;               /* which file it is */
};

/* Settings that files are being added to. */
struct config {
	struct run *run;
	struct engine_settings *settings;   /* of the run alone */
	const struct config_source *source; /* under way */
	uint32_t documents;                 /* read so far */
	struct run_origins *origins;
	bool plugins_are_found; /* the file that names them was found, not named */
	/* From files. */
	uint64_t corrections_on, corrections_off;
	const char **plugins, **plugin_folders;
	struct engine_output *outputs;
	struct engine_option *options;
	uint32_t plugin_count, plugin_folder_count, output_count, output_room;
	uint32_t option_count, option_room;
};

/* A correction as files and lists of settings see it. */
struct gprofx_option config_correction_option(const struct engine_correction *correction);

/* Prefixes of messages about a file: at the place that names it, if there is one. */
struct gprofx_diagnostic config_diagnostic(const char *file, const struct engine_origin *origin,
                                           const char *id, const char *hint);

/* Adds what a document of this source says.  Errors are reported. */
void config_take(struct config *config, const struct config_source *source,
                 const struct gprofx_document *document);

/*
 * A path as seen from the folder that the document under way is in.  Seen from the working
 * directory it would let any user who can write there choose what is loaded.  NULL: there is no
 * folder to see it from, which was reported.
 */
const char *
config_path(struct config *config, const char *path, const struct engine_origin *origin);

/*
 * Folders of plugins have to be absolute: what is searched for code must not depend on where a file
 * was moved to.  Reports each in the list that is not.
 */
void config_check_folders(struct schema *s, const struct gprofx_node *list);

#endif

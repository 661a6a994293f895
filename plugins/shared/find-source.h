/* SPDX-License-Identifier: Apache-2.0 */
/* Where the sources are that the debug information names. */
#ifndef PLUGINS_SHARED_FIND_SOURCE_H
#define PLUGINS_SHARED_FIND_SOURCE_H

#include <gprofx/emitter.h>

/*
 * Rows of the table of options for what finder_begin() gets: the options struct has the members
 * source_folders and source_map.
 */
#define FIND_SOURCE_OPTIONS(members)                                                                 \
	{.key = "source-folders",                                                                    \
	 .type = GPROFX_STRING,                                                                      \
	 .offset = offsetof(members, source_folders),                                                \
	 .initial = "",                                                                              \
	 .help = "more folders to search for sources, separated by colons"},                         \
	{                                                                                            \
		.key = "source-map", .type = GPROFX_STRING,                                          \
		.offset = offsetof(members, source_map), .initial = "",                              \
		.help = "lines FROM=TO: sources that were compiled in the folder FROM are now in TO" \
	}

struct found_folder {
	const char *name; /* not NUL-terminated */
	size_t length;
};

/* Sources that were built in "from" are in "to". */
struct found_map {
	const char *from, *to; /* neither is NUL-terminated */
	size_t from_length, to_length;
};

struct finder {
	struct gprofx *gx;
	const struct gprofx_report *report;
	/* As GNU gprof: what is no regular file is an empty one, and only -I leads elsewhere. */
	bool as_gprof;
	struct found_folder *folders;
	uint32_t folder_count;
	struct found_map *maps;
	uint32_t map_count;
	uint32_t questions; /* that servers may still be asked; each can take long */
	/* Of the last search. */
	char *path; /* that was tried last, NUL-terminated */
	size_t path_room;
	int64_t modified; /* when what was found was, seconds since 1970; 0: it came from a server
	                   */
	int error;        /* of the last try, an errno value */
	char *tried;      /* all that were, in words; NUL-terminated */
	size_t tried_length, tried_room;
};

/*
 * folders: names with colons between them, or ""; maps: lines FROM=TO.  Returns GPROFX_FAILED after
 * an error, that a map is none.
 */
enum gprofx_result
finder_begin(struct finder *finder, struct gprofx *gx, const struct gprofx_report *report,
             bool as_gprof, const char *folders, const char *maps);

/* Opens a source for reading; -1: it cannot be found, and "tried" says where it was looked for. */
int finder_look(struct finder *finder, const char *name);

/* The same; -1 after a warning that it cannot be found. */
int finder_open(struct finder *finder, const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph in the language of Graphviz, for emitters that write it or what is drawn from it.
 */
#ifndef PLUGINS_SHARED_DOT_H
#define PLUGINS_SHARED_DOT_H

#include <gprofx/emitter.h>

struct dot_options {
	double node, edge; /* percentages */
	int64_t most, depth;
	const char *root, *leaf; /* names; "": none */
	uint32_t by;             /* enum dot_color */
	uint32_t cluster;        /* enum dot_cluster */
};

enum dot_color { DOT_BY_TOTAL, DOT_BY_SELF };
enum dot_cluster { DOT_BY_NOTHING, DOT_BY_FILE, DOT_BY_OBJECT };

extern const char *const dot_colors[], *const dot_clusters[];

/* Rows of the table of options; the options struct begins with a struct dot_options. */
#define DOT_OPTIONS                                                                                                \
	{.key = "node",                                                                                            \
	 .type = GPROFX_REAL,                                                                                      \
	 .offset = offsetof(struct dot_options, node),                                                             \
	 .initial = "0.5",                                                                                         \
	 .minimum = 0,                                                                                             \
	 .maximum = 100,                                                                                           \
	 .help = "leave functions out whose total time is less than this percentage"},                             \
		{.key = "edge",                                                                                    \
	         .type = GPROFX_REAL,                                                                              \
	         .offset = offsetof(struct dot_options, edge),                                                     \
	         .initial = "0.1",                                                                                 \
	         .minimum = 0,                                                                                     \
	         .maximum = 100,                                                                                   \
	         .help = "leave calls out whose time is less than this percentage"},                               \
		{.key = "most",                                                                                    \
	         .type = GPROFX_INT,                                                                               \
	         .offset = offsetof(struct dot_options, most),                                                     \
	         .initial = "300",                                                                                 \
	         .minimum = 1,                                                                                     \
	         .maximum = INT32_MAX,                                                                             \
	         .help = "show at most this number of functions, the heaviest"},                                   \
		{.key = "root",                                                                                    \
	         .type = GPROFX_STRING,                                                                            \
	         .offset = offsetof(struct dot_options, root),                                                     \
	         .initial = "",                                                                                    \
	         .help = "show only what this function calls, directly or not"},                                   \
		{.key = "leaf",                                                                                    \
	         .type = GPROFX_STRING,                                                                            \
	         .offset = offsetof(struct dot_options, leaf),                                                     \
	         .initial = "",                                                                                    \
	         .help = "show only what calls this function, directly or not"},                                   \
		{.key = "depth",                                                                                   \
	         .type = GPROFX_INT,                                                                               \
	         .offset = offsetof(struct dot_options, depth),                                                    \
	         .initial = "0",                                                                                   \
	         .minimum = 0,                                                                                     \
	         .maximum = INT32_MAX,                                                                             \
	         .help = "show at most this number of levels of calls below the root, or below functions without " \
	                 "callers; 0: all"},                                                                       \
		{.key = "by",                                                                                      \
	         .type = GPROFX_CHOICE,                                                                            \
	         .offset = offsetof(struct dot_options, by),                                                       \
	         .initial = "total",                                                                               \
	         .choices = dot_colors,                                                                            \
	         .help = "what the colors of functions show: total or self time"},                                 \
	{                                                                                                          \
		.key = "cluster", .type = GPROFX_CHOICE,                                                           \
		.offset = offsetof(struct dot_options, cluster), .initial = "none",                                \
		.choices = dot_clusters,                                                                           \
		.help = "draw a frame around the functions of each file or object"                                 \
	}

/* What such an emitter needs of the report. */
enum { DOT_PARTS = GPROFX_PART_NODES | GPROFX_PART_SOURCES | GPROFX_PART_NAMES };

/* Fails where no function has the name that an option requires. */
enum gprofx_result dot_write(struct gprofx *gx, const struct gprofx_report *report,
                             struct gprofx_writer *writer, const struct dot_options *options);

#endif

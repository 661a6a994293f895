/* SPDX-License-Identifier: Apache-2.0 */
/* A file for Graphviz under way. */
#ifndef PLUGINS_SHARED_DOT_FILE_H
#define PLUGINS_SHARED_DOT_FILE_H

#include <gprofx/emitter.h>

#include "dot-choose.h"

struct dot_compared;
struct dot_options;

/*
 * Names in boxes, and in tips, as they are and as they are written: dot refuses texts of more than
 * 16,384 bytes, and in a tip are two names.
 */
enum { DOT_LABEL_BYTES = 80, DOT_TIP_BYTES = 4096, DOT_WRITTEN_BYTES = 7680 };

/* The file under way. */
struct dot {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct dot_options *options;
	struct gprofx_writer *writer;
	const struct gprofx_text *names; /* per function */
	struct dot_choice choice;
	bool has_times, is_measured;
	const struct dot_compared *compared; /* NULL: nothing was compared */
	/* Functions by the frame that they are in, and how many frames of files or objects there
	 * are. */
	uint32_t *group, group_count, cycle_count;
	const struct gprofx_text *group_name;
};

void dot_put_fixed(struct dot *d, double value, int precision);

/* A number between two texts. */
void dot_put_labeled(struct dot *d, const char *before, uint64_t value, const char *after);

/* A text in quotes, cut after a number of bytes; what is not printable was replaced before. */
void dot_put_quoted(struct dot *d, struct gprofx_text text, size_t most);

/* Ticks in the unit of the metric, without the unit. */
void dot_put_number(struct dot *d, double ticks);

/* "0.12 s", or samples and the like as they are. */
void dot_put_value(struct dot *d, double ticks);

/* A part of what percentages refer to, from 0 to 1. */
double dot_share_of(const struct dot *d, double ticks);

/* The start of a tip: the whole name, and where the function is. */
void dot_put_place(struct dot *d, uint32_t function);

/* How thick an arrow is that has this part of the whole. */
void dot_put_width(struct dot *d, double share);

#endif

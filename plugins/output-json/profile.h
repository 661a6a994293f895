/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into a report: files and their sums, and what was found and done about them. */
#ifndef OUTPUT_JSON_PROFILE_H
#define OUTPUT_JSON_PROFILE_H

#include <stdint.h>

#include <gprofx/emitter.h>

#include "document.h"

/* Members of the document: what wrote it, and what the profile is as a whole. */
void profile_put_origin(struct document *d);
void profile_put_whole(struct document *d);
/* The member "call_sites": what became of calls whose callers are not quite known. */
void profile_put_account(struct document *d);
void profile_put_rounding(struct document *d);
void profile_put_left_out(struct document *d, uint32_t number);

/* Rows of lists, by their numbers. */
void profile_put_file(struct document *d, uint32_t i);
void profile_put_metric(struct document *d, uint32_t i);
/* Which profile the values of which metric, or numbers of calls, are from. */
uint32_t profile_source_count(const struct document *d);
void profile_put_source(struct document *d, uint32_t i);
void profile_put_image(struct document *d, uint32_t i);
void profile_put_correction(struct document *d, uint32_t i);
void profile_put_finding(struct document *d, uint32_t i);
void profile_put_inlined(struct document *d, uint32_t i);
void profile_put_label(struct document *d, uint32_t i);
void profile_put_spread(struct document *d, uint32_t i);

/* What members of statistics are called that are not times or calls. */
struct profile_spread_keys {
	const char *count, *least, *most;
};

/* An object with the statistics of a function, without its closing brace. */
void profile_begin_spread(struct document *d, const struct gprofx_function_spread *spread,
                          const struct profile_spread_keys *keys);

#endif

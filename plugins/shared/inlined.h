/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined subroutines in listings for people: those that the user named, and heavy ones. */
#ifndef PLUGINS_SHARED_INLINED_H
#define PLUGINS_SHARED_INLINED_H

#include <gprofx/emitter.h>

/* Whether some were named for a listing (enum gprofx_inlined_listing). */
bool inlined_are_in(const struct gprofx_report *report, uint32_t listing);

/* Writes what their copies take.  width: columns of a line of text; 0: as it is. */
void inlined_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
                 uint32_t listing, size_t width);

/*
 * Whether a subroutine is one of the libraries of C++, by its name: those say less about a program
 * than its own.
 */
bool inlined_is_of_library(struct gprofx_text name);

enum {
	INLINED_HEAVY = 3,
	INLINED_PARTS = 20 /* of the whole: less than one of so many is not worth a word */
};

/*
 * The heavy ones that are worth a word, those of the program first, but for one of libraries that
 * has more than all of them, which is the second; returns how many.  total: ticks that shares of
 * functions refer to; none are chosen if they are not what shares of these refer to.  *needed: how
 * many of them have to be named; NULL: not of interest.  Needs GPROFX_PART_HEAVY_INLINED.
 */
uint32_t inlined_choose_heavy(const struct gprofx_report *report, double total,
                              const struct gprofx_inlined *chosen[INLINED_HEAVY], uint32_t *needed);

#endif

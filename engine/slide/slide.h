/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the program was loaded when it wrote a profile: the slide is what has to be taken off the
 * addresses of a file so that they are those of the image.
 */
#ifndef ENGINE_SLIDE_SLIDE_H
#define ENGINE_SLIDE_SLIDE_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

/* What is known about an image, and reported about its profiles, while they are read. */
struct slide {
	struct run *run;
	const struct symbols *symbols;
	struct scan *scan;             /* the code of the image */
	struct slide_entries *entries; /* made when they are first needed */
	uint32_t told;                 /* profiles that were said to be moved */
	/* Of the file being read: what the profile held before it. */
	uint32_t arcs_before, calls_before, blocks_before;
};

/* What came of looking for a slide. */
enum slide_outcome {
	SLIDE_TOO_FEW, /* the profile has too few calls to find it */
	SLIDE_UNMOVED, /* addresses fit as they are */
	SLIDE_NOWHERE, /* they fit nowhere */
	SLIDE_UNSURE,  /* one is possible, but others can be, too */
	SLIDE_FOUND
};

/* The slide that fits best, if the outcome is that one was found, or that it is not sure. */
struct slide_verdict {
	enum slide_outcome outcome;
	uint64_t slide; /* modulo the size of the target's addresses */
	/* Of the callees looked at, those that lie just after a function's entry; 0 of 0: the
	   extent of the histogram alone speaks for the slide. */
	uint32_t fitting, callees;
};

void slide_start(struct slide *slide, struct run *run, struct scan *scan);

/* Before a reader gets a file: notes where what it adds begins, and what is known before. */
void slide_begin_file(struct slide *slide, struct profile *profile);

/*
 * After the reader is done: moves what the file added, if it has to be.  What is of an object, or
 * of a file that says itself where its code was, is not moved.
 */
void slide_move_file(struct slide *slide, struct profile *profile, const struct gprofx_file *file);

/*
 * Finds the slide of arcs that do not fit the image as they are.  ranges: histogram records of the
 * same file, or NULL.  False: they fit, or there is no clear winner, which verdict->outcome tells.
 * Addresses are not changed.
 */
bool slide_solve(struct slide *slide, const struct gprofx_raw_arc *arcs, uint32_t count,
                 const struct gprofx_histogram *ranges, uint32_t range_count,
                 struct slide_verdict *verdict);

enum { SLIDE_TEXT_BYTES = 24 };

/* A slide as --slide takes it, in text: less than half of all addresses, maybe negative. */
const char *slide_text(const struct symbols *symbols, uint64_t slide, char text[SLIDE_TEXT_BYTES]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of genwork share: the options, the random numbers, the functions' places. */
#ifndef GENWORK_H
#define GENWORK_H

#include <stddef.h>
#include <stdint.h>

/* What to make; filled from the command line. */
struct work {
	uint64_t functions;    /* how many functions the program has */
	uint64_t mean_size;    /* mean length of a function, bytes */
	uint64_t arcs;         /* distinct arcs, for the shapes that do not fix the number */
	uint64_t cycle_length; /* functions in each small cycle of the shape "cycles" */
	uint64_t ticks;        /* samples in one profile; 0: twenty for each function */
	uint64_t files;        /* profiles to write */
	uint64_t distinct;     /* how many of them differ; 0: all */
	uint64_t seed;
	const char *code;  /* "nop", "mix" or that of another machine */
	const char *names; /* "c", "cxx" or "long" */
	const char *shape; /* of the call graph */
	const char *image; /* an existing program to take the functions from, or NULL */

	uint64_t text_base; /* address of .text */
	uint64_t *start;    /* functions + 1 offsets into .text; the last is its size */
};

/* genwork.c */
_Noreturn void die(const char *what);
_Noreturn void die_because(const char *what, const char *why);
void *need(size_t count, size_t each);
uint64_t random_next(void);
double random_unit(void);
uint64_t scatter(const struct work *w, uint64_t i);
int same(const char *a, const char *b);

/* program.c */
void program_place(struct work *w);
void program_write(const struct work *w, const char *path);
void program_load(struct work *w);

/* profile.c */
uint64_t profile_arcs(const struct work *w);
void profile_write(const struct work *w, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions come first, and who calls whom. */
#ifndef PLUGINS_SHARED_ROWS_H
#define PLUGINS_SHARED_ROWS_H

#include <gprofx/report.h>

/* A node that is none. */
#define ROWS_NONE UINT32_MAX

/* Ticks of a function with all that it called; less than 0: not known. */
double rows_total(const struct gprofx_report *report, uint32_t function);

/* Calls by others and by itself; false: they were not counted. */
bool
rows_calls(const struct gprofx_report *report, uint32_t function, double *calls, double *recursive);

/*
 * What an arc weighs between functions: its calls or, where stacks have measured the times, its
 * time.  0: nothing, as of recursion.
 */
double rows_weight(const struct gprofx_report *report, uint32_t a, const struct gprofx_arc *arc);

enum { ROWS_CALLERS = 2 };

/* A caller of a function. */
struct rows_caller {
	uint32_t node;
	double weight;
	bool is_guess; /* calls were divided by a rule */
};

/* Who calls a function. */
struct rows_callers {
	struct rows_caller first[ROWS_CALLERS]; /* the heaviest first; a weight of 0: none */
	double weight;                          /* of all callers */
	uint32_t count;                         /* of them, those with a weight */
	bool is_by_calls; /* weights are calls, although times were measured */
};

/*
 * Looks for callers in all arcs, once.  row_of: per node its row in "found", from one on; 0: none.
 */
void rows_find_callers(const struct gprofx_report *report, const uint32_t *row_of,
                       struct rows_callers *found);

/*
 * To be called behind it: where stacks have measured the times, and no stack of a function has a
 * caller, its callers by numbers of calls.
 */
void rows_add_counted_callers(const struct gprofx_report *report, const uint32_t *row_of,
                              struct rows_callers *found);

/*
 * The nearest caller that is called by several functions or calls several ones, of a function that
 * calls nothing and is called by one function only; ROWS_NONE if there is none, if that is where
 * the program or a thread begins (main under the C library's start too), or if the function is not
 * like that.
 */
uint32_t
rows_caller_with_choice(struct gprofx *gx, const struct gprofx_report *report, uint32_t function);

/*
 * The caller of at least half of what callers of a function weigh, and its share, if it has a
 * caller itself; else ROWS_NONE: where the program begins, everything comes from.
 */
uint32_t rows_main_caller(struct gprofx *gx, const struct gprofx_report *report, uint32_t function,
                          double *share);

/*
 * Of a function of a library that call stacks were measured in, the function of the program that
 * most of its time comes from, by the heaviest caller each; the function itself, if it is of the
 * program or none is found.
 */
uint32_t rows_in_program(struct gprofx *gx, const struct gprofx_report *report, uint32_t function);

/*
 * The function whose source is known that has the most time of its own and in what it calls without
 * any, as a library; where no source is known, a function of the program.  Only of times that were
 * measured with callers; else ROWS_NONE.  Needs GPROFX_PART_SOURCES.
 */
uint32_t rows_responsible(struct gprofx *gx, const struct gprofx_report *report);

/*
 * If functions without any counted call, by others or of others, have a part of the time that is
 * worth a word: the first of them among the first "count" of the flat profile that calls in the
 * code may lead to; else ROWS_NONE.
 */
uint32_t rows_without_calls(struct gprofx *gx, const struct gprofx_report *report, uint32_t count);

/*
 * Whether a name is one of the C library for what only some processors can do, as "__sin_fma".
 * Calls go there through a pointer that the start-up code sets.
 */
bool rows_is_for_processors(struct gprofx_text name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders that keep together what calls each other: chains of functions are made along the arcs, the
 * busiest first.  The rules are those of GNU gprof, found out by experiments.
 */
#ifndef OUTPUT_ORDER_ORDER_H
#define OUTPUT_ORDER_ORDER_H

#include <gprofx/emitter.h>

/* Functions, or functions that stand for files, in their order; each once. */
struct order {
	uint32_t *items;
	uint32_t count;
};

/* All functions of the report. */
struct order order_functions(struct gprofx *gx, const struct gprofx_report *report);
/* Those that stand for files of the map. */
struct order order_files(struct gprofx *gx, const struct gprofx_report *report);

/* Functions of the report that are such: without nodes for what lies in none. */
uint32_t order_function_count(const struct gprofx_report *report);
/*
 * Whether an arc has a say in an order: the profile has it, and it is between two functions.  To
 * GNU gprof, calls that only stand in the code have one, too.
 */
bool order_counts_arc(const struct gprofx_report *report, uint32_t arc);
/* An array of so many items; never NULL. */
void *order_array(struct gprofx *gx, size_t item, size_t count);

/* Chains. */

struct chain {
	uint32_t left_end, right_end; /* functions */
	int64_t low, high;            /* their places; the function that began it has 0 */
};

enum { NOT_CHAINED = UINT32_MAX };

struct chaining {
	const struct gprofx_report *report;
	struct order order;
	uint8_t *emitted;  /* per function: takes no part any more */
	uint8_t *listed;   /* per function: is in the order */
	uint8_t *consumed; /* per arc: not to be looked at again */
	struct chain *chains;
	uint32_t chain_count;
	uint32_t *chain, *right; /* per function: its chain, and its right neighbor */
	int64_t *place;          /* per function: within its chain */
};

/* A list of arcs; none of a function to itself, none from the node for what is in no function. */
struct arc_list {
	uint32_t *items;
	uint32_t count;
};

void
chaining_begin(struct chaining *chaining, struct gprofx *gx, const struct gprofx_report *report);

/* All arcs, in the order in which they first appeared. */
struct arc_list arcs_by_creation(struct gprofx *gx, const struct gprofx_report *report);
/* What an arc is worth: its calls, or, where they were not counted, the ticks of the callee. */
static inline uint64_t
order_calls(const struct gprofx_arcs *arcs, uint32_t i)
{
	uint64_t calls = gprofx_count(&arcs->calls->calls, i);

	if (gprofx_is_counted(arcs->calls, calls))
		return calls;
	return (uint64_t)(gprofx_real(&arcs->columns->self, i) +
	                  gprofx_real(&arcs->columns->below, i));
}

/* Sorts by calls, the most first; equal ones keep their order. */
void arcs_sort(struct gprofx *gx, const struct gprofx_report *report, struct arc_list *arcs);

/* Puts a function behind those that are in the order already, if it is not among them. */
void chaining_list(struct chaining *chaining, uint32_t function);

enum chaining_mode {
	CHAIN_ALL,    /* every arc counts; callers that have no chain are listed, too */
	CHAIN_BUSIEST /* arcs beyond the first 99 % of all calls are left over */
};

/*
 * Makes chains along the arcs in their order and lists the chains.  *left: the arcs left over, with
 * room for all; or NULL.
 */
void chaining_place(struct chaining *chaining, const struct arc_list *arcs, enum chaining_mode mode,
                    struct arc_list *left);

#endif

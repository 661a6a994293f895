/* SPDX-License-Identifier: Apache-2.0 */
/* "insert: 78 % of the time, 27 % itself, the rest in compare and rehash; called by main". */
#include <gprofx/emitter.h>

#include "../shared/inlined.h"
#include "../shared/rows.h"
#include "deeper.h"
#include "prose.h"

enum { CALLEES = 2 };

/* What a function takes time in. */
struct callees {
	uint32_t node[CALLEES];
	double ticks[CALLEES]; /* the heaviest first; 0: none */
};

static struct callees
find_callees(const struct gprofx_report *report, uint32_t function)
{
	const struct gprofx_report_graph *graph = report->graph;
	struct callees found = {{0}, {0}};

	for (uint32_t i = graph->callees.first[function]; i < graph->callees.first[function + 1];
	     i++) {
		struct gprofx_arc arc = gprofx_arc_at(&graph->arcs, graph->callees.item[i]);
		double ticks = arc.self + arc.below;
		uint32_t node = arc.callee;

		if (node == function)
			continue;
		for (int k = 0; k < CALLEES; k++)
			if (ticks > found.ticks[k]) {
				double other = found.ticks[k];
				uint32_t other_node = found.node[k];

				found.ticks[k] = ticks;
				found.node[k] = node;
				ticks = other;
				node = other_node;
			}
	}
	return found;
}

/* ", the rest in compare and rehash" */
static void
put_rest(struct prose *p, uint32_t function)
{
	const double ALMOST_ALL = 0.95;
	struct callees callees = find_callees(p->report, function);
	double below = gprofx_below_of(p->report, function);
	bool has_two = callees.ticks[1] >= (1 - ALMOST_ALL) * below;
	double named = callees.ticks[0] + (has_two ? callees.ticks[1] : 0);

	gprofx_puts(p->w, ", the rest in ");
	if (!(callees.ticks[0] > 0)) {
		gprofx_puts(p->w, "what it calls");
		return;
	}
	prose_put_link(p, callees.node[0]);
	if (has_two) {
		gprofx_puts(p->w, named >= ALMOST_ALL * below ? " and " : ", ");
		prose_put_link(p, callees.node[1]);
	}
	if (named < ALMOST_ALL * below)
		gprofx_puts(p->w, " and others");
}

/* What shares are of, which the first sentence says for all. */
static const char *
of_time(const struct prose *p, uint32_t function)
{
	return function == p->heaviest[0] ? p->of_time : "";
}

/* How much time a function takes, and where. */
static void
put_time(struct prose *p, uint32_t function)
{
	const struct gprofx_report *report = p->report;
	double self = gprofx_whole_self_of(report, function), total = rows_total(report, function);
	uint32_t whole = gprofx_whole_of(report, function);

	if (p->has_total && total > self) {
		prose_put_share(p, total, p->total, prose_is_guess(p, function));
		gprofx_puts(p->w, of_time(p, function));
		gprofx_puts(p->w, ", ");
		prose_put_share(p, self, p->total, false);
		gprofx_puts(p->w, " itself");
		put_rest(p, function);
		return;
	}
	prose_put_share(p, self, p->total, false);
	gprofx_puts(p->w, of_time(p, function));
	gprofx_puts(p->w, p->has_total && total >= 0 ? ", all of it itself" : " itself");
	if (p->has_total && whole != function) {
		gprofx_puts(p->w, ", in the cycle ");
		prose_put_link(p, whole);
		gprofx_puts(p->w, ", which takes ");
		prose_put_share(p, gprofx_self_of(report, whole) + gprofx_below_of(report, whole),
		                p->total, prose_is_guess(p, whole));
	}
}

static void
put_calls(struct prose *p, uint32_t function)
{
	double calls, recursive;

	if (!rows_calls(p->report, function, &calls, &recursive)) {
		gprofx_puts(p->w, "not counted");
		return;
	}
	prose_put_count(p, calls);
	gprofx_puts(p->w, calls == 1 ? " call" : " calls");
	if (recursive > 0) {
		gprofx_puts(p->w, " and ");
		prose_put_count(p, recursive);
		gprofx_puts(p->w, " by itself");
	}
}

/* " (92 % of its time)", unless it is all of it. */
static void
put_part(struct prose *p, double share)
{
	const double ALL = 0.995;

	if (share >= ALL)
		return;
	gprofx_puts(p->w, " (");
	prose_put_share(p, share, 1, false);
	gprofx_puts(p->w, " of its time)");
}

/* "; called by main (92 % of the calls), load (8.0 %) and 3 more" */
static void
put_callers(struct prose *p, const struct rows_callers *callers)
{
	const char *of = gprofx_is_measured(p->report) ? " of its time)" : " of the calls)";
	uint32_t shown = callers->count < ROWS_CALLERS ? callers->count : ROWS_CALLERS;

	for (uint32_t i = 0; i < shown; i++) {
		const struct rows_caller *caller = &callers->first[i];

		gprofx_puts(p->w, i == 0 ? "; called by " : ", ");
		prose_put_link(p, caller->node);
		if (callers->count == 1)
			continue;
		gprofx_puts(p->w, " (");
		prose_put_share(p, caller->weight, callers->weight, caller->is_guess);
		gprofx_puts(p->w, i == 0 ? of : ")");
	}
	if (callers->count > shown)
		gprofx_out(p->w, " and %u more", (unsigned)(callers->count - shown));
}

/* "; called from market::Cache::at, inlined in main": behind other callers, if there are some. */
static void
put_origin(struct prose *p, const struct rows_callers *callers, const struct deeper_origin *origin)
{
	bool is_only = callers->count == 1 && callers->first[0].node == origin->function;

	if (!is_only)
		put_callers(p, callers);
	gprofx_puts(p->w, is_only || callers->count == 0 ? "; called from " : "; that comes from ");
	prose_put_inlined(p, origin->name);
	gprofx_puts(p->w, ", inlined in ");
	prose_put_link(p, origin->function);
	put_part(p, origin->share);
}

/* "market::Book::add 96.3 %" */
static void
put_heavy(struct prose *p, const struct gprofx_inlined *inlined, double ticks)
{
	prose_put_inlined(p, inlined->name);
	gprofx_putc(p->w, ' ');
	p->w->services->fixed(p->w, 100 * ticks / p->report->inlined->whole, 0, 1);
	gprofx_puts(p->w, " %");
}

/* The ticks of the copies that are in a function; 0: there are none. */
static double
copies_in(const struct gprofx_inlined *inlined, uint32_t function)
{
	for (uint32_t i = 0; i < inlined->owner_count; i++)
		if (inlined->owner[i].function == function)
			return inlined->owner[i].total;
	return 0;
}

static void
put_end_of_shares(struct prose *p, uint32_t shown)
{
	/* One can be inlined into another one. */
	gprofx_puts(p->w, shown > 1 ? " (shares overlap)" : "");
}

/* "; inlined in it: market::Book::add 96.3 %, market::Cache::at 85.2 % (shares overlap)" */
static void
put_inlined_in(struct prose *p, uint32_t function)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < p->heavy_count; i++) {
		double ticks = copies_in(p->heavy[i], function);

		if (ticks * INLINED_PARTS < p->report->inlined->whole)
			continue;
		gprofx_puts(p->w, shown++ == 0 ? "; inlined in it: " : ", ");
		put_heavy(p, p->heavy[i], ticks);
	}
	put_end_of_shares(p, shown);
}

static bool
has_sentence(const struct prose *p, uint32_t function)
{
	for (uint32_t i = 0; i < p->heaviest_count; i++)
		if (p->heaviest[i] == function)
			return true;
	return false;
}

/* Heavy ones of which no sentence says it, since what they are in does not have much itself. */
static void
put_inlined_elsewhere(struct prose *p)
{
	const struct gprofx_inlined *before = NULL;
	uint32_t shown = 0;

	for (uint32_t i = 0; i < p->heavy_count; i++) {
		const struct gprofx_inlined *inlined = p->heavy[i];
		uint32_t owner = inlined->owner[0].function;

		if (has_sentence(p, owner))
			continue;
		if (before && before->owner[0].function == owner) {
			gprofx_puts(p->w, ", ");
		} else {
			put_end_of_shares(p, shown);
			gprofx_puts(p->w, before ? "</li>\n<li>inlined in " : "<li>inlined in ");
			shown = 0;
			prose_put_link(p, owner);
			gprofx_puts(p->w, ": ");
		}
		put_heavy(p, inlined, inlined->owner[0].total);
		shown++;
		before = inlined;
	}
	put_end_of_shares(p, shown);
	gprofx_puts(p->w, before ? "</li>\n" : "");
}

void
heaviest_put_question(struct prose *p)
{
	gprofx_puts(p->w, p->has_times ? "Where the time is" : "What was called most");
}

void
heaviest_put(struct prose *p)
{
	struct deeper_origin origin;
	struct deeper deeper;

	deeper_begin(&deeper, p->gx, p->report);
	gprofx_putc(p->w, '\n');
	for (uint32_t i = 0; i < p->heaviest_count; i++) {
		uint32_t function = p->heaviest[i];

		gprofx_puts(p->w, "<li>");
		prose_put_link(p, function);
		gprofx_puts(p->w, ": ");
		if (p->has_times)
			put_time(p, function);
		else
			put_calls(p, function);
		put_inlined_in(p, function);
		if (p->has_times && deeper_find(&deeper, function, &origin))
			put_origin(p, &p->heaviest_callers[i], &origin);
		else
			put_callers(p, &p->heaviest_callers[i]);
		gprofx_puts(p->w, "</li>\n");
	}
	put_inlined_elsewhere(p);
	deeper_release(&deeper);
}

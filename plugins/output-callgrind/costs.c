/* SPDX-License-Identifier: Apache-2.0 */
#include "costs.h"

#include <math.h>

#include "../shared/compared-factors.h"
#include "../shared/compared.h"
#include "../shared/export-tree.h"
#include "cycles.h"

/* Sums of doubles differ by less than this part of the whole. */
static const double noise = 1e-9;

struct work {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct gprofx_report_graph *graph;
	struct costs *costs;
	struct metric_costs *metric; /* the one at hand; so is all below, but is_called */
	const uint32_t *cycle;       /* per function: the number of its cycle; 0: none */
	/* Per function, by what costs of its calls are multiplied on the base; NULL: by nothing. */
	const double *factors;
	double *total;       /* per function: inclusive ticks */
	double *incoming;    /* per function: ticks of the arcs into it */
	double *outgoing;    /* per function: ticks of the arcs out of it */
	bool *is_called;     /* per function: there is an arc into it */
	bool *has_entry;     /* per function in a cycle: it is called from outside */
	double *inner_calls; /* per function in a cycle: calls from within */
};

/* The functions at the ends of an arc, without lines. */
static void
ends_of(const struct work *w, uint32_t arc, uint32_t *caller, uint32_t *callee)
{
	*caller = w->costs->owner[gprofx_id(&w->graph->arcs.caller, arc)];
	*callee = w->costs->owner[gprofx_id(&w->graph->arcs.callee, arc)];
}

bool
costs_are_of_calls(const struct metric_costs *metric)
{
	return metric->arcs->self_origin == GPROFX_ESTIMATED &&
	       metric->arcs->total_origin == GPROFX_MEASURED;
}

/* Whether inclusive times are measured: cycles are no wholes then. */
static bool
is_measured(const struct work *w)
{
	return w->metric->arcs->total_origin == GPROFX_MEASURED;
}

static bool
has_calls(uint64_t calls)
{
	return calls != 0 && calls != GPROFX_CALLS_UNKNOWN;
}

/* Calls of one of several runs: costs are means of them. */
static uint64_t
in_a_run(uint64_t calls, uint32_t runs)
{
	uint64_t rounded = calls / runs + (calls % runs >= (runs + 1) / 2);

	return rounded > 0 ? rounded : 1;
}

uint64_t
costs_calls(const struct gprofx_report *report, uint32_t arc)
{
	const struct gprofx_arcs *arcs = &report->graph->arcs;
	const struct gprofx_report_comparison *comparison = report->comparison;
	uint64_t base, now;

	if (!comparison)
		return gprofx_count(&arcs->calls->calls, arc);
	base = compared_calls(arcs, arc, 0);
	now = compared_calls(arcs, arc, 1);
	if (has_calls(now))
		return in_a_run(now, comparison->new_side.run_count);
	if (has_calls(base))
		return in_a_run(base, comparison->base.run_count);
	return base == GPROFX_CALLS_UNKNOWN ? base : now;
}

/* Calls of an arc that the metric at hand is of; of a comparison, 0 also if they are not known. */
static double
calls_of(const struct work *w, uint32_t arc)
{
	uint64_t calls;

	if (!w->report->comparison)
		return (double)gprofx_count(&w->graph->arcs.calls->calls, arc);
	calls = compared_calls(&w->graph->arcs, arc, w->metric->metric);
	return has_calls(calls) ? (double)calls : 0;
}

/* Costs of calls of a function as they are compared. */
static double
normalized(const struct work *w, uint32_t callee, double ticks)
{
	return w->factors && w->metric->metric == 0 ? ticks * w->factors[callee] : ticks;
}

/* What an arc cost as a whole. */
static double
whole_cost(const struct work *w, uint32_t arc)
{
	const struct gprofx_column *column = w->metric->arcs;

	return normalized(w, gprofx_id(&w->graph->arcs.callee, arc),
	                  gprofx_real(&column->self, arc) + gprofx_real(&column->below, arc));
}

/*
 * Where one side of a comparison lacks calls, inclusive ticks of functions are known on neither: of
 * the other side, they are those of the arcs.
 */
static bool
lacks_totals(const struct work *w)
{
	return w->report->comparison && w->metric->nodes->total_origin == GPROFX_UNKNOWN;
}

static void
add_outgoing(struct work *w)
{
	uint32_t caller, callee;

	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		ends_of(w, i, &caller, &callee);
		if (caller != callee)
			w->total[caller] += whole_cost(w, i);
	}
}

static bool
is_within_cycle(const struct work *w, uint32_t caller, uint32_t callee)
{
	return !is_measured(w) && w->cycle[caller] != 0 && w->cycle[caller] == w->cycle[callee];
}

/* Whether what the metric at hand is of has an arc: one side of a comparison may not. */
static bool
has_arc(const struct work *w, uint32_t arc)
{
	return w->costs->has_arc[arc] &&
	       (!w->report->comparison || calls_of(w, arc) > 0 || whole_cost(w, arc) > 0);
}

/* Cycles of the graph; of a comparison, those of the side at hand. */
static void
find_cycles(struct work *w)
{
	bool *is_there;

	w->cycle = w->graph->cycle;
	if (!w->report->comparison)
		return;
	is_there = gprofx_alloc(w->gx, (size_t)w->graph->arcs.count + 1);
	for (uint32_t i = 0; i < w->graph->arcs.count; i++)
		is_there[i] = has_arc(w, i);
	w->cycle = cycles_find(w->gx, &w->graph->arcs, is_there, w->costs->count);
	w->gx->host->release(w->gx, is_there);
}

/* A line of a function stands behind it; of which function tells the order of addresses. */
static void
find_owners(struct work *w)
{
	const char *const *objects = w->report->functions->object_name;
	uint32_t owner = 0;

	for (uint32_t i = 0; i < w->costs->count; i++) {
		bool is_line = (w->graph->flags[i] & GPROFX_NODE_LINE) != 0;
		bool is_other = objects && i > 0 && objects[i] != objects[owner];

		if (!is_line || i == 0 || is_other)
			owner = i;
		w->costs->owner[i] = owner;
		if (w->graph->flags[i] & GPROFX_NODE_OUTSIDE)
			w->costs->outside = i;
	}
}

static void
add_totals(struct work *w)
{
	const struct gprofx_column *column = w->metric->nodes;

	for (uint32_t i = 0; i < w->costs->count; i++)
		w->total[i] = 0;
	for (uint32_t i = 0; i < w->costs->count; i++) {
		double below = w->report->origin->has_arcs ? gprofx_real(&column->below, i) : 0;

		w->total[w->costs->owner[i]] += gprofx_whole_self_in(column, i) + below;
		w->metric->whole += gprofx_real(&column->self, i);
		if (gprofx_real(&column->self, i) > 0)
			w->costs->is_shown[w->costs->owner[i]] = true;
	}
	if (lacks_totals(w) && !is_measured(w))
		add_outgoing(w);
}

static bool
is_possibility(const struct work *w, uint32_t arc)
{
	uint32_t callee = gprofx_id(&w->graph->arcs.callee, arc);

	return costs_calls(w->report, arc) == 0 ||
	       (w->graph->flags[callee] & GPROFX_NODE_INDIRECT) != 0;
}

/* The arcs that are written, and the functions that they need. */
static void
find_arcs(struct work *w)
{
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		uint32_t caller, callee;

		w->costs->has_arc[i] = !is_possibility(w, i);
		if (!w->costs->has_arc[i])
			continue;
		ends_of(w, i, &caller, &callee);
		w->is_called[callee] = true;
		w->costs->is_shown[caller] = w->costs->is_shown[callee] = true;
	}
}

static void
find_cycle_calls(struct work *w)
{
	uint32_t caller, callee;

	for (uint32_t i = 0; i < w->costs->count; i++) {
		w->has_entry[i] = false;
		w->inner_calls[i] = 0;
	}
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		ends_of(w, i, &caller, &callee);
		if (!has_arc(w, i) || caller == callee)
			continue;
		if (is_within_cycle(w, caller, callee))
			w->inner_calls[callee] += calls_of(w, i);
		else
			w->has_entry[callee] = true;
	}
}

/* The cost of an arc where times are propagated along calls. */
static double
estimated_cost(const struct work *w, uint32_t arc, uint32_t caller, uint32_t callee)
{
	if (caller == callee)
		return 0;
	if (!is_within_cycle(w, caller, callee))
		return whole_cost(w, arc);
	return w->has_entry[callee] ? 0
	                            : w->total[callee] * calls_of(w, arc) / w->inner_calls[callee];
}

/* A context whose function is not above it: what it has is charged to the caller. */
struct charge {
	uint32_t callee, next; /* the next one of the same caller */
	double ticks;
};

/* Per caller the charges, as lists. */
struct charges {
	struct charge *rows;
	uint32_t *first; /* per function the number of the row plus 1 */
	uint32_t count;
};

/*
 * Walks over the stacks.  A function that is above itself has its time already: only the outermost
 * frame counts.
 */
static struct charges
find_charges(const struct work *w)
{
	const struct gprofx_report_contexts *contexts = w->report->contexts;
	struct export_tree tree = export_tree(w->gx, contexts);
	const struct gprofx_column *column = gprofx_column_at(contexts->columns, w->metric->metric);
	uint32_t *above = gprofx_alloc(w->gx, ((size_t)w->costs->count + 1) * sizeof *above);
	struct charges charges = {
		gprofx_alloc(w->gx, ((size_t)contexts->count + 1) * sizeof *charges.rows),
		gprofx_alloc(w->gx, ((size_t)w->costs->count + 1) * sizeof *charges.first), 0};
	uint32_t last = GPROFX_NO_CONTEXT;

	for (uint32_t i = tree.root; i != GPROFX_NO_CONTEXT; i = export_next(&tree, i)) {
		uint32_t parent = tree.parent[i], node = w->costs->owner[contexts->node[i]];

		/* What the walk has left is not above it. */
		for (; last != parent && last != GPROFX_NO_CONTEXT; last = tree.parent[last])
			above[w->costs->owner[contexts->node[last]]]--;
		last = i;
		if (above[node]++ > 0 || parent == GPROFX_NO_CONTEXT)
			continue;
		parent = w->costs->owner[contexts->node[parent]];
		charges.rows[charges.count++] = (struct charge){
			node, charges.first[parent],
			normalized(w, node, export_inclusive(column, i))};
		charges.first[parent] = charges.count;
	}
	return charges;
}

/* Adds a caller's charges to those of callees, or takes them away again. */
static void
set_ticks(const struct charges *charges, uint32_t caller, double *ticks, bool is_charged)
{
	for (uint32_t row = charges->first[caller]; row > 0; row = charges->rows[row - 1].next) {
		const struct charge *own = &charges->rows[row - 1];

		ticks[own->callee] = is_charged ? ticks[own->callee] + own->ticks : 0;
	}
}

static void
charge_measured(struct work *w)
{
	struct charges charges = find_charges(w);
	double *ticks = gprofx_alloc(w->gx, ((size_t)w->costs->count + 1) * sizeof *ticks);
	uint32_t charged = UINT32_MAX;

	/* Arcs stand in the order of their callers. */
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		uint32_t caller, callee;

		if (!w->costs->has_arc[i])
			continue;
		ends_of(w, i, &caller, &callee);
		if (caller != charged) {
			if (charged != UINT32_MAX)
				set_ticks(&charges, charged, ticks, false);
			set_ticks(&charges, caller, ticks, true);
			charged = caller;
		}
		/* Of several arcs between two functions, as of lines, the first one has it all. */
		w->metric->arc[i] = ticks[callee];
		ticks[callee] = 0;
	}
}

/* Whether calls of an arc can be part of others. */
static bool
can_be_nested(const struct work *w, uint32_t arc)
{
	uint32_t caller, callee;

	ends_of(w, arc, &caller, &callee);
	return caller == callee || (w->cycle[caller] != 0 && w->cycle[caller] == w->cycle[callee]);
}

static void
charge_calls(struct work *w)
{
	size_t rows = (size_t)w->costs->count + 1;
	double *outer = gprofx_alloc(w->gx, rows * sizeof *outer);
	double *inner = gprofx_alloc(w->gx, rows * sizeof *inner);
	uint32_t caller, callee;

	w->metric->nested = gprofx_alloc(w->gx, ((size_t)w->graph->arcs.count + 1) *
	                                                sizeof *w->metric->nested);
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		ends_of(w, i, &caller, &callee);
		if (w->costs->has_arc[i] && caller != callee)
			*(can_be_nested(w, i) ? &inner[callee] : &outer[callee]) += whole_cost(w,
			                                                                       i);
	}
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		double whole = whole_cost(w, i), left, part = 1;

		ends_of(w, i, &caller, &callee);
		left = w->total[callee] - outer[callee];
		if (caller == callee)
			part = 0;
		else if (can_be_nested(w, i) && left < inner[callee])
			part = left > noise * w->metric->whole ? left / inner[callee] : 0;
		w->metric->arc[i] = w->costs->has_arc[i] ? whole * part : 0;
		w->metric->nested[i] = w->costs->has_arc[i] ? whole * (1 - part) : 0;
	}
	w->gx->host->release(w->gx, outer);
	w->gx->host->release(w->gx, inner);
}

/* The part of an arc that it has of the first metric, of another one that stacks measured. */
static double
share_of_first(const struct work *w, uint32_t arc)
{
	const struct gprofx_column *column = w->graph->arcs.columns;
	double first = gprofx_real(&column->self, arc) + gprofx_real(&column->below, arc);

	if (first > 0)
		return fmin(w->costs->metrics->arc[arc] / first, 1);
	return can_be_nested(w, arc) ? 0 : 1;
}

/* Contexts have the first metric alone. */
static void
charge_shares(struct work *w)
{
	double *incoming = gprofx_alloc(w->gx, ((size_t)w->costs->count + 1) * sizeof *incoming);
	uint32_t caller, callee;

	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		double share = w->costs->has_arc[i] ? share_of_first(w, i) : 0;

		ends_of(w, i, &caller, &callee);
		w->metric->arc[i] = whole_cost(w, i) * share;
		incoming[callee] += w->metric->arc[i];
		w->costs->has_shares = w->costs->has_shares || (share > 0 && share < 1);
	}
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		ends_of(w, i, &caller, &callee);
		if (incoming[callee] > w->total[callee])
			w->metric->arc[i] *= w->total[callee] / incoming[callee];
	}
	w->gx->host->release(w->gx, incoming);
}

/* Whether contexts have the metric: those of stacks have the first one, of comparisons both. */
static bool
is_of_contexts(const struct work *w)
{
	const struct gprofx_column *columns = w->report->contexts->columns;

	return gprofx_column_at(columns, w->metric->metric)->total_origin == GPROFX_MEASURED;
}

/* Costs of arcs that are no estimates. */
static void
charge(struct work *w)
{
	if (costs_are_of_calls(w->metric))
		charge_calls(w);
	else if (!is_measured(w))
		return;
	else if (w->metric == w->costs->metrics || is_of_contexts(w))
		charge_measured(w);
	else
		charge_shares(w);
}

static void
charge_arcs(struct work *w)
{
	uint32_t caller, callee;

	for (uint32_t i = 0; i < w->costs->count; i++)
		w->incoming[i] = w->outgoing[i] = 0;
	charge(w);
	for (uint32_t i = 0; i < w->graph->arcs.count; i++) {
		double *cost = &w->metric->arc[i];

		if (!w->costs->has_arc[i])
			continue;
		ends_of(w, i, &caller, &callee);
		if (!is_measured(w))
			*cost = estimated_cost(w, i, caller, callee);
		if (!(*cost > 0) || isinf(*cost))
			*cost = 0;
		if (*cost > 0 && is_within_cycle(w, caller, callee))
			w->costs->is_divided = true;
		w->incoming[callee] += *cost;
		w->outgoing[caller] += *cost;
	}
}

/* What readers would not find: time that no arc brings, and too much time of arcs that lead on. */
static void
add_extra(struct work *w)
{
	const struct gprofx_column *column = w->metric->nodes;

	for (uint32_t i = 0; i < w->costs->count; i++) {
		double missing = w->total[i] - w->incoming[i];
		double bound = noise * w->metric->whole;

		if (w->costs->owner[i] != i || i == w->costs->outside ||
		    (w->has_entry[i] && !is_measured(w) && w->cycle[i] != 0))
			continue;
		if (!w->is_called[i] &&
		    (lacks_totals(w) ||
		     fabs(gprofx_whole_self_in(column, i) + w->outgoing[i] - w->total[i]) <= bound))
			continue;
		if (missing > bound) {
			w->metric->extra[i] = missing;
			w->costs->is_shown[i] = true;
			w->costs->has_extra = true;
		}
	}
	if (w->costs->has_extra && w->costs->outside < w->costs->count)
		w->costs->is_shown[w->costs->outside] = true;
}

/* The metrics that the first run has, each with rooms for what its lines have. */
static void
begin_metrics(const struct work *w)
{
	const struct gprofx_report_origin *origin = w->report->origin;
	struct costs *costs = w->costs;
	size_t arcs = costs->are_stated ? 1 : (size_t)w->graph->arcs.count + 1;
	size_t rows = costs->are_stated ? 1 : (size_t)costs->count + 1;

	costs->metrics = gprofx_alloc(w->gx, (size_t)origin->metric_count * sizeof *costs->metrics);
	for (uint32_t m = 0; m < origin->metric_count; m++) {
		const struct gprofx_column *nodes = gprofx_column_at(w->graph->columns, m);

		if (m > 0 && nodes->self_origin == GPROFX_UNKNOWN)
			continue;
		costs->metrics[costs->metric_count++] = (struct metric_costs){
			.metric = m,
			.nodes = nodes,
			.arcs = gprofx_column_at(w->graph->arcs.columns, m),
			.arc = gprofx_alloc(w->gx, arcs * sizeof *costs->metrics->arc),
			.extra = gprofx_alloc(w->gx, rows * sizeof *costs->metrics->extra),
		};
	}
}

/* The functions that are written, and what they have in all, where all that is stated is. */
static void
add_stated(const struct work *w)
{
	const struct gprofx_report_stated *stated = w->report->stated;
	bool *is_shown = w->costs->is_shown;

	if (!stated)
		return;
	for (uint32_t m = 0; m < w->costs->metric_count; m++) {
		struct metric_costs *metric = &w->costs->metrics[m];

		for (uint32_t i = 0; i < stated->place_count; i++) {
			uint64_t self = stated->self[metric->metric][i];

			metric->whole += (double)self;
			is_shown[stated->node[i]] = is_shown[stated->node[i]] || self > 0;
		}
	}
	for (uint32_t i = 0; i < stated->call_count; i++)
		is_shown[stated->node[gprofx_id(&stated->caller, i)]] =
			is_shown[stated->node[gprofx_id(&stated->callee, i)]] = true;
}

void
costs_make(struct gprofx *gx, const struct gprofx_report *report, struct costs *costs)
{
	uint32_t count = report->functions->count;
	size_t rows = (size_t)count + 1;
	struct work w = {
		.gx = gx,
		.report = report,
		.graph = report->graph,
		.costs = costs,
		.factors = compared_factors(gx, report),
		.total = gprofx_alloc(gx, rows * sizeof *w.total),
		.incoming = gprofx_alloc(gx, rows * sizeof *w.incoming),
		.outgoing = gprofx_alloc(gx, rows * sizeof *w.outgoing),
		.is_called = gprofx_alloc(gx, rows),
		.has_entry = gprofx_alloc(gx, rows),
		.inner_calls = gprofx_alloc(gx, rows * sizeof *w.inner_calls),
	};

	*costs = (struct costs){
		.count = count,
		.owner = gprofx_alloc(gx, rows * sizeof *costs->owner),
		.has_arc = gprofx_alloc(gx, (size_t)report->graph->arcs.count + 1),
		.is_shown = gprofx_alloc(gx, rows),
		.outside = count,
		.are_stated = report->stated && report->stated->is_whole,
	};
	begin_metrics(&w);
	find_owners(&w);
	if (costs->are_stated) {
		add_stated(&w);
		return;
	}
	find_arcs(&w);
	for (uint32_t m = 0; m < costs->metric_count; m++) {
		w.metric = &costs->metrics[m];
		add_totals(&w);
		find_cycles(&w);
		find_cycle_calls(&w);
		charge_arcs(&w);
		add_extra(&w);
	}
}

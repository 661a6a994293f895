/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/slices.h"

#include <math.h>

#include "base/memory.h"
#include "base/sort.h"
#include "graph/arcs.h"
#include "graph/samples.h"
#include "profile/kept-rows.h"
#include "report/slices.h"

/* Rows that begin with their slice, in the order of that, and how many were looked at. */
struct sorted {
	const char *items;
	size_t row_bytes;
	uint32_t *ids, count, next;
};

struct crediting {
	struct run *run;
	const struct symbols *symbols;
	const struct filters *filters;
	const struct profile *profile;
	const struct attribution *callers;
	struct sample_rules samples;
	struct arc_rules arcs;
	struct sample_credits self; /* of the slice at hand; its list has what anything is of */
	struct sample_credits bin;  /* of one sample of a bin */
	double *whole;              /* per symbol: weight of the stacks that it is in */
	uint64_t *calls;            /* per symbol */
	uint32_t *seen;             /* per symbol: the last stack that it was in */
	uint32_t walked;            /* stacks */
	bool *is_listed;            /* per symbol */
	struct sliced *to;
};

static uint32_t
slice_at(const struct sorted *rows, uint32_t id)
{
	return *(const uint32_t *)(const void *)(rows->items + id * rows->row_bytes);
}

static struct sorted
sort_by_slice(struct run *run, const struct kept_rows *kept, size_t row_bytes, bool is_wanted)
{
	struct sorted rows = {.items = kept->items,
	                      .row_bytes = row_bytes,
	                      .count = is_wanted && kept->items ? kept->count : 0};
	uint64_t *keys;

	memory_array(run, keys, rows.count);
	memory_array(run, rows.ids, rows.count);
	for (uint32_t i = 0; i < rows.count; i++) {
		keys[i] = slice_at(&rows, i);
		rows.ids[i] = i;
	}
	sort_ascending(run, keys, rows.ids, rows.count);
	memory_release(run, keys);
	return rows;
}

/* The next row of the slice, or NULL. */
static const void *
next_row(struct sorted *rows, uint32_t slice)
{
	if (!rows->items || rows->next == rows->count ||
	    slice_at(rows, rows->ids[rows->next]) != slice)
		return NULL;
	return rows->items + rows->ids[rows->next++] * rows->row_bytes;
}

/* Something is of the symbol. */
static void
list(struct crediting *at, uint32_t symbol)
{
	if (at->is_listed[symbol])
		return;
	at->is_listed[symbol] = true;
	at->self.credited[at->self.count++] = symbol;
}

static void
add_self(struct crediting *at, uint32_t symbol, double ticks)
{
	list(at, symbol);
	at->self.self[symbol] += ticks;
}

/* Gives what was credited of one sample to the slice that number of times. */
static void
take_credits(struct crediting *at, double times)
{
	for (uint32_t i = 0; i < at->bin.count; i++) {
		uint32_t symbol = at->bin.credited[i];

		add_self(at, symbol, at->bin.self[symbol] * times);
		at->bin.self[symbol] = 0;
	}
	at->bin.count = 0;
}

static void
credit_bin(struct crediting *at, const struct slice_bin *bin)
{
	const struct histogram *histogram = &at->profile->histograms[bin->histogram];
	const struct shared_bin shared = {0, bin->histogram, (uint32_t)bin->bin, bin->samples};

	samples_credit_late(at->run, &at->samples, at->profile, &shared, &at->bin);
	take_credits(at, (double)bin->samples);
	at->self.all += (double)bin->samples * samples_weight(at->run, at->profile, histogram);
}

static void
credit_sparse(struct crediting *at, const struct sparse_sample *sample)
{
	at->bin.all = 0;
	samples_credit_sparse(at->run, &at->samples, at->profile, sample, 1, NULL, &at->bin);
	take_credits(at, 1);
	at->self.all += at->bin.all;
}

/* Each function that a stack has counts once. */
static void
credit_stack(struct crediting *at, const struct stack_slice *row)
{
	const struct stacks *stacks = &at->profile->stacks;
	uint32_t walked = ++at->walked, outside = at->symbols->count;
	double weight = (double)row->weight;
	struct stack_walk in;

	at->self.all += weight;
	if (row->stack == NO_STACK) {
		add_self(at, outside, weight);
		at->whole[outside] += weight;
		return;
	}
	in = stacks_walk(stacks, row->stack);
	add_self(at, stacks->function[stacks->place[in.frame]], weight);
	for (; in.frame != NO_FRAME; in = stacks_outwards(stacks, in)) {
		uint32_t f = stacks->function[stacks->place[in.frame]];

		if (at->seen[f] == walked)
			continue;
		at->seen[f] = walked;
		list(at, f);
		at->whole[f] += weight;
	}
}

static void
credit_call(struct crediting *at, const struct slice_call *call)
{
	const struct gprofx_raw_arc arc = {call->from, call->self, call->count};
	bool has_caller = call->has_caller != 0;
	uint32_t caller, callee;
	uint64_t others;

	arcs_resolve(&at->arcs, &arc, has_caller, &caller, &callee);
	if (callee == NO_SYMBOL || arc.count == 0 ||
	    !filter_selects(at->filters, ENGINE_FILTER_FLAT, callee) ||
	    !filter_keeps_arc(at->filters, at->symbols, caller, callee))
		return;
	others = has_caller ? attribution_others(at->callers, &at->arcs, &arc) : arc.count;
	if (others == 0)
		return;
	list(at, callee);
	others = at->calls[callee] + others;
	at->calls[callee] = others < at->calls[callee] || others == GPROFX_CALLS_UNKNOWN
	                            ? GPROFX_CALLS_UNKNOWN - 1
	                            : others;
}

/* What was found of a slice becomes its values, and is forgotten. */
static void
finish_slice(struct crediting *at, uint32_t slice)
{
	struct sliced *to = at->to;
	uint32_t count = at->self.count, *symbols = at->self.credited;
	bool counts_calls = at->profile->has_arcs || at->profile->slices.calls.count > 0;
	uint64_t *keys;

	memory_array(at->run, keys, count);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = symbols[i];
	sort_ascending(at->run, keys, symbols, count);
	memory_release(at->run, keys);
	to->ticks[slice] = at->self.all;
	to->values = memory_room(at->run, to->values, sizeof *to->values, to->count, &to->room,
	                         count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t s = symbols[i];
		double self = at->self.self[s], below = at->whole[s] - self;

		to->values[to->count++] = (struct gprofx_slice_value){
			.slice = slice,
			.node = s,
			.self = self,
			.below = !to->is_inclusive ? (double)NAN
		                 : below > 0       ? below
		                                   : 0,
			.calls = counts_calls ? at->calls[s] : GPROFX_CALLS_UNKNOWN,
		};
		at->self.self[s] = at->whole[s] = 0;
		at->calls[s] = 0;
		at->is_listed[s] = false;
	}
	at->self.count = 0;
	at->self.all = 0;
}

static void
make_room(struct crediting *at)
{
	size_t symbols = (size_t)at->symbols->count + SYMBOL_MORE_ROWS;
	struct run *run = at->run;

	memory_array(run, at->self.self, symbols);
	memory_array(run, at->self.credited, symbols);
	memory_array(run, at->bin.self, symbols);
	memory_array(run, at->bin.credited, symbols);
	memory_array(run, at->whole, symbols);
	memory_array(run, at->calls, symbols);
	memory_array(run, at->seen, symbols);
	memory_array(run, at->is_listed, symbols);
	memory_array(run, at->to->ticks, (size_t)at->profile->slices.count + 1);
}

static void
release_room(const struct crediting *at)
{
	memory_release(at->run, at->self.self);
	memory_release(at->run, at->self.credited);
	memory_release(at->run, at->bin.self);
	memory_release(at->run, at->bin.credited);
	memory_release(at->run, at->whole);
	memory_release(at->run, at->calls);
	memory_release(at->run, at->seen);
	memory_release(at->run, at->is_listed);
}

struct sliced *
slices_credit(struct run *run, const struct symbols *symbols, const struct filters *filters,
              struct scan *scan, const struct profile *profile, const struct attribution *callers)
{
	struct crediting at = {.run = run,
	                       .symbols = symbols,
	                       .filters = filters,
	                       .profile = profile,
	                       .callers = callers,
	                       .samples = {.symbols = symbols, .filters = filters, .scan = scan}};
	const struct slices *slices = &profile->slices;
	bool has_stacks = profile->stacks.is_there;
	struct sorted bins, sparse, stacks, calls;

	if (!slices->wanted && !slices_are_by_file(profile))
		return NULL;
	at.to = memory_alloc(run, sizeof *at.to);
	at.to->slices = slices;
	/* It is not known in which slice calls cost what. */
	at.to->is_inclusive = has_stacks && profile->stacks.calls.count == 0;
	make_room(&at);
	at.arcs = arcs_rules(run, symbols);
	if (!has_stacks)
		samples_prepare(run, &at.samples);
	/* Histograms beside stacks are not used. */
	bins = sort_by_slice(run, &slices->bins, sizeof(struct slice_bin), !has_stacks);
	sparse = sort_by_slice(run, &profile->sparse, sizeof(struct sparse_sample), !has_stacks);
	stacks = sort_by_slice(run, &profile->stacks.by_slice, sizeof(struct stack_slice), true);
	calls = sort_by_slice(run, &slices->calls, sizeof(struct slice_call), true);
	for (uint32_t slice = 0; slice <= slices->count; slice++) {
		const void *row;

		while ((row = next_row(&bins, slice)))
			credit_bin(&at, row);
		while ((row = next_row(&sparse, slice)))
			credit_sparse(&at, row);
		while ((row = next_row(&stacks, slice)))
			credit_stack(&at, row);
		while ((row = next_row(&calls, slice)))
			credit_call(&at, row);
		finish_slice(&at, slice);
	}
	if (!has_stacks)
		samples_finish(run, &at.samples);
	release_room(&at);
	return at.to;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which inlined subroutines the samples of histograms are in.  Spaces of functions are cut where
 * rows of the debug information begin, and the samples of each piece count for the chain of
 * subroutines that the row has.  Only proportions within a function are taken from that.
 */
#include "base/memory.h"
#include "base/run.h"
#include "contexts/parts.h"
#include "graph/graph.h"
#include "graph/samples.h"
#include "profile/profile.h"
#include "report/model.h"
#include "symbols/inlined.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

/* Pieces of code: each is of one function and of one row. */
struct pieces {
	uint64_t *start; /* one more than there are pieces */
	uint32_t *function, *row;
	uint32_t count;
};

static void
add_piece(struct pieces *pieces, uint64_t start, uint32_t function, uint32_t row)
{
	pieces->start[pieces->count] = start;
	pieces->function[pieces->count] = function;
	pieces->row[pieces->count++] = row;
}

static struct pieces
cut(struct run *run, const struct symbols *symbols, const struct inlined_code *code)
{
	const struct symbol_spaces spaces = symbols_spaces(run, symbols);
	const struct gprofx_lines *lines = &code->rows.public;
	size_t most = (size_t)spaces.count + lines->count + 1;
	struct pieces pieces = {.count = 0};
	uint32_t next = 0;

	memory_array(run, pieces.start, most);
	memory_array(run, pieces.function, most);
	memory_array(run, pieces.row, most);
	for (uint32_t i = 0; i < spaces.count; i++) {
		uint32_t owner = spaces.owner ? spaces.owner[i] : i;
		uint32_t function = owner < symbols->count ? symbols_function(symbols, owner)
		                                           : NO_SYMBOL;
		uint64_t start = spaces.start[i], end = spaces.start[i + 1];

		/* Rows are those of the program. */
		if (!symbols_is_program(symbols, start)) {
			add_piece(&pieces, start, function, lines->count);
			continue;
		}
		while (next < lines->count && lines->rows.address[next] <= start)
			next++;
		add_piece(&pieces, start, function, next > 0 ? next - 1 : lines->count);
		for (; next < lines->count && lines->rows.address[next] < end; next++)
			add_piece(&pieces, lines->rows.address[next], function, next);
	}
	pieces.start[pieces.count] = spaces.count > 0 ? spaces.start[spaces.count] : 0;
	return pieces;
}

static const struct profile *
profile_of(const struct profile *profile, uint32_t metric)
{
	return metric == 0 ? profile : profile->others[metric - 1];
}

/* The row of the innermost subroutine of a piece. */
static uint32_t
row_of(struct run *run, struct context_source *source, const struct pieces *pieces, uint32_t piece,
       struct context_tree *tree)
{
	struct code_frame frames[INLINED_AT_MOST + 1];
	uint32_t depth = inlined_frames(source->code, pieces->row[piece], frames);
	struct context_key key = {GPROFX_NO_CONTEXT, pieces->function[piece], 0, GPROFX_NO_PLACE};
	uint32_t row = contexts_child(run, tree, key);

	key.flags = GPROFX_CONTEXT_INLINED;
	for (uint32_t i = 1; i < depth; i++) {
		key.parent = row;
		key.place = contexts_place_of_name(run, source, frames[i].name);
		row = contexts_child(run, tree, key);
	}
	return row;
}

/* Ticks of rows become parts of what their functions have. */
static void
make_shares(struct run *run, const struct context_tree *tree, const struct graph *graph,
            double *ticks)
{
	double *of_function;

	memory_array(run, of_function, graph->node_count);
	for (uint32_t row = 0; row < tree->count; row++)
		of_function[tree->node[row]] += ticks[row];
	for (uint32_t row = 0; row < tree->count; row++) {
		double whole = of_function[tree->node[row]];

		if (whole > 0)
			ticks[row] /= whole;
		else
			ticks[row] = tree->parent[row] == GPROFX_NO_CONTEXT ? 1 : 0;
	}
	memory_release(run, of_function);
}

static void
keep_ticks(struct run *run, struct context_inside *inside)
{
	memory_array(run, inside->ticks, inside->tree.count);
	for (uint32_t row = 0; row < inside->tree.count; row++)
		inside->ticks[row] = inside->share[0][row];
}

/* Whether a piece has samples of some metric, and is of a function that the graph has. */
static bool
has_samples(const struct pieces *pieces, double *const *ticks, uint32_t metrics, uint32_t piece)
{
	for (uint32_t i = 0; pieces->function[piece] != NO_SYMBOL && i < metrics; i++)
		if (ticks[i][piece] > 0)
			return true;
	return false;
}

/* Rows for the pieces with samples: those of pieces become them, or NO_SYMBOL. */
static void
make_rows(struct run *run, struct context_source *source, struct pieces *pieces,
          double *const *ticks, uint32_t metrics, struct context_inside *inside)
{
	const struct gprofx_lines *lines = &source->code->rows.public;
	struct context_lines hot = {.count = 0};
	bool is_hottest_wanted = source->form & REPORT_CONTEXTS_HOTTEST;

	for (uint32_t piece = 0; piece < pieces->count; piece++) {
		uint32_t row = pieces->row[piece];

		if (!has_samples(pieces, ticks, metrics, piece)) {
			pieces->row[piece] = NO_SYMBOL;
			continue;
		}
		pieces->row[piece] = row_of(run, source, pieces, piece, &inside->tree);
		if (is_hottest_wanted && row < lines->count)
			contexts_add_line(run, &hot, pieces->row[piece],
			                  &(struct code_frame){0, lines->rows.file[row],
			                                       lines->rows.line[row]},
			                  ticks[0][piece]);
	}
	if (is_hottest_wanted)
		inside->hottest = contexts_hottest(run, source, &hot, inside->tree.count);
}

struct context_inside *
contexts_look_inside(struct run *run, struct context_source *source, uint32_t metric_count)
{
	const struct symbols *symbols = source->model->symbols;
	struct context_inside *inside;
	struct pieces pieces;
	double **ticks;

	if (!(source->form & REPORT_CONTEXTS_INLINED) || !source->code ||
	    !profile_has_times(source->profile))
		return NULL;
	inside = memory_alloc(run, sizeof *inside);
	pieces = cut(run, symbols, source->code);
	ticks = memory_alloc_array(run, sizeof *ticks, metric_count);
	inside->share = memory_alloc_array(run, sizeof *inside->share, metric_count);
	for (uint32_t i = 0; i < metric_count; i++)
		ticks[i] = samples_by_space(run, symbols, source->graph->scan,
		                            profile_of(source->profile, i), pieces.start,
		                            pieces.count, NULL);
	/* Rows first: then it is known how many there are. */
	make_rows(run, source, &pieces, ticks, metric_count, inside);
	for (uint32_t i = 0; i < metric_count; i++) {
		memory_array(run, inside->share[i], inside->tree.count);
		for (uint32_t piece = 0; piece < pieces.count; piece++)
			if (pieces.row[piece] != NO_SYMBOL)
				inside->share[i][pieces.row[piece]] += ticks[i][piece];
		if (i == 0)
			keep_ticks(run, inside);
		make_shares(run, &inside->tree, source->graph, inside->share[i]);
		memory_release(run, ticks[i]);
	}
	memory_release(run, pieces.start);
	memory_release(run, pieces.function);
	memory_release(run, pieces.row);
	return inside;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/slots.h"
#include "compare/joined.h"
#include "compare/match.h"
#include "compare/values.h"
#include "report/model.h"

/* Contexts of both sides, while they become one tree. */
struct tree {
	uint32_t *parent, *node, *flags, count;
	double *self[JOINED_SIDES], *below[JOINED_SIDES];
	/* NULL: not known. */
	double *self_squares[JOINED_SIDES], *total_squares[JOINED_SIDES];
	struct slots slots; /* contexts by what distinguishes siblings */
	uint64_t factor;    /* of hashes */
};

/* What distinguishes siblings. */
struct key {
	uint32_t parent, node, flags;
};

void
joined_find_summed(struct run *run, struct joined_side *side)
{
	const struct gprofx_report *report = side->values->report;
	struct compare_matches matches;
	uint32_t *same;

	if (!side->summed)
		return;
	if (side->summed != report) {
		compare_match(run, report, side->summed, &matches);
		side->of_summed = matches.of_new;
		return;
	}
	memory_array(run, same, (size_t)report->functions->count + 1);
	for (uint32_t i = 0; i < report->functions->count; i++)
		same[i] = i;
	side->of_summed = same;
}

static uint64_t
hash_of(const struct tree *tree, struct key key)
{
	uint64_t hash = hash_word((uint64_t)key.parent << 32 | key.node, tree->factor);

	return hash_word(hash ^ key.flags, tree->factor) >> 32;
}

static inline bool
has_key(const void *rows, uint32_t number, const void *wanted)
{
	const struct tree *tree = rows;
	const struct key *key = wanted;

	return tree->parent[number] == key->parent && tree->node[number] == key->node &&
	       tree->flags[number] == key->flags;
}

/* The context that has the key; it is added if there is none. */
static uint32_t
find_or_add(struct tree *tree, struct key key)
{
	uint32_t *slot = slots_find(&tree->slots, hash_of(tree, key), has_key, tree, &key);

	if (*slot == 0) {
		tree->parent[tree->count] = key.parent;
		tree->node[tree->count] = key.node;
		tree->flags[tree->count] = key.flags;
		*slot = ++tree->count;
	}
	return *slot - 1;
}

/* The contexts of a side have one column for each metric; that which is compared is the first. */
static const struct gprofx_column *
column_of(const struct joined_side *side)
{
	return side->summed->contexts->columns;
}

double
joined_factor(const struct joined_side *side)
{
	const struct compare_values *values = side->values;
	double sum = values->mean * values->run_count;

	if (values->is_share)
		return sum > 0 ? values->factor * values->totals[0] * values->scale[0] / sum : 1;
	return values->factor / values->run_count;
}

static struct gprofx_reals
reals(const double *values)
{
	return (struct gprofx_reals){values, sizeof *values};
}

static void
begin(struct run *run, struct tree *tree, const struct joined_side *sides)
{
	size_t most = (size_t)sides[0].summed->contexts->count + sides[1].summed->contexts->count;

	/* As many as there are numbers; more do not fit into memory. */
	if (most >= UINT32_MAX)
		memory_exhausted(run, most);
	memory_array(run, tree->parent, most + 1);
	memory_array(run, tree->node, most + 1);
	memory_array(run, tree->flags, most + 1);
	for (uint32_t s = 0; s < JOINED_SIDES; s++) {
		memory_array(run, tree->self[s], most + 1);
		memory_array(run, tree->below[s], most + 1);
		if (!column_of(&sides[s])->self_squares.first ||
		    !column_of(&sides[s])->total_squares.first)
			continue;
		memory_array(run, tree->self_squares[s], most + 1);
		memory_array(run, tree->total_squares[s], most + 1);
	}
	tree->factor = hash_factor();
	slots_grow(run, &tree->slots, (uint32_t)most);
}

/*
 * Adds the contexts of a side.  Cycles are left out, as each side can have others: members stand
 * where their cycle stood.  Returns the ticks that no context has.
 */
static double
add_side(struct run *run, struct tree *tree, const struct joined_side *side, uint32_t s)
{
	const struct gprofx_report_contexts *contexts = side->summed->contexts;
	const struct gprofx_column *column = column_of(side);
	double factor = joined_factor(side), cut = contexts->cut[0];
	uint32_t *joined;

	memory_array(run, joined, (size_t)contexts->count + 1);
	for (uint32_t i = 0; i < contexts->count && column->total_origin != GPROFX_UNKNOWN; i++) {
		uint32_t parent = contexts->parent[i], node = contexts->node[i], at;
		bool is_function = node < side->summed->functions->count;

		parent = parent == GPROFX_NO_CONTEXT ? parent : joined[parent];
		node = is_function ? side->of_summed[node] : UINT32_MAX;
		if (node == UINT32_MAX) {
			joined[i] = parent;
			cut += gprofx_real(&column->self, i);
			continue;
		}
		at = find_or_add(tree, (struct key){parent, side->node[node], contexts->flags[i]});
		joined[i] = at;
		/* A member of a cycle can be below another one, and again where it stood. */
		tree->self[s][at] += gprofx_real(&column->self, i) * factor;
		tree->below[s][at] += gprofx_real(&column->below, i) * factor;
		if (!tree->self_squares[s])
			continue;
		tree->self_squares[s][at] += gprofx_real(&column->self_squares, i) * factor *
		                             factor;
		tree->total_squares[s][at] += gprofx_real(&column->total_squares, i) * factor *
		                              factor;
	}
	memory_release(run, joined);
	return cut * factor;
}

/* Contexts of several places in the code, or of inlined subroutines, are one here. */
static void
set_contexts(struct run *run, struct report_model *model, const struct joined_side *sides,
             const struct tree *tree, const double *cut, uint32_t forms)
{
	struct gprofx_report_contexts *contexts = memory_alloc(run, sizeof *contexts);
	struct gprofx_column *columns;

	memory_array(run, columns, JOINED_SIDES);
	*contexts = (struct gprofx_report_contexts){
		.size = sizeof *contexts,
		.count = tree->count,
		.parent = tree->parent,
		.node = tree->node,
		.flags = tree->flags,
		.columns = columns,
		.cut = cut,
	};
	for (uint32_t s = 0; s < JOINED_SIDES; s++) {
		const struct gprofx_column *own = column_of(&sides[s]);

		columns[s] = report_no_column(s, 0);
		columns[s].self_origin = own->self_origin;
		columns[s].total_origin = own->total_origin;
		columns[s].self = reals(tree->self[s]);
		columns[s].below = reals(tree->below[s]);
		columns[s].graph_total = own->graph_total * joined_factor(&sides[s]);
		if (tree->self_squares[s]) {
			columns[s].self_squares = reals(tree->self_squares[s]);
			columns[s].total_squares = reals(tree->total_squares[s]);
		}
		contexts->is_estimated |= sides[s].summed->contexts->is_estimated;
		contexts->bounds |= sides[s].summed->contexts->bounds;
	}
	for (uint32_t i = 0; i < REPORT_CONTEXT_FORMS; i++)
		if (forms >> i & 1)
			model->contexts[i] = contexts;
}

void
joined_contexts(struct run *run, struct report_model *model,
                const struct joined_side sides[JOINED_SIDES], uint32_t forms)
{
	struct tree tree = {.count = 0};
	double *cut;

	memory_array(run, cut, JOINED_SIDES);
	begin(run, &tree, sides);
	/* The new side first: its contexts keep their order. */
	cut[1] = add_side(run, &tree, &sides[1], 1);
	cut[0] = add_side(run, &tree, &sides[0], 0);
	slots_release(run, &tree.slots);
	set_contexts(run, model, sides, &tree, cut, forms);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that were renamed: in the same place, with the same neighbors in the call graph.  Only
 * neighbors that are matched count, so each round can find more.
 */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "compare/matching.h"

/* A chain of renamed functions needs a round for each; each costs as much as the arcs. */
enum { MOST_ROUNDS = 4 };

/* The same in all runs: collisions that a file provokes prevent matches, and nothing else. */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Neighbors of rows that are not matched: those of a row are item[first[row]] and so on, sorted.
 */
struct neighbors {
	uint32_t *first;
	uint64_t *item; /* function of the base, times 2; plus 1: a callee */
	/* Per row: its items as one number; whether there are callers and callees. */
	uint64_t *hash;
	uint8_t *has;
	uint32_t *rank; /* among functions of a file, for those of "new" */
};

enum { HAS_CALLERS = 1, HAS_CALLEES = 2, HAS_BOTH = 3 };

/* Passes each neighbor of a row that is not matched to the next sort. */
struct items {
	uint64_t *item;
	uint32_t *row;
	uint32_t count, room, row_room;
};

/* Whether a function can have been renamed: nothing is said of one whose name was not read. */
static bool
is_open(const struct matching *matching, uint32_t row)
{
	return matching_is_left(matching, row, MATCHING_FUNCTION) &&
	       matching->name[row] != MATCHING_NONE;
}

static void
add_item(const struct matching *matching, struct items *items, uint32_t row, uint32_t neighbor,
         bool is_callee)
{
	uint32_t base = matching_is_new(matching, neighbor) ? matching->partner[neighbor]
	                                                    : neighbor;

	if (matching->partner[neighbor] == MATCHING_NONE || !is_open(matching, row))
		return;
	items->item = memory_room(matching->run, items->item, sizeof *items->item, items->count,
	                          &items->room, 1);
	items->row = memory_room(matching->run, items->row, sizeof *items->row, items->count,
	                         &items->row_room, 1);
	items->item[items->count] = (uint64_t)base << 1 | is_callee;
	items->row[items->count++] = row;
}

static bool
is_of_kernel(const struct gprofx_report *report, uint32_t function)
{
	const char *object = report->functions->object_name
	                             ? report->functions->object_name[function]
	                             : NULL;

	return object && strncmp(object, "[kernel", strlen("[kernel")) == 0;
}

/*
 * Whether the kernel is called from outside of it: interrupts come wherever the program is, so this
 * distinguishes no functions.
 */
static bool
is_interrupt(const struct gprofx_report *report, const struct gprofx_arcs *arcs, uint32_t arc)
{
	return is_of_kernel(report, gprofx_id(&arcs->callee, arc)) &&
	       !is_of_kernel(report, gprofx_id(&arcs->caller, arc));
}

static void
collect_items(const struct matching *matching, struct items *items)
{
	for (uint32_t side = 0; side < 2; side++) {
		const struct gprofx_arcs *arcs = &matching->reports[side]->graph->arcs;

		for (uint32_t i = 0; i < arcs->count; i++) {
			uint32_t caller, callee;

			if (is_interrupt(matching->reports[side], arcs, i))
				continue;
			caller = matching_row(matching, side == 1, gprofx_id(&arcs->caller, i));
			callee = matching_row(matching, side == 1, gprofx_id(&arcs->callee, i));
			add_item(matching, items, caller, callee, true);
			add_item(matching, items, callee, caller, false);
		}
	}
}

/* Sorts the items once, so that the list of each row is sorted. */
static void
find_neighbors(const struct matching *matching, struct neighbors *of)
{
	struct run *run = matching->run;
	struct items items = {0};
	uint32_t rows = matching->row_count, *first = of->first;

	collect_items(matching, &items);
	sort_ascending(run, items.item, items.row, items.count);
	memory_release(run, of->item);
	memory_array(run, of->item, items.count);
	memset(first, 0, ((size_t)rows + 1) * sizeof *first);
	memset(of->hash, 0, rows * sizeof *of->hash);
	memset(of->has, 0, rows * sizeof *of->has);
	/* Rows are counted one place further, and filling moves their starts there. */
	for (uint32_t i = 0; i < items.count; i++)
		if (items.row[i] + 2 <= rows)
			first[items.row[i] + 2]++;
	for (uint32_t row = 0; row < rows; row++)
		first[row + 1] += first[row];
	for (uint32_t i = 0; i < items.count; i++) {
		uint32_t row = items.row[i];
		uint64_t item = items.item[i];

		of->item[first[row + 1]++] = item;
		of->hash[row] = hash_word(of->hash[row] ^ (item + 1), FACTOR);
		of->has[row] |= item & 1 ? HAS_CALLEES : HAS_CALLERS;
	}
	memory_release(run, items.item);
	memory_release(run, items.row);
}

/* Whether two rows have the same neighbors. */
static bool
are_alike(const struct neighbors *of, uint32_t left, uint32_t right)
{
	uint32_t count = of->first[left + 1] - of->first[left];

	if (of->first[right + 1] - of->first[right] != count)
		return false;
	return count == 0 || memcmp(of->item + of->first[left], of->item + of->first[right],
	                            count * sizeof *of->item) == 0;
}

/* Rule: one on each side, with the same neighbors in fact. */
static bool
is_renamed(const struct matching *matching, const struct matching_group *group, const void *context)
{
	return matching_is_unique(matching, group, NULL) &&
	       are_alike(context, group->rows[0][0], group->rows[1][0]);
}

/* Rule: the same, where files are not known. */
static bool
is_renamed_in_object(const struct matching *matching, const struct matching_group *group,
                     const void *context)
{
	return matching_lacks_files(matching, group, NULL) && is_renamed(matching, group, context);
}

/* Returns how many pairs there are. */
static uint32_t
match_alike(struct matching *matching, const struct neighbors *of)
{
	const uint32_t *place = matching->place;
	uint32_t pairs;

	for (uint32_t row = 0; row < matching->row_count; row++)
		if (is_open(matching, row) && of->has[row] != 0 && place[row] != MATCHING_NONE)
			matching_add(matching, row, hash_word(of->hash[row] ^ place[row], FACTOR));
	pairs = matching_pair(matching, GPROFX_MATCH_RENAMED, is_renamed, of);
	/* An object has many functions: what has only the same caller can be another one. */
	for (uint32_t row = 0; row < matching->row_count; row++)
		if (is_open(matching, row) && of->has[row] == HAS_BOTH)
			matching_add(matching, row,
			             hash_word(of->hash[row] ^ matching->object[row], FACTOR));
	return pairs + matching_pair(matching, GPROFX_MATCH_RENAMED, is_renamed_in_object, of);
}

/* Matches the functions between two neighbors, which are numbers in the group of the base. */
static void
match_between(struct matching *matching, const struct neighbors *of,
              const struct matching_group *group, uint32_t before, uint32_t behind)
{
	const uint32_t *base = group->rows[0], *new = group->rows[1];
	uint32_t first = matching_row(matching, true, matching->partner[base[before]]);
	uint32_t last = matching_row(matching, true, matching->partner[base[behind]]);
	uint32_t at, count = behind - before - 1;

	/* Both have to be in this file, with as many functions between them. */
	if (matching->place[first] != matching->place[base[before]] ||
	    matching->place[last] != matching->place[base[before]])
		return;
	at = of->rank[first] + 1;
	if (of->rank[last] < at || of->rank[last] - at != count)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (!is_open(matching, new[at + i]) ||
		    !are_alike(of, base[before + 1 + i], new[at + i]))
			return;
	for (uint32_t i = 0; i < count; i++)
		matching_set(matching, base[before + 1 + i], new[at + i], GPROFX_MATCH_RENAMED);
}

/* Functions of one file in the order of their addresses. */
static void
match_file(struct matching *matching, const struct neighbors *of,
           const struct matching_group *group)
{
	uint32_t before = MATCHING_NONE;

	for (uint32_t i = 0; i < group->counts[1]; i++)
		of->rank[group->rows[1][i]] = i;
	for (uint32_t i = 0; i < group->counts[0]; i++) {
		if (matching->partner[group->rows[0][i]] == MATCHING_NONE)
			continue;
		if (before != MATCHING_NONE && i - before > 1)
			match_between(matching, of, group, before, i);
		before = i;
	}
}

static void
match_positions(struct matching *matching, const struct neighbors *of)
{
	struct matching_group group;
	uint32_t at = 0;

	for (uint32_t row = 0; row < matching->row_count; row++)
		if (matching->kind[row] == MATCHING_FUNCTION &&
		    matching->place[row] != MATCHING_NONE)
			matching_add(matching, row, matching->place[row]);
	while (matching_next(matching, &at, &group))
		match_file(matching, of, &group);
}

void
matching_renamed(struct matching *matching)
{
	struct run *run = matching->run;
	struct neighbors of = {0};
	uint32_t rows = matching->row_count;

	if (!matching_has_left(matching))
		return;
	memory_array(run, of.first, (size_t)rows + 1);
	memory_array(run, of.hash, rows);
	memory_array(run, of.has, rows);
	memory_array(run, of.rank, rows);
	for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
		find_neighbors(matching, &of);
		if (match_alike(matching, &of) == 0)
			break;
	}
	match_positions(matching, &of);
	memory_release(run, of.first);
	memory_release(run, of.item);
	memory_release(run, of.hash);
	memory_release(run, of.has);
	memory_release(run, of.rank);
}

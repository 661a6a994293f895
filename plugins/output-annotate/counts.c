/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of a line: the calls of a function that begins on it, then the counts of its basic
 * blocks.  If all lines are to have some, code that begins inside of a block has the block's.
 */
#include "counts.h"

#include <stdlib.h>
#include <string.h>

#include "../shared/line-calls.h"

/* What a function begins with is known by its calls. */
static bool
is_entry(const struct gprofx_report *report, uint32_t function)
{
	return (report->graph->flags[function] & GPROFX_NODE_FUNCTION) != 0;
}

static int
compare_blocks(const void *left, const void *right)
{
	const struct gprofx_block *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* The blocks of each function by address, as the code runs, not as they were recorded. */
static const struct gprofx_block *
sort_blocks(struct gprofx *gx, const struct gprofx_report *report)
{
	const uint32_t *first = report->source->block_first;
	struct gprofx_block *blocks;
	uint32_t count = first ? first[report->functions->count] : 0;

	if (count == 0)
		return report->source->block;
	blocks = gprofx_alloc(gx, count * sizeof *blocks);
	memcpy(blocks, report->source->block, count * sizeof *blocks);
	for (uint32_t f = 0; f < report->functions->count; f++) {
		uint32_t blocks_of_it = first[f + 1] - first[f];

		for (uint32_t i = 1; i < blocks_of_it; i++)
			if (blocks[first[f] + i].address < blocks[first[f] + i - 1].address) {
				qsort(blocks + first[f], blocks_of_it, sizeof *blocks,
				      compare_blocks);
				break;
			}
	}
	return blocks;
}

/* Along the code: a block reaches to the next one, and not into another function. */
static uint64_t *
carry_counts(const struct counter *counter)
{
	const struct gprofx_report *report = counter->report;
	const uint32_t *first = report->source->block_first;
	uint64_t *carried = gprofx_alloc(counter->gx, (size_t)report->functions->count * 8 + 8);
	uint64_t count = 0;

	for (uint32_t f = 0; f < report->functions->count; f++) {
		const struct gprofx_block *blocks = counter->blocks;
		uint32_t begin = first ? first[f] : 0, end = first ? first[f + 1] : 0;

		if (is_entry(report, f))
			count = gprofx_executions_of(report, f);
		carried[f] = count;
		if (begin == end)
			continue;
		if (blocks[begin].address == report->functions->address[f])
			carried[f] = blocks[begin].count;
		count = blocks[end - 1].count;
	}
	return carried;
}

/* The same where it is known how far the blocks go: nothing is to be concluded. */
static bool *
find_unknown(const struct counter *counter)
{
	const struct gprofx_report *report = counter->report;
	bool *is_unknown = gprofx_alloc(counter->gx, (size_t)report->functions->count + 1);

	for (uint32_t f = 0; f < report->functions->count; f++)
		is_unknown[f] = report->source->begins_with[f] == GPROFX_CALLS_UNKNOWN &&
		                gprofx_known_calls_of(report, f) == 0;
	return is_unknown;
}

/*
 * Where code without a known count starts: up to the first recorded block of its function.  Calls
 * are the count of what a function begins with; what is behind can be a loop or a branch.
 */
static bool *
find_unsure(const struct counter *counter)
{
	const struct gprofx_report *report = counter->report;
	const uint32_t *first = report->source->block_first;
	bool *is_unsure = gprofx_alloc(counter->gx, (size_t)report->functions->count + 1);
	bool is_behind = false; /* what is behind the function entry is unsure, too */

	for (uint32_t f = 0; f < report->functions->count; f++) {
		uint32_t begin = first ? first[f] : 0, end = first ? first[f + 1] : 0;

		bool is_begin = (report->graph->flags[f] & GPROFX_NODE_LINE) == 0;

		if (is_begin)
			is_behind = report->source->is_uncounted[f] ||
			            gprofx_known_calls_of(report, f) != 0;
		is_unsure[f] = (is_begin ? report->source->is_uncounted[f] : is_behind) &&
		               (begin == end ||
		                counter->blocks[begin].address > report->functions->address[f]);
		is_behind = is_behind && begin == end;
	}
	return is_unsure;
}

void
counter_begin(struct counter *counter, struct gprofx *gx, const struct gprofx_report *report,
              bool all_lines)
{
	bool by_address = corrects(report, GPROFX_CORRECT_SHARED_LINES) ||
	                  corrects(report, GPROFX_CORRECT_CARRIED_COUNTS);

	*counter = (struct counter){.gx = gx, .report = report, .all_lines = all_lines};
	counter->blocks = by_address ? sort_blocks(gx, report) : report->source->block;
	if (report->source->begins_with) {
		counter->is_unsure = find_unknown(counter);
		return;
	}
	if (all_lines && corrects(report, GPROFX_CORRECT_CARRIED_COUNTS))
		counter->carried = carry_counts(counter);
	if (report->source->is_uncounted)
		counter->is_unsure = find_unsure(counter);
}

static void
add(struct counter *counter, uint64_t count)
{
	struct counts *counts = &counter->counts;

	if (counts->count == counts->room) {
		uint32_t room = counts->room ? counts->room * 2 : 64;

		counts->items = counter->gx->host->grow(counter->gx, counts->items,
		                                        counts->room * sizeof *counts->items,
		                                        room * sizeof *counts->items);
		counts->room = room;
	}
	counts->items[counts->count++] = count;
}

/* With all lines, what was just said is not said again. */
static void
add_other(struct counter *counter, uint64_t count)
{
	const struct counts *counts = &counter->counts;

	if (!counter->all_lines || counts->count == 0 || counts->items[counts->count - 1] != count)
		add(counter, count);
}

static void
take_number(struct counter *counter, uint64_t count)
{
	struct counts *counts = &counter->counts;

	if (!corrects(counter->report, GPROFX_CORRECT_LINE_TOTALS))
		counts->number += count;
	else if (count > counts->number)
		counts->number = count;
}

/* The count of the block that the code of a function, or of a line, begins in. */
static uint64_t
carried_to(const struct counter *counter, uint32_t function)
{
	return counter->carried ? counter->carried[function] : counter->previous;
}

static void
take_carried(struct counter *counter, uint32_t function)
{
	uint64_t count = carried_to(counter, function);

	if (counter->is_unsure && counter->is_unsure[function])
		return;
	add_other(counter, count);
	take_number(counter, count);
}

/* start: where its code begins; has_calls: these stand for what is before the first block. */
static void
take_blocks(struct counter *counter, uint32_t function, uint64_t start, bool has_calls)
{
	const uint32_t *first = counter->report->source->block_first;
	uint32_t begin = first ? first[function] : 0, end = first ? first[function + 1] : 0;

	if (counter->all_lines && !has_calls && begin < end &&
	    counter->blocks[begin].address > start)
		take_carried(counter, function);
	for (uint32_t i = begin; i < end; i++) {
		counter->previous = counter->blocks[i].count;
		take_number(counter, counter->previous);
		add_other(counter, counter->previous);
	}
}

/* GNU gprof: what it keeps of several functions are the blocks of the first one, and all calls. */
static void
take_first(struct counter *counter, uint32_t row)
{
	const struct gprofx_report *report = counter->report;
	const struct gprofx_lists *lists = &report->source->functions;
	uint32_t function = lists->item[lists->first[row]];
	bool is_alone = lists->first[row + 1] - lists->first[row] == 1;
	bool has_calls = is_entry(report, function);

	if (has_calls) {
		counter->previous = line_calls(report, row);
		take_number(counter, counter->previous);
		add(counter, counter->previous);
	}
	take_blocks(counter, function, is_alone ? report->functions->address[function] : 0,
	            has_calls);
	if (counter->all_lines && counter->counts.count == 0)
		take_carried(counter, function);
}

static void
take_all(struct counter *counter, uint32_t row)
{
	const struct gprofx_report *report = counter->report;
	const struct gprofx_lists *lists = &report->source->functions;
	const uint32_t *blocks = report->source->block_first;
	uint32_t first = lists->first[row], end = lists->first[row + 1];
	bool has_entry = false;

	for (uint32_t i = first; i < end; i++)
		has_entry = has_entry || is_entry(report, lists->item[i]) ||
		            gprofx_known_calls_of(report, lists->item[i]) != 0;
	if (has_entry) {
		counter->previous = line_calls(report, row);
		take_number(counter, counter->previous);
		add(counter, counter->previous);
	}
	for (uint32_t i = first; i < end; i++) {
		uint32_t function = lists->item[i];
		bool has_blocks = blocks && blocks[function] != blocks[function + 1];

		take_blocks(counter, function, report->functions->address[function],
		            is_entry(report, function));
		if (counter->all_lines && !has_blocks && !is_entry(report, function))
			take_carried(counter, function);
	}
}

/*
 * Where it is known how far the blocks go: the calls, or how often the functions were entered that
 * start on the line, then the blocks in its code, with that in which it begins.
 */
static void
take_begun(struct counter *counter, uint32_t row)
{
	const struct gprofx_report *report = counter->report;
	const struct gprofx_lists *lists = &report->source->functions;
	const uint32_t *first = report->source->block_first;
	uint64_t calls = line_calls(report, row), most = 0, sum;

	if (calls > 0)
		add(counter, calls);
	for (uint32_t i = lists->first[row]; i < lists->first[row + 1]; i++) {
		uint32_t function = lists->item[i];
		uint64_t count = report->source->begins_with[function];
		bool is_begin = (report->graph->flags[function] & GPROFX_NODE_LINE) == 0;

		if (count != GPROFX_CALLS_UNKNOWN && (counter->all_lines || is_begin) &&
		    !(is_begin && calls > 0))
			add_other(counter, count);
		for (uint32_t k = first[function]; k < first[function + 1]; k++)
			add_other(counter, counter->blocks[k].count);
	}
	if (counter->counts.count == 0)
		return;
	for (uint32_t i = 0; i < counter->counts.count; i++)
		most = counter->counts.items[i] > most ? counter->counts.items[i] : most;
	sum = gprofx_source_line_at(report, row)->count;
	/* Blocks of several copies of a function, one after the other, say nothing. */
	if (sum > most) {
		counter->counts.count = 0;
		add(counter, sum);
	}
	take_number(counter, sum);
}

/* Whether a line runs as often as the one before it, and so is taken for the same basic block. */
static bool
follows_block(const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_source_line *line = gprofx_source_line_at(report, row), *before;

	if (row == 0 ||
	    report->source->functions.first[row] != report->source->functions.first[row + 1])
		return false;
	before = gprofx_source_line_at(report, row - 1);
	return before->file == line->file && before->is_counted && before->count == line->count;
}

/* Whether the code of a row took time. */
static bool
took_time(const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_lists *lists = &report->source->functions;
	const struct gprofx_source_line *line = gprofx_source_line_at(report, row);
	bool has_time = line->ticks != 0 || line->total != 0;

	for (uint32_t i = lists->first[row]; i < lists->first[row + 1]; i++)
		has_time = has_time || gprofx_self_of(report, lists->item[i]) != 0;
	return has_time;
}

/* Whether that a row has no count, or the count 0, does not say that it was not executed. */
static bool
is_uncertain(const struct counter *counter, uint32_t row)
{
	const struct gprofx_lists *lists = &counter->report->source->functions;

	for (uint32_t i = lists->first[row]; i < lists->first[row + 1]; i++)
		if (counter->is_unsure[lists->item[i]])
			return true;
	return took_time(counter->report, row);
}

const struct counts *
counter_at(struct counter *counter, uint32_t row)
{
	const struct gprofx_report *report = counter->report;
	const struct gprofx_lists *lists = &report->source->functions;
	const struct gprofx_source_line *line = gprofx_source_line_at(report, row);

	counter->counts.count = 0;
	counter->counts.number = 0;
	counter->counts.is_repeated = false;
	if (line->is_exact) {
		/* A compiler's counters know better than what blocks and calls show. */
		if (line->is_counted) {
			counter->counts.is_repeated = !counter->all_lines &&
			                              follows_block(report, row);
			take_number(counter, line->count);
			add(counter, line->count);
		}
	} else if (lists->first[row] == lists->first[row + 1]) {
		if (line->is_counted) {
			take_number(counter, line->count);
			add(counter, line->count);
		}
	} else if (report->source->begins_with && corrects(report, GPROFX_CORRECT_SHARED_LINES)) {
		take_begun(counter, row);
	} else if (corrects(report, GPROFX_CORRECT_SHARED_LINES)) {
		take_all(counter, row);
	} else {
		take_first(counter, row);
	}
	counter->counts.ran = counter->counts.number > 0;
	if (counter->is_unsure && !line->is_exact && counter->counts.number == 0) {
		if (counter->counts.count > 0 && is_uncertain(counter, row))
			counter->counts.count = 0;
		counter->counts.ran = took_time(report, row);
	}
	counter->counts.is_known = counter->counts.count > 0;
	return &counter->counts;
}

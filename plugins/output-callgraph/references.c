/* SPDX-License-Identifier: Apache-2.0 */
#include "references.h"

#include <string.h>

#include "../shared/fetch.h"
#include "../shared/line-names.h"
#include "../shared/names.h"

/* The first of the chunks that hold the texts, and the largest. */
enum { LEAST_CHUNK = 4096, MOST_CHUNK = 65536 };
enum { NUMBERS = 48, FETCHED_LINES = 12 };

#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

static char *
add(char *to, const char *bytes, size_t count)
{
	memcpy(to, bytes, count);
	return to + count;
}

static char *
add_number(char *to, uint32_t number)
{
	char digits[10];
	size_t count = 0;

	do
		digits[sizeof digits - ++count] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return add(to, digits + sizeof digits - count, count);
}

void
references_make(struct references *references, uint32_t node, uint32_t whole)
{
	const struct gprofx_report *report = references->report;
	struct gprofx_text name = names_of(references->names, node);
	struct reference *row = &references->rows[node];
	size_t most;
	bool shown = (report->graph->flags[whole] & GPROFX_NODE_SHOWN) != 0;
	char *at;

	if (references->line_names)
		name = line_names_ends(references->line_names, name);
	most = name.length + NUMBERS;
	if (most > references->left) {
		references->left = most > references->chunk ? most : references->chunk;
		references->room = gprofx_alloc(references->gx, references->left);
		if (references->chunk < MOST_CHUNK)
			references->chunk *= 2;
	}
	at = add(references->room, name.bytes, name.length);
	if (whole < report->functions->count && report->graph->cycle[whole] != 0) {
		at = add(at, " <cycle ", 8);
		at = add_number(at, report->graph->cycle[whole]);
		*at++ = '>';
	}
	if (report->graph->index[whole] != 0) {
		at = add(at, shown ? " [" : " (", 2);
		at = add_number(at, report->graph->index[whole]);
		*at++ = shown ? ']' : ')';
	}
	*at++ = '\n';
	row->text = references->room;
	row->length = (uint32_t)(at - references->room);
	if (row->length <= sizeof row->own) {
		memcpy(row->own, row->text, row->length);
		row->text = row->own;
	}
	row->cycle = report->graph->cycle[whole];
	row->called = gprofx_calls_of(report, gprofx_whole_of(report, whole));
	if (row->text == row->own)
		return;
	references->room = at;
	references->left -= row->length;
}

void
references_begin(struct references *references, struct gprofx *gx,
                 const struct gprofx_report *report, struct names *names,
                 struct line_names *line_names)
{
	char *rows;
	bool *has_entry = gprofx_alloc(gx, (size_t)report->graph->node_count + 1);

	*references = (struct references){.gx = gx,
	                                  .report = report,
	                                  .names = names,
	                                  .line_names = line_names,
	                                  .chunk = LEAST_CHUNK};
	rows = gprofx_alloc(gx, ((size_t)report->graph->node_count + 2) * sizeof *references->rows);
	references->rows = (struct reference *)(void *)(rows + (-(uintptr_t)rows) %
	                                                               sizeof *references->rows);
	for (uint32_t i = 0; i < report->graph->entry_count; i++)
		has_entry[report->graph->entry[i]] = true;
	/* In the order in which what is known of the nodes lies in memory. */
	for (uint32_t node = 0; node < report->functions->count; node++)
		if (has_entry[node])
			references_make(references, node, node);
	gx->host->release(gx, has_entry);
}

static ALWAYS_INLINE void
fetch_line(const struct references *references, uint32_t item, enum fetch_step step, bool callers)
{
	const struct gprofx_arcs *arcs = &references->report->graph->arcs;
	const struct gprofx_ids *ids = callers ? &arcs->caller : &arcs->callee;

	if (step == FETCH_ARCS)
		FETCH((const char *)ids->first + (size_t)item * ids->step);
	else if (step == FETCH_ROWS)
		FETCH(&references->rows[gprofx_id(ids, item)]);
	else
		FETCH(references->rows[gprofx_id(ids, item)].text);
}

static ALWAYS_INLINE void
fetch_list(const struct references *references, const struct gprofx_lists *list, uint32_t node,
           enum fetch_step step, bool callers)
{
	uint32_t begin, end;

	if (step == FETCH_LISTS) {
		FETCH(&list->first[node]);
		return;
	}
	begin = list->first[node];
	end = list->first[node + 1];
	if (step == FETCH_ITEMS) {
		FETCH(&list->item[begin]);
		return;
	}
	if (end - begin > FETCHED_LINES)
		end = begin + FETCHED_LINES;
	for (uint32_t i = begin; i < end; i++)
		fetch_line(references, list->item[i], step, callers);
}

void
references_fetch_ahead(const struct references *references, const struct gprofx_lists *list,
                       uint32_t i, uint32_t end, bool callers)
{
	if (end - i <= FETCHED_LINES)
		return;
	fetch_line(references, list->item[i + FETCHED_LINES / 3], FETCH_TEXTS, callers);
	fetch_line(references, list->item[i + FETCHED_LINES * 2 / 3], FETCH_ROWS, callers);
	fetch_line(references, list->item[i + FETCHED_LINES], FETCH_ARCS, callers);
}

void
references_fetch(const struct references *references, uint32_t place, enum fetch_step step)
{
	const struct gprofx_report *report = references->report;
	uint32_t node;

	if (place >= report->graph->entry_count)
		return;
	node = report->graph->entry[place];
	if (node >= report->functions->count)
		return;
	fetch_list(references, &report->graph->callers, node, step, true);
	fetch_list(references, &report->graph->callees, node, step, false);
	if (step != FETCH_ROWS)
		return;
	FETCH(&references->rows[node]);
	FETCH(&report->graph->columns->selected_self.first[node]);
	FETCH(&report->graph->columns->selected_below.first[node]);
	FETCH(&report->graph->calls->recursive.first[node]);
	FETCH(&report->graph->calls->calls.first[node]);
	FETCH(&report->graph->index[node]);
}

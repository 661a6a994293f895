/* SPDX-License-Identifier: Apache-2.0 */
/* Where in the source most of the own samples of contexts are. */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "contexts/parts.h"
#include "symbols/inlined.h"

void
contexts_add_line(struct run *run, struct context_lines *lines, uint32_t row,
                  const struct code_frame *frame, double ticks)
{
	if (frame->file == 0 || frame->line == 0 || !(ticks > 0))
		return;
	lines->line = memory_room(run, lines->line, sizeof *lines->line, lines->count, &lines->room,
	                          1);
	lines->line[lines->count++] = (struct context_line){row, *frame, ticks};
}

static int
compare(uint32_t left, uint32_t right)
{
	return left < right ? -1 : left > right;
}

/* By row, file and line. */
static int
compare_lines(const void *context, uint32_t left, uint32_t right)
{
	const struct context_line *x = (const struct context_line *)context + left;
	const struct context_line *y = (const struct context_line *)context + right;
	int order = compare(x->row, y->row);

	order = order != 0 ? order : compare(x->frame.file, y->frame.file);
	return order != 0 ? order : compare(x->frame.line, y->frame.line);
}

uint32_t *
contexts_hottest(struct run *run, struct context_source *source, struct context_lines *lines,
                 uint32_t count)
{
	const struct context_line *line = lines->line;
	uint32_t *hottest, *ids, best = 0;
	double ticks = 0, most = 0;

	memory_array(run, hottest, count);
	for (uint32_t i = 0; i < count; i++)
		hottest[i] = GPROFX_NO_PLACE;
	memory_array(run, ids, lines->count);
	for (uint32_t i = 0; i < lines->count; i++)
		ids[i] = i;
	sort_ids(run, ids, lines->count, compare_lines, line);
	for (uint32_t i = 0; i < lines->count; i++) {
		uint32_t at = ids[i], next = i + 1 < lines->count ? ids[i + 1] : at;

		ticks += line[at].ticks;
		if (next != at && compare_lines(line, at, next) == 0)
			continue;
		if (ticks > most) {
			most = ticks;
			best = at;
		}
		ticks = 0;
		if (next != at && line[next].row == line[at].row)
			continue;
		hottest[line[at].row] = contexts_add_place(run, source, NULL, &line[best].frame, 0);
		most = 0;
	}
	memory_release(run, ids);
	memory_release(run, lines->line);
	return hottest;
}

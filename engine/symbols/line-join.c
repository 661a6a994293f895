/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of one image from several providers: objects with DWARF and with stabs can be linked. */
#include "base/run.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

/* Rows of a provider and the one that is about the address reached. */
struct side {
	const struct gprofx_lines *lines;
	uint32_t next;
};

static uint64_t
next_address(const struct side *side)
{
	return side->next < side->lines->count ? side->lines->rows.address[side->next] : UINT64_MAX;
}

/* Goes on to the row that begins at an address, if one does. */
static void
reach(struct side *side, uint64_t address)
{
	while (side->next < side->lines->count && side->lines->rows.address[side->next] <= address)
		side->next++;
}

static bool
knows(const struct side *side)
{
	return side->next > 0 && side->lines->rows.file[side->next - 1] != 0;
}

/* Copies the row that a side has reached, if it has any, to an address. */
static void
copy_row(struct gprofx_lines *to, uint64_t address, const struct side *side)
{
	const struct gprofx_line_rows *from = &side->lines->rows;
	uint32_t row = side->next - 1, at = to->count++;

	to->rows.address[at] = address;
	if (side->next == 0)
		return;
	to->rows.file[at] = from->file[row];
	to->rows.line[at] = from->line[row];
	if (to->rows.name)
		to->rows.name[at] = from->name[row];
	if (to->rows.inlined)
		to->rows.inlined[at] = from->inlined[row];
}

void
line_rows_join(struct run *run, struct gprofx_lines *lines, struct gprofx_lines *more)
{
	struct gprofx_lines joined = *lines;
	struct side first = {.lines = lines}, second = {.lines = more};

	if (more->count == 0)
		return;
	joined.rows = (struct gprofx_line_rows){.address = NULL};
	joined.count = 0;
	joined.builder->reserve(&run->gx, &joined, lines->count + more->count);
	for (;;) {
		uint64_t address = next_address(&first);

		if (next_address(&second) < address)
			address = next_address(&second);
		if (first.next == lines->count && second.next == more->count)
			break;
		reach(&first, address);
		reach(&second, address);
		copy_row(&joined, address, knows(&first) || !knows(&second) ? &first : &second);
	}
	symbols_release_lines(run, lines);
	symbols_release_lines(run, more);
	lines->rows = joined.rows;
	lines->count = joined.count;
}

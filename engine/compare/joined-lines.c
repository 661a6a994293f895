/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source on both sides. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/slots.h"
#include "compare/joined.h"
#include "compare/match.h"
#include "compare/values.h"

/* Where a function of a side starts. */
struct start {
	const char *file;
	uint32_t line, function;
};

struct starts {
	struct start *rows;
	uint32_t *next; /* per row: that of the next line that a function starts on */
	uint32_t count;
	uint32_t *of; /* per function: its row plus 1; 0: its place is not known */
};

/* Lines of both sides, while they become one table. */
struct work {
	struct run *run;
	const struct joined_side *sides;
	const struct compare_matches *matches;
	struct starts starts[JOINED_SIDES];
	struct gprofx_compared_line *rows;
	uint32_t count;
	struct slots slots; /* of lines of the new side, by file and line */
	uint64_t factor;
};

static int
compare_starts(const void *left, const void *right)
{
	const struct start *a = left, *b = right;
	int order = strcmp(a->file, b->file);

	if (order != 0)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

static void
find_starts(struct run *run, const struct gprofx_report *report, struct starts *starts)
{
	uint32_t count = report->functions->count;

	memory_array(run, starts->rows, (size_t)count + 1);
	memory_array(run, starts->of, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t line;
		const char *file = report->services->source(report, i, &line);

		if (file && line > 0)
			starts->rows[starts->count++] = (struct start){file, line, i};
	}
	qsort(starts->rows, starts->count, sizeof *starts->rows, compare_starts);
	memory_array(run, starts->next, (size_t)starts->count + 1);
	for (uint32_t i = starts->count; i-- > 0;) {
		const struct start *row = &starts->rows[i];
		bool is_last = i + 1 == starts->count || row[1].line != row->line ||
		               strcmp(row[1].file, row->file) != 0;

		starts->next[i] = is_last ? i + 1 : starts->next[i + 1];
		starts->of[row->function] = i + 1;
	}
}

/* The row of the function that a line is in: the last one that starts at or before it; or NULL. */
static const struct start *
owner_of(const struct starts *starts, const char *file, uint32_t line)
{
	const struct start key = {file, line, UINT32_MAX};
	uint32_t low = 0, high = starts->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_starts(&starts->rows[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || strcmp(starts->rows[low - 1].file, file) != 0)
		return NULL;
	return &starts->rows[low - 1];
}

/* The start of the next function in the same file, on another line, or NULL: there is none. */
static const struct start *
next_of(const struct starts *starts, const struct start *start)
{
	uint32_t next = starts->next[start - starts->rows];

	if (next == starts->count || strcmp(starts->rows[next].file, start->file) != 0)
		return NULL;
	return &starts->rows[next];
}

static const struct start *
partner_of(const struct work *w, const struct start *base)
{
	uint32_t partner = w->matches->of_base[base->function];
	uint32_t row = partner == UINT32_MAX ? 0 : w->starts[1].of[partner];

	return row == 0 ? NULL : &w->starts[1].rows[row - 1];
}

/*
 * The line of the new side that a line of the base is; 0: that is not known.  In the same build
 * these are the same.  In another one, a function has as many lines as before if the next function
 * of its file, which has to be the same one, too, starts as far away; then its lines are the same.
 */
static uint32_t
line_on_new_side(const struct work *w, const char *file, uint32_t line, const char **new_file)
{
	const struct start *own = owner_of(&w->starts[0], file, line), *other, *next, *new_next;

	*new_file = file;
	if (w->matches->is_same_build)
		return line;
	other = own ? partner_of(w, own) : NULL;
	next = other ? next_of(&w->starts[0], own) : NULL;
	new_next = next ? next_of(&w->starts[1], other) : NULL;
	if (!new_next || partner_of(w, next) != new_next ||
	    next->line - own->line != new_next->line - other->line)
		return 0;
	*new_file = other->file;
	return line - own->line + other->line;
}

struct key {
	const char *file;
	uint32_t line;
};

static uint64_t
hash_of(const struct work *w, struct key key)
{
	return hash_word(hash_text(key.file, w->factor) ^ key.line, w->factor) >> 32;
}

static inline bool
has_key(const void *rows, uint32_t number, const void *wanted)
{
	const struct gprofx_compared_line *row = (const struct gprofx_compared_line *)rows + number;
	const struct key *key = wanted;

	return row->new_line == key->line && strcmp(row->file, key->file) == 0;
}

static struct gprofx_compared_line *
add_row(struct work *w, const char *file, uint32_t node)
{
	struct gprofx_compared_line *row = &w->rows[w->count++];

	*row = (struct gprofx_compared_line){.size = sizeof *row, .file = file, .node = node};
	return row;
}

static uint32_t
node_at(const struct work *w, uint32_t side, const char *file, uint32_t line)
{
	const struct start *own = owner_of(&w->starts[side], file, line);

	return own ? w->sides[side].node[own->function] : UINT32_MAX;
}

static void
add_new_side(struct work *w)
{
	const struct gprofx_report *report = w->sides[1].summed;
	double factor = joined_factor(&w->sides[1]);

	for (uint32_t i = 0; i < report->source->line_count; i++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(report, i);
		const char *file = report->source->file[line->file];
		struct gprofx_compared_line *row;

		if (!(line->ticks > 0))
			continue;
		row = add_row(w, file, node_at(w, 1, file, line->line));
		row->new_line = line->line;
		row->now = line->ticks * factor;
		*slots_find(&w->slots, hash_of(w, (struct key){file, line->line}), NULL, NULL,
		            NULL) = w->count;
	}
}

static void
add_base(struct work *w)
{
	const struct gprofx_report *report = w->sides[0].summed;
	double factor = joined_factor(&w->sides[0]);
	uint32_t *slot;

	for (uint32_t i = 0; i < report->source->line_count; i++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(report, i);
		const char *file = report->source->file[line->file];
		struct gprofx_compared_line *row;
		struct key key = {.file = file};

		if (!(line->ticks > 0))
			continue;
		key.line = line_on_new_side(w, file, line->line, &key.file);
		slot = key.line == 0
		               ? NULL
		               : slots_find(&w->slots, hash_of(w, key), has_key, w->rows, &key);
		if (slot && *slot != 0) {
			row = &w->rows[*slot - 1];
		} else {
			row = add_row(w, key.line != 0 ? key.file : file,
			              node_at(w, 0, file, line->line));
			row->new_line = key.line;
			if (slot)
				*slot = w->count;
		}
		row->base_line = line->line;
		row->base += line->ticks * factor;
	}
}

static int
compare_lines(const void *left, const void *right)
{
	const struct gprofx_compared_line *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	uint32_t first = a->new_line != 0 ? a->new_line : a->base_line;
	uint32_t second = b->new_line != 0 ? b->new_line : b->base_line;

	if (order != 0)
		return order;
	if (first != second)
		return first < second ? -1 : 1;
	/* Of a line of each side that has no partner, that of the base. */
	return a->new_line < b->new_line ? -1 : a->new_line > b->new_line;
}

void
joined_lines(struct run *run, const struct joined_side sides[JOINED_SIDES],
             const struct compare_matches *matches, struct gprofx_report_comparison *comparison)
{
	struct work w = {.run = run, .sides = sides, .matches = matches, .factor = hash_factor()};
	size_t most = (size_t)sides[0].summed->source->line_count +
	              sides[1].summed->source->line_count;

	find_starts(run, sides[0].values->report, &w.starts[0]);
	find_starts(run, sides[1].values->report, &w.starts[1]);
	memory_array(run, w.rows, most + 1);
	slots_grow(run, &w.slots, (uint32_t)most);
	add_new_side(&w);
	add_base(&w);
	slots_release(run, &w.slots);
	qsort(w.rows, w.count, sizeof *w.rows, compare_lines);
	comparison->line = w.rows;
	comparison->line_count = w.count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Samples by lines of source. */
#include "base/memory.h"
#include "base/run.h"
#include "graph/samples.h"
#include "profile/kept-rows.h"
#include "profile/profile.h"
#include "select/filters.h"
#include "source/source.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

/* Spaces of addresses, and the line that each is of. */
struct line_spaces {
	uint64_t *start; /* one more than there are spaces */
	uint64_t *key;   /* 0: it is of no line that is wanted */
	uint32_t count;
};

static void
add_space(struct line_spaces *spaces, uint64_t start, uint64_t key, bool is_of_line)
{
	spaces->start[spaces->count] = start;
	spaces->key[spaces->count++] = is_of_line ? key : 0;
}

static void
make_room(struct run *run, struct line_spaces *spaces, size_t count)
{
	memory_array(run, spaces->start, count + 1);
	memory_array(run, spaces->key, count + 1);
}

/* The rows of the line table, cut where symbols begin and end whose lines are wanted or not. */
static struct line_spaces
spaces_of_rows(struct run *run, struct symbols *symbols, const struct filters *filters)
{
	struct gprofx_lines lines = {.size = sizeof lines};
	struct line_spaces spaces = {0};
	uint32_t next = 0;

	symbols_read_lines(run, symbols, &lines);
	make_room(run, &spaces, (size_t)lines.count + symbols->count + 1);
	for (uint32_t i = 0; i < lines.count; i++) {
		uint64_t start = lines.rows.address[i], key;
		uint64_t end = i + 1 < lines.count ? lines.rows.address[i + 1]
		                                   : symbols_code_end(symbols, start);
		bool is_known = lines.rows.file[i] != 0 && lines.rows.line[i] != 0 &&
		                lines.rows.file[i] < symbols->file_count;

		key = source_key(lines.rows.file[i], lines.rows.line[i]);
		while (next < symbols->count && symbols->address[next] <= start)
			next++;
		add_space(&spaces, start, key,
		          is_known && next > 0 && source_is_wanted(filters, symbols, next - 1));
		for (; next < symbols->count && symbols->address[next] < end; next++)
			add_space(&spaces, symbols->address[next], key,
			          is_known && source_is_wanted(filters, symbols, next));
	}
	/* Behind the last row may be code of other objects. */
	spaces.start[spaces.count] = 0;
	if (lines.count > 0)
		spaces.start[spaces.count] = symbols_code_end(symbols,
		                                              lines.rows.address[lines.count - 1]);
	symbols_release_lines(run, &lines);
	return spaces;
}

static struct line_spaces
spaces_of_symbols(struct run *run, const struct symbols *symbols, const struct filters *filters)
{
	struct symbol_spaces all = symbols_spaces(run, symbols);
	struct line_spaces spaces = {0};

	make_room(run, &spaces, all.count);
	for (uint32_t i = 0; i < all.count; i++) {
		uint32_t symbol = all.owner ? all.owner[i] : i;
		bool is_line = symbol < symbols->count && symbols->file &&
		               symbols->file[symbol] != 0 &&
		               source_is_wanted(filters, symbols, symbol);

		add_space(&spaces, all.start[i],
		          is_line ? source_key(symbols->file[symbol], symbols->line[symbol]) : 0,
		          is_line);
	}
	if (all.count > 0)
		spaces.start[all.count] = all.start[all.count];
	return spaces;
}

struct source_pieces
source_credit_samples(struct run *run, struct symbols *symbols, const struct filters *filters,
                      struct scan *scan, const struct profile *profile)
{
	struct source_pieces pieces = {0};
	struct line_spaces spaces;
	double *ticks;

	if ((profile->histogram_count == 0 && profile->sparse.count == 0) || symbols->count == 0)
		return pieces;
	spaces = run->settings->by_line ? spaces_of_symbols(run, symbols, filters)
	                                : spaces_of_rows(run, symbols, filters);
	ticks = samples_by_space(run, symbols, scan, profile, spaces.start, spaces.count,
	                         &pieces.total);
	for (uint32_t i = 0; i < spaces.count; i++) {
		if (ticks[i] == 0 || spaces.key[i] == 0)
			continue;
		ticks[pieces.count] = ticks[i];
		spaces.key[pieces.count++] = spaces.key[i];
	}
	pieces.key = spaces.key;
	pieces.ticks = ticks;
	memory_release(run, spaces.start);
	return pieces;
}

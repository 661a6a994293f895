/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of images that are not ELF, as GNU gprof finds them. */
#include <gprofx/symbols.h>

#include "all-lines.h"
#include "debug-file.h"
#include "entries.h"
#include "functions.h"
#include "line-search.h"
#include "reading.h"

#include "../shared/grown.h"

/* Names of functions with the host's numbers of them. */
struct kept_name {
	const char *text;
	uint32_t number;
};

/* All that debug information knows, by address. */
struct known {
	struct dwarfsym_asked *asked;
	struct kept_name *names;
	uint32_t name_count, name_room;
	struct gprofx_line_rows rows;
	uint32_t count;
	uint64_t bias;
};

static uint32_t
keep_number(void *opaque, const char *name)
{
	struct known *known = opaque;
	struct gprofx_lines *lines = known->asked->lines;
	struct gprofx *gx = known->asked->search.gx;
	struct kept_name kept = {name, known->name_count + 1};

	if (lines)
		kept.number = lines->builder->name(gx, lines, name);
	known->names = grown(gx, known->names, sizeof *known->names, &known->name_room,
	                     known->name_count + 1, 64);
	known->names[known->name_count++] = kept;
	return kept.number;
}

/* The address of the symbol of a name, which is a number; false: there is none. */
static bool
find_symbol(const struct known *known, uint32_t name, uint64_t *address)
{
	const struct dwarfsym_asked *asked = known->asked;
	struct gprofx_positions *positions = asked->search.positions;
	struct gprofx *gx = asked->search.gx;
	uint32_t i = 0;

	while (i < known->name_count && known->names[i].number != name)
		i++;
	if (i == known->name_count)
		return false;
	if (asked->lines)
		return asked->lines->builder->address_of(gx, asked->lines, known->names[i].text,
		                                         address);
	return positions->builder->address_of(gx, positions, known->names[i].text, address);
}

static uint64_t
bias_of(const struct known *known, const struct dwarfsym_functions *functions)
{
	uint64_t count = functions->entry_count;

	for (uint64_t i = count; i > 0 && i + DWARFSYM_LAST > count; i--) {
		const struct dwarfsym_entry_start *entry = &functions
		                                                    ->last[(i - 1) % DWARFSYM_LAST];
		uint64_t address;

		if (entry->name != 0 && find_symbol(known, entry->name, &address))
			return entry->low - address;
	}
	return 0;
}

static void
make_rows(struct gprofx *gx, struct gprofx_line_rows *rows, uint32_t count)
{
	rows->address = gprofx_alloc(gx, count * sizeof *rows->address);
	rows->file = gprofx_alloc(gx, count * sizeof *rows->file);
	rows->line = gprofx_alloc(gx, count * sizeof *rows->line);
	rows->name = gprofx_alloc(gx, count * sizeof *rows->name);
}

static void
read_known(struct gprofx *gx, const struct dwarfsym_debug *debug, struct known *known)
{
	struct dwarfsym_info info = {.gx = gx, .sections = &known->asked->search.sections};
	struct dwarfsym_functions functions = {.info = &info,
	                                       .number_name = keep_number,
	                                       .opaque = known,
	                                       .strict = true};
	struct dwarfsym_rows rows = {.search = &known->asked->search};

	dwarfsym_read_units(gx, debug, &rows, &functions);
	known->bias = bias_of(known, &functions);
	known->count = dwarfsym_join(&rows, &functions, NULL);
	make_rows(gx, &known->rows, known->count);
	dwarfsym_join(&rows, &functions, &known->rows);
	dwarfsym_free_rows(&rows);
	dwarfsym_free_functions(&functions);
	dwarfsym_free_info(&info);
}

static void
forget(struct gprofx *gx, struct known *known)
{
	gx->host->release(gx, known->names);
	gx->host->release(gx, known->rows.address);
	gx->host->release(gx, known->rows.file);
	gx->host->release(gx, known->rows.line);
	gx->host->release(gx, known->rows.name);
}

/* How many rows begin at an address or before it; more than "row", which begin before. */
static uint32_t
rows_up_to(const struct known *known, uint32_t row, uint64_t address)
{
	while (row < known->count && known->rows.address[row] <= address)
		row++;
	return row;
}

/*
 * The row that an address is of, 0: none, else its number plus 1: "first" rows are up to the
 * address, "second" up to the biased one.
 */
static uint32_t
choose_row(const struct known *known, uint32_t first, uint32_t second)
{
	uint32_t row = first > 0 && known->rows.line[first - 1] != 0 ? first : second;

	return row > 0 && known->rows.name[row - 1] != 0 ? row : 0;
}

void
dwarfsym_locate_biased(struct gprofx *gx, const struct dwarfsym_debug *debug,
                       struct dwarfsym_asked *asked)
{
	struct gprofx_positions *positions = asked->search.positions;
	struct known known = {.asked = asked};
	uint32_t first = 0, second = 0;

	read_known(gx, debug, &known);
	for (uint32_t i = 0; i < positions->count; i++) {
		uint64_t address = positions->address[i] & asked->search.address_mask;
		uint32_t row;

		first = rows_up_to(&known, first, address);
		second = rows_up_to(&known, second, address + known.bias);
		row = choose_row(&known, first, second);
		if (row == 0)
			continue;
		positions->file[i] = known.rows.file[row - 1];
		positions->line[i] = known.rows.line[row - 1];
	}
	forget(gx, &known);
}

void
dwarfsym_read_biased(struct gprofx *gx, const struct dwarfsym_debug *debug,
                     struct dwarfsym_asked *asked)
{
	struct known known = {.asked = asked};
	struct gprofx_lines *lines = asked->lines;
	uint32_t first = 0, second = 0;

	read_known(gx, debug, &known);
	lines->builder->reserve(gx, lines, 2 * known.count);
	/* What is below the bias stands before all addresses. */
	while (second < known.count && known.rows.address[second] < known.bias &&
	       known.bias <= INT64_MAX)
		second++;
	while (first < known.count || second < known.count) {
		uint64_t address = first < known.count ? known.rows.address[first] : UINT64_MAX;
		uint32_t row, at;

		if (second < known.count && known.rows.address[second] - known.bias < address)
			address = known.rows.address[second] - known.bias;
		first = rows_up_to(&known, first, address);
		while (second < known.count && known.rows.address[second] - known.bias <= address)
			second++;
		row = choose_row(&known, first, second);
		at = lines->count++;
		lines->rows.address[at] = address;
		lines->rows.file[at] = row ? known.rows.file[row - 1] : 0;
		lines->rows.line[at] = row ? known.rows.line[row - 1] : 0;
		if (lines->rows.name)
			lines->rows.name[at] = row ? known.rows.name[row - 1] : 0;
	}
	forget(gx, &known);
}

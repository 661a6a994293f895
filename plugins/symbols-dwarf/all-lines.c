/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of all code of an image, with the answers that line-search.c gives for each address:
 * of the tables that cover an address the first one counts, and in it the sequence that goes first.
 */
#include "all-lines.h"

#include <stdlib.h>
#include <string.h>

#include <gprofx/reader.h>

#include "line-search.h"
#include "line-table.h"
#include "overlaps.h"

enum { BYTES_OF_ROW = 3 /* of a line table, at least, mostly */ };

static void
put_row(struct dwarfsym_rows *rows, uint64_t address, uint32_t file, uint32_t line)
{
	struct dwarfsym_row_of_file *last = rows->rows + rows->count;

	/* Of several rows at one address the last one counts. */
	if (rows->count > rows->sequence.first && last[-1].address == address) {
		last[-1].file = file;
		last[-1].line = line;
		return;
	}
	if (rows->count >= dwarfsym_most_rows(&rows->search->sections)) {
		rows->are_too_many = true;
		return;
	}
	DWARFSYM_ROOM(rows->search->gx, rows->rows, rows->count, rows->room);
	rows->rows[rows->count++] = (struct dwarfsym_row_of_file){address, file, line};
}

static void
put_row_of_table(struct dwarfsym_rows *rows, const struct dwarfsym_row *row)
{
	uint32_t file = row->line ? dwarfsym_search_file(rows->search, row->file) : 0;

	put_row(rows, row->address, file, file ? row->line : 0);
}

/* Takes the rows of a sequence. */
static void
append_row(void *opaque, const struct dwarfsym_row *row)
{
	struct dwarfsym_rows *rows = opaque;
	struct dwarfsym_search *search = rows->search;

	if (!search->started)
		rows->sequence.low = rows->sequence.high = row->address;
	/* A sequence may lack its end, or have it below rows before. */
	if (row->end || row->address > rows->sequence.high)
		rows->sequence.high = row->address;
	if (row->end)
		return;
	if (search->started && row->address < search->last.address) {
		DWARFSYM_ROOM(search->gx, search->strays, search->stray_count, search->stray_room);
		search->strays[search->stray_count].row = *row;
		search->strays[search->stray_count].number = search->stray_count;
		search->stray_count++;
		return;
	}
	put_row_of_table(rows, row);
	search->last = *row;
	search->started = true;
}

/* Puts rows that were out of order between the others; where one stands already, it stays. */
static void
merge_strays(struct dwarfsym_rows *rows)
{
	struct dwarfsym_search *search = rows->search;
	struct gprofx *gx = search->gx;
	uint32_t count = rows->count - rows->sequence.first, in_order = 0;
	struct dwarfsym_row_of_file *ordered = gprofx_alloc(gx,
	                                                    ((size_t)count + 1) * sizeof *ordered);

	memcpy(ordered, rows->rows + rows->sequence.first, count * sizeof *ordered);
	rows->count = rows->sequence.first;
	dwarfsym_search_sort_strays(search);
	for (uint32_t i = 0; i <= search->stray_count; i++) {
		const struct dwarfsym_row *stray = &search->strays[i].row;
		bool is_last = i == search->stray_count;

		for (; in_order < count && (is_last || ordered[in_order].address < stray->address);
		     in_order++)
			put_row(rows, ordered[in_order].address, ordered[in_order].file,
			        ordered[in_order].line);
		if (is_last || stray->address < rows->sequence.low ||
		    (in_order < count && ordered[in_order].address == stray->address))
			continue;
		put_row_of_table(rows, stray);
	}
	gx->host->release(gx, ordered);
}

/*
 * Runs the program up to the end of a sequence.  gx: as for dwarfsym_run_sequence().  Returns NULL
 * or what is wrong.
 */
static const char *
add_sequence(struct dwarfsym_rows *rows, struct gprofx *gx, struct gprofx_cursor *at)
{
	struct dwarfsym_search *search = rows->search;
	const char *wrong;

	rows->sequence = (struct dwarfsym_rows_of_sequence){.at = at->at, .first = rows->count};
	search->started = false;
	search->stray_count = 0;
	wrong = dwarfsym_run_sequence(gx, &search->header, at, append_row, rows);
	if (wrong || !search->started || rows->sequence.low >= rows->sequence.high) {
		rows->count = rows->sequence.first;
		return wrong;
	}
	if (search->stray_count > 0)
		merge_strays(rows);
	while (!rows->are_too_many && rows->rows[rows->count - 1].address >= rows->sequence.high)
		rows->count--;
	/* What is behind the sequence is not known. */
	put_row(rows, rows->sequence.high, 0, 0);
	if (rows->are_too_many) {
		rows->count = rows->sequence.first;
		return "too many rows";
	}
	rows->sequence.end = rows->count;
	DWARFSYM_ROOM(search->gx, rows->sequences, rows->sequence_count, rows->sequence_room);
	rows->sequences[rows->sequence_count++] = rows->sequence;
	return NULL;
}

static const char *
add_sequences(struct dwarfsym_rows *rows, struct gprofx *gx)
{
	struct gprofx_cursor at = rows->search->header.program;
	const char *wrong = NULL;

	while (!wrong && gprofx_left(&at) > 0)
		wrong = add_sequence(rows, gx, &at);
	return wrong;
}

/* Of the sequences of one table, those that go first stand first. */
static int
compare_sequences_of_rows(const void *left, const void *right)
{
	const struct dwarfsym_rows_of_sequence *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high > b->high ? -1 : 1;
	return a->at > b->at ? -1 : a->at < b->at;
}

const char *
dwarfsym_add_rows(struct dwarfsym_rows *rows, uint64_t offset, const char *folder)
{
	struct dwarfsym_search *search = rows->search;
	uint32_t rows_before = rows->count, before = rows->sequence_count;
	bool is_new;
	const char *wrong = dwarfsym_search_open(search, offset, folder, &is_new);

	if (wrong || !is_new)
		return wrong;
	if (rows->room == 0) {
		/* Memory that is not written to costs nothing; few rows take less than this. */
		rows->room = (uint32_t)(search->sections.line.length / BYTES_OF_ROW %
		                        (UINT32_MAX / 2)) +
		             64;
		rows->rows = gprofx_alloc(search->gx, (size_t)rows->room * sizeof *rows->rows);
	}
	wrong = add_sequences(rows, search->gx);
	if (!wrong && search->file_count != search->header.files.count) {
		/* The program defines files, which rows before can refer to. */
		rows->count = rows_before;
		rows->sequence_count = before;
		dwarfsym_search_forget_files(search);
		wrong = add_sequences(rows, NULL);
	}
	if (wrong) {
		rows->count = rows_before;
		rows->sequence_count = before;
		return wrong;
	}
	if (rows->sequence_count - before > 1)
		qsort(rows->sequences + before, rows->sequence_count - before,
		      sizeof *rows->sequences, compare_sequences_of_rows);
	wrong = search->wrong;
	search->wrong = NULL;
	return wrong;
}

static void
put_settled(struct dwarfsym_rows *settled, uint64_t address, uint32_t file, uint32_t line)
{
	struct dwarfsym_row_of_file *last = settled->count > 0 ? &settled->rows[settled->count - 1]
	                                                       : NULL;

	if (last && last->address == address) {
		last->file = file;
		last->line = line;
		return;
	}
	if (last && last->file == file && last->line == line)
		return;
	settled->rows[settled->count++] = (struct dwarfsym_row_of_file){address, file, line};
}

/* The rows of a sequence from an address up to another one. */
static void
put_piece(const struct dwarfsym_rows *rows, uint32_t sequence, uint64_t start, uint64_t end,
          struct dwarfsym_rows *settled)
{
	uint32_t low = rows->sequences[sequence].first, high = rows->sequences[sequence].end;

	/* The last row at or below the start. */
	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rows->rows[middle].address <= start)
			low = middle;
		else
			high = middle;
	}
	for (uint32_t i = low; i < rows->sequences[sequence].end; i++) {
		const struct dwarfsym_row_of_file *row = &rows->rows[i];

		if (row->address >= end)
			break;
		put_settled(settled, row->address > start ? row->address : start, row->file,
		            row->line);
	}
}

/* Of the sequences that cover an address the one with the lowest number goes first. */
static bool
lower_goes_before(const void *sequences, uint32_t left, uint32_t right)
{
	(void)sequences;
	return left < right;
}

/* Whether the sequences stand as they are, one after the other. */
static bool
are_in_order(const struct dwarfsym_rows *rows)
{
	for (uint32_t i = 1; i < rows->sequence_count; i++)
		if (rows->sequences[i].low < rows->sequences[i - 1].high ||
		    rows->sequences[i].first < rows->sequences[i - 1].first)
			return false;
	return true;
}

/* Finds out which sequence each address belongs to. */
static void
settle_overlaps(struct dwarfsym_rows *rows, struct dwarfsym_rows *settled)
{
	struct gprofx *gx = rows->search->gx;
	struct dwarfsym_open open = {0};
	uint32_t count = rows->sequence_count, next = 0;
	struct dwarfsym_begin *begins = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *begins);
	uint64_t here = 0;

	open.items = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *open.items);
	for (uint32_t i = 0; i < count; i++)
		begins[i] = (struct dwarfsym_begin){rows->sequences[i].low, i};
	dwarfsym_sort_begins(begins, count);
	while (next < count || open.count > 0) {
		uint64_t end = next < count ? begins[next].address : UINT64_MAX;

		if (open.count > 0) {
			uint32_t first = open.items[0];

			end = rows->sequences[first].high < end ? rows->sequences[first].high : end;
			put_piece(rows, first, here, end, settled);
		} else if (settled->count > 0) {
			put_settled(settled, here, 0, 0);
		}
		here = end;
		while (open.count > 0 && rows->sequences[open.items[0]].high <= here)
			dwarfsym_pop_open(&open, lower_goes_before);
		for (; next < count && begins[next].address == here; next++)
			dwarfsym_push_open(&open, begins[next].number, lower_goes_before);
	}
	if (settled->count > 0)
		put_settled(settled, here, 0, 0);
	gx->host->release(gx, begins);
	gx->host->release(gx, open.items);
}

void
dwarfsym_settle_rows(struct dwarfsym_rows *rows)
{
	struct gprofx *gx = rows->search->gx;
	struct dwarfsym_rows settled = {.search = rows->search, .rows = rows->rows};

	if (are_in_order(rows)) {
		for (uint32_t i = 0; i < rows->sequence_count; i++)
			put_piece(rows, i, rows->sequences[i].low, UINT64_MAX, &settled);
		rows->count = settled.count;
		return;
	}
	/* Each sequence can cut another one in two, and leave a gap behind it. */
	settled.rows = gprofx_alloc(gx, ((size_t)rows->count + 4 * (size_t)rows->sequence_count) *
	                                        sizeof *settled.rows);
	settle_overlaps(rows, &settled);
	dwarfsym_free_rows(rows);
	*rows = settled;
}

void
dwarfsym_free_rows(struct dwarfsym_rows *rows)
{
	const struct gprofx_host *host = rows->search->gx->host;

	host->release(rows->search->gx, rows->rows);
	host->release(rows->search->gx, rows->sequences);
}

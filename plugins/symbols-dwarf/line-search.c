/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers for asked addresses out of line tables.
 *
 * A table is run once to find its sequences.  Where sequences overlap, GNU lets the one that starts
 * lowest have the common addresses, of those with one start the longest, and of equal ones the
 * last.  Then the sequences that cover an open address are run again, and their rows answer it.
 */
#include "line-search.h"

#include <stdlib.h>
#include <string.h>

#include <gprofx/symbols.h>

enum {
	/* search->seen has a bit for this number of bytes of .debug_line; every table is longer. */
	TABLE_BYTES = 16,
	/*
	 * Length of all paths: so much in any file, and for each byte of its line tables.
	 * Programs seen (ceph-osd, librados, libpython, cargo) have 0.05 to 0.24 for each byte.
	 */
	PATH_BYTES_FREE = 1 << 24,
	PATH_BYTES_PER_BYTE = 16,
	/* Headers read anew, for each byte of .debug_line. */
	AGAIN_PER_BYTE = 4
};

void
dwarfsym_search_start(struct dwarfsym_search *search)
{
	uint32_t count = search->positions ? search->positions->count : 0;

	search->row_address = gprofx_alloc(search->gx, count * sizeof *search->row_address);
	search->next_open = gprofx_alloc(search->gx,
	                                 ((size_t)count + 1) * sizeof *search->next_open);
	for (uint32_t i = 0; i <= count; i++)
		search->next_open[i] = i;
	search->seen = gprofx_alloc(search->gx, search->sections.line.length / TABLE_BYTES / 8 + 1);
}

static uint64_t
address_of(const struct dwarfsym_search *search, uint32_t i)
{
	return search->positions->address[i] & search->address_mask;
}

/* The first open address with an index of i or more; the number of addresses if there is none. */
static uint32_t
open_from(struct dwarfsym_search *search, uint32_t i)
{
	uint32_t *next = search->next_open;

	while (next[i] != i) {
		next[i] = next[next[i]];
		i = next[i];
	}
	return i;
}

/* The first open address that is not below the given one. */
static uint32_t
open_at(struct dwarfsym_search *search, uint64_t address)
{
	uint32_t low = 0, high = search->positions->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (address_of(search, middle) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return open_from(search, low);
}

/* Whether the index is one of an asked address below the given one. */
static bool
is_below(const struct dwarfsym_search *search, uint32_t i, uint64_t address)
{
	return i < search->positions->count && address_of(search, i) < address;
}

bool
dwarfsym_search_wants(struct dwarfsym_search *search, uint64_t low, uint64_t high)
{
	return is_below(search, open_at(search, low), high);
}

uint32_t
dwarfsym_search_file(struct dwarfsym_search *search, uint64_t file)
{
	const struct dwarfsym_sections *sections = &search->sections;
	uint64_t most = PATH_BYTES_FREE + PATH_BYTES_PER_BYTE * (sections->line.length +
	                                                         sections->line_strings.length);
	uint32_t *number;
	char *path;

	/* Files that the table does not have share the place after the last one. */
	if (file > search->file_count)
		file = search->file_count;
	number = &search->files[file];
	if (*number || search->path_bytes > most)
		return *number;
	path = dwarfsym_file_path(search->gx, &search->header, file, search->folder);
	/* Many files may share one endless name. */
	search->path_bytes += strlen(path);
	if (search->path_bytes <= most)
		*number = search->number_file(search, path);
	else
		search->wrong = "its file names are too long";
	search->gx->host->release(search->gx, path);
	return *number;
}

/* Takes the rows of a table's first run: notes where each sequence begins and ends. */
static void
find_bounds(void *opaque, const struct dwarfsym_row *row)
{
	struct dwarfsym_search *search = opaque;

	if (!search->started)
		search->sequence.low = search->sequence.high = row->address;
	search->started = true;
	/* A sequence may lack its end, or have it below rows before. */
	if (row->end || row->address > search->sequence.high)
		search->sequence.high = row->address;
}

static int
compare_sequences(const void *left, const void *right)
{
	const struct dwarfsym_sequence *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high > b->high ? -1 : 1;
	return a->at > b->at ? -1 : a->at < b->at;
}

/* Finds the sequences of the table at hand; those that go first stand first. */
static const char *
find_sequences(struct dwarfsym_search *search)
{
	struct gprofx_cursor at = search->header.program;
	const char *wrong = NULL;

	search->sequence_count = 0;
	while (!wrong && gprofx_left(&at) > 0) {
		search->sequence.at = at.at;
		search->started = false;
		wrong = dwarfsym_run_sequence(search->gx, &search->header, &at, find_bounds,
		                              search);
		if (!search->started || search->sequence.low >= search->sequence.high)
			continue;
		DWARFSYM_ROOM(search->gx, search->sequences, search->sequence_count,
		              search->sequence_room);
		search->sequences[search->sequence_count++] = search->sequence;
	}
	if (!wrong && search->sequence_count > 0)
		qsort(search->sequences, search->sequence_count, sizeof *search->sequences,
		      compare_sequences);
	return wrong;
}

static void
answer(struct dwarfsym_search *search, uint32_t i, const struct dwarfsym_row *row)
{
	search->row_address[i] = row->address;
	search->positions->file[i] = row->line ? dwarfsym_search_file(search, row->file) : 0;
	search->positions->line[i] = search->positions->file[i] ? row->line : 0;
}

/* Answers open addresses below the given one from the highest row so far. */
static void
answer_up_to(struct dwarfsym_search *search, uint64_t end)
{
	if (end > search->sequence.high)
		end = search->sequence.high;
	while (is_below(search, search->next, end)) {
		answer(search, search->next, &search->last);
		search->next = open_from(search, search->next + 1);
	}
}

/* Takes the rows of a sequence's second run. */
static void
answer_rows(void *opaque, const struct dwarfsym_row *row)
{
	struct dwarfsym_search *search = opaque;

	if (row->end)
		return;
	if (search->started && row->address < search->last.address) {
		DWARFSYM_ROOM(search->gx, search->strays, search->stray_count, search->stray_room);
		search->strays[search->stray_count].row = *row;
		search->strays[search->stray_count].number = search->stray_count;
		search->stray_count++;
		return;
	}
	if (search->started)
		answer_up_to(search, row->address);
	search->last = *row;
	search->started = true;
}

static int
compare_strays(const void *left, const void *right)
{
	const struct dwarfsym_stray *a = left, *b = right;

	if (a->row.address != b->row.address)
		return a->row.address < b->row.address ? -1 : 1;
	return a->number > b->number ? -1 : a->number < b->number;
}

void
dwarfsym_search_sort_strays(struct dwarfsym_search *search)
{
	qsort(search->strays, search->stray_count, sizeof *search->strays, compare_strays);
}

/*
 * Lets rows out of order answer the addresses they are nearer to.  At one address the row in order
 * goes first, then the first of the others: that is how GNU sorts them.
 */
static void
answer_from_strays(struct dwarfsym_search *search)
{
	const struct dwarfsym_stray *strays = search->strays;
	uint32_t nearest = 0;

	dwarfsym_search_sort_strays(search);
	for (uint32_t i = open_at(search, search->sequence.low);
	     is_below(search, i, search->sequence.high); i = open_from(search, i + 1)) {
		uint64_t address = address_of(search, i);

		while (nearest + 1 < search->stray_count &&
		       strays[nearest + 1].row.address <= address)
			nearest++;
		if (strays[nearest].row.address <= address &&
		    strays[nearest].row.address > search->row_address[i])
			answer(search, i, &strays[nearest].row);
	}
}

/* Answers the open addresses of one sequence. */
static void
search_sequence(struct dwarfsym_search *search)
{
	struct gprofx_cursor at = search->header.program;

	at.at = search->sequence.at;
	search->started = false;
	search->stray_count = 0;
	search->next = open_at(search, search->sequence.low);
	/* The first run found nothing wrong. */
	(void)dwarfsym_run_sequence(NULL, &search->header, &at, answer_rows, search);
	answer_up_to(search, search->sequence.high);
	if (search->stray_count)
		answer_from_strays(search);
	for (uint32_t i = open_at(search, search->sequence.low);
	     is_below(search, i, search->sequence.high); i = open_from(search, i + 1))
		search->next_open[i] = i + 1;
}

void
dwarfsym_search_forget_files(struct dwarfsym_search *search)
{
	uint32_t need = search->header.files.count + 1;

	search->file_count = search->header.files.count;
	if (need > search->file_room) {
		search->gx->host->release(search->gx, search->files);
		search->files = gprofx_alloc(search->gx, need * sizeof *search->files);
		search->file_room = need;
		return;
	}
	memset(search->files, 0, need * sizeof *search->files);
}

const char *
dwarfsym_search_open(struct dwarfsym_search *search, uint64_t offset, const char *folder,
                     bool *is_new)
{
	uint64_t length = search->sections.line.length, bit = offset / TABLE_BYTES;
	const char *wrong;

	/* Units may share a table; what it answers is answered the first time. */
	*is_new = offset >= length || !(search->seen[bit / 8] & 1U << bit % 8);
	if (!*is_new)
		return NULL;
	if (search->bytes_run > length)
		return "it overlaps another one";
	wrong = dwarfsym_read_header(search->gx, &search->sections, offset, &search->header);
	if (search->header.bytes >= TABLE_BYTES)
		search->seen[bit / 8] |= (uint8_t)(1U << bit % 8);
	/* Tables lie side by side.  Many that overlap would take time without end. */
	search->bytes_run += search->header.bytes;
	if (!wrong && search->bytes_run > length)
		return "it overlaps another one";
	if (wrong)
		return wrong;
	search->folder = folder;
	dwarfsym_search_forget_files(search);
	return NULL;
}

bool
dwarfsym_search_reopen(struct dwarfsym_search *search, uint64_t offset, const char *folder)
{
	const char *wrong;

	if (search->at_hand == offset + 1)
		return true;
	search->at_hand = 0;
	/* Many units may share one endless header. */
	if (search->bytes_again > AGAIN_PER_BYTE * search->sections.line.length)
		return false;
	wrong = dwarfsym_read_header(search->gx, &search->sections, offset, &search->header);
	search->bytes_again += search->header.bytes_read;
	if (wrong)
		return false;
	search->folder = folder;
	dwarfsym_search_forget_files(search);
	search->at_hand = offset + 1;
	return true;
}

const char *
dwarfsym_search_table(struct dwarfsym_search *search, uint64_t offset, const char *folder)
{
	bool is_new;
	const char *wrong = dwarfsym_search_open(search, offset, folder, &is_new);

	if (!wrong && is_new)
		wrong = find_sequences(search);
	if (wrong || !is_new)
		return wrong;
	/* The program can define files. */
	dwarfsym_search_forget_files(search);
	for (uint32_t i = 0; i < search->sequence_count; i++) {
		search->sequence = search->sequences[i];
		if (dwarfsym_search_wants(search, search->sequence.low, search->sequence.high))
			search_sequence(search);
	}
	wrong = search->wrong;
	search->wrong = NULL;
	return wrong;
}

void
dwarfsym_search_finish(struct dwarfsym_search *search)
{
	const struct gprofx_host *host = search->gx->host;

	host->release(search->gx, search->files);
	host->release(search->gx, search->header.directories.rows);
	host->release(search->gx, search->header.files.rows);
	host->release(search->gx, search->sequences);
	host->release(search->gx, search->strays);
	host->release(search->gx, search->seen);
	host->release(search->gx, search->row_address);
	host->release(search->gx, search->next_open);
}

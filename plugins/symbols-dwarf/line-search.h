/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers for asked addresses out of line tables.
 */
#ifndef DWARFSYM_LINE_SEARCH_H
#define DWARFSYM_LINE_SEARCH_H

#include <gprofx/plugin.h>

#include "line-table.h"

/* A run of rows. */
struct dwarfsym_sequence {
	uint64_t low, high; /* addresses it covers; high: the first after them */
	uint64_t at;        /* its first instruction, in .debug_line */
};

/* A row that stands below a row before it in the same sequence. */
struct dwarfsym_stray {
	struct dwarfsym_row row;
	uint32_t number;
};

/*
 * The asked addresses and what was found so far.  Zero it, then set the first members up to
 * sections.
 */
struct dwarfsym_search {
	struct gprofx *gx;
	struct gprofx_positions *positions; /* NULL: nothing in particular is asked for */
	/* The number of a source file. */
	uint32_t (*number_file)(struct dwarfsym_search *search, const char *path);
	/*
	 * Bits of an asked address that count.  Symbols of some 32-bit machines have sign-extended
	 * addresses, debug information has not; the order is the same.
	 */
	uint64_t address_mask;
	struct dwarfsym_sections sections;
	/*
	 * Per address, and one more at the end: itself if it is open, else a later address, so that
	 * answered ones are skipped.
	 */
	uint32_t *next_open;
	uint64_t path_bytes; /* made so far */

	/* The table at hand. */
	struct dwarfsym_header header;
	const char *folder;
	/* Per file of the table, and for all others: its number; 0: not asked for yet. */
	uint32_t *files;
	uint32_t file_count, file_room;
	struct dwarfsym_sequence *sequences;
	uint32_t sequence_count, sequence_room;
	uint8_t *seen;        /* one bit for each 16 bytes of .debug_line: a table was read there */
	uint64_t bytes_run;   /* of all tables */
	uint64_t bytes_again; /* of headers that were read anew */
	uint64_t at_hand;     /* offset plus 1 of the table that was opened again last; 0: none */
	const char *wrong;    /* with the table at hand, or NULL */

	/* The sequence at hand. */
	struct dwarfsym_sequence sequence;
	struct dwarfsym_row last; /* highest row so far */
	bool started;
	uint32_t next;         /* first open address that has no row yet */
	uint64_t *row_address; /* per address: where the row stands that answers it */
	struct dwarfsym_stray *strays;
	uint32_t stray_count, stray_room;
};

void dwarfsym_search_start(struct dwarfsym_search *search);

/* Whether an address from low up to, not including, high is still open. */
bool dwarfsym_search_wants(struct dwarfsym_search *search, uint64_t low, uint64_t high);

/*
 * Answers every open address that the line table at an offset of .debug_line covers.  folder: the
 * compilation directory, or NULL.  Returns NULL, or what is wrong with the table.
 */
const char *
dwarfsym_search_table(struct dwarfsym_search *search, uint64_t offset, const char *folder);

/*
 * Opens the table for a first time, without answering anything: reads its header.  Returns NULL, or
 * what is wrong.  *is_new: it was not opened before.
 */
const char *dwarfsym_search_open(struct dwarfsym_search *search, uint64_t offset,
                                 const char *folder, bool *is_new);
/*
 * Makes the table at an offset, which was read before, the one at hand, for the sake of its files.
 * Returns whether that went well; not when too much is read anew.
 */
bool dwarfsym_search_reopen(struct dwarfsym_search *search, uint64_t offset, const char *folder);
/* Puts the strays of the sequence at hand in order: of equal addresses the one that counts is last.
 */
void dwarfsym_search_sort_strays(struct dwarfsym_search *search);
/* Makes room for the files that the table at hand has now, and forgets those of the one before. */
void dwarfsym_search_forget_files(struct dwarfsym_search *search);
/* The number of a file of the table at hand; 0: its path is not known. */
uint32_t dwarfsym_search_file(struct dwarfsym_search *search, uint64_t file);

void dwarfsym_search_finish(struct dwarfsym_search *search);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Subroutines that were inlined into the program's functions, by address. */
#ifndef ENGINE_SYMBOLS_INLINED_H
#define ENGINE_SYMBOLS_INLINED_H

#include "base/run.h"
#include "symbols/line-rows.h"
#include "symbols/symbols.h"

/* Levels of subroutines in each other.  Code that is deeper is taken for that of its function. */
enum { INLINED_AT_MOST = 64 };

/* A function, or a subroutine that was inlined, while some code runs. */
struct code_frame {
	uint32_t name;       /* number of its name, from 1; 0: not known, or the function */
	uint32_t file, line; /* where it is then: of the symbols' files; both 0: not known */
};

/* What debug information says of all code. */
struct inlined_code {
	struct line_rows rows;
	struct inlined_instance *instances; /* of rows, by number */
	uint32_t instance_count;
	bool is_kept;    /* until symbols_drop_inlined() */
	uint32_t *depth; /* per instance: how many there are up to the function, with it */
	/* Files by number, where those are not the symbols'; NULL: they are. */
	const struct source_file *files;
	uint32_t file_count;
	bool has_messages; /* while it was read, something was not reported */
};

/* NULL: no provider knows the lines of code.  symbols can learn of files. */
struct inlined_code *symbols_read_inlined(struct run *run, struct symbols *symbols);

/*
 * The same without a message, and with files of its own: symbols do not change.  Where these are of
 * interest, it has to be kept first.
 */
struct inlined_code *symbols_read_inlined_apart(struct run *run, const struct symbols *symbols);

/*
 * From here on to the other one, what is read is the same for all who read it: they take turns to
 * read and release it, but the debug information is read once.  code: what was read apart, which
 * gets the files of the symbols; NULL: nothing was.
 */
void symbols_keep_inlined(struct run *run, struct symbols *symbols, struct inlined_code *code);
void symbols_drop_inlined(struct run *run, struct symbols *symbols);

/*
 * Whether debug information is read in less time than people notice, so that they may get what they
 * have not asked for.
 */
bool inlined_is_read_quickly(const struct symbols *symbols);

/* The row for an address of the program, or the number of rows. */
uint32_t inlined_row_at(const struct inlined_code *code, uint64_t address);

/*
 * What the code of a row is of: the function, then each subroutine, which was inlined into what
 * stands before it.  frames has room for INLINED_AT_MOST + 1.  Returns how many; 1 where nothing
 * was inlined, or nothing is known.
 */
uint32_t inlined_frames(const struct inlined_code *code, uint32_t row, struct code_frame *frames);

/* Per number of a name, whether some code is of an inlined copy of it; run lifetime. */
bool *inlined_find_copies(struct run *run, const struct inlined_code *code);

/* As it stands in symbol tables; run lifetime. */
static inline const char *
inlined_name(const struct inlined_code *code, uint32_t number)
{
	return line_rows_name(&code->rows, number);
}

void symbols_release_inlined(struct run *run, struct inlined_code *code);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Symspecs that were copied from a report, with what it adds to names. */
#ifndef ENGINE_SELECT_PASTED_H
#define ENGINE_SELECT_PASTED_H

#include "base/run.h"
#include "select/match.h"
#include "symbols/symbols.h"

/* A name and what stood behind it. */
struct pasted {
	const char *name;
	const char *place;  /* a source file or an object, or NULL */
	const char *object; /* of a row that has a place, too; or NULL */
	uint32_t line;      /* 0: none */
	uint64_t address;
	bool has_address;
	bool is_line; /* of a report by line: the address is that of a line */
};

/*
 * Takes off " (file.c)", " (file.c:12 @ 4f0)", " (libfoo.so)", " [file.c]", " [0x4f0]", ":0x4f0",
 * " inlined into ...", " <cycle 1>", " [12]" and " (12)".  Returns whether anything was taken off;
 * what is left can be empty.
 */
bool pasted_parse(struct run *run, const char *text, struct pasted *pasted);

/*
 * Gives halves that stand for nothing what the row showed that they were copied from.  Fails where
 * that would cost too much.
 */
enum gprofx_result
pasted_match(struct run *run, struct symbols *symbols, struct match_half *halves, uint32_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names in files of callgrind.  A file states each name once, with a number, and then the number
 * alone; or it states the names themselves.
 */
#ifndef INPUT_CALLGRIND_NAMES_H
#define INPUT_CALLGRIND_NAMES_H

#include <gprofx/reader.h>

#include "../shared/text-lines.h"
#include "../shared/text-table.h"

enum { CG_MOST_TOLD = 10 /* diagnostics of one kind */ };

/* Each has numbers of its own. */
enum cg_space { CG_OBJECT, CG_FILE, CG_FUNCTION, CG_SPACES };

struct cg_name {
	uint32_t text;         /* the host's number; 0: it is not known */
	bool is_nested;        /* of a function that is active more than once */
	struct text_span last; /* the last part of a path */
};

struct cg_names {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	bool is_plain;                      /* cachegrind: a parenthesis is part of a name */
	struct text_table ids[CG_SPACES];   /* by number, items plus 1 */
	struct text_table texts[CG_SPACES]; /* by name, likewise */
	struct text_table functions; /* without callers; only if there are names with callers */
	bool has_callers;
	/* The last part of the path of the object of functions, where gprofx wrote it behind their
	 * names. */
	struct text_span object;
	struct cg_name *items;
	uint32_t count, room;
	uint32_t undefined, redefined; /* numbers that were reported, or would have been */
};

/* Looks for names of functions that are followed by those of their callers. */
void cg_names_prepare(struct cg_names *names);

/* The name that a line states behind its '='. */
struct cg_name
cg_name_of(struct cg_names *names, enum cg_space space, struct text_span text, uint32_t line);

/* Reports how many more numbers were wrong than were reported. */
void cg_names_tell(const struct cg_names *names);

void cg_names_release(struct cg_names *names);

#endif

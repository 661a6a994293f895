/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of the call graph: of a function or a cycle, with its callers and callees. */
#ifndef OUTPUT_CALLGRAPH_ENTRIES_H
#define OUTPUT_CALLGRAPH_ENTRIES_H

#include <gprofx/emitter.h>

#include "../shared/line-names.h"
#include "../shared/names.h"
#include "../shared/options.h"
#include "columns.h"
#include "references.h"

enum cycle_callers { CYCLE_CALLERS_AUTO, CYCLE_CALLERS_ALWAYS, CYCLE_CALLERS_NEVER };

struct options {
	struct table_options table;
	uint32_t cycle_callers; /* enum cycle_callers */
	bool explain;
	int64_t width;
};

/* One listing under way. */
struct listing {
	const struct gprofx_report *r; /* what is printed of the report */
	struct gprofx_writer *w;
	const struct options *options;
	struct table_rest rest; /* entries that are not printed */
	struct columns columns;
	struct references references;
	struct names names;
	struct line_names line_names;
	bool color;
	bool some_unknown; /* not all numbers of calls are known */
	bool is_measured;  /* times come from stacks, within functions and circles, too */
};

/* The lines of an entry; the one between entries is not among them. */
void entry_put_function(struct listing *l, uint32_t node);
void entry_put_cycle(struct listing *l, uint32_t node);

/*
 * What stands before the name in a line of the report's arc of that number: for calls that others
 * can have made as well, and for those that never happened if they are no plain ones.
 */
char entry_mark(const struct gprofx_report *r, uint32_t arc);

/*
 * Programs that read this listing know no entry of a cycle that begins with anything but its
 * primary line, as gprof's do; who looks at a terminal is no program.
 */
bool entries_show_cycle_callers(const struct listing *l);

/* The end of a line that stands out. */
void entry_end_emphasis(struct listing *l);

#endif

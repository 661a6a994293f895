/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shorter forms of long names, as C++, Rust and Fortran make them.
 *
 * Names are demangled text.  Each form leaves out what the one before it does, and more.  What
 * distinguishes rows of a table without being part of the source's name stays: "[clone .isra.0]",
 * the version of a symbol, the position in the source that --inline-file-names adds.  Of what was
 * inlined into something, the shortest form has the first name with its position, and the last one.
 */
#ifndef PLUGINS_SHARED_NAMES_H
#define PLUGINS_SHARED_NAMES_H

#include <gprofx/emitter.h>

enum name_form {
	NAME_FULL,
	NAME_NO_ARGUMENTS,   /* without parameters, qualifiers behind them, and the result's type */
	NAME_NO_TEMPLATES,   /* and without template or generic arguments */
	NAME_LAST_COMPONENTS /* and without all namespaces and scopes but the innermost */
};

/* Room for the work on one name after the other. */
struct names {
	struct gprofx *gx;
	const struct gprofx_report *report;
	enum name_form form;
	char *text;     /* the short name */
	uint32_t *past; /* where what begins at a byte of the name ends */
	uint32_t *open; /* brackets that wait for their partners */
	size_t room;    /* of each of the three, in bytes of a name */
	char *joined;   /* short names of subroutines inlined into each other */
	size_t joined_room;
};

void names_begin(struct names *names, struct gprofx *gx, const struct gprofx_report *report,
                 enum name_form form);

/* The text in the form that was asked for; valid until the next call. */
struct gprofx_text names_shorten(struct names *names, struct gprofx_text name);

/*
 * A text without " [clone .isra.0]" and the like behind the name, if nothing but a place follows;
 * run lifetime, or that of the text.
 */
struct gprofx_text names_without_clones(struct gprofx *gx, struct gprofx_text name);

/* The name of a node in that form; valid until the next call. */
static inline struct gprofx_text
names_of(struct names *names, uint32_t node)
{
	struct gprofx_text name = names->report->services->name(names->report, node);

	/* Cycles, and what is outside of functions, have no names that are written in a source. */
	if (names->form == NAME_FULL || node >= names->report->functions->count ||
	    (names->report->graph->flags[node] & GPROFX_NODE_OUTSIDE))
		return name;
	return names_shorten(names, name);
}

#endif

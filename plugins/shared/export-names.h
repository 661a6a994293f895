/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for formats whose readers distinguish functions by nothing but their names.
 *
 * Each node gets a name of its own, in printable UTF-8: what is not printable becomes \xNN for each
 * byte, as in reports, but in GNU mode and for raw bytes as well, since a line end in a name would
 * damage the file.  A function without a name is called "?".  Where several nodes have the same
 * name, " [FILE]" is appended to each of them, with the source file or else the path of the object;
 * where they are still the same, " [0xADDRESS]"; and at last " [#NODE]".
 */
#ifndef PLUGINS_SHARED_EXPORT_NAMES_H
#define PLUGINS_SHARED_EXPORT_NAMES_H

#include <string.h>

#include <gprofx/emitter.h>

/* What a format cannot have in a name; a name of the same length replaces it. */
struct export_form {
	/* Whether the name can be written as it is; NULL: every one can. */
	bool (*is_fit)(const char *bytes, size_t length);
	/* Makes it fit. */
	void (*fit)(char *bytes, size_t length);
	/* Lines are called as the function that they are in: the format has a place for them. */
	bool has_lines;
	/* Lines have rows of their own, also beside functions as wholes, and names with places. */
	bool names_lines;
};

/*
 * Whether functions have the figures of all their lines.  Lines are called as functions then; in
 * other reports by line, which are by gprof's rules, each line has figures of its own.
 */
static inline bool
export_has_wholes(const struct gprofx_report *report)
{
	const struct gprofx_report_graph *graph = report->graph;

	return graph && graph->columns && graph->columns->whole_self.first;
}

/* Whether a node is no line whose figures its function has. */
static inline bool
export_is_whole(const struct gprofx_report *report, uint32_t node)
{
	return (report->graph->flags[node] & GPROFX_NODE_LINE) == 0 || !export_has_wholes(report);
}

/*
 * The names of "count" nodes.  is_used: per node whether its name is needed, or NULL: all are;
 * others are left empty.  form can be NULL.  Needs GPROFX_PART_SOURCES, and GPROFX_PART_NODES for
 * reports by line.
 */
const struct gprofx_text *
export_names(struct gprofx *gx, const struct gprofx_report *report, uint32_t count,
             const bool *is_used, const struct export_form *form);

/* One text in this form; "?" in place of an empty one. */
struct gprofx_text
export_text(struct gprofx *gx, struct gprofx_text text, const struct export_form *form);

/* The same of a word that ends with a zero byte, without a form. */
static inline struct gprofx_text
export_word(struct gprofx *gx, const char *word)
{
	return export_text(gx, (struct gprofx_text){word, strlen(word)}, NULL);
}

/*
 * Numbers equal texts: per text its number, from 0 in the order in which they first appear; how
 * many there are in *distinct.
 */
uint32_t *export_distinct(struct gprofx *gx, const struct gprofx_text *texts, uint32_t count,
                          uint32_t *distinct);

/* A path without its folders. */
static inline const char *
export_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * What the report is of, in one word: the program, or else the profile, without folders.
 */
static inline const char *
export_program(const struct gprofx_report *report)
{
	const struct gprofx_report_origin *origin = report->origin;

	if (origin->image)
		return export_last_name(origin->image);
	return origin->profile_count > 0 ? export_last_name(origin->profiles[0]) : "-";
}

/* The frame in place of contexts that were left out. */
#define EXPORT_CUT_FRAME "[paths too small to show]"

/*
 * The frame that estimated stacks begin with: the program, and that their paths are not measured.
 */
struct gprofx_text export_estimate_frame(struct gprofx *gx, const struct gprofx_report *report,
                                         const struct export_form *form);

#endif

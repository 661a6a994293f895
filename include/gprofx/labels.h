/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makers of labels (labels-*): say in a few words what distinguishes a profile file from the
 * others, by the user's pattern for file names.
 *
 * The host asks the plugin labels-pcre2; its library is loaded only if there is such a pattern and
 * a report that names files.
 */
#ifndef GPROFX_LABELS_H
#define GPROFX_LABELS_H

#include <gprofx/emitter.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/* Words from a file of settings, and their place, for diagnostics. */
struct gprofx_setting_text {
	const char *text;      /* NUL-terminated, run lifetime; or NULL: not set */
	const char *file;      /* or NULL */
	uint32_t line, column; /* for gprofx_set_place() */
};

/* How labels are made. */
struct gprofx_label_rule {
	uint32_t size;
	struct gprofx_setting_text pattern; /* in the plugin's syntax; its text is never NULL */
	/*
	 * The label, in which {NAME} stands for what the group NAME of the pattern matched, and
	 * "{{" for a brace.  Without it a label is "NAME=MATCH" for each group, in their order in
	 * the pattern, with blanks between them.
	 */
	struct gprofx_setting_text text;
};

struct gprofx_labels {
	uint32_t size;
	const char *syntax; /* of patterns: "pcre2"; static */
	/*
	 * Compiles a rule; *state is passed to make().  Fails with a diagnostic that names the
	 * place.  What it keeps has run lifetime.  Required.
	 */
	enum gprofx_result (*prepare)(struct gprofx *gx, const struct gprofx_label_rule *rule,
	                              void **state);
	/*
	 * The label of a file, with run lifetime; any bytes.  Its time is bounded by a small
	 * constant, whatever the name.  GPROFX_DECLINED: the pattern does not match the name.
	 * Required.
	 */
	enum gprofx_result (*make)(struct gprofx *gx, void *state, const char *name,
	                           struct gprofx_text *label);
};

#ifdef __cplusplus
}
#endif

#endif

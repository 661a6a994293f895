/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <string.h>

#include "../shared/export-rows.h"
#include "executions.h"

/*
 * "fn=(3) name", and "fn=(3)" from the second time on.  With room for a line of numbers at "at",
 * and behind the result.
 */
static char *
add_term(const struct work *w, char *at, const char key[4], const struct terms *terms,
         uint32_t term)
{
	bool is_new = !terms->is_written[term];

	/* All keys but two have four characters. */
	memcpy(at, key, 4);
	at += 3 + (key[3] != '\0');
	if (w->body->has_calls) {
		*at++ = '(';
		at = export_number(at, (uint64_t)term + 1);
		*at++ = ')';
		if (is_new)
			*at++ = ' ';
	}
	if (is_new || !w->body->has_calls) {
		export_end(w->writer, at);
		gprofx_put(w->writer, terms->text[term].bytes, terms->text[term].length);
		at = export_room(w->writer);
		terms->is_written[term] = true;
	}
	*at++ = '\n';
	return at;
}

static void
put_term(const struct work *w, const char key[4], const struct terms *terms, uint32_t term)
{
	export_end(w->writer, add_term(w, export_room(w->writer), key, terms, term));
}

void
lines_begin_block(struct work *w, uint32_t function, uint32_t name)
{
	if (w->body->has_calls) {
		gprofx_putc(w->writer, '\n');
		if (w->object[function] != w->own_object)
			put_term(w, "ob=", &w->objects, w->object[function]);
	}
	w->own_function = name;
	w->own_object = w->object[function];
	w->own_file = w->current_file = w->file[function];
	put_term(w, "fl=", &w->files, w->own_file);
	put_term(w, "fn=", &w->functions, name);
}

void
lines_put_file(struct work *w, uint32_t file)
{
	if (file == w->current_file)
		return;
	w->current_file = file;
	/* cachegrind's form names the function again. */
	if (!w->body->has_calls) {
		put_term(w, "fl=", &w->files, file);
		put_term(w, "fn=", &w->functions, w->own_function);
		return;
	}
	put_term(w, file == w->own_file ? "fe=" : "fi=", &w->files, file);
}

/* All events, as readers do not agree on what a missing one means. */
static char *
add_costs(const struct work *w, char *at, uint32_t line, const uint64_t *values,
          uint64_t executions)
{
	enum { AT_ONCE = 8 /* numbers, which fit into the room */ };

	at = export_number(at, line);
	for (uint32_t i = 0; i < w->body->event_count; i++) {
		if (i % AT_ONCE == AT_ONCE - 1) {
			export_end(w->writer, at);
			at = export_room(w->writer);
		}
		*at++ = ' ';
		at = export_number(at, values[i]);
	}
	if (w->body->executions.are_known) {
		*at++ = ' ';
		at = export_number(at, executions);
	}
	*at++ = '\n';
	return at;
}

void
lines_put_costs(const struct work *w, uint32_t line, const uint64_t *values, uint64_t executions)
{
	export_end(w->writer, add_costs(w, export_room(w->writer), line, values, executions));
}

void
lines_put_call(struct work *w, uint32_t line, uint32_t callee, uint32_t name, uint64_t calls,
               const uint64_t *values)
{
	const struct callee *to = &w->callees[callee];
	char *at = export_room(w->writer);

	if (to->object != w->own_object)
		at = add_term(w, at, "cob=", &w->objects, to->object);
	at = add_term(w, at, "cfi=", &w->files, to->file);
	at = add_term(w, at, "cfn=", &w->functions, name);
	at = EXPORT_WORDS(at, "calls=");
	at = export_number(at, calls);
	*at++ = ' ';
	at = export_number(at, to->line);
	*at++ = '\n';
	export_end(w->writer, add_costs(w, at, line, values, 0));
}

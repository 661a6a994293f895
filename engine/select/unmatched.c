/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symspecs that stand for nothing, and what may have been meant: another function or file, or the
 * function that the line is in.
 */
#include "select/unmatched.h"

#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"
#include "select/pasted.h"
#include "select/shown.h"
#include "select/suggest.h"
#include "select/symspec.h"
#include "symbols/symbols.h"

/* Of a function in a hint; a longer name hides what the hint says. */
enum { LONGEST_NAME = 80 };

/* The source file whose name is nearest. */
static const char *
suggest_file(struct run *run, const struct symbols *symbols, const char *file)
{
	struct nearest nearest;

	if (symbols->file_count <= 1)
		return "compile with -g to make source files known";
	nearest_begin(&nearest, text_last_name(file), strlen(text_last_name(file)));
	for (uint32_t i = 1; i < symbols->file_count; i++)
		nearest_offer(&nearest, symbols->files[i].base);
	return nearest.found ? text_format(run, "did you mean %s?", nearest.found) : NULL;
}

static bool
is_file(const struct symbols *symbols, uint32_t number, const char *file)
{
	return number != 0 && strcmp(symbols->files[number].base, text_last_name(file)) == 0;
}

/* The function that begins last at or before the line of the file, or first behind it. */
static const char *
suggest_line(struct run *run, const struct symbols *symbols, const struct symspec *half)
{
	uint32_t best = NO_SYMBOL;
	const char *name;

	for (uint32_t i = 0; i < symbols->count; i++) {
		uint32_t line = symbols->line[i], best_line;

		if (line == 0 || (half->file && !is_file(symbols, symbols->file[i], half->file)))
			continue;
		best_line = best == NO_SYMBOL ? 0 : symbols->line[best];
		if (best == NO_SYMBOL ||
		    (line <= half->line ? best_line > half->line || line > best_line
		                        : best_line > half->line && line < best_line))
			best = i;
	}
	if (best == NO_SYMBOL)
		return NULL;
	name = *shown_short_names(run, symbols, &symbols->name[best], 1);
	return text_format(run, "did you mean %s:%u%s%s?", symbols->files[symbols->file[best]].base,
	                   symbols->line[best],
	                   strlen(name) <= LONGEST_NAME ? ", the start of " : "",
	                   strlen(name) <= LONGEST_NAME ? name : "");
}

static const char *
suggest(struct suggesting *suggesting, const struct match_half *whole)
{
	struct run *run = suggesting->run;
	const struct symbols *symbols = suggesting->symbols;
	const struct symspec *half = &whole->spec;
	bool is_known = false;

	/* Where positions were asked for. */
	for (uint32_t i = 1; half->file && i < symbols->file_count && !is_known; i++)
		is_known = is_file(symbols, i, half->file);
	if (half->file && !is_known && half->name) {
		const char *functions = suggest_function(suggesting, whole);

		return functions ? functions : suggest_file(run, symbols, half->file);
	}
	if (half->file && !is_known)
		return suggest_file(run, symbols, half->file);
	return half->name ? suggest_function(suggesting, whole) : suggest_line(run, symbols, half);
}

/* What to write for what was copied from a row of a report, or NULL. */
static const char *
suggest_row(struct run *run, const char *text)
{
	static const char cycle[] = "<cycle ";
	struct pasted pasted;
	bool is_pasted = pasted_parse(run, text, &pasted);

	/* Which functions these are is known only when profiles have been read. */
	if (strncmp(text, cycle, sizeof cycle - 1) == 0)
		return "name a member of the cycle: -q lists them below the row of the cycle";
	if (text[0] == '<' &&
	    (pasted.name[0] == '\0' || pasted.name[strlen(pasted.name) - 1] == '>'))
		return "name functions: what is between < and > is none";
	if (is_pasted && pasted.name[0] == '\0')
		return "name functions: numbers of entries depend on the options";
	if (is_pasted && pasted.is_line && !run->settings->by_line)
		return text_format(run, "add -l to select a line, or write %s", pasted.name);
	return NULL;
}

static const char *
find_hint(struct suggesting *suggesting, const struct engine_symspec *whole,
          const struct match_half *half)
{
	struct run *run = suggesting->run;
	const struct engine_settings *settings = run->settings;
	const char *hint = suggest_row(run, half->spec.text), *advice = NULL;

	suggesting->annotates = whole->filter == ENGINE_FILTER_ANNOTATE;
	if (settings->advised_symspec && strcmp(settings->advised_symspec, whole->text) == 0)
		advice = settings->symspec_advice;
	if (whole->text[0] == '=')
		return text_format(run, "leave out the '=': %s", whole->text + 1);
	/* There is a line near any number. */
	if (!hint && !half->spec.name)
		hint = advice;
	if (!hint && suggesting->symbols->count > 0)
		hint = suggest(suggesting, half);
	if (!hint)
		hint = advice;
	return hint ? hint
	            : "name a function as the report shows it or as nm PROGRAM does, or FILE:LINE "
	              "at the start of one";
}

void
unmatched_tell(struct suggesting *suggesting, const struct engine_symspec *whole,
               const struct match_half *half, const char *side, bool is_error)
{
	struct run *run = suggesting->run;
	const struct gprofx_diagnostic diagnostic = {
		.id = "symspec.no-match",
		.hint = find_hint(suggesting, whole, half),
		.text = {whole->text},
	};

	if (is_error)
		run_fail(run, &diagnostic, "no function or source line matches %s%s", side,
		         whole->text);
	else
		run_warn(run, &diagnostic,
		         "no function or source line matches %s%s; the option has no effect", side,
		         whole->text);
}

/* What the whole name has in common with what was written. */
static const char *
common_end(const char *name)
{
	const char *dots = strstr(name + symspec_past_cut(name), "...");

	if (!dots)
		return "ends";
	return dots[strspn(dots, ".")] == '\0' ? "begins" : "begins and ends";
}

void
unmatched_tell_end(struct run *run, const struct engine_symspec *whole,
                   const struct match_half *half)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "symspec.last-component",
		.hint = text_format(run, "write %s", half->ends[0]),
		.text = {whole->text, half->ends[0]},
	};

	run_warn(run, &diagnostic, "no function is called %s; the only one whose name %s so is %s",
	         half->spec.name, common_end(half->spec.name), half->ends[0]);
}

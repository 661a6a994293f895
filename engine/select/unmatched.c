/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symspecs that stand for nothing, and what may have been meant: a function of a name like it, one
 * whose C++ name has it, another file, or the function that the line is in.
 */
#include "select/unmatched.h"

#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"
#include "select/shown.h"
#include "select/symspec.h"

/* Names that are suggested at most, and the longest of them. */
enum { MOST_NAMES = MATCH_ENDS, LONGEST_NAME = 80, MOST_LOOKED_AT = 64 };

struct names {
	const char *name[MOST_NAMES];
	uint32_t count;
	bool more;      /* than these */
	uint64_t *left; /* letters that may still be compared */
};

static bool
has_name(const struct names *names, const char *name)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

/* Offers a name of roughly the same length: of a million others none is looked at. */
static void
offer(struct nearest *nearest, const struct names *found, const char *name)
{
	size_t most = nearest->length + nearest->changes, length = strnlen(name, most + 1);
	uint64_t cost = (uint64_t)length * nearest->length;

	if (nearest->length > length + nearest->changes || length > most || cost > *found->left ||
	    has_name(found, name))
		return;
	*found->left -= cost;
	nearest_offer(nearest, name);
}

/* The functions whose names are nearest. */
static void
find_names(const struct symbols *symbols, const char *word, struct names *names)
{
	bool underscore = symbols->table.leading_underscore;
	struct nearest nearest;

	do {
		nearest_begin(&nearest, word, strlen(word));
		for (uint32_t i = 0; i < symbols->count; i++)
			offer(&nearest, names,
			      symbols->name[i] + (underscore && symbols->name[i][0] == '_'));
		if (nearest.found)
			names->name[names->count++] = nearest.found;
	} while (nearest.found && names->count < MOST_NAMES);
}

/* Functions of C++ and Rust that are called so, by names that only the symbol table knows. */
static void
find_encoded(struct run *run, const struct symbols *symbols, const char *word, struct names *names)
{
	const char *bare = shown_bare_name(run, word), *scope = strrchr(bare, ':');
	const char *last = scope ? scope + 1 : bare;
	const char *part = text_format(run, "%zu%s", strlen(last), last);

	for (uint32_t i = 0, looked_at = 0;
	     i < symbols->count && names->count < MOST_NAMES && looked_at < MOST_LOOKED_AT; i++) {
		const char *name = symbols->name[i];

		if (name[0] != '_' || !strstr(name, part) || strlen(name) > LONGEST_NAME)
			continue;
		name = shown_short_name(run, symbols, i);
		looked_at++;
		if (!has_name(names, name))
			names->name[names->count++] = name;
	}
}

/* "did you mean a, b or c?", or NULL. */
static const char *
suggestion(struct run *run, const struct names *names)
{
	const char *words = "did you mean ";

	for (uint32_t i = 0; i < names->count; i++)
		words = text_format(run, "%s%s%s", words,
		                    i == 0                                  ? ""
		                    : i + 1 == names->count && !names->more ? " or "
		                                                            : ", ",
		                    names->name[i]);
	return names->count > 0 ? text_format(run, "%s%s?", words, names->more ? ", ..." : "")
	                        : NULL;
}

static const char *
suggest_function(struct run *run, const struct symbols *symbols, const struct match_half *half,
                 uint64_t *left)
{
	struct names names = {.count = 0};

	names.left = left;
	/* Of several that end so, none was taken. */
	for (; names.count < MATCH_ENDS && names.count < half->end_count; names.count++)
		names.name[names.count] = half->ends[names.count];
	names.more = half->end_count > MATCH_ENDS;
	if (names.count == 0)
		find_names(symbols, half->spec.name, &names);
	if (names.count < MOST_NAMES && half->end_count == 0)
		find_encoded(run, symbols, half->spec.name, &names);
	return suggestion(run, &names);
}

static const char *
suggest_file(struct run *run, const struct symbols *symbols, const char *file, uint64_t *left)
{
	struct names names = {.count = 0};
	struct nearest nearest;

	names.left = left;
	if (symbols->file_count <= 1)
		return "compile with -g to make source files known";
	nearest_begin(&nearest, text_last_name(file), strlen(text_last_name(file)));
	for (uint32_t i = 1; i < symbols->file_count; i++)
		offer(&nearest, &names, symbols->files[i].base);
	if (nearest.found)
		names.name[names.count++] = nearest.found;
	return suggestion(run, &names);
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
	return text_format(run, "did you mean %s:%u, the start of %s?",
	                   symbols->files[symbols->file[best]].base, symbols->line[best],
	                   symbols->name[best]);
}

static const char *
suggest(struct run *run, const struct symbols *symbols, const struct match_half *whole,
        uint64_t *left)
{
	const struct symspec *half = &whole->spec;
	bool is_known = false;

	/* Where positions were asked for. */
	for (uint32_t i = 1; half->file && i < symbols->file_count && !is_known; i++)
		is_known = is_file(symbols, i, half->file);
	if (half->file && !is_known && half->name) {
		const char *functions = suggest_function(run, symbols, whole, left);

		return functions ? functions : suggest_file(run, symbols, half->file, left);
	}
	if (half->file && !is_known)
		return suggest_file(run, symbols, half->file, left);
	return half->name ? suggest_function(run, symbols, whole, left)
	                  : suggest_line(run, symbols, half);
}

void
unmatched_tell(struct run *run, const struct symbols *symbols, const struct engine_symspec *whole,
               const struct match_half *half, const char *side, bool is_error, uint64_t *left)
{
	static const char rest[] = "name a function as the report shows it or as nm PROGRAM does, "
				   "or FILE:LINE at the start of one";
	const char *meant = whole->text[0] == '='
	                            ? text_format(run, "leave out the '=': %s", whole->text + 1)
	                    : symbols->count > 0 ? suggest(run, symbols, half, left)
	                                         : NULL;
	const struct gprofx_diagnostic diagnostic = {
		.id = "symspec.no-match",
		.hint = meant ? meant : rest,
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

void
unmatched_tell_end(struct run *run, const struct engine_symspec *whole,
                   const struct match_half *half)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "symspec.last-component",
		.hint = text_format(run, "write %s", half->ends[0]),
		.text = {whole->text, half->ends[0]},
	};

	run_warn(run, &diagnostic,
	         "no function is called %s; the only one whose name ends so is %s", half->spec.name,
	         half->ends[0]);
}

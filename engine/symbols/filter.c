/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which local symbols count as functions.  GNU gprof goes by their names alone; with the correction
 * what counts is whether a symbol has code: it is typed, or has a size, or is called.  What is left
 * out here belongs to the symbol before it.
 */
#include <string.h>

#include <gprofx/symbols.h>

#include "base/memory.h"
#include "symbols/symbols.h"

enum { NOTED_BYTES = 256 };

static bool
begins_with(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/*
 * A dot begins a group of a suffix: an optional word, then digits up to the end of the name or to
 * the dot of the next group.  *at is at the dot; afterwards it is at the terminating NUL.
 */
static bool
suffix_counts(const char **at)
{
	static const char *const words[] = {".clone.", ".constprop."};
	const char *p = *at;

	for (;;) {
		bool digit = false;

		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
			size_t length = strlen(words[i]);

			if (strncmp(p, words[i], length) == 0 && p[length] != '\0') {
				p += length - 1;
				break;
			}
		}
		for (p++; *p >= '0' && *p <= '9'; p++)
			digit = true;
		if (*p == '\0')
			break;
		if (*p != '.' || !digit)
			return false;
	}
	*at = p;
	return true;
}

/* What one string says; VERDICT_NEXT: the string behind it decides. */
enum verdict { VERDICT_UNKNOWN, VERDICT_REJECTED, VERDICT_COUNTS, VERDICT_NEXT };

/*
 * Looks at the string at *at, which is then where looking ended: behind the string's NUL for
 * VERDICT_NEXT.
 */
static enum verdict
string_verdict(const char **at, const char *limit)
{
	const char *p = *at;
	enum verdict verdict = VERDICT_COUNTS;

	for (; p < limit && *p != '\0' && verdict == VERDICT_COUNTS; p++) {
		if (*p == '$')
			verdict = VERDICT_REJECTED;
		/*
		 * gprof steps over the NUL that ends a suffix and so applies the rule to the next
		 * string of the table as well; which clones are kept depends on it.
		 */
		if (*p == '.')
			verdict = suffix_counts(&p) ? VERDICT_NEXT : VERDICT_REJECTED;
	}
	*at = p;
	return verdict;
}

/* Verdicts of strings by their place in the table, four to a byte. */
static enum verdict
recall(const struct name_rule *rule, size_t place)
{
	return rule->verdicts ? (enum verdict)(rule->verdicts[place / 4] >> place % 4 * 2 & 3)
	                      : VERDICT_UNKNOWN;
}

static void
remember(struct name_rule *rule, size_t place, enum verdict verdict)
{
	if (!rule->verdicts)
		rule->verdicts = memory_alloc(rule->run, rule->table->strings_bytes / 4 + 1);
	rule->verdicts[place / 4] |= (uint8_t)((unsigned)verdict << place % 4 * 2);
}

/*
 * The verdict of the strings from "first" on.  Where that takes long it is noted for each of them,
 * so that a table full of suffixes is gone through once and not once for each symbol.
 */
static enum verdict
following_verdict(struct name_rule *rule, const char *first)
{
	const char *strings = rule->table->strings, *limit = strings + rule->table->strings_bytes;
	const char *at = first, *last = first;
	enum verdict verdict = VERDICT_NEXT;

	while (verdict == VERDICT_NEXT) {
		last = at;
		verdict = at < limit ? recall(rule, (size_t)(at - strings)) : VERDICT_COUNTS;
		if (verdict == VERDICT_UNKNOWN)
			verdict = string_verdict(&at, limit);
	}
	if (at - first > NOTED_BYTES)
		for (at = first; at <= last && at < limit; at += strlen(at) + 1)
			remember(rule, (size_t)(at - strings), verdict);
	return verdict;
}

/* Words that begin a group of a compiler's suffix; those of fragments are last. */
static const char *const suffixes[] = {"clone", "constprop", "isra", "lto_priv",
                                       "llvm",  "part",      "cold"};
enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0], FIRST_FRAGMENT = SUFFIXES - 2 };

/* The word at a dot as a number of the table, or SUFFIXES; *end is behind it. */
static size_t
suffix_at(const char *dot, const char **end)
{
	for (size_t i = 0; i < SUFFIXES; i++) {
		size_t length = strlen(suffixes[i]);

		if (strncmp(dot + 1, suffixes[i], length) == 0 &&
		    (dot[1 + length] == '.' || dot[1 + length] == '\0')) {
			*end = dot + 1 + length;
			return i;
		}
	}
	return SUFFIXES;
}

const char *
symbols_clone_suffix(const char *name, bool *is_fragment)
{
	const char *first = NULL, *dot = strchr(name, '.'), *end;

	*is_fragment = false;
	for (; dot; dot = strchr(dot + 1, '.')) {
		size_t word = suffix_at(dot, &end);

		if (word == SUFFIXES || dot == name)
			continue;
		first = first ? first : dot;
		*is_fragment = *is_fragment || word >= FIRST_FRAGMENT;
	}
	return first;
}

/* gprof's rule as it is meant, within the name, with the suffixes of all clones. */
static bool
name_is_sound(const char *name)
{
	const char *at = strchr(name, '.');

	if (strchr(name, '$'))
		return false;
	while (at && *at == '.') {
		const char *digits = at + 1;

		if (suffix_at(at, &at) < SUFFIXES)
			continue;
		at = digits + strspn(digits, "0123456789");
		if (*at != '\0' && (*at != '.' || at == digits))
			return false;
	}
	return true;
}

bool
symbols_name_counts(struct name_rule *rule, const char *name)
{
	const struct gprofx_symtab *table = rule->table;
	const char *at = name;
	enum verdict verdict;
	bool is_fragment;

	if (name[0] == '\0' || begins_with(name, "__gnu_compiled") ||
	    begins_with(name, "___gnu_compiled"))
		return false;
	if (table->leading_underscore && name[0] != '_')
		return false;
	if (rule->knows_clones)
		return !(rule->drops_clones && symbols_clone_suffix(name, &is_fragment)) &&
		       name_is_sound(name);
	verdict = string_verdict(&at, name + strlen(name));
	if (verdict != VERDICT_NEXT)
		return verdict == VERDICT_COUNTS;
	/* A name that was made for the occasion has no string behind it. */
	if (!table->strings || name < table->strings ||
	    name >= table->strings + table->strings_bytes)
		return true;
	return following_verdict(rule, at) == VERDICT_COUNTS;
}

/* "$x" and its like, which say what begins in the code: instructions of which set, or data. */
static bool
is_mapping_symbol(const char *name)
{
	if (name[0] != '$' || name[1] == '\0' || !strchr("adtx", name[1]))
		return false;
	/* On RISC-V the instruction set can follow. */
	return name[2] == '\0' || name[2] == '.' || (name[1] == 'x' && begins_with(name + 2, "rv"));
}

/* Labels that compilers and assemblers make up inside of functions, on some machines with '$'. */
static bool
is_made_label(const char *name)
{
	return begins_with(name, ".L") || begins_with(name, "$L") || begins_with(name, "L$") ||
	       name[strcspn(name, "\1\2")] != '\0';
}

enum symbol_fate
symbols_name_fate(struct name_rule *rule, const char *name, uint8_t flags, uint64_t bytes)
{
	bool is_function = (flags & GPROFX_SYMBOL_FUNCTION) != 0, is_fragment;

	if (!rule->knows_names || (!rule->knows_clones && symbols_clone_suffix(name, &is_fragment)))
		return symbols_name_counts(rule, name) ? FATE_KEPT : FATE_NAME;
	if (rule->drops_clones && symbols_clone_suffix(name, &is_fragment))
		return FATE_CLONE;
	if (name[0] == '\0')
		return FATE_NAMELESS;
	if (bytes > 0 || (is_function && !rule->lacks_sizes))
		return FATE_KEPT;
	if (is_mapping_symbol(name))
		return FATE_MAPPING;
	if (is_made_label(name))
		return FATE_LABEL;
	if (is_function || symbols_name_counts(rule, name))
		return FATE_KEPT;
	/* Assemblers make such names of labels; on Alpha, of the second entry of a function. */
	return name[0] == '$' ? FATE_LABEL : FATE_UNCALLED;
}

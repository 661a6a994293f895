/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brackets of names are paired without recursion; each byte is looked at a fixed number of times.
 * What only looks like one is known: operators, arrows, comparisons in template arguments.
 */
#include "brackets.h"

static const char opening[] = "([{<", closing[] = ")]}>";

enum { KINDS = sizeof opening - 1, ANGLES = KINDS - 1 };

/* Which kind of bracket this is one of, or KINDS. */
static size_t
kind_of(const char *brackets, char c)
{
	const char *found = c == '\0' ? NULL : strchr(brackets, c);

	return found ? (size_t)(found - brackets) : KINDS;
}

char
brackets_partner(char c)
{
	size_t kind = kind_of(closing, c);

	if (kind == KINDS)
		return '\0';
	return opening[kind];
}

/*
 * The end of the operator whose word begins here, or "at" if none does.  A conversion's ends behind
 * its blank: the type follows.
 */
static size_t
end_of_operator(const char *text, size_t at, size_t end)
{
	/* The longer ones first. */
	static const char *const signs[] = {
		"()",  "[]",  "\"\"", " new[]", " delete[]", " new", " delete", " co_await", "<<=",
		">>=", "<=>", "->*",  "<<",     ">>",        "<=",   ">=",      "==",        "!=",
		"&&",  "||",  "++",   "--",     "+=",        "-=",   "*=",      "/=",        "%=",
		"^=",  "&=",  "|=",   "->",     "+",         "-",    "*",       "/",         "%",
		"^",   "&",   "|",    "~",      "!",         "=",    "<",       ">",         ","};

	if (text[at] != 'o' || (at > 0 && is_word(text[at - 1])) ||
	    !goes_on(text, at, end, "operator"))
		return at;
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		size_t past = at + 8 + strlen(signs[i]);

		if (!goes_on(text, at + 8, end, signs[i]) ||
		    (signs[i][0] == ' ' && past < end && is_word(text[past])))
			continue;
		/* That of a literal has its suffix behind a blank. */
		if (signs[i][0] == '"')
			for (past += past < end && text[past] == ' ';
			     past < end && is_word(text[past]); past++)
				;
		return past;
	}
	return goes_on(text, at + 8, end, " ") ? at + 9 : at;
}

/* Whether "<" opens a bracket: behind a value it compares or shifts. */
static bool
opens_angle(const char *text, size_t at, size_t operator_end, bool is_behind_open)
{
	char before = byte_before(text, at);

	return (at > 0 && at == operator_end) || (before == '<' ? is_behind_open : before != ')');
}

void
brackets_pair(uint32_t *ends, uint32_t *open, const char *text, size_t end)
{
	uint32_t depth = 0, waiting[KINDS] = {0};
	size_t past, operator_end = 0;

	for (size_t at = 0; at < end; at = past) {
		char c = text[at], before = byte_before(text, at);
		size_t opens = kind_of(opening, c), closes = kind_of(closing, c);

		past = end_of_operator(text, at, end);
		if (past == at)
			past = c == '\'' && at + 2 < end && text[at + 2] == '\'' ? at + 3 : at + 1;
		for (size_t i = at + 1; i < past; i++)
			ends[i] = (uint32_t)(i + 1);
		ends[at] = (uint32_t)past;
		if (past != at + 1) {
			operator_end = past;
			continue;
		}
		if (opens < ANGLES ||
		    (opens == ANGLES &&
		     opens_angle(text, at, operator_end, depth > 0 && open[depth - 1] == at - 1))) {
			open[depth++] = (uint32_t)at;
			waiting[opens]++;
		} else if (closes == ANGLES) {
			if (depth == 0 || text[open[depth - 1]] != '<' || before == '-' ||
			    before == '=')
				continue;
			ends[open[--depth]] = (uint32_t)past;
			waiting[ANGLES]--;
		} else if (closes < ANGLES && waiting[closes] > 0) {
			/* What is still open inside was no bracket. */
			while (text[open[depth - 1]] != opening[closes])
				waiting[kind_of(opening, text[open[--depth]])]--;
			ends[open[--depth]] = (uint32_t)past;
			waiting[closes]--;
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "select/symspec.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Leading digits; what follows is ignored.  As everywhere in gprof, only 32 bits count. */
static uint32_t
line_number(const char *text)
{
	return (uint32_t)strtol(text, NULL, 10);
}

size_t
symspec_past_cut(const char *name)
{
	size_t dots = strspn(name, ".");

	return (dots == 2 || dots == 3) && name[dots] != '/' ? dots : 0;
}

static struct symspec
parse_half(struct run *run, const char *text, size_t length)
{
	const char *half = text_keep(run, text, length), *colon = strrchr(half, ':');
	const char *rest = colon ? colon + 1 : half;
	struct symspec spec = {.text = half};

	/* A name of C++ as it is shown, cut or with a tag; gprof would look for a file. */
	if (run->settings->tells_unmatched &&
	    (strstr(half, "::") || strstr(half, "[abi:") ||
	     (half[0] == ':' && strchr(half + 1, ':')) || symspec_past_cut(half) > 0)) {
		spec.name = half[0] == ':' && half[1] != ':' ? half + 1 : half;
		return spec;
	}
	if (colon && colon > half)
		spec.file = text_keep(run, half, (size_t)(colon - half));
	if (*rest == '\0')
		return spec;
	if (!colon && strchr(rest, '.'))
		spec.file = rest;
	else if (is_digit(*rest))
		spec.line = line_number(rest);
	else
		spec.name = rest;
	return spec;
}

/* The slash between the halves: none that stands in a place, as in "f (src/a.c)". */
static const char *
find_slash(const struct run *run, const char *text)
{
	const char *at = text, *past;

	for (; run->settings->tells_unmatched && *at != '\0' && *at != '/'; at++) {
		if (at[0] != ' ' || (at[1] != '(' && at[1] != '['))
			continue;
		past = strchr(at + 2, at[1] == '(' ? ')' : ']');
		if (!past)
			break;
		at = past;
	}
	return strchr(at, '/');
}

bool
symspec_parse(struct run *run, const char *text, struct symspec *left, struct symspec *right)
{
	const char *slash = find_slash(run, text);

	*left = parse_half(run, text, slash ? (size_t)(slash - text) : strlen(text));
	*right = (struct symspec){0};
	if (slash)
		*right = parse_half(run, slash + 1, strlen(slash + 1));
	return slash != NULL;
}

struct symspec
symspec_parse_one(struct run *run, const char *text)
{
	struct symspec spec = parse_half(run, text, strlen(text));

	/* No function's name has a slash, except for the operator. */
	if (!spec.file && spec.name && strchr(spec.name, '/') && !strstr(spec.name, "operator/")) {
		spec.file = spec.name;
		spec.name = NULL;
	}
	return spec;
}

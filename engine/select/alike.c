/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names are compared by components: one letter too few in a scope of many must not hide the
 * function, and a long scope must not make up for another function.
 */
#include "select/alike.h"

#include <string.h>

#include "base/nearest.h"

enum { MOST_COMPONENTS = 32 };

/* What is left of a name, from its end on. */
struct rest {
	const char *text;
	size_t length;
	bool is_at_end;
};

struct component {
	const char *text;
	size_t length;
};

size_t
alike_without_stub(const char *name)
{
	static const char stub[] = "@plt";
	size_t length = strlen(name), more = sizeof stub - 1;

	return length > more && strcmp(name + length - more, stub) == 0 ? length - more : length;
}

bool
alike_is_end(const char *name, const char *word)
{
	size_t length = strlen(name), end = strlen(word);

	return length >= end && strcmp(name + length - end, word) == 0 &&
	       (length == end || (length > end + 2 && name[length - end - 1] == ':' &&
	                          name[length - end - 2] == ':'));
}

/* Takes the last component off. */
static struct component
take_component(struct rest *rest)
{
	size_t begin = rest->length;
	struct component last;

	while (begin > 0 &&
	       !(begin >= 2 && rest->text[begin - 1] == ':' && rest->text[begin - 2] == ':'))
		begin--;
	last = (struct component){rest->text + begin, rest->length - begin};
	rest->is_at_end = begin < 2;
	rest->length = begin < 2 ? 0 : begin - 2;
	return last;
}

/* The same, but for a scope without a name, which people leave out. */
static struct component
next_component(struct rest *rest)
{
	static const char nameless[] = "(anonymous namespace)";
	struct component last = take_component(rest);

	while (!rest->is_at_end && last.length == sizeof nameless - 1 &&
	       memcmp(last.text, nameless, last.length) == 0)
		last = take_component(rest);
	return last;
}

/* Adds what the difference costs.  False: they are not alike. */
static bool
compare(struct alike *alike, struct component wanted, struct component has, size_t *cost)
{
	uint64_t pairs = (uint64_t)wanted.length * has.length;
	size_t more;

	if (pairs >= *alike->left)
		return false;
	if (wanted.length == has.length && memcmp(wanted.text, has.text, has.length) == 0)
		return true;
	more = nearest_cost(wanted.text, wanted.length, has.text, has.length);
	/* What differs too much in length was not looked at. */
	*alike->left -= more == SIZE_MAX ? 1 : pairs;
	*cost += more;
	return more != SIZE_MAX;
}

static bool
find_cost(struct alike *alike, const char *name, size_t *cost)
{
	struct rest wanted = {alike->word, alike_without_stub(alike->word), false};
	struct rest has = {name, alike_without_stub(name), false};

	*cost = (alike->word[wanted.length] == '\0') != (name[has.length] == '\0');
	for (int i = 0; i < MOST_COMPONENTS; i++) {
		if (!compare(alike, next_component(&wanted), next_component(&has), cost))
			return false;
		if (wanted.is_at_end || alike->is_last_only)
			return true;
		if (has.is_at_end)
			return false;
	}
	return false;
}

void
alike_offer(struct alike *alike, const char *name, const char *shown)
{
	size_t cost;
	uint32_t at;

	for (uint32_t i = 0; i < alike->count; i++)
		if (strcmp(alike->name[i], shown) == 0)
			return;
	if (!find_cost(alike, name, &cost) ||
	    (alike->count == ALIKE_MOST && cost >= alike->cost[ALIKE_MOST - 1]))
		return;
	/* Behind those that are as near. */
	alike->count += alike->count < ALIKE_MOST;
	for (at = alike->count - 1; at > 0 && alike->cost[at - 1] > cost; at--) {
		alike->name[at] = alike->name[at - 1];
		alike->cost[at] = alike->cost[at - 1];
	}
	alike->name[at] = shown;
	alike->cost[at] = cost;
}

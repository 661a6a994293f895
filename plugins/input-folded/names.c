/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

#include "../shared/text-table.h"

enum { SHORT_NAME = 256 };

/* What may stand behind a name, about the frame. */
static const struct {
	const char *text;
	const char *object; /* that the function is in; NULL: not known */
	uint32_t flags;
} marks[] = {{"_[i]", NULL, GPROFX_PLACE_INLINED}, {"_[w]", NULL, 0}, {"_[k]", "[kernel]", 0}};

/* Has the host number a name, without what is said behind it about the frame. */
static uint32_t
number(struct folded_names *names, const char *bytes, size_t length)
{
	struct gprofx_raw_place place = {.function = "?"};
	const struct gprofx_profile_builder *builder = names->profile->builder;
	char brief[SHORT_NAME], *copy = brief;
	const char *object = NULL;
	uint32_t result;

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		size_t mark = strlen(marks[i].text);

		if (length <= mark || memcmp(bytes + length - mark, marks[i].text, mark) != 0)
			continue;
		length -= mark;
		place.flags = marks[i].flags;
		object = marks[i].object;
		break;
	}
	if (length >= sizeof brief)
		copy = gprofx_alloc(names->table.gx, length + 1);
	if (length > 0) {
		memcpy(copy, bytes, length);
		copy[length] = '\0';
		/* Names end with a NUL, and what is behind one distinguishes functions. */
		for (size_t i = 0; i < length; i++)
			if (copy[i] == '\0')
				copy[i] = '?';
		place.function = copy;
	}
	if (object)
		builder->places_in(names->table.gx, names->profile, object, &place, 1, &result);
	else
		builder->places(names->table.gx, names->profile, &place, 1, &result);
	if (copy != brief)
		names->table.gx->host->release(names->table.gx, copy);
	return result;
}

uint32_t
folded_place(struct folded_names *names, const char *bytes, size_t length)
{
	bool is_new;
	uint32_t *place = text_table_find(&names->table, bytes, length, &is_new);

	if (is_new)
		*place = number(names, bytes, length);
	return *place;
}

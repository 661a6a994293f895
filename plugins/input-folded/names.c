/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>
#include <sys/auxv.h>

enum { FEWEST_SLOTS = 1024, SHORT_NAME = 256 };

/* What may stand behind a name, about the frame. */
static const struct {
	const char *text;
	uint32_t flags;
} marks[] = {{"_[i]", GPROFX_PLACE_INLINED}, {"_[w]", 0}};

/* An odd factor that is not known beforehand: no file can be made whose names share one slot. */
static uint64_t
new_factor(void)
{
	uint64_t factor = 0x9e3779b97f4a7c15u, bytes;
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random) {
		memcpy(&bytes, random, sizeof bytes);
		factor ^= bytes;
	}
	return factor | 1;
}

static uint64_t
mix(uint64_t hash, uint64_t word, uint64_t factor)
{
	hash = (hash ^ word) * factor;
	return hash ^ hash >> 32;
}

/* Eight bytes at a time.  The last step lets all bits change the lower ones. */
static uint64_t
hash_of(const struct folded_names *names, const char *bytes, size_t length)
{
	uint64_t hash = length, word;

	for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
		memcpy(&word, bytes, sizeof word);
		hash = mix(hash, word, names->factor);
	}
	word = 0;
	memcpy(&word, bytes, length);
	return mix(mix(hash, word, names->factor), 0, names->factor);
}

/* The slot of a name, or a free one.  bytes NULL: no item is the name, as all are entered again. */
static struct folded_slot *
find_slot(const struct folded_names *names, uint64_t hash, const char *bytes, size_t length)
{
	uint32_t mask = names->slot_count - 1, at = (uint32_t)hash & mask;
	uint32_t upper = (uint32_t)(hash >> 32);

	for (; names->slots[at].number != 0; at = (at + 1) & mask) {
		const struct folded_name *name = &names->items[names->slots[at].number - 1];

		if (bytes && names->slots[at].hash == upper && name->hash == hash &&
		    name->length == length && memcmp(name->bytes, bytes, length) == 0)
			break;
	}
	return &names->slots[at];
}

static struct folded_slot
slot_of(const struct folded_names *names, uint32_t item)
{
	return (struct folded_slot){item + 1, (uint32_t)(names->items[item].hash >> 32)};
}

static void
add_slots(struct folded_names *names)
{
	const struct gprofx_host *host = names->gx->host;

	host->release(names->gx, names->slots);
	if (names->slot_count == 0)
		names->factor = new_factor();
	names->slot_count = names->slot_count == 0 ? FEWEST_SLOTS : 2 * names->slot_count;
	names->slots = host->alloc(names->gx, names->slot_count * sizeof *names->slots);
	for (uint32_t i = 0; i < names->count; i++)
		*find_slot(names, names->items[i].hash, NULL, 0) = slot_of(names, i);
}

/* Has the host number a name, without what is said behind it about the frame. */
static uint32_t
number(struct folded_names *names, const char *bytes, size_t length)
{
	struct gprofx_raw_place place = {.function = "?"};
	char brief[SHORT_NAME], *copy = brief;
	uint32_t result;

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		size_t mark = strlen(marks[i].text);

		if (length <= mark || memcmp(bytes + length - mark, marks[i].text, mark) != 0)
			continue;
		length -= mark;
		place.flags = marks[i].flags;
		break;
	}
	if (length >= sizeof brief)
		copy = gprofx_alloc(names->gx, length + 1);
	if (length > 0) {
		memcpy(copy, bytes, length);
		copy[length] = '\0';
		/* Names end with a NUL, and what is behind one distinguishes functions. */
		for (size_t i = 0; i < length; i++)
			if (copy[i] == '\0')
				copy[i] = '?';
		place.function = copy;
	}
	names->profile->builder->places(names->gx, names->profile, &place, 1, &result);
	if (copy != brief)
		names->gx->host->release(names->gx, copy);
	return result;
}

/* The bytes of a new name, where they are compared from now on. */
static const char *
copy_of(struct folded_names *names, const char *bytes, size_t length)
{
	char *copy;

	if (length > FOLDED_COPIED - names->copied)
		return bytes;
	if (!names->copies)
		names->copies = gprofx_alloc(names->gx, FOLDED_COPIED);
	copy = names->copies + names->copied;
	memcpy(copy, bytes, length);
	names->copied += length;
	return copy;
}

uint32_t
folded_place(struct folded_names *names, const char *bytes, size_t length)
{
	struct folded_slot *slot;
	struct folded_name *name;
	uint64_t hash;

	if (names->count >= names->slot_count / 2)
		add_slots(names);
	hash = hash_of(names, bytes, length);
	slot = find_slot(names, hash, bytes, length);
	if (slot->number != 0)
		return names->items[slot->number - 1].place;
	if (names->count == names->room) {
		size_t old = names->room * sizeof *names->items;

		names->room = names->room == 0 ? FEWEST_SLOTS : 2 * names->room;
		names->items = names->gx->host->grow(names->gx, names->items, old,
		                                     names->room * sizeof *names->items);
	}
	name = &names->items[names->count++];
	*name = (struct folded_name){copy_of(names, bytes, length), length, hash,
	                             number(names, bytes, length)};
	*slot = slot_of(names, names->count - 1);
	return name->place;
}

void
folded_names_release(struct folded_names *names)
{
	names->gx->host->release(names->gx, names->items);
	names->gx->host->release(names->gx, names->slots);
	names->gx->host->release(names->gx, names->copies);
	names->items = NULL;
	names->slots = NULL;
	names->copies = NULL;
	names->copied = 0;
	names->count = names->room = names->slot_count = 0;
}

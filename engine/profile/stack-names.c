/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/stack-names.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/slots.h"

static uint64_t
hash_of_pair(const struct stacks *stacks, uint64_t first, uint64_t second)
{
	return hash_word(hash_word(first, stacks->factor) ^ second, stacks->factor) >> 32;
}

static uint64_t
hash_of_text(const struct stacks *stacks, const char *text)
{
	return text ? hash_text(text, stacks->factor) : 0;
}

static uint64_t
hash_of_copies(const struct stacks *stacks, const struct stack_names *names)
{
	return hash_of_pair(stacks, hash_of_text(stacks, names->function),
	                    hash_of_text(stacks, names->file) ^ hash_of_text(stacks, names->object)
	                                                                << 1);
}

/* Texts of which each is there once are known by where they are. */
static uint64_t
hash_of_texts(const struct stacks *stacks, const struct stack_names *names)
{
	return hash_of_pair(
		stacks, hash_of_pair(stacks, (uintptr_t)names->function, (uintptr_t)names->file),
		hash_of_pair(stacks, (uintptr_t)names->object, (uintptr_t)names->source));
}

static bool
is_same_text(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

static bool
are_copies(const void *rows, uint32_t number, const void *wanted)
{
	const struct stack_names *left = ((const struct stacks *)rows)->names[number];
	const struct stack_names *right = wanted;

	return is_same_text(left->function, right->function) &&
	       is_same_text(left->file, right->file) && is_same_text(left->object, right->object) &&
	       is_same_text(left->source, right->source);
}

static bool
have_same_texts(const struct stack_names *left, const struct stack_names *right)
{
	return left->function == right->function && left->file == right->file &&
	       left->object == right->object && left->source == right->source;
}

static bool
are_texts(const void *rows, uint32_t number, const void *wanted)
{
	return have_same_texts(((const struct stacks *)rows)->names[number], wanted);
}

static void
grow(struct run *run, struct stacks *stacks)
{
	if (!slots_grow(run, &stacks->names_slots, stacks->names_count))
		return;
	for (uint32_t i = 0; i < stacks->names_count; i++)
		*slots_find(&stacks->names_slots, stacks->names[i]->hash, NULL, NULL, NULL) = i + 1;
}

static struct stack_names *
find(struct run *run, struct stacks *stacks, const struct stack_names *wanted, bool are_kept)
{
	struct stack_names *names;
	uint32_t *slot;
	uint64_t hash;

	if (stacks->factor == 0)
		stacks->factor = hash_factor();
	grow(run, stacks);
	hash = are_kept ? hash_of_texts(stacks, wanted) : hash_of_copies(stacks, wanted);
	slot = slots_find(&stacks->names_slots, hash, are_kept ? are_texts : are_copies, stacks,
	                  wanted);
	if (*slot != 0)
		return stacks->names[*slot - 1];
	stacks->names = memory_room(run, stacks->names, sizeof(struct stack_names *),
	                            stacks->names_count, &stacks->names_room, 1);
	names = memory_alloc(run, sizeof *names);
	*names = *wanted;
	names->hash = (uint32_t)hash;
	stacks->names[stacks->names_count] = names;
	*slot = ++stacks->names_count;
	return names;
}

static const char *
keep(struct run *run, const char *text)
{
	return text ? text_keep(run, text, strlen(text)) : NULL;
}

struct stack_names *
stack_names_find(struct run *run, struct stacks *stacks, const struct stack_names *wanted)
{
	uint32_t known = stacks->names_count;
	struct stack_names *names = find(run, stacks, wanted, false);

	if (stacks->names_count > known) {
		names->function = keep(run, wanted->function);
		names->file = keep(run, wanted->file);
		names->object = keep(run, wanted->object);
		names->source = names->file;
	}
	return names;
}

struct stack_names *
stack_names_find_texts(struct run *run, struct stacks *stacks, const struct stack_names *wanted)
{
	/* Lines of a function come one after the other, and so do addresses. */
	if (!stacks->last_names || !have_same_texts(stacks->last_names, wanted))
		stacks->last_names = find(run, stacks, wanted, true);
	return stacks->last_names;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of stacks.  A node is found by its caller's node and its place, through a table of
 * hashes; what a stack shares with the one before is not looked up at all, as files mostly have
 * equal begins side by side.
 */
#include "profile/stack-tree.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/slots.h"
#include "profile/stacks.h"
#include "symbols/symbols.h"

static uint64_t
hash_of(const struct stacks *stacks, uint64_t first, uint64_t second)
{
	return hash_word(hash_word(first, stacks->factor) ^ second, stacks->factor) >> 32;
}

/* A node as it is looked for. */
struct node {
	uint32_t parent, place;
};

static uint64_t
hash_of_node(const struct stacks *stacks, uint32_t parent, uint32_t place)
{
	return hash_of(stacks, (uint64_t)parent << 32 | place, 0);
}

static inline bool
is_same_node(const void *rows, uint32_t number, const void *wanted)
{
	const struct stacks *stacks = rows;
	const struct node *node = wanted;

	return stacks->parent[number] == node->parent && stacks->place[number] == node->place;
}

static void
enter_nodes_again(struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->count; i++)
		*slots_find(&stacks->node_slots,
		            hash_of_node(stacks, stacks->parent[i], stacks->place[i]), NULL, NULL,
		            NULL) = i + 1;
}

static uint32_t
node_of(struct run *run, struct stacks *stacks, uint32_t parent, uint32_t place)
{
	const struct node node = {parent, place};
	uint32_t *slot;

	if (slots_grow(run, &stacks->node_slots, stacks->count))
		enter_nodes_again(stacks);
	slot = slots_find(&stacks->node_slots, hash_of_node(stacks, parent, place), is_same_node,
	                  stacks, &node);
	if (*slot != 0)
		return *slot - 1;
	stacks->parent = memory_room(run, stacks->parent, sizeof *stacks->parent, stacks->count,
	                             &stacks->parent_room, 1);
	stacks->place = memory_room(run, stacks->place, sizeof *stacks->place, stacks->count,
	                            &stacks->place_item_room, 1);
	stacks->parent[stacks->count] = parent;
	stacks->place[stacks->count] = place;
	*slot = ++stacks->count;
	return stacks->count - 1;
}

static uint64_t
hash_of_place(const struct stacks *stacks, const struct stack_place *place)
{
	if (!place->function)
		return hash_of(stacks, place->address, 1);
	return hash_of(stacks,
	               hash_text(place->function, stacks->factor) ^
	                       (place->file ? hash_text(place->file, stacks->factor) : 0) << 1,
	               (uint64_t)place->line << 32 | place->flags);
}

static bool
is_same_text(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

static bool
is_same_place(const void *rows, uint32_t number, const void *wanted)
{
	const struct stacks *stacks = rows;
	const struct stack_place *left = &stacks->places[number], *right = wanted;

	return left->address == right->address && left->line == right->line &&
	       left->flags == right->flags && is_same_text(left->function, right->function) &&
	       is_same_text(left->file, right->file);
}

static const char *
keep(struct run *run, const char *text)
{
	return text ? text_keep(run, text, strlen(text)) : NULL;
}

static void
enter_places_again(struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->place_count; i++)
		*slots_find(&stacks->place_slots, hash_of_place(stacks, &stacks->places[i]), NULL,
		            NULL, NULL) = i + 1;
}

/* is_kept: the texts of the place are the tree's own. */
static uint32_t
place_of(struct run *run, struct stacks *stacks, const struct stack_place *place, bool is_kept)
{
	uint32_t *slot;

	if (slots_grow(run, &stacks->place_slots, stacks->place_count))
		enter_places_again(stacks);
	slot = slots_find(&stacks->place_slots, hash_of_place(stacks, place), is_same_place, stacks,
	                  place);
	if (*slot != 0)
		return *slot - 1;
	stacks->places = memory_room(run, stacks->places, sizeof *stacks->places,
	                             stacks->place_count, &stacks->place_room, 1);
	stacks->places[stacks->place_count] = *place;
	if (!is_kept) {
		stacks->places[stacks->place_count].function = keep(run, place->function);
		stacks->places[stacks->place_count].file = keep(run, place->file);
	}
	*slot = ++stacks->place_count;
	return stacks->place_count - 1;
}

uint32_t
stacks_add_place(struct run *run, struct stacks *stacks, const struct gprofx_raw_place *row)
{
	const struct stack_place place = {.function = row->function,
	                                  .file = row->file,
	                                  .line = row->line,
	                                  .flags = row->flags & ~PLACE_IS_PLACED};

	if (stacks->factor == 0)
		stacks->factor = hash_factor();
	return place_of(run, stacks, &place, false);
}

/* The place of an address: of the program, wherever it was found, it is the same. */
static uint32_t
place_at(struct run *run, struct stacks *stacks, uint64_t address, const struct symbols *placed)
{
	bool is_other = placed && !symbols_is_program(placed, address);
	const struct stack_place place = {.address = address,
	                                  .flags = is_other ? PLACE_IS_PLACED : 0};

	return place_of(run, stacks, &place, true);
}

uint32_t
stack_tree_add(struct run *run, struct stacks *stacks, const struct gprofx_raw_stacks *rows,
               uint32_t stack, const struct symbols *placed)
{
	uint32_t node = NO_FRAME, past = rows->first[stack + 1], depth = past - rows->first[stack];
	bool is_shared = true;

	if (depth > stacks->path_room)
		stacks->path = memory_room(run, stacks->path, sizeof *stacks->path,
		                           stacks->path_count, &stacks->path_room,
		                           depth - stacks->path_count);
	/* What the stack before had, too, is not looked up. */
	for (uint32_t i = 0; i < depth; i++) {
		uint32_t frame = past - 1 - i;
		uint32_t place = rows->place ? rows->place[frame]
		                             : place_at(run, stacks, rows->address[frame], placed);

		is_shared = is_shared && i < stacks->path_count &&
		            stacks->place[stacks->path[i]] == place;
		node = is_shared ? stacks->path[i] : node_of(run, stacks, node, place);
		stacks->path[i] = node;
	}
	stacks->path_count = depth;
	stacks->file_count++;
	stacks->file_deepest = depth > stacks->file_deepest ? depth : stacks->file_deepest;
	return node;
}

void
stack_tree_take_back(struct run *run, struct stacks *stacks)
{
	if (stacks->count > stacks->old_count) {
		/* Other numbers may stand behind those that go, so all are entered again. */
		slots_release(run, &stacks->node_slots);
		stacks->count = stacks->old_count;
		stacks->path_count = 0;
	}
	if (stacks->place_count > stacks->old_places) {
		slots_release(run, &stacks->place_slots);
		stacks->place_count = stacks->old_places;
	}
}

/* Marks the nodes of all entries of the file, of each metric and of its squares; or renumbers them.
 */
static void
walk_entries(struct stacks *stacks, uint32_t *of_node, bool is_marking)
{
	for (uint32_t i = 0; i < stacks->entry_count; i++) {
		uint32_t *node = &stacks->entries[i].node;

		if (*node == NO_FRAME)
			continue;
		if (is_marking)
			of_node[*node] = 1;
		else
			*node = of_node[*node];
	}
	if (stacks->squares)
		walk_entries(stacks->squares, of_node, is_marking);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		walk_entries(stacks->others[i], of_node, is_marking);
}

void
stacks_move_file(struct run *run, struct stacks *stacks, const struct gprofx_target *target,
                 uint64_t by)
{
	uint32_t count = stacks->count, *of_node, *parents;
	struct stack_place *places;

	memory_array(run, of_node, count);
	memory_array(run, parents, count);
	memory_array(run, places, count);
	walk_entries(stacks, of_node, true);
	for (uint32_t i = count; i-- > 0;) {
		parents[i] = stacks->parent[i];
		places[i] = stacks->places[stacks->place[i]];
		if (of_node[i] != 0 && parents[i] != NO_FRAME)
			of_node[parents[i]] = 1;
	}
	/* What the file added comes again, moved; callers come first. */
	stack_tree_take_back(run, stacks);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t parent = parents[i] == NO_FRAME ? NO_FRAME : of_node[parents[i]];

		if (of_node[i] == 0)
			continue;
		if (!places[i].function && !(places[i].flags & PLACE_IS_PLACED))
			places[i].address = symbols_unslid(target, places[i].address, by);
		of_node[i] = node_of(run, stacks, parent, place_of(run, stacks, &places[i], true));
	}
	walk_entries(stacks, of_node, false);
	memory_release(run, of_node);
	memory_release(run, parents);
	memory_release(run, places);
}

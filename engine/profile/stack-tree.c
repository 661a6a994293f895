/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of stacks.  A stack that was there before is found as a whole, by the hash of its
 * places.  A new one shares what it begins with with the one that was added last, as files mostly
 * have such stacks side by side, and gets frames of its own for the rest: looking for each frame
 * would cost more than the frames do.
 */
#include "profile/stack-tree.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/name-table.h"
#include "base/slots.h"
#include "profile/stack-names.h"
#include "profile/stack-weights.h"
#include "profile/stacks.h"
#include "symbols/symbols.h"

static uint64_t
hash_of(const struct stacks *stacks, uint64_t first, uint64_t second)
{
	return hash_word(hash_word(first, stacks->factor) ^ second, stacks->factor) >> 32;
}

/* A stack as it is looked for. */
struct wanted_stack {
	uint32_t hash;
	uint32_t shared; /* so many frames are those of the path */
};

static inline bool
is_same_stack(const void *rows, uint32_t number, const void *wanted_stack)
{
	const struct stacks *stacks = rows;
	const struct wanted_stack *wanted = wanted_stack;
	uint32_t depth = stacks->wanted_count;
	struct stack_walk at;

	if (stacks->hash[number] != wanted->hash)
		return false;
	for (at = stacks_walk(stacks, number); depth > 0 && at.frame != NO_FRAME;
	     at = stacks_outwards(stacks, at), depth--) {
		if (depth <= wanted->shared && stacks->path[depth - 1].frame == at.frame)
			return true;
		if (stacks->place[at.frame] != stacks->wanted[depth - 1].place)
			return false;
	}
	return depth == 0 && at.frame == NO_FRAME;
}

/* Whether a stack has one frame, by which it is found: it is in no slot. */
static bool
is_alone(const struct stacks *stacks, uint32_t stack)
{
	struct stack_walk end = stacks_walk(stacks, stack);

	return end.frame != NO_FRAME && stacks_outwards(stacks, end).frame == NO_FRAME;
}

static void
enter_stacks_again(struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->count; i++)
		if (!is_alone(stacks, i))
			*slots_find(&stacks->stack_slots, stacks->hash[i], NULL, NULL, NULL) = i +
			                                                                       1;
}

/* Makes the wanted stack, with frames of its own for those that the path does not have. */
static void
make_stack(struct run *run, struct stacks *stacks, const struct wanted_stack *wanted)
{
	uint32_t shared = wanted->shared, own = stacks->wanted_count - shared, s = stacks->count;
	const struct stack_frame *above = shared > 0 ? &stacks->path[shared - 1] : NULL;

	stacks->past = memory_room(run, stacks->past, sizeof *stacks->past, s, &stacks->past_room,
	                           1);
	stacks->above = memory_room(run, stacks->above, sizeof *stacks->above, s,
	                            &stacks->above_room, 1);
	stacks->above_stack = memory_room(run, stacks->above_stack, sizeof *stacks->above_stack, s,
	                                  &stacks->above_stack_room, 1);
	stacks->hash = memory_room(run, stacks->hash, sizeof *stacks->hash, s, &stacks->hash_room,
	                           1);
	stacks->above[s] = above ? above->frame : NO_FRAME;
	/* Profiles of lines have millions of one frame: what is not needed there is not written. */
	if (above)
		stacks->above_stack[s] = above->stack;
	if (stacks->wanted_count > 1)
		stacks->hash[s] = wanted->hash;
	stacks->place = memory_room(run, stacks->place, sizeof *stacks->place, stacks->frame_count,
	                            &stacks->frame_room, own);
	stacks->path = memory_room(run, stacks->path, sizeof *stacks->path, shared,
	                           &stacks->path_room, own);
	for (uint32_t i = shared; i < stacks->wanted_count; i++) {
		stacks->path[i] = stacks->wanted[i];
		stacks->path[i].frame = stacks->frame_count;
		stacks->path[i].stack = s;
		stacks->place[stacks->frame_count++] = stacks->wanted[i].place;
	}
	stacks->past[s] = stacks->frame_count;
	stacks->path_count = stacks->wanted_count;
	stacks->last = s;
	stacks->count++;
}

/* The slot of the stack whose only frame is of a place. */
static uint32_t *
find_alone(struct run *run, struct stacks *stacks, uint32_t place)
{
	if (place < stacks->alone_count)
		return &stacks->alone[place];
	stacks->alone = memory_room(run, stacks->alone, sizeof *stacks->alone, stacks->alone_count,
	                            &stacks->alone_room, place + 1 - stacks->alone_count);
	while (stacks->alone_count <= place)
		stacks->alone[stacks->alone_count++] = 0;
	return &stacks->alone[place];
}

static uint32_t
number_of_wanted(struct run *run, struct stacks *stacks)
{
	uint32_t count = stacks->wanted_count, shared = 0, *slot;
	struct wanted_stack wanted;
	uint64_t hash;

	if (count == 0)
		return NO_STACK;
	while (shared < count && shared < stacks->path_count &&
	       stacks->wanted[shared].place == stacks->path[shared].place)
		shared++;
	if (shared == count && count == stacks->path_count)
		return stacks->last;
	/* Neither place 0 nor any other lets a hash stay what it is. */
	hash = shared > 0 ? stacks->path[shared - 1].hash : stacks->factor;
	for (uint32_t i = shared; i < count; i++) {
		hash = hash_word(hash ^ stacks->wanted[i].place, stacks->factor);
		stacks->wanted[i].hash = hash;
	}
	wanted = (struct wanted_stack){(uint32_t)(hash_word(hash ^ count, stacks->factor) >> 32),
	                               shared};
	if (count == 1) {
		slot = find_alone(run, stacks, stacks->wanted->place);
	} else {
		if (slots_grow(run, &stacks->stack_slots, stacks->in_slots))
			enter_stacks_again(stacks);
		slot = slots_find(&stacks->stack_slots, wanted.hash, is_same_stack, stacks,
		                  &wanted);
	}
	if (*slot == 0) {
		*slot = stacks->count + 1;
		stacks->in_slots += count > 1;
		make_stack(run, stacks, &wanted);
	}
	return *slot - 1;
}

static uint64_t
hash_of_place(const struct stacks *stacks, const struct stack_place *place)
{
	return hash_of(stacks, place->address ^ (uintptr_t)place->names,
	               (uint64_t)place->line << 32 | place->flags);
}

static bool
is_same_place(const void *rows, uint32_t number, const void *wanted)
{
	const struct stacks *stacks = rows;
	const struct stack_place *left = &stacks->places[number], *right = wanted;

	return left->address == right->address && left->line == right->line &&
	       left->flags == right->flags && left->names == right->names;
}

static void
enter_places_again(struct stacks *stacks)
{
	for (uint32_t i = 0; i < stacks->place_count; i++)
		*slots_find(&stacks->place_slots, hash_of_place(stacks, &stacks->places[i]), NULL,
		            NULL, NULL) = i + 1;
}

static uint32_t
place_of(struct run *run, struct stacks *stacks, const struct stack_place *place)
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
	*slot = ++stacks->place_count;
	return stacks->place_count - 1;
}

uint32_t
stacks_add_place(struct run *run, struct stacks *stacks, const struct gprofx_raw_place *row,
                 const char *object)
{
	const struct stack_names names = {.function = row->function,
	                                  .file = row->file,
	                                  .object = object,
	                                  .source = row->file};
	struct stack_place place = {.line = row->line, .flags = row->flags & ~PLACE_OWN_FLAGS};

	place.names = stack_names_find(run, stacks, &names);
	return place_of(run, stacks, &place);
}

static const char *
text_of(const struct stacks *stacks, uint32_t number)
{
	return number > 0 ? stacks->texts.items[number - 1] : NULL;
}

uint32_t
stacks_add_code(struct run *run, struct stacks *stacks, const struct gprofx_raw_code *row)
{
	uint32_t source = row->line_file > 0 ? row->line_file : row->file;
	const struct stack_names names = {.function = text_of(stacks, row->function),
	                                  .file = text_of(stacks, row->file),
	                                  .object = text_of(stacks, row->object),
	                                  .source = row->line > 0 ? text_of(stacks, source) : NULL};
	struct stack_place place = {.line = row->line,
	                            .flags = (row->flags & ~PLACE_OWN_FLAGS) | PLACE_HAS_TEXTS};

	place.names = stack_names_find_texts(run, stacks, &names);
	return place_of(run, stacks, &place);
}

uint32_t
stacks_add_known_place(struct run *run, struct stacks *stacks, const struct stack_place *place,
                       const struct stack_names *names)
{
	struct stack_place known = *place;
	bool is_code = !names->function && !names->file && !names->object;

	known.names = is_code || known.flags & PLACE_HAS_TEXTS
	                      ? stack_names_find_texts(run, stacks, names)
	                      : stack_names_find(run, stacks, names);
	return place_of(run, stacks, &known);
}

/* The place of an address: of the program, wherever it was found, it is the same. */
static uint32_t
place_at(struct run *run, struct stacks *stacks, uint64_t address, const struct symbols *placed)
{
	bool is_other = placed && !symbols_is_program(placed, address);
	static const struct stack_names none = {.function = NULL};
	const struct stack_place place = {.names = stack_names_find_texts(run, stacks, &none),
	                                  .address = address,
	                                  .flags = is_other ? PLACE_IS_PLACED : 0};

	return place_of(run, stacks, &place);
}

/* Makes room for a stack of so many frames that is to be looked for. */
static void
want(struct run *run, struct stacks *stacks, uint32_t depth)
{
	stacks->wanted = memory_room(run, stacks->wanted, sizeof *stacks->wanted, 0,
	                             &stacks->wanted_room, depth);
	stacks->wanted_count = depth;
}

uint32_t
stack_tree_add(struct run *run, struct stacks *stacks, const struct gprofx_raw_stacks *rows,
               uint32_t stack, const struct symbols *placed)
{
	uint32_t past = rows->first[stack + 1], depth = past - rows->first[stack];

	want(run, stacks, depth);
	for (uint32_t i = 0; i < depth; i++) {
		uint32_t frame = past - 1 - i;

		stacks->wanted[i].place = rows->place ? rows->place[frame]
		                                      : place_at(run, stacks, rows->address[frame],
		                                                 placed);
	}
	stacks->file_count++;
	stacks->file_deepest = depth > stacks->file_deepest ? depth : stacks->file_deepest;
	return number_of_wanted(run, stacks);
}

void
stack_tree_take_back(struct run *run, struct stacks *stacks)
{
	/* Other numbers may stand behind those that go, so all are entered again. */
	if (stacks->count > stacks->old_count) {
		slots_release(run, &stacks->stack_slots);
		for (uint32_t i = stacks->old_count; i < stacks->count; i++)
			if (is_alone(stacks, i))
				stacks->alone[stacks->place[stacks_end(stacks, i)]] = 0;
			else
				stacks->in_slots--;
		stacks->count = stacks->old_count;
		stacks->frame_count = stacks_first(stacks, stacks->count);
		stacks->path_count = 0;
	}
	if (stacks->place_count > stacks->old_places) {
		slots_release(run, &stacks->place_slots);
		stacks->place_count = stacks->old_places;
	}
}

void
stack_tree_finish(struct run *run, struct stacks *stacks)
{
	slots_release(run, &stacks->place_slots);
	slots_release(run, &stacks->stack_slots);
	slots_release(run, &stacks->names_slots);
	name_table_release(run, &stacks->texts);
	memory_release(run, stacks->alone);
	memory_release(run, stacks->hash);
	memory_release(run, stacks->path);
	memory_release(run, stacks->wanted);
	stacks->hash = stacks->alone = NULL;
	stacks->path = stacks->wanted = NULL;
	stacks->alone_count = stacks->alone_room = 0;
	stacks->hash_room = stacks->path_count = stacks->path_room = 0;
	stacks->wanted_count = stacks->wanted_room = 0;
}

/* Marks the stacks of all entries of the file, of each metric and of its squares; or renumbers
 * them. */
static void
walk_entries(struct stacks *stacks, uint32_t *of_stack, bool is_marking)
{
	for (uint32_t i = 0; i < stacks->entry_count; i++) {
		uint32_t *stack = &stacks->entries[i].stack;

		if (*stack == NO_STACK)
			continue;
		if (is_marking)
			of_stack[*stack] = 1;
		else
			*stack = of_stack[*stack];
	}
	if (stacks->squares)
		walk_entries(stacks->squares, of_stack, is_marking);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		walk_entries(stacks->others[i], of_stack, is_marking);
}

/* Gives entries to all weights of the file's own stacks. */
static void
spill(struct run *run, struct stacks *stacks, uint32_t first_new)
{
	stack_weights_spill(run, stacks, first_new);
	if (stacks->squares)
		stack_weights_spill(run, stacks->squares, first_new);
	for (uint32_t i = 0; i < stacks->other_count; i++)
		spill(run, stacks->others[i], first_new);
}

#define COPY(run, to, from, count)                                              \
	do {                                                                    \
		memory_array((run), (to), (count));                             \
		if ((count) > 0)                                                \
			memcpy((to), (from), (size_t)(count) * sizeof *(from)); \
	} while (0)

/* The stacks as they are before the file is taken back. */
static struct stacks
copy_stacks(struct run *run, const struct stacks *stacks)
{
	struct stacks old = {.count = stacks->count,
	                     .frame_count = stacks->frame_count,
	                     .place_count = stacks->place_count};

	COPY(run, old.past, stacks->past, old.count);
	COPY(run, old.above, stacks->above, old.count);
	COPY(run, old.above_stack, stacks->above_stack, old.count);
	COPY(run, old.place, stacks->place, old.frame_count);
	COPY(run, old.places, stacks->places, old.place_count);
	return old;
}

static void
release_copy(struct run *run, const struct stacks *old)
{
	memory_release(run, old->past);
	memory_release(run, old->above);
	memory_release(run, old->above_stack);
	memory_release(run, old->place);
	memory_release(run, old->places);
}

/* What stacks are moved by. */
struct moving {
	struct run *run;
	const struct gprofx_target *target;
	uint64_t by;
	uint32_t *moved; /* per old place its new number plus 1; 0: it has none yet */
};

/* The number that a place has once the slide is off it. */
static uint32_t
moved_place(const struct moving *moving, struct stacks *stacks, const struct stacks *old,
            uint32_t number)
{
	struct stack_place place = old->places[number];

	if (moving->moved[number] != 0)
		return moving->moved[number] - 1;
	if (!place.names->function && !(place.flags & PLACE_IS_PLACED))
		place.address = symbols_unslid(moving->target, place.address, moving->by);
	moving->moved[number] = place_of(moving->run, stacks, &place) + 1;
	return moving->moved[number] - 1;
}

/* Adds a stack again, as it is without the slide. */
static uint32_t
add_moved(const struct moving *moving, struct stacks *stacks, const struct stacks *old,
          uint32_t stack)
{
	struct stack_walk at;
	uint32_t depth = 0;

	for (at = stacks_walk(old, stack); at.frame != NO_FRAME; at = stacks_outwards(old, at))
		depth++;
	want(moving->run, stacks, depth);
	for (at = stacks_walk(old, stack); at.frame != NO_FRAME; at = stacks_outwards(old, at))
		stacks->wanted[--depth].place = moved_place(moving, stacks, old,
		                                            old->place[at.frame]);
	return number_of_wanted(moving->run, stacks);
}

void
stacks_move_file(struct run *run, struct stacks *stacks, const struct gprofx_target *target,
                 uint64_t by)
{
	struct stacks old = copy_stacks(run, stacks);
	struct moving moving = {run, target, by, NULL};
	uint32_t *of_stack;

	spill(run, stacks, stacks->old_count);
	memory_array(run, moving.moved, old.place_count);
	memory_array(run, of_stack, old.count);
	walk_entries(stacks, of_stack, true);
	/* What the file added comes again, moved. */
	stack_tree_take_back(run, stacks);
	for (uint32_t i = 0; i < old.count; i++)
		if (of_stack[i] != 0)
			of_stack[i] = add_moved(&moving, stacks, &old, i);
	walk_entries(stacks, of_stack, false);
	for (uint32_t i = 0; i < stacks->calls.file_count; i++) {
		struct costed_call *call = &stacks->calls.file[i];

		call->caller = moved_place(&moving, stacks, &old, call->caller);
		call->callee = moved_place(&moving, stacks, &old, call->callee);
	}
	memory_release(run, of_stack);
	memory_release(run, moving.moved);
	release_copy(run, &old);
}

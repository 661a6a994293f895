/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "attach-process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "../maps.h"

enum { MOST_OBJECTS = 1 << 20, FIRST_SLOTS = 1024 };

struct process *
process_make(uint32_t pid, uint32_t parent, uint64_t time)
{
	struct process *process = calloc(1, sizeof *process);

	if (!process)
		return NULL;
	process->pid = pid;
	process->parent = parent;
	process->start = time;
	return process;
}

void
process_release(struct process *process)
{
	free(process->path);
	free(process->objects);
	free(process->live);
	free(process->tree.nodes);
	free(process->tree.slots);
	free(process->events);
	free(process);
}

/* Makes room for one element more; false: there is none. */
static bool
reserve(void *list, uint32_t count, uint32_t *room, size_t bytes)
{
	void **rows = list, *larger;

	if (count < *room)
		return true;
	larger = realloc(*rows, ((size_t)*room * 2 + 64) * bytes);
	if (!larger)
		return false;
	*rows = larger;
	*room = *room * 2 + 64;
	return true;
}

static const struct object *
live_at(const struct process *process, uint32_t i)
{
	return &process->objects[process->live[i] - 1];
}

/* How many of the live objects begin at an address or before. */
static uint32_t
count_up_to(const struct process *process, uint64_t address)
{
	uint32_t low = 0, high = process->live_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (live_at(process, middle)->low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t
process_find(const struct process *process, uint64_t pc)
{
	uint32_t i = count_up_to(process, pc);

	return i > 0 && pc < live_at(process, i - 1)->high ? process->live[i - 1] : 0;
}

bool
process_place(const void *data, uint64_t pc, struct image_place *place)
{
	const struct process *process = data;
	uint32_t number = process_find(process, pc);

	if (number == 0)
		return false;
	*place = (struct image_place){process->objects[number - 1].image,
	                              process->objects[number - 1].bias};
	return place->image != NULL;
}

/* Adds one that no other overlaps. */
static void
add(struct process *process, const struct object *object)
{
	uint32_t at = count_up_to(process, object->low);

	if (process->object_count >= MOST_OBJECTS ||
	    !reserve(&process->objects, process->object_count, &process->object_room,
	             sizeof *process->objects) ||
	    !reserve(&process->live, process->live_count, &process->live_room,
	             sizeof *process->live))
		return;
	process->objects[process->object_count++] = *object;
	memmove(process->live + at + 1, process->live + at,
	        (process->live_count - at) * sizeof *process->live);
	process->live[at] = process->object_count;
	process->live_count++;
}

/* Part of an object that stays, though something else was mapped over the rest. */
static void
add_rest(struct process *process, const struct object *whole, uint64_t low, uint64_t high)
{
	struct object rest = *whole;

	if (low >= high)
		return;
	rest.offset += low - rest.low;
	rest.low = low;
	rest.high = high;
	rest.is_gone = rest.is_used = false;
	add(process, &rest);
}

/* What a range had is gone: its samples stay those of what was there. */
static void
clear(struct process *process, uint64_t low, uint64_t high)
{
	uint32_t i = count_up_to(process, low);

	if (i > 0 && live_at(process, i - 1)->high > low)
		i--;
	while (i < process->live_count && live_at(process, i)->low < high) {
		struct object whole = *live_at(process, i);

		process->objects[process->live[i] - 1].is_gone = true;
		memmove(process->live + i, process->live + i + 1,
		        (process->live_count - i - 1) * sizeof *process->live);
		process->live_count--;
		if (whole.low < low) {
			add_rest(process, &whole, whole.low, low);
			i++;
		}
		add_rest(process, &whole, high, whole.high);
	}
}

void
process_map(struct process *process, struct image **images, const struct image_mapping *mapping)
{
	uint32_t number = process_find(process, mapping->low);
	struct object object = {.low = mapping->low,
	                        .high = mapping->high,
	                        .offset = mapping->offset,
	                        .device = mapping->device,
	                        .inode = mapping->inode};

	/* The page of old system calls is in nobody's file, and nothing runs there. */
	if (mapping->low >= mapping->high || mapping->low >> 62 != 0)
		return;
	if (number != 0) {
		const struct object *known = &process->objects[number - 1];

		if (known->low == object.low && known->high == object.high &&
		    known->offset == object.offset && known->inode == object.inode &&
		    known->device == object.device)
			return;
	}
	object.image = image_of(images, mapping);
	object.bias = image_bias(object.image, mapping);
	clear(process, object.low, object.high);
	add(process, &object);
	if (!process->is_known && mapping->path[0] == '/') {
		free(process->path);
		process->path = strdup(mapping->path);
		process->is_known = process->path != NULL;
	}
}

void
process_copy_code(struct process *process, const struct process *from)
{
	for (uint32_t i = 0; i < from->live_count; i++) {
		struct object object = *live_at(from, i);

		object.is_used = false;
		add(process, &object);
	}
	process->path = from->path ? strdup(from->path) : NULL;
	process->is_known = from->is_known && process->path;
}

bool
process_look(struct process *process, struct image **images)
{
	struct maps_reader reader;
	struct mapping row;
	char name[64], path[PATH_MAX];
	ssize_t length;

	snprintf(name, sizeof name, "/proc/%u/exe", process->pid);
	length = readlink(name, path, sizeof path - 1);
	if (length > 0) {
		path[length] = '\0';
		free(process->path);
		process->path = strdup(path);
		process->is_known = process->path != NULL;
	}
	snprintf(name, sizeof name, "/proc/%u/maps", process->pid);
	if (!maps_open(&reader, name))
		return false;
	while (maps_next(&reader, &row)) {
		const struct image_mapping mapping = {(int)process->pid, row.low,    row.high,
		                                      row.offset,        row.device, row.inode,
		                                      row.path};

		if (row.has_code)
			process_map(process, images, &mapping);
	}
	close(reader.descriptor);
	return true;
}

uint32_t
process_start_thread(struct process *process, uint32_t tid, const char *name, uint64_t time)
{
	struct table *table = NULL;

	process->threads++;
	process->running++;
	if (process->table_count < PROCESS_TABLES) {
		table = &process->tables[process->table_count++];
		table->start = time;
		snprintf(table->name, sizeof table->name, "%s", name);
	}
	for (uint32_t i = 0; !table && i < process->table_count; i++)
		if (process->tables[i].end != 0)
			table = &process->tables[i];
	if (!table)
		return 0;
	table->tid = tid;
	table->threads++;
	table->end = 0;
	if (strcmp(table->name, name) != 0)
		memset(table->name, 0, sizeof table->name);
	return (uint32_t)(table - process->tables) + 1;
}

void
process_note(struct process *process, uint64_t time, uint32_t kind, uint32_t value)
{
	if (process->event_count < PROCESS_EVENTS &&
	    reserve(&process->events, process->event_count, &process->event_room,
	            sizeof *process->events))
		process->events[process->event_count++] = (struct gxc_event){time, kind, value};
}

static uint32_t
slot_of(const struct tree *tree, const struct node *node)
{
	uint64_t hash = node->pc;

	hash = (hash ^ node->parent) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 32 ^ node->table ^ (uint64_t)node->flags << 16 ^
	        (uint64_t)node->object << 24) *
	       UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash >> 32) & (tree->slot_count - 1);
}

static bool
is_same(const struct node *a, const struct node *b)
{
	return a->pc == b->pc && a->parent == b->parent && a->object == b->object &&
	       a->table == b->table && a->flags == b->flags;
}

static bool
enlarge(struct tree *tree)
{
	uint32_t count = tree->slot_count > 0 ? tree->slot_count * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(count, sizeof *slots);

	if (!slots)
		return false;
	free(tree->slots);
	tree->slots = slots;
	tree->slot_count = count;
	for (uint32_t i = 0; i < tree->count; i++) {
		uint32_t at = slot_of(tree, &tree->nodes[i]);

		while (slots[at] != 0)
			at = (at + 1) & (count - 1);
		slots[at] = i + 1;
	}
	return true;
}

/* The number of a node; 0: there is no memory. */
static uint32_t
tree_add(struct tree *tree, const struct node *node)
{
	uint32_t at;

	if (tree->count >= tree->slot_count / 2 && !enlarge(tree))
		return 0;
	for (at = slot_of(tree, node); tree->slots[at] != 0; at = (at + 1) & (tree->slot_count - 1))
		if (is_same(&tree->nodes[tree->slots[at] - 1], node))
			return tree->slots[at];
	if (!reserve(&tree->nodes, tree->count, &tree->room, sizeof *tree->nodes))
		return 0;
	tree->nodes[tree->count++] = *node;
	tree->slots[at] = tree->count;
	return tree->count;
}

void
process_sample(struct process *process, uint32_t table, const uint64_t *pcs, uint32_t frames,
               uint32_t flags, uint64_t *count, uint64_t most)
{
	struct tree *tree = &process->tree;
	uint32_t before = tree->count, number = 0;

	for (uint32_t i = frames; i-- > 0;) {
		/* Callers are at the addresses that their calls return to. */
		uint32_t object = process_find(process, pcs[i] - (i > 0 ? 1 : 0));
		const struct node node = {.pc = pcs[i],
		                          .parent = number,
		                          .object = object,
		                          .table = table,
		                          .flags = i == 0 ? flags : 0};

		number = *count + frames <= most ? tree_add(tree, &node) : 0;
		if (number == 0)
			break;
		if (object != 0)
			process->objects[object - 1].is_used = true;
	}
	*count += tree->count - before;
	if (number != 0)
		tree->nodes[number - 1].count++;
	else
		process->lost++;
}

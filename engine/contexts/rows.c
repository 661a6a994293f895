/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of contexts and of their places. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/slots.h"
#include "contexts/parts.h"
#include "report/model.h"
#include "symbols/inlined.h"
#include "symbols/symbols.h"

uint32_t
contexts_add(struct run *run, struct context_tree *tree, struct context_key key)
{
	uint32_t i = tree->count, room = tree->room;

	tree->parent = memory_room(run, tree->parent, sizeof *tree->parent, i, &tree->room, 1);
	if (tree->room != room) {
		size_t old_bytes = i * sizeof *tree->node, bytes = tree->room * sizeof *tree->node;

		tree->node = memory_grow(run, tree->node, old_bytes, bytes);
		tree->flags = memory_grow(run, tree->flags, old_bytes, bytes);
		tree->place = memory_grow(run, tree->place, old_bytes, bytes);
	}
	tree->parent[i] = key.parent;
	tree->node[i] = key.node;
	tree->flags[i] = key.flags;
	tree->place[i] = key.place;
	tree->count++;
	return i;
}

static uint64_t
hash_of(const struct context_tree *tree, struct context_key key)
{
	uint64_t hash = hash_word((uint64_t)key.parent << 32 | key.node, tree->factor);

	return hash_word(hash ^ ((uint64_t)key.flags << 32 | key.place), tree->factor) >> 32;
}

static struct context_key
key_of(const struct context_tree *tree, uint32_t row)
{
	return (struct context_key){tree->parent[row], tree->node[row], tree->flags[row],
	                            tree->place[row]};
}

static inline bool
has_key(const void *rows, uint32_t number, const void *wanted)
{
	const struct context_key left = key_of(rows, number), *right = wanted;

	return left.parent == right->parent && left.node == right->node &&
	       left.flags == right->flags && left.place == right->place;
}

uint32_t
contexts_child(struct run *run, struct context_tree *tree, struct context_key key)
{
	uint32_t *slot;

	if (tree->factor == 0)
		tree->factor = hash_factor();
	if (slots_grow(run, &tree->slots, tree->count))
		for (uint32_t i = 0; i < tree->count; i++)
			*slots_find(&tree->slots, hash_of(tree, key_of(tree, i)), NULL, NULL,
			            NULL) = i + 1;
	slot = slots_find(&tree->slots, hash_of(tree, key), has_key, tree, &key);
	if (*slot == 0)
		*slot = 1 + contexts_add(run, tree, key);
	return *slot - 1;
}

void
contexts_make_values(struct run *run, struct context_tree *tree, uint32_t metric_count)
{
	tree->metric_count = metric_count;
	tree->self = memory_alloc_array(run, sizeof *tree->self, metric_count);
	tree->below = memory_alloc_array(run, sizeof *tree->below, metric_count);
	memory_array(run, tree->whole, metric_count);
	for (uint32_t i = 0; i < metric_count; i++) {
		memory_array(run, tree->self[i], tree->count);
		memory_array(run, tree->below[i], tree->count);
	}
}

uint32_t
contexts_add_place(struct run *run, struct context_source *source, const char *name,
                   const struct code_frame *frame, uint64_t address)
{
	const struct symbols *symbols = source->model->symbols;
	bool is_known = frame->file != 0 && frame->file < symbols->file_count;
	uint32_t i = source->place_count, room = source->place_room;

	source->place_name = memory_room(run, source->place_name, sizeof *source->place_name, i,
	                                 &source->place_room, 1);
	if (source->place_room != room) {
		size_t had = i, has = source->place_room;

		source->place_file = memory_grow(run, source->place_file,
		                                 had * sizeof *source->place_file,
		                                 has * sizeof *source->place_file);
		source->place_line = memory_grow(run, source->place_line,
		                                 had * sizeof *source->place_line,
		                                 has * sizeof *source->place_line);
		source->place_address = memory_grow(run, source->place_address,
		                                    had * sizeof *source->place_address,
		                                    has * sizeof *source->place_address);
	}
	source->place_name[i] = name;
	source->place_file[i] = is_known ? symbols->files[frame->file].path : NULL;
	source->place_line[i] = is_known ? frame->line : 0;
	source->place_address[i] = address;
	return source->place_count++;
}

const char *
contexts_shown_name(struct context_source *source, uint32_t name)
{
	if (name == 0)
		return "?";
	if (!source->shown_name[name])
		source->shown_name[name] = report_readable(source->model,
		                                           inlined_name(source->code, name));
	return source->shown_name[name];
}

uint32_t
contexts_place_of_name(struct run *run, struct context_source *source, uint32_t name)
{
	static const struct code_frame nowhere;
	uint32_t *place = &source->place_of_name[name];

	if (*place == 0)
		*place = 1 + contexts_add_place(run, source, contexts_shown_name(source, name),
		                                &nowhere, 0);
	return *place - 1;
}

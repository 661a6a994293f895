/* SPDX-License-Identifier: Apache-2.0 */
/* Asks providers for the lines of all code, and numbers files, names and instances for them. */
#include "symbols/line-rows.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "symbols/parts.h"

static bool
signs_addresses(const struct symbols *symbols)
{
	const struct gprofx_target *target = &symbols->table.target;

	return target->sign_extends && target->pointer_bytes == 4;
}

static uint64_t
signed_address(uint64_t address)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)address;
}

/* Numbers begin with 1. */
uint32_t
line_rows_number_name(struct run *run, struct line_rows *asked, const char *name)
{
	return name_table_add_kept(run, &asked->names, name) + 1;
}

static void
reserve_lines(struct gprofx *gx, struct gprofx_lines *lines, uint32_t count)
{
	struct run *run = (struct run *)gx;

	memory_array(run, lines->rows.address, count);
	memory_array(run, lines->rows.file, count);
	memory_array(run, lines->rows.line, count);
	if (!lines->nameless)
		memory_array(run, lines->rows.name, count);
	if (lines->wants_inlined)
		memory_array(run, lines->rows.inlined, count);
}

static uint32_t
intern_file(struct gprofx *gx, struct gprofx_lines *lines, const char *path)
{
	if (!path)
		return 0;
	return symbols_intern_file((struct run *)gx, ((struct line_rows *)lines)->symbols, path);
}

/*
 * Debug information has names without the underscore that symbols of some formats begin with;
 * GNU gprof takes one away nevertheless.
 */
static uint32_t
intern_name(struct gprofx *gx, struct gprofx_lines *lines, const char *name)
{
	struct line_rows *asked = (struct line_rows *)lines;
	struct run *run = (struct run *)gx;
	size_t bytes;

	if (!name)
		return 0;
	if (lines->strict || !asked->symbols->table.leading_underscore)
		return name_table_add(run, &asked->names, name) + 1;
	bytes = strlen(name) + 1;
	asked->full_name = memory_room(run, asked->full_name, 1, (uint32_t)bytes,
	                               &asked->full_name_room, 1);
	asked->full_name[0] = '_';
	memcpy(asked->full_name + 1, name, bytes);
	return name_table_add(run, &asked->names, asked->full_name) + 1;
}

static uint32_t
name_at(struct gprofx *gx, struct gprofx_lines *lines, uint64_t address)
{
	struct line_rows *asked = (struct line_rows *)lines;
	const struct covers *covers = &asked->covers;
	uint32_t cover;

	if (signs_addresses(asked->symbols))
		address = signed_address(address);
	address += asked->base;
	cover = sorted_up_to(covers->address, covers->count, address);
	if (cover == 0 || covers->address[cover - 1] != address)
		return 0;
	return line_rows_number_name((struct run *)gx, asked,
	                             covers_name(asked->symbols, covers->id[cover - 1]).name);
}

static uint32_t
hash_instance(const struct line_rows *asked, const struct inlined_instance *instance)
{
	uint64_t factor = asked->instance_factor;
	uint64_t hash = hash_word((uintptr_t)instance->into, factor);

	hash = hash_word(hash ^ ((uint64_t)instance->file << 32 | instance->line), factor);
	return (uint32_t)(hash_word(hash ^ instance->parent, factor) >> 32);
}

static void
rehash_instances(struct run *run, struct line_rows *asked)
{
	const struct symbols *symbols = asked->symbols;

	memory_release(run, asked->instance_hash);
	asked->instance_hash_size = asked->instance_hash_size ? asked->instance_hash_size * 2 : 256;
	memory_array(run, asked->instance_hash, asked->instance_hash_size);
	if (asked->instance_factor == 0)
		asked->instance_factor = hash_factor();
	for (uint32_t i = 1; i < symbols->instance_count; i++) {
		uint32_t
			*slot = &asked->instance_hash[hash_instance(asked, &symbols->instances[i]) &
		                                      (asked->instance_hash_size - 1)];

		asked->next_instance[i] = *slot;
		*slot = i;
	}
}

static uint32_t
intern_inlined(struct gprofx *gx, struct gprofx_lines *lines, uint32_t into, uint32_t file,
               uint32_t line, uint32_t parent)
{
	struct run *run = (struct run *)gx;
	struct line_rows *asked = (struct line_rows *)lines;
	struct symbols *symbols = asked->symbols;
	/* Equal names are one text. */
	const struct inlined_instance instance = {into ? line_rows_name(asked, into) : NULL, file,
	                                          line, parent};
	uint32_t *slot, id;

	if (symbols->instance_count == 0)
		symbols->instance_count = 1;
	if (symbols->instance_count >= asked->instance_hash_size)
		rehash_instances(run, asked);
	slot = &asked->instance_hash[hash_instance(asked, &instance) &
	                             (asked->instance_hash_size - 1)];
	for (id = *slot; id != 0; id = asked->next_instance[id]) {
		const struct inlined_instance *known = &symbols->instances[id];

		if (known->into == instance.into && known->file == file && known->line == line &&
		    known->parent == parent)
			return id;
	}
	id = symbols->instance_count++;
	symbols->instances = memory_room(run, symbols->instances, sizeof *symbols->instances, id,
	                                 &symbols->instance_room, 1);
	asked->next_instance = memory_room(run, asked->next_instance, sizeof *asked->next_instance,
	                                   id, &asked->next_instance_room, 1);
	symbols->instances[id] = instance;
	asked->next_instance[id] = *slot;
	*slot = id;
	return id;
}

static bool
address_of(struct gprofx *gx, struct gprofx_lines *lines, const char *name, uint64_t *address)
{
	(void)gx;
	return symbols_address_of(&((struct line_rows *)lines)->symbols->table, name, address);
}

const struct gprofx_lines_builder line_rows_builder = {
	.size = sizeof line_rows_builder,
	.reserve = reserve_lines,
	.file = intern_file,
	.name = intern_name,
	.name_at = name_at,
	.inlined = intern_inlined,
	.address_of = address_of,
};

void
symbols_release_lines(struct run *run, struct gprofx_lines *lines)
{
	memory_release(run, lines->rows.address);
	memory_release(run, lines->rows.file);
	memory_release(run, lines->rows.line);
	memory_release(run, lines->rows.name);
	memory_release(run, lines->rows.inlined);
	/* The next object can have no rows. */
	lines->rows = (struct gprofx_line_rows){.address = NULL};
	lines->count = 0;
}

void
line_rows_ask(struct run *run, struct line_rows *asked, const struct gprofx_image *image,
              uint64_t base)
{
	const struct symbols *symbols = asked->symbols;
	uint64_t *address;

	asked->base = base;
	for (struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next) {
		struct gprofx_lines known = asked->public;

		if (!plugin->symbols.lines)
			continue;
		asked->public.rows = (struct gprofx_line_rows){.file = NULL};
		asked->public.count = 0;
		run_doing(run, "reading lines of %s with %s", image->name, plugin->descriptor.name);
		plugin->symbols.lines(&run->gx, image, &asked->public, plugin->options);
		run_doing_nothing(run);
		if (known.count > 0) {
			line_rows_join(run, &known, &asked->public);
			asked->public = known;
		}
	}
	for (uint32_t i = 0; i < asked->public.count; i++)
		if (asked->public.rows.line[i] == 0)
			asked->public.rows.file[i] = 0;
	address = asked->public.rows.address;
	for (uint32_t i = 0; signs_addresses(symbols) && i < asked->public.count; i++)
		address[i] = signed_address(address[i]);
	for (uint32_t i = 0; base != 0 && i < asked->public.count; i++)
		address[i] += base;
}

void
line_rows_release(struct run *run, struct line_rows *asked)
{
	memory_release(run, asked->covers.address);
	memory_release(run, asked->covers.id);
	name_table_release(run, &asked->names);
	memory_release(run, asked->next_instance);
	memory_release(run, asked->instance_hash);
	memory_release(run, asked->full_name);
}

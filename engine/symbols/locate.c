/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source positions of symbols, asked for only when they are needed: the debug information is larger
 * than everything else that is read.
 */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "base/text.h"
#include "plugin/plugins.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* The positions handed to a provider, with the way back to the symbols. */
struct request {
	struct gprofx_positions public; /* first */
	struct symbols *symbols;
};

static uint32_t
hash_path(const char *path)
{
	uint64_t hash = 14695981039346656037u;

	for (; *path; path++)
		hash = (hash ^ (uint8_t)*path) * 1099511628211u;
	return (uint32_t)(hash >> 32);
}

static void
rehash(struct run *run, struct symbols *symbols)
{
	uint32_t size = symbols->file_hash_size ? symbols->file_hash_size * 2 : 64;

	memory_release(run, symbols->file_hash);
	memory_array(run, symbols->file_hash, size);
	symbols->file_hash_size = size;
	for (uint32_t i = 1; i < symbols->file_count; i++) {
		uint32_t
			*slot = &symbols->file_hash[hash_path(symbols->files[i].path) & (size - 1)];

		symbols->files[i].next = *slot;
		*slot = i;
	}
}

uint32_t
symbols_intern_file(struct run *run, struct symbols *symbols, const char *path)
{
	struct source_file *file;
	uint32_t *slot, id;

	if (symbols->file_count == 0)
		symbols->file_count = 1;
	if (symbols->file_count >= symbols->file_hash_size)
		rehash(run, symbols);
	slot = &symbols->file_hash[hash_path(path) & (symbols->file_hash_size - 1)];
	for (id = *slot; id != 0; id = symbols->files[id].next)
		if (strcmp(symbols->files[id].path, path) == 0)
			return id;
	symbols->files = memory_room(run, symbols->files, sizeof *symbols->files,
	                             symbols->file_count, &symbols->file_room, 1);
	id = symbols->file_count++;
	file = &symbols->files[id];
	file->path = text_keep(run, path, strlen(path));
	file->base = text_last_name(file->path);
	file->next = *slot;
	*slot = id;
	return id;
}

static uint32_t
intern_file(struct gprofx *gx, struct gprofx_positions *positions, const char *path)
{
	if (!path)
		return 0;
	return symbols_intern_file((struct run *)gx, ((struct request *)positions)->symbols, path);
}

static bool
address_of(struct gprofx *gx, struct gprofx_positions *positions, const char *name,
           uint64_t *address)
{
	(void)gx;
	return symbols_address_of(&((struct request *)positions)->symbols->table, name, address);
}

static const struct gprofx_positions_builder builder = {.size = sizeof builder,
                                                        .file = intern_file,
                                                        .address_of = address_of};

/* Opens the provider of positions once, if the image has any. */
static void
prepare(struct run *run, struct symbols *symbols)
{
	if (symbols->is_located)
		return;
	symbols->is_located = true;
	memory_array(run, symbols->file, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->line, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->asked, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	symbols_has_provider(run, symbols);
}

/*
 * Asks every open provider for addresses of one image, what several know counts as the first one
 * has it; "base" moved the addresses to where they are.
 */
static void
ask(struct run *run, struct symbols *symbols, const struct gprofx_image *image, uint64_t base,
    const struct located_code *located)
{
	uint32_t count = located->count;
	struct request request = {
		.public = {.size = sizeof request.public,
	                   .builder = &builder,
	                   .count = count,
	                   .begins_in_file_0 = !run_corrects(run, GPROFX_CORRECT_FIRST_FILES),
	                   .in_order_of_stabs = !run_corrects(run, GPROFX_CORRECT_STABS_LINES),
	                   .strict = !run_corrects(run, GPROFX_CORRECT_SCATTERED)},
		.symbols = symbols,
	};
	uint64_t *address, named_from = symbols_named_from(symbols);

	memory_array(run, address, count);
	memory_array(run, request.public.file, count);
	memory_array(run, request.public.line, count);
	for (uint32_t i = 0; i < count; i++)
		address[i] = located->location[i] - base;
	request.public.address = address;
	for (struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next) {
		if (!plugin->symbols.locate)
			continue;
		memset(request.public.file, 0, count * sizeof *request.public.file);
		memset(request.public.line, 0, count * sizeof *request.public.line);
		run_doing(run, "finding source positions of %s with %s", image->name,
		          plugin->descriptor.name);
		plugin->symbols.locate(&run->gx, image, &request.public, plugin->options);
		run_doing_nothing(run);
		for (uint32_t i = 0; i < count; i++) {
			if (request.public.file[i] == 0 ||
			    request.public.file[i] >= symbols->file_count ||
			    located->file[i] != 0 ||
			    (base == 0 && address[i] >= symbols->table.text_start &&
			     address[i] < named_from))
				continue;
			located->file[i] = request.public.file[i];
			located->line[i] = request.public.line[i];
		}
	}
	for (uint32_t i = 0; i < count; i++)
		if (located->line[i] == 0)
			located->file[i] = 0;
	memory_release(run, address);
	memory_release(run, request.public.file);
	memory_release(run, request.public.line);
}

/* Asks for addresses of another object, whose file is read for that alone. */
static void
ask_object(struct run *run, struct symbols *symbols, const struct symbol_image *object,
           const struct located_code *located)
{
	struct gprofx_image image;
	struct mapped_file *file;

	if (!symbols_is_to_locate(object))
		return;
	file = symbols_open_debug(run, object, &image);
	if (!file)
		return;
	ask(run, symbols, &image, object->base, located);
	mapfile_close(run, file);
}

/* Asks for all addresses, image by image. */
static void
ask_images(struct run *run, struct symbols *symbols, const struct located_code *all)
{
	for (uint32_t i = 0, end; i < all->count; i = end) {
		const struct symbol_image *object = symbols_image_at(symbols, all->location[i]);
		struct located_code of_one = {&all->location[i], &all->file[i], &all->line[i], 0};

		for (end = i + 1;
		     end < all->count && symbols_image_at(symbols, all->location[end]) == object;)
			end++;
		of_one.count = end - i;
		if (object != symbols->images)
			ask_object(run, symbols, object, &of_one);
		else
			ask(run, symbols, symbols->located, 0, &of_one);
	}
}

/* Asks for the positions of symbols. */
static void
ask_symbols(struct run *run, struct symbols *symbols, const uint32_t *ids, uint32_t count)
{
	struct located_code located = {.count = count};
	uint64_t *location;

	memory_array(run, location, count);
	memory_array(run, located.file, count);
	memory_array(run, located.line, count);
	for (uint32_t i = 0; i < count; i++)
		location[i] = symbols->address[ids[i]];
	located.location = location;
	ask_images(run, symbols, &located);
	for (uint32_t i = 0; i < count; i++) {
		if (located.line[i] == 0)
			continue;
		symbols->file[ids[i]] = located.file[i];
		symbols->line[ids[i]] = located.line[i];
		if (run_traces(run, GPROFX_TRACE_SYMBOLS))
			run_trace(run, "source of %s: %s:%u", symbols->name[ids[i]],
			          symbols->files[located.file[i]].path, located.line[i]);
	}
	memory_release(run, location);
	memory_release(run, located.file);
	memory_release(run, located.line);
}

void
symbols_locate(struct run *run, struct symbols *symbols, const uint32_t *ids, uint32_t count)
{
	uint32_t *wanted, wanted_count = 0;

	prepare(run, symbols);
	if (!symbols->has_provider)
		return;
	if (ids)
		for (uint32_t i = 0; i < count; i++)
			symbols->asked[ids[i]] |= 2;
	memory_array(run, wanted, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		bool now = !ids || (symbols->asked[i] & 2);

		if (now && !(symbols->asked[i] & 1))
			wanted[wanted_count++] = i;
		symbols->asked[i] = (uint8_t)((symbols->asked[i] & 1) | now);
	}
	if (wanted_count > 0)
		ask_symbols(run, symbols, wanted, wanted_count);
	memory_release(run, wanted);
}

void
symbols_locate_code(struct run *run, struct symbols *symbols, const struct located_code *code)
{
	prepare(run, symbols);
	if (symbols->has_provider)
		ask_images(run, symbols, code);
}

uint32_t
symbols_order_files(struct run *run, const struct symbols *symbols, uint32_t *order)
{
	uint32_t count = 0;
	uint8_t *seen;

	if (symbols->file_order) {
		memcpy(order, symbols->file_order, symbols->file_order_count * sizeof *order);
		return symbols->file_order_count;
	}
	if (symbols->file_count == 0)
		return 0;
	memory_array(run, seen, symbols->file_count);
	for (uint32_t i = 0; i < symbols->accepted_count; i++) {
		uint64_t address = symbols->table.rows.address[symbols->accepted[i]];
		uint32_t past = sorted_up_to(symbols->address, symbols->count, address);
		/* A symbol starts at each of these addresses. */
		uint32_t file = past > 0 ? symbols->file[past - 1] : 0;

		if (file == 0 || seen[file])
			continue;
		seen[file] = 1;
		order[count++] = file;
	}
	memory_release(run, seen);
	return count;
}

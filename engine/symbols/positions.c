/* SPDX-License-Identifier: Apache-2.0 */
/* Where source positions are, and who provides them. */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "plugin/plugins.h"
#include "symbols/late.h"
#include "symbols/needed.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* Kinds of positions, by what a table states. */
static const struct kind {
	const char *plugin, *hint;
	bool is_stabs;
} kinds[] = {
	{"symbols-dwarf", PLUGIN_INSTALL("symbols-dwarf") ", to see source files and lines", false},
	{"symbols-stabs", PLUGIN_INSTALL("symbols-stabs") ", to see source files and lines", true},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct image_debug
symbols_debug_of(const struct gprofx_symtab *table)
{
	return (struct image_debug){.target = table->target,
	                            .sections = table->debug,
	                            .section_count = table->debug_count,
	                            .file = table->debug_file,
	                            .has_stabs = table->has_stabs};
}

static const struct gprofx_symtab *
late_table(const struct symbol_image *object)
{
	return object->late ? object->late->table : NULL;
}

static bool
has_kind(const struct symbol_image *object, bool is_stabs)
{
	const struct gprofx_symtab *table = late_table(object);

	if (is_stabs)
		return object->debug.has_stabs || (table && table->has_stabs);
	return object->has_source || (table && table->has_source);
}

bool
symbols_has_source(const struct symbol_image *object)
{
	return has_kind(object, false) || has_kind(object, true);
}

bool
symbols_is_to_locate(const struct symbol_image *object)
{
	return symbols_has_source(object) && (!object->late || !symbols_is_of_system(object->path));
}

/* Whether an image is no ELF file: then its provider states where DWARF is. */
static bool
lists_dwarf(const struct gprofx_symtab *table)
{
	for (uint32_t i = 0; i < table->debug_count; i++)
		if (strcmp(table->debug[i].name, ".debug_info") == 0)
			return true;
	return false;
}

/*
 * Whether the program has positions of a kind, or an object beside it.  To GNU gprof, an ELF file
 * with some DWARF has no stabs.
 */
static bool
is_there(const struct run *run, const struct symbols *symbols, bool is_stabs)
{
	const struct gprofx_symtab *table = &symbols->table;
	bool ignores_stabs = table->has_source && !lists_dwarf(table) &&
	                     !run_corrects(run, GPROFX_CORRECT_STABS_LINES);
	bool has = is_stabs ? table->has_stabs && !ignores_stabs : table->has_source;

	for (uint32_t i = 1; i < symbols->image_count && !has; i++)
		has = symbols_is_to_locate(&symbols->images[i]) &&
		      has_kind(&symbols->images[i], is_stabs);
	return has;
}

static bool
open_provider(struct run *run, const struct symbols *symbols, const struct kind *kind)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "symbols.no-positions",
		.file = symbols->image.name,
		.hint = kind->hint,
	};
	bool broken, is_open = plugin_by_name(run, kind->plugin, &broken) != NULL;

	if (!is_open && !broken)
		run_warn(run, &diagnostic,
		         "source positions need the plugin %s, which is not installed",
		         kind->plugin);
	return is_open;
}

bool
symbols_has_provider(struct run *run, struct symbols *symbols)
{
	/* The first provider counts where both know a line; to GNU gprof, that is this one. */
	bool stabs_first;

	if (symbols->is_literal) {
		symbols->has_provider = false;
		return false;
	}
	/* One that the user named is as good for all. */
	if (symbols->opened_positions == 0)
		for (struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
			symbols->has_provider = symbols->has_provider || plugin->symbols.locate;
	if (symbols->opened_positions == 0 && symbols->has_provider)
		return true;
	stabs_first = lists_dwarf(&symbols->table) &&
	              !run_corrects(run, GPROFX_CORRECT_STABS_LINES);
	for (uint32_t k = 0; k < KINDS; k++) {
		uint32_t i = stabs_first ? KINDS - 1 - k : k;

		if ((symbols->opened_positions & 1u << i) ||
		    !is_there(run, symbols, kinds[i].is_stabs))
			continue;
		symbols->opened_positions |= 1u << i;
		symbols->has_provider = open_provider(run, symbols, &kinds[i]) ||
		                        symbols->has_provider;
	}
	return symbols->has_provider;
}

/* Says in an image what else its provider stated. */
static void
state(struct gprofx_image *image, const struct image_debug *debug)
{
	image->debug = debug->sections;
	image->debug_count = debug->section_count;
}

void
symbols_set_located(struct run *run, struct symbols *symbols, struct gprofx_image *image)
{
	const struct image_debug debug = symbols_debug_of(&symbols->table);
	struct gprofx_target *target = memory_alloc(run, sizeof *target);
	struct mapped_file *file = NULL;
	int error = 0;

	*target = debug.target;
	image->target = target;
	symbols->located = image;
	if (debug.file)
		file = mapfile_open(run, debug.file, MAPFILE_REGULAR, &error);
	if (!debug.file) {
		state(image, &debug);
	} else if (file) {
		symbols->debug_image = (struct gprofx_image){.size = sizeof symbols->debug_image,
		                                             .name = debug.file,
		                                             .bytes = file->bytes,
		                                             .length = file->length,
		                                             .target = target};
		state(&symbols->debug_image, &debug);
		symbols->located = &symbols->debug_image;
	}
}

struct mapped_file *
symbols_open_debug(struct run *run, const struct symbol_image *object, struct gprofx_image *image)
{
	const struct gprofx_symtab *table = late_table(object);
	const struct image_debug debug = table ? symbols_debug_of(table) : object->debug;
	const char *path = debug.file ? debug.file : object->path;
	struct mapped_file *file;
	int error = 0;

	file = mapfile_open(run, path, object->late || debug.file ? MAPFILE_REGULAR : 0, &error);
	if (!file)
		return NULL;
	*image = (struct gprofx_image){.size = sizeof *image,
	                               .name = path,
	                               .bytes = file->bytes,
	                               .length = file->length,
	                               .target = table ? &table->target : &object->debug.target};
	state(image, &debug);
	return file;
}

bool
symbols_address_of(const struct gprofx_symtab *table, const char *name, uint64_t *address)
{
	for (uint32_t i = table->count; i > 0; i--)
		if (strcmp(table->rows.name[i - 1], name) == 0) {
			*address = table->rows.address[i - 1];
			return true;
		}
	return false;
}

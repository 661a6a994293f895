/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the image, and the list that takes the place of its symbols if there is one, lets providers
 * read them, and keeps the symbols that count as functions: one for each address.
 */
#include <errno.h>
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/near-file.h"
#include "base/run.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

static void
reserve(struct gprofx *gx, struct gprofx_symtab *table, uint32_t count)
{
	struct run *run = (struct run *)gx;

	memory_array(run, table->rows.address, count);
	memory_array(run, table->rows.bytes, count);
	memory_array(run, table->rows.name, count);
	memory_array(run, table->rows.flags, count);
	memory_array(run, table->unit, count);
	((struct symbols *)((char *)table - offsetof(struct symbols, table)))->reserved = count;
}

static const struct gprofx_symtab_builder builder = {.size = sizeof builder, .reserve = reserve};

static struct gprofx_diagnostic
about(const char *file, const char *id, const char *hint)
{
	return (struct gprofx_diagnostic){.id = id, .file = file, .hint = hint};
}

/* What is wrong with the table that a provider filled, or NULL. */
static const char *
table_problem(const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;

	if (table->target.pointer_bytes != 4 && table->target.pointer_bytes != 8)
		return "addresses of 4 or 8 bytes, found another size";
	if (table->count > symbols->reserved)
		return "at most as many symbols as were reserved, found more";
	for (uint32_t i = 0; i < table->count; i++)
		if (!table->rows.name[i])
			return "a name for each symbol, found none";
	if ((table->code_count > 0 && !table->code) || (table->slot_count > 0 && !table->slots) ||
	    (table->mark_count > 0 && !table->marks) || (table->debug_count > 0 && !table->debug) ||
	    (table->library_count > 0 && !table->libraries) ||
	    (table->build_id_bytes > 0 && !table->build_id))
		return "as much code, slots, marks, libraries, debug sections and build id as it "
		       "says, found none";
	for (uint32_t i = 0; i < table->library_count; i++)
		if (!table->libraries[i])
			return "a name for each library, found none";
	for (uint32_t i = 0; i < table->debug_count; i++)
		if (!table->debug[i].name)
			return "a name for each debug section, found none";
	return NULL;
}

/*
 * Where the last symbol ends.  For gprof that is where .text ends, even if the symbol is in another
 * section; to no avail, as it gives this symbol no samples.
 */
static uint64_t
last_end(const struct run *run, const struct symbols *symbols)
{
	uint32_t last = symbols->count - 1;
	uint64_t address = symbols->address[last], past = symbols_code_end(symbols, address);
	uint64_t bytes = symbols->bytes[last];

	if (past - address < bytes)
		past = symbols_past(address, bytes);
	if (!run_corrects(run, GPROFX_CORRECT_LAST_SYMBOL) || past == 0)
		return symbols->table.text_end - 1;
	return past - 1;
}

/* What stands before another object's symbols ends with its own code, not where those begin. */
static void
end_before(struct symbols *symbols, uint64_t first)
{
	uint32_t next = sorted_up_to(symbols->address, symbols->count, first - 1);
	uint64_t past;

	if (next == 0 || next == symbols->count)
		return;
	past = symbols_code_end(symbols, symbols->address[next - 1]);
	/* Of what stands outside of code, as data or "etext", nothing else would end it. */
	if (past == symbols->address[next - 1])
		past++;
	if (past > symbols->address[next - 1] && past - 1 < symbols->end[next - 1])
		symbols->end[next - 1] = past - 1;
}

/* A symbol ends before the next one starts, whatever lies between. */
static void
set_ends(const struct run *run, struct symbols *symbols)
{
	uint32_t last = symbols->count - 1;

	for (uint32_t i = 0; i < last; i++)
		symbols->end[i] = symbols->address[i + 1] - 1;
	for (uint32_t i = 1; i < symbols->image_count; i++)
		end_before(symbols, symbols->images[i].first);
	symbols_end_imports(symbols);
	symbols->end[last] = last_end(run, symbols);
	symbols->address[last + 1] = symbols->end[last] + 1 > symbols->address[last]
	                                     ? symbols->end[last] + 1
	                                     : symbols->address[last];
	symbols->end[last + 1] = UINT64_MAX;
	symbols->name[last + 1] = "<outside any function>";
	symbols->address[last + 2] = symbols->end[last + 2] = UINT64_MAX;
	symbols->name[last + 2] = "<indirect child>";
}

static void
keep_rows(struct run *run, struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t count = symbols->accepted_count, *ids;

	memory_array(run, symbols->address, (size_t)count + SYMBOL_MORE_ROWS);
	memory_array(run, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		ids[i] = symbols->accepted[i];
		symbols->address[i] = table->rows.address[ids[i]];
	}
	symbols->count = symbols_resolve(run, table, symbols->address, ids, count);
	memory_array(run, symbols->end, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->name, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->flags, (size_t)symbols->count + SYMBOL_MORE_ROWS);
	memory_array(run, symbols->bytes, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++) {
		symbols->name[i] = table->rows.name[ids[i]];
		symbols->flags[i] = table->rows.flags[ids[i]];
		symbols->bytes[i] = table->rows.bytes[ids[i]];
	}
	symbols->row = ids;
	set_ends(run, symbols);
}

/* A sum that is written from records alone needs to know the machine only. */
static bool
needs_symbols(const struct engine_settings *settings)
{
	return !settings->sum_file || settings->sum_as_gprof || engine_has_outputs(settings);
}

/* Has a provider fill symbols->table from a file. */
static enum gprofx_result
fill_table(struct run *run, struct symbols *symbols, struct plugin *provider,
           const struct gprofx_image *file)
{
	struct gprofx_diagnostic diagnostic;
	enum gprofx_result result;

	symbols->table.size = sizeof symbols->table;
	symbols->table.builder = &builder;
	symbols->table.target.size = sizeof symbols->table.target;
	symbols->table.strict = run->settings->strict_lists;
	run_doing(run, "reading %s with %s", file->name, provider->descriptor.name);
	result = provider->symbols.load(&run->gx, file, &symbols->table, provider->options);
	run_doing_nothing(run);
	if (result == GPROFX_OK && symbols->table.symbols_file &&
	    run_traces(run, GPROFX_TRACE_SYMBOLS))
		run_trace(run, "symbols of %s are in %s", file->name, symbols->table.symbols_file);
	if (result != GPROFX_DECLINED)
		return result;
	diagnostic = about(file->name, "image.not-an-object",
	                   "name the program that wrote the profile");
	return run_fail(run, &diagnostic, "the symbol provider does not recognize the file");
}

static enum gprofx_result
check_table(struct run *run, const struct symbols *symbols, const struct plugin *provider,
            const struct gprofx_image *file)
{
	struct gprofx_diagnostic diagnostic = about(
		file->name, "symbols.bad-table",
		"this is a bug in the plugin: report it to its author, or build it again");
	const char *problem = table_problem(symbols);

	return problem ? run_fail(run, &diagnostic, "expected from %s %s",
	                          provider->descriptor.name, problem)
	               : GPROFX_OK;
}

enum gprofx_result
symbols_fill_table_with(struct run *run, struct symbols *symbols, struct plugin *provider,
                        const struct gprofx_image *file)
{
	enum gprofx_result result = fill_table(run, symbols, provider, file);

	return result == GPROFX_OK ? check_table(run, symbols, provider, file) : result;
}

enum gprofx_result
symbols_fill_table(struct run *run, struct symbols *symbols, const struct gprofx_image *file)
{
	struct plugin *provider = symbols_provider(run, file);

	return provider ? symbols_fill_table_with(run, symbols, provider, file) : GPROFX_FAILED;
}

static enum gprofx_result
read_table(struct run *run, struct symbols *symbols)
{
	const struct gprofx_image *image = &symbols->image;
	struct gprofx_diagnostic diagnostic;
	enum gprofx_result result;

	symbols->table.facts_only = run->settings->symbol_list != NULL;
	symbols->table.wants_slots = symbols_wants_imports(run);
	symbols->table.wants_labels = run->settings->by_line && !symbols->table.facts_only;
	result = symbols_fill_table(run, symbols, image);
	if (result != GPROFX_OK)
		return result;
	symbols_set_located(run, symbols, &symbols->image);
	symbols_note_overlays(symbols);
	symbols_part_code(run, &symbols->table, image->length);
	if (symbols->table.wants_labels)
		symbols_set_labels_aside(run, symbols);
	if (!symbols->table.has_text && needs_symbols(run->settings)) {
		diagnostic = about(image->name, "image.no-text",
		                   "name the linked program; a file without code has no functions");
		return run_fail(run, &diagnostic, "expected a section with code, found none");
	}
	return GPROFX_OK;
}

static enum gprofx_result
fail_list(struct run *run, int error)
{
	struct gprofx_diagnostic diagnostic = about(
		run->settings->symbol_list, "list.cannot-open",
		"name a list of symbols as printed by nm PROGRAM");

	if (error == EISDIR) {
		diagnostic.id = "list.is-a-folder";
		return run_fail(run, &diagnostic, "expected a list of symbols, found a folder");
	}
	diagnostic.system_error = error;
	return run_fail(run, &diagnostic, "cannot read the list of symbols: %s",
	                mapfile_words(error));
}

/* Puts the facts about the image in the place of those about the list. */
static void
join_facts(struct run *run, struct symbols *symbols, const struct gprofx_symtab *facts)
{
	struct gprofx_symtab *table = &symbols->table;

	if (!facts->has_source && !facts->has_stabs && (table->has_source || table->has_stabs)) {
		symbols_set_located(run, symbols, &symbols->list);
	} else {
		table->has_source = facts->has_source;
		table->has_stabs = facts->has_stabs;
	}
	table->has_source = table->has_source && !symbols->is_literal;
	table->has_stabs = table->has_stabs && !symbols->is_literal;
	table->target = facts->target;
	table->machine_flags = facts->machine_flags;
	table->architecture = facts->architecture;
	table->has_text = facts->has_text;
	table->text_start = facts->text_start;
	table->text_end = facts->text_end;
	table->code = facts->code;
	table->code_count = facts->code_count;
	table->slots = facts->slots;
	table->slot_count = facts->slot_count;
	table->linkage_base = facts->linkage_base;
	table->build_id = facts->build_id;
	table->build_id_bytes = facts->build_id_bytes;
	if (symbols->is_literal || table->target.pointer_bytes != 4 || !table->target.sign_extends)
		return;
	/* Lists can have such addresses without their signs. */
	for (uint32_t i = 0; i < table->count && i < symbols->reserved; i++)
		table->rows.address[i] = (uint64_t)(int64_t)(int32_t)(uint32_t)
		                                 table->rows.address[i];
}

/* Reads the names of the image from a list. */
static enum gprofx_result
read_list(struct run *run, struct symbols *symbols)
{
	const char *name = run->settings->symbol_list;
	const struct gprofx_symtab facts = symbols->table;
	struct mapped_file *file;
	struct plugin *provider;
	enum gprofx_result result;
	int error = 0;

	file = mapfile_open(run, name, MAPFILE_WHOLE, &error);
	if (!file)
		return fail_list(run, error);
	symbols->list = (struct gprofx_image){.size = sizeof symbols->list,
	                                      .name = name,
	                                      .bytes = file->bytes,
	                                      .length = file->length};
	symbols->is_literal = run->settings->strict_lists;
	provider = symbols_list_provider(run, &symbols->list);
	if (!provider)
		return GPROFX_FAILED;
	memset(&symbols->table, 0, sizeof symbols->table);
	symbols->reserved = 0;
	result = fill_table(run, symbols, provider, &symbols->list);
	if (result != GPROFX_OK)
		return result;
	join_facts(run, symbols, &facts);
	return check_table(run, symbols, provider, &symbols->list);
}

static void
fail_open(struct run *run, int error)
{
	struct gprofx_diagnostic diagnostic = about(
		run->settings->image, "image.cannot-open",
		"name the program that wrote the profile: gprofx PROGRAM [PROFILE...]");

	if (error == EISDIR) {
		diagnostic.id = "image.is-a-folder";
		run_fail(run, &diagnostic, "expected an executable file, found a folder");
		return;
	}
	diagnostic.system_error = error;
	if (error == ENOENT && !run->settings->strict_layouts) {
		const char *hint = near_file(run, run->settings->image, true);

		diagnostic.hint = hint ? hint : diagnostic.hint;
	}
	if (error == EACCES)
		diagnostic.hint = "allow reading it: its symbols are in the file";
	run_fail(run, &diagnostic, "cannot read the program: %s", mapfile_words(error));
}

static void
fail_no_symbols(struct run *run)
{
	const char *list = run->settings->symbol_list;
	struct gprofx_diagnostic diagnostic = about(
		run->settings->image, "image.no-symbols",
		"use the program as it was before strip removed its symbols, install its debug "
		"symbols, or name a file that has them with -S");

	if (list)
		diagnostic = about(list, "list.no-symbols",
		                   "create the list again with: nm "
		                   "PROGRAM");
	run_fail(run, &diagnostic, "expected a %s with functions, found none",
	         list ? "list of symbols" : "symbol table");
}

/* Arrays have room for the rows behind the last one. */
static void
keep_none(struct run *run, struct symbols *symbols)
{
	memory_array(run, symbols->address, SYMBOL_MORE_ROWS);
	memory_array(run, symbols->end, SYMBOL_MORE_ROWS);
	memory_array(run, symbols->name, SYMBOL_MORE_ROWS);
	memory_array(run, symbols->flags, SYMBOL_MORE_ROWS);
	symbols_index(run, symbols);
}

void
symbols_trace(struct run *run, const struct symbols *symbols, uint32_t first)
{
	if (run_traces(run, GPROFX_TRACE_SYMBOLS))
		for (uint32_t i = first; i < symbols->count; i++)
			run_trace(run, "symbol 0x%llx-0x%llx %s%s%s",
			          (unsigned long long)symbols->address[i],
			          (unsigned long long)symbols->end[i], symbols->name[i],
			          symbols->flags[i] & GPROFX_SYMBOL_LOCAL ? " static" : "",
			          symbols->flags[i] & GPROFX_SYMBOL_FUNCTION ? "" : " untyped");
}

/* Makes symbols of the rows that were accepted. */
static void
build(struct run *run, struct symbols *symbols)
{
	keep_rows(run, symbols);
	if (run->settings->by_line)
		symbols_add_lines(run, symbols);
	symbols_fold_clones(run, symbols, 0);
	symbols_fold_rests(run, symbols);
	symbols_find_wholes(run, symbols);
	symbols_merge_lines(run, symbols, 0);
	symbols_index(run, symbols);
	symbols_trace(run, symbols, 0);
}

void
symbols_add_rows(struct run *run, struct symbols *symbols, uint32_t first)
{
	uint32_t more = symbols->table.count - first, old = symbols->accepted_count;

	symbols->fate = memory_grow(run, symbols->fate, first, symbols->table.count);
	symbols->accepted = memory_grow(run, symbols->accepted, old * sizeof *symbols->accepted,
	                                ((size_t)old + more) * sizeof *symbols->accepted);
	for (uint32_t i = 0; i < more; i++) {
		symbols->fate[first + i] = FATE_KEPT;
		symbols->accepted[symbols->accepted_count++] = first + i;
	}
	memory_release(run, symbols->address);
	memory_release(run, symbols->end);
	memory_release(run, symbols->bytes);
	memory_release(run, (void *)symbols->name);
	memory_release(run, symbols->flags);
	memory_release(run, symbols->row);
	memory_release(run, symbols->owner);
	memory_release(run, symbols->whole);
	memory_release(run, symbols->images[0].blocks.first);
	symbols->owner = symbols->whole = NULL;
	build(run, symbols);
}

/* Whether what is named as the program is a profile, as only own mode allows. */
static bool
stands_for_profile(struct run *run, const struct gprofx_image *image,
                   bool (*is_profile)(struct run *run, const struct gprofx_file *file))
{
	const struct gprofx_file file = {.size = sizeof file,
	                                 .name = image->name,
	                                 .bytes = image->bytes,
	                                 .length = image->length};

	return run->settings->program_is_optional && !symbols_know_image(run, image) &&
	       is_profile(run, &file);
}

struct symbols *
symbols_load(struct run *run, bool (*is_profile)(struct run *run, const struct gprofx_file *file),
             bool (*can_do_without)(struct run *run))
{
	struct symbols *symbols = memory_alloc(run, sizeof *symbols);
	enum gprofx_result result = GPROFX_OK;
	struct file_map *map;
	struct mapped_file *file;
	int error = 0;

	/* Standard input is no program. */
	if (run->settings->program_is_optional &&
	    (!run->settings->image || strcmp(run->settings->image, "-") == 0))
		return symbols_without_image(run);
	file = mapfile_open(run, run->settings->image, 0, &error);
	if (!file) {
		fail_open(run, error);
		return NULL;
	}
	symbols->image = (struct gprofx_image){.size = sizeof symbols->image,
	                                       .name = run->settings->image,
	                                       .bytes = file->bytes,
	                                       .length = file->length};
	if (stands_for_profile(run, &symbols->image, is_profile))
		return symbols_without_image(run);
	symbols->image_modified = file->modified;
	symbols->list = symbols->image;
	symbols->located = &symbols->image;
	if (read_table(run, symbols) != GPROFX_OK)
		return NULL;
	symbols->map = map = symbols_read_map(run, &result);
	if (result != GPROFX_OK ||
	    (run->settings->symbol_list && read_list(run, symbols) != GPROFX_OK))
		return NULL;
	symbols_add_imports(run, symbols);
	if (symbols_read_objects(run, symbols) != GPROFX_OK ||
	    symbols_accept_rows(run, symbols, map) != GPROFX_OK)
		return NULL;
	if (symbols->accepted_count == 0 && !needs_symbols(run->settings)) {
		keep_none(run, symbols);
		return symbols;
	}
	if (symbols->accepted_count == 0) {
		if (run->settings->program_is_optional && !run->settings->symbol_list &&
		    can_do_without(run)) {
			symbols = symbols_without_image(run);
			symbols->is_stripped = true;
			return symbols;
		}
		fail_no_symbols(run);
		return NULL;
	}
	build(run, symbols);
	return symbols;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of other objects that the program calls, through its PLT stubs and GOT slots.  The
 * provider of the symbols says what the loader writes into slots, the scanner for the machine which
 * slot a stub jumps through.  Each stub becomes a symbol of the table, such as "printf@plt"; a slot
 * that no stub uses becomes one at the slot's own address, where no code is, such as "printf@got".
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "symbols/by-name.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* What a scanner gets, and what stands behind it. */
struct slot_entries {
	struct gprofx_entries public; /* first */
	const struct symbols *symbols;
};

struct stub_list {
	struct gprofx_stubs public; /* first */
	struct run *run;
	const struct symbols *symbols;
	const struct gprofx_code *code; /* under way */
	struct symbol_stub *items;
	uint32_t count, room;
};

/* Rows to come. */
struct import_rows {
	struct gprofx_symtab *table;
	struct symbol_import *imports;
	uint32_t count;
	uint64_t name_bytes_left;
};

/* Whether calls through the PLT and the GOT are to be followed in the code. */
static bool
follows_calls(const struct run *run)
{
	return run->settings->static_calls && run_corrects(run, GPROFX_CORRECT_STATIC_CALLS);
}

/*
 * Besides, what looks at symbols before the samples are known needs the names of all stubs; else
 * they wait for symbols_name_stubs().
 */
bool
symbols_wants_imports(const struct run *run)
{
	const struct engine_settings *settings = run->settings;

	if (follows_calls(run))
		return true;
	return run_corrects(run, GPROFX_CORRECT_PLT_NAMES) &&
	       (settings->by_line || settings->per_file || settings->object_count > 0 ||
	        settings->symbol_list || settings->symspec_count > settings->collector_spec_count);
}

const struct symbol_slot *
symbols_slot(const struct symbols *symbols, uint64_t address)
{
	uint32_t low = 0, high = symbols->slot_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (symbols->slots[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < symbols->slot_count && symbols->slots[low].address == address
	               ? &symbols->slots[low]
	               : NULL;
}

/* Sorts slots by address, the first of those at one, and returns the provider's row of each. */
static uint32_t *
sort_slots(struct run *run, struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint64_t *keys;
	uint32_t *ids, kept = 0;

	memory_array(run, keys, table->slot_count);
	memory_array(run, ids, table->slot_count);
	memory_array(run, symbols->slots, table->slot_count);
	for (uint32_t i = 0; i < table->slot_count; i++) {
		keys[i] = table->slots[i].address;
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, table->slot_count);
	for (uint32_t i = 0; i < table->slot_count; i++) {
		if (i > 0 && keys[i] == symbols->slots[kept - 1].address)
			continue;
		symbols->slots[kept] = (struct symbol_slot){keys[i], table->slots[ids[i]].function};
		ids[kept++] = ids[i];
	}
	symbols->slot_count = kept;
	memory_release(run, keys);
	return ids;
}

/* Reads the image once more, for what nearly no run needs; false: it has no slots. */
static bool
read_slots(struct run *run, struct symbols *symbols)
{
	bool errors_were_warnings = run->errors_are_warnings, has_slots;
	struct symbols *facts = memory_alloc(run, sizeof *facts);

	facts->table.facts_only = true;
	facts->table.wants_slots = true;
	symbols->table.wants_slots = true;
	run->errors_are_warnings = true;
	has_slots = symbols_fill_table(run, facts, &symbols->image) == GPROFX_OK &&
	            facts->table.slots && facts->table.slot_count > 0;
	run->errors_are_warnings = errors_were_warnings;
	if (has_slots) {
		symbols->table.slots = facts->table.slots;
		symbols->table.slot_count = facts->table.slot_count;
		symbols->table.linkage_base = facts->table.linkage_base;
	}
	return has_slots;
}

void
symbols_find_slots(struct run *run, struct symbols *symbols)
{
	if (symbols_wants_imports(run) || symbols->table.wants_slots)
		return;
	if (read_slots(run, symbols))
		memory_release(run, sort_slots(run, symbols));
}
static bool
begins_nothing(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	(void)address;
	return false;
}

static bool
is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	return symbols_slot(((const struct slot_entries *)entries)->symbols, address) != NULL;
}

static void
add_stub(struct gprofx_stubs *public, uint64_t address, uint64_t bytes, uint64_t slot)
{
	struct stub_list *list = (struct stub_list *)public;
	const struct gprofx_code *code = list->code;
	const struct symbol_slot *found = symbols_slot(list->symbols, slot);

	if (!found || address - code->address >= code->byte_count || bytes == 0)
		return;
	/* A plugin that never ends is not to fill the memory: each stub begins behind the last. */
	if (list->count > 0 && address <= list->items[list->count - 1].address &&
	    list->items[list->count - 1].address - code->address < code->byte_count)
		return;
	list->items = memory_room(list->run, list->items, sizeof *list->items, list->count,
	                          &list->room, 1);
	list->items[list->count++] = (struct symbol_stub){address, bytes,
	                                                  (uint32_t)(found - list->symbols->slots)};
}

struct gprofx_scanned_image
symbols_scanned_image(const struct symbols *symbols)
{
	return (struct gprofx_scanned_image){
		.size = sizeof(struct gprofx_scanned_image),
		.target = &symbols->table.target,
		.machine_flags = symbols->table.machine_flags,
		.linkage_base = symbols->table.linkage_base,
	};
}

static void
find_stubs(struct run *run, const struct symbols *symbols, const struct plugin *plugin,
           struct stub_list *list)
{
	const struct gprofx_symtab *table = &symbols->table;
	const struct slot_entries entries = {{begins_nothing, is_slot}, symbols};
	const struct gprofx_scanned_image image = symbols_scanned_image(symbols);

	run_doing(run, "looking for stubs with %s", plugin->descriptor.name);
	for (uint32_t i = 0; i < table->code_count; i++) {
		const struct gprofx_code_range *range = &table->code[i];
		struct gprofx_code code = {
			.size = sizeof code,
			.byte_count = range->bytes,
			.readable = range->bytes,
			.address = range->address,
			.image = &image,
			.entries = &entries.public,
			.section = range->name,
		};

		if (!symbols_has_code(symbols, range))
			continue;
		code.bytes = symbols->image.bytes + range->file_offset;
		list->code = &code;
		plugin->findcall.stubs(&code, plugin->options, &list->public);
	}
	run_doing_nothing(run);
}

struct symbol_stub *
symbols_stubs(struct run *run, const struct symbols *symbols, uint32_t *count)
{
	uint16_t machine = symbols->table.target.machine;
	struct stub_list stubs = {.public.add = add_stub, .run = run, .symbols = symbols};
	const struct plugin *scanner = plugin_by_machine(run, machine,
	                                                 plugin_usual_scanner(machine));

	if (scanner && scanner->findcall.stubs && symbols->slot_count > 0)
		find_stubs(run, symbols, scanner, &stubs);
	*count = stubs.count;
	return stubs.items;
}

/* Adds a symbol for which there is room. */
static void
add_row(struct run *run, struct import_rows *rows, uint64_t address, uint64_t bytes,
        const char *name, const char *suffix)
{
	struct gprofx_symtab *table = rows->table;
	size_t length = strnlen(name, rows->name_bytes_left + 1);

	if (length > rows->name_bytes_left)
		return;
	rows->name_bytes_left -= length;
	table->rows.address[table->count] = address;
	table->rows.bytes[table->count] = bytes;
	table->rows.name[table->count] = text_format(run, "%s%s", name, suffix);
	table->rows.flags[table->count++] = GPROFX_SYMBOL_SYNTHETIC | GPROFX_SYMBOL_FUNCTION;
	rows->count++;
}

/*
 * Gives each stub a symbol; calls lead to the function itself if the image has it, else to the
 * first stub of the slot.
 */
static void
add_stub_rows(struct run *run, struct symbols *symbols, const struct stub_list *stubs,
              const uint32_t *slot_rows, struct import_rows *rows)
{
	for (uint32_t i = 0; i < stubs->count; i++) {
		const struct symbol_stub *stub = &stubs->items[i];
		const char *name = symbols->table.slots[slot_rows[stub->slot]].name;
		struct symbol_slot *slot = &symbols->slots[stub->slot];

		if (slot->callee == 0)
			slot->callee = stub->address;
		if (!name)
			name = "*local*";
		rows->imports[rows->count] = (struct symbol_import){
			slot->callee, false, symbols->table.slots[slot_rows[stub->slot]].library};
		add_row(run, rows, stub->address, stub->bytes, name, "@plt");
	}
}

/* Gives each slot that leads nowhere yet a symbol. */
static void
add_slot_rows(struct run *run, struct symbols *symbols, const uint32_t *slot_rows,
              struct import_rows *rows)
{
	for (uint32_t i = 0; i < symbols->slot_count; i++) {
		struct symbol_slot *slot = &symbols->slots[i];
		const char *name = symbols->table.slots[slot_rows[i]].name;

		if (slot->callee != 0 || !name)
			continue;
		slot->callee = slot->address;
		rows->imports[rows->count] = (struct symbol_import){
			slot->address, true, symbols->table.slots[slot_rows[i]].library};
		add_row(run, rows, slot->address, symbols->table.target.pointer_bytes, name,
		        "@got");
	}
}

void
symbols_add_imports(struct run *run, struct symbols *symbols)
{
	struct gprofx_symtab *table = &symbols->table;
	uint16_t machine = table->target.machine;
	struct stub_list stubs = {.public.add = add_stub, .run = run, .symbols = symbols};
	struct import_rows rows = {.table = table, .name_bytes_left = symbols->image.length};
	struct plugin *plugin;
	uint32_t *slot_rows;

	if (!symbols_wants_imports(run) || !table->slots || table->slot_count == 0 ||
	    table->count == 0)
		return;
	plugin = plugin_by_machine(run, machine, plugin_usual_scanner(machine));
	if (!plugin || !plugin->findcall.stubs)
		return;
	slot_rows = sort_slots(run, symbols);
	find_stubs(run, symbols, plugin, &stubs);
	if (symbols->slot_count < UINT32_MAX - table->count &&
	    stubs.count < UINT32_MAX - table->count - symbols->slot_count) {
		uint32_t most = stubs.count + symbols->slot_count;

		symbols_make_room(run, symbols, most);
		memory_array(run, symbols->imports, most);
		symbols->import_first_row = table->count;
		rows.imports = symbols->imports;
		add_stub_rows(run, symbols, &stubs, slot_rows, &rows);
		if (stubs.public.follows_slots && follows_calls(run))
			add_slot_rows(run, symbols, slot_rows, &rows);
		symbols->import_count = rows.count;
	}
	memory_release(run, stubs.items);
	memory_release(run, slot_rows);
}

/*
 * Marks the first stub of each slot whose name some frame has.  They are symbols of a table of
 * their own for that, since most stubs become none.
 */
static void
mark_named(struct run *run, const struct symbols *symbols, const struct stub_list *stubs,
           const uint32_t *slot_rows, const struct stub_needs *needs, bool *is_needed)
{
	struct symbols names = {.image = symbols->image, .table = symbols->table};
	uint64_t left = symbols->image.length;
	uint32_t *stub_of;
	bool *is_known;

	if (needs->named_count == 0)
		return;
	memory_array(run, names.name, stubs->count);
	memory_array(run, names.flags, stubs->count);
	memory_array(run, stub_of, stubs->count);
	memory_array(run, is_known, symbols->slot_count);
	for (uint32_t i = 0; i < stubs->count; i++) {
		uint32_t slot = stubs->items[i].slot;
		const char *name = symbols->table.slots[slot_rows[slot]].name;
		size_t length = name && !is_known[slot] ? strnlen(name, left + 1) : left + 1;

		if (length > left)
			continue;
		left -= length;
		is_known[slot] = true;
		stub_of[names.count] = i;
		names.name[names.count++] = text_format(run, "%s@plt", name);
	}
	symbols_find_by_name(run, &names, needs->named, needs->named_count);
	for (uint32_t i = 0; i < needs->named_count; i++)
		if (needs->named[i].symbol != NO_SYMBOL)
			is_needed[stub_of[needs->named[i].symbol]] = true;
	memory_release(run, (void *)names.name);
	memory_release(run, names.flags);
	memory_release(run, stub_of);
	memory_release(run, is_known);
}

/* Leaves the stubs that samples or frames are in. */
static void
leave_needed(struct run *run, const struct symbols *symbols, struct stub_list *stubs,
             const uint32_t *slot_rows, const struct stub_needs *needs)
{
	uint32_t left = 0;
	bool *is_needed;

	memory_array(run, is_needed, stubs->count);
	mark_named(run, symbols, stubs, slot_rows, needs, is_needed);
	for (uint32_t i = 0; i < stubs->count; i++) {
		const struct symbol_stub *stub = &stubs->items[i];

		if (is_needed[i] || needs->is_hit(needs->hits, stub->address,
		                                  symbols_past(stub->address, stub->bytes)))
			stubs->items[left++] = *stub;
	}
	stubs->count = left;
	memory_release(run, is_needed);
}

/* Whether a section can have stubs that are in no function. */
static bool
can_have_stubs(const struct symbols *symbols, const struct gprofx_code_range *range)
{
	uint16_t machine = symbols->table.target.machine;

	/* Linkers for PowerPC put them into .text. */
	return strncmp(range->name, ".plt", 4) == 0 || strncmp(range->name, ".iplt", 5) == 0 ||
	       strcmp(range->name, ".MIPS.stubs") == 0 || machine == 20 || machine == 21;
}

/* Whether samples or frames can be in any stub. */
static bool
can_be_needed(const struct symbols *symbols, const struct stub_needs *needs)
{
	if (needs->named_count > 0)
		return true;
	for (uint32_t i = 0; i < symbols->table.code_count; i++) {
		const struct gprofx_code_range *range = &symbols->table.code[i];

		if (can_have_stubs(symbols, range) &&
		    needs->is_hit(needs->hits, range->address,
		                  symbols_past(range->address, range->bytes)))
			return true;
	}
	return false;
}

bool
symbols_name_stubs(struct run *run, struct symbols *symbols, const struct stub_needs *needs)
{
	struct gprofx_symtab *table = &symbols->table;
	uint16_t machine = table->target.machine;
	struct stub_list stubs = {.public.add = add_stub, .run = run, .symbols = symbols};
	struct import_rows rows = {.table = table, .name_bytes_left = symbols->image.length};
	struct plugin *plugin;
	uint32_t *slot_rows, before = table->count;

	if (!run_corrects(run, GPROFX_CORRECT_PLT_NAMES) || symbols_wants_imports(run) ||
	    symbols->is_literal || before == 0 || !can_be_needed(symbols, needs))
		return false;
	plugin = plugin_by_machine(run, machine, plugin_usual_scanner(machine));
	if (!plugin || !plugin->findcall.stubs || !read_slots(run, symbols))
		return false;
	slot_rows = sort_slots(run, symbols);
	find_stubs(run, symbols, plugin, &stubs);
	leave_needed(run, symbols, &stubs, slot_rows, needs);
	if (stubs.count > 0 && stubs.count < UINT32_MAX - before) {
		symbols_make_room(run, symbols, stubs.count);
		memory_array(run, symbols->imports, stubs.count);
		symbols->import_first_row = before;
		rows.imports = symbols->imports;
		add_stub_rows(run, symbols, &stubs, slot_rows, &rows);
		symbols->import_count = rows.count;
		symbols_add_rows(run, symbols, before);
	}
	memory_release(run, stubs.items);
	memory_release(run, slot_rows);
	return rows.count > 0;
}

void
symbols_end_imports(struct symbols *symbols)
{
	if (symbols->import_count == 0)
		return;
	for (uint32_t i = 0; i < symbols->count; i++) {
		uint64_t past;

		if (symbols_import(symbols, i))
			past = symbols_past(symbols->address[i], symbols->bytes[i]);
		else if (i + 1 < symbols->count && symbols_import(symbols, i + 1))
			past = symbols_code_end(symbols, symbols->address[i]);
		else
			continue;
		if (past > symbols->address[i] && past - 1 < symbols->end[i])
			symbols->end[i] = past - 1;
	}
}

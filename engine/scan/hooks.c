/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imported functions by which others notify the profiling runtime that they were called.  Compilers
 * put a call of one into each function that is profiled; no source has it, and none is ever
 * counted.  Where the program has the collector in itself it is a function like others, also to GNU
 * gprof.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "scan/parts.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

/*
 * Without what compilers and systems put before the name: mcount, _mcount, __mcount, .mcount (the
 * BSDs), ._mcount (the code on 64-bit PowerPC), __fentry__ (x86 and s390x), __gnu_mcount_nc (ARM).
 */
static const char *const names[] = {"mcount", "fentry__", "gnu_mcount_nc"};

bool
scan_is_hook(const char *name)
{
	/* What is imported has the table's name behind its own: mcount@got. */
	name += strspn(name, "._");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t length = strlen(names[i]);

		if (name[0] == names[i][0] && strncmp(name, names[i], length) == 0 &&
		    (name[length] == '\0' || name[length] == '@'))
			return true;
	}
	return false;
}

uint64_t *
scan_hooks(struct run *run, const struct symbols *symbols)
{
	uint64_t *bits = NULL;

	for (uint32_t i = 0; i < symbols->count; i++) {
		if (!symbols_import(symbols, i) || !scan_is_hook(symbols->name[i]))
			continue;
		if (!bits)
			memory_array(run, bits, symbols->count / 64 + 1);
		bits[i / 64] |= (uint64_t)1 << i % 64;
	}
	return bits;
}

/* Whether the loader writes the address of a profiling function into a slot. */
static bool
is_hook_slot(const struct symbols *symbols, const uint64_t *named, uint32_t count, uint32_t slot)
{
	uint64_t address = symbols->slots[slot].address;
	uint32_t up_to = sorted_up_to(named, count, address);

	return up_to > 0 && named[up_to - 1] == address;
}

struct scan_imports
scan_imports(struct run *run, struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	struct scan_imports imports = {0};
	uint32_t stub_count, named_count = 0, *ids;
	struct symbol_stub *stubs;
	uint64_t *named;
	bool *is_hook;

	symbols_find_slots(run, symbols);
	memory_array(run, named, table->slot_count);
	for (uint32_t i = 0; i < table->slot_count && symbols->slot_count > 0; i++)
		if (table->slots[i].name && scan_is_hook(table->slots[i].name))
			named[named_count++] = table->slots[i].address;
	stubs = symbols_stubs(run, symbols, &stub_count);
	imports.count = symbols->slot_count + stub_count;
	imports.has_hook = named_count > 0;
	memory_array(run, ids,
	             imports.count > table->slot_count ? imports.count : table->slot_count);
	sort_ascending(run, named, ids, named_count);
	memory_array(run, imports.address, imports.count);
	memory_array(run, imports.is_hook, imports.count);
	memory_array(run, is_hook, imports.count);
	for (uint32_t i = 0; i < imports.count; i++) {
		bool is_slot = i < symbols->slot_count;
		uint32_t slot = is_slot ? i : stubs[i - symbols->slot_count].slot;

		ids[i] = i;
		imports.address[i] = is_slot ? symbols->slots[i].address
		                             : stubs[i - symbols->slot_count].address;
		is_hook[i] = is_hook_slot(symbols, named, named_count, slot);
	}
	sort_ascending(run, imports.address, ids, imports.count);
	for (uint32_t i = 0; i < imports.count; i++)
		imports.is_hook[i] = is_hook[ids[i]];
	memory_release(run, is_hook);
	memory_release(run, named);
	memory_release(run, ids);
	return imports;
}

void
scan_find_imports(struct run *run, struct scan *scan, struct symbols *symbols)
{
	if (scan->imports.count == 0 && symbols_have_image(symbols))
		scan->imports = scan_imports(run, symbols);
}

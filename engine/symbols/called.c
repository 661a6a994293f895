/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local symbols without a type and a size, and with names that assemblers make of labels, as
 * f.loop: those that some direct call leads to are functions all the same.  The code is looked at
 * only if there are any such symbols.
 */
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "symbols/parts.h"
#include "symbols/symbols.h"

/* A call of what stands right behind it only finds out where it is. */
enum { LONGEST_CALL = 8 };

/* Symbols in question; what scanners get, and what they give. */
struct candidates {
	struct gprofx_entries entries; /* first */
	struct symbols *symbols;
	uint64_t *address; /* ascending */
	uint32_t *row;
	uint32_t count;
};

struct called {
	struct gprofx_calls calls; /* first */
	struct candidates *candidates;
};

static bool
is_candidate(const struct gprofx_entries *entries, uint64_t address)
{
	const struct candidates *candidates = (const struct candidates *)entries;
	uint32_t up_to = sorted_up_to(candidates->address, candidates->count, address);

	return up_to > 0 && candidates->address[up_to - 1] == address;
}

static void
take_calls(struct gprofx_calls *public, const struct gprofx_found_call *found, uint32_t count)
{
	struct candidates *candidates = ((struct called *)public)->candidates;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t to = found[i].to;
		uint32_t at;

		if (found[i].kind != GPROFX_CALL_DIRECT || to - found[i].from <= LONGEST_CALL)
			continue;
		at = sorted_up_to(candidates->address, candidates->count, to);
		/* Those of one address are kept together, by the first call that leads there. */
		for (; at > 0 && candidates->address[at - 1] == to; at--) {
			uint8_t *fate = &candidates->symbols->fate[candidates->row[at - 1]];

			if (*fate == FATE_KEPT)
				break;
			*fate = FATE_KEPT;
		}
	}
}

static void
scan(const struct symbols *symbols, const struct plugin *plugin, void *worker,
     const struct gprofx_scanned_image *image, struct candidates *candidates)
{
	struct called called = {{take_calls}, candidates};

	for (uint32_t i = 0; i < symbols->table.code_count; i++) {
		const struct gprofx_code_range *range = &symbols->table.code[i];
		struct gprofx_code code = {
			.size = sizeof code,
			.byte_count = range->bytes,
			.readable = range->bytes,
			.address = range->address,
			.image = image,
			.entries = &candidates->entries,
			.section = range->name,
		};

		if (!symbols_has_code(symbols, range))
			continue;
		code.bytes = symbols->image.bytes + range->file_offset;
		plugin->findcall.scan(worker, &code, &called.calls);
	}
}

static void
list_candidates(struct run *run, struct symbols *symbols, uint32_t count,
                struct candidates *candidates)
{
	memory_array(run, candidates->address, count);
	memory_array(run, candidates->row, count);
	for (uint32_t i = 0; i < symbols->table.count && candidates->count < count; i++) {
		if (symbols->fate[i] != FATE_UNCALLED)
			continue;
		candidates->address[candidates->count] = symbols->table.rows.address[i];
		candidates->row[candidates->count++] = i;
	}
	sort_ascending(run, candidates->address, candidates->row, candidates->count);
}

void
symbols_find_called(struct run *run, struct symbols *symbols, uint32_t count)
{
	uint16_t machine = symbols->table.target.machine;
	const struct gprofx_scanned_image image = symbols_scanned_image(symbols);
	struct candidates candidates = {.entries = {.begins = is_candidate}, .symbols = symbols};
	bool errors_were_warnings = run->errors_are_warnings;
	enum gprofx_result result = GPROFX_OK;
	struct plugin *plugin;
	void *worker = NULL;

	/* The report can do without: what is not known to be called stays left out. */
	run->errors_are_warnings = true;
	plugin = plugin_by_machine(run, machine, plugin_usual_scanner(machine));
	if (plugin && plugin->findcall.worker_open)
		result = plugin->findcall.worker_open(&run->gx, &image, plugin->options, &worker);
	run->errors_are_warnings = errors_were_warnings;
	if (!plugin || result != GPROFX_OK)
		return;
	list_candidates(run, symbols, count, &candidates);
	run_doing(run, "looking for calls with %s", plugin->descriptor.name);
	scan(symbols, plugin, worker, &image, &candidates);
	run_doing_nothing(run);
	if (plugin->findcall.worker_close)
		plugin->findcall.worker_close(&run->gx, worker);
	memory_release(run, candidates.address);
	memory_release(run, candidates.row);
}

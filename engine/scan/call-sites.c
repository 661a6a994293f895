/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the calls that return to given addresses: in the functions that lie there, since code is
 * decoded from a function's entry on.  Or all calls of given functions, wherever they lead to.
 */
#include <string.h>

#include "base/loose.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/run.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "scan/parts.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

enum {
	LONGEST_CALL = 32,  /* no call begins farther before where it returns */
	WORKER_PIECES = 512 /* so many are worth another worker */
};

struct looking;

/* What is looked for: calls of functions that return to given addresses, jumps to functions, or
 * every call. */
enum sought { SOUGHT_CALLS, SOUGHT_JUMPS, SOUGHT_ALL_CALLS };

/* A worker, with what it found. */
struct looker {
	struct gprofx_calls public; /* first */
	const struct looking *looking;
	void *state;             /* the plugin's */
	struct loose_list found; /* of struct call_site */
};

struct looking {
	struct gprofx_entries entries; /* first */
	const struct scanner *scanner;
	const struct scan_windows *windows;
	enum sought sought;
	struct scan_pieces pieces;
	struct looker lookers[PARALLEL_MOST_WORKERS];
};

static bool
is_function(const struct gprofx_entries *entries, uint64_t address)
{
	const struct symbols *symbols = ((const struct looking *)entries)->scanner->symbols;
	uint32_t symbol = symbols_at(symbols, address);

	return symbol != NO_SYMBOL && !(symbols->flags[symbol] & SYMBOL_LINE);
}

static bool
is_anything(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	(void)address;
	return true;
}

/* Whether any address in question is at least "low" and at most "high". */
static bool
are_wanted(const struct scan_windows *windows, uint64_t low, uint64_t high)
{
	uint32_t begun = sorted_up_to(windows->first, windows->count, high);

	return begun > 0 && windows->last[begun - 1] >= low;
}

static bool
is_sought(const struct looking *looking, const struct gprofx_found_call *row)
{
	uint64_t back = row->from + row->returns;

	if (looking->sought == SOUGHT_JUMPS || row->kind == GPROFX_CALL_TAIL)
		return looking->sought == SOUGHT_JUMPS && row->kind == GPROFX_CALL_TAIL;
	return row->returns != GPROFX_NO_RETURN &&
	       (looking->sought == SOUGHT_ALL_CALLS || are_wanted(looking->windows, back, back));
}

static void
add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct looker *looker = (struct looker *)public;

	for (const struct gprofx_found_call *row = rows; row < rows + count; row++) {
		bool is_jump = row->kind == GPROFX_CALL_TAIL;
		const struct call_site site = {row->from + (is_jump ? 0 : row->returns), row->from,
		                               row->to, row->kind == GPROFX_CALL_INDIRECT, true};

		if (is_sought(looker->looking, row))
			loose_add(&looker->found, &site, sizeof site, 1);
	}
}

static void
look(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	struct looking *looking = argument;
	struct looker *looker = &looking->lookers[worker];

	for (uint32_t i = begin; i < end; i++) {
		const struct scan_piece *piece = &looking->pieces.items[i];
		const struct gprofx_code code = scan_code(looking->scanner, &looking->pieces, piece,
		                                          &looking->entries);

		looking->scanner->plugin->findcall.scan(looker->state, &code, &looker->public);
	}
}

/* Leaves the pieces in which a call in question can stand. */
static void
keep_wanted(struct scan_pieces *pieces, const struct scan_windows *windows)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < pieces->count; i++) {
		const struct scan_piece *piece = &pieces->items[i];
		uint64_t past = symbols_past(piece->address, piece->byte_count);

		if (are_wanted(windows, piece->address, symbols_past(past, LONGEST_CALL)))
			pieces->items[kept++] = *piece;
	}
	pieces->count = kept;
}

/* Moves what was found into the run's memory, in order. */
static struct call_sites
settle(struct run *run, struct looking *looking, uint32_t workers)
{
	struct call_sites sites = {0};
	struct call_site *found;
	uint64_t *keys, count = 0;
	bool failed = false;
	uint32_t *ids;

	for (uint32_t i = 0; i < workers; i++) {
		count += looking->lookers[i].found.count;
		failed = failed || looking->lookers[i].found.failed;
	}
	found = failed || count >= UINT32_MAX ? NULL : memory_try(run, count * sizeof *found);
	for (uint32_t i = 0; i < workers; i++) {
		struct loose_list *list = &looking->lookers[i].found;

		if (found && list->count > 0)
			memcpy(found + sites.count, list->items, list->count * sizeof *found);
		sites.count += (uint32_t)list->count;
		loose_free(list);
	}
	if (!found)
		memory_exhausted(run, count * sizeof *found);
	memory_array(run, keys, sites.count);
	memory_array(run, ids, sites.count);
	memory_array(run, sites.items, sites.count);
	for (uint32_t i = 0; i < sites.count; i++) {
		keys[i] = found[i].back;
		ids[i] = i;
	}
	sort_ascending(run, keys, ids, sites.count);
	for (uint32_t i = 0; i < sites.count; i++)
		sites.items[i] = found[ids[i]];
	memory_release(run, keys);
	memory_release(run, ids);
	memory_release(run, found);
	return sites;
}

static struct call_sites
look_for(struct run *run, struct scanner *scanner, const struct scan_windows *windows,
         enum sought sought)
{
	const struct gprofx_findcall *findcall = &scanner->plugin->findcall;
	bool errors_were_warnings = run->errors_are_warnings, is_open = true;
	struct looking *looking = memory_alloc(run, sizeof *looking);
	struct call_sites sites;
	uint32_t workers;

	looking->entries.begins = sought == SOUGHT_ALL_CALLS ? is_anything : is_function;
	looking->scanner = scanner;
	looking->windows = windows;
	looking->sought = sought;
	if (sought == SOUGHT_ALL_CALLS) {
		looking->pieces = scan_pieces_in(run, scanner->symbols, windows);
	} else {
		looking->pieces = scan_pieces(run, scanner->symbols, NULL, false);
		keep_wanted(&looking->pieces, windows);
	}
	workers = parallel_workers(run, looking->pieces.count, WORKER_PIECES);
	run_doing(run, "looking for callers with %s", scanner->plugin->descriptor.name);
	run->errors_are_warnings = true;
	for (uint32_t i = 0; i < workers; i++) {
		struct looker *looker = &looking->lookers[i];

		looker->public.add = add;
		looker->looking = looking;
		looker->state = i == 0 ? scanner->worker : NULL;
		if (i > 0 && findcall->worker_open)
			is_open = is_open && findcall->worker_open(&run->gx, &scanner->image,
			                                           scanner->plugin->options,
			                                           &looker->state) == GPROFX_OK;
	}
	run->errors_are_warnings = errors_were_warnings;
	if (is_open)
		parallel_loop(run, looking->pieces.count, workers, look, looking);
	/* The first one lives as long as the scanner. */
	for (uint32_t i = 1; i < workers; i++)
		if (findcall->worker_close && looking->lookers[i].state)
			findcall->worker_close(&run->gx, looking->lookers[i].state);
	run_doing_nothing(run);
	sites = settle(run, looking, workers);
	memory_release(run, looking->pieces.items);
	memory_release(run, looking->pieces.marks);
	memory_release(run, looking);
	return sites;
}

struct call_sites
scan_sites(struct run *run, struct scanner *scanner, const struct scan_windows *windows)
{
	return look_for(run, scanner, windows, SOUGHT_CALLS);
}

struct call_sites
scan_jumps(struct run *run, struct scanner *scanner, const struct scan_windows *windows)
{
	return look_for(run, scanner, windows, SOUGHT_JUMPS);
}

struct call_sites
scan_all_calls(struct run *run, struct scanner *scanner, const struct scan_windows *windows)
{
	return look_for(run, scanner, windows, SOUGHT_ALL_CALLS);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans the code, by several threads, and finds out which functions the calls are between.  Tasks
 * are pieces side by side; what they find is put together in their order.
 */
#include <string.h>

#include "base/loose.h"
#include "base/mapfile.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/run.h"
#include "graph/arcs.h"
#include "graph/graph.h"
#include "plugin/plugins.h"
#include "profile/profile.h"
#include "scan/parts.h"
#include "static/static.h"
#include "select/filters.h"
#include "symbols/symbols.h"

/* So that a task is worth a thread, and the last one is not waited for. */
enum { TASK_BYTES = 1 << 18, MOST_BETWEEN = 4096, SEEN_CALLS = 64, WAITING_CALLS = 32 };

struct scanning;

struct finder {
	struct gprofx_calls public; /* first */
	const struct scanning *scanning;
	void *worker; /* the plugin's */
	/* Under way, of those from the first to the last that were passed. */
	const struct scan_piece *piece, *first, *last;
	uint32_t line; /* the symbol that the call before stands in, or NO_SYMBOL */
	/* What symbols they lead to is fetched for all of them first. */
	struct gprofx_found_call waiting[WAITING_CALLS];
	uint32_t waiting_of[WAITING_CALLS]; /* the symbols of their pieces */
	uint32_t waiting_count;
	struct loose_list found; /* of struct static_call */
	/* Calls that were found before, each at a place of its own or that of another one. */
	struct seen_call {
		uint64_t to;
		uint32_t kind, of; /* its symbol, plus 1 */
	} seen[SEEN_CALLS];
};

struct scanning {
	const struct scanner *scanner;
	const struct filters *filters;
	struct scan_entries entries;
	struct arc_rules rules;
	uint64_t *hooks; /* scan_hooks() */
	struct scan_pieces pieces;
	const struct mapped_file *file; /* of the image; NULL: not known */
	uint32_t *first;                /* piece of each task; one more at the end */
	struct finder *finders;
	struct loose_list all; /* likewise */
	bool wants_all;        /* calls of a function, those that it made before, too */
};

/*
 * The symbol that a transfer leads to: where it goes through the PLT or GOT the function itself, if
 * that is a symbol, else what stands for it; *kinds is changed.
 */
static uint32_t
follow(const struct symbols *symbols, const struct gprofx_found_call *row, uint8_t *kinds)
{
	const struct symbol_slot *slot;
	const struct symbol_import *import;
	uint32_t symbol, own;

	if (*kinds == GPROFX_STATIC_GOT) {
		slot = symbols_slot(symbols, row->to);
		return symbols_at(symbols, slot ? slot->callee : row->to);
	}
	symbol = symbols_at(symbols, row->to);
	import = symbol == NO_SYMBOL ? NULL : symbols_import(symbols, symbol);
	if (!import)
		return symbol;
	if (*kinds != GPROFX_STATIC_POINTER)
		*kinds = GPROFX_STATIC_PLT;
	own = symbols_at(symbols, import->callee);
	return own != NO_SYMBOL ? own : symbol;
}

/* The symbol that a call stands in: mostly the one of the call before. */
static uint32_t
symbol_around(struct finder *finder, uint64_t from)
{
	const struct symbols *symbols = finder->scanning->scanner->symbols;
	uint32_t line = finder->line;

	if (line != NO_SYMBOL && symbols->address[line] <= from && from <= symbols->end[line] &&
	    from < symbols->address[line + 1])
		return line;
	return finder->line = symbols_lookup(symbols, from);
}

/* Whether by this call a function notifies the profiling runtime that it was called itself. */
static bool
is_hooked(const struct scanning *scanning, uint32_t callee)
{
	return scanning->hooks && callee < scanning->scanner->symbols->count &&
	       (scanning->hooks[callee / 64] >> callee % 64 & 1) != 0;
}

/* Between which functions a call in a symbol's code is; false: it is none that counts. */
static bool
resolve(struct finder *finder, const struct gprofx_found_call *row, uint32_t symbol,
        struct static_call *call)
{
	static const uint8_t kinds[] = {
		[GPROFX_CALL_DIRECT] = GPROFX_STATIC_CALL,
		[GPROFX_CALL_INDIRECT] = GPROFX_STATIC_INDIRECT,
		[GPROFX_CALL_TAIL] = GPROFX_STATIC_TAIL,
		[GPROFX_CALL_SLOT] = GPROFX_STATIC_GOT,
		[GPROFX_CALL_SLOT_TAIL] = GPROFX_STATIC_GOT,
		[GPROFX_CALL_POINTER] = GPROFX_STATIC_POINTER,
	};
	const struct scanning *scanning = finder->scanning;
	const struct symbols *symbols = scanning->scanner->symbols;
	bool is_indirect = row->kind == GPROFX_CALL_INDIRECT;
	uint32_t line;

	if (row->kind >= sizeof kinds)
		return false;
	*call = (struct static_call){
		.caller = symbol,
		.callee = symbols_indirect(symbols),
		.line = symbol,
		.kinds = kinds[row->kind],
	};
	if (scanning->scanner->image.strict) {
		if (!is_indirect)
			call->callee = symbols_at(symbols, row->to);
		return call->callee != NO_SYMBOL;
	}
	line = symbol_around(finder, row->from);
	if (line == NO_SYMBOL)
		return false;
	if (is_indirect) {
		call->caller = symbols_function(symbols, line);
	} else {
		call->callee = follow(symbols, row, &call->kinds);
		/* A function that jumps to its own begin is a loop. */
		if (call->callee == NO_SYMBOL ||
		    (call->callee == symbol &&
		     (row->kind == GPROFX_CALL_TAIL || row->kind == GPROFX_CALL_SLOT_TAIL)))
			return false;
		call->caller = line;
		arcs_between(&scanning->rules, true, &call->caller, &call->callee);
		if (call->callee == NO_SYMBOL || is_hooked(scanning, call->callee))
			return false;
	}
	call->line = symbols->whole ? symbols_first_piece(symbols, line) : call->caller;
	return arcs_keep(scanning->filters, symbols, call->line, call->caller, call->callee);
}

/* Whether the function made the same call before: many do, and once is enough. */
static bool
was_seen(struct finder *finder, const struct gprofx_found_call *row)
{
	uint32_t symbol = finder->piece->symbol;
	struct seen_call *seen = &finder->seen[(row->to * 0x9e3779b97f4a7c15u >> 32) % SEEN_CALLS];

	if (seen->to == row->to && seen->kind == row->kind && seen->of == symbol + 1)
		return true;
	*seen = (struct seen_call){row->to, row->kind, symbol + 1};
	return false;
}

/* Resolves the calls that wait. */
static void
resolve_all(struct finder *finder)
{
	const struct symbols *symbols = finder->scanning->scanner->symbols;

	for (uint32_t i = 0; i < finder->waiting_count; i++)
		symbols_fetch(symbols, finder->waiting[i].to);
	for (uint32_t i = 0; i < finder->waiting_count; i++) {
		struct static_call call;

		if (resolve(finder, &finder->waiting[i], finder->waiting_of[i], &call))
			loose_add(&finder->found, &call, sizeof call, 1);
	}
	finder->waiting_count = 0;
}

static void
add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct finder *finder = (struct finder *)public;

	for (uint32_t i = 0; i < count; i++) {
		while (finder->piece > finder->first && rows[i].from < finder->piece->address)
			finder->piece--;
		while (finder->piece < finder->last && rows[i].from >= finder->piece[1].address)
			finder->piece++;
		if (!finder->scanning->wants_all && was_seen(finder, &rows[i]))
			continue;
		symbols_fetch_block(finder->scanning->scanner->symbols, rows[i].to);
		finder->waiting_of[finder->waiting_count] = finder->piece->symbol;
		finder->waiting[finder->waiting_count++] = rows[i];
		if (finder->waiting_count == WAITING_CALLS)
			resolve_all(finder);
	}
}

/*
 * The code is not needed any more, and all of it together can be more than the rest of the run.
 * What lies between two functions is code as well, where it is little.
 */
static void
let_go(const struct scanning *scanning, uint32_t first, uint32_t end)
{
	const struct scan_piece *pieces = scanning->pieces.items;

	for (uint32_t next; scanning->file && first < end; first = next) {
		const uint8_t *begin = pieces[first].bytes, *past = begin;

		for (next = first; next < end && pieces[next].bytes >= past &&
		                   pieces[next].bytes - past < MOST_BETWEEN;
		     next++)
			past = pieces[next].bytes + pieces[next].byte_count;
		mapfile_let_go(scanning->file, begin, (size_t)(past - begin));
	}
}

/*
 * The last one of the pieces, from one on and below another, that a scanner takes as one.  Sections
 * can have the same name and stand side by side: then what can be read ends elsewhere.
 */
static const struct scan_piece *
last_of_run(const struct scanning *scanning, uint32_t first, uint32_t end)
{
	const struct scan_piece *piece = &scanning->pieces.items[first];
	uint32_t step = scanning->scanner->plugin->findcall.step;
	bool takes_more = step > 0 && !scanning->scanner->image.strict &&
	                  scanning->entries.begin_bits.bits && piece->address % step == 0;

	for (; takes_more && first + 1 < end; first++, piece++)
		if (piece[1].bytes != piece->bytes + piece->byte_count ||
		    piece[1].address != piece->address + piece->byte_count ||
		    piece[1].readable != piece->readable - piece->byte_count ||
		    piece[1].address % step != 0 || piece[1].section != piece->section)
			break;
	return piece;
}

static void
scan_task(void *argument, uint32_t worker, uint32_t task)
{
	const struct scanning *scanning = argument;
	const struct scan_pieces *pieces = &scanning->pieces;
	struct finder *finder = &scanning->finders[worker];
	uint32_t end = scanning->first[task + 1];

	for (uint32_t i = scanning->first[task]; i < end; i++) {
		const struct scan_piece *piece = &pieces->items[i];
		struct gprofx_code code = scan_code(scanning->scanner, pieces, piece,
		                                    &scanning->entries.public);

		finder->first = finder->piece = piece;
		finder->last = last_of_run(scanning, i, end);
		i = (uint32_t)(finder->last - pieces->items);
		code.byte_count = finder->last->address + finder->last->byte_count - piece->address;
		code.mark_count = finder->last->mark_first + finder->last->mark_count -
		                  piece->mark_first;
		if (scanning->entries.begin_bits.bits)
			code.begin_bits = &scanning->entries.begin_bits;
		scanning->scanner->plugin->findcall.scan(finder->worker, &code, &finder->public);
		resolve_all(finder);
	}
	let_go(scanning, scanning->first[task], scanning->first[task + 1]);
}

static void
merge_task(void *argument, uint32_t worker, uint32_t task)
{
	struct scanning *scanning = argument;
	struct loose_list *found = &scanning->finders[worker].found;

	(void)task;
	loose_add(&scanning->all, found->items, sizeof(struct static_call), found->count);
	scanning->all.failed = scanning->all.failed || found->failed;
	found->count = 0;
}

/* Divides the pieces; returns the number of tasks. */
static uint32_t
divide(struct run *run, struct scanning *scanning)
{
	const struct scan_pieces *pieces = &scanning->pieces;
	uint64_t bytes = TASK_BYTES;
	uint32_t count = 0;

	memory_array(run, scanning->first, (size_t)pieces->count + 1);
	for (uint32_t i = 0; i < pieces->count; i++) {
		if (bytes >= TASK_BYTES) {
			scanning->first[count++] = i;
			bytes = 0;
		}
		bytes += pieces->items[i].byte_count;
	}
	scanning->first[count] = pieces->count;
	return count;
}

static enum gprofx_result
open_workers(struct run *run, struct scanning *scanning, uint32_t count)
{
	const struct scanner *scanner = scanning->scanner;
	const struct gprofx_findcall *findcall = &scanner->plugin->findcall;
	enum gprofx_result result = GPROFX_OK;

	memory_array(run, scanning->finders, count);
	for (uint32_t i = 0; i < count; i++) {
		struct finder *finder = &scanning->finders[i];

		finder->public.add = add;
		finder->scanning = scanning;
		finder->worker = i == 0 ? scanner->worker : NULL;
		if (i > 0 && findcall->worker_open && result == GPROFX_OK)
			result = findcall->worker_open(&run->gx, &scanner->image,
			                               scanner->plugin->options, &finder->worker);
	}
	return result;
}

static void
close_workers(struct run *run, const struct scanning *scanning, uint32_t count)
{
	const struct gprofx_findcall *findcall = &scanning->scanner->plugin->findcall;

	for (uint32_t i = 0; i < count; i++) {
		if (findcall->worker_close && scanning->finders[i].worker)
			findcall->worker_close(&run->gx, scanning->finders[i].worker);
		loose_free(&scanning->finders[i].found);
	}
}

/* Moves what was found into the run's memory. */
static struct static_calls
settle(struct run *run, struct loose_list *all)
{
	struct static_calls calls = {.count = (uint32_t)all->count};
	size_t bytes = all->count * sizeof *calls.items;

	calls.items = all->failed || all->count >= UINT32_MAX ? NULL : memory_try(run, bytes);
	if (calls.items && bytes > 0)
		memcpy(calls.items, all->items, bytes);
	loose_free(all);
	if (!calls.items)
		memory_exhausted(run, bytes);
	return calls;
}

struct static_calls
static_find_calls(struct run *run, struct scanner *scanner, const struct filters *filters,
                  const struct profile *profile)
{
	bool strict = scanner->image.strict;
	struct scanning scanning = {
		.scanner = scanner,
		.filters = filters,
		.entries = scan_entries(run, scanner->symbols, strict ? profile : NULL),
		.file = mapfile_of(run, scanner->symbols->image.bytes),
		.pieces = scan_pieces(run, scanner->symbols, profile, strict),
		.wants_all = run->settings->by_line || run_traces(run, GPROFX_TRACE_STATIC_CALLS),
	};
	uint32_t tasks = divide(run, &scanning), workers = parallel_workers(run, tasks, 1);
	struct static_calls calls;

	if (!strict) {
		scanning.rules = arcs_rules(run, scanner->symbols);
		scanning.hooks = scan_hooks(run, scanner->symbols);
	}
	run_doing(run, "looking for calls with %s", scanner->plugin->descriptor.name);
	if (open_workers(run, &scanning, workers) == GPROFX_OK)
		parallel_ordered(run, tasks, workers, scan_task, merge_task, &scanning);
	close_workers(run, &scanning, workers);
	calls = settle(run, &scanning.all);
	run_doing_nothing(run);
	for (uint32_t i = 0; i < calls.count && run_traces(run, GPROFX_TRACE_STATIC_CALLS); i++)
		run_trace(run, "code of %s calls %s", scanner->symbols->name[calls.items[i].caller],
		          scanner->symbols->name[calls.items[i].callee]);
	memory_release(run, (void *)scanning.entries.begin_bits.bits);
	memory_release(run, scanning.pieces.items);
	memory_release(run, scanning.pieces.marks);
	memory_release(run, scanning.first);
	memory_release(run, scanning.finders);
	memory_release(run, (void *)scanning.rules.function_of);
	memory_release(run, scanning.hooks);
	return calls;
}

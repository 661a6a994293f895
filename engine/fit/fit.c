/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the arcs to check and has those functions decoded whose bytes do not show enough. */
#include "fit/fit.h"

#include <elf.h>

#include "base/memory.h"
#include "base/sort.h"
#include "fit/parts.h"
#include "profile/copies.h"

enum {
	MOST_ARCS = 1024,       /* checked, about */
	MOST_BEFORE = 64 << 10, /* bytes decoded to reach an address in a function */
	MOST_BYTES = 4 << 20,   /* decoded in all */
	FEW_BYTES = 256 << 10   /* likewise, if only call sites are left to check */
};

bool
fit_extent(const struct fitting *fitting, uint64_t address, struct fit_extent *extent)
{
	const struct symbols *symbols = fitting->symbols;
	uint32_t symbol = symbols_lookup(symbols, address), next;
	uint64_t end = symbols_code_end(symbols, address), past;

	if (symbol == NO_SYMBOL || end == address || !symbols_is_program(symbols, address))
		return false;
	while (symbol > 0 && (symbols->flags[symbol] & SYMBOL_LINE))
		symbol--;
	if (symbols_import(symbols, symbol))
		return false;
	next = symbol + 1;
	while (next < symbols->count && (symbols->flags[next] & SYMBOL_LINE))
		next++;
	extent->next = next < symbols->count ? symbols->address[next] : end;
	end = extent->next < end ? extent->next : end;
	past = symbols_past(symbols->address[symbol], symbols->bytes[symbol]);
	extent->is_gap = symbols->bytes[symbol] > 0 && address >= past;
	extent->first = extent->is_gap ? past : symbols->address[symbol];
	if (!extent->is_gap && symbols->bytes[symbol] > 0 && past < end)
		end = past;
	extent->last = end - 1;
	return end > address && address - extent->first < MOST_BEFORE;
}

const struct call_site *
fit_call_at(const struct fitting *fitting, uint64_t address)
{
	const struct scan_decoded *decoded = fitting->decoded;
	uint32_t up_to = scan_calls_above(decoded, address);

	return up_to > 0 && decoded->backs[up_to - 1] == address ? &decoded->calls.items[up_to - 1]
	                                                         : NULL;
}

/* All arcs of some callees, chosen by a hash of their addresses. */
static void
choose_arcs(struct fitting *fitting)
{
	uint32_t part = fitting->given_count / MOST_ARCS + 1, *ids, count = 0;
	uint64_t *keys;

	memory_array(fitting->run, ids, fitting->given_count);
	memory_array(fitting->run, keys, fitting->given_count);
	for (uint32_t i = 0; i < fitting->given_count; i++) {
		const struct gprofx_raw_arc *arc = &fitting->given[i];

		if (arc->count == 0 ||
		    (part > 1 && (arc->self * 0x9e3779b97f4a7c15u >> 32) % part != 0))
			continue;
		keys[count] = arc->self & ~fitting->mode_bit;
		ids[count++] = i;
	}
	sort_ascending(fitting->run, keys, ids, count);
	/* One callee can have any number of arcs. */
	count = count < 4 * MOST_ARCS ? count : 4 * MOST_ARCS;
	memory_array(fitting->run, fitting->arcs, count);
	memory_array(fitting->run, fitting->callees, count);
	for (uint32_t i = 0; i < count; i++) {
		struct fit_callee *last = fitting->callees + fitting->callee_count;
		bool is_same = fitting->callee_count > 0 && last[-1].address == keys[i];

		if (!is_same && !fit_extent(fitting, keys[i], &last->extent))
			continue;
		fitting->arcs[fitting->arc_count++] = (struct fit_arc){fitting->given[ids[i]].from,
		                                                       keys[i], FIT_UNASKED};
		if (is_same) {
			last[-1].arc_count++;
			continue;
		}
		last->address = keys[i];
		last->first_arc = fitting->arc_count - 1;
		last->arc_count = 1;
		last->symbol = symbols_lookup(fitting->symbols, keys[i]);
		fitting->callee_count++;
	}
	memory_release(fitting->run, ids);
	memory_release(fitting->run, keys);
}

bool
fit_decode(struct fitting *fitting, uint64_t *addresses, uint64_t *more, uint32_t count)
{
	const struct scan_decoded *decoded;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = addresses[i], rest;
		struct fit_extent extent;

		if (!fit_extent(fitting, address, &extent))
			continue;
		rest = extent.last - address;
		addresses[kept] = extent.first;
		more[kept++] = address + (rest < more[i] ? rest : more[i]);
	}
	fitting->is_partial = !scan_decode(fitting->run, fitting->scan, addresses, more, kept,
	                                   &fitting->bytes_left, &decoded);
	if (!decoded)
		return false;
	fitting->decoded = decoded;
	return true;
}

/* Has the functions decoded whose bytes did not show enough; false: there is no scanner. */
static bool
decode_rest(struct fitting *fitting)
{
	uint64_t *addresses, *more;
	uint32_t count = 0;
	bool could = true;

	memory_array(fitting->run, addresses, (size_t)2 * fitting->arc_count);
	memory_array(fitting->run, more, (size_t)2 * fitting->arc_count);
	for (uint32_t i = 0; i < fitting->callee_count; i++) {
		const struct fit_callee *callee = &fitting->callees[i];

		if (!callee->is_proven) {
			addresses[count] = callee->address;
			more[count++] = FIT_ENTRY_BYTES;
		}
		for (uint32_t k = 0; k < callee->arc_count; k++) {
			const struct fit_arc *arc = &fitting->arcs[callee->first_arc + k];

			if (arc->verdict != FIT_UNASKED)
				continue;
			addresses[count] = arc->from & ~fitting->mode_bit;
			more[count++] = FIT_ROUNDED - 1;
		}
	}
	if (count > 0)
		could = fit_decode(fitting, addresses, more, count);
	memory_release(fitting->run, addresses);
	memory_release(fitting->run, more);
	return could;
}

/* Judges arcs together; what is known of the image stays from one time to the next. */
static void
judge(struct fitting *fitting, const struct gprofx_raw_arc *arcs, uint32_t count)
{
	bool are_proven;

	fitting->given = arcs;
	fitting->given_count = count;
	fitting->arc_count = fitting->callee_count = 0;
	fitting->common = 0;
	fitting->may_be_any = false;
	fitting->found = (struct fit){0};
	choose_arcs(fitting);
	if (fit_can_tell(fitting)) {
		are_proven = fit_prove_callees(fitting);
		fit_settle_arcs(fitting);
		fitting->bytes_left = are_proven ? FEW_BYTES : MOST_BYTES;
		if (decode_rest(fitting)) {
			fit_find_hooks(fitting);
			fit_check_callees(fitting);
			fit_check_sites(fitting);
			if (!fitting->found.has_hook && !fitting->is_partial)
				fit_check_unprofiled(fitting);
		}
	}
	memory_release(fitting->run, fitting->arcs);
	memory_release(fitting->run, fitting->callees);
	memory_release(fitting->run, fitting->is_hook);
	fitting->arcs = NULL;
	fitting->callees = NULL;
	fitting->is_hook = NULL;
}

static bool
contradicts(const struct fit *fit)
{
	return fit->bad_callees > 0 || fit->bad_sites > 0;
}

/* Judges each file by itself, as far as its arcs were kept; the first one at fault has a name. */
static struct fit
judge_files(struct fitting *fitting, const struct profile *profile, const struct fit *together)
{
	uint32_t files = 0, bad_files = 0;
	struct fit found = *together;

	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct file_rows *rows = profile->files[i].rows;

		if (!rows || rows->arc_count == 0)
			continue;
		judge(fitting, rows->arcs, rows->arc_count);
		files++;
		if (!contradicts(&fitting->found) || bad_files++ > 0)
			continue;
		found = fitting->found;
		found.file = profile->files[i].name;
	}
	/* What only all of them together contradict can be two runtimes that record differently. */
	if (bad_files == 0 && files == profile->file_count)
		found.bad_callees = found.bad_sites = 0;
	found.files = files;
	found.bad_files = bad_files;
	return found;
}

struct fit
fit_check(struct run *run, struct symbols *symbols, struct scan *scan,
          const struct profile *profile)
{
	static const struct scan_decoded nothing = {.calls.count = 0};
	uint16_t machine = symbols->table.target.machine;
	struct fitting fitting = {.run = run,
	                          .symbols = symbols,
	                          .scan = scan,
	                          .decoded = &nothing};
	struct fit found = fitting.found;

	if ((!run->settings->findings && !run->settings->explain) || profile->arc_count == 0 ||
	    symbols->count == 0)
		return found;
	/* Without local functions it is not known where the others end. */
	if (run->settings->drop_static || run->settings->drop_untyped_static)
		return found;
	fitting.mode_bit = machine == EM_ARM || machine == EM_MIPS;
	fitting.has_locals = symbols_has_locals(symbols);
	judge(&fitting, profile->arcs, profile->arc_count);
	found = fitting.found;
	if (profile->file_count > 1 && (contradicts(&found) || found.odd_callees > 0))
		found = judge_files(&fitting, profile, &found);
	scan_forget_decoded(run, scan);
	return found;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where calls lead to.  What counts calls is called by the callee, early: the address it records is
 * at most some dozens of bytes behind an entry of the image, or at it.  In the profile of another
 * program it is anywhere.
 */
#include <math.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "findings/parts.h"
#include "fit/fit.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

enum {
	MOST_ARCS = 2048, /* looked at */
	NEAR_BYTES = 64,
	FEWEST = 4, /* targets that allow a verdict */
	MANY = 10   /* that allow one from distances */
};

/*
 * A library that was compiled for profiling has its calls counted along with those of the program,
 * whose image knows nothing of them; their callers it knows.
 */
static bool
leads_to_library(const struct findings *findings, const struct gprofx_raw_arc *arc)
{
	return !symbols_overlap_code(findings->symbols, arc->self, arc->self + 1) &&
	       symbols_overlap_code(findings->symbols, arc->from, arc->from + 1);
}

static void
collect(struct findings *findings)
{
	const struct profile *profile = findings->profile;
	struct targets *targets = &findings->targets;
	uint64_t all = (uint64_t)profile->arc_count + profile->call_count;
	uint32_t looked = all < MOST_ARCS ? (uint32_t)all : MOST_ARCS, *ids, count = 0;

	memory_array(findings->run, targets->address, looked);
	memory_array(findings->run, ids, looked);
	for (uint32_t i = 0; i < looked; i++) {
		uint64_t at = i * all / looked;

		if (at < profile->arc_count) {
			const struct gprofx_raw_arc *arc = &profile->arcs[at];

			if (arc->count > 0 && !leads_to_library(findings, arc))
				targets->address[count++] = arc->self;
		} else {
			const struct gprofx_raw_call
				*call = &profile->calls[at - profile->arc_count];

			if (call->count > 0)
				targets->address[count++] = call->self;
		}
	}
	sort_ascending(findings->run, targets->address, ids, count);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || targets->address[i] != targets->address[targets->count - 1])
			targets->address[targets->count++] = targets->address[i];
	memory_release(findings->run, ids);
}

/* Bytes from the nearest entry at or below, at most UINT32_MAX. */
static uint64_t
distance(struct findings *findings, uint64_t address)
{
	const struct symbols *symbols = findings->symbols;
	uint32_t symbol = symbols_lookup(symbols, address), entry;
	const struct entries *entries;

	if (symbol != NO_SYMBOL && address - symbols->address[symbol] <= NEAR_BYTES)
		return address - symbols->address[symbol];
	entries = findings_entries(findings);
	entry = entries_at_or_below(entries, address);
	return entry == NO_SYMBOL ? UINT64_MAX : address - entries->address[entry];
}

void
findings_find_targets(struct findings *findings)
{
	struct targets *targets = &findings->targets;
	uint32_t with[NEAR_BYTES + 1] = {0};

	if ((findings->profile->arc_count == 0 && findings->profile->call_count == 0) ||
	    findings->symbols->count == 0)
		return;
	collect(findings);
	for (uint32_t i = 0; i < targets->count; i++) {
		uint64_t address = targets->address[i], bytes;

		if (!symbols_overlap_code(findings->symbols, address, address + 1)) {
			targets->outside++;
			continue;
		}
		bytes = distance(findings, address);
		if (bytes > NEAR_BYTES) {
			targets->far++;
			continue;
		}
		targets->near++;
		with[bytes]++;
	}
	for (uint32_t bytes = 0; bytes <= NEAR_BYTES; bytes++)
		if (with[bytes] > targets->with_common) {
			targets->with_common = with[bytes];
			targets->common = bytes;
		}
}

/* The share of code that is near an entry. */
static double
share_near(struct findings *findings)
{
	const struct entries *entries = findings_entries(findings);
	uint64_t begin, end, near = 0;

	findings_code_bounds(findings, &begin, &end);
	for (uint32_t i = 0; i < entries->count; i++) {
		uint64_t next = i + 1 < entries->count ? entries->address[i + 1] : end;

		if (next > entries->address[i])
			near += next - entries->address[i] <= NEAR_BYTES
			                ? next - entries->address[i]
			                : NEAR_BYTES + 1;
	}
	return end > begin && near < end - begin ? (double)near / (double)(end - begin) : 1;
}

/*
 * Either half of the calls lead nowhere, and no more of the others hit an entry than would by
 * chance; or a tenth does, and the distances of the others differ, where a compiler makes a few of
 * them and one most of the time.
 */
static bool
is_other_program(struct findings *findings)
{
	const struct targets *targets = &findings->targets;
	uint32_t bad = targets->outside + targets->far, all = bad + targets->near;
	bool has_locals = symbols_has_locals(findings->symbols);
	double share, expected;

	if (has_locals && all >= MANY && bad > all / 10 && targets->with_common < targets->near / 3)
		return true;
	if (all < FEWEST || bad < all - bad)
		return false;
	share = share_near(findings);
	expected = share * all;
	return targets->near <= expected + (has_locals ? 2 * sqrt(expected * (1 - share)) : 0);
}

/*
 * Whether most called addresses lie behind profiling calls, and none elsewhere: then the image only
 * lacks the names of its functions.
 */
static bool
fits_code(const struct findings *findings)
{
	const struct fit *fit = findings->fit;

	return fit->has_hook && fit->bad_callees == 0 && fit->callees >= FEWEST &&
	       fit->callees >= findings->targets.count / 2;
}

/* Whether some of several files agree with the code, and others do not: these are named. */
static bool
is_known_file(const struct findings *findings)
{
	return findings->fit->file && findings->fit->bad_files < findings->fit->files;
}

void
findings_inspect_targets(struct findings *findings)
{
	const struct targets *targets = &findings->targets;
	const char *image = findings->run->settings->image;
	uint32_t bad = targets->outside + targets->far;
	uint64_t begin, end;

	if (bad == 0)
		return;
	findings_code_bounds(findings, &begin, &end);
	if (targets->outside == targets->count) {
		/* What is said about samples says it of calls as well. */
		if (findings->places.samples > 0 && findings->places.in_code == 0)
			return;
		finding_add(findings, FINDING_NO_CALL_FITS, image,
		            "no recorded call leads into the code of this program",
		            text_format(findings->run,
		                        "the called functions (%u) are at 0x%llx-0x%llx, the code "
		                        "of the image at 0x%llx-0x%llx",
		                        targets->count, (unsigned long long)targets->address[0],
		                        (unsigned long long)targets->address[targets->count - 1],
		                        (unsigned long long)begin, (unsigned long long)end - 1));
		findings_advise_slide(findings, FINDING_NO_CALL_FITS);
	} else if (!fits_code(findings) && !is_known_file(findings) && is_other_program(findings)) {
		finding_add(
			findings, FINDING_OTHER_PROGRAM, image,
			"the profile is from another program, or from another build of this one",
			text_format(findings->run,
		                    "%u of %u called addresses are not at a function entry of this "
		                    "image, nor up to %d bytes after one",
		                    bad, targets->count, NEAR_BYTES));
		findings_advise_slide(findings, FINDING_OTHER_PROGRAM);
	}
}

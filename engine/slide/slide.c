/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slide of each file: whether its addresses fit as they are, and if not, by how much they are
 * moved.  Arcs and histograms are decided on apart, since there are producers whose arcs count from
 * the start of a histogram with true addresses.
 */
#include "slide/slide.h"

#include <stdio.h>

#include "scan/scan.h"
#include "slide/evidence.h"

enum {
	GLANCED_ARCS = 256, /* looked at before anything is made of a file */
	GLANCED_CODE = 16,  /* of these, where the code is looked at, too */
	MOST_TOLD = 8       /* files that are named */
};

void
slide_start(struct slide *slide, struct run *run, struct scan *scan)
{
	*slide = (struct slide){.run = run, .symbols = scan->symbols, .scan = scan};
}

void
slide_begin_file(struct slide *slide, struct profile *profile)
{
	const struct engine_settings *settings = slide->run->settings;

	/* There can be many frames, so they are not moved later if this is known before. */
	profile->frame_slide = settings->slide == ENGINE_SLIDE_GIVEN ? settings->slide_by : 0;
	slide->arcs_before = profile->arc_count;
	slide->calls_before = profile->call_count;
	slide->blocks_before = profile->block_count;
}

/* The usual case, found out in a few microseconds: the functions called are where they should be.
 */
static bool
fits_at_a_glance(const struct symbols *symbols, const struct gprofx_raw_arc *arcs, uint32_t count)
{
	uint32_t step = count > GLANCED_ARCS ? count / GLANCED_ARCS : 1;
	uint32_t code_step = count / step > GLANCED_CODE ? count / step / GLANCED_CODE : 1;
	uint32_t seen = 0, near = 0, read = 0, calls = 0, common = 0;
	uint32_t at[SLIDE_FARTHEST + 1] = {0};
	struct call_site call;

	for (uint32_t i = 0; i < count; i += step, seen++) {
		uint32_t symbol = symbols_lookup(symbols, arcs[i].self);
		uint64_t past = symbol == NO_SYMBOL ? UINT64_MAX
		                                    : arcs[i].self - symbols->address[symbol];

		if (past <= SLIDE_FARTHEST) {
			near++;
			at[past]++;
		}
		if (seen % code_step == 0) {
			read++;
			calls += past <= SLIDE_FARTHEST &&
			         scan_call_before(symbols, arcs[i].self, &call);
		}
	}
	for (uint32_t i = 0; i <= SLIDE_FARTHEST; i++)
		common = at[i] > common ? at[i] : common;
	/* Some functions of a few, which can have most of the arcs, fit anywhere by chance. */
	if (seen < GLANCED_CODE)
		return calls == seen;
	return near >= seen - seen / 4 && (calls >= read - read / 4 || common >= near - near / 10);
}

static void
move_arcs(const struct slide *slide, struct profile *profile, uint64_t by)
{
	const struct gprofx_target *target = &slide->symbols->table.target;

	for (uint32_t i = slide->arcs_before; i < profile->arc_count; i++) {
		struct gprofx_raw_arc *arc = &profile->arcs[i];

		arc->from = symbols_unslid(target, arc->from, by);
		arc->self = symbols_unslid(target, arc->self, by);
	}
	for (uint32_t i = slide->calls_before; i < profile->call_count; i++)
		profile->calls[i].self = symbols_unslid(target, profile->calls[i].self, by);
	for (uint32_t i = slide->blocks_before; i < profile->block_count; i++)
		profile->blocks[i].address = symbols_unslid(target, profile->blocks[i].address, by);
}

static void
move_histogram(const struct slide *slide, struct gprofx_histogram *record, uint64_t by)
{
	uint64_t bytes = slide_range_bytes(&slide->symbols->table.target, record);

	record->low = symbols_unslid(&slide->symbols->table.target, record->low, by);
	record->high = record->low + bytes;
}

const char *
slide_text(const struct symbols *symbols, uint64_t slide, char text[SLIDE_TEXT_BYTES])
{
	uint64_t mask = symbols->table.target.pointer_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	bool is_negative = slide > mask / 2;

	snprintf(text, SLIDE_TEXT_BYTES, "%s0x%llx", is_negative ? "-" : "",
	         (unsigned long long)(is_negative ? -slide & mask : slide));
	return text;
}

static void
tell(struct slide *slide, const struct gprofx_file *file, const struct slide_verdict *verdict)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.slid",
		.file = file->name,
		.hint = "use --slide=none to keep addresses as they were recorded",
		.number = {verdict->slide, verdict->fitting, verdict->callees},
	};
	char text[SLIDE_TEXT_BYTES];

	if (slide->told++ < MOST_TOLD) {
		run_warn(slide->run, &diagnostic,
		         "the addresses of the profile have a load bias of %s, which was "
		         "subtracted: %u of %u called functions then match",
		         slide_text(slide->symbols, verdict->slide, text), verdict->fitting,
		         verdict->callees);
	} else if (slide->told == MOST_TOLD + 1) {
		diagnostic.file = NULL;
		run_warn(slide->run, &diagnostic,
		         "more profiles have a load bias, which was subtracted");
	}
}

static void
move_samples(const struct slide *slide, struct profile *profile, uint64_t by)
{
	const struct gprofx_target *target = &slide->symbols->table.target;

	for (uint32_t i = 0; i < profile->sparse_file.count; i++) {
		struct gprofx_raw_sample *sample = &profile->sparse_file.rows[i];

		sample->address = symbols_unslid(target, sample->address, by);
	}
}

/* Whether no fewer samples lie in functions once they are moved. */
static bool
samples_fit(const struct slide *slide, const struct profile *profile, uint64_t by)
{
	const struct gprofx_target *target = &slide->symbols->table.target;
	uint32_t as_is = 0, then = 0;

	for (uint32_t i = 0; i < profile->sparse_file.count; i++) {
		uint64_t address = profile->sparse_file.rows[i].address;

		as_is += symbols_lookup(slide->symbols, address) != NO_SYMBOL;
		then += symbols_lookup(slide->symbols, symbols_unslid(target, address, by)) !=
		        NO_SYMBOL;
	}
	return then >= as_is;
}

/* The same of what stacks end in. */
static bool
stacks_fit(const struct slide *slide, const struct stacks *stacks, uint64_t by)
{
	const struct gprofx_target *target = &slide->symbols->table.target;
	uint32_t as_is = 0, then = 0;

	for (uint32_t i = 0; i < stacks->entry_count; i++) {
		uint32_t stack = stacks->entries[i].stack;
		const struct stack_place *place;

		if (stack == NO_STACK)
			continue;
		place = &stacks->places[stacks->place[stacks_end(stacks, stack)]];
		if (place->names->function)
			continue;
		as_is += symbols_lookup(slide->symbols, place->address) != NO_SYMBOL;
		then += symbols_lookup(slide->symbols,
		                       symbols_unslid(target, place->address, by)) != NO_SYMBOL;
	}
	return then >= as_is;
}

static void
move_stacks(const struct slide *slide, struct profile *profile, uint64_t by)
{
	if (profile->stacks.file_has_any && by != 0)
		stacks_move_file(slide->run, &profile->stacks, &slide->symbols->table.target, by);
}

void
slide_move_file(struct slide *slide, struct profile *profile, const struct gprofx_file *file)
{
	const struct engine_settings *settings = slide->run->settings;
	uint32_t count = profile->arc_count - slide->arcs_before;
	const struct gprofx_raw_arc *arcs = count > 0 ? profile->arcs + slide->arcs_before : NULL;
	struct slide_verdict verdict = {.slide = 0};

	/* Where a library was loaded is in none of its profiles. */
	if (profile_current_file(profile)->image)
		return;
	if (profile_current_file(profile)->has_images) {
		move_stacks(slide, profile, -profile->frame_slide);
		return;
	}
	if (settings->slide == ENGINE_SLIDE_NONE)
		return;
	if (settings->slide == ENGINE_SLIDE_GIVEN) {
		move_arcs(slide, profile, settings->slide_by);
		for (uint32_t i = 0; i < profile->held_count; i++)
			move_histogram(slide, &profile->held[i], settings->slide_by);
		move_samples(slide, profile, settings->slide_by);
		verdict.slide = settings->slide_by;
	} else if (count > 0 && !fits_at_a_glance(slide->symbols, arcs, count) &&
	           slide_solve(slide, arcs, count, profile->held, profile->held_count, &verdict)) {
		move_arcs(slide, profile, verdict.slide);
		for (uint32_t i = 0; i < profile->held_count; i++)
			if (slide_moves_range(slide->entries, &profile->held[i], verdict.slide))
				move_histogram(slide, &profile->held[i], verdict.slide);
		if (samples_fit(slide, profile, verdict.slide))
			move_samples(slide, profile, verdict.slide);
		if (stacks_fit(slide, &profile->stacks, verdict.slide))
			move_stacks(slide, profile, verdict.slide);
		tell(slide, file, &verdict);
	} else {
		verdict.slide = 0;
	}
	profile_current_file(profile)->slide = verdict.slide;
}

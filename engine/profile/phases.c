/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/phases.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "profile/profile.h"

enum { MOST_NAMED = 20 };

bool
phases_are_chosen(const struct run *run)
{
	return run->settings->phase && run->settings->phase[0] != '\0';
}

static void
remember(struct run *run, struct phases *phases, const char *name)
{
	for (uint32_t i = 0; i < phases->known_count; i++)
		if (strcmp(phases->known[i], name) == 0)
			return;
	if (phases->known_count == MOST_NAMED) {
		phases->has_more = true;
		return;
	}
	if (!phases->known)
		phases->known = memory_alloc_array(run, sizeof(const char *), MOST_NAMED);
	phases->known[phases->known_count++] = text_keep(run, name, strlen(name));
}

static void
set(struct run *run, bool **items, uint32_t *room, uint32_t number, bool is_chosen)
{
	*items = memory_room(run, *items, sizeof **items, number - 1, room, 1);
	(*items)[number - 1] = is_chosen;
}

void
phases_note(struct run *run, struct profile *profile, uint32_t number,
            const struct gprofx_raw_phase *phase)
{
	struct phases *phases = &profile->phases;
	const char *name = phase->name;
	char text[24];
	bool is_chosen;

	if (!phases_are_chosen(run))
		return;
	if (!name || name[0] == '\0') {
		snprintf(text, sizeof text, "%llu", (unsigned long long)phase->number);
		name = text;
	}
	is_chosen = strcmp(name, run->settings->phase) == 0;
	remember(run, phases, name);
	phases->is_found = phases->is_found || is_chosen;
	set(run, &phases->is_phase, &phases->phase_room, number, is_chosen);
}

void
phases_note_slice(struct run *run, struct profile *profile, uint32_t number, uint32_t phase)
{
	struct phases *phases = &profile->phases;

	if (phases_are_chosen(run))
		set(run, &phases->is_slice, &phases->slice_room, number,
		    phase != 0 && phases->is_phase[phase - 1]);
}

bool
phases_leave_out(const struct run *run, const struct profile *profile, uint32_t slice)
{
	return phases_are_chosen(run) && (slice == 0 || !profile->phases.is_slice[slice - 1]);
}

const bool *
phases_left_out_stacks(struct run *run, const struct profile *profile, uint32_t common,
                       const struct gprofx_raw_stacks *rows)
{
	bool *left_out;

	if (!phases_are_chosen(run))
		return NULL;
	memory_array(run, left_out, rows->count);
	for (uint32_t i = 0; i < rows->count; i++)
		left_out[i] = rows->slice ? phases_leave_out(run, profile, rows->slice[i])
		                          : common == SLICE_LEFT_OUT;
	return left_out;
}

void
phases_select_bins(struct run *run, struct gprofx_histogram *record)
{
	size_t bytes = (size_t)record->bin_count * record->bin_bytes;

	if (record->slice != SLICE_LEFT_OUT)
		return;
	record->slice = 0;
	/* Zeros; they count as bins of the reader, which are copied. */
	record->bins = memory_alloc(run, bytes > 0 ? bytes : 1);
}

/* "a, b, c" */
static const char *
known_names(struct run *run, const struct phases *phases)
{
	const char *text = "";

	for (uint32_t i = 0; i < phases->known_count; i++)
		text = text_format(run, "%s%s%s", text, i > 0 ? ", " : "", phases->known[i]);
	return phases->has_more ? text_format(run, "%s, ...", text) : text;
}

enum gprofx_result
phases_expect_chosen(struct run *run, const struct profile *profile)
{
	const struct phases *phases = &profile->phases;
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.unknown-phase",
		.hint = "name one of these with --phase, or leave it out",
	};

	if (!phases_are_chosen(run) || phases->is_found)
		return GPROFX_OK;
	if (phases->known_count > 0)
		return run_fail(run, &diagnostic, "the profiles have no phase \"%s\", only: %s",
		                run->settings->phase, known_names(run, phases));
	diagnostic.hint = "leave out --phase, or call gprofx_collect_mark() in the program where "
			  "its phases begin, and record it again";
	return run_fail(run, &diagnostic, "the profiles have no phase \"%s\": they have no phases",
	                run->settings->phase);
}

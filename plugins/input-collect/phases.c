/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases that the program marked.  What is of none is one, too, so that all can be selected; but
 * only in a file that has some.
 */
#include <string.h>

#include "reading.h"

/* Rows of tables are of a phase that has no row if the file is damaged. */
static const char no_phase[] = "no-phase";

static void
declare(struct reading *r, uint32_t number, const char *name)
{
	const struct gprofx_raw_phase phase = {.size = sizeof phase,
	                                       .number = number,
	                                       .name = name};
	const struct gprofx_profile_builder *builder = r->profile->builder;

	if (number > GXC_MOST_PHASES || r->phases[number] != 0)
		return;
	r->phases[number] = builder->phase(r->gx, r->profile, r->file, &phase);
}

static void
warn_many(const struct reading *r)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.many-phases",
		.file = r->file->name,
		.number = {GXC_MOST_PHASES},
		.hint = "give phases of the same kind the same name",
	};

	gprofx_warn(
		r->gx, &diagnostic,
		"the program has %d phases or more: those after the first %d are one, " GXC_OTHER_PHASES,
		GXC_MOST_PHASES, GXC_MOST_PHASES - 1);
}

static void
declare_rows(struct reading *r, const struct gxc_view *chunk)
{
	for (uint64_t i = 0; i < chunk->count && i < GXC_MOST_PHASES; i++) {
		uint64_t at = chunk->at + i * chunk->entry_bytes;
		uint32_t number = gxc_u32(&r->walk, at + offsetof(struct gxc_phase, number));
		char name[sizeof((struct gxc_phase *)NULL)->name];

		if (number == 0)
			continue;
		memcpy(name, r->file->bytes + at + offsetof(struct gxc_phase, name), sizeof name);
		name[sizeof name - 1] = '\0';
		if (number == GXC_MOST_PHASES && r->phases[number] == 0 &&
		    strcmp(name, GXC_OTHER_PHASES) == 0)
			warn_many(r);
		declare(r, number, name);
	}
}

void
phases_declare(struct reading *r)
{
	for (uint32_t i = 0; i < r->chunk_count; i++) {
		if (r->chunks[i].type != GXC_PHASES)
			continue;
		/* A child of a process with phases can have an empty table of its own. */
		if (!r->has_phases)
			declare(r, 0, no_phase);
		r->has_phases = true;
		declare_rows(r, &r->chunks[i]);
	}
}

uint32_t
phases_of(struct reading *r, const struct gxc_view *chunk)
{
	if (!r->has_phases)
		return 0;
	/* What a damaged file says of a phase without a name. */
	if (chunk->phase > GXC_MOST_PHASES)
		return r->phases[0];
	declare(r, chunk->phase, NULL);
	return r->phases[chunk->phase];
}

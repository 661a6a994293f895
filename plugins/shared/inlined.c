/* SPDX-License-Identifier: Apache-2.0 */
#include "inlined.h"

#include <math.h>
#include <string.h>

#include "wrap.h"

bool
inlined_are_in(const struct gprofx_report *report, uint32_t listing)
{
	for (uint32_t i = 0; report->inlined && i < report->inlined->count; i++)
		if (gprofx_inlined_at(report, i)->listings & listing)
			return true;
	return false;
}

/* A time with its share of all that is selected. */
static void
put_time(const struct gprofx_report *report, struct gprofx_writer *w, double ticks)
{
	const struct gprofx_metric *metric = report->origin->metrics;
	double whole = report->inlined->whole;
	enum { TIME = 10, SHARE = 7 };

	w->services->fixed(w, ticks / metric->ticks_per_unit, TIME, 2);
	gprofx_putc(w, ' ');
	gprofx_put(w, &metric->abbreviation, metric->abbreviation != '\0');
	w->services->fixed(w, whole > 0 ? 100.0 * ticks / whole : 0, SHARE, 1);
	gprofx_puts(w, " %  ");
}

static void
put_owners(const struct gprofx_report *report, struct gprofx_writer *w,
           const struct gprofx_inlined *inlined)
{
	enum { MOST = 20 };

	if (inlined->owner_count == 0) {
		gprofx_puts(w, "  none of its inlined copies has a sample\n");
		return;
	}
	gprofx_puts(w, "  inlined into\n");
	for (uint32_t i = 0; i < inlined->owner_count && i < MOST; i++) {
		const struct gprofx_inlined_owner *owner = &inlined->owner[i];
		struct gprofx_text name = report->services->function_name(report, owner->function);

		put_time(report, w, owner->total);
		gprofx_puts(w, "  ");
		gprofx_put(w, name.bytes, name.length);
		gprofx_putc(w, '\n');
	}
	if (inlined->owner_count > MOST)
		gprofx_out(w, "  and %u more functions\n", inlined->owner_count - MOST);
}

static void
put_one(const struct gprofx_report *report, struct gprofx_writer *w,
        const struct gprofx_inlined *inlined)
{
	bool has_callees = report->inlined->has_callees;

	gprofx_out(w, "\nInlined subroutine %s", inlined->name);
	if (inlined->variant_count > 1)
		gprofx_out(w, ", %u overloads or instances together", inlined->variant_count);
	gprofx_puts(w, ":\n");
	put_time(report, w, inlined->self);
	gprofx_puts(w, "self: samples in its own code\n");
	put_time(report, w, inlined->total);
	gprofx_puts(w, has_callees ? "total: with all that it calls, from call stacks\n"
	                           : "total: with the subroutines that were inlined into it\n");
	put_owners(report, w, inlined);
}

void
inlined_put(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
            uint32_t listing, size_t width)
{
	struct wrap wrap;

	if (!report->inlined)
		return;
	for (uint32_t i = 0; i < report->inlined->count; i++) {
		const struct gprofx_inlined *inlined = gprofx_inlined_at(report, i);

		if (inlined->listings & listing)
			put_one(report, w, inlined);
	}
	w = wrap_begin(&wrap, gx, w, width);
	gprofx_puts(w,
	            report->inlined->has_callees
	                    ? "\nNot known: how often it was called. Inlined calls are not "
	                      "counted.\n"
	                    : "\nNot known: how often it was called, and the time of functions "
	                      "that it calls. Inlined\ncalls are not counted; what it calls counts "
	                      "as called by the functions that contain it.\n");
	wrap_end(&wrap);
}

bool
inlined_is_of_library(struct gprofx_text name)
{
	static const char scope[] = "std::", reserved[] = "__";

	return (name.length >= sizeof scope - 1 &&
	        memcmp(name.bytes, scope, sizeof scope - 1) == 0) ||
	       (name.length >= sizeof reserved - 1 &&
	        memcmp(name.bytes, reserved, sizeof reserved - 1) == 0);
}

static bool
is_of_library(const struct gprofx_inlined *inlined)
{
	return inlined_is_of_library((struct gprofx_text){inlined->name, strlen(inlined->name)});
}

/* Whether it is worth a word. */
static bool
is_heavy(const struct gprofx_report *report, const struct gprofx_inlined *inlined)
{
	return inlined->owner_count > 0 && inlined->total * INLINED_PARTS >= report->inlined->whole;
}

/* The heaviest one of libraries, or else of the program; NULL: none is worth a word. */
static const struct gprofx_inlined *
heaviest(const struct gprofx_report *report, bool of_library)
{
	for (uint32_t i = 0; i < report->inlined->count; i++) {
		const struct gprofx_inlined *inlined = gprofx_inlined_at(report, i);

		if (is_of_library(inlined) == of_library && is_heavy(report, inlined))
			return inlined;
	}
	return NULL;
}

/* Adds one, unless it was chosen, there are enough, or there is none. */
static uint32_t
choose(const struct gprofx_inlined *chosen[INLINED_HEAVY], uint32_t count,
       const struct gprofx_inlined *inlined)
{
	for (uint32_t i = 0; i < count; i++)
		if (chosen[i] == inlined)
			return count;
	if (inlined && count < INLINED_HEAVY)
		chosen[count++] = inlined;
	return count;
}

uint32_t
inlined_choose_heavy(const struct gprofx_report *report, double total,
                     const struct gprofx_inlined *chosen[INLINED_HEAVY], uint32_t *needed)
{
	const double ROUNDING = 1e-6;
	const struct gprofx_report_inlined *all = report->inlined;
	const struct gprofx_inlined *own, *library;
	uint32_t count = 0;

	/* Shares of functions are of what is selected for them; these are of what has time. */
	if (!all || fabs(all->whole - total) > ROUNDING * total)
		return 0;
	own = heaviest(report, false);
	library = heaviest(report, true);
	count = choose(chosen, count, own);
	/* What takes more than all that would be named cannot be left out. */
	if (own && library && library->total > own->total)
		count = choose(chosen, count, library);
	if (needed)
		*needed = count > 1 ? count : 1;
	for (int of_library = 0; of_library < 2; of_library++)
		for (uint32_t i = 0; i < all->count; i++) {
			const struct gprofx_inlined *inlined = gprofx_inlined_at(report, i);

			if (is_of_library(inlined) == (of_library == 1) &&
			    is_heavy(report, inlined))
				count = choose(chosen, count, inlined);
		}
	return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "inlined.h"

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

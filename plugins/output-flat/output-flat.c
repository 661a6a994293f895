/* SPDX-License-Identifier: Apache-2.0 */
/* The flat profile, in gprof's normal layout and in that of BSD. */
#include "explanation.h"
#include "per-call.h"
#include "../shared/granularity.h"

struct options {
	bool explain;
};

static const struct gprofx_option table[] = {
	{.key = "explain",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, explain),
         .initial = "true",
         .help = "explain the columns with the listing"},
};

static void
put_columns(const struct gprofx_report *report, struct gprofx_writer *w, const struct per_call *p)
{
	gprofx_out(w, "%5.5s %10.10s %8.8s %8.8s %*s %*s  %-8.8s\n", "%  ", "cumulative", "self  ",
	           "", p->self_width, p->fits_each ? "" : "self  ", p->total_width,
	           p->fits_each ? "" : "total ", "");
	gprofx_out(w, "%5.5s %9.9s  %8.8s %8.8s %*s %*s  %-8.8s\n", "time", report->dimension,
	           report->dimension, "calls", p->self_width, p->self_heading, p->total_width,
	           p->total_heading, "name");
}

static void
put_heading(const struct gprofx_report *report, struct gprofx_writer *w, double total)
{
	if (report->traditional)
		put_granularity(report, w, total, report->dimension);
	else
		gprofx_out(w, "Flat profile:\n\nEach sample counts as %g %s.\n", 1.0 / report->rate,
		           report->dimension);
	if (!(total > 0))
		gprofx_puts(w, " no time accumulated\n\n");
}

static void
put_explanation(const struct gprofx_report *report, struct gprofx_writer *w,
                const struct per_call *per_call)
{
	gprofx_puts(w, flat_explanation_begin);
	gprofx_puts(w, report->traditional ? " %time       " : " % time      ");
	gprofx_puts(w, flat_explanation_columns);
	gprofx_puts(w,
	            per_call->fits_each ? flat_explanation_own_units : flat_explanation_one_unit);
	if (report->traditional)
		gprofx_puts(w, flat_explanation_numbers);
	gprofx_puts(w, flat_explanation_end);
}

static void
put_row(const struct gprofx_report *report, struct gprofx_writer *w, uint32_t function,
        double total, double sum, const struct per_call *per_call)
{
	const struct gprofx_writer_services *s = w->services;
	double self = report->self[function], rate = report->rate;

	s->fixed(w, 100.0 * self / total, report->traditional ? 5 : 6, report->traditional ? 1 : 2);
	gprofx_putc(w, ' ');
	s->fixed(w, sum / rate, report->traditional ? 10 : 9, 2);
	gprofx_putc(w, ' ');
	s->fixed(w, self / rate, 8, 2);
	if (report->calls[function] != 0) {
		uint64_t calls = report->calls[function];

		gprofx_putc(w, ' ');
		s->number(w, calls, 8);
		gprofx_putc(w, ' ');
		per_call_put(per_call, w, self, calls, per_call->self_width);
		gprofx_putc(w, ' ');
		per_call_put(per_call, w, self + report->below[function], calls,
		             per_call->total_width);
		gprofx_blanks(w, 2);
	} else {
		gprofx_blanks(w, 13 + (size_t)(per_call->self_width + per_call->total_width));
	}
	if (report->traditional) {
		gprofx_put_reference(w, report, function);
	} else {
		struct gprofx_text name = report->services->name(report, function);

		gprofx_put(w, name.bytes, name.length);
	}
	gprofx_putc(w, '\n');
}

/* By time, functions lie all over memory. */
static void
fetch_ahead(const struct gprofx_report *report, uint32_t i)
{
	enum { AHEAD = 8 };
#if defined(__GNUC__)
	if (i + AHEAD < report->flat_count) {
		uint32_t function = report->flat[i + AHEAD];

		__builtin_prefetch(&report->self[function]);
		__builtin_prefetch(&report->below[function]);
		__builtin_prefetch(&report->calls[function]);
	}
#endif
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_report *report, struct gprofx_writer *w,
     const void *opaque)
{
	const struct options *options = opaque;
	struct per_call per_call = per_call_begin(report);
	double total = report->flat_total, sum = 0;

	(void)gx;
	w->services->separator(w);
	if (report->traditional && options->explain) {
		gprofx_puts(w, "\n\n\nflat profile:\n");
		put_explanation(report, w, &per_call);
	}
	put_heading(report, w, total);
	if (!(total > 0))
		total = 1;
	put_columns(report, w, &per_call);
	for (uint32_t i = 0; i < report->flat_count; i++) {
		fetch_ahead(report, i);
		sum += report->self[report->flat[i]];
		put_row(report, w, report->flat[i], total, sum, &per_call);
	}
	if (!report->traditional && options->explain)
		put_explanation(report, w, &per_call);
	return GPROFX_OK;
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "flat",
	.extension = "txt",
	.parts = GPROFX_PART_FLAT,
	.emit = emit,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-flat",
	.version = "1.0",
	.summary = "The flat profile: time and calls of each function",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times at entry and exit of functions: chains of calls with the time that passed in the last of
 * them, by a clock.
 *
 * The file has how long the collector took, which is not in the times, and, for each call, what it
 * took before and after that: this is taken off here.
 */
#include "reading.h"

static uint64_t
number(const struct reading *r, size_t offset)
{
	return gxc_u64(&r->walk, offset);
}

static bool
has_times(const struct reading *r)
{
	for (uint32_t i = 0; i < r->chunk_count; i++)
		if (r->chunks[i].type == GXC_TIMED && r->chunks[i].count > 0)
			return true;
	return false;
}

/* How long a tick is; 0: the file does not say. */
static double
length_of_tick(const struct reading *r)
{
	uint64_t ticks = number(r, offsetof(struct gxc_header, last_tick)) -
	                 number(r, offsetof(struct gxc_header, first_tick));
	uint64_t ns = number(r, offsetof(struct gxc_header, last_ns)) -
	              number(r, offsetof(struct gxc_header, first_ns));

	return ticks > 0 ? (double)ns / (double)ticks : 0;
}

uint64_t
timed_whole(double sum)
{
	const double MOST = 9e15; /* exact; of nanoseconds, 104 days */

	return sum < MOST ? (uint64_t)sum : (uint64_t)MOST;
}

uint64_t
timed_weight(struct reading *r, uint64_t at)
{
	struct timing *timing = &r->timing;
	double ticks = (double)number(r, at + offsetof(struct gxc_timed, ticks));
	double calls = (double)number(r, at + offsetof(struct gxc_timed, calls));
	double made = (double)number(r, at + offsetof(struct gxc_timed, made));
	double spent = (double)number(r, at + offsetof(struct gxc_timed, spent));
	double cost = calls * timing->inside + made * timing->outside;

	if (cost > ticks) {
		timing->emptied += calls;
		timing->excess += (cost - ticks) * timing->ns_per_tick;
		cost = ticks;
	}
	timing->taken += (cost + spent) * timing->ns_per_tick;
	timing->calls += calls;
	return timed_whole((ticks - cost) * timing->ns_per_tick + 0.5);
}

enum gprofx_result
timed_read(struct reading *r)
{
	enum { PARTS = 1024 }; /* of a tick, which costs are in */
	const struct gprofx_raw_metric metric = {
		.size = sizeof metric,
		.name = "clock",
		.unit = "seconds",
		.abbreviation = 's',
		.ticks_per_unit = 1000000000,
		.kind = GPROFX_CLOCKED,
	};

	r->timing.ns_per_tick = length_of_tick(r);
	if (!has_times(r) || !(r->timing.ns_per_tick > 0))
		return GPROFX_OK;
	r->timing.inside = (double)number(r, offsetof(struct gxc_header, cost_inside)) / PARTS;
	r->timing.outside = (double)number(r, offsetof(struct gxc_header, cost_outside)) / PARTS;
	r->metrics[METRIC_CLOCK] = r->profile->builder->metric(r->gx, r->profile, r->file, &metric);
	if (r->metrics[METRIC_CLOCK] == 0)
		return GPROFX_FAILED;
	for (uint32_t i = 0; i < r->chunk_count; i++)
		if (r->chunks[i].type == GXC_TIMED && stacks_read(r, &r->chunks[i]) != GPROFX_OK)
			return GPROFX_FAILED;
	return GPROFX_OK;
}

static void
warn(const struct reading *r, const char *id, const char *hint, uint64_t count, const char *format)
{
	const struct gprofx_diagnostic diagnostic = {.id = id,
	                                             .file = r->file->name,
	                                             .number = {count},
	                                             .hint = hint};

	if (count != 0)
		gprofx_warn(r->gx, &diagnostic, format, (unsigned long long)count);
}

/* Nothing says when the calls in progress ended, or how long they took until then. */
static void
warn_open(const struct reading *r)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.open-calls",
		.file = r->file->name,
		.hint = "let the program end by exit() or from main()",
	};

	if (r->file->bytes[offsetof(struct gxc_header, state)] == GXC_RUNNING)
		gprofx_warn(r->gx, &diagnostic,
		            "calls in progress lack the time since the last entry, exit or sample "
		            "of each thread: the process was killed, called _exit(), or was still "
		            "running");
}

static void
warn_none(const struct reading *r)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.no-times",
		.file = r->file->name,
		.hint = "compile the program with -finstrument-functions",
	};

	gprofx_warn(r->gx, &diagnostic,
	            "there are no times by a clock (time=exact): no function was called that tells "
	            "when it begins and ends");
}

void
timed_report(const struct reading *r)
{
	if (gxc_u32(&r->walk, offsetof(struct gxc_header, times)) == GXC_TIMES_OFF)
		return;
	if (r->metrics[METRIC_CLOCK] == 0 && number(r, offsetof(struct gxc_header, untimed)) == 0 &&
	    number(r, offsetof(struct gxc_header, other_stacks)) == 0) {
		warn_none(r);
		return;
	}
	warn(r, "collect.unwound",
	     "nothing is needed if the program uses longjmp() or exceptions: the times of these "
	     "calls and of their callers can contain what passed until then",
	     number(r, offsetof(struct gxc_header, unwound)),
	     "%llu calls ended without an exit: their ends were noticed at the next entry or exit of "
	     "another function");
	warn(r, "collect.unmatched-exits", "go by samples for these functions (--metric=time)",
	     number(r, offsetof(struct gxc_header, unmatched)),
	     "%llu exits of functions are of no call whose entry was seen: times of their callers "
	     "contain them");
	warn(r, "collect.other-stacks", "go by samples for what runs there (--metric=time)",
	     number(r, offsetof(struct gxc_header, other_stacks)),
	     "%llu calls on other stacks than those of threads, such as coroutines, have no times: "
	     "these are part of those of the functions that switched to them");
	warn(r, "collect.untimed", "record the program again, with more --memory",
	     number(r, offsetof(struct gxc_header, untimed)),
	     "%llu calls have no times: there was no memory, or they are in a handler of signals "
	     "that interrupted the collector; these are part of the times of their callers");
	warn_open(r);
}

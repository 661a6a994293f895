/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of the report for emitters whose output programs read: exact, in stated units, or absent.
 */
#ifndef PLUGINS_SHARED_FIGURES_H
#define PLUGINS_SHARED_FIGURES_H

#include <math.h>
#include <string.h>
#include <time.h>

#include <gprofx/emitter.h>

/* Ticks as seconds; not a number where the profile does not state how long a tick is. */
static inline double
figure_seconds(const struct gprofx_report *report, double ticks)
{
	bool is_known = report->origin->metrics->ticks_per_unit != 0 &&
	                strcmp(report->origin->metrics->unit, "seconds") == 0;

	return is_known ? ticks / report->origin->metrics->ticks_per_unit : (double)NAN;
}

/*
 * The time that samples of a profile file stand for, in *unit; not a number, and NULL, where the
 * file has none, does not state how long a sample is, or has several metrics.
 */
static inline double
figure_file_time(const struct gprofx_profile_file *file, const char **unit)
{
	const char *metric = NULL;
	double time = 0;

	*unit = NULL;
	for (uint32_t i = 0; i < file->range_count; i++) {
		const struct gprofx_file_range *range = gprofx_range_at(file, i);
		const char *own = range->metric ? range->metric : range->dimension;
		bool is_other = metric && strcmp(metric, own) != 0;

		if (range->rate == 0 || is_other) {
			*unit = NULL;
			break;
		}
		*unit = range->dimension;
		metric = own;
		time += (double)range->samples / range->rate;
	}
	return *unit ? time : (double)NAN;
}

/*
 * How a call was found that stands in the code and never happened, in one word; NULL: the profile
 * has it, or code was not looked at.
 */
static inline const char *
figure_static_kind(const struct gprofx_report *report, uint32_t arc)
{
	static const struct {
		uint8_t kind;
		const char *word;
	} words[] = {
		{GPROFX_STATIC_CALL, "call"},         {GPROFX_STATIC_TAIL, "tail"},
		{GPROFX_STATIC_PLT, "plt"},           {GPROFX_STATIC_GOT, "got"},
		{GPROFX_STATIC_INDIRECT, "indirect"}, {GPROFX_STATIC_POINTER, "pointer"},
	};
	uint8_t kinds = report->graph->arc_static ? report->graph->arc_static[arc] : 0;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (kinds & words[i].kind)
			return words[i].word;
	return NULL;
}

enum { FIGURE_MOMENT_BYTES = 32 };

/* A moment, in seconds since 1970, as "2026-11-20T18:44:10Z"; false: it is not known. */
static inline bool
figure_moment(int64_t seconds, char text[FIGURE_MOMENT_BYTES])
{
	time_t moment = (time_t)seconds;
	struct tm parts;

	return seconds != 0 && (int64_t)moment == seconds && gmtime_r(&moment, &parts) &&
	       strftime(text, FIGURE_MOMENT_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0;
}

#endif

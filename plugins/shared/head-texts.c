/* SPDX-License-Identifier: Apache-2.0 */
#include "head-texts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "costed.h"
#include "estimate.h"
#include "fit-texts.h"
#include "formatted.h"
#include "sources.h"

const char *
head_name(const struct gprofx_report *report)
{
	const char *name = report->origin->image;

	if (!name)
		name = report->files->count == 1 ? gprofx_file_at(report, 0)->name : "profiles";
	return fit_base_name(name);
}

const char *
head_file_name(struct gprofx *gx, const struct gprofx_report *report, const char *file)
{
	uint32_t count = report->files->count;
	const char **others = gprofx_alloc(gx, sizeof *others * (count + (size_t)1)), *name;

	for (uint32_t i = 0; i < count; i++)
		others[i] = gprofx_file_at(report, i)->name;
	name = fit_path(file, others, count);
	gx->host->release(gx, others);
	return name;
}

static bool
is_in_seconds(const struct gprofx_report *report)
{
	const struct gprofx_metric *metric = report->origin->metrics;

	return metric->ticks_per_unit != 0 && strcmp(metric->unit, "seconds") == 0;
}

const char *
head_amount(struct gprofx *gx, const struct gprofx_report *report, double ticks)
{
	const double MANY_SECONDS = 99999;
	const struct gprofx_metric *metric = report->origin->metrics;
	const char *unit = metric->ticks_per_unit != 0 ? metric->unit : "samples";
	double units = metric->ticks_per_unit != 0 ? ticks / metric->ticks_per_unit : ticks;
	char count[FIT_COUNT_BYTES];

	if (is_in_seconds(report) && units < MANY_SECONDS)
		return formatted(gx, "%.2f s", units);
	/* Fewer digits than a count has, and fractions. */
	if (units < 99 && units != (double)(int)units)
		snprintf(count, sizeof count, "%.3g", units);
	else
		fit_count(count, units);
	if (is_in_seconds(report))
		unit = "s";
	else if (strcmp(unit, "samples") == 0 && strcmp(count, "1") == 0)
		unit = "sample";
	return formatted(gx, "%s %s", count, unit);
}

/* The samples that were taken for the first metric, be they all or not; 0: not known. */
static uint64_t
samples_of(const struct gprofx_report *report)
{
	uint64_t samples = 0;

	if (report->findings->account)
		return report->findings->account->samples;
	for (uint32_t i = 0; i < report->files->count; i++)
		samples += gprofx_file_at(report, i)->samples -
		           gprofx_file_at(report, i)->copied_samples;
	return samples;
}

/* Whether all histograms were taken at the rate that times are in. */
static bool
has_one_rate(const struct gprofx_report *report)
{
	for (uint32_t i = 0; i < report->files->count; i++) {
		const struct gprofx_profile_file *file = gprofx_file_at(report, i);

		for (uint32_t k = 0; k < file->range_count; k++)
			if (gprofx_range_at(file, k)->rate !=
			    report->origin->metrics->ticks_per_unit)
				return false;
	}
	return true;
}

/* Two kinds of time, as of threads that run and wait: neither is all of it. */
static const char *
both_times(struct gprofx *gx, const struct gprofx_report *report, const char *first)
{
	const struct gprofx_metric *second;
	double ticks;

	if (report->origin->metric_count != 2 || !is_in_seconds(report))
		return first;
	second = gprofx_metric_at(report, 1);
	ticks = gprofx_column_at(report->graph->columns, 1)->flat_total;
	if (second->ticks_per_unit == 0 || strcmp(second->unit, "seconds") != 0)
		return first;
	return formatted(gx, "%s of %s, %.2f s of %s", first, report->origin->metrics->name,
	                 (ticks > 0 ? ticks : 0) / second->ticks_per_unit, second->name);
}

static const char *
call_files(struct gprofx *gx, const struct gprofx_report *report)
{
	uint32_t count = report->origin->call_file_count;

	return count == 1 ? formatted(gx, "calls from %s",
	                              fit_base_name(report->origin->call_files[0]))
	                  : formatted(gx, "calls from %u other profiles", count);
}

static const char *
measured(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_account *account = report->findings->account;
	bool from_stacks = report->origin->has_arcs && gprofx_is_measured(report);
	double ticks = account ? account->ticks : report->graph->columns->flat_total;
	uint64_t samples = samples_of(report);
	char count[FIT_COUNT_BYTES];
	const char *text;

	if (!report->origin->has_histogram)
		return report->origin->has_arcs ? "calls were counted, but no times were measured"
		                                : "neither times nor calls were recorded";
	text = head_amount(gx, report, ticks > 0 ? ticks : 0);
	if (gprofx_is_clocked(report))
		return formatted(gx, "%s, measured by a clock at entry and exit", text);
	if (costed_calls(report))
		return formatted(gx, "%s, measured by calls", text);
	if (from_stacks) {
		text = formatted(gx, "%s, measured from call stacks", both_times(gx, report, text));
		return sources_differ(report)
		               ? formatted(gx, "%s; %s", text, call_files(gx, report))
		               : text;
	}
	if (!is_in_seconds(report))
		return formatted(gx, "%s, sampled", text);
	text = formatted(gx, "%s sampled", text);
	if (account && account->cpu_time > 0)
		text = formatted(gx,
		                 account->unsampled < 0 ? "%s, more than the %.2f s of --cpu-time"
		                                        : "%s of %.2f s of CPU time",
		                 text, account->cpu_time);
	text = formatted(gx, "%s, %s %s", text, fit_count(count, (double)samples),
	                 samples == 1 ? "sample" : "samples");
	return has_one_rate(report)
	               ? formatted(gx, "%s at %u Hz", text, report->origin->metrics->ticks_per_unit)
	               : text;
}

const char *
head_measured(struct gprofx *gx, const struct gprofx_report *report)
{
	const char *text = measured(gx, report);

	return report->origin->phase ? formatted(gx, "phase %s: %s", report->origin->phase, text)
	                             : text;
}

/* How many profiles were there before the program was: they may be of a build before it. */
static uint32_t
count_older(const struct gprofx_report *report)
{
	enum { SAME_MOMENT = 2 };
	uint32_t older = 0;

	for (uint32_t i = 0; i < report->files->count; i++) {
		int64_t modified = gprofx_file_at(report, i)->modified;

		older += modified != 0 && report->origin->image_modified >= modified + SAME_MOMENT;
	}
	return older;
}

/* "2 profiles (a/gmon.out, b/gmon.out)"; more than two are not named. */
static const char *
how_many_profiles(struct gprofx *gx, const struct gprofx_report *report)
{
	uint32_t count = report->files->count;
	const char *first, *second;

	if (count == 2) {
		first = gprofx_file_at(report, 0)->name;
		second = gprofx_file_at(report, 1)->name;
		if (strcmp(first, second) != 0)
			return formatted(gx, "2 profiles (%s, %s)",
			                 head_file_name(gx, report, first),
			                 head_file_name(gx, report, second));
	}
	return formatted(gx, "%u profiles", count);
}

/* "2026-11-26 16:01" by the clock that the user knows the run by; false: not known. */
static bool
format_moment(char when[32], int64_t modified)
{
	time_t moment = (time_t)modified;
	struct tm parts;

	return modified != 0 && localtime_r(&moment, &parts) &&
	       strftime(when, 32, "%Y-%m-%d %H:%M", &parts) != 0;
}

/* Whether all files are those of one folder, in which "gprofx record" gives each process one. */
static bool
is_recording(const struct gprofx_report *report)
{
	static const char ending[] = ".gxc";
	const struct gprofx_report_origin *origin = report->origin;
	size_t folder = origin->profile_count == 1 ? strlen(origin->profiles[0]) : 0;

	for (uint32_t i = 0; i < report->files->count; i++) {
		const char *name = gprofx_file_at(report, i)->name;
		size_t length = strlen(name);

		if (folder == 0 || length < folder + sizeof ending ||
		    strncmp(name, origin->profiles[0], folder) != 0 ||
		    (name[folder] != '/' && name[folder - 1] != '/') ||
		    strcmp(name + length - (sizeof ending - 1), ending) != 0)
			return false;
	}
	return report->files->count > 0;
}

/* "gprofx.data of 2026-11-26 16:01, 3 processes" */
static const char *
describe_recording(struct gprofx *gx, const struct gprofx_report *report, uint32_t older)
{
	uint32_t count = report->files->count;
	const char *text = fit_base_name(report->origin->profiles[0]);
	int64_t newest = 0;
	char when[32];

	for (uint32_t i = 0; i < count; i++)
		if (gprofx_file_at(report, i)->modified > newest)
			newest = gprofx_file_at(report, i)->modified;
	if (format_moment(when, newest))
		text = formatted(gx, "%s of %s", text, when);
	if (count > 1)
		text = formatted(gx, "%s, %u processes", text, count);
	return older > 0 ? formatted(gx, "%s, older than the program", text) : text;
}

const char *
head_profiles(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_profile_file *file;
	uint32_t count = report->files->count, older = count_older(report);
	char when[32];

	if (is_recording(report))
		return describe_recording(gx, report, older);
	if (count != 1) {
		const char *text = how_many_profiles(gx, report);

		return older == 0 ? text
		                  : formatted(gx, "%s, %s older than the program", text,
		                              older == count ? "all of them"
		                                             : formatted(gx, "%u of them", older));
	}
	file = gprofx_file_at(report, 0);
	if (strcmp(file->name, "-") == 0)
		return "from standard input";
	if (!format_moment(when, file->modified))
		return formatted(gx, "in %s", fit_base_name(file->name));
	/* Without a program, the line begins with the name. */
	if (!report->origin->image)
		return formatted(gx, "written %s", when);
	return formatted(gx, "%s of %s%s", fit_base_name(file->name), when,
	                 older > 0 ? ", older than the program" : "");
}

static uint32_t
list_parts(struct gprofx *gx, const struct gprofx_report *report,
           const struct gprofx_account *account, struct head_part parts[HEAD_MOST_PARTS])
{
	const struct {
		const struct gprofx_account_part *part;
		const char *word, *where;
	} all[HEAD_MOST_PARTS] = {
		{&account->shown, "shown", "in the functions below"},
		{&account->profiling, "profiling", "in the call counting of -pg, not shown"},
		{&account->outside, "outside", "in code that no function covers"},
		{&account->excluded, "excluded", "in functions that are not selected"},
		{&account->beyond, "beyond", "outside of the program's code"},
	};
	const char *whole = is_in_seconds(report) ? "of the sampled time, " : "of all samples, ";
	uint32_t count = 0;

	for (size_t i = 0; i < HEAD_MOST_PARTS; i++) {
		const struct gprofx_account_part *part = all[i].part;

		if (!(part->samples > 0))
			continue;
		parts[count++] = (struct head_part){
			.amount = head_amount(gx, report, part->ticks),
			.percent = account->ticks > 0 ? 100.0 * part->ticks / account->ticks : 0,
			.word = all[i].word,
			.where = formatted(gx, "%s%s", whole, all[i].where),
		};
		/* Once is enough. */
		whole = "";
	}
	return count;
}

uint32_t
head_parts(struct gprofx *gx, const struct gprofx_report *report,
           struct head_part parts[HEAD_MOST_PARTS])
{
	const struct gprofx_account *account = report->findings->account;

	return account && account->samples > 0 ? list_parts(gx, report, account, parts) : 0;
}

const char *
head_copied(struct gprofx *gx, const struct gprofx_report *report)
{
	const struct gprofx_account *account = report->findings->account;
	char count[FIT_COUNT_BYTES];

	if (!account || account->copied_samples == 0)
		return NULL;
	return formatted(gx, "left out: %s samples that forked children copied",
	                 fit_count(count, (double)account->copied_samples));
}

/* "libm.so.6, libc.so.6 and 3 more" */
static const char *
libraries_of(struct gprofx *gx, const struct gprofx_account *account)
{
	enum { MOST = 3 };
	uint32_t count = account->library_count, shown = count <= MOST + 1 ? count : MOST;
	const char *text = "";

	for (uint32_t i = 0; i < shown; i++)
		text = formatted(gx, "%s%s%s", text,
		                 i == 0           ? ""
		                 : i + 1 == count ? " and "
		                                  : ", ",
		                 account->libraries[i]);
	if (count > shown)
		text = formatted(gx, "%s and %u more", text, count - shown);
	return text;
}

const char *
head_unsampled(struct gprofx *gx, const struct gprofx_report *report)
{
	enum { WORTH_A_WORD = 1000000 }; /* some hundredths of a second */
	const struct gprofx_account *account = report->findings->account;
	const char *where;
	char count[FIT_COUNT_BYTES];

	if (!account)
		return NULL;
	where = libraries_of(gx, account);
	if (account->library_count > 0 && account->counted_calls >= WORTH_A_WORD)
		where = formatted(gx, "%s, and the counting of %s calls", where,
		                  fit_count(count, (double)account->counted_calls));
	if (account->cpu_time > 0 && account->unsampled > 0)
		return formatted(gx, "not sampled: %.2f s of %.2f s of CPU time%s%s",
		                 account->unsampled, account->cpu_time,
		                 account->library_count > 0 ? ", in " : "", where);
	if (account->cpu_time <= 0 && account->library_count > 0)
		return formatted(gx, "not sampled: time in %s%s", where,
		                 account->is_recordable && account->samples < HEAD_FEW_SAMPLES
		                         ? "; it can be most of the time"
		                         : "");
	return NULL;
}

const char *
head_delayed(struct gprofx *gx, const struct gprofx_report *report)
{
	const double LEAST = 0.01; /* seconds, and of the time that was measured */
	double seconds = 0, delayed = 0;

	for (uint32_t i = 0; i < report->files->count; i++)
		if (gprofx_file_at(report, i)->run == 0)
			delayed += (double)gprofx_file_at(report, i)->delayed_ns / 1e9;
	for (uint32_t i = 0; i < report->origin->metric_count; i++)
		if (gprofx_metric_at(report, i)->ticks_per_unit > 0)
			seconds += gprofx_column_at(report->graph->columns, i)->flat_total /
			           gprofx_metric_at(report, i)->ticks_per_unit;
	/* It is not known of phases. */
	if (report->origin->phase || delayed < LEAST || delayed < LEAST * seconds)
		return NULL;
	return formatted(gx, "not in these: %.2f s ready to run, but no processor was free",
	                 delayed);
}

const char *
head_few_samples(struct gprofx *gx, const struct gprofx_report *report, uint32_t function,
                 double total)
{
	const double WIDE = 0.4; /* of the share, from end to end */
	const struct gprofx_column *column = report->graph->columns;
	const struct gprofx_doubt *doubt = column->self_doubt;
	double self = gprofx_self_of(report, function), share = self / total;
	struct share_interval chance, all;
	char count[FIT_COUNT_BYTES];
	int digits;

	/* Where each sample weighs one tick, ticks are samples. */
	if (!column->self_squares.first || column->self_squares.first != column->self.first)
		return NULL;
	chance = estimate_share(self, total);
	if (!(share > 0) || chance.high - chance.low < WIDE * share)
		return NULL;
	all = estimate_open_share(self, doubt ? &doubt[function] : NULL, total);
	digits = all.high < 0.1 ? 1 : 0;
	return formatted(gx,
	                 "few samples (%s): the %.1f %% of the first row can be %.*f to %.*f %%",
	                 fit_count(count, total), 100 * share, digits, 100 * all.low, digits,
	                 100 * all.high);
}

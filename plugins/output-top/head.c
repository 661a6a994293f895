/* SPDX-License-Identifier: Apache-2.0 */
#include "head.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fit.h"

enum {
	INDENT = 2,
	AMOUNT = 10, /* columns of an amount */
	WHERE = INDENT + AMOUNT + 11
};

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

/* Ticks in the unit of what was measured: "2.52 s", "1.20 G cycles", "17 samples". */
static const char *
amount_of(struct page *page, const struct gprofx_report *report, double ticks)
{
	const double MANY_SECONDS = 99999;
	const struct gprofx_metric *metric = report->origin->metrics;
	double units = metric->ticks_per_unit != 0 ? ticks / metric->ticks_per_unit : ticks;
	char count[FIT_COUNT_BYTES];

	if (is_in_seconds(report) && units < MANY_SECONDS)
		return page_text(page, "%.2f s", units);
	/* Fewer digits than a count has, and fractions. */
	if (units < 99 && units != (double)(int)units)
		snprintf(count, sizeof count, "%.3g", units);
	else
		fit_count(count, units);
	return page_text(page, "%s %s", count,
	                 is_in_seconds(report)         ? "s"
	                 : metric->ticks_per_unit != 0 ? metric->unit
	                                               : "samples");
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

/* "12.5 s sampled, 1250 samples at 100 Hz" */
static const char *
what_was_measured(struct page *page, const struct gprofx_report *report)
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
	text = amount_of(page, report, ticks > 0 ? ticks : 0);
	if (from_stacks)
		return page_text(page, "%s, measured from call stacks", text);
	if (!is_in_seconds(report))
		return page_text(page, "%s, sampled", text);
	text = page_text(page, "%s sampled", text);
	if (account && account->cpu_time > 0)
		text = page_text(page,
		                 account->unsampled < 0 ? "%s (CPU time stated: %.2f s)"
		                                        : "%s of %.2f s of CPU time",
		                 text, account->cpu_time);
	text = page_text(page, "%s, %s %s", text, fit_count(count, (double)samples),
	                 samples == 1 ? "sample" : "samples");
	return has_one_rate(report) ? page_text(page, "%s at %u Hz", text,
	                                        report->origin->metrics->ticks_per_unit)
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
how_many_profiles(struct page *page, const struct gprofx_report *report)
{
	uint32_t count = report->files->count;
	const char *first, *second;

	if (count == 2) {
		first = gprofx_file_at(report, 0)->name;
		second = gprofx_file_at(report, 1)->name;
		if (strcmp(first, second) != 0)
			return page_text(page, "2 profiles (%s, %s)",
			                 head_file_name(page->gx, report, first),
			                 head_file_name(page->gx, report, second));
	}
	return page_text(page, "%u profiles", count);
}

/* "gmon.out of 2026-11-23 20:44", "written 2026-11-23 20:44", or how many there are. */
static const char *
which_profiles(struct page *page, const struct gprofx_report *report)
{
	const struct gprofx_profile_file *file;
	uint32_t count = report->files->count, older = count_older(report);
	char when[32];
	struct tm parts;
	time_t moment;

	if (count != 1) {
		const char *text = how_many_profiles(page, report);

		return older == 0
		               ? text
		               : page_text(page, "%s, %s older than the program", text,
		                           older == count ? "all of them"
		                                          : page_text(page, "%u of them", older));
	}
	file = gprofx_file_at(report, 0);
	if (strcmp(file->name, "-") == 0)
		return "from standard input";
	moment = (time_t)file->modified;
	/* By the clock that the user knows the run by. */
	if (file->modified == 0 || !localtime_r(&moment, &parts) ||
	    strftime(when, sizeof when, "%Y-%m-%d %H:%M", &parts) == 0)
		return page_text(page, "in %s", fit_base_name(file->name));
	/* Without a program, the line begins with the name. */
	if (!report->origin->image)
		return page_text(page, "written %s", when);
	return page_text(page, "%s of %s%s", fit_base_name(file->name), when,
	                 older > 0 ? ", older than the program" : "");
}

/* A line of the account: its amount, its share, and where that is. */
static void
put_part(struct page *page, const struct gprofx_report *report,
         const struct gprofx_account_part *part, const char *where)
{
	const struct gprofx_account *account = report->findings->account;
	const char *amount = amount_of(page, report, part->ticks);
	double share = account->ticks > 0 ? 100.0 * part->ticks / account->ticks : 0;

	if (page->width > 2 * WHERE) {
		page_to(page, INDENT);
		page_puts(page, page_text(page, "%*s  %5.1f %%", AMOUNT, amount, share));
		page_fill(page, WHERE, where);
	} else {
		page_fill(page, INDENT, page_text(page, "%s, %.1f %%, %s", amount, share, where));
	}
	page_end_line(page);
}

/* "libm.so.6, libc.so.6 and 3 more" */
static const char *
libraries_of(struct page *page, const struct gprofx_account *account)
{
	enum { MOST = 3 };
	uint32_t count = account->library_count, shown = count <= MOST + 1 ? count : MOST;
	const char *text = "";

	for (uint32_t i = 0; i < shown; i++)
		text = page_text(page, "%s%s%s", text,
		                 i == 0           ? ""
		                 : i + 1 == count ? " and "
		                                  : ", ",
		                 account->libraries[i]);
	if (count > shown)
		text = page_text(page, "%s and %u more", text, count - shown);
	return text;
}

/* Time that no sample covers. */
static void
put_unsampled(struct page *page, const struct gprofx_report *report)
{
	enum { WORTH_A_WORD = 1000000 }; /* some hundredths of a second */
	const struct gprofx_account *account = report->findings->account;
	const char *where = libraries_of(page, account), *text;
	char count[FIT_COUNT_BYTES];

	if (account->library_count > 0 && account->counted_calls >= WORTH_A_WORD)
		where = page_text(page, "%s, and the counting of %s calls", where,
		                  fit_count(count, (double)account->counted_calls));
	if (account->cpu_time > 0 && account->unsampled > 0)
		text = page_text(page, "not sampled: %.2f s of %.2f s of CPU time%s%s",
		                 account->unsampled, account->cpu_time,
		                 account->library_count > 0 ? ", in " : "", where);
	else if (account->cpu_time <= 0 && account->library_count > 0)
		text = page_text(page, "not sampled: time in %s", where);
	else
		return;
	page_fill(page, INDENT, text);
	page_end_line(page);
}

static void
put_account(struct page *page, const struct gprofx_report *report)
{
	const struct gprofx_account *account = report->findings->account;
	const struct {
		const struct gprofx_account_part *part;
		const char *where;
	} parts[] = {
		{&account->shown, "in the functions below"},
		{&account->profiling, "in the call counting of -pg, not shown"},
		{&account->outside, "in code that no function covers"},
		{&account->excluded, "in functions that are not selected"},
		{&account->beyond, "outside of the program's code"},
	};
	const char *whole = is_in_seconds(report) ? "of the sampled time, " : "of all samples, ";
	char count[FIT_COUNT_BYTES];

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (account->samples == 0 || !(parts[i].part->samples > 0))
			continue;
		/* Once is enough. */
		put_part(page, report, parts[i].part,
		         page_text(page, "%s%s", whole, parts[i].where));
		whole = "";
	}
	if (account->copied_samples > 0) {
		page_fill(page, INDENT,
		          page_text(page, "left out: %s samples that forked children copied",
		                    fit_count(count, (double)account->copied_samples)));
		page_end_line(page);
	}
	put_unsampled(page, report);
}

void
head_put(struct page *page, const struct gprofx_report *report)
{
	const struct gprofx_report_files *files = report->files;
	const char *name = report->origin->image;

	if (!name)
		name = files->count == 1 ? gprofx_file_at(report, 0)->name : "profiles";
	page_style(page, PAGE_BOLD);
	page_fill(page, 0, page_text(page, "%s:", fit_base_name(name)));
	page_style(page, NULL);
	/* A blank is set where text is beyond the indent. */
	page_fill(page, page->column > INDENT ? INDENT : page->column - 1,
	          page_text(page, "%s, %s", what_was_measured(page, report),
	                    which_profiles(page, report)));
	page_end_line(page);
	if (report->findings->account)
		put_account(page, report);
}

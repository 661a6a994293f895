/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted, sampled, estimated and missing, in a sentence each, and how to measure better.
 */
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/costed.h"
#include "../shared/estimate.h"
#include "../shared/fit-texts.h"
#include "../shared/formatted.h"
#include "../shared/head-texts.h"
#include "many.h"
#include "nodes.h"
#include "prose.h"
#include "source.h"
#include "text.h"

enum { FEW_SAMPLES = 1000 };

static void
put(struct prose *p, const char *id, const char *text)
{
	gprofx_out(p->w, "<li id=\"method-%s\">", id);
	text_puts_html(p->w, text);
	gprofx_puts(p->w, "</li>\n");
}

static bool
is_of_stacks(const struct prose *p)
{
	return p->report->origin->has_arcs && gprofx_is_measured(p->report);
}

static void
put_self(struct prose *p)
{
	const struct gprofx_metric *metric = p->report->origin->metrics;

	if (!p->report->origin->has_histogram)
		put(p, "self", "No times were measured. Functions are sorted by numbers of calls.");
	else if (is_of_stacks(p) && gprofx_is_clocked(p->report))
		put(p, "self",
		    "Times are measured by a clock, at entry and exit of functions: they are no "
		    "samples, and waiting is part of them. Functions that do not call the collector "
		    "have no times: theirs are those of their callers.");
	else if (costed_calls(p->report))
		put(p, "self",
		    "Self values are counted in each function, and total values are those of calls "
		    "to it, each from its entry to its return. Of a single caller's calls, the "
		    "callee's own part is an estimate.");
	else if (is_of_stacks(p))
		put(p, "self",
		    "Times are measured from call stacks: each stack is a sample of what ran, and "
		    "of who had called it. Self time is that of stacks that end in the function.");
	else if (metric->kind == GPROFX_COUNTED)
		put(p, "self",
		    formatted(p->gx, "Self values are counted events (%s).", metric->name));
	else if (strcmp(metric->unit, "seconds") == 0 && metric->ticks_per_unit > 0)
		put(p, "self",
		    formatted(
			    p->gx,
			    "Self time is sampled, not measured exactly: the program counter was "
			    "sampled at regular intervals, and each sample counts for the function "
			    "that it is in. Each stands for %.4g ms.",
			    1000.0 / metric->ticks_per_unit));
	else
		put(p, "self",
		    formatted(p->gx,
		              "Self values (%s) are sampled: each sample counts for the function "
		              "that it is in.",
		              metric->name));
}

/* How far chance can be at work in the heaviest row. */
static void
put_error(struct prose *p)
{
	const struct gprofx_column *column = p->report->graph->columns;
	const struct gprofx_doubt *doubt = column->self_doubt;
	struct share_interval all;
	struct gprofx_text name;
	char count[FIT_COUNT_BYTES];
	double self;
	uint32_t function;

	/* Where each sample weighs one tick, ticks are samples. */
	if (!p->has_times || p->count == 0 || !column->self_squares.first ||
	    column->self_squares.first != column->self.first)
		return;
	function = p->nodes->row[0];
	name = p->nodes->names[function];
	self = gprofx_self_of(p->report, function);
	all = estimate_open_share(self, doubt ? &doubt[function] : NULL, p->total);
	put(p, "error",
	    formatted(p->gx,
	              "Samples are random. With %s %s, the true share of %.*s, measured as "
	              "%.1f %%, is probably between %.1f and %.1f %%: such a range is right in 95 "
	              "of 100 runs. Smaller differences can be chance.",
	              fit_count(count, p->total), p->total == 1 ? "sample" : "samples",
	              (int)name.length, name.bytes, 100 * self / p->total, 100 * all.low,
	              100 * all.high));
}

static void
put_calls(struct prose *p, bool is_counted)
{
	const struct gprofx_report_graph *graph = p->report->graph;
	const char *threads = p->report->findings->can_start_threads
	                              ? " This program can start threads: if several ran, "
	                                "some calls were lost, and the numbers are lower "
	                                "bounds."
	                              : "";

	if (is_counted)
		put(p, "calls",
		    formatted(
			    p->gx,
			    "Numbers of calls are counted, not sampled. Only code that was compiled to "
			    "count calls does so; where no call was counted, there is a dash.%s",
			    threads));
	else
		put(p, "calls", "Numbers of calls are not known: the profile has none.");
	if (graph->arc_static)
		put(p, "found",
		    "Calls that were found in the code, but never recorded, have the number 0.");
	if (graph->arc_divided)
		put(p, "divided",
		    "Some calls can be those of several functions or lines. They are divided "
		    "evenly, and marked as estimates.");
}

static void
put_total(struct prose *p)
{
	if (!p->report->origin->has_arcs)
		put(p, "total",
		    "Total times are not known: no calls were recorded, which say who is "
		    "responsible.");
	else if (is_of_stacks(p))
		put(p, "total",
		    "Total times are measured: a stack counts once for each function that is in it.");
	else if (p->has_times)
		put(p, "total",
		    "Total times are estimates, marked with ~. The profile does not say how long "
		    "each call took, so the time of a function is divided among its callers in "
		    "proportion to their numbers of calls, as if all calls took equally long.");
}

static void
put_cycles(struct prose *p)
{
	const struct gprofx_report *report = p->report;
	uint32_t cycles = report->graph->node_count - report->functions->count, most = 0;
	const uint32_t *first = report->graph->members.first;
	const char *text;

	if (cycles == 0)
		return;
	for (uint32_t i = 0; i < cycles; i++)
		most = first[i + 1] - first[i] > most ? first[i + 1] - first[i] : most;
	text = cycles == 1
	               ? formatted(p->gx, "%u functions call each other, directly or not: a cycle.",
	                           most)
	               : formatted(p->gx,
	                           "%u groups of functions call each other, directly or not: "
	                           "cycles, the largest of %u functions.",
	                           cycles, most);
	put(p, "cycles",
	    formatted(p->gx,
	              "%s Time that members spend for each other cannot be divided among them, so "
	              "only the total time of the cycle as a whole is known.",
	              text));
}

static void
put_paths(struct prose *p)
{
	const struct gprofx_report_contexts *contexts = p->report->contexts;
	const double whole = contexts->columns->graph_total, cut = contexts->cut[0];
	const char *rest = "";

	if (contexts->count == 0)
		return;
	if (whole > 0 && cut > 0)
		rest = formatted(p->gx,
		                 " %s %% of the time is in chains that are too small to be shown "
		                 "one by one.",
		                 cut / whole < 0.0005
		                         ? "Less than 0.1"
		                         : formatted(p->gx, "%.1f", 100 * cut / whole));
	put(p, "paths",
	    formatted(p->gx,
	              "%s%s In it, \"here\" is the time of a function on one path of calls, and "
	              "\"in all\" that on all of them, as in the table.",
	              contexts->is_estimated
	                      ? "The flame view is an estimate: it divides the time of each call "
	                        "among the callers of its caller. Single calls in it are those of "
	                        "the profile, longer chains are assumptions."
	              : gprofx_is_clocked(p->report)
	                      ? "The flame view shows the calls as they were measured."
	                      : "The flame view shows the stacks as they were recorded.",
	              rest));
}

/* What it means that a subroutine was inlined, if some that have time are known. */
static void
put_inlined(struct prose *p)
{
	const struct gprofx_report_contexts *contexts = p->report->contexts;

	for (uint32_t i = 0; i < contexts->count; i++)
		if (contexts->flags[i] & GPROFX_CONTEXT_INLINED) {
			put(p, "inlined",
			    "Inlined subroutines are code that the compiler copied into the functions "
			    "that call them. Their time is part of the self time of these functions, "
			    "and their calls are not counted, since none happens.");
			return;
		}
}

/* Words of the account as a sentence. */
static void
put_sentence(struct prose *p, const char *id, const char *text)
{
	char *sentence;

	if (!text)
		return;
	sentence = gprofx_alloc(p->gx, strlen(text) + 2);
	snprintf(sentence, strlen(text) + 2, "%s.", text);
	if (sentence[0] >= 'a' && sentence[0] <= 'z')
		sentence[0] = (char)(sentence[0] - 'a' + 'A');
	put(p, id, sentence);
}

static void
put_missing(struct prose *p)
{
	const struct gprofx_account *account = p->report->findings->account;

	put_sentence(p, "missing", head_unsampled(p->gx, p->report));
	put_sentence(p, "copied", head_copied(p->gx, p->report));
	if (!p->has_times)
		return;
	if (account && account->ticks > 0)
		put(p, "shares",
		    formatted(p->gx,
		              "Shares refer to %s, the time in functions that are listed; that is "
		              "%.1f %% of what was sampled.",
		              head_amount(p->gx, p->report, p->total),
		              100 * p->total / account->ticks));
	else
		put(p, "shares",
		    formatted(p->gx, "Shares refer to %s, the time in all functions.",
		              head_amount(p->gx, p->report, p->total)));
}

static void
put_corrections(struct prose *p)
{
	uint32_t count = p->report->findings->correction_count;

	if (count == 0)
		put(p, "corrections",
		    "The figures are those of GNU gprof; nothing that it gets wrong was corrected.");
	else
		put(p, "corrections",
		    formatted(p->gx,
		              "%u %s corrected that GNU gprof gets wrong; "
		              "gprofx-corrections(7) describes all of them.",
		              count, count == 1 ? "thing was" : "things were"));
}

static void
put_better(struct prose *p, bool is_counted)
{
	const struct gprofx_account *account = p->report->findings->account;
	bool is_recordable = account && account->is_recordable;
	const struct {
		bool is_useful;
		const char *text;
	} advice[] = {
		{p->has_times && p->total < FEW_SAMPLES,
	         "let the program run longer, or several times, and give all profiles to gprofx"},
		{is_recordable,
	         "gprofx record PROGRAM samples call stacks, also in libraries: then total times are "
	         "measured, and nothing of them is missing"},
		{p->has_times && !is_of_stacks(p) && !is_recordable,
	         "sample call stacks, with perf record -g, and give them to gprofx as folded text: "
	         "then total times are measured, and libraries are included"},
		{!is_counted, "compile with -pg to count calls"},
		{account && account->library_count > 0 && !(account->cpu_time > 0),
	         "run gprofx with --cpu-time=SECONDS, the sum of user and sys of the shell's time, to "
	         "see how much was not sampled"},
	};
	const char *text = NULL;

	for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++)
		if (advice[i].is_useful)
			text = formatted(p->gx, "%s%s",
			                 text ? formatted(p->gx, "%s; ", text)
			                      : "To measure better: ",
			                 advice[i].text);
	put_sentence(p, "better", text);
}

/* Which sources the page has, and which ones it has not. */
static void
put_source(struct prose *p, const struct source *source)
{
	const char *left = "", *lost = "";
	char bytes[FIT_COUNT_BYTES];

	if (source->mode == SOURCE_NONE) {
		put(p, "source", "Sources were left out, as asked for (html.source).");
		return;
	}
	if (source->count == 0)
		return;
	if (source->left_bytes > 0 || source->left > 0)
		left = formatted(
			p->gx,
			" What is far from lines with time or counts, or too much "
			"(html.source-bytes), was left out: %sB of them, and all of %u more "
			"%s.",
			fit_count(bytes, (double)source->left_bytes), source->left,
			source->left == 1 ? "file" : "files");
	if (source->lost > 0)
		lost = formatted(p->gx, " %u %s not found; name folders with -I.", source->lost,
		                 source->lost == 1 ? "file was" : "files were");
	put(p, "source",
	    formatted(p->gx, "The page has the sources of %s %s with time or counts.%s%s",
	              source->shown ? formatted(p->gx, "%u", source->shown) : "no",
	              source->shown == 1 ? "file" : "files", left, lost));
}

/* Of how many functions the page has no values by profile, or by thread. */
static void
put_many(struct prose *p, const struct many *many)
{
	uint32_t files = p->report->files->labelled_count;

	if (many->rows)
		put(p, "files",
		    formatted(p->gx, "The page has what each of %u profiles has of %u functions%s.",
		              files, many->row_count,
		              many->rows_left == 0
		                      ? ""
		                      : formatted(p->gx,
		                                  ", those that differ most between them; "
		                                  "there is no room for %u others",
		                                  many->rows_left)));
	if (many->functions_left > 0)
		put(p, "slices",
		    formatted(p->gx,
		              "Values by process, thread and phase are those of the heaviest "
		              "functions; there is no room for those of %u others.",
		              many->functions_left));
}

void
method_put(struct prose *p, const struct source *source, const struct many *many)
{
	const struct gprofx_report *report = p->report;
	bool is_counted = nodes_have_counts(report);

	gprofx_puts(p->w, "\n<h2>How this was measured</h2>\n<ol>\n");
	put_self(p);
	put_error(p);
	put_calls(p, is_counted);
	put_total(p);
	put_cycles(p);
	put_paths(p);
	put_inlined(p);
	put_missing(p);
	put_source(p, source);
	put_many(p, many);
	put_corrections(p);
	put_better(p, is_counted);
	put(p, "made",
	    formatted(p->gx, "This page was written by gprofx %s, and loads nothing.",
	              report->origin->version));
	gprofx_puts(p->w, "</ol>\n");
}

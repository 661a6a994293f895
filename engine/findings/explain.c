/* SPDX-License-Identifier: Apache-2.0 */
/* How to read the tables of this very run: a paragraph on each thing that they show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "findings/parts.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "shared/names.h"
#include "symbols/demangle.h"
#include "symbols/late.h"
#include "symbols/readable.h"
#include "symbols/symbols.h"

enum { MOST_PARAGRAPHS = 9, NAMES_SHOWN = 3, NAME_BYTES = 60 };

struct explaining {
	struct findings *findings;
	struct run *run;
	const struct graph *graph;
	const struct profile *profile;
	const char **paragraphs;
	uint32_t count;
};

static void
say(struct explaining *e, const char *paragraph)
{
	e->paragraphs[e->count++] = paragraph;
}

/*
 * A name in a sentence: a long one loses what the compiler added, then parameters, template
 * arguments and scopes; what is too long even so is cut, with dots that say so.
 */
static const char *
brief(struct run *run, const char *name)
{
	struct gprofx_text whole = {name, strlen(name)}, text;
	size_t length = NAME_BYTES;
	struct names names;

	if (whole.length <= NAME_BYTES)
		return name;
	names_begin(&names, &run->gx, NULL, NAME_FULL);
	whole = text = names_without_clones(&run->gx, whole);
	for (int form = NAME_NO_ARGUMENTS; text.length > NAME_BYTES && form <= NAME_LAST_COMPONENTS;
	     form++) {
		names.form = (enum name_form)form;
		text = names_shorten(&names, whole);
	}
	if (text.length <= NAME_BYTES)
		return text_format(run, "%.*s", (int)text.length, text.bytes);
	/* Not inside a character. */
	while (length > 0 && ((unsigned char)text.bytes[length] & 0xc0) == 0x80)
		length--;
	return text_format(run, "%.*s...", (int)length, text.bytes);
}

const char *
findings_name(struct run *run, const struct symbols *symbols, uint32_t function)
{
	const char *raw = symbols->name[function], *kept = raw;
	struct demangle_text text = {0};

	if (readable_symbol(run, symbols, raw, &text) && !text.failed) {
		char *copy = memory_try(run, text.length + 1);

		if (copy)
			kept = memcpy(copy, text.bytes, text.length);
	}
	free(text.bytes);
	return brief(run, kept);
}

static const char *
shown_name(struct explaining *e, uint32_t function)
{
	return findings_name(e->run, e->graph->symbols, function);
}

/* "a, b and 5 more" */
static const char *
some_names(struct explaining *e, const uint32_t *functions, uint32_t count)
{
	const char *names = "";

	for (uint32_t i = 0; i < count && i < NAMES_SHOWN; i++)
		names = text_format(e->run, "%s%s%s", names,
		                    i == 0                                   ? ""
		                    : i + 1 == count && count <= NAMES_SHOWN ? " and "
		                                                             : ", ",
		                    shown_name(e, functions[i]));
	if (count > NAMES_SHOWN)
		names = text_format(e->run, "%s and %u more", names, count - NAMES_SHOWN);
	return names;
}

static uint32_t
hottest(const struct graph *graph)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < graph->function_count; i++)
		if (graph->self[i] > graph->self[best])
			best = i;
	return best;
}

/* ", nor ..." about libraries whose time no sample covers, and a stop. */
static const char *
absent_libraries(struct explaining *e)
{
	const struct gprofx_account *account = e->findings->account;

	if (!account)
		return ", and usually neither is time in shared libraries.";
	if (account->library_count == 0)
		return ".";
	return text_format(e->run,
	                   ", and neither is time in %.80s%s: --cpu-time=SECONDS shows how much "
	                   "is missing%s.",
	                   account->libraries[0],
	                   account->library_count == 1
	                           ? ""
	                           : text_format(e->run, " and %u other shared librar%s",
	                                         account->library_count - 1,
	                                         account->library_count == 2 ? "y" : "ies"),
	                   account->is_recordable ? ", and gprofx record PROGRAM samples it, too"
	                                          : "");
}

/* What a time is made of, and how exact the best one of them is. */
static void
explain_samples(struct explaining *e)
{
	uint64_t samples = e->findings->samples;
	uint32_t best = hottest(e->graph);
	double most = e->graph->self[best],
	       unit = profile_is_in_seconds(e->profile) ? e->profile->rate : 1;
	const char *of = profile_is_in_seconds(e->profile) ? "s" : "samples";
	const char *start;

	if (e->profile->stacks.calls.count > 0) {
		say(e,
		    text_format(e->run,
		                "Costs are measured, in %.15s: those of a function itself, and of "
		                "each call with all that was called until it returned. The total "
		                "of a function is that of the calls to it; calls within a "
		                "recursion are parts of outer ones, and count once. The costs of "
		                "callers are no estimates; only how much of a call is the "
		                "callee's own is one.",
		                e->profile->stacks.dimension));
		return;
	}
	if (e->profile->stacks.is_there) {
		say(e, text_format(e->run,
		                   "Times are measured from call stacks, in %.15s: the weight of a "
		                   "stack is the self time of its innermost function, and counts "
		                   "once in the time of each function that is in it. Nothing is "
		                   "divided by numbers of calls, so the times of callers are no "
		                   "estimates.",
		                   e->profile->stacks.dimension));
		return;
	}
	if (samples == 0) {
		say(e,
		    profile_is_measured(e->profile)
		            ? "No samples were taken, so all times are 0, and the order of "
		              "functions by time means nothing. Call counts do not come from "
		              "samples."
		            : "The profile has no histogram, so all times are 0, and the order of "
		              "functions by time means nothing. Call counts do not come from "
		              "samples.");
		return;
	}
	if (profile_is_in_seconds(e->profile))
		start = text_format(
			e->run,
			"Times come from samples: the program counter was sampled %u times per "
			"second of CPU time, so each sample stands for %g s. There %s %llu "
			"sample%s, %.2f s in total.",
			e->profile->rate, 1 / unit, samples == 1 ? "is" : "are",
			(unsigned long long)samples, samples == 1 ? "" : "s",
			(double)samples / unit);
	else
		start = text_format(
			e->run, "Times come from samples of the program counter. There %s %llu%s.",
			samples == 1 ? "is" : "are", (unsigned long long)samples,
			e->profile->rate == 0 ? ", and the sampling rate is not known" : "");
	if (most <= 0) {
		say(e,
		    text_format(e->run, "%s None of them is in a function that is shown.", start));
		return;
	}
	say(e, text_format(
		       e->run,
		       "%s The standard error of a time is the square root of its number of "
		       "samples: the largest time, that of %s, is %.2f %s with a standard "
		       "error of %.2f %s (%.0f %%). Do not compare functions whose times differ by "
		       "less than twice the error; a function with three samples or fewer may have "
		       "taken almost no time, or three times as much.",
		       start, shown_name(e, best), most / unit, of, sqrt(most) / unit, of,
		       100 / sqrt(most)));
	say(e, text_format(e->run,
	                   "Samples are taken only while the program uses the CPU. Time spent "
	                   "waiting, for input, for the network or in sleep, is in no table%s",
	                   absent_libraries(e)));
}

/* Whether an option adds arcs that are in the code. */
static bool
can_show_code(const struct explaining *e)
{
	return !e->run->settings->static_calls && symbols_have_image(e->graph->symbols);
}

/* The column of calls, and what a blank in it means. */
static void
explain_calls(struct explaining *e)
{
	const struct graph *graph = e->graph;
	enum plt_counting plt = findings_plt_counting(e->profile);
	uint32_t *blank, count = 0;

	if (e->profile->stacks.calls.count > 0) {
		say(e, "Numbers of calls are exact. A blank means that nothing called the function "
		       "while costs were measured.");
		return;
	}
	if (e->findings->calls == 0 && e->profile->stacks.is_there) {
		say(e, "No call was counted: how often a function ran is not known, as stacks do "
		       "not tell it.");
		return;
	}
	if (e->findings->calls == 0) {
		say(e, "No calls were counted, so there are no call counts and no times per call; "
		       "only the flat profile is available. Read it in its order, by self time.");
		return;
	}
	memory_array(e->run, blank, graph->function_count);
	for (uint32_t i = 0; i < graph->function_count; i++)
		if (graph->self[i] > 0 && graph->calls[i] == 0 &&
		    (!graph->is_analysed || graph->recursive[i] == 0))
			blank[count++] = i;
	say(e,
	    text_format(
		    e->run,
		    "In the flat profile, self time is spent in the function itself, not in the "
		    "functions it calls. Calls are counted, not sampled%s.%s%s%s",
		    finding_is_there(e->findings, FINDING_THREADS) ||
				    finding_is_there(e->findings, FINDING_TABLE_FULL)
			    ? ", but this run may have missed some: treat call counts as lower "
			      "bounds, and times per call as upper bounds"
			    : "",
		    count == 0 ? ""
		    : plt == PLT_COUNTING_ALL
			    ? " The dynamic linker counts calls through the PLT only (LD_PROFILE): "
			      "where the count is blank, all calls were made in another way, inside "
			      "of the library: "
			    : text_format(
				      e->run,
				      " Where the count is blank, no calls were counted, because "
				      "the function was not compiled with -pg or is called only "
				      "by code that was not%s: ",
				      plt == PLT_COUNTING_SOME
					      ? ", or is in a library and called other than "
						"through the PLT (LD_PROFILE)"
					      : ""),
		    some_names(e, blank, count),
		    count == 0         ? ""
		    : can_show_code(e) ? ". -c lists the code that calls them, with 0 calls."
				       : "."));
}

/* Whether calls were lost is not known: nothing in the profile tells. */
static void
explain_threads(struct explaining *e)
{
	const char *starter = e->findings->starter;

	if (starter && !finding_is_there(e->findings, FINDING_THREADS))
		say(e, text_format(e->run,
		                   "The program can run several threads: it uses %s. If it did, "
		                   "calls that two threads made at the same time may be missing: "
		                   "call counts are then lower bounds, and times per call upper "
		                   "bounds. A run with one thread counts all calls.",
		                   starter));
}

static const char *
image_symbols_file(const struct symbol_image *image)
{
	return image->late && image->late->table ? image->late->table->symbols_file
	                                         : image->symbols_file;
}

/* Where names come from that were stripped from an image. */
static void
explain_names(struct explaining *e)
{
	const struct symbols *symbols = e->graph->symbols;
	const struct symbol_image *first = NULL;
	uint32_t count = 0;
	const char *file = NULL;

	for (uint32_t i = 0; i < symbols->image_count; i++) {
		const char *own = i == 0 ? symbols->table.symbols_file
		                         : image_symbols_file(&symbols->images[i]);

		if (!own)
			continue;
		first = first ? first : &symbols->images[i];
		file = file ? file : own;
		count++;
	}
	if (count > 0)
		say(e,
		    text_format(
			    e->run,
			    "The names of functions of %s%s come from %s, as its own file was "
			    "stripped. The build ID or checksum shows that both belong "
			    "together.",
			    brief(e->run, first->name),
			    count > 1 ? text_format(e->run, ", the first of %u such images,", count)
				      : "",
			    file));
}

/* Callers that time is handed to: not the function itself, nor others of its cycle. */
static uint32_t
attribution_charged(const struct graph *graph, uint32_t function)
{
	uint32_t count = 0;

	for (uint32_t i = graph->callers.first[function]; i < graph->callers.first[function + 1];
	     i++) {
		uint32_t arc = graph->callers.item[i];

		count += !graph_is_self_arc(graph, arc) && !graph_is_inside_cycle(graph, arc);
	}
	return count;
}

static void
explain_graph(struct explaining *e)
{
	const struct graph *graph = e->graph;
	uint32_t shared = 0;

	for (uint32_t i = 0; i < graph->function_count; i++)
		shared += graph->cycle[i] == 0 && attribution_charged(graph, i) > 1;
	for (uint32_t cycle = 0; cycle < graph->cycle_count; cycle++) {
		uint32_t callers = 0;

		for (uint32_t i = graph->members.first[cycle]; i < graph->members.first[cycle + 1];
		     i++)
			callers += attribution_charged(graph, graph->members.item[i]);
		shared += callers > 1;
	}
	say(e,
	    text_format(
		    e->run,
		    "In the call graph, the lines above a function are its callers, and those "
		    "below are the functions it calls. The profile does not record how long the "
		    "calls of each caller took: time is divided in proportion to call counts, as "
		    "if all calls took equally long. %s",
		    shared == 0
			    ? "In this run each function has at most one other caller, so nothing "
			      "had to be divided."
			    : text_format(e->run,
	                                  "This is an estimate for %u function%s or cycle%s of "
	                                  "this run with more than one other caller, and for the "
	                                  "children times above %s; it is wrong where one caller "
	                                  "asks for more work per call than another.",
	                                  shared, shared == 1 ? "" : "s", shared == 1 ? "" : "s",
	                                  shared == 1 ? "it" : "them")));
}

static void
explain_spontaneous(struct explaining *e)
{
	const struct graph *graph = e->graph;
	uint32_t *roots, count = 0, outside = graph->symbols->count;

	memory_array(e->run, roots, graph->function_count);
	for (uint32_t i = 0; i < outside; i++)
		if (graph->callers.first[i + 1] == graph->callers.first[i] &&
		    graph->callees.first[i + 1] > graph->callees.first[i])
			roots[count++] = i;
	if (count > 0)
		say(e,
		    text_format(
			    e->run,
			    "<spontaneous> stands where no caller is known: %s. Here this applies "
			    "to %s.",
			    findings_plt_counting(e->profile) == PLT_COUNTING_ALL
				    ? "the function was called other than through the PLT"
				    : "at the start of the program, in a callback from code without "
				      "-pg, in a signal handler or in a new thread",
			    some_names(e, roots, count)));
	if (outside < graph->function_count &&
	    graph->callees.first[outside + 1] > graph->callees.first[outside])
		say(e,
		    text_format(e->run,
		                "%s stands for all callers that are not in the profile; for "
		                "example, the profile of a library counts calls by the program "
		                "without their callers. The time charged to it is the sum for all "
		                "these callers.",
		                graph->symbols->name[outside]));
}

static void
explain_cycles(struct explaining *e)
{
	const struct graph *graph = e->graph;
	uint32_t largest = 0;

	for (uint32_t i = 0; i < graph->cycle_count; i++) {
		uint32_t members = graph->members.first[i + 1] - graph->members.first[i];

		largest = members > largest ? members : largest;
	}
	if (graph->cycle_count > 0)
		say(e,
		    text_format(
			    e->run,
			    "Functions that call each other recursively are grouped as a cycle, "
			    "since the profile cannot tell how time divides among them; there %s "
			    "%u, the largest with %u members. Read the entry of the cycle as a "
			    "whole; no time is propagated among its members. -k FROM/TO removes an "
			    "arc and can break up a cycle.",
			    graph->cycle_count == 1 ? "is" : "are", graph->cycle_count, largest));
}

const char *const *
findings_explain(struct findings *findings, const struct graph *graph, uint32_t *count)
{
	struct explaining e = {.findings = findings,
	                       .run = findings->run,
	                       .graph = graph,
	                       .profile = findings->profile};

	memory_array(findings->run, e.paragraphs, MOST_PARAGRAPHS);
	if (graph->function_count > 0) {
		explain_samples(&e);
		explain_calls(&e);
		explain_threads(&e);
		explain_names(&e);
	}
	/* Of stacks nothing is divided, and cycles are taken apart. */
	if (graph->is_analysed && graph->arc_count > 0 && !findings->profile->stacks.is_there) {
		explain_graph(&e);
		explain_spontaneous(&e);
		explain_cycles(&e);
	}
	*count = e.count;
	return e.paragraphs;
}

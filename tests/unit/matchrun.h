/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of a few literal rows, with no more than what matching reads, and matches as text.
 * Include it first.
 */
#ifndef TESTS_UNIT_MATCHRUN_H
#define TESTS_UNIT_MATCHRUN_H

#include "testrun.h"

#include "compare/match.h"

/* A function; rows end with one without a name.  An address of 0: 16 bytes behind the last one. */
struct match_function {
	const char *name, *file, *object;
	uint64_t address;
	uint32_t image, flags;
};

/* Functions by name alone, of a source file, and of an object. */
#define NAMED(name)                       \
	{                                 \
		name, NULL, NULL, 0, 0, 0 \
	}
#define IN(name, file)                    \
	{                                 \
		name, file, NULL, 0, 0, 0 \
	}
#define OF(name, object)                    \
	{                                   \
		name, NULL, object, 0, 0, 0 \
	}

struct match_report {
	struct gprofx_report public;
	struct gprofx_report_services services;
	struct gprofx_report_origin origin;
	struct gprofx_report_functions functions;
	struct gprofx_report_graph graph;
	const char **file;
};

static inline const char *
match_source(const struct gprofx_report *report, uint32_t node, uint32_t *line)
{
	const struct match_report *own = report->host;

	*line = 0;
	return own->file[node];
}

/* A report of functions that have no names yet. */
static inline struct match_report *
match_report_of(struct testrun *test, uint32_t count)
{
	struct match_report *report = memory_alloc(&test->run, sizeof *report);
	const char **name, **object;
	uint64_t *address;
	uint32_t *image, *flags;

	memory_array(&test->run, name, count);
	memory_array(&test->run, object, count);
	memory_array(&test->run, report->file, count);
	memory_array(&test->run, address, count);
	memory_array(&test->run, image, count);
	memory_array(&test->run, flags, count);
	report->services = (struct gprofx_report_services){sizeof report->services, NULL,
	                                                   match_source, NULL};
	report->origin.size = sizeof report->origin;
	report->functions = (struct gprofx_report_functions){
		.size = sizeof report->functions,
		.count = count,
		.address = address,
		.raw_name = name,
		.object_name = object,
		.image = image,
	};
	report->graph = (struct gprofx_report_graph){
		.size = sizeof report->graph,
		.node_count = count,
		.flags = flags,
	};
	report->public = (struct gprofx_report){
		.size = sizeof report->public,
		.services = &report->services,
		.host = report,
		.origin = &report->origin,
		.functions = &report->functions,
		.graph = &report->graph,
	};
	return report;
}

static inline void
match_set(struct match_report *report, uint32_t i, const struct match_function *function)
{
	const struct gprofx_report_functions *functions = &report->functions;

	((const char **)functions->raw_name)[i] = function->name;
	((const char **)functions->object_name)[i] = function->object;
	((uint32_t *)functions->image)[i] = function->image;
	((uint32_t *)report->graph.flags)[i] = function->flags;
	report->file[i] = function->file;
	((uint64_t *)functions->address)[i] = function->address ? function->address
	                                      : i > 0           ? functions->address[i - 1] + 16
	                                                        : 0x1000;
}

static inline uint32_t
match_named(const struct match_report *report, const char *name)
{
	uint32_t i = 0;

	while (i < report->functions.count && strcmp(report->functions.raw_name[i], name) != 0)
		i++;
	assert_true(i < report->functions.count);
	return i;
}

/* Adds calls: caller and callee in turns. */
static inline void
match_set_calls(struct testrun *test, struct match_report *report, const uint32_t *calls,
                uint32_t count)
{
	uint32_t *ends;

	memory_array(&test->run, ends, (size_t)2 * count);
	memcpy(ends, calls, (size_t)2 * count * sizeof *ends);
	report->graph.arcs = (struct gprofx_arcs){
		.size = sizeof report->graph.arcs,
		.count = count,
		.caller = {ends, 2 * sizeof *ends},
		.callee = {ends + 1, 2 * sizeof *ends},
	};
}

/* A report of rows; calls: "main>f f>g", or NULL. */
static inline struct match_report *
match_report(struct testrun *test, const struct match_function *rows, const char *calls)
{
	struct match_report *report;
	uint32_t count = 0, arcs = 0, ends[128];
	char caller[32], callee[32];
	int read;

	while (rows[count].name)
		count++;
	report = match_report_of(test, count);
	for (uint32_t i = 0; i < count; i++)
		match_set(report, i, &rows[i]);
	for (; calls && sscanf(calls, " %31[^>]>%31s%n", caller, callee, &read) == 2;
	     calls += read) {
		assert_true(arcs < 64);
		ends[2 * arcs] = match_named(report, caller);
		ends[2 * arcs++ + 1] = match_named(report, callee);
	}
	match_set_calls(test, report, ends, arcs);
	return report;
}

/* Matches two reports; each function has one partner at most, which has it. */
static inline struct compare_matches
match_both(struct testrun *test, const struct match_report *base, const struct match_report *new)
{
	struct compare_matches matches;
	uint32_t left = 0;

	compare_match(&test->run, &base->public, &new->public, &matches);
	assert_int_equal(matches.base_count, base->functions.count);
	assert_int_equal(matches.new_count, new->functions.count);
	for (uint32_t i = 0; i < matches.base_count; i++) {
		uint32_t partner = matches.of_base[i];

		left += partner == UINT32_MAX;
		assert_true(partner == UINT32_MAX || partner < matches.new_count);
		if (partner != UINT32_MAX)
			assert_int_equal(matches.of_new[partner], i);
	}
	for (uint32_t i = 0; i < matches.new_count; i++) {
		assert_true((matches.of_new[i] == UINT32_MAX) ==
		            (matches.how[i] == GPROFX_MATCH_NONE));
		left -= matches.of_new[i] == UINT32_MAX;
	}
	assert_int_equal(left + matches.new_count, matches.base_count);
	return matches;
}

/*
 * Matches, and compares with a word for each function of the base: the number of its partner, and
 * "b" for the same build, "n" for the name, "p" for the plain name, "r" for a renamed one; or "-".
 */
static inline void
match_expect(struct testrun *test, const char *what, const struct match_report *base,
             const struct match_report *new, const char *expected)
{
	struct compare_matches matches = match_both(test, base, new);
	char text[1024] = "";
	size_t length = 0;

	for (uint32_t i = 0; i < matches.base_count; i++) {
		uint32_t partner = matches.of_base[i];

		assert_true(length < sizeof text - 32);
		if (i > 0)
			text[length++] = ' ';
		if (partner == UINT32_MAX)
			length += (size_t)snprintf(text + length, 32, "-");
		else
			length += (size_t)snprintf(text + length, 32, "%u%c", partner,
			                           "-bnpr"[matches.how[partner]]);
	}
	if (strcmp(text, expected) != 0)
		fail_msg("%s:\nexpected %s\nfound    %s", what, expected, text);
}

/* Two sides, their matches as for match_expect(), and their calls, if any. */
struct match_case {
	const char *what;
	struct match_function base[8], new[8];
	const char *expected, *calls, *new_calls;
};

static inline void
match_cases(struct testrun *test, const struct match_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		match_expect(test, cases[i].what, match_report(test, cases[i].base, cases[i].calls),
		             match_report(test, cases[i].new, cases[i].new_calls),
		             cases[i].expected);
}

#endif

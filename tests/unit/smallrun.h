/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small programs and their profiles from a few literal rows, and results as text that a test can
 * compare with what it worked out.  Include it first; nothing is read from files.
 */
#ifndef TESTS_UNIT_SMALLRUN_H
#define TESTS_UNIT_SMALLRUN_H

#include "testrun.h"

#include "graph/graph.h"
#include "profile/profile.h"
#include "select/filters.h"

/* A function of the program; rows are by ascending address, and end with one without a name. */
struct small_function {
	const char *name;
	uint64_t address, bytes;
};

/* A call as the profiling runtime recorded it: by addresses. */
struct small_call {
	uint64_t from, self;
	uint32_t count;
};

/* A text under construction. */
struct small_text {
	char bytes[8192];
	size_t length;
};

__attribute__((format(printf, 2, 3))) static inline void
small_add(struct small_text *text, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	text->length += (size_t)vsnprintf(text->bytes + text->length,
	                                  sizeof text->bytes - text->length, format, list);
	va_end(list);
	assert_true(text->length < sizeof text->bytes);
}

/* The symbols of a program, as symbols_load() leaves them. */
static inline struct symbols *
small_symbols(struct testrun *test, const struct small_function *rows)
{
	const char *names[256] = {NULL};
	struct symbols *symbols;
	uint32_t count = 0;

	for (; rows[count].name; count++) {
		assert_true(count < 256);
		names[count] = rows[count].name;
	}
	symbols = testrun_symbols(test, names, count);
	for (uint32_t i = 0; i < count; i++) {
		symbols->address[i] = rows[i].address;
		symbols->bytes[i] = rows[i].bytes;
		symbols->end[i] = (i + 1 < count ? rows[i + 1].address
		                                 : rows[i].address + rows[i].bytes) -
		                  1;
	}
	symbols->address[count] = symbols->end[count - 1] + 1;
	symbols->table.text_start = symbols->address[0];
	symbols->table.text_end = symbols->address[count];
	symbols_index(&test->run, symbols);
	return symbols;
}

/* A profile that has nothing but calls; they end with one that leads nowhere. */
static inline struct profile *
small_profile(struct testrun *test, const struct small_call *calls)
{
	struct profile *profile = profile_new(&test->run);

	for (; calls->self != 0; calls++) {
		const struct gprofx_raw_arc arc = {calls->from, calls->self, calls->count};

		profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
	}
	return profile;
}

/* What a function is called, or "-". */
static inline const char *
small_name(const struct symbols *symbols, uint64_t address)
{
	uint32_t symbol = symbols_lookup(symbols, address);

	return symbol == NO_SYMBOL ? "-" : symbols->name[symbol];
}

/* A program of functions of 16 bytes with letters for names, and what it did. */
struct small_program {
	const char *functions; /* letters, by address */
	double ticks[26];      /* of each */
	const char *calls;     /* "a>b 3 ?>c 1", in the order of the profile; ?: nobody knows who */
	struct engine_symspec specs[3];
	uint64_t corrections;
};

static inline uint32_t
small_letter(const char *functions, char letter)
{
	const char *place = strchr(functions, letter);

	assert_non_null(place);
	return (uint32_t)(place - functions);
}

/* The symbols of such a program. */
static inline struct symbols *
small_letters(struct testrun *test, const char *functions)
{
	const char *names[26];
	uint32_t count = (uint32_t)strlen(functions);

	assert_true(count <= 26);
	for (uint32_t i = 0; i < count; i++) {
		char *name = memory_alloc(&test->run, 2);

		name[0] = functions[i];
		names[i] = name;
	}
	return testrun_symbols(test, names, count);
}

/* Records its calls. */
static inline void
small_add_calls(struct testrun *test, struct profile *profile, const struct symbols *symbols,
                const struct small_program *program)
{
	const char *text = program->calls;
	char caller, callee;
	uint32_t count;
	int read;

	for (; text && sscanf(text, " %c>%c %u%n", &caller, &callee, &count, &read) == 3;
	     text += read) {
		uint32_t to = small_letter(program->functions, callee);
		struct gprofx_raw_call call = {symbols->address[to], count};
		struct gprofx_raw_arc arc = {0, symbols->address[to], count};

		if (caller == '?') {
			profile->public.builder->calls(&test->run.gx, &profile->public, NULL, &call,
			                               1);
			continue;
		}
		arc.from = symbols->address[small_letter(program->functions, caller)] + 4;
		profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc, 1);
	}
}

/* Its graph, analysed, with numbers. */
static inline struct graph *
small_graph(struct testrun *test, const struct small_program *program)
{
	struct symbols *symbols = small_letters(test, program->functions);
	struct profile *profile = profile_new(&test->run);
	struct graph *graph;

	test->run.corrections = program->corrections;
	test->settings.symspecs = program->specs;
	test->settings.symspec_count = 0;
	while (test->settings.symspec_count < 3 &&
	       program->specs[test->settings.symspec_count].text)
		test->settings.symspec_count++;
	graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	small_add_calls(test, profile, symbols, program);
	for (uint32_t i = 0; i < symbols->count; i++)
		graph->self[i] = program->ticks[i];
	graph_add_arcs(&test->run, graph, profile);
	graph_analyse(&test->run, graph);
	graph_number_entries(&test->run, graph, NULL);
	return graph;
}

/* Nodes: "NAME self+below selected: self+below calls+recursive #number"; "hidden" has no entry. */
static inline void
small_nodes(struct small_text *text, const struct graph *graph)
{
	for (uint32_t i = 0; i < graph->node_count; i++) {
		small_add(text, "%s", i > 0 ? "; " : "");
		if (i < graph->function_count)
			small_add(text, "%s", graph->symbols->name[i]);
		else
			small_add(text, "%u", graph->cycle[i]);
		small_add(text, " %g+%g", graph->self[i], graph->below[i]);
		if (graph->self[i] != graph->visible_self[i] ||
		    graph->below[i] != graph->visible_below[i])
			small_add(text, " selected %g+%g", graph->visible_self[i],
			          graph->visible_below[i]);
		small_add(text, " calls %llu+%llu #%u%s", (unsigned long long)graph->calls[i],
		          (unsigned long long)graph->recursive[i], graph->index[i],
		          graph->shown[i] ? "" : " hidden");
	}
}

/* Arcs: "a>b calls self+below", the time only where there is some. */
static inline void
small_arcs(struct small_text *text, const struct graph *graph)
{
	for (uint32_t i = 0; i < graph->arc_count; i++) {
		const struct graph_arc *arc = &graph->arcs[i];

		small_add(text, "%s%s>%s %llu", i > 0 ? "; " : "",
		          graph->symbols->name[arc->caller], graph->symbols->name[arc->callee],
		          (unsigned long long)arc->calls);
		if (arc->self != 0 || arc->below != 0)
			small_add(text, " %g+%g", arc->self, arc->below);
	}
}

static inline void
small_expect(const char *what, const char *expected, const struct small_text *found)
{
	if (strcmp(expected, found->bytes) != 0)
		fail_msg("%s:\nexpected %s\nfound    %s", what, expected, found->bytes);
}

#endif

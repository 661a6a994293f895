/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of stacks from a few letters: "abc 3" is c, called by b, called by a.  Include it first.
 */
#ifndef TESTS_UNIT_STACKRUN_H
#define TESTS_UNIT_STACKRUN_H

#include "smallrun.h"

#include "graph/graph.h"
#include "profile/stack-places.h"

enum { STACK_MOST_FRAMES = 64 };

/* The number of the place whose function is called by that letter. */
static inline uint32_t
stackrun_place(struct testrun *test, struct profile *profile, char letter)
{
	const char name[] = {letter, '\0'};
	const struct gprofx_raw_place place = {.function = name};
	uint32_t number;

	profile->public.builder->places(&test->run.gx, &profile->public, &place, 1, &number);
	return number;
}

/* Has the file that is being read add one stack, the outermost frame first. */
static inline enum gprofx_result
stackrun_add(struct testrun *test, struct profile *profile, const char *frames, uint64_t weight,
             uint32_t rate)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "stacks"};
	uint32_t places[STACK_MOST_FRAMES], first[2] = {0, (uint32_t)strlen(frames)};
	struct gprofx_raw_stacks rows = {.size = sizeof rows,
	                                 .count = 1,
	                                 .first = first,
	                                 .place = places,
	                                 .weight = &weight,
	                                 .rate = rate,
	                                 .dimension = "samples"};

	assert_true(first[1] <= STACK_MOST_FRAMES);
	for (uint32_t i = first[1]; i-- > 0;)
		places[i] = stackrun_place(test, profile, frames[first[1] - 1 - i]);
	return profile->public.builder->stacks(&test->run.gx, &profile->public, &file, NULL, &rows);
}

/* Reads "abc 3 ad 4" as a file of its own. */
static inline void
stackrun_read(struct testrun *test, struct profile *profile, const char *text, uint32_t rate)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "stacks"};
	char frames[STACK_MOST_FRAMES + 1];
	unsigned long long weight;
	int used;

	profile_begin_file(&test->run, profile, "stacks", 0, false);
	/* A stack without frames is written as a dash. */
	for (; sscanf(text, " %64s %llu%n", frames, &weight, &used) == 2; text += used)
		assert_int_equal(stackrun_add(test, profile, strcmp(frames, "-") == 0 ? "" : frames,
		                              weight, rate),
		                 GPROFX_OK);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
}

/* Ends the file that is being read with these stacks, whose weights are samples. */
static inline void
stackrun_end_file(struct testrun *test, struct profile *profile, struct gprofx_raw_stacks rows)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "stacks"};

	rows.size = sizeof rows;
	rows.rate = 1;
	memcpy(rows.dimension, "samples", sizeof "samples");
	assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public, &file,
	                                                 NULL, &rows),
	                 GPROFX_OK);
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
}

/* Has a file of its own add one stack, of the places a and b by turns, the outermost one b. */
static inline void
stackrun_read_deep(struct testrun *test, struct profile *profile, uint32_t depth, uint64_t weight)
{
	uint32_t *places, first[] = {0, depth};

	memory_array(&test->run, places, depth);
	profile_begin_file(&test->run, profile, "stacks", 0, false);
	for (uint32_t i = 0; i < depth; i++)
		places[i] = stackrun_place(test, profile, (depth - i) % 2 == 0 ? 'a' : 'b');
	stackrun_end_file(test, profile,
	                  (struct gprofx_raw_stacks){.count = 1,
	                                             .first = first,
	                                             .place = places,
	                                             .weight = &weight});
}

/* What was read becomes a graph, with these symbols. */
static inline struct graph *
stackrun_analyse(struct testrun *test, struct profile *profile, struct symbols *symbols)
{
	struct graph *graph;

	profile_finish(&test->run, profile);
	assert_int_equal(stacks_find_functions(&test->run, profile, symbols), GPROFX_OK);
	graph = graph_new(&test->run, symbols, filters_resolve(&test->run, symbols));
	graph_credit_stacks(&test->run, graph, &profile->stacks);
	graph->pairs = graph_take_calls(&test->run, symbols, profile);
	graph_add_arcs(&test->run, graph, profile);
	graph_analyse(&test->run, graph);
	return graph;
}

/* All stacks by frames, in the order in which they came: "abc 3 ad 4". */
static inline void
stackrun_list(const struct profile *profile, struct small_text *text)
{
	const struct stacks *stacks = &profile->stacks;

	for (uint32_t i = 0; i < stacks->count; i++) {
		char frames[STACK_MOST_FRAMES + 1] = "";

		if (stacks->weight[i] == 0)
			continue;
		for (struct stack_walk at = stacks_walk(stacks, i); at.frame != NO_FRAME;
		     at = stacks_outwards(stacks, at)) {
			memmove(frames + 1, frames, strlen(frames) + 1);
			frames[0] = stacks->places[stacks->place[at.frame]].names->function[0];
		}
		small_add(text, "%s%s %llu", text->length > 0 ? " " : "", frames,
		          (unsigned long long)stacks->weight[i]);
	}
	if (stacks->nowhere > 0)
		small_add(text, " - %llu", (unsigned long long)stacks->nowhere);
}

#endif

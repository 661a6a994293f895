/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with costs from a few letters: "m=10 m>a=75*2 a>a'=60*1" is m, with 10 itself, that calls a
 * twice, which costs 75, and a call of a by itself.  Include it first.
 */
#ifndef TESTS_UNIT_COSTEDRUN_H
#define TESTS_UNIT_COSTEDRUN_H

#include "stackrun.h"

/* A metric of the file that is being read. */
static inline uint32_t
costedrun_metric(struct testrun *test, struct profile *profile, const char *name)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "costs"};
	const struct gprofx_raw_metric metric = {.size = sizeof metric,
	                                         .name = name,
	                                         .unit = name,
	                                         .ticks_per_unit = 1,
	                                         .kind = GPROFX_COUNTED};

	return profile->public.builder->metric(&test->run.gx, &profile->public, &file, &metric);
}

/* Adds what a function costs itself. */
static inline void
costedrun_add_self(struct testrun *test, struct profile *profile, char function, uint64_t weight,
                   uint32_t metric)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "costs"};
	const uint32_t first[] = {0, 1}, place = stackrun_place(test, profile, function);
	const struct gprofx_raw_stacks rows = {.size = sizeof rows,
	                                       .count = 1,
	                                       .first = first,
	                                       .place = &place,
	                                       .weight = &weight,
	                                       .metrics = &metric,
	                                       .metric_count = 1};

	assert_int_equal(profile->public.builder->stacks(&test->run.gx, &profile->public, &file,
	                                                 NULL, &rows),
	                 GPROFX_OK);
}

/* Adds a call: "a>b", an apostrophe behind a function that was active already. */
static inline void
costedrun_add_call(struct testrun *test, struct profile *profile, const char *call, uint64_t weight,
                   uint64_t count, uint32_t metric)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "costs"};
	const char *callee = strchr(call, '>') + 1;
	const struct gprofx_raw_costed_call row = {
		.caller = stackrun_place(test, profile, call[0]),
		.callee = stackrun_place(test, profile, callee[0]),
		.flags = (call[1] == '\'' ? GPROFX_CALL_FROM_NESTED : 0) |
	                 (callee[1] == '\'' ? GPROFX_CALL_TO_NESTED : 0),
		.count = count};
	const struct gprofx_raw_costed_calls rows = {.size = sizeof rows,
	                                             .count = 1,
	                                             .rows = &row,
	                                             .weight = &weight,
	                                             .metrics = &metric,
	                                             .metric_count = 1};

	assert_int_equal(profile->public.builder->costed_calls(&test->run.gx, &profile->public,
	                                                       &file, NULL, &rows),
	                 GPROFX_OK);
}

/* Reads such a text as a file of its own, with costs of one metric. */
static inline void
costedrun_read(struct testrun *test, struct profile *profile, const char *text, const char *name)
{
	static const struct gprofx_file file = {.size = sizeof file, .name = "costs"};
	unsigned long long weight, count;
	char what[8];
	int used;
	uint32_t metric;

	profile_begin_file(&test->run, profile, "costs", 0, false);
	metric = costedrun_metric(test, profile, name);
	for (; sscanf(text, " %7[^=]=%llu%n", what, &weight, &used) == 2; text += used) {
		text += used;
		used = 0;
		if (sscanf(text, "*%llu%n", &count, &used) == 1)
			costedrun_add_call(test, profile, what, weight, count, metric);
		else
			costedrun_add_self(test, profile, what[0], weight, metric);
	}
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
}

static inline struct graph *
costedrun_measure(struct testrun *test, const char *text)
{
	struct profile *profile = profile_new(&test->run);

	costedrun_read(test, profile, text, "Ir");
	return stackrun_analyse(test, profile, symbols_without_image(&test->run));
}

#endif

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Analyses that are made and live side by side in several threads: all find the same, also when others fail.
. "$GPROFX_SOURCE/tests/library/lib.sh"
make_program
cat >threads.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <gprofx/gprofx.h>

enum { THREADS = 8, ROUNDS = 12 };

static void
count(void *opaque, const struct gprofx_message *message)
{
	(void)message;
	++*(int *)opaque;
}

static struct gprofx_analysis *
analyse(const char *profile, uint32_t flags, int *messages)
{
	struct gprofx_request request = {
		.size = sizeof request, .image = "program", .profiles = &profile, .profile_count = 1,
		.flags = flags, .opaque = messages, .tell = count, .threads = 2,
		.parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH};

	return gprofx_analyse(&request);
}

static void *
work(void *argument)
{
	for (int round = 0; round < ROUNDS; round++) {
		int messages = 0;
		struct gprofx_analysis *first = analyse("gmon.out", 0, &messages);
		struct gprofx_analysis *second = analyse("gmon.out", GPROFX_REQUEST_AS_GPROF, &messages);
		const struct gprofx_report *report;
		struct gprofx_text name;

		assert(first && second && messages == 0);
		assert(!analyse("no-such-file", 0, &messages) && messages == 1);
		gprofx_analysis_end(second);
		report = gprofx_analysis_report(first);
		name = report->services->name(report, report->graph->flat[0]);
		assert(name.length == 4 && memcmp(name.bytes, "work", 4) == 0);
		assert(gprofx_self_of(report, report->graph->flat[0]) == 30 && report->graph->arcs.count == 1);
		gprofx_analysis_end(first);
	}
	return argument;
}

int
main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		assert(pthread_join(threads[i], NULL) == 0);
	puts("done");
	return 0;
}
END
link_program threads threads.c -pthread
expect_status 0 ./threads
expect_empty err
expect_match out '^done$'

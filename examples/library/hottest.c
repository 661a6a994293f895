/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that a program spends most of its time in, and who calls them, by libgprofx:
 *
 *     cc -o hottest hottest.c $(pkg-config --cflags --libs gprofx)
 *     ./hottest PROGRAM PROFILE...
 */
#include <stdio.h>

#include <gprofx/gprofx.h>

enum { MOST_FUNCTIONS = 10 };

static void
tell(void *opaque, const struct gprofx_message *message)
{
	(void)opaque;
	fprintf(stderr, "%s: %s", message->severity == GPROFX_ERROR ? "error" : "warning",
	        message->text);
	if (message->diagnostic->file)
		fprintf(stderr, " (%s)", message->diagnostic->file);
	fputc('\n', stderr);
	if (message->diagnostic->hint)
		fprintf(stderr, "  hint: %s\n", message->diagnostic->hint);
}

static void
print_function(const struct gprofx_report *report, uint32_t function)
{
	struct gprofx_text name = report->services->name(report, function);
	double whole = report->graph->columns->flat_total > 0 ? report->graph->columns->flat_total
	                                                      : 1;

	printf("%5.1f%% %.*s\n", 100 * gprofx_self_of(report, function) / whole, (int)name.length,
	       name.bytes);
	if (!report->origin->has_arcs)
		return;
	for (uint32_t i = report->graph->callers.first[function];
	     i < report->graph->callers.first[function + 1]; i++) {
		const struct gprofx_arc arc = gprofx_arc_at(&report->graph->arcs,
		                                            report->graph->callers.item[i]);
		struct gprofx_text caller = report->services->name(report, arc.caller);

		printf("       %lu calls from %.*s\n", (unsigned long)arc.calls, (int)caller.length,
		       caller.bytes);
	}
}

int
main(int argc, char **argv)
{
	struct gprofx_request request = {
		.size = sizeof request,
		.image = argc > 1 ? argv[1] : NULL,
		.profiles = argc > 2 ? (const char *const *)argv + 2 : NULL,
		.profile_count = argc > 2 ? (uint32_t)argc - 2 : 0,
		.parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH,
		.tell = tell,
	};
	struct gprofx_analysis *analysis = gprofx_analyse(&request);
	const struct gprofx_report *report;

	if (!analysis)
		return 1;
	report = gprofx_analysis_report(analysis);
	for (uint32_t i = 0; i < report->graph->flat_count && i < MOST_FUNCTIONS; i++)
		print_function(report, report->graph->flat[i]);
	gprofx_analysis_end(analysis);
	return 0;
}

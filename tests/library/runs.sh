#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Several runs of one program in one report: nodes, arcs and cycles of all of them, columns for each, by hand and as
# each run has them alone; other rates, other metrics, runs without calls, without a program; what cannot be together.
# Takes about 2 seconds.
. "$GPROFX_SOURCE/tests/library/lib.sh"
need python3
cat >runs.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/gprofx.h>

static void
tell(void *opaque, const struct gprofx_message *message)
{
	fprintf(opaque, "%s: %s\n", message->diagnostic->id, message->text);
}

static void
put_calls(const struct gprofx_call_column *column, uint64_t calls)
{
	if (gprofx_is_counted(column, calls))
		printf(" %llu", (unsigned long long)calls);
	else
		printf(" ?");
}

/* Self and below of a row in each run and metric, "?" where that is not known, and calls. */
static void
put_values(const struct gprofx_report *report, const struct gprofx_column *columns,
           const struct gprofx_call_column *calls, uint32_t row, int is_node)
{
	for (uint32_t run = 0; run < report->origin->run_count; run++) {
		const struct gprofx_call_column *counts = gprofx_calls_in(calls, run);

		printf(" |");
		for (uint32_t m = 0; m < report->origin->metric_count; m++) {
			const struct gprofx_column *column = gprofx_column_of(report, columns, run, m);

			if (column->run != run || column->metric != m)
				abort();
			if (column->self_origin == GPROFX_UNKNOWN)
				printf(" ?");
			else
				printf(" %g", gprofx_real(&column->self, row));
			if (column->total_origin == GPROFX_UNKNOWN)
				printf(" ?");
			else
				printf(" %g", gprofx_real(&column->below, row));
		}
		if (counts->run != run)
			abort();
		put_calls(counts, gprofx_count(&counts->calls, row));
		if (is_node)
			put_calls(counts, gprofx_count(&counts->recursive, row));
	}
	printf("\n");
}

static void
put_name(const struct gprofx_report *report, uint32_t node)
{
	struct gprofx_text name = report->services->name(report, node);

	printf(" %.*s", (int)name.length, name.bytes);
}

static void
show(const struct gprofx_report *report)
{
	const struct gprofx_report_graph *graph = report->graph;

	for (uint32_t m = 0; m < report->origin->metric_count; m++)
		printf("metric %s %u\n", gprofx_metric_at(report, m)->name,
		       gprofx_metric_at(report, m)->ticks_per_unit);
	for (uint32_t r = 0; r < report->origin->run_count; r++) {
		const struct gprofx_run *run = gprofx_run_at(report, r);

		printf("run %s %u:", run->label, run->file_count);
		for (uint32_t m = 0; m < report->origin->metric_count; m++)
			printf(" %g", run->totals[m]);
		printf("\n");
	}
	for (uint32_t i = 0; i < report->files->count; i++)
		printf("file %s of run %u\n", gprofx_file_at(report, i)->name,
		       gprofx_file_at(report, i)->run);
	/* Contexts have a column for each metric, and the last row of each can be read. */
	for (uint32_t m = 0; m < report->origin->metric_count; m++) {
		const struct gprofx_column *column = gprofx_column_at(report->contexts->columns, m);

		if (column->metric != m || report->contexts->cut[m] < 0 ||
		    (report->contexts->count > 0 &&
		     !(gprofx_real(&column->self, report->contexts->count - 1) >= 0)))
			abort();
	}
	for (uint32_t node = 0; node < graph->node_count; node++) {
		printf("node");
		put_name(report, node);
		put_values(report, graph->columns, graph->calls, node, 1);
	}
	for (uint32_t i = 0; i < graph->arcs.count; i++) {
		printf("arc");
		put_name(report, gprofx_id(&graph->arcs.caller, i));
		put_name(report, gprofx_id(&graph->arcs.callee, i));
		put_values(report, graph->arcs.columns, graph->arcs.calls, i, 0);
	}
	for (uint32_t i = 0; i < graph->cycle_arcs.count; i++) {
		printf("into");
		put_name(report, gprofx_id(&graph->cycle_arcs.caller, i));
		put_name(report, gprofx_id(&graph->cycle_arcs.callee, i));
		put_values(report, graph->cycle_arcs.columns, graph->cycle_arcs.calls, i, 0);
	}
}

/* runs [-f FORMAT] PROGRAM LABEL=PROFILE...; "-": no program. */
int
main(int argc, char **argv)
{
	struct gprofx_request_output output = {0};
	struct gprofx_request_run runs[100] = {0};
	const char *profiles[100];
	struct gprofx_request request = {
		.size = sizeof request,
		.parts = GPROFX_PART_NODES | GPROFX_PART_GRAPH | GPROFX_PART_NAMES | GPROFX_PART_FILES,
		.contexts = GPROFX_CONTEXTS,
		.opaque = stderr,
		.tell = tell,
	};
	struct gprofx_analysis *analysis;
	const char *plugin = "./output-table.so", *reader = getenv("READER");
	uint32_t count = 0;

	if (argc > 2 && strcmp(argv[1], "-f") == 0) {
		output = (struct gprofx_request_output){argv[2], "output"};
		request.plugins = &plugin;
		request.plugin_count = access(plugin, F_OK) == 0;
		request.outputs = &output;
		request.output_count = 1;
		argv += 2;
	}
	if (reader) {
		request.plugins = &reader;
		request.plugin_count = 1;
	}
	request.image = strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
	for (char **word = argv + 2; *word; word++) {
		char *profile = strchr(*word, '=');

		*profile++ = '\0';
		profiles[count] = profile;
		runs[count].size = sizeof *runs;
		runs[count].label = *word;
		runs[count].profiles = &profiles[count];
		runs[count++].profile_count = 1;
	}
	request.label = runs[0].label;
	request.profiles = runs[0].profiles;
	request.profile_count = 1;
	request.further_runs = runs + 1;
	request.further_run_count = count - 1;
	analysis = gprofx_analyse(&request);
	if (!analysis)
		return 1;
	show(gprofx_analysis_report(analysis));
	gprofx_analysis_end(analysis);
	return 0;
}
EOF
link_program runs runs.c
python3 - <<'EOF' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'work', 'idle', 'help'])
open('program', 'wb').write(program.bytes())
def write(name, *what, **how):
    open(name, 'wb').write(program.profile(*what, **how).bytes())
write('a', {'main': 10, 'work': 30}, [('main', 'work', 7)])
write('b', {'main': 20, 'idle': 40, 'work': 4}, [('main', 'idle', 3), ('idle', 'work', 2)], rate=200)
write('ring', {'main': 1, 'work': 5, 'help': 6}, [('main', 'work', 1), ('work', 'help', 2), ('help', 'work', 2)])
write('cycles', {'main': 100, 'help': 50}, [('main', 'help', 4)], unit=b'cycles', letter=b'c')
write('lonely', {'work': 5, 'help': 6}, [('work', 'help', 2), ('help', 'work', 2)])
write('bare', {'work': 8})
write('calls', None, [('main', 'work', 3)])
write('norate', {'work': 8}, rate=0)
EOF

# expect_report LINE...: what the last command printed, without files and nodes in which nothing is.
expect_report() {
	grep -v '^file\|^node zz_end' out >found
	expect_same found -
}

expect_status 0 ./runs program A=a B=b
expect_empty err
expect_report <<'EOF'
metric time 100
run A 1: 40
run B 1: 32
node main | 10 30 0 0 | 10 22 0 0
node work | 30 0 7 0 | 2 0 2 0
node idle | 0 0 0 0 | 20 2 3 0
node help | 0 0 0 0 | 0 0 0 0
arc main work | 30 0 7 | 0 0 0
arc main idle | 0 0 0 | 20 2 3
arc idle work | 0 0 0 | 2 0 2
EOF
grep '^file' out >found
expect_same found - <<'EOF'
file a of run 0
file b of run 1
EOF
# The same values as alone, each in its ticks.
expect_status 0 ./runs program B=b
expect_report <<'EOF'
metric time 200
run B 1: 64
node main | 20 44 0 0
node work | 4 0 2 0
node idle | 40 4 3 0
node help | 0 0 0 0
arc main idle | 40 4 3
arc idle work | 4 0 2
EOF
# Order of runs is order of columns; rows are the same.
expect_status 0 ./runs program B=b A=a
expect_report <<'EOF'
metric time 200
run B 1: 64
run A 1: 80
node main | 20 44 0 0 | 20 60 0 0
node work | 4 0 2 0 | 60 0 7 0
node idle | 40 4 3 0 | 0 0 0 0
node help | 0 0 0 0 | 0 0 0 0
arc main idle | 40 4 3 | 0 0 0
arc main work | 0 0 0 | 60 0 7
arc idle work | 4 0 2 | 0 0 0
EOF

# A cycle of one run is a cycle of all.
expect_status 0 ./runs program A=a ring=ring
expect_report <<'EOF'
metric time 100
run A 1: 40
run ring 1: 12
node main | 10 30 0 0 | 1 11 0 0
node work | 30 0 7 0 | 5 0 3 0
node idle | 0 0 0 0 | 0 0 0 0
node help | 0 0 0 0 | 6 0 2 0
node <cycle 1> | 30 0 7 0 | 11 0 1 4
arc main work | 30 0 7 | 11 0 1
arc work help | 0 0 0 | 0 0 2
arc help work | 0 0 0 | 0 0 2
into main <cycle 1> | 30 0 7 | 11 0 1
EOF

# So is one that nobody enters in one of them, also if another one has more metrics.
expect_status 0 ./runs program lonely=lonely cycles=cycles
grep '^into' out >found
expect_same found - <<'EOF'
into main <cycle 1> | 0 0 ? ? 0 | ? ? 50 0 4
EOF

# Other metrics have columns of their own; what a run did not measure is not known.
expect_status 0 ./runs program A=a cycles=cycles
expect_report <<'EOF'
metric time 100
metric cycles 100
run A 1: 40 0
run cycles 1: 0 150
node main | 10 30 ? ? 0 0 | ? ? 100 50 0 0
node work | 30 0 ? ? 7 0 | ? ? 0 0 0 0
node idle | 0 0 ? ? 0 0 | ? ? 0 0 0 0
node help | 0 0 ? ? 0 0 | ? ? 50 0 4 0
arc main work | 30 0 ? ? 7 | ? ? 0 0 0
arc main help | 0 0 ? ? 0 | ? ? 50 0 4
EOF

# Nor are calls, and what depends on them, where a run counted none.
expect_status 0 ./runs program A=a bare=bare
expect_report <<'EOF'
metric time 100
run A 1: 40
run bare 1: 8
node main | 10 30 0 0 | 0 ? ? ?
node work | 30 0 7 0 | 8 ? ? ?
node idle | 0 0 0 0 | 0 ? ? ?
node help | 0 0 0 0 | 0 ? ? ?
arc main work | 30 0 7 | ? ? ?
EOF

# Nor are times, of whatever metric, where a run has none: it adds no metric, even if it comes first.
expect_status 0 ./runs program A=a calls=calls
expect_report <<'EOF'
metric time 100
run A 1: 40
run calls 1: 0
node main | 10 30 0 0 | ? ? 0 0
node work | 30 0 7 0 | ? ? 3 0
node idle | 0 0 0 0 | ? ? 0 0
node help | 0 0 0 0 | ? ? 0 0
arc main work | 30 0 7 | ? ? 3
EOF
expect_status 0 ./runs program calls=calls A=a cycles=cycles
grep -v '^file\|^arc\|idle\|help\|zz_end' out >found
expect_same found - <<'EOF'
metric time 100
metric cycles 100
run calls 1: 0 0
run A 1: 40 0
run cycles 1: 0 150
node main | ? ? ? ? 0 0 | 10 30 ? ? 0 0 | ? ? 100 50 0 0
node work | ? ? ? ? 3 0 | 30 0 ? ? 7 0 | ? ? 0 0 0 0
EOF
expect_status 0 ./runs program calls=calls
expect_match out '^metric  '
expect_in out 'run calls 1: 0'

# Stacks, without a program: the functions are those of both.
printf 'main;work 3\nmain 1\n' >a.folded
printf 'main;help;main 5\n' >b.folded
expect_status 0 ./runs - A=a.folded B=b.folded
expect_report <<'EOF'
metric samples 1
run A 1: 4
run B 1: 5
node main | 1 3 ? ? | 5 0 ? ?
node work | 3 0 ? ? | 0 0 ? ?
node help | 0 0 ? ? | 0 5 ? ?
arc main work | 3 0 ? | 0 0 ?
arc main help | 0 0 ? | 0 5 ?
arc help main | 0 0 ? | 5 0 ?
EOF

# What cannot be together.
expect_status 1 ./runs program A=a norate=norate
expect_in err 'profile.runs-differ: expected the metric "time" in "seconds" with 100 ticks per unit, as in earlier runs'
expect_status 1 ./runs -f flat program A=a B=b
expect_in err 'report.too-many-runs: 2 runs are reported, but the format "flat" can show only one'
[ ! -e output ] || fail 'a file was written'
# An output that shows all runs.
if [ "$GPROFX_BUILTIN" != 1 ]; then
	module output-table <<'EOF'
#include <gprofx/emitter.h>

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	const struct gprofx_report *report = emission->report;

	(void)gx;
	(void)options;
	for (uint32_t i = 0; i < report->functions->count; i++)
		for (uint32_t run = 0; run < report->origin->run_count; run++)
			gprofx_out(emission->writer, "%s %g%c", gprofx_run_at(report, run)->label,
			           gprofx_real(&gprofx_column_of(report, report->graph->columns, run, 0)->self, i),
			           run + 1 < report->origin->run_count ? ' ' : '\n');
	return GPROFX_OK;
}

static const struct gprofx_needs needs = {
	.size = sizeof needs, .parts = GPROFX_PART_NODES, .traits = GPROFX_EMITTER_RUNS};
static const struct gprofx_emitter emitter = {
	.size = sizeof emitter, .format = "table", .extension = "txt", .emit = emit, .needs = &needs};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-table", .version = "1", .summary = "A table of runs",
                 .emitter = &emitter};
EOF
	expect_status 0 ./runs -f table program A=a B=b
	head -3 output >found
	expect_same found - <<'EOF'
A 10 B 10
A 30 B 2
A 0 B 20
EOF
	# An image of one run is nowhere in the others, whatever addresses these have.
	module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'
	printf '%s\n' '#maps' 'sample 0 0x401104 1' 'sample 0 0x300001010 9' 'sample 0 0x401204 4' >garbage
	printf '%s\n' '#maps' 'process 0' 'image 5 [jit] -' 'map 1 0x10000000 0x4000 1 0 0' 'sample 1 0x10000018 3' >jit
	for runs in 'A=garbage B=jit' 'B=jit A=garbage'; do
		READER=./maps.so expect_status 0 ./runs program $runs
		case $runs in
		A*) expect_match out '^node \[jit\] \| 0 .* \| 3 ' ;;
		B*) expect_match out '^node \[jit\] \| 3 .* \| 0 ' ;;
		esac
	done
fi
expect_status 1 ./runs program A=a B=no-such-file
expect_in err 'profile.cannot-open'
many=
for i in $(seq 64); do many="$many $i=a"; done
expect_status 0 ./runs program $many
grep -q '^run 64 1: 40$' out || fail 'not every run is there'
expect_status 1 ./runs program $many more=a
expect_in err 'library.bad-request: expected at most 64 runs in the request, found more'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader of samples by thread and phase, and an emitter that writes a table of them, neither of which is part of the
# project: what each function has of each thread, by hand figures, of samples, histograms, stacks and calls.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# A line each:  process NUMBER PARENT NAME | thread NUMBER PROCESS NAME | phase NUMBER NAME | metric NAME UNIT TICKS |
# slice THREAD PHASE | sample ADDRESS WEIGHT... | bins COUNT... | arc FROM SELF COUNT | call SELF COUNT | stack WEIGHT
# ADDRESS... | weigh WEIGHT ADDRESS...; what comes is of the slice and the metric before it, but for stacks, which are of
# the metric only where they are weighed.
module samples <<'END'
	#define _POSIX_C_SOURCE 200809L
	#include "stub.h"
	#include <stdlib.h>
	static uint64_t words[600];
	static uint32_t take(char *rest) {
		uint32_t count = 0;
		for (char *save, *word = strtok_r(rest, " ", &save); word && count < 600; word = strtok_r(NULL, " ", &save))
			words[count++] = strtoull(word, NULL, 0);
		return count;
	}
	static const char *name_in(char *rest, int at) {
		for (; rest && at > 0; at--)
			rest = (rest = strchr(rest, ' ')) ? rest + 1 : NULL;
		return rest;
	}
	static enum gprofx_result read_samples(struct gprofx *gx, const struct gprofx_file *file,
	                                       const struct gprofx_target *target,
	                                       struct gprofx_profile *profile, const void *options) {
		const struct gprofx_profile_builder *b = profile->builder;
		char *text = gprofx_alloc(gx, file->length + 1), *next, *line;
		struct gprofx_from from = {.size = sizeof from};
		(void)target; (void)options;
		if (file->length > 0)
			memcpy(text, file->bytes, file->length);
		for (line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
			char *rest = strchr(line, ' ');
			char copy[8192] = "";
			uint32_t count;
			if (!rest)
				return GPROFX_DECLINED;
			*rest++ = '\0';
			strncpy(copy, rest, sizeof copy - 1);
			count = take(copy);
			if (!strcmp(line, "process")) {
				struct gprofx_raw_process row = {.size = sizeof row, .number = words[0],
					.parent = (uint32_t)words[1], .name = name_in(rest, 2)};
				b->process(gx, profile, file, &row);
			} else if (!strcmp(line, "thread")) {
				struct gprofx_raw_thread row = {.size = sizeof row, .number = words[0],
					.process = (uint32_t)words[1], .name = name_in(rest, 2)};
				b->thread(gx, profile, file, &row);
			} else if (!strcmp(line, "phase")) {
				struct gprofx_raw_phase row = {.size = sizeof row, .number = words[0], .name = name_in(rest, 1)};
				b->phase(gx, profile, file, &row);
			} else if (!strcmp(line, "slice")) {
				from.slice = b->slice(gx, profile, file, (uint32_t)words[0], (uint32_t)words[1]);
			} else if (!strcmp(line, "use")) {
				from.slice = (uint32_t)words[0];
				from.metric = (uint32_t)words[1];
			} else if (!strcmp(line, "metric")) {
				struct gprofx_raw_metric row = {.size = sizeof row, .kind = GPROFX_COUNTED};
				char *save;
				row.name = strtok_r(rest, " ", &save);
				row.unit = strtok_r(NULL, " ", &save);
				row.ticks_per_unit = (uint32_t)atoi(strtok_r(NULL, " ", &save));
				from.metric = b->metric(gx, profile, file, &row);
			} else if (!strcmp(line, "sample")) {
				struct gprofx_raw_sample rows[300];
				for (uint32_t i = 0; i < count / 2; i++)
					rows[i] = (struct gprofx_raw_sample){words[2 * i], (int64_t)words[2 * i + 1]};
				b->samples(gx, profile, file, &from, rows, count / 2);
			} else if (!strcmp(line, "none")) {
				static struct gprofx_raw_sample rows[100000];
				b->samples(gx, profile, file, NULL, words[0] ? rows : NULL, words[0] ? 100000 : 3);
			} else if (!strcmp(line, "bins")) {
				uint8_t *bins = gprofx_alloc(gx, 2 * (size_t)count);
				struct gprofx_histogram h = {.size = sizeof h, .low = 0x401000, .high = 0x401400, .rate = 100,
					.dimension = "seconds", .abbreviation = 's', .bins = bins, .bin_bytes = 2,
					.bin_count = count, .slice = from.slice};
				for (uint32_t i = 0; i < count; i++)
					bins[2 * i] = (uint8_t)words[i];
				if (b->histogram(gx, profile, file, &h) != GPROFX_OK)
					return GPROFX_FAILED;
			} else if (!strcmp(line, "arc")) {
				struct gprofx_raw_arc row = {words[0], words[1], words[2]};
				struct gprofx_from of = {.size = sizeof of, .slice = from.slice};
				b->arcs(gx, profile, &of, &row, 1);
			} else if (!strcmp(line, "call")) {
				struct gprofx_raw_call row = {words[0], words[1]};
				struct gprofx_from of = {.size = sizeof of, .slice = from.slice};
				b->calls(gx, profile, &of, &row, 1);
			} else if (!strcmp(line, "stack") || !strcmp(line, "weigh")) {
				uint32_t first[2] = {0, count - 1};
				struct gprofx_from of = {.size = sizeof of, .slice = from.slice};
				struct gprofx_raw_stacks rows = {.size = sizeof rows, .count = 1, .first = first,
					.address = words + 1, .weight = words, .rate = 1, .dimension = "samples"};
				rows.metrics = &from.metric;
				rows.metric_count = line[0] == 'w';
				if (b->stacks(gx, profile, file, &of, &rows) != GPROFX_OK)
					return GPROFX_FAILED;
			} else
				return GPROFX_DECLINED;
		}
		return GPROFX_OK;
	}
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "samples", .read = read_samples};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-samples", .version = "1", .summary = "Samples", .reader = &reader};
END

# A line for each slice, "thread 7 first of process 5 a.out, phase 2 solve: 9", and its functions behind it.
table='
	#include "stub.h"
	#include <gprofx/emitter.h>
	static void put_row(struct gprofx_writer *w, const char *what, uint64_t number, const char *name) {
		gprofx_out(w, "%s %lu", what, (unsigned long)number);
		gprofx_out(w, name ? " %s" : "", name ? name : "");
	}
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		const struct gprofx_report *report = emission->report;
		const struct gprofx_report_slices *part = report->slices;
		struct gprofx_writer *w = emission->writer;
		(void)gx; (void)options;
		if (!part)
			gprofx_out(w, "no slices\n");
		for (uint32_t i = 0; part && i < part->slice_count; i++) {
			const struct gprofx_slice *s = gprofx_slice_at(report, i);
			if (s->thread != GPROFX_NO_ROW) {
				const struct gprofx_thread *t = gprofx_thread_at(report, s->thread);
				put_row(w, "thread", t->number, t->name);
				if (t->process != s->process)
					return GPROFX_FAILED;
			}
			if (s->process != GPROFX_NO_ROW) {
				const struct gprofx_process *p = gprofx_process_at(report, s->process);
				put_row(w, " process", p->number, p->name);
				if (p->parent != GPROFX_NO_ROW)
					gprofx_out(w, " below %lu", (unsigned long)gprofx_process_at(report, p->parent)->number);
			}
			if (s->phase != GPROFX_NO_ROW) {
				const struct gprofx_phase *p = gprofx_phase_at(report, s->phase);
				put_row(w, " phase", p->number, p->name);
			}
			gprofx_out(w, ": %g\n", s->ticks);
			for (uint32_t k = part->first[i]; k < part->first[i + 1]; k++) {
				const struct gprofx_slice_value *v = &part->value[k];
				struct gprofx_text name = report->services->name(report, v->node);
				gprofx_out(w, "  %.*s self %g", (int)name.length, name.bytes, v->self);
				if (v->below == v->below)
					gprofx_out(w, " below %g", v->below);
				if (v->calls != GPROFX_CALLS_UNKNOWN)
					gprofx_out(w, " calls %lu", (unsigned long)v->calls);
				gprofx_out(w, "\n");
				if (v->slice != i)
					return GPROFX_FAILED;
			}
		}
		return GPROFX_OK;
	}
	static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_NODES, NEED = SLICES};
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = FORMAT, .emit = emit, .needs = &needs};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-" FORMAT, .version = "1", .summary = "Threads", .emitter = &emitter};'
module by-thread -DNEED=.slices '-DFORMAT="by-thread"' -DSLICES=2 <<<"$table"
module by-phase -DNEED=.slices '-DFORMAT="by-phase"' -DSLICES=4 <<<"$table"
module by-all -DNEED=.slices '-DFORMAT="by-all"' -DSLICES=7 <<<"$table"
module if-thread -DNEED=.slices_if_any '-DFORMAT="if-thread"' -DSLICES=2 <<<"$table"
module by-many -DNEED=.slices '-DFORMAT="by-many"' -DSLICES=15 <<<"$table"

# threads STATUS WORD...: gprofx with these plugins and a program.
threads() {
	expect_status "$1" "$GPROFX" --plugin=./samples.so --plugin=./by-thread.so --plugin=./by-phase.so \
		--plugin=./by-all.so --no-findings -b -O samples program "${@:2}"
}

# main is at 0x401000, work at 0x401100, idle at 0x401200, 256 bytes each; 0x401300 is in none.
cat >one <<'END'
process 5 0 a.out
process 6 1 child of it
thread 7 1 first
thread 8 2 second
phase 1 setup
phase 2 solve
sample 0x401000 1
slice 1 1
sample 0x401000 2 0x4010ff 3 0x401100 4
slice 1 2
sample 0x401100 5 0x4011ff 6
arc 0x401010 0x401100 3
slice 2 2
sample 0x401200 7 0x401300 8 0x500000 9 0x401200 1
arc 0x401010 0x401100 4
call 0x401200 2
arc 0x401210 0x401200 9
END
threads 0 --output=by-thread one
cat >expected <<'END'
: 1
  main self 1 calls 0
thread 7 first process 5 a.out: 20
  main self 5 calls 0
  work self 15 calls 3
thread 8 second process 6 child of it below 5: 25
  work self 0 calls 4
  idle self 8 calls 2
  <outside> self 17 calls 0
END
sed -i "s/<outside>/$(sed -n 's/^  \(.*\) self 17 .*/\1/p' out)/" expected
expect_same expected out
threads 0 --output=by-phase one
cat >expected-phase <<'END'
: 1
 phase 1 setup: 9
 phase 2 solve: 36
END
grep -v '^  [^ ]* self' out >out.heads
grep -v 'self' out >out.heads
expect_same expected-phase out.heads
expect_match out '^  work self 4 calls 0$'
expect_match out '^  work self 11 calls 7$'
# Both at once, each as it asks; all of it together, a file twice.
threads 0 --output=by-thread:threads --output=by-all one one
expect_match threads '^thread 7 first process 5 a\.out: 40$'
expect_match out '^thread 7 first process 5 a\.out phase 2 solve: 22$'
expect_match out '^thread 8 second process 6 child of it below 5 phase 2 solve: 50$'

# Tables of them, with statistics.
threads 0 --per-phase one
cat >expected <<'END'
Phases:

% time   samples      calls  phase      heaviest function
 78.26    36.000          9  solve      <outside>
 19.57     9.000          0  setup      main
  2.17     1.000          0  not known  main

Time per phase, of 3 phases.

    total     solve     setup not known
  samples   samples   samples   samples  name
   17.000    17.000     0.000     0.000  <outside>
   15.000    11.000     4.000     0.000  work
    8.000     8.000     0.000     0.000  idle
    6.000     0.000     5.000     1.000  main
END
sed -i "s/<outside>/$(sed -n 's/^   17\.000 .* 0\.000  \(.*\)/\1/p' out)/" expected
sed 's/ *$//' out >got
expect_same expected got
threads 0 --per-thread --per-process one
expect_match out '^ 54\.35 +25\.000 +6  child of it 6  '
expect_match out '^ 43\.48 +20\.000 +3  first 7 of a\.out 5 +work$'
expect_match out '^Time per process, of 3 processes\.$'
# The selection of the flat profile is that of functions.
threads 0 --per-thread -pwork one
expect_match out '^   15\.000 +15\.000 +0\.000 +0\.000  work$'
! grep -qE '^ +[0-9.]+ .* (main|idle)$' out || fail 'functions that are not selected'
# Several formats, columns and an order that are asked for; a table alone; of one kind.
threads 0 --output=per-thread --set=per-thread.by=phase --set=per-thread.what=functions \
	--set=per-thread.columns=count,imbalance,worst,name --set=per-thread.sort=total one
# The error of samples at single addresses is not known.
expect_match out '^      1     3\.00  \(solve\)  '
expect_not_in out Phases:
threads 1 --output=per-thread one
expect_in err 'error[report.no-thread-statistics]: no statistics by thread, process or phase were collected'
threads 0 --per-thread --set=per-thread.members=1 --set=per-thread.what=members one
expect_match out '^\.\.\. 2 more threads with 45\.65% of the time$'
# A settings file that asks for them is for profiles that have them; who asks for them gets an error.
echo 'report: {per-thread: true}' >tables.yaml
echo 'sample 0x401000 1 0x401100 2' >plain
threads 0 --config=tables.yaml -p plain
expect_not_in out 'Time per thread'
threads 0 --config=tables.yaml -p one
expect_in out 'Time per thread, of 3 threads.'
threads 1 --per-thread plain
expect_in err 'error[report.lacks-threads]: no profile distinguishes threads, whose statistics were requested'

# The flat profile has the same figures added up: what is nowhere is a row of its own.
threads 0 -p one
expect_match out '^ +36\.96 +17\.00 +17\.00 '
expect_match out '^ +32\.61 +32\.00 +15\.00 +7 .* work$'
cp out flat
# What a file has, and where: nothing is said of bins.
expect_status 0 "$GPROFX" --plugin=./samples.so --no-findings -b -O samples -i program one
expect_match out 'samples +46, 46\.00 samples; 29 of them \(63\.04%\) in known functions$'
expect_match out '0x401000-0x500001: 10 rows with 46 samples, at most 9 in a row; 1 samples a unit'
expect_not_in out 'bin'
# They move with what the user takes off.
sed 's/0x\([45]\)/0x10\1/g' one >moved
threads 0 --slide=0x10000000 -p moved
expect_same out flat
threads 0 -p moved
grep -q ' work$' out && fail 'without --slide it has the functions of the program'

# Of histograms, whose bins are divided among functions, each slice has its part.
cat >bins <<'END'
thread 1 0
thread 2 0
slice 1 0
bins 8 0 0 0
slice 2 0
bins 2 6 4 0
END
threads 0 --output=by-thread bins
cat >expected <<'END'
: 0
thread 1: 8
  main self 8
thread 2: 12
  main self 2
  work self 6
  idle self 4
END
expect_same expected out

# Stacks measure what is below; a sample of theirs is a stack of one frame.
cat >stacks <<'END'
thread 1 0 a
thread 2 0 b
slice 1 0
stack 4 0x401100 0x401000
stack 1 0x401000
slice 2 0
stack 2 0x401100 0x401100 0x401000
sample 0x401200 3
stack 5
END
threads 0 --output=by-thread stacks
cat >expected <<'END'
: 0
thread 1 a: 5
  main self 1 below 4
  work self 4 below 0
thread 2 b: 10
  main self 0 below 2
  work self 2 below 0
  idle self 3 below 0
  <outside> self 5 below 0
END
sed -i "s/<outside>/$(sed -n 's/^  \(.*\) self 5 .*/\1/p' out)/" expected
expect_same expected out

# Several metrics: the first is split, and each has a column.
cat >metrics <<'END'
thread 1 0
metric cycles cycles 1000
slice 1 0
sample 0x401000 500 0x401100 1500
metric misses lines 1
sample 0x401100 3
END
threads 0 -p metrics
expect_match out '^ 75\.00 +1\.50 +1\.50 +3\.00 +work$'
threads 0 --metric=misses --output=by-thread metrics
expect_match out '^thread 1: 3$'
expect_match out '^  work self 3$'

# What cannot be split.
echo 'sample 0x401000 1 0x401100 2' >plain
threads 1 --output=by-thread plain
expect_in err 'error[report.lacks-threads]: no profile distinguishes threads, as the format "by-thread" requires'
threads 1 --output=by-all plain
expect_in err 'no profile distinguishes processes, threads or phases, as the format "by-all" requires'
# An emitter that can do without sees none, even beside one of the same kinds; otherwise it sees what that does.
threads 0 --plugin=./if-thread.so --output=if-thread plain
expect_same out <(echo no slices)
for files in one stacks bins 'plain bins'; do
	# shellcheck disable=SC2086 # Several words.
	threads 0 --plugin=./if-thread.so --output=if-thread $files
	cp out found
	# shellcheck disable=SC2086
	threads 0 --output=by-thread $files
	expect_same out found
done
# What came before the first thread is of none.
expect_match out '^: 3$'
expect_status 1 "$GPROFX" --plugin=./by-many.so --output=by-many program gmon.out
expect_in err 'error[emitter.unknown-need]'

# A sum has no record for them.
threads 1 --sum=sum one
expect_in err 'error[sum.has-samples]: sum: '
[ ! -e sum ] || fail 'there is a sum'

# Weights below 0 are left out, and those that are too large stay at the largest sum.
echo 'sample 0x401000 -5 0x401100 4 0x401000 -1' >negative
threads 0 -p negative
expect_in err 'warning[profile.negative-weights]: negative: expected sample weights of at least 0, found 2 negative ones: they are left out'
expect_match out '^100\.00 +4\.00 +4\.00 +work$'
echo 'sample 0x401000 9223372036854775807 0x401000 9223372036854775807 0x401100 9 0x401100 1' >heavy
threads 0 -p heavy
expect_in err 'warning[profile.weights-overflow]: heavy: the sum of sample weights exceeds 64 bits'
expect_in err 'from the 2 last samples on'
threads 0 -i heavy
expect_match out '^  addresses   0x401000-0x401101: 4 rows with 18446744073709551615 samples, at most 9223372036854775807 in a row; '

# What a file is listed with: a line each metric, even where units are the same, and stacks beside samples.
printf '%s\n' 'metric a events 1' 'sample 0x401000 5' 'stack 4 0x401100 0x401000' 'metric b events 1' \
	'sample 0x401100 1000' >events
threads 0 -i events
expect_match out '^  samples     5; all of them in known functions$'
expect_match out '^  addresses   0x401000-0x401001: 1 row with 5 samples, .* the unit is "events", the metric "a"$'
expect_match out '^  addresses   0x401100-0x401101: 1 row with 1,?000 samples, .* the unit is "events", the metric "b"$'
expect_match out '^  stacks      4 samples in 1 stack, the longest of 2 frames$'

# Samples that no stack can be added to, as their ticks have no common measure: there is no report, but for what
# agrees, if that is asked for.
printf '%s\n' 'metric cycles cycles 1000000000' 'weigh 4 0x401100 0x401000' >fast
printf '%s\n' 'metric cycles cycles 999999937' 'sample 0x401200 50' >odd
threads 1 -p fast odd
expect_empty out
expect_in err 'error[profile.stacks-differ]: expected stacks with 1000000000 ticks per unit, as before, found 999999937'
threads 1 -p -i odd fast
expect_not_in out 'Flat profile'
expect_status 1 "$GPROFX" --plugin=./samples.so -b --explain -O samples --keep-going -p program fast odd
expect_match out '^100\.00 +0\.00 +0\.00 +work$'
expect_not_in out 'Where the'
expect_in err '50 samples of cycles'

# Metrics that change between files.
printf '%s\n' 'metric cycles bytes 1000' 'sample 0x401000 1' >changed
threads 1 -p metrics changed
expect_in err 'error[profile.metric-changed]: changed:0x0: expected the metric "cycles" in "cycles"'
expect_status 1 "$GPROFX" --plugin=./samples.so --no-findings -b -O samples --keep-going -p program metrics changed
expect_match out '^ 75\.00 +1\.50 +1\.50 +3\.00 +work$'

# What no file can be the cause of; --check-plugin finds it, too, if a reader does it with every file.
# wrong TEXT LINE...
wrong() {
	printf '%s\n' "${@:2}" 'sample 0x401000 1' >bad
	threads 1 -p bad
	expect_in err "error[reader.bad-record]: $1"
	expect_match err '^  hint: this is a bug in the reader'
}
wrong 'expected one of the 0 slices of the file, found slice 3' 'use 3 0' 'sample 0x401000 1'
wrong 'expected one of the 1 slices of the file, found slice 2' 'thread 1 0' 'slice 1 0' 'use 2 0' 'arc 1 2 3'
wrong 'expected rows in one of the 0 metrics of the file, found metric 7' 'use 0 7' 'sample 0x401000 1'
wrong 'expected one of the 0 threads of the file, found thread 1' 'slice 1 0'
wrong 'expected one of the 0 phases of the file, found phase 4' 'slice 0 4'
wrong 'expected one of the 0 processes of the file, found process 2' 'thread 1 2'
wrong 'expected one of the 0 processes of the file, found process 1' 'process 1 1'
wrong 'expected 3 samples, found none' 'process 1 0 a process with a name' 'none 0'
wrong 'expected no more samples than the file has bytes for' 'process 1 0 a process with a name' 'none 1'

expect_status 0 "$GPROFX" --check-plugin=./samples.so
expect_not_in out FAILED
expect_status 0 "$GPROFX" --check-plugin=./by-thread.so
expect_not_in out FAILED
expect_in out 'it writes a report of two threads'
sed 's/static uint64_t words/#define WRONG 1\n&/; s/struct gprofx_from from = {.size = sizeof from}/struct gprofx_from from = {.size = sizeof from, .slice = 9}/; s/for (line = strtok_r(text/b->samples(gx, profile, file, \&from, NULL, 0); &/' samples.c | module astray
expect_status 1 "$GPROFX" --check-plugin=./astray.so
expect_in out 'expected one of the 0 slices of the file, found slice 9'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader whose files count several events: metrics of the same name are the same in all files, counts per unit are
# converted, and what a reader or a file gets wrong about a metric is reported, by --check-plugin as well.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# A line for each event: name, unit, counts in a unit, kind, and what each of the program's functions has.
# "?": a metric that was never declared.
reader='
	#define _POSIX_C_SOURCE 200809L
	#include "stub.h"
	#include <stdlib.h>
	static enum gprofx_result read_line(struct gprofx *gx, const struct gprofx_file *file,
	                                    struct gprofx_profile *profile, char *line) {
		struct gprofx_raw_metric metric = {.size = sizeof metric};
		struct gprofx_histogram h = {.size = sizeof h, .low = 0x401000, .high = 0x401400, .bin_bytes = 2};
		char *rest, *words[4];
		uint8_t bins[8];
		for (int i = 0; i < 4; i++)
			if (!(words[i] = strtok_r(i ? NULL : line, " ", &rest)))
				return GPROFX_DECLINED;
		metric.name = strcmp(words[0], "-") == 0 ? "" : words[0];
		metric.unit = words[1];
		metric.abbreviation = words[1][0];
		metric.ticks_per_unit = (uint32_t)atoi(words[2]);
		metric.kind = (uint32_t)atoi(words[3]);
		for (char *word; h.bin_count < 4 && (word = strtok_r(NULL, " ", &rest)); h.bin_count++) {
			bins[2 * h.bin_count] = (uint8_t)atoi(word);
			bins[2 * h.bin_count + 1] = (uint8_t)(atoi(word) >> 8);
		}
		h.bins = bins;
		h.metric = metric.name[0] == 63 ? 77 : profile->builder->metric(gx, profile, file, &metric);
		if (h.metric == 0)
			return FAILURE;
		return h.bin_count ? profile->builder->histogram(gx, profile, file, &h) : GPROFX_OK;
	}
	static enum gprofx_result read_events(struct gprofx *gx, const struct gprofx_file *file,
	                                      const struct gprofx_target *target,
	                                      struct gprofx_profile *profile, const void *options) {
		char *text = gprofx_alloc(gx, file->length + 1), *next, *line;
		enum gprofx_result result = GPROFX_OK;
		(void)target; (void)options;
		if (file->length > 0)
			memcpy(text, file->bytes, file->length);
		profile->builder->arcs(gx, profile, NULL, NULL, 0);
		for (line = strtok_r(text, "\n", &next); line && result == GPROFX_OK; line = strtok_r(NULL, "\n", &next))
			result = read_line(gx, file, profile, line);
		return result;
	}
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "events", .read = read_events};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-events", .version = "1", .summary = "Events", .reader = &reader};'
module events -DFAILURE=GPROFX_FAILED <<<"$reader"
module heedless -DFAILURE=GPROFX_OK <<<"$reader"

# events FILE: the report of these files, and of what is behind them.
events() {
	expect_status "$1" "$GPROFX" --plugin=./events.so --no-findings -b -O events program "${@:2}"
}

printf '%s\n' 'L1-loads loads 1000 1 400 3600 0 0' 'misses lines 1 2 7 0 21 0' >one
# Half as many counts make a load: they count twice.
printf '%s\n' 'misses lines 1 2 0 0 1 0' 'L1-loads loads 500 1 100 0 0 0' >two
events 0 -p one
expect_in out 'Each sample counts as 0.001 loads.'
expect_in out 'Of misses, each event counts as 1 lines.'
expect_match out '^ 90\.00 +3\.60 +3\.60 +0\.00 +0\.00 +work$'
expect_match out '^ 10\.00 +4\.00 +0\.40 +7\.00 +7\.00 +main$'
expect_match out '^  0\.00 +4\.00 +0\.00 +21\.00 +21\.00 +idle$'
events 0 -p --metric=misses one
expect_in out 'Of L1-loads, each sample counts as 0.001 loads.'
expect_match out '^ 75\.00 +21\.00 +21\.00 +0\.00 +0\.00 +idle$'
events 0 -p --metric=L1-loads one two
expect_match out '^ 14\.29 +4\.20 +0\.60 +7\.00 +7\.00 +main$'
expect_match out '^  0\.00 +4\.20 +0\.00 +22\.00 +22\.00 +idle$'
# The first one that appears goes first, and the rate that is stated is that of it.
events 0 -p two one
expect_match out '^ 75\.86 +22\.00 +22\.00 .* idle$'
events 0 -p --metric=misses --hz=2 one
expect_in out 'Each sample counts as 0.5 lines.'
expect_in out 'Of L1-loads, each sample counts as 0.001 loads.'
events 0 --output=json one
expect_in out '"id":1,"name":"misses","unit":"lines","abbreviation":"l","ticks_per_unit":1,"kind":"counted"'
expect_in out '"id":0,"name":"L1-loads","unit":"loads","abbreviation":"l","ticks_per_unit":1000,"kind":"sampled"'
# Seconds are the same metric, whatever says so.
echo 'time seconds 100 1 5 0 0 0' >seconds
"$GPROFX" --plugin=./events.so --no-findings -b -p program gmon.out >out 2>err || fail 'no report'
events 0 -p seconds
expect_in out 'Each sample counts as 0.01 seconds.'

# A metric that changes between files.
for line in 'misses bytes 1 2 1 0 0 0' 'misses lines 1 1 1 0 0 0'; do
	echo "$line" >changed
	events 1 -p one changed
	expect_match err 'error\[profile\.metric-changed\]: changed:0x0: expected the metric "misses" in "lines", counted, like those before it, found it in "(bytes|lines)", (counted|sampled)$'
	expect_match err '^  hint: .'
	# The file counts for nothing, and the others do.
	expect_status 1 "$GPROFX" --plugin=./events.so --no-findings -b -p -O events --keep-going program one changed
	expect_match out '^  0\.00 +4\.00 +0\.00 +21\.00 +21\.00 +idle$'
done

# Too many of them, whether the reader obeys the result or not.
seq -f 'event-%g units 1 1' 257 >many
for module in events heedless; do
	expect_status 1 "$GPROFX" --plugin=./$module.so -b -p -O events program many
	expect_in err 'error[profile.too-many-metrics]: many: expected at most 256 metrics in a file, found more'
	expect_empty out
done
head -n 256 many >most
events 0 -p one most
expect_in out 'Of misses'

# What no file can be the cause of; the checker finds it, too, if a damaged file brings it about.
# expect_defect TEXT LINE
expect_defect() {
	echo "$2" >defect
	events 1 -p defect
	expect_in err "error[reader.bad-record]: $1"
	expect_match err '^  hint: this is a bug in the reader'
}
expect_defect 'expected a metric with a name of 1 to 63 bytes' '- units 1 1 1 1 1 1'
expect_defect 'expected a metric with a name of 1 to 63 bytes' "$(printf '%064d' 0) units 1 1 1 1 1 1"
expect_defect 'expected a metric with a unit of 1 to 15 bytes' 'name sixteen-letters- 1 1 1 1 1 1'
expect_defect 'expected a metric that is sampled, counted or clocked, found kind 4' 'name units 1 4 1 1 1 1'
expect_defect 'expected a histogram in one of the 0 metrics of the file, found metric 77' '? units 1 1 1 1 1 1'
# Metrics are those of one file.
sed 's/? 77 :/? 1 :/' events.c | module stale -DFAILURE=GPROFX_FAILED
echo '? units 1 1 1 1 1 1' >defect
expect_status 1 "$GPROFX" --plugin=./stale.so -b -p -O events program one defect
expect_in err 'error[reader.bad-record]: expected a histogram in one of the 0 metrics of the file, found metric 1'

expect_status 0 "$GPROFX" --check-plugin=./events.so
expect_not_in out FAILED
# check NAME BODY TEXT: the checker refuses a reader that does this with every file.
check() {
	module "$1" <<-END
		#include "stub.h"
		static enum gprofx_result read_it(struct gprofx *gx, const struct gprofx_file *file,
		                                  const struct gprofx_target *target,
		                                  struct gprofx_profile *profile, const void *options) {
			struct gprofx_raw_metric metric = {.size = sizeof metric, .name = "n", .unit = "u", .kind = 1};
			struct gprofx_histogram h = {.size = sizeof h, .low = 0x1000, .high = 0x1010, .bin_count = 1,
			                             .bins = (const uint8_t *)"a", .bin_bytes = 1};
			(void)target; (void)options;
			$2
			return profile->builder->histogram(gx, profile, file, &h);
		}
		static const struct gprofx_reader reader = {.size = sizeof reader, .format = "x", .read = read_it};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-$1", .version = "1", .summary = "Wrong", .reader = &reader};
	END
	expect_status 1 "$GPROFX" --check-plugin="./$1.so"
	expect_in out "$3"
}
check nameless 'metric.name = NULL; h.metric = profile->builder->metric(gx, profile, file, &metric);' \
	'expected a metric with a name of 1 to 63 bytes'
check unitless 'metric.unit = ""; h.metric = profile->builder->metric(gx, profile, file, &metric);' \
	'expected a metric with a unit of 1 to 15 bytes'
check kindless 'metric.kind = 0; h.metric = profile->builder->metric(gx, profile, file, &metric);' \
	'expected a metric that is sampled, counted or clocked, found kind 0'
check astray 'h.metric = profile->builder->metric(gx, profile, file, &metric) + 1;' \
	'expected a histogram in one of the 1 metrics of the file, found metric 2'
check sizeless 'metric.size = 2; h.metric = profile->builder->metric(gx, profile, file, &metric);' \
	'the record of a metric'

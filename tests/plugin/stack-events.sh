#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stacks with weights of two metrics: a column each, both measured, by hand figures; sorted by either; of several files,
# some of which have one of them; and what a reader can do wrong with them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
cat >reader.h <<'END'
	#include "stub.h"
	#define NONE 77
	/* Weights of cycles and of misses: main 10 0, main > work 20 3, main > work > idle 5 7, main > work > work 4 1. */
	static enum gprofx_result read_stacks(struct gprofx *gx, const struct gprofx_file *file,
	                                      const struct gprofx_target *target,
	                                      struct gprofx_profile *profile, const void *options) {
		static const uint64_t address[] = {0x401000, 0x401108, 0x401004, 0x401200, 0x401108, 0x401004,
		                                   0x401100, 0x401108, 0x401004};
		static const uint64_t both[] = {10, 0, 20, 3, 5, 7, 4, 1}, misses[] = {0, 3, 7, 1};
		static const uint32_t first[] = {0, 1, 3, 6, 9};
		bool has_both = file->length > 8 && file->bytes[0] == '2';
		struct gprofx_raw_metric cycles = {.size = sizeof cycles, .name = "cycles", .unit = "cycles",
			.ticks_per_unit = 10, .kind = GPROFX_SAMPLED};
		struct gprofx_raw_metric lines = {.size = sizeof lines, .name = "misses", .unit = "lines",
			.ticks_per_unit = 1, .kind = GPROFX_COUNTED};
		struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = 4, .first = first,
			.address = address, .weight = has_both ? both : misses};
		uint32_t metrics[] = {0, 0, NONE};
		(void)target, (void)options;
		if (file->length < 20)
			return GPROFX_DECLINED;
		if (file->bytes[0] == 'u')
			lines.unit = "bytes";
		if (has_both)
			metrics[stacks.metric_count++] = profile->builder->metric(gx, profile, file, &cycles);
		metrics[stacks.metric_count++] = profile->builder->metric(gx, profile, file, &lines);
		stacks.metrics = metrics;
		WRONG;
		return profile->builder->stacks(gx, profile, file, NULL, &stacks);
	}
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "events", .read = read_stacks};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-events", .version = "1", .summary = "stacks of events",
		.reader = &reader};
END
module events -DWRONG= -include ./reader.h </dev/null
printf '2 events, and more bytes than there are frames' >both
printf '1 event, and more bytes than there are frames' >misses
printf 'unit of another kind, and more bytes than frames' >unit
# events STATUS WORD...
events() {
	expect_status "$1" "$GPROFX" --plugin=./events.so --no-findings -b -O events program "${@:2}"
}

events 0 both
expect_empty err
expect_in out 'Times are measured from call stacks, in cycles.'
expect_in out 'Of misses, each event counts as 1 lines.'
expect_match out '^ 61\.54 +2\.40 +2\.40 .*4\.00 +11\.00 +work$'
expect_match out '^ 25\.64 +3\.40 +1\.00 .*0\.00 +11\.00 +main$'
expect_match out '^ 12\.82 +3\.90 +0\.50 .*7\.00 +7\.00 +idle$'
expect_match out '^\[1\] +100\.0 +1\.00 +2\.90 +0\.00 +11\.00 main \[1\]$'
expect_match out '^\[2\] +74\.4 +2\.40 +0\.50 +4\.00 +7\.00 work \[2\]$'

# Sorted by the other one, of which each figure is measured, too.
events 0 --metric=misses both
expect_match out '^ 63\.64 +7\.00 +7\.00 .*0\.50 +0\.50 +idle$'
expect_match out '^ 36\.36 +11\.00 +4\.00 .*2\.40 +2\.90 +work$'
expect_match out '^\[[0-9]\] +100\.0 +0\.00 +11\.00 +1\.00 +2\.90 main '
expect_match out '^\[[0-9]\] +63\.6 +7\.00 +0\.00 +0\.50 +0\.00 idle '

# JSON says of both columns how they came about; arcs have them as well.
expect_status 0 "$GPROFX" --plugin=./events.so --no-findings -O events --output=json program both
python3 - <<'END' || fail 'the report in JSON is another one'
import json
report = json.load(open('out'))
assert [m['name'] for m in report['metrics']] == ['cycles', 'misses'], report['metrics']
text = json.dumps(report)
assert 'estimated' not in text and text.count('measured') >= 4, text
END

# A file that has one of them adds to that alone, whichever comes first.
events 0 both misses
expect_match out '^ 61\.54 +2\.40 +2\.40 .*8\.00 +22\.00 +work$'
expect_match out '^ 25\.64 +3\.40 +1\.00 .*0\.00 +22\.00 +main$'
events 0 --metric=cycles misses both
expect_match out '^ 61\.54 +2\.40 +2\.40 .*8\.00 +22\.00 +work$'
events 0 misses both
expect_match out '^ 63\.64 +14\.00 +14\.00 .*0\.50 +0\.50 +idle$'
events 0 -i misses
expect_match out '11 lines in 4 stacks, the longest of 3 frames'

# A metric that is not there, and one that changes between files; what was read before stays.
events 1 --metric=time both
expect_in err 'error[profile.unknown-metric]: the profiles have no metric "time", only: cycles, misses'
events 1 both unit
expect_in err 'error[profile.stacks-differ]: unit: expected stacks in lines, as those before, found stacks in bytes'
events 1 --keep-going both unit
expect_match out '^ 61\.54 +2\.40 +2\.40 .*4\.00 +11\.00 +work$'
# wrong TEXT CODE: a reader that does so is at fault.
wrong() {
	module bad "-DWRONG=$2" -include ./reader.h </dev/null
	expect_status 1 "$GPROFX" --plugin=./bad.so -b -O events program both
	expect_in err "error[reader.bad-record]: $1"
}
wrong 'expected weights in the 2 metrics of the file, found metric 77' 'metrics[1] = NONE'
wrong 'expected weights in the 2 metrics of the file, found metric 0' 'metrics[0] = 0'
wrong 'expected each metric once, found "misses" twice' 'metrics[0] = metrics[1]'
wrong 'expected 2 metrics of weights, found none' 'stacks.metrics = NULL'
wrong 'expected weights of at most 256 metrics, found 257' 'stacks.metric_count = 257'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader of stacks that is no part of the project: frames by address and by name, with a program and without,
# beside counted calls; and what a reader can do wrong with them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
cat >reader.h <<'END'
	#include "stub.h"
	/* Three stacks: main 1, main > work 4, main > work > work 2; the first frame of a stack is the innermost. */
	static int probe(const uint8_t *head, size_t bytes) {
		return bytes > 5 && memcmp(head, "#!stk", 5) == 0 ? 100 : 0;
	}
	static enum gprofx_result read_stacks(struct gprofx *gx, const struct gprofx_file *file,
	                                      const struct gprofx_target *target,
	                                      struct gprofx_profile *profile, const void *options) {
		static const uint64_t address[] = {MAIN, WORK + 8, MAIN + 4, WORK + 9, WORK + 1, MAIN + 4};
		static const uint64_t weight[] = {1, 4, 2};
		uint32_t first[] = {0, 1, 3, 6}, place[6];
		struct gprofx_raw_place places[6] = {{.function = "main"}, {.function = "work"}, {.function = "main"},
			{.function = "work", .line = 3}, {.function = "work"}, {.function = "main"}};
		struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = 3, .first = first,
			.address = address, .weight = weight, .rate = 100, .dimension = "seconds",
			.abbreviation = 's'};
		(void)target, (void)options;
		if (NAMED) {
			profile->builder->places(gx, profile, places, 6, place);
			stacks.place = place;
			stacks.address = NULL;
		}
		WRONG;
		return profile->builder->stacks(gx, profile, file, NULL, &stacks);
	}
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "stk", .probe = probe,
		.read = read_stacks, .carries_names = true};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-stk", .version = "1", .summary = "stacks",
		.reader = &reader};
END
printf '#!stk and some bytes more than are frames' >stacks
made() {
	name=$1
	shift
	module "$name" -DMAIN=0x401000 -DWORK=0x401100 "$@" -include ./reader.h </dev/null
}

made placed -DNAMED=0 -DWRONG=
expect_status 0 "$GPROFX" --no-findings --plugin=./placed.so -b program stacks
expect_empty err
expect_match out '^ 85\.71 +0\.06 +0\.06 +work$'
expect_match out '^ 14\.29 +0\.07 +0\.01 +main$'
expect_match out '^\[1\] +100\.0 +0\.01 +0\.06 +main \[1\]$'
expect_match out '^ +0\.04 +0\.02 +work \[2\]$'
# Counted calls stand beside them; what stacks alone show has no number.
expect_status 0 "$GPROFX" --plugin=./placed.so -b program stacks gmon.out
expect_match out '^ 85\.71 +0\.06 +0\.06 +7 .* work$'
expect_match err 'finding\[samples\.not-used\]'
expect_match out '^ +0\.04 +0\.02 +7/7 +work \[2\]$'
# The account is that of what the table has, and counts what that is made of.
expect_in out 'Where the 7 ticks of the stacks are (0.07 seconds):'
expect_match out '^  in the functions of this table +7\.00 +0\.07 s 100\.00 %$'
expect_status 0 "$GPROFX" --no-findings --plugin=./placed.so -b -p --cpu-time=0.5 program stacks gmon.out
expect_in out 'Not sampled: 0.43 s of 0.50 s of CPU time (86.00 %)'
expect_status 0 "$GPROFX" --no-findings --plugin=./placed.so --output=json program stacks gmon.out
expect_in out '"account":{"samples":7,"of_stacks":true,"copied_samples":0,'
# What is said of the tables is true of these.
expect_status 0 "$GPROFX" --plugin=./placed.so -b --explain program stacks
expect_not_in err finding
expect_in err 'Times are measured from call stacks, in seconds'
expect_not_in err 'times are 0'
expect_not_in err 'the flat profile is all there is'
expect_status 1 "$GPROFX" --plugin=./placed.so -b stacks
expect_match err 'error\[profile\.frames-by-address\]'

made named -DNAMED=1 -DWRONG=
expect_status 0 "$GPROFX" --plugin=./named.so -b stacks
expect_match out '^ 85\.71 +0\.06 +0\.06 +work$'
expect_match out '^\[1\] +100\.0 +0\.01 +0\.06 +main \[1\]$'
# Samples of other metrics are in no table, which is reported without a program, too.
cat >others.h <<'END'
	#include <gprofx/reader.h>
	static enum gprofx_result others(struct gprofx *gx, const struct gprofx_file *file, struct gprofx_profile *profile) {
		for (int i = 0; i < 4; i++) {
			const char name[] = {(char)(65 + i), 0};
			struct gprofx_raw_metric metric = {.size = sizeof metric, .name = name, .unit = "events",
				.ticks_per_unit = 1, .kind = GPROFX_COUNTED};
			struct gprofx_from from = {.size = sizeof from,
				.metric = profile->builder->metric(gx, profile, file, &metric)};
			struct gprofx_raw_sample row = {0x401000, 70 + i};
			struct gprofx_histogram bins = {.size = sizeof bins, .low = 0x401000, .high = 0x401008,
				.bin_count = 2, .bins = (const uint8_t[]){1, 2}, .bin_bytes = 1, .metric = from.metric};
			profile->builder->samples(gx, profile, file, &from, &row, 1);
			if (i == 2 && profile->builder->histogram(gx, profile, file, &bins) != GPROFX_OK)
				return GPROFX_FAILED;
		}
		return GPROFX_OK;
	}
END
made others -DNAMED=1 '-DWRONG=if (others(gx, file, profile)) return GPROFX_FAILED' -include ./others.h
for program in '' program; do
	expect_status 0 "$GPROFX" --plugin=./others.so -b --explain -O stk $program stacks
	tr -s ' \n' ' ' <err >line
	expect_in line '75 samples of C, 70 samples of A, 71 samples of B, and some of other metrics (1)'
	[ "$(grep -c 'finding\[' err)" -eq 1 ] || fail 'not just one finding'
	expect_match out '^ 85\.71 +0\.06 +0\.06 +work$'
done
expect_status 0 "$GPROFX" --plugin=./named.so -b --explain stacks
expect_in err 'Times are measured from call stacks, in seconds'
# Beside a program they are its functions of these names.
expect_status 0 "$GPROFX" --no-findings --plugin=./named.so -b program stacks gmon.out
expect_empty err
expect_match out '^ 85\.71 +0\.06 +0\.06 +7 .* work$'
expect_match out '^ +0\.04 +0\.02 +7/7 +work \[2\]$'
# So are those of several functions of one name, if files are known and none of them is the program's.
made files '-DNAMED=1' '-DWRONG=places[1].function = places[3].function = "other"; places[1].file = "a.c"; places[3].file = "b.c"; profile->builder->places(gx, profile, places, 6, place)'
expect_status 0 "$GPROFX" --plugin=./files.so -b -p program stacks
expect_match out '^ 57\.14 +0\.04 +0\.04 +other$'
expect_match out '^ 28\.57 +0\.06 +0\.02 +other$'
expect_match out '^ 14\.29 +0\.07 +0\.01 +main$'
# Addresses in one file, names in another.
made samples -DNAMED=0 '-DWRONG=stacks.rate = 1, memcpy(stacks.dimension, "samples", 8), stacks.abbreviation = 0'
printf 'main;work 3\nmain;libc 2\n' >folded
expect_status 0 "$GPROFX" --plugin=./samples.so -b -p program stacks folded
expect_match out '^ 75\.00 +9\.00 +9\.00 +work$'
expect_match out '^ 16\.67 +11\.00 +2\.00 +libc$'
expect_match out '^  8\.33 +12\.00 +1\.00 +main$'

# wrong WORDS CODE: a reader that does so is at fault.
wrong() {
	made bad -DNAMED=1 "-DWRONG=$2"
	expect_status 1 "$GPROFX" --plugin=./bad.so -b stacks
	expect_match err "error\\[reader\\.bad-record\\]: .*$1"
}
wrong 'expected one of 3 places, found place 99' 'place[2] = 99'
wrong 'expected stacks one behind the other' 'first[1] = 4'
wrong 'expected the unit of weights, found none' 'stacks.rate = 0'
wrong 'expected the unit of weights, found none' 'stacks.dimension[0] = 0'
wrong 'expected 3 weights, found none' 'stacks.weight = NULL'
wrong 'expected 1 begin of stacks, found none' 'stacks.first = NULL'
wrong 'expected 6 frames, found none' 'stacks.place = NULL'
wrong 'expected 1 name of a function, found none' \
	'places[1].function = ""; profile->builder->places(gx, profile, places, 6, place)'
# A file of 41 bytes cannot hold so many frames, however it is packed.
wrong 'expected no more frames than the file has bytes' \
	'static uint32_t many[60000]; first[3] = 60000; stacks.place = many'

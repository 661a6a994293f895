#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stacks of 100,000 frames, weights whose sum is too large and mappings that overlap: what a run says of them, and what
# --check-plugin says of a reader that hands them over..
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program

# reader NAME BODY: a reader that has this in what it makes of files that are not empty.
reader() {
	module "$1" <<-END
		#include "stub.h"
		enum { FRAMES = 100000, MAIN = 0x401000, WORK = 0x401100 };
		static int probe(const uint8_t *head, size_t bytes) {
			return bytes > 3 && memcmp(head, "#!x", 3) == 0 ? 100 : 0;
		}
		static enum gprofx_result
		read_it(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
		        struct gprofx_profile *profile, const void *options) {
			const struct gprofx_profile_builder *b = profile->builder;
			uint64_t weight[] = {1, 1}, *address = gprofx_alloc(gx, FRAMES * sizeof *address);
			uint32_t first[] = {0, 1, 2};
			struct gprofx_raw_stacks stacks = {.size = sizeof stacks, .count = 2, .first = first,
				.address = address, .weight = weight, .rate = 1, .dimension = "samples"};
			(void)target, (void)options;
			if (file->length == 0)
				return GPROFX_DECLINED;
			for (int i = 0; i < FRAMES; i++)
				address[i] = i % 2 ? MAIN : WORK;
			$2
			return b->stacks(gx, profile, file, NULL, &stacks);
		}
		static const struct gprofx_reader reader = {.size = sizeof reader, .format = "x", .probe = probe, .read = read_it};
		STUB_PLUGIN, .reader = &reader };
	END
}

# noted MODULE WORDS: nothing is wrong with it, but this is said.
noted() {
	expect_status 0 "$GPROFX" --check-plugin="$1"
	expect_match out "^  note    reader, damaged files: using what was read of random bytes: $2\$"
	expect_not_in out FAILED
}

# Innermost work, outermost main, 50,000 times each: every sum counts the stack once.
reader deep 'stacks.count = 1, first[1] = FRAMES, weight[0] = 4;'
{
	printf '#!x'
	head -c 99997 /dev/zero
} >long
expect_status 0 "$GPROFX" --plugin=./deep.so --no-findings -b program long gmon.out
expect_empty err
expect_match out '^100\.00 +4\.00 +4\.00 +7 .* work$'
expect_match out '^  0\.00 +4\.00 +0\.00 +main$'
expect_match out '^\[[12]\] +100\.0 +0\.00 +4\.00 +main <cycle 1> \[[12]\]$'
expect_match out '^\[[12]\] +100\.0 +4\.00 +0\.00 +7 +work <cycle 1> \[[12]\]$'
expect_match out '^ +4\.00 +0\.00 +7(/7)? +work <cycle 1> \[[12]\]$'
expect_match out '^ +0\.00 +4\.00 +main <cycle 1> \[[12]\]$'
expect_status 0 "$GPROFX" --plugin=./deep.so --no-findings --set=folded.unit=ticks --output=folded program long
[ "$(wc -l <out)" -eq 1 ] && [ "$(tr -cd ';' <out | wc -c)" -eq 99999 ] || fail 'not one stack of 100000 frames'
expect_match out ';main;work 4$'
# A file of 90 bytes cannot hold them, however it is packed.
head -c 90 long >short
expect_status 1 "$GPROFX" --plugin=./deep.so -b program short
expect_match err 'error\[reader\.bad-record\]: .*expected no more frames than the file has bytes'
expect_status 1 "$GPROFX" --check-plugin=./deep.so
expect_match out '^  FAILED  reader, damaged files: reading random bytes: expected no more frames than the file has bytes'

# What is too large is said once; all that is left is the largest number there is.
reader heavy 'weight[0] = UINT64_MAX, weight[1] = 2;'
expect_status 0 "$GPROFX" --plugin=./heavy.so --no-findings -b -p program long
overflow='the sum of stack weights exceeds 64 bits: some sums are too small'
expect_in err "warning[profile.weights-overflow]: long: $overflow"
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
expect_match out '^100\.00 +[0-9.]+ +18446744073709551616\.00 +work$'
noted ./heavy.so "$overflow \\[profile\\.weights-overflow\\]"

# The later mapping counts from there on.
reader overlapping 'struct gprofx_raw_process process = {.size = sizeof process, .number = 1};
	struct gprofx_raw_image image = {.size = sizeof image, .kind = GPROFX_IMAGE_GENERATED, .path = "jit"};
	struct gprofx_from from = {.size = sizeof from, .process = b->process(gx, profile, file, &process)};
	struct gprofx_raw_mapping map = {.size = sizeof map, .process = from.process, .address = 0x10000,
		.bytes = 0x2000, .image = b->image(gx, profile, file, &image)};
	for (int i = 0; i < 2; i++, map.address += 0x1000)
		if (b->mapping(gx, profile, file, &map) != GPROFX_OK)
			return GPROFX_FAILED;
	address[0] = 0x10010, address[1] = 0x11010;
	if (b->stacks(gx, profile, file, &from, &stacks) != GPROFX_OK)
		return GPROFX_FAILED;
	address[0] = WORK, address[1] = MAIN;'
expect_status 0 "$GPROFX" --plugin=./overlapping.so --no-findings -b -p program long
overlap='expected mappings that do not overlap, found 1 that replace others from there on'
expect_in err "warning[profile.mappings-overlap]: long: $overlap"
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
expect_match out '^ 50\.00 +2\.00 +2\.00 +\[jit\]$'
noted ./overlapping.so "$overlap \\[profile\\.mappings-overlap\\]"

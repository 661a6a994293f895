#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# reader.bad-record: a reader that states an impossible size of its histogram's bins.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
for size in 0 3 9 1; do
	module "bins-$size" -DSIZE="$size" <<-'END'
		#include "stub.h"
		static enum gprofx_result read_bins(struct gprofx *gx, const struct gprofx_file *file,
		                                    const struct gprofx_target *target,
		                                    struct gprofx_profile *profile, const void *options) {
			const struct gprofx_histogram histogram = {.size = sizeof histogram, .low = 0x401000,
				.high = 0x401400, .bin_count = 2, .rate = 100, .dimension = "seconds",
				.abbreviation = 's', .bins = file->bytes, .bin_bytes = SIZE, .bins_signed = true,
				.offset = 7};
			(void)target; (void)options;
			return profile->builder->histogram(gx, profile, file, &histogram);
		}
		static const struct gprofx_reader reader = {
			.size = sizeof reader, .format = "bins", .read = read_bins};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-bins", .reader = &reader};
	END
done
for size in 0 3 9; do
	expect_status 1 "$GPROFX" --plugin="./bins-$size.so" -O bins -b -p program gmon.out
	expect_match err "^gprofx: error\\[reader\\.bad-record\\]: gmon\\.out:0x7: expected bins of 1, 2, 4 or 8 bytes, found $size\$"
	expect_match err '^  hint: .'
	expect_empty out
done
expect_status 0 "$GPROFX" --no-findings --plugin=./bins-1.so -O bins -b -p program gmon.out
expect_empty err

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader that is no part of the project, built with the public headers: by its format, by the contents
# of the file, and among readers that are less sure.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
cat >reader.h <<'END'
	#include "stub.h"
	/* "#!sum " and a byte with the number of samples for each of the four functions. */
	static int probe(const uint8_t *head, size_t bytes) {
		return bytes > 5 && memcmp(head, "#!sum", 5) == 0 ? SURE : 0;
	}
	static enum gprofx_result read_sum(struct gprofx *gx, const struct gprofx_file *file,
	                                   const struct gprofx_target *target,
	                                   struct gprofx_profile *profile, const void *options) {
		struct gprofx_histogram histogram = {.size = sizeof histogram, .low = 0x401000,
			.high = 0x401400, .bin_count = 4, .rate = RATE, .dimension = "seconds",
			.abbreviation = 's', .bins = file->bytes + 6, .bin_bytes = 1};
		(void)options;
		if (file->length < 10 || target->pointer_bytes != 8 || target->machine != 62)
			return GPROFX_DECLINED;
		return profile->builder->histogram(gx, profile, file, &histogram);
	}
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = FORMAT, .probe = probe, .read = read_sum};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-" FORMAT, .reader = &reader};
END
module x -DSURE=100 -DRATE=100 -DFORMAT='"x"' -include ./reader.h </dev/null
printf '#!sum \12\36\0\0 padding up to twenty bytes' >sum

expect_status 0 "$GPROFX" --no-findings --plugin=./x.so -O x -b -p program sum
expect_empty err
expect_match out '^ 75\.00 +0\.30 +0\.30 +work$'
expect_match out '^ 25\.00 +0\.40 +0\.10 +main$'
cp out expected
expect_status 0 "$GPROFX" --plugin=./x.so -b -p program sum
expect_same out expected

# Without it the file is unknown; its absence is reported with the name of the format.
expect_status 1 "$GPROFX" -b -p program sum
expect_in err 'error[profile.not-a-profile]: sum: '
expect_status 1 "$GPROFX" -O x -b -p program sum
expect_match err 'error\[(usage\.unknown-format|reader\.not-installed)\]'

# With it the others are still there, and each file has its own reader.
expect_status 0 "$GPROFX" --plugin=./x.so -b -p program sum gmon.out
expect_match out '^ 75\.00 +0\.60 +0\.60 +7 .* work$'

# The surest reader reads; of equally sure ones the first.
module slow90 -DSURE=90 -DRATE=1 -DFORMAT='"slow90"' -include ./reader.h </dev/null
module slow100 -DSURE=100 -DRATE=1 -DFORMAT='"slow100"' -include ./reader.h </dev/null
expect_status 0 "$GPROFX" --plugin=./slow90.so --plugin=./x.so -b -p program sum
expect_same out expected
expect_status 0 "$GPROFX" --plugin=./x.so --plugin=./slow100.so -b -p program sum
expect_same out expected
expect_status 0 "$GPROFX" --plugin=./slow100.so --plugin=./x.so -b -p program sum
expect_match out '^ 75\.00 +30\.00 +30\.00 +work$'
expect_status 0 "$GPROFX" --plugin=./slow100.so --plugin=./x.so -O x -b -p program sum
expect_same out expected

# A reader may decline what it was given.
printf '#!sum12345678901234567890' >sum
cp program other
printf '\7' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
expect_status 1 "$GPROFX" --plugin=./x.so -b -p other sum
expect_match err 'error\[profile\.not-a-profile\]: sum: .*does not recognize'

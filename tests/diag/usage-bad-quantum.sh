#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.bad-quantum: what call sites cannot be multiples of.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for word in x 0 -1 3 12 16x 128 4294967312 99999999999999999999 ' 1' 0x10; do
	expect_status 2 "$GPROFX" --quantum="$word"
	expect_in err "gprofx: error[usage.bad-quantum]: expected a power of two from 1 to 64 after --quantum, found '$word'"
	expect_in err '  hint: '
	expect_empty out
done
for word in 1 2 4 8 16 32 64; do
	expect_status 0 "$GPROFX" --quantum="$word" --help
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.bad-number: a number of threads or of samples a second that is none, or too large.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for word in x -1 4x 1025 99999999999999999999 ' 1' 0x1; do
	expect_status 2 "$GPROFX" --threads="$word"
	expect_in err "gprofx: error[usage.bad-number]: expected a number from 0 to 1024 after --threads, found '$word'"
	expect_in err '  hint: '
	expect_empty out
done
for word in x -1 97.5 4294967296 99999999999999999999 1e3; do
	expect_status 2 "$GPROFX" --hz="$word"
	expect_in err "gprofx: error[usage.bad-number]: expected a number from 0 to 4294967295 after --hz, found '$word'"
	expect_in err '  hint: '
	expect_empty out
done
expect_status 0 "$GPROFX" --hz=0 --hz 4294967295 --help
expect_status 0 "$GPROFX" --threads 1024 --threads=0 --help
# GNU gprof has no words for it, only the status.
expect_status 1 "$GPROFX" --threads=x --gnu
expect_in err 'error[usage.bad-number]'

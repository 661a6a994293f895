#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# emitter.not-installed, reader.not-installed: a format that nobody writes or reads.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
expect_status 1 "$GPROFX" --output=sculpture program
expect_match err '^gprofx: error\[emitter\.not-installed\]: expected an emitter for the format "sculpture", but none is installed$'
expect_match err '^  hint: .*--list-plugins'
expect_empty out

expect_status 1 "$GPROFX" -O bsd program
expect_match err '^gprofx: error\[reader\.not-installed\]: .*the format "bsd", but the plugin input-bsd is not installed$'
expect_match err '^  hint: .*--list-plugins'
expect_empty out

# An emitter does not serve as a reader, nor the other way round.
expect_status 1 "$GPROFX" --output=magic program
expect_in err 'error[emitter.not-installed]'

# Under its own name a reader of exactly that name comes first, then the first letter decides.
"$GPROFX" -b program gmon.out >expected
for word in magic m monkey auto a aaa; do
	expect_status 0 "$GPROFX" -b -O "$word" program gmon.out
	expect_same expected out
done
for word in bananas 4 perf xyz; do
	expect_status 1 "$GPROFX" -b -O "$word" program gmon.out
	expect_in err "error[reader.not-installed]: expected a reader for the format \"$word\""
done

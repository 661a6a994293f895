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

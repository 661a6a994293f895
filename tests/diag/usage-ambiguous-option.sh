#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.ambiguous-option: an abbreviation of several options.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" --fi=x
expect_in err "gprofx: error[usage.ambiguous-option]: ambiguous option '--fi=x'"
expect_in err '  hint: write one of --file-ordering --file-info --file-format'
expect_empty out
# Own options are no candidates, and a name in full is not ambiguous.
expect_status 2 "$GPROFX" --t
expect_in err 'one of --table-length --time --traditional'
expect_not_in err threads
expect_status 0 "$GPROFX" --graph --help

as_gprof
expect_status 1 ./gprof --fi=x
expect_match err "^\./gprof: option '--fi=x' is ambiguous; possibilities: '--file-ordering' '--file-info' '--file-format'\$"
expect_match err '^Usage: '

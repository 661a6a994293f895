#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.missing-argument: an option at the end that wants a word behind it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" a.out -bk
expect_in err 'gprofx: error[usage.missing-argument]: FROM/TO is missing after -k'
expect_in err '  hint: write -k FROM/TO'
expect_status 2 "$GPROFX" --plugin-path
expect_in err '[usage.missing-argument]: DIR is missing after --plugin-path'
expect_empty out

as_gprof
expect_status 1 ./gprof a.out -bk
expect_match err "^\./gprof: option requires an argument -- 'k'\$"
expect_status 1 ./gprof --wid
expect_match err "^\./gprof: option '--width' requires an argument\$"
expect_status 1 ./gprof --threads
expect_match err "^\./gprof: option '--threads' requires an argument\$"
expect_match err '^Usage: '

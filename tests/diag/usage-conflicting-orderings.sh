#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.conflicting-orderings: -r and -R together.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" -r no-image -R map
expect_in err 'gprofx: error[usage.conflicting-orderings]: --function-ordering and --file-ordering cannot be used together'
expect_in err '  hint: '
expect_empty out

as_gprof
expect_status 1 ./gprof --file-ord=map -r no-image
echo './gprof: Only one of --function-ordering and --file-ordering may be specified.' >expected
expect_same expected err
expect_empty out
# Errors in the line itself come first, and so does --help.
expect_status 1 ./gprof -r -R map --foo
expect_in err 'unrecognized option'
expect_status 0 ./gprof -r -R map --help

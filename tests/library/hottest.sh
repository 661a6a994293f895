#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example program of the library shows what the flat profile and the call graph do, and says what is
# wrong where something is.
. "$GPROFX_SOURCE/tests/library/lib.sh"
make_program
link_program hottest "$GPROFX_SOURCE/examples/library/hottest.c"

expect_status 0 ./hottest program gmon.out
expect_empty err
cat >expected <<'END'
 75.0% work
       7 calls from main
 25.0% main
END
diff expected out >&2 || fail 'other functions'

expect_status 1 ./hottest program no-such-file
expect_empty out
expect_in err 'error: '
expect_in err '(no-such-file)'

expect_status 1 ./hottest
expect_in err 'expected at least one profile in the request, found none'
expect_status 1 ./hottest program
expect_in err 'expected at least one profile in the request, found none'

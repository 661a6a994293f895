#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A missing gmon.out is explained: how one is made. GNU mode says no more than gprof does.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need "${GPROFX_CC:-cc}"
printf 'int main(void) { return 0; }' >main.c
expect_status 0 "${GPROFX_CC:-cc}" -o a.out main.c

expect_status 1 "$GPROFX"
expect_in err 'gprofx: error[profile.cannot-open]: gmon.out: '
expect_match err '^  hint: .*-pg'
expect_empty out

# With a library, no profile of the program is needed: the library can be reported alone.
cp a.out lib.so
expect_status 1 "$GPROFX" --object=lib.so=lib.profile
expect_in err 'gprofx lib.so lib.profile'

as_gprof
expect_status 1 ./gprof
echo 'gmon.out: No such file or directory' >expected
expect_same expected err
rm a.out
expect_status 1 ./gprof
echo 'a.out: No such file or directory' >expected
expect_same expected err

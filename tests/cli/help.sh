#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --help goes to standard output with status 0, in both modes, and what stands behind it does not count.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 0 "$GPROFX" --help
expect_empty err
expect_match out '^Usage: gprofx '
expect_match out '^  -p\[SPEC\], --flat-profile\[=SPEC\]$'
expect_match out '^  -k FROM/TO$'
expect_match out '^  --output=FORMAT\[:FILE\]$'
[ "$(awk 'length > 79' out | wc -l)" = 0 ] || fail "lines too long: $(awk 'length > 79' out)"
# Each option is one line of spelling; lines below it are its description.
sed -nE 's/^  -([^-])([ ,[].*)?$/\1/p' out | sort | tr -d '\n' >letters
[ "$(cat letters)" = "$(printf '%s\n' A B C D E F I J L N O P Q R S T Z a b c d e f h i k l m n p q r s t v w x y z |
	sort | tr -d '\n')" ] || fail "these letters have a line: $(cat letters)"
cp out own

expect_status 0 "$GPROFX" -bh --foo no-image
expect_same own out
as_gprof
expect_status 0 ./gprof -h
sed 's/gprofx \[/.\/gprof [/' own >expected
expect_same expected out

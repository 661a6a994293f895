#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-format: in GNU mode a word behind -O whose first letter is none of five, with the names
# in the order that GNU gprof has; else only the empty word, since every other one may be a reader.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" -O '' --foo
expect_in err "gprofx: error[usage.unknown-format]: unknown profile format ''"
expect_in err '  hint: the formats are'

as_gprof
for word in json '' A; do
	expect_status 1 ./gprof -O "$word" --foo
	printf '%s: unknown file format ./gprof\n' "$word" >expected
	expect_same expected err
	expect_empty out
done
expect_status 0 ./gprof -Omonkey -h

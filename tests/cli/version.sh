#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --version: the first line names the release of GNU gprof that the program stands in for.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for words in --version -v '-bv --foo' '--gnu --version'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $words
	expect_empty err
	head -n 1 out >first
	expect_match first '^gprofx [0-9]+\.[0-9]+\.[0-9]+ \(compatible with GNU gprof 2\.40\)$'
done
as_gprof
expect_status 0 ./gprof -v
expect_same first <(head -n 1 out)

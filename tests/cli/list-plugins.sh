#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --list-plugins names each plugin with its kind, what it serves, what it is and where it is.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for mode in "" --gnu; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $mode --list-plugins
	expect_empty err
	expect_match out '^input-gmon-magic +reader +magic '
	expect_match out '^symbols-elf +symbols '
	expect_match out '^output-flat +emitter +flat '
	expect_match out '^(/.*/gprofx/1|linked in):$'
	# Columns begin where those of the first line do.
	awk 'NR == 1 { kind = index($0, "kind"); what = index($0, "what") }
		/^[a-z].* [A-Z]/ && (substr($0, kind - 1, 2) !~ /^ [a-z]$/ || substr($0, what - 1, 2) !~ /^ [A-Z]$/)' out >ragged
	expect_empty ragged
	expect_not_in out 'cannot be used'
done
# The line is read to its end first.
expect_status 2 "$GPROFX" --list-plugins --foo
expect_empty out

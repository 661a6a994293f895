#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --list-plugins names each plugin with its kind, what it serves, what it is and where it is.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for mode in "" --gnu; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $mode --list-plugins
	expect_empty err
	expect_match out '^input-gmon-magic \(reader magic\)$'
	expect_match out '^symbols-elf \(symbols\b.*\)$'
	expect_match out '^output-flat \(emitter flat\)$'
	expect_match out '^    (/.*/input-gmon-magic\.so|linked in)$'
	expect_not_in out 'cannot be used'
done
# The line is read to its end first.
expect_status 2 "$GPROFX" --list-plugins --foo
expect_empty out

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-topic: --help about what there is not.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" --help=tabels
expect_in err "gprofx: error[usage.unknown-topic]: unknown topic 'tabels'"
expect_in err '  hint: did you mean --help=tables?'
expect_empty out
for word in xyzzy123 - -- ---p; do
	expect_status 2 "$GPROFX" --help="$word"
	expect_in err "error[usage.unknown-topic]: unknown topic '$word'"
	expect_in err '  hint: the topics are all commands tables '
	expect_empty out
done

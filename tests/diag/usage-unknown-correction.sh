#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-correction: a correction that there is none of.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for name in everything no-everything no-; do
	expect_status 2 "$GPROFX" --correct="$name"
	expect_in err "gprofx: error[usage.unknown-correction]: unknown correction '$name'"
	expect_in err '  hint: --list-corrections'
	expect_empty out
done

# The name that comes nearest is offered.
expect_status 2 "$GPROFX" --correct=zero-rat
expect_in err '  hint: did you mean zero-rate? --list-corrections'
expect_status 2 "$GPROFX" --correct=no-zerorate
expect_in err '  hint: did you mean no-zero-rate? --list-corrections'

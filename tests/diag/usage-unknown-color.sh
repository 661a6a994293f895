#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-color: --color takes three words.
. "$GPROFX_SOURCE/tests/diag/lib.sh"

for word in yes Auto alway auto,never 'auto '; do
	expect_status 2 "$GPROFX" --color="$word" no-such-image
	expect_empty out
	expect_in err "gprofx: error[usage.unknown-color]: expected auto, always or never after --color, found '$word'"
	expect_match err '^  hint: .'
done
expect_status 2 "$GPROFX" --color=
expect_in err 'error[usage.empty-value]'
expect_status 1 "$GPROFX" --gnu --color=yes no-such-image

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-word: a word that an option does not know.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" --clones=join --list-corrections
expect_in err "gprofx: error[usage.unknown-word]: expected keep, fold or drop after --clones, found 'join'"
expect_in err '  hint: keep makes clones functions'
expect_empty out
for word in keep fold drop; do
	expect_status 0 "$GPROFX" --clones=$word --list-corrections
	expect_in out 'clones (on)'
done

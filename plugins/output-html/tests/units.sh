#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The modules of the page, without a browser.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need node

cd "$GPROFX_SOURCE/plugins/output-html/tests" || exit 1
node --test page/*.test.mjs >"$scratch/results" 2>&1 || {
	grep -v '^ok\|^# Subtest' "$scratch/results" | head -60
	fail 'a test failed'
}
[ "$(sed -n 's/^[^a-z]* pass \([0-9]*\)$/\1/p' "$scratch/results")" -gt 4 ] || fail 'hardly any test ran'

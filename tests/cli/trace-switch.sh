#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -d adds topics to the trace, each time it is met, and says which are on.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 0 "$GPROFX" -d4 -d64 --debug=010x -d --help
grep '^trace: topics ' out >levels
printf 'trace: topics 0x%s\n' 5 45 4f ffffffff >expected
expect_same expected levels
# It stands before what follows, also when that goes to standard error.
"$GPROFX" -d2 --foo >both 2>&1
[ "$(sed -n '1s/ .*//p; 2s/ .*//p' both | tr '\n' ' ')" = 'trace: gprofx: ' ] || fail "order: $(cat both)"
expect_status 0 "$GPROFX" --help
expect_not_in out 'trace: topics'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check.no-process: there are no files or processes left for a check.
. "$GPROFX_SOURCE/tests/diag/lib.sh"

: >x.so
# Whatever else was left open to this test would be in the way.
run bash -c 'for i in {3..20}; do eval "exec $i>&-"; done; ulimit -n 4; exec "$1" --check-plugin=./x.so' bash "$GPROFX"
[ "$status" -eq 1 ] || fail "status $status instead of 1"
expect_match err '^gprofx: error\[check\.no-process\]: cannot start a process to check the plugin in: Too many open files$'
expect_match err '^  hint: .'
expect_not_in out passed

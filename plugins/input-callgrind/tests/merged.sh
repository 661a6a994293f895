#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind.merged: one program by -pg, callgrind and perf, in one report: values of each metric are those of its file alone,
# numbers of calls those of both counters, which agree, and the report says what is from where. perf's times agree with
# callgrind's costs within their error. Without Valgrind, or where perf may not record, it is skipped. Takes about 4 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
need valgrind
need perf

python3 -B "$GPROFX_SOURCE/plugins/input-callgrind/tests/merged.py" || {
	status=$?
	[ "$status" -ne 77 ] || skip 'perf does not record here'
	exit "$status"
}

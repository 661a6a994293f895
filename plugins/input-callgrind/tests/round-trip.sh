#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind.round-trip: what is written as callgrind has the same functions, costs, calls and arcs when it is read again:
# of files of callgrind, whose lines and calls have all events that they had, and of gmon.out, whose estimates are said to
# be some. Takes about 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 -B "$GPROFX_SOURCE/plugins/input-callgrind/tests/round-trip.py" || exit

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf.recorded: 23 recordings of a program: with a fixed period and a frequency, with stacks and without, of one event, of
# several and of groups, of threads, a child and another program, of the whole system, compressed, in several files,
# and through a pipe. Self and inclusive times
# are those of perf report. Skipped where perf is missing or may not record. Takes about 15 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 perf

python3 -B "$GPROFX_SOURCE/plugins/input-perf/tests/recorded.py" || exit

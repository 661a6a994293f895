#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf-script.figures: texts of perf script whose figures are known, in all forms that perf writes: with stacks and
# without, several events, threads, inlined functions, with and without periods. Where perf is there and may record, a
# program is recorded, and "perf report" has to show the same. Takes about 3 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 -B "$GPROFX_SOURCE/plugins/input-perf-script/tests/figures.py" || exit

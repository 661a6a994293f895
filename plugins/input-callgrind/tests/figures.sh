#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind.figures: files of callgrind and cachegrind whose figures are known, in all forms that Valgrind writes: names by
# number or not, relative positions, instructions and jumps, several events, callers in names, parts, threads, recursion
# with and without marks. Takes about 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 -B "$GPROFX_SOURCE/plugins/input-callgrind/tests/figures.py" || exit

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts of lines and functions are those of gcov: against_gcov.py builds programs with --coverage -pg, runs
# them, and compares what gprofx shows with what gcov prints.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3 gcc g++ gcov

gcov --help | grep -q -e '--json-format' || skip 'this gcov writes no JSON'
PYTHONPATH=$GPROFX_SOURCE/tests/tools python3 -B "$GPROFX_SOURCE/plugins/input-gcov/tests/against_gcov.py"

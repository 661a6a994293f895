#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf.told: recordings whose figures are known by construction, in both byte orders, as files and as pipes, out of order, with
# processes that fork and execute programs, several events and groups, the kernel, modules and guests; and what is said of those
# that are damaged or cannot be read. Takes about 4 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

export PYTHONPATH="$GPROFX_SOURCE/tests/tools${PYTHONPATH:+:$PYTHONPATH}"
python3 -B "$GPROFX_SOURCE/plugins/input-perf/tests/told.py" || exit

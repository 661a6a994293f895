#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf.many: a recording of a million processes, plain and compressed by Zstandard: every sample counts, and memory is bounded by a
# multiple of what the file says. Takes about 10 seconds, and 300 MB of disk for that time.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
[ "${GPROFX_SANITIZE:-}" = "" ] || skip "sanitizers keep memory that was freed"

export PYTHONPATH="$GPROFX_SOURCE/tests/tools${PYTHONPATH:+:$PYTHONPATH}"
python3 -B "$GPROFX_SOURCE/plugins/input-perf/tests/many.py"

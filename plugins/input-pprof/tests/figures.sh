#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pprof.figures: profiles whose figures are known: written here in every spelling of the format, by Go, and by gprofx
# itself. Where Go is installed, "go tool pprof" has to show the same. Takes about 3 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

export PYTHONPATH="$GPROFX_SOURCE/tests/tools${PYTHONPATH:+:$PYTHONPATH}"
python3 -B "$GPROFX_SOURCE/plugins/input-pprof/tests/figures.py" || exit

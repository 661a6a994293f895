#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Source files and lines are those that GNU gprof finds: against_gprof.py builds small programs with
# every compiler there is and compares all that both print about them.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3 cc gprof

gprof --version | head -n 1 | grep -q ' 2\.40' || skip 'gprof is not version 2.40'
ln -s "$GPROFX" "$scratch/gprof" || exit 1
python3 -B "$GPROFX_SOURCE/plugins/symbols-dwarf/tests/against_gprof.py" "$scratch/gprof"

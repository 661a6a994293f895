#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stabs of MIPS and SPARC, whose bytes have the other order: as recorded from a GNU gprof for all targets.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
ln -s "$GPROFX" gprof
python3 -B "$GPROFX_SOURCE/plugins/symbols-stabs/tests/recorded.py" ./gprof "$GPROFX_SOURCE/plugins/symbols-stabs/tests/data" ||
	fail 'reports differ'

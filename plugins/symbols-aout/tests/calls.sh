#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Calls in code of i386, m68k, SPARC and VAX are those of the same programs as ELF images.  Costs a second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
python3 "$GPROFX_SOURCE/plugins/symbols-aout/tests/calls.py" "$GPROFX" || fail 'see above'

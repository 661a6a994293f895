#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines of stabs are those of the same program as an ELF image.  Costs half a second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need gcc python3
python3 "$GPROFX_SOURCE/plugins/symbols-aout/tests/lines.py" "$GPROFX"
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || fail 'see above'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Images of each system, objects of NASM, and files that only begin like an image.  Costs 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
python3 "$GPROFX_SOURCE/plugins/symbols-aout/tests/kinds.py" "$GPROFX" || fail 'see above'

# In GNU mode, the message of GNU gprof.
mkdir link
ln -s "$GPROFX" link/gprof
expect_status 1 link/gprof -b 386bsd gmon
expect_empty out
echo 'link/gprof: 386bsd: not in executable format' | expect_same - err

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Made images with symbols of every kind: the same reports and messages as GNU gprof's.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need gprof python3 diff

gprof --version | grep -q ' 2\.40' || skip 'the installed gprof is not GNU gprof 2.40'
mkdir link
ln -s "$GPROFX" link/gprof
python3 "$GPROFX_SOURCE/plugins/symbols-pe/tests/against_gprof.py" link/gprof
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || fail 'a difference'

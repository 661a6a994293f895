#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# untyped-callees: calls belong to the symbol at their address, typed or not. The truth: main calls
# copy, which has no type, 12 times, and the typed work 5 times; nobody calls itself.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from elfimage import NOTYPE
from profiled import Program
for name, untyped in (('mixed', ('copy',)), ('bare', ('main', 'copy', 'work', 'zz_end'))):
    program = Program(['main', 'copy', 'work'])
    for symbol in program.image.symbols:
        if symbol.name in untyped:
            symbol.kind = NOTYPE
    open(name, 'wb').write(program.bytes())
calls = [('main', 'copy', 12), ('main', 'work', 5)]
open('arcs', 'wb').write(program.profile(None, calls).bytes())
PROGRAM

expect_status 0 "$GPROFX" --gnu -b -q mixed arcs
expect_match out ' 0\+12 +main '
expect_not_in out copy
expect_status 0 "$GPROFX" -b -q mixed arcs
expect_not_in out '+12'
expect_match out ' 12 +copy \['
expect_match out ' 5 +work \['
expect_status 0 "$GPROFX" --correct=no-untyped-callees -b -q mixed arcs
expect_match out ' 0\+12 +main '

# Where no symbol has a type, gprof knows no call at all.
expect_status 0 "$GPROFX" --gnu -b -q bare arcs
expect_not_in out copy
expect_status 0 "$GPROFX" -b -q bare arcs
expect_match out ' 12 +copy \['
expect_match out ' 5 +work \['

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# zero-rate: without a sampling rate there is nothing to divide by. The truth: no time without
# samples; with samples, the number of them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'work', 'idle'])
open('program', 'wb').write(program.bytes())
calls = [('main', 'work', 7)]
open('arcs', 'wb').write(program.profile(None, calls).bytes())
open('samples', 'wb').write(program.profile({'main': 10, 'work': 30}, calls, rate=0).bytes())
END

expect_status 0 "$GPROFX" --gnu -b -q program arcs
expect_match out ' -nan    -nan       7/7           main '
expect_status 0 "$GPROFX" -b -q program arcs
expect_not_in out nan
expect_match out '^\[1\]      0\.0    0\.00    0\.00       7         work \[1\]$'

expect_status 0 "$GPROFX" --gnu -b -p program samples
expect_in out inf
expect_status 0 "$GPROFX" -b -p program samples
expect_in out 'Each sample counts as 1 samples.'
expect_match out '^ 75\.00     30\.00    30\.00        7 .* work$'
expect_match out '^ 25\.00     40\.00    10\.00 .* main$'
expect_not_in out inf

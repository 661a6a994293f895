#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# rates: two profiles of one program, 5 samples of main at 100 a second and 500 samples of work at
# 1,000. The truth: 0.05 s of main, 0.50 s of work, in whatever order they are named.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'work', 'idle'])
open('program', 'wb').write(program.bytes())
open('slow', 'wb').write(program.profile({'main': 5}, [('main', 'work', 7)]).bytes())
open('fast', 'wb').write(program.profile({'work': 500}, [('main', 'work', 7)], rate=1000).bytes())
open('both', 'wb').write(program.profile({'main': 5, 'work': 500}, rate=1000).bytes())
open('none', 'wb').write(program.profile({'work': 5}, rate=0).bytes())
END

expect_status 0 "$GPROFX" --gnu -b -p program slow fast
expect_match out '^ 99\.01      5\.00     5\.00 .* work$'
expect_match out '^  0\.99      5\.05     0\.05 .* main$'
expect_status 0 "$GPROFX" -b -p program slow fast
expect_match out '^ 90\.91      0\.50     0\.50 .* work$'
expect_match out '^  9\.09      0\.55     0\.05 .* main$'
expect_empty err
expect_status 0 "$GPROFX" -b -p program fast slow
expect_match out '^ 90\.91      0\.50     0\.50 .* work$'
expect_match out '^  9\.09      0\.55     0\.05 .* main$'
expect_in out 'Each sample counts as 0.001 seconds.'
# With the correction switched off it is reported.
expect_status 0 "$GPROFX" -b -p --correct=no-rates program slow fast
expect_match out '^ 99\.01      5\.00     5\.00 .* work$'
expect_match err 'finding\[rate\.differs\]'

# What has no rate counts as what has one, before or behind it, and that is reported.
for order in 'slow none' 'none slow'; do
	expect_status 0 "$GPROFX" -b -p program $order
	expect_match out '^ 50\.00 .* 0\.05 .* work$'
	expect_match out '^ 50\.00 .* 0\.05 .* main$'
	expect_match err 'finding\[rate\.zero\]: none: '
done

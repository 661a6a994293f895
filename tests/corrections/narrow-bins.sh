#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# narrow-bins: bins under two bytes count once, where they lie. The truth: how many samples were put
# into the bins of each function.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from gmonfile import Profile
from profiled import Program
program = Program(['main', 'work', 'rest'], step=16)
open('program', 'wb').write(program.bytes())

def write(name, parts, samples):
    """A profile with `parts` bins for each byte."""
    bins = [0] * (parts * (program.end - program.base))
    for address, count in samples:
        bins[(address - program.base) * parts] += count
    open(name, 'wb').write(Profile.of(program.image)
                           .histogram(program.base, program.end, bins).bytes())

main, work, rest = (program.address[n] for n in ('main', 'work', 'rest'))
write('byte', 1, [(main, 4), (main + 6, 6), (work + 1, 2), (work + 15, 3)])
write('half', 2, [(main, 4), (main + 6, 6), (work + 1, 2), (work + 15, 3)])
# Two bins for three bytes.
open('odd', 'wb').write(Profile.of(program.image).histogram(
    program.base, program.base + 63, [1] * 21 + [2] * 21).bytes())
PROGRAM

expect_status 0 "$GPROFX" --gnu -b -p program byte
expect_not_in out main
expect_match out '^ 66\.67      0\.10     0\.10 +work$'
for profile in byte half; do
	expect_status 0 "$GPROFX" -b -p --output-option=flat.account=false program $profile
	expect_match out '^ 66\.67      0\.10     0\.10 +main$'
	expect_match out '^ 33\.33      0\.15     0\.05 +work$'
	[ "$(wc -l <out)" -eq 7 ] || fail 'more than two functions'
done
expect_status 0 "$GPROFX" --correct=none --correct=narrow-bins -b -p program byte
expect_match out '^ 66\.67      0\.10     0\.10 +main$'
expect_status 0 "$GPROFX" --correct=none -b -p program byte
expect_not_in out main

# Bins of 1.5 bytes with 1 sample in each of the first 21, 2 in each of the others. main has 10 2/3
# of the former, work 10 1/3 and 1/3 of the latter, rest, of 18 bytes, 12 of the latter.
expect_status 0 "$GPROFX" --correct=no-gaps --correct=no-shared-bins -b -p program odd
expect_match out '^ [ 0-9.]* 0\.11 +main$'
expect_match out '^ [ 0-9.]* 0\.11 +work$'
expect_match out '^ [ 0-9.]* 0\.24 +rest$'

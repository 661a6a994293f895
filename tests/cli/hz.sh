#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --hz=N goes before whatever rates profiles state, and before that which is usual where none is.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
from gmonfile import bsd_profile
from profiled import Program
program = Program(['main', 'work'])
open('program', 'wb').write(program.bytes())
samples, arcs = {'main': 10, 'work': 30}, [('main', 'work', 4)]
for name, rate in ('none', 0), ('usual', 100), ('odd', 97), ('absurd', 0x64000000):
    open(name, 'wb').write(program.profile(samples, arcs, rate).bytes())
open('minutes', 'wb').write(program.profile(samples, arcs, 1, b'minutes', b'm').bytes())
bins = program.bins(samples)
open('bsd', 'wb').write(bsd_profile(program.base, program.end, bins, []))
open('arcs', 'wb').write(program.profile(None, arcs).bytes())
END

# expect_time RATE TIME PROFILE...: work's samples at that rate take so long.
expect_time() {
	expect_status 0 "$GPROFX" -b -p --hz="$1" program "${@:3}"
	expect_match out "^ *75\.00 .* $2 .* work\$"
	expect_not_in err 'finding[rate.'
	expect_undiagnosed
}
for profile in none usual odd absurd bsd; do
	expect_time 250 0.12 $profile
	expect_in out 'Each sample counts as 0.004 seconds.'
done
expect_time 2 15.00 none
expect_time 1000000 0.00 usual
# Profiles of different rates agree then; without it, they do not.
expect_time 250 0.24 usual odd
expect_time 250 0.36 bsd none odd
expect_status 0 "$GPROFX" -b -p --correct=no-rates program usual odd
expect_in err 'finding[rate.differs]'
# A unit is not changed.
expect_time 4 7.50 minutes
expect_in out 'Each sample counts as 0.25 minutes.'
# 0 is what the profiles say.
expect_status 0 "$GPROFX" -b -p --hz=250 --hz=0 program usual
cp out plain
expect_status 0 "$GPROFX" -b -p program usual
expect_same plain out
# Nothing is sampled, whatever the rate.
expect_status 0 "$GPROFX" -b --hz=250 program arcs
cp out plain
expect_status 0 "$GPROFX" -b program arcs
expect_same plain out
# A profile without a rate brings it up.
expect_status 0 "$GPROFX" -b -p program none
expect_in err 'finding[rate.zero]'
expect_in err '--hz=N'
# The program, the arcs and the samples of one are those of all: the call graph has the same times.
expect_status 0 "$GPROFX" -b -q --hz=250 program none
cp out plain
expect_status 0 "$GPROFX" -b -q --hz=250 program odd
expect_same plain out

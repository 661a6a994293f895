#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# granularity: no sample is more than 100 % of what is shown, and no time that is shown is 0.00. The
# truth: work has 10 samples and 2^32 calls, of which main makes one; 20 samples of a
# microsecond; one sample, of which main has half.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'other', 'work'])
open('program', 'wb').write(program.bytes())
calls = [('main', 'work', 1), ('other', 'work', 0xffffffff)]
open('gmon.out', 'wb').write(program.profile({'work': 10}, calls).bytes())
open('short', 'wb').write(program.profile({'work': 20}, calls, rate=1000000).bytes())
calls = [('main', 'work', 1), ('other', 'work', 1)]
open('half', 'wb').write(program.profile({'work': 1}, calls).bytes())
END
heading='granularity: each sample hit covers 256 byte(s)'

expect_status 0 "$GPROFX" --gnu -b -q -Fmain program
expect_in out "$heading for 42949672960.00% of 0.00 seconds"
expect_status 0 "$GPROFX" -b -q -Fmain program
expect_in out "$heading; less than one sample is shown, 2.33e-11 seconds"
expect_not_in out '0%'

# Half a sample is less than one as well, though it reads as 0.01 seconds.
expect_status 0 "$GPROFX" --gnu -b -q -Fmain program half
expect_in out "$heading for 200.00% of 0.01 seconds"
expect_status 0 "$GPROFX" -b -q -Fmain program half
expect_in out "$heading; less than one sample is shown, 0.005 seconds"

# A short time, of both listings that have the line.
for option in -q '-T -p'; do
	expect_status 0 "$GPROFX" --gnu -b $option program short
	expect_in out "$heading for 5.00% of 0.00 seconds"
	expect_status 0 "$GPROFX" -b $option program short
	expect_in out "$heading for 5.00% of 2e-05 seconds"
done

# Whatever can be read is left as it is.
expect_status 0 "$GPROFX" -b -q program
expect_in out "$heading for 10.00% of 0.10 seconds"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# call-units: times per call in a unit that fits each function. The truth is time divided by calls:
# 0.5 s, 1.25 us, 2.5 ns, 3 s and none, and figures that would be rounded up to 1000.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
names = ['fast', 'hash', 'main', 'nothing', 'parse', 'slow']
program = Program(names)
open('program', 'wb').write(program.bytes())
calls = {'fast': 40000000, 'hash': 80000, 'nothing': 3, 'parse': 1, 'slow': 2}
ticks = {'fast': 10, 'hash': 10, 'main': 20, 'parse': 50, 'slow': 600}
arcs = [('main', name, count) for name, count in calls.items()]
open('gmon.out', 'wb').write(program.profile(ticks, arcs).bytes())
# 999.994 ns and 990.099 ns; then cache misses, which have no letter.
arcs = [('main', 'fast', 1000006), ('main', 'hash', 1010000), ('fast', 'parse', 1)]
ticks = {'fast': 50000, 'hash': 50000, 'parse': 50000}
open('edges', 'wb').write(program.profile(ticks, arcs, rate=50000).bytes())
profile = program.profile(ticks, arcs, rate=1, unit=b'cache misses', letter=b'\0')
open('misses', 'wb').write(profile.bytes())
cases = {'a': (1, 8123), 'b': (4, 7101), 'c': (9, 3), 'd': (1, 30000000), 'e': (1, 4000000000), 'f': (100, 8101),
         'g': (10000, 810000), 'h': (10000, 8100000), 'i': (100, 1001), 'j': (1, 10), 'k': (25, 251)}
many = Program(['main'] + sorted(cases))
open('many', 'wb').write(many.bytes())
open('digits', 'wb').write(many.profile({name: case[0] for name, case in cases.items()},
                                        [('main', name, case[1]) for name, case in cases.items()]).bytes())
open('few', 'wb').write(program.profile({'parse': 25}, [('main', 'parse', 7)]).bytes())
open('fewer', 'wb').write(program.profile({'parse': 0}, rate=50).bytes())
END

expect_status 0 "$GPROFX" --gnu -b -p program
[ "$(grep -cE ' 0\.00     0\.00  (fast|hash)$' out)" -eq 2 ] || fail 'gprof has figures of fast functions'
expect_in out '  s/call   s/call  name'

only='--correct=none --correct=call-units'
cat >truth <<'END'
  %   cumulative   self                                          
 time   seconds   seconds    calls self/call total/call  name    
 86.96      6.00     6.00        2    3.00s      3.00s   slow
  7.25      6.50     0.50        1     500ms      500ms  parse
  2.90      6.70     0.20                                main
  1.45      6.80     0.10 40000000    2.50ns     2.50ns  fast
  1.45      6.90     0.10    80000    1.25us     1.25us  hash
  0.00      6.90     0.00        3    0.00s      0.00s   nothing
END
expect_status 0 "$GPROFX" $only -b -p program
sed 1,3d out >rows
expect_same truth rows

# The traditional layout has them, too; its other columns stay as they are.
expect_status 0 "$GPROFX" $only -b -T -p program
expect_match out '^  1\.4       6\.80     0\.10 40000000    2\.50ns     2\.50ns  fast \[[0-9]\]$'

# No figure is rounded up to 1000, and the second one has the time of callees.
expect_status 0 "$GPROFX" $only -b -p program edges
expect_match out ' 1000006    1\.00us     2\.00us  fast$'
expect_match out ' 1010000   990\.1ns    990\.1ns  hash$'

# No more digits than the samples support, which is one beyond the first of the standard error, but at least one: of 1,
# 4, 9, 1, 1, 100, 10000, 10000, 100, 1 and 25 samples. Nanoseconds are the finest unit.
expect_status 0 "$GPROFX" $only -b -p many digits
awk '/^ *[0-9]/ { print $NF, $(NF - 2), $(NF - 1) }' out | sort >found
cat >expected <<'END'
a 1.2us 1.2us
b 5.6us 5.6us
c 30ms 30ms
d 0.33ns 0.33ns
e 0.00ns 0.00ns
f 123us 123us
g 123.5us 123.5us
h 12.35us 12.35us
i 999us 999us
j 1.0ms 1.0ms
k 1.00ms 1.00ms
END
expect_same expected found
# Where the weights of samples are not known, as of two rates, all decimals are there.
expect_status 0 "$GPROFX" $only -b -p program few
expect_match out ' 7    35[.]7ms     35[.]7ms  parse$'
expect_status 0 "$GPROFX" --correct=none --correct=call-units --correct=rates -b -p program few fewer
expect_match out ' 7   35[.]71ms    35[.]71ms  parse$'

# Without an abbreviation there is the prefix alone.
expect_status 0 "$GPROFX" $only -b -p program misses
expect_match out ' 1   50\.00K     50\.00K   parse$'

# The manual describes the columns that there are.
for column in self/call total/call 'self ms/call'; do
	grep -qF "$column" "$GPROFX_SOURCE/doc/gprofx.1" || fail "the manual does not have $column"
done

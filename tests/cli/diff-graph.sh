#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Callers and callees on both sides of "gprofx diff": calls are the counts of the profiles, and times those that the call
# graph of each side has.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
import os
from profiled import Program
program = Program(['main', 'parse', 'word', 'idle', 'odd', 'even', 'gone'])
open('prog', 'wb').write(program.bytes())
def profile(word, calls, more=()):
    return program.profile({'parse': 300, 'word': word, 'idle': 20, 'odd': 10, 'even': 10},
                           [('main', 'parse', 5), ('parse', 'word', calls), ('main', 'word', 40), ('main', 'idle', 1),
                            ('main', 'odd', 1), ('odd', 'even', 3), ('even', 'odd', 3), *more]).bytes()
open('base', 'wb').write(profile(400, 60, [('parse', 'gone', 7)]))
open('new', 'wb').write(profile(900, 160))
for folder, values in (('bases', (350, 450)), ('news', (880, 920))):
    os.mkdir(folder)
    for i, value in enumerate(values):
        open(f'{folder}/{i}', 'wb').write(profile(value, 60 + i))
END

# entries: the call graph of ./out, without headings.
entries() {
	awk '/^index/ { inside = 1; next } /^How to read/ { inside = 0 } inside' out | sed '/^$/d'
}

# Functions whose calls or times differ, though estimates were not tested; not those that are as they were.
expect_status 0 "$GPROFX" diff -b -q prog base new
expect_undiagnosed
cat >wanted <<'END'
[1]        7.400    12.400     +5.000   1.676  not tested          0          0  main [1]
           5.400    10.200     +4.800   1.889                      5          5      parse [2]
           1.600     1.800     +0.200   1.125                     40         40      word [3]
           0.200     0.200     +0.000   1.000                      1          1      idle [4]
           0.200     0.200     +0.000   1.000                      1          1      odd [5]
           5.400    10.200     +4.800   1.889                      5          5      main [1]
[2]        5.400    10.200     +4.800   1.889  not tested          5          5  parse [2]
           2.400     7.200     +4.800   3.000                     60        160      word [3]
           0.000     0.000     +0.000                              7          0      gone [7]
           2.400     7.200     +4.800   3.000                     60        160      parse [2]
           1.600     1.800     +0.200   1.125                     40         40      main [1]
[3]        4.000     9.000     +5.000   2.250  not tested        100        200  word [3]
           0.000     0.000     +0.000                              7          0      parse [2]
[7]        0.000     0.000     +0.000          not tested          7          0  gone [7]
END
entries >found
expect_same wanted found

# A function that was chosen has its entry in any case, and so has what it calls; members of a cycle call each other.
expect_status 0 "$GPROFX" diff -b -qparse -qodd prog base new
cat >wanted <<'END'
           5.400    10.200     +4.800   1.889                      5          5      main [1]
[2]        5.400    10.200     +4.800   1.889  not tested          5          5  parse [2]
           2.400     7.200     +4.800   3.000                     60        160      word [3]
           0.000     0.000     +0.000                              7          0      gone [7]
           2.400     7.200     +4.800   3.000                     60        160      parse [2]
           1.600     1.800     +0.200   1.125                     40         40      main [1]
[3]        4.000     9.000     +5.000   2.250  not tested        100        200  word [3]
           0.200     0.200     +0.000   1.000                      1          1      main [1]
           0.000     0.000     +0.000                              3          3      even [6]
[5]        0.100     0.100     +0.000   1.000  not tested          4          4  odd [5]
           0.000     0.000     +0.000                              3          3      even [6]
           0.000     0.000     +0.000                              7          0      parse [2]
[7]        0.000     0.000     +0.000          not tested          7          0  gone [7]
END
entries >found
expect_same wanted found
expect_status 0 "$GPROFX" diff -b -q -z prog base new
[ "$(grep -c '^\[' out)" = 7 ] || fail 'an entry is missing'

# Repeated runs: means, and calls of one run.
expect_status 0 "$GPROFX" diff -b -qword prog bases news
entries >found
grep -qE '^\[2\] +4\.000 +9\.000 +\+5\.000 +2\.250 .* 100\.5 +100\.5  word \[2\]$' found || fail 'word has not the means'
grep -qE '^ +.* 60\.5 +60\.5      parse \[3\]$' found || fail 'parse has not the mean of its calls'

# Measured stacks: totals are tested, and no calls were counted. Without a difference there is no entry.
printf 'main;parse;word 400\nmain;idle 50\n' >one
expect_status 0 "$GPROFX" diff -b -q one one
expect_in out 'Equal totals, with errors that are not known'
expect_in out 'The call graph has no function with a difference that can be shown; -z lists all'
expect_status 0 "$GPROFX" diff -b -qword one one
entries >found
[ "$(sed -n 2p found | tr -s ' ')" = '[3] 400 400 +0 1.000 not tested word [3]' ] || fail "$(cat found)"

# The option of the output, and a table that no other output has.
expect_status 0 "$GPROFX" diff --output-option=diff.graph=true -b prog base new
expect_in out 'Call graph: callers, the function, callees'
expect_status 0 "$GPROFX" diff -q --output=csv prog base new
expect_undiagnosed

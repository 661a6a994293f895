#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The column of the other time: recordings with waiting. The truth: the samples that the test writes.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
import os
import gxcfile
from profiled import Program
program = Program(['main', 'work', 'nap', 'never'])
open('program', 'wb').write(program.bytes())
for name, rate in ('recording', 100), ('running', 100):
    file = gxcfile.File(clock=3 if name == 'recording' else 1, delayed_ns=2500000000).program(os.path.abspath('program'), program.base, program.end)
    file.arcs([(program.at('main+5'), program.at('work'), 7), (program.at('main+9'), program.at('nap'), 3), (1, program.at('main'), 1)])
    file.stacks([(program.at('main+5'), 0, 0, 0, 0), (program.at('work+3'), 1, 0, 150, 150), (program.at('main+6'), 0, 0, 50, 50)])
    if name == 'recording':
        file.waits([(program.at('main+9'), 0, 0, 100, 1), (program.at('nap+4'), 1, 0, 300, 3)])
    open(name, 'wb').write(file.bytes())
END

expect_status 0 "$GPROFX" --no-findings --summary program recording
sed -n '/^  self/,/wait: share/p' out >rows
cat >expected <<'END'
  self   total    wait   calls  function  called by
 75.0%   75.0%    0.0%       7  work      main
 25.0%  100.0%  100.0%       1  main      -
  0.0%    0.0%   75.0%       3  nap       main
  wait: share of 4.00 s, in the function and what it called
END
expect_same expected rows
expect_in out '  not in these: 2.50 s ready to run, but no processor was free'
awk 'length > 79 { exit 1 }' out || fail 'a line of the summary is too long'

# The other way round.
expect_status 0 "$GPROFX" --no-findings --summary --metric=wait program recording
expect_match out '^  self   total     cpu   calls  function'
expect_match out '^ 75\.0%   75\.0%    0\.0%       3  nap'
expect_in out '  cpu: share of 2.00 s, in the function and what it called'

# A narrow screen has no room for it, and others no reason.
expect_status 0 "$GPROFX" --no-findings --summary --set=top.width=63 program recording
expect_in out '  self   total   calls  function'
expect_not_in out 'wait: share'
expect_status 0 "$GPROFX" --no-findings --summary -l program recording
expect_not_in out 'wait: share'
expect_status 0 "$GPROFX" --no-findings --summary program running
expect_in out '  self   total   calls  function'
expect_not_in out 'wait'
expect_not_in out 'processor was free'

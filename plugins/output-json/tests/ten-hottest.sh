#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# examples/ten-hottest makes of the report the ten functions with the most time, and is about ten lines.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"

python3 - <<'END' || fail 'no profile was made'
from profiled import Program
names = ['main'] + ['f%02d' % i for i in range(12)] + ['\x1b[31m']
program = Program(names)
open('image', 'wb').write(program.bytes())
samples = {'f%02d' % i: 10 * i for i in range(12)}
samples['\x1b[31m'] = 340
arcs = [('main', n, 7) for n in names[1:]]
open('gmon.out', 'wb').write(program.profile(samples, arcs).bytes())
END
[ "$(grep -cv -e '^#' -e '^$' "$GPROFX_SOURCE/examples/ten-hottest")" -le 12 ] || fail 'the script is long'
"$GPROFX" --output=json image gmon.out | "$GPROFX_SOURCE/examples/ten-hottest" >hottest ||
	fail 'the script failed'
cat >expected <<'END'
 34.0 %       3.40 s             7  \x1b[31m
 11.0 %       1.10 s             7  f11
 10.0 %       1.00 s             7  f10
  9.0 %       0.90 s             7  f09
  8.0 %       0.80 s             7  f08
  7.0 %       0.70 s             7  f07
  6.0 %       0.60 s             7  f06
  5.0 %       0.50 s             7  f05
  4.0 %       0.40 s             7  f04
  3.0 %       0.30 s             7  f03
END
expect_same hottest expected

# Without samples there is nothing hot.
python3 - <<'END'
from profiled import Program
program = Program(['main'])
open('image', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(None, [('main', 'main', 1)]).bytes())
END
"$GPROFX" --output=json image gmon.out | "$GPROFX_SOURCE/examples/ten-hottest" >hottest ||
	fail 'the script failed without samples'
expect_empty hottest

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What corrections add to a report: the callers of a cycle, and samples outside of every function.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema

python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'work', 'again', 'idle'])
for symbol in program.image.symbols:
    symbol.size = 0x40 if symbol.name == 'idle' else 0x100
open('program', 'wb').write(program.bytes())
low, high = program.base, program.end
bins = [0] * ((high - low) // 16)
bins[(program.at('work') - low) // 16] = 30
bins[(program.at('idle') + 0x80 - low) // 16] = 10
calls = [('main', 'work', 3), ('idle', 'again', 1), ('work', 'again', 5), ('again', 'work', 4)]
profile = program.empty().histogram(low, high, bins)
for caller, callee, count in calls:
    profile.arc(program.at(caller) + 4, program.at(callee), count)
open('gmon.out', 'wb').write(profile.bytes())
END

expect_status 0 "$GPROFX" --slide=none --output=json program gmon.out
cp out report.json
expect_valid report.json
"$python" - <<'END' || fail 'report.json does not say what is known'
import json
report = json.load(open('report.json'))
cycle, = report['cycles']
names = {f['id']: f['name'] for f in report['functions']}
assert {(names[c['caller']], c['calls']) for c in cycle['callers']} == {('main', 3), ('idle', 1)}, cycle
assert sum(c['self_ticks'] for c in cycle['callers']) == 30, cycle
outside, = (f for f in report['functions'] if f['outside'])
assert outside['self_ticks'] == 10 and outside['address'] is None, outside
END
expect_status 0 "$GPROFX" --slide=none --correct=none --output=json program gmon.out
cp out report.json
expect_valid report.json
grep -q '"callers":\[\]' report.json || fail 'a cycle has callers that are not shown'
! grep -q '"outside":true' report.json || fail 'there is a node outside of every function'

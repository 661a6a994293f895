#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Profiles of two metrics stand side by side in text, JSON and CSV, sorted by either (--metric), and nothing of
# different units is added up.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

# time: main 0.10 s, work 0.30 s; cycles, two samples each: work 2, leaf 8. Of leaf's 4 calls work makes 3.
python3 - <<'END' || fail 'no profiles were made'
from profiled import Program
program = Program(['main', 'work', 'leaf', 'ping', 'pong'])
open('program', 'wb').write(program.bytes())
arcs = [('main', 'work', 6), ('work', 'leaf', 3), ('main', 'leaf', 1)]
cycle = [('main', 'ping', 1), ('work', 'ping', 3), ('ping', 'pong', 5), ('pong', 'ping', 4)]
seconds, cycles = {'main': 10, 'work': 30}, {'work': 4, 'leaf': 16}
in_cycles = {'rate': 2, 'unit': b'cycles', 'letter': b'c'}
def write(name, profile):
    open(name, 'wb').write(profile.bytes())
write('time', program.profile(seconds, arcs))
write('cycles', program.profile(cycles, **in_cycles))
write('cycles-calls', program.profile(cycles, arcs, **in_cycles))
both = program.profile(seconds, arcs)
write('both', both.histogram(program.base, program.end, program.bins(cycles), 2, b'cycles', b'c'))
write('turns', program.profile({'pong': 8, 'ping': 4}, cycle))
write('turn-cycles', program.profile({'pong': 24, 'main': 2}, **in_cycles))
write('letter', program.profile(cycles, rate=2, unit=b'cycles', letter=b'k'))
write('escape', program.profile(cycles, rate=2, unit=b'=e\x1b[1m\xff', letter=b'\x1b'))
many = program.empty()
for i in range(300):
    many.histogram(program.base, program.end, [1] * len(program.bins({})), 100, b'unit-%d' % i, b'u')
write('many', many)
many = program.empty()
for i in range(256):
    many.histogram(program.base, program.end, [1] * len(program.bins({})), 100, b'unit-%d' % i, b'u')
write('most', many)
# A tangle of 40 functions with cycles.
from lcg import Random
random = Random(7)
names = ['f%d' % i for i in range(40)]
tangle = Program(names)
open('tangle', 'wb').write(tangle.bytes())
arcs = [(random.pick(names), random.pick(names), random.between(0, 9)) for _ in range(90)]
for name, how in ('tangle-time', {}), ('tangle-cycles', in_cycles):
    write(name, tangle.profile({n: random.below(50) for n in names if random.chance(60)}, arcs, **how))
END

# The flat profile: the first metric sorts; rows that only the other one has are there, too.
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.account=false program time cycles
expect_empty err
cat >expected <<'END'
Flat profile:

Each sample counts as 0.01 seconds.
Of cycles, each sample counts as 0.5 cycles.
  %   cumulative   self                                    cycles    cycles
 time   seconds   seconds    calls self/call total/call      self     total  name
 75.00      0.30     0.30        6    50.0ms     50.0ms      2.00      8.00  work
 25.00      0.40     0.10                                    0.00     10.00  main
  0.00      0.40     0.00        4    0.00s      0.00s       8.00      8.00  leaf
END
sed 's/ *$//' out >found
expect_same expected found
cp out by-time
# One file with both is the same, and so is the other order of files with the metric named.
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.account=false program both
expect_same by-time out
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.account=false --metric=time program cycles time
expect_same by-time out
# Without calls nothing is known of the time below, and there is no such column.
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.columns=self program turn-cycles cycles
expect_not_in out 'Of '

# By the other metric. The account is of that alone.
expect_status 0 "$GPROFX" --no-findings -b -p --metric=cycles program time cycles
expect_in out 'Each sample counts as 0.5 cycles.'
expect_in out 'Of time, each sample counts as 0.01 seconds.'
expect_match out '^ 80\.00 +8\.00 +8\.00 +4 .* 0\.00 +0\.00 +leaf$'
expect_match out '^ 20\.00 +10\.00 +2\.00 +6 .* 0\.30 +0\.30 +work$'
expect_match out '^  0\.00 +10\.00 +0\.00 .* 0\.10 +0\.40 +main$'
expect_in out 'Where the 20 samples are (10.00 cycles):'
expect_status 0 "$GPROFX" --no-findings -b -p program time cycles
expect_in out 'Where the 40 samples are (0.40 seconds):'

# The call graph.
expect_status 0 "$GPROFX" --no-findings -b -q program time cycles
expect_match out '^index % time    self  children    called +self +children +name$'
expect_match out '^ +cycles +cycles$'
expect_match out '^\[1\] +100\.0 +0\.10 +0\.30 +0\.00 +10\.00 main \[1\]$'
expect_match out '^ +0\.30 +0\.00 +6/6 +2\.00 +6\.00 +work \[2\]$'
expect_match out '^ +0\.00 +0\.00 +3/4 +6\.00 +0\.00 +leaf \[3\]$'
expect_match out '^ +0\.00 +0\.00 +1/4 +2\.00 +0\.00 +leaf \[3\]$'
expect_status 0 "$GPROFX" --no-findings -q --metric=cycles program time cycles
expect_match out '^\[3\] +80\.0 +8\.00 +0\.00 +4 +0\.00 +0\.00 leaf \[3\]$'
expect_in out 'self, children below the name of another metric'
# Calls of a cycle: main 1 and work 3 of 4, so 3 of 12 and 9 of 12 cycles; calls within it hand nothing on.
expect_status 0 "$GPROFX" --no-findings -b -q --output-option=callgraph.cycle-callers=always program turns turn-cycles
expect_match out '^ +0\.03 +0\.00 +1/4 +3\.00 +0\.00 +main \[[0-9]\]$'
expect_match out '^ +0\.09 +0\.00 +3/4 +9\.00 +0\.00 +work \[[0-9]\]$'
expect_match out '^\[[0-9]\] +100\.0 +0\.12 +0\.00 +4\+9 +12\.00 +0\.00 <cycle 1 as a whole> \[[0-9]\]$'
expect_match out '^ {30,}5 +pong <cycle 1> \[[0-9]\]$'

# JSON: the values of the other metric are those that a report of it alone has, and the other way round.
for words in 'default time cycles-calls' 'turned --metric=cycles time cycles-calls' 'alone-cycles cycles-calls' \
	'alone-time time' 'cycle turns turn-cycles' 'lines -l time cycles' 'no-calls cycles turn-cycles'; do
	set -- $words
	name=$1
	shift
	expect_status 0 "$GPROFX" --no-findings --output=json:"$name.json" --output=csv:"$name.csv" program "$@"
done
number=0
for words in '' '-E f3 -E f4' '-k f1/f2 -qf5' '--correct=none'; do
	expect_status 0 "$GPROFX" --no-findings --output=json:tangle-$number.json $words tangle tangle-time tangle-cycles
	expect_status 0 "$GPROFX" --no-findings --output=json:alone-$((number++)).json $words tangle tangle-cycles
done
python3 - <<'END' || fail 'JSON or CSV has something else'
import csv
import json

def load(name):
    report = json.load(open(name + '.json'))
    return report, {f['raw_name']: f for f in report['functions']}

def table(name):
    return {row['name']: row for row in csv.DictReader(open(name + '.csv', newline=''))}

report, f = load('default')
assert [(m['id'], m['name'], m['unit'], m['ticks_per_unit'], m['self_origin'], m['total_origin'])
        for m in report['metrics']] == [(0, 'time', 'seconds', 100, 'measured', 'estimated'),
                                        (1, 'cycles', 'cycles', 2, 'measured', 'estimated')]
assert f['work']['self_ticks'] == 30 and f['work']['self_seconds'] == 0.3
[work] = f['work']['other_metrics']
assert work == {'metric': 1, 'self_ticks': 4, 'self': 2, 'below_ticks': 12, 'below': 6, 'total_ticks': 16,
                'total': 8, 'selected_self_ticks': 4, 'selected_below_ticks': 12}, work
assert report['totals']['other_metrics'] == [{'metric': 1, 'flat_ticks': 20, 'flat': 10, 'graph_ticks': 20,
                                              'graph': 10}], report['totals']
turned, g = load('turned')
assert [m['name'] for m in turned['metrics']] == ['cycles', 'time']
assert [turned['functions'][n]['raw_name'] for n in turned['flat_order']] == ['leaf', 'work', 'main']
assert g['work']['self_seconds'] is None and g['work']['other_metrics'][0]['self'] == 0.3
# Calls of both files are added up, which leaves their shares: not even the last bit differs.
cases = [('default', 'alone-cycles'), ('turned', 'alone-time')]
cases += [('tangle-%d' % i, 'alone-%d' % i) for i in range(4)]
assert load('tangle-0')[0]['cycles'] and any(
    a['other_metrics'][0]['below'] for a in load('tangle-0')[0]['arcs'])
for mine, other in cases:
    mine, other = load(mine)[0], load(other)[0]
    assert len(other['metrics']) == 1
    for rows in 'functions', 'cycles', 'arcs':
        for a, b in zip(mine[rows], other[rows], strict=True):
            assert 'other_metrics' not in b
            for key, value in a['other_metrics'][0].items():
                assert key == 'metric' or key not in b or b[key] == value, (key, a, b)
report, f = load('cycle')
[cycle] = report['cycles']
assert [(c['caller'], c['other_metrics'][0]['self']) for c in cycle['callers']] == [(0, 3), (1, 9)], cycle
assert cycle['other_metrics'][0]['total'] == 12 and f['pong']['other_metrics'][0]['self_ticks'] == 24
report, f = load('no-calls')
assert len(report['metrics']) == 1 and f['leaf']['self_ticks'] == 16 and f['pong']['self_ticks'] == 24

rows = table('default')
assert list(rows) == ['work', 'main', 'leaf']
row = rows['work']
assert [row['cycles_' + k] for k in ('self', 'total', 'self_ticks', 'total_ticks')] == ['2', '8', '4', '16'], row
rows = table('turned')
assert list(rows) == ['leaf', 'work', 'main'] and rows['work']['time_self'] == '0.3'
assert rows['work']['self_ticks'] == '4' and rows['work']['self_seconds'] == ''
assert not any('_self' in key for key in table('alone-time')['work'] if key.startswith('time'))
END
expect_status 0 "$GPROFX" --no-findings --output=csv --output-option=csv.table=arcs program time cycles
expect_match out '^"work","leaf",call,3,4,0,0,0,0,0,.*,6,0,12,0.?$'
expect_in out '"cycles_self","cycles_below","cycles_self_ticks","cycles_below_ticks"'

# What the other listings show is the first metric.
expect_status 0 "$GPROFX" --no-findings -i program both
expect_in out cycles
expect_status 0 "$GPROFX" --no-findings -b --per-file --metric=cycles program time cycles
expect_in err 'warning[report.unmeasured-files]'
expect_in err 'expected files that all measure "cycles", found 1 of 2 that do not'
cp both again
expect_status 0 "$GPROFX" --no-findings -b --per-file program both again
expect_undiagnosed

# What cannot be: a metric that is not there, two of a name that differ, too many of them.
expect_status 1 "$GPROFX" -b --metric=instructions program cycles time
expect_match err 'error\[profile\.unknown-metric\]: the profiles have no metric "instructions", only: cycles, time$'
expect_empty out
expect_status 0 "$GPROFX" -b -p --no-findings --set=report.metric=cycles program time cycles
expect_in out 'Each sample counts as 0.5 cycles.'
expect_status 1 "$GPROFX" -b program time cycles letter
expect_in err 'error[profile.abbreviation-changed]: letter:'
expect_status 1 "$GPROFX" -b program many
expect_in err 'error[profile.too-many-metrics]: many: expected at most 256 metrics in all files'
expect_status 0 "$GPROFX" -b -p --no-findings program most
expect_match out '^  %   cumulative .* unit-254  unit-255 *$'
# A file that is left out leaves no metric behind.
expect_status 1 "$GPROFX" -b -p --no-findings --keep-going program time many cycles
expect_in out 'Of cycles, each sample counts as 0.5 cycles.'
expect_not_in out unit-

# Names of metrics come from files: they do nothing to a terminal, and are no formulas.
for output in flat callgraph json csv; do
	expect_status 0 "$GPROFX" --no-findings --output=$output program time escape
	! grep -q "$(printf '\033')" out || fail "an escape sequence in $output"
done
expect_in out ",\"'=e\\x1b[1m\\xff_self\","
expect_status 1 "$GPROFX" --metric=none program time escape
! grep -q "$(printf '\033')" err || fail 'an escape sequence in a message'
expect_in err 'only: time, =e'

# No sum of both; one of each is.
expect_status 1 "$GPROFX" --sum=sum program time cycles
expect_in err 'error[sum.several-metrics]: sum: expected samples of one metric, found "time" and "cycles"'
[ ! -e sum ] || fail 'a sum was written'
expect_status 1 "$GPROFX" --sum=sum --metric=time program cycles time
expect_in err 'error[sum.several-metrics]'
expect_status 0 "$GPROFX" --sum=sum program cycles turn-cycles
expect_status 0 "$GPROFX" --no-findings -b -p program sum
expect_match out '^ +52\.17 +12\.00 +12\.00 +pong$'

# GNU mode refuses, with GNU gprof's words.
as_gprof
expect_status 1 ./gprof -b program time cycles
cat >expected <<'END'
./gprof: dimension unit changed between histogram records
./gprof: from 'seconds'
./gprof: to 'cycles'
END
expect_same expected err

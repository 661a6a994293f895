#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# line-graph: with -l, the call graph is that of whole functions, with the lines that make the calls.
# The truth: the graph of the same profile by function. Programs and profiles are made at random.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

# A fixed program first: main calls work from two of its lines, work itself from one.
python3 - <<'PROGRAM' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'work'])
rows = {'main': [(0, 3, 'prog.c'), (8, 4, 'prog.c'), (32, 5, 'prog.c')],
        'work': [(0, 9, 'prog.c'), (16, 10, 'prog.c')]}
program.lines(rows)
open('program', 'wb').write(program.bytes())
profile = program.profile(None, [('main+9', 'work', 30), ('main+40', 'work', 10),
                               ('work+20', 'work', 7)])
bins = [0] * 48
bins[0], bins[2], bins[17], bins[18] = 5, 10, 15, 10
profile.histogram(program.base, program.base + 0x300, bins)
open('gmon', 'wb').write(profile.bytes())
PROGRAM
"$GPROFX" -b -l -q program gmon >out || fail 'status'
expect_match out '^\[1\]    100\.0    0\.15    0\.25                 main \(prog\.c:3 @ 401000\) \[1\]$'
expect_match out '^ +0\.19    0\.00      30/40          main \(prog\.c:4 @ 401008\) \[1\]$'
expect_match out '^ +0\.06    0\.00      10/40          main \(prog\.c:5 @ 401020\) \[1\]$'
expect_match out '^ +7             work \(prog\.c:10 @ 401110\) \[2\]$'
expect_match out '^\[2\]     62\.5    0\.25    0\.00      40\+7       work \(prog\.c:9 @ 401100\) \[2\]$'
[ "$("$GPROFX" --gnu -b -l -q program gmon | grep -c '^\[2\]')" -eq 0 ] || fail 'gprof: all is there'
[ "$("$GPROFX" --correct=no-line-graph -b -l -q program gmon | grep -c ' 100\.0 ')" -eq 0 ] ||
	fail 'switched off: all is there'
# With it, GNU mode has wholes, too.
[ "$("$GPROFX" --gnu --correct=line-graph -b -l -q program gmon | grep -c '^\[1\]    100\.0 ')" -eq 1 ] ||
	fail 'switched on in GNU mode'
# A line selects its function, and calls of a line can be left out.
"$GPROFX" -b -l -qprog.c:10 program gmon >out || fail 'status'
expect_match out '^\[2\] .* work \(prog\.c:9 @ 401100\) \[2\]$'
expect_not_in out '[1] '
"$GPROFX" -b -l -kprog.c:4/work -q program gmon >out || fail 'status'
expect_match out '^\[[0-9]\] .* 10\+7       work '
# In the flat profile a function's calls are by all of it.
"$GPROFX" -b -l -p program gmon >out || fail 'status'
expect_match out '^ 62\.50      0\.25     0\.25 +work \(prog\.c:10 '
expect_match out ' 0\.00       40     6\.2ms      6\.2ms  work \(prog\.c:9 '

# Calls that only stand in the code are by their lines, too.
if [ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ]; then
	python3 - <<'PROGRAM' || fail 'cannot write the program'
import struct
from profiled import Program
program = Program(['main', 'work', 'leaf'])
program.lines({'main': [(0, 3, 'prog.c'), (8, 4, 'prog.c'), (32, 5, 'prog.c')],
               'work': [(0, 9, 'prog.c')], 'leaf': [(0, 20, 'prog.c')]})
code = bytearray(program.image.sections[0].data)
for at, to in (8, 0x100), (32, 0x100), (40, 0x200):
    code[at:at + 5] = b'\xe8' + struct.pack('<i', to - at - 5)
program.image.sections[0].data = bytes(code)
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'work': 10}, [('work', 'leaf', 3)]).bytes())
PROGRAM
	"$GPROFX" -b -l -c -q program gmon >out || fail 'status'
	expect_match out '^ +0\.00    0\.00       0/0           main \(prog\.c:4 @ 401008\) \[3\]$'
	expect_match out '^ +0\.00    0\.00       0/0           main \(prog\.c:5 @ 401020\) \[3\]$'
	expect_match out '^ +0\.00    0\.00       0/3           main \(prog\.c:5 @ 401020\) \[3\]$'
	expect_not_in out 'prog.c:3'
	"$GPROFX" -b -l -c -kprog.c:4/work -q program gmon >out || fail 'status'
	expect_not_in out 'prog.c:4'
	expect_match out '       0/0           main \(prog\.c:5 @ 401020\) '
fi

cat >check.py <<'PROGRAM'
import json
import os
import subprocess
import sys
from lcg import Random
from profiled import Program


def make(seed):
    random = Random(seed)
    names = [f'{"~" if random.chance(20) else ""}f{i}' for i in range(random.between(2, 12))]
    program = Program(names, step=0x80)
    names = program.names[:-1]
    rows = {}
    for name in names:
        if random.chance(90):
            offsets = sorted({0} | {random.below(0x80) & ~1 for _ in range(random.below(12))})
            rows[name] = [(o, random.between(1, 30), 'prog.c') for o in offsets]
    program.lines(rows or {names[0]: [(0, 1, 'prog.c')]}, version=random.between(2, 5))
    profile = program.empty()
    width = random.pick([4, 8, 12, 16, 24])
    count = (0x80 * len(names)) // width
    bins = [random.below(50) if random.chance(60) else 0 for _ in range(count)]
    profile.histogram(program.base, program.base + count * width, bins)
    for _ in range(random.between(1, 40)):
        profile.arc(program.address[random.pick(names)] + random.below(0x80),
                    program.address[random.pick(names)], random.between(1, 1000))
    with open('program', 'wb') as f:
        f.write(program.bytes())
    with open('gmon.out', 'wb') as f:
        f.write(profile.bytes())


def report(*options):
    text = subprocess.run([os.environ['GPROFX'], *options, '--output=json', '-z', 'program'],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(text)


def close(left, right):
    return abs(left - right) <= 1e-6 * max(1, abs(left))


def figures(node):
    """What does not depend on whether lines are distinguished."""
    own = node.get('whole_self_ticks', node['self_ticks'])
    return [own, node['below_ticks'], node['selected_self_ticks'], node['selected_below_ticks'],
            node['calls'], node['recursive_calls'], node['cycle'] or 0]


def check(seed):
    make(seed)
    whole, lines = report(), report('-l')
    by_name = {f['raw_name']: f for f in whole['functions']}
    nodes = lines['functions']
    found = {f['raw_name']: f for f in reversed(nodes) if f['function']}
    for name, function in by_name.items():
        if function['outside'] or name == 'zz_end':
            continue
        node = found[name]
        assert node['address'] == function['address'], name
        assert all(close(a, b) for a, b in zip(figures(node), figures(function))), \
            (name, figures(node), figures(function))
        low, high = (int(function[k], 16) for k in ('address', 'end'))
        parts = [n['self_ticks'] for n in nodes
                 if not n['outside'] and low <= int(n['address'], 16) <= high]
        assert close(sum(parts), function['self_ticks']), (name, parts, function['self_ticks'])

    def arcs(document):
        names = document['functions']
        return {(names[a['caller']]['raw_name'], names[a['callee']]['raw_name']): a
                for a in document['arcs']}
    expected, got = arcs(whole), arcs(lines)
    assert expected.keys() == got.keys()
    sites = 0
    for pair, arc in got.items():
        for key in ('calls', 'self_ticks', 'below_ticks'):
            assert close(arc[key], expected[pair][key]), (pair, key)
        if 'sites' in arc:
            assert sum(s['calls'] for s in arc['sites']) == arc['calls'], pair
            caller = by_name[pair[0]]
            for site in arc['sites']:
                place = int(nodes[site['function']]['address'], 16)
                assert int(caller['address'], 16) <= place <= int(caller['end'], 16), pair
            sites += len(arc['sites'])
    assert len(whole['call_graph']) == len(lines['call_graph']), 'entries'
    return len(nodes) - len(whole['functions']), sites


added, sites = 0, 0
for seed in range(int(sys.argv[1])):
    try:
        more = check(seed)
    except AssertionError as e:
        sys.exit(f'program {seed}: {e}')
    added, sites = added + more[0], sites + more[1]
# The test would say nothing if there were hardly any lines, or calls by them.
if added < 20 or sites < 20:
    sys.exit(f'only {added} lines and {sites} calls by lines')
PROGRAM
python3 check.py 60 || fail 'the graphs differ'

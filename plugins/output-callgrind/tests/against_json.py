# SPDX-License-Identifier: Apache-2.0
"""Compares what callgrind_annotate finds with the figures of the JSON report.

    against_json.py [--seed N] [--count N]

Random call graphs with cycles, recursion and unknown callers, and random stacks, are written in both formats, in
own mode and in GNU mode. The file itself is checked, too: each line of costs has all events, no name is defined
twice, no call has the number 0. Without callgrind_annotate only the file is checked.
"""
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))

import exportcases                                                  # noqa: E402

HAS_ANNOTATE = shutil.which('callgrind_annotate') is not None


def parse(path):
    """The events, the summary, and per function [self, incoming or None, outgoing], in the first event."""
    names = {'fn': {}, 'fl': {}, 'ob': {}}
    kinds = {'fn': 'fn', 'cfn': 'fn', 'fl': 'fl', 'fi': 'fl', 'fe': 'fl', 'cfi': 'fl', 'ob': 'ob', 'cob': 'ob'}
    costs, events, summary, function, callee, is_call = {}, None, None, None, None, False
    with open(path, encoding='utf-8') as text:
        lines = text.read().split('\n')
    assert lines[0] == '# callgrind format' and lines[-1] == '', lines[0]
    for line in lines:
        found = re.match(r'(c?fn|c?fi|fe|fl|c?ob)=\((\d+)\)(?: (.+))?$', line)
        if found:
            key, number, name = found.groups()
            table = names[kinds[key]]
            assert (name is None) == (number in table), line
            table.setdefault(number, name)
            if key == 'fn':
                function = table[number]
                costs.setdefault(function, [0, None, 0])
            elif key == 'cfn':
                callee = table[number]
        elif line.startswith('events: '):
            events = line.split()[1:]
        elif line.startswith('summary: '):
            summary = [int(n) for n in line.split()[1:]]
        elif line.startswith('calls='):
            assert re.match(r'calls=[1-9]\d* \d+$', line), line
            is_call = True
        elif re.match(r'\d', line):
            values = [int(n) for n in line.split()]
            assert len(values) == len(events) + 1, line
            if is_call:
                costs[function][2] += values[1]
                row = costs.setdefault(callee, [0, None, 0])
                row[1] = (row[1] or 0) + values[1]
            else:
                costs[function][0] += values[1]
            is_call = False
        else:
            assert line == '' or re.match(r'#|[a-z]+: ', line), line
    assert summary[0] == sum(row[0] for row in costs.values()), (summary, costs)
    return events, summary, costs


def annotated(path, inclusive):
    """{function: value} of the first event, as callgrind_annotate shows it."""
    words = ['callgrind_annotate', '--auto=no', '--threshold=100', '--show-percs=no'] + ['--inclusive=yes'] * inclusive
    done = subprocess.run(words + [path], capture_output=True, text=True, check=True, encoding='utf-8')
    assert not done.stderr, done.stderr
    assert 'WARN' not in done.stdout, done.stdout
    rows = {}
    for line in done.stdout.split('file:function')[1].split('\n'):
        found = re.match(r' *([\d,]+)(?: +[\d,.]+)* +[^:]*:(.*) \[[^]]*\]$', line)
        if found:
            rows[found.group(2)] = int(found.group(1).replace(',', ''))
    return rows


def expected_of(report):
    """{function: [self, inclusive as readers of the format see it]} in ticks."""
    functions = {f['id']: f for f in report['functions']}
    measured = report['metrics'][0]['total_origin'] == 'measured'
    entered = {}
    for arc in report['arcs']:
        caller, callee = functions[arc['caller']], functions[arc['callee']]
        if callee['cycle'] is not None and callee['cycle'] != caller['cycle'] and arc['calls'] != 0:
            entered[callee['id']] = entered.get(callee['id'], 0) + arc['self_ticks'] + arc['below_ticks']
    rows = {}
    for number, f in functions.items():
        total = f['total_ticks'] if f['total_ticks'] is not None else f['self_ticks']
        if number in entered and not measured:
            total = entered[number]
        rows[f['name']] = [f['self_ticks'], total]
    return rows


def check(folder, words):
    path = os.path.join(folder, 'out.callgrind')
    report = exportcases.write_both('callgrind', path, folder, words)
    events, summary, costs = parse(path)
    scale = exportcases.scale_of(report, 1e8)
    expected = expected_of(report)
    whole = sum(row[0] for row in expected.values()) * scale
    # Values are rounded, and sums of doubles are not exact; each of several arcs is rounded by itself.
    room = 1 + whole * 1e-9
    assert abs(summary[0] - whole) <= room, (summary, whole)
    shown = [{name: row[0] for name, row in costs.items()},
             {name: row[0] + row[2] if row[1] is None else row[1] for name, row in costs.items()}]
    if HAS_ANNOTATE and whole > 0:
        own = [annotated(path, False), annotated(path, True)]
        for mine, theirs in zip(shown, own):
            for name in set(mine) | set(theirs):
                assert mine.get(name, 0) == theirs.get(name, 0), ('annotate', name, mine.get(name), theirs.get(name))
    for name, row in expected.items():
        for i in range(2):
            value = shown[i].get(name, 0)
            width = room + (len(costs) if i else 0)
            assert abs(value - row[i] * scale) <= width, (name, i, value, row[i] * scale)
    assert 'spontaneous>' in ''.join(costs) or set(costs) <= set(expected), set(costs) - set(expected)
    return len(costs)


sys.exit(exportcases.compare_all(check, 20))

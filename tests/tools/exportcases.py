# SPDX-License-Identifier: Apache-2.0
"""Random call graphs and stacks, as cases for outputs that are compared with the JSON report."""
import argparse
import json
import os
import subprocess
import tempfile

from lcg import Random
from profiled import Program

GPROFX = os.environ.get('GPROFX')
# What estimated stacks begin with, behind the name of the program, and where some were left out.
MARK = ' (gprof estimate, paths not measured)'
CUT = '[paths too small to show]'

COUNTS = (1, 1, 2, 3, 10, 77, 4294967295)
TICKS = (0, 0, 1, 2, 5, 30, 1000)


def example():
    """A program with a cycle of two functions and a function that two others call; its samples and its calls."""
    calls = [('main', 'a', 1), ('main', 'b', 2), ('b', 'a', 3), ('a', 'c', 5), ('c', 'a', 5)]
    return Program(['main', 'a', 'b', 'c']), {'main': 1, 'a': 4, 'b': 3, 'c': 2}, calls


def make_graph(r, folder):
    """Writes program and gmon.out there; returns the operands of two runs, the second in GNU mode."""
    names = ['main'] + ['f%d' % i for i in range(r.pick((1, 2, 3, 5, 9, 30)))]
    program = Program(names)
    arcs = [(r.pick(names), r.pick(names), r.pick(COUNTS)) for _ in range(r.pick((0, 1, 3, 8, 20, 60)))]
    # Calls from outside of all functions.
    arcs += [(program.base - 0x100, r.pick(names), r.pick(COUNTS)) for _ in range(r.pick((0, 0, 1, 2)))]
    samples = {name: r.pick(TICKS) for name in names}
    with open(os.path.join(folder, 'program'), 'wb') as out:
        out.write(program.bytes())
    with open(os.path.join(folder, 'gmon.out'), 'wb') as out:
        out.write(program.profile(samples, arcs, rate=r.pick((100, 100, 1000, 1))).bytes())
    return [['program', 'gmon.out'], ['--gnu', 'program', 'gmon.out']]


def make_stacks(r, folder):
    """Writes stacks there; returns the operands of a run."""
    names = ['f%d' % i for i in range(r.pick((1, 2, 3, 9)))]
    with open(os.path.join(folder, 'stacks'), 'w', encoding='ascii') as out:
        for _ in range(r.pick((1, 3, 20))):
            depth = r.pick((1, 2, 3, 5, 12))
            out.write(';'.join(r.pick(names) for _ in range(depth)) + ' %d\n' % r.pick(COUNTS))
    return [['stacks']]


def write_both(form, path, folder, words, options=()):
    """Writes the file in this form, and returns the JSON report of the same run."""
    report = os.path.join(folder, 'out.json')
    done = subprocess.run([GPROFX, '--no-findings', *options, '--output=%s:%s' % (form, path), '--output=json:' + report,
                           *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and 'error' not in done.stderr, done.stderr
    with open(report, encoding='utf-8') as text:
        return json.load(text)


def scale_of(report, per_second):
    """What a tick of the first metric is in this unit; 1 where values are no times."""
    metric = report['metrics'][0]
    return per_second / metric['ticks_per_unit'] if metric['unit'] == 'seconds' and metric['ticks_per_unit'] else 1


def sums_of(stacks):
    """{name: [self, inclusive]} of ([names, the outermost first], weight)."""
    found = {}
    for names, weight in stacks:
        for name in set(names):
            found.setdefault(name, [0, 0])[1] += weight
        found[names[-1]][0] += weight
    return found


def expected_of(report, scale):
    """{name: [self, inclusive or None]}: members of cycles are below the frame of the cycle, with their own part."""
    measured = report['metrics'][0]['total_origin'] == 'measured'
    rows = {}
    for f in report['functions']:
        is_member = f['cycle'] is not None and not measured
        total = None if is_member or f['total_ticks'] is None else f['total_ticks'] * scale
        rows[f['name']] = [f['self_ticks'] * scale, total]
    return rows


def check_stacks(stacks, report, scale, exact_functions=True):
    """Compares stacks, as those of sums_of(), with the report. What is left out of a function can stand below CUT, or CUT
    below it: then its own time is in a stack of CUT."""
    sums, expected = sums_of(stacks), expected_of(report, scale)
    whole = sum(row[0] for row in expected.values())
    room = 1 + whole * 1e-9
    total = sum(weight for _, weight in stacks)
    assert abs(total - whole) <= room, (total, whole)
    is_estimated = report['metrics'][0]['total_origin'] == 'estimated' and report['arcs'] and whole > 0
    assert bool(is_estimated) <= any(name.endswith(MARK) for name in sums), sums
    # Each context is rounded by itself, and paths of less than a millionth are left out.
    width = room + len(stacks) + whole * 1e-5
    for name, (own, below) in expected.items():
        found = sums.get(name, [0, 0])
        assert abs(found[0] - own) <= (room if exact_functions else width), (name, 'self', found[0], own)
        assert below is None or abs(found[1] - below) <= width, (name, 'inclusive', found[1], below)
    for name in set(sums) - set(expected):
        assert name.startswith('<cycle') or name.endswith(MARK) or name == CUT, name
        assert sums[name][0] == 0 or name == CUT, name
    return sums


def compare_all(check, count):
    """Calls check(folder, operands), which returns how many functions it compared, for random cases; returns the status of
    the test."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=count)
    options = parser.parse_args()
    functions = 0
    for seed in range(options.seed, options.seed + options.count):
        r = Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            for words in (make_stacks if seed % 3 == 0 else make_graph)(r, folder):
                try:
                    functions += check(folder, words)
                except AssertionError as error:
                    print('FAIL: seed %d, %s: %s' % (seed, ' '.join(words), error))
                    return 1
    print('%d functions compared' % functions)
    return 0 if functions > options.count else 1

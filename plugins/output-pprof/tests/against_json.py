# SPDX-License-Identifier: Apache-2.0
"""Compares the figures in a file of pprof with those of the JSON report.

    against_json.py [--seed N] [--count N]

Random call graphs with cycles, recursion and unknown callers, and random stacks, are written in both formats, in own mode
and in GNU mode. The files are decoded here; where Go is installed, "go tool pprof -top" has to show the same.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))

from exportcases import make_graph, make_stacks                     # noqa: E402
from lcg import Random                                              # noqa: E402
from pprofreader import Pprof                                       # noqa: E402

GPROFX = os.environ['GPROFX']
MARK = ' (gprof estimate, paths not measured)'


def run(folder, words, options=()):
    path, report = os.path.join(folder, 'out.pb.gz'), os.path.join(folder, 'out.json')
    done = subprocess.run([GPROFX, '--no-findings', *options, '--output=pprof:' + path, '--output=json:' + report,
                           *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and 'error' not in done.stderr, done.stderr
    with open(report, encoding='utf-8') as text:
        return path, Pprof(path), json.load(text)


def shown_by_go(path):
    """{name: [flat, cum]} of the type that is shown, in its unit; None: it has a unit that cannot be read back."""
    done = subprocess.run(['go', 'tool', 'pprof', '-top', '-nodecount=100000', '-nodefraction=0', '-unit=ns', path],
                          capture_output=True, text=True, check=True, env=dict(os.environ, PPROF_TMPDIR='/tmp'))
    rows = {}
    for line in done.stdout.split('flat%')[1].split('\n')[1:]:
        found = re.match(r' *(\d+)(?:ns)? +\S+ +\S+ +(\d+)(?:ns)? +\S+ +(.*)$', line)
        assert found or not line, line
        if found:
            rows[found.group(3)] = [int(found.group(1)), int(found.group(2))]
    return rows


def expected_of(report, scale):
    """{name: [self, inclusive or None]}: members of cycles are below the frame of the cycle, with their own part."""
    measured = report['metrics'][0]['total_origin'] == 'measured'
    rows = {}
    for f in report['functions']:
        is_member = f['cycle'] is not None and not measured
        total = None if is_member or f['total_ticks'] is None else f['total_ticks'] * scale
        rows[f['name']] = [f['self_ticks'] * scale, total]
    return rows


def check(folder, words, has_go):
    path, profile, report = run(folder, words)
    metric = report['metrics'][0]
    is_time = metric['unit'] == 'seconds' and metric['ticks_per_unit']
    scale = 1e9 / metric['ticks_per_unit'] if is_time else 1
    shown = 1 if is_time else 0
    assert profile.types == ([('samples', 'count'), ('cpu', 'nanoseconds')] if is_time
                             else [(metric['name'], profile.types[0][1])]), profile.types
    assert profile.default_type == profile.types[shown][0], profile.default_type
    sums, expected = profile.sums(shown), expected_of(report, scale)
    whole = sum(row[0] for row in expected.values())
    room = 1 + whole * 1e-9
    total = sum(values[shown] for _, values in profile.samples)
    assert abs(total - whole) <= room, (total, whole)
    is_estimated = metric['total_origin'] == 'estimated' and report['arcs'] and whole > 0
    assert bool(is_estimated) <= any(name.endswith(MARK) for name in sums), sums
    for name, (own, below) in expected.items():
        found = sums.get(name, [0, 0])
        assert abs(found[0] - own) <= room, (name, 'self', found[0], own)
        # Each context is rounded by itself, and paths of less than a millionth are left out.
        width = room + len(profile.samples) + whole * 1e-5
        assert below is None or abs(found[1] - below) <= width, (name, 'inclusive', found[1], below)
    for name in set(sums) - set(expected):
        assert name.startswith('<cycle') or name.endswith(MARK) or name == '[paths too small to show]', name
        assert sums[name][0] == 0, name
    if has_go and profile.samples:
        assert shown_by_go(path) == sums, (shown_by_go(path), sums)
    check_flat(folder, words, report, scale)
    return len(sums)


def check_flat(folder, words, report, scale):
    """Functions without callers have their calls."""
    _, profile, _ = run(folder, words, ['--set=pprof.flat=true'])
    types = [name for name, _ in profile.types]
    assert all(len(frames) == 1 for frames, _ in profile.samples)
    own, calls = profile.sums(len(types) - 1), profile.sums(0)
    for f in report['functions']:
        assert abs(own.get(f['name'], [0])[0] - f['self_ticks'] * scale) <= 1 + 1e-9 * f['self_ticks'] * scale, f
        if types[0] == 'calls':
            count = f['calls'] if f['calls'] is not None else 0
            assert calls.get(f['name'], [0])[0] == count, (f, calls.get(f['name']))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=12)
    options = parser.parse_args()
    has_go = shutil.which('go') is not None
    functions = 0
    for seed in range(options.seed, options.seed + options.count):
        r = Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            for words in (make_stacks if seed % 3 == 0 else make_graph)(r, folder):
                try:
                    functions += check(folder, words, has_go)
                except AssertionError as error:
                    print('FAIL: seed %d, %s: %s' % (seed, ' '.join(words), error))
                    return 1
    print('%d functions compared, %s Go' % (functions, 'with' if has_go else 'without'))
    return 0 if functions > options.count else 1


sys.exit(main())

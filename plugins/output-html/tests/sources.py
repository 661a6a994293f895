# SPDX-License-Identifier: Apache-2.0
"""Compares sources in a page with annotated source, and with the files.

    sources.py [--seed N] [--count N]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import htmlpage                                                     # noqa: E402
from lcg import Random                                              # noqa: E402
from profiled import Program                                        # noqa: E402

ROW = re.compile(r'(?:([ \d.]{8}) [ \d.]{5}% [* ]|.{17}) ((?: *(?:[\d,]+|#####) -> )| {16})(.*)$')


def make(r, folder):
    """Writes program, gmon.out and sources; returns {path: lines}."""
    names = ['main'] + ['f%d' % i for i in range(r.pick((1, 3, 8)))]
    program = Program(names, step=64)
    files = {os.path.join(folder, 's%d.c' % i): r.pick((30, 200, 3000)) for i in range(r.pick((1, 2, 4)))}
    paths = list(files)
    rows, line = {}, {path: 1 for path in paths}
    for name in names:
        rows[name] = []
        for at in range(0, 64, 16):
            path = r.pick(paths) if r.pick((0, 0, 1)) else paths[len(name) % len(paths)]
            line[path] = min(line[path] + r.pick((1, 1, 2, 9, 150)), files[path])
            rows[name].append((at, line[path], path))
    program.lines(rows, paths[0], folder)
    for path, count in files.items():
        with open(path, 'w', encoding='ascii') as out:
            out.write(''.join('line %d of %s is as long as lines are\n' % (i + 1, path) for i in range(count)))
    arcs = [(r.pick(names), r.pick(names), r.pick((1, 2, 77, 5000))) for _ in range(r.pick((0, 3, 20)))]
    profile = program.profile({name: r.pick((0, 0, 1, 5, 30)) for name in names}, arcs)
    with open(os.path.join(folder, 'program'), 'wb') as out:
        out.write(program.bytes())
    with open(os.path.join(folder, 'gmon.out'), 'wb') as out:
        out.write(profile.bytes())
    return {path: ['line %d of %s is as long as lines are' % (i + 1, path) for i in range(count)]
            for path, count in files.items()}


def annotated(text):
    """{path: {line: (seconds, count or None)}}"""
    found, rows = {}, None
    for line in text.splitlines():
        if line.startswith('*** File '):
            rows, number = found.setdefault(line[len('*** File '):-1], {}), 0
            continue
        match = ROW.match(line)
        if rows is None or not match or ' is as long as ' not in match.group(3):
            continue
        number += 1
        time, count = float(match.group(1) or 0), match.group(2).replace(' -> ', '').strip()
        if time or count:
            rows[number] = (time, None if not count else 0 if '#' in count else max(map(int, count.split(','))))
    return found


def check(folder, texts, options):
    path = os.path.join(folder, 'page.html')
    done = subprocess.run([os.environ['GPROFX'], '--no-findings', '-b', '-A', '-t', '0', *options, '--output=html:' + path,
                           'program', 'gmon.out'], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    _, data = htmlpage.read(path)
    wanted = annotated(done.stdout)
    files = {data['strings'][f['path']]: f for f in data['source']['file']}
    ticks = data['metrics'][0]['ticks']
    for name, rows in wanted.items():
        has_data = any(time or count for time, count in rows.values())
        assert (name in files) >= has_data, (name, rows)
    for name, file in files.items():
        listed = wanted.get(name, {})
        assert name in wanted or not any(file['ticks']), name
        assert file['found'] and file['count'] == len(texts[name]), name
        for before, part in zip(file['parts'], file['parts'][1:]):
            assert before['first'] + len(before['lines']) < part['first'], name
        for part in file['parts']:
            first = part['first'] - 1
            assert part['lines'] == texts[name][first:first + len(part['lines'])] and part['lines'], (name, first)
        shown = {part['first'] + i for part in file['parts'] for i in range(len(part['lines']))}
        rows = dict(zip(file['line'], zip(file['ticks'], file['calls'])))
        assert {line for line, (own, _) in rows.items() if own} <= shown, name
        for line, (time, count) in listed.items():
            own, calls = rows.get(line, (0, -1))
            assert abs(own / ticks - time) <= 0.0051, (name, line, own, time)
            assert calls == (-1 if count is None else count), (name, line, calls, count)
        for line in set(rows) - set(listed):
            assert rows[line][0] / ticks < 0.0051 and rows[line][1] <= 0, (name, line, rows[line])
    return sum(len(rows) for rows in wanted.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=15)
    arguments = parser.parse_args()
    lines = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        with tempfile.TemporaryDirectory() as folder:
            texts = make(Random(seed), folder)
            for options in ([], ['-l'], ['--set=html.source=all']):
                try:
                    lines += check(folder, texts, options)
                except AssertionError as error:
                    print('FAIL: seed %d %s: %s' % (seed, options, error))
                    return 1
    print('%d lines compared' % lines)
    return 0 if lines > 10 * arguments.count else 1


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Recordings that were made elsewhere, with the figures that perf report has of them: see samples.sh."""
import collections
import os
import re
import sys

from compare import gprofx

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'recorded')
ROOT = 'root'


def expected():
    """By recording and event: samples, the sum of periods, and the rows of functions, of both names of the program."""
    found, rows = collections.OrderedDict(), None
    for line in open(os.path.join(HERE, 'expected.txt')):
        head = re.match(r'(\w+): event (\S+) samples (\d+) total (\d+)', line)
        row = re.match(r'.*\bdemo2? +(\w+) +(\d+) / (\d+) / (\d+)$', line)
        if head:
            rows = collections.defaultdict(lambda: [0, 0, 0])
            found[head.group(1), head.group(2)] = int(head.group(3)), int(head.group(4)), rows
        elif row:
            for i in range(3):
                rows[row.group(1)][i] += int(row.group(2 + i))
    return found


def metric(name, file):
    report = gprofx(os.path.join(HERE, file + '.data'), '--sysroot=' + ROOT, '--metric=' + name)
    return report['metrics'][0], report['functions']


def figures(name, file):
    """The sum, and by function of the program its own and its inclusive figure, in perf's units."""
    about, functions = metric(name, file)
    assert about['name'] == name, (about, name)
    scale = 10 ** 9 // about['ticks_per_unit'] if about['unit'] == 'seconds' else 1
    rows = {row['name'].removesuffix(' (%s)' % row['object']): (row['self_ticks'] * scale, row['total_ticks'] * scale)
            for row in functions if row['object'] in ('demo', 'demo2') and row['total_ticks']}
    return sum(row['self_ticks'] for row in functions) * scale, rows, scale


def main():
    wanted = expected()
    assert len(wanted) == 12, sorted(wanted)
    for (file, event), (samples, total, rows) in wanted.items():
        names = [row['name'] for row in gprofx(os.path.join(HERE, file + '.data'), '--sysroot=' + ROOT)['metrics']]
        event = event if event in names else event.split('/')[0]
        found, own, scale = figures(event, file)
        if found != total:
            sys.exit('%s, %s: sum %d, expected %d' % (file, event, found, total))
        for name, (self, count, whole) in rows.items():
            if own.get(name, (0, 0)) != (self, whole):
                sys.exit('%s, %s: %s has %s, expected %s' % (file, event, name, own.get(name), (self, whole)))
        # The number of samples is in ticks, or a metric of its own.
        has = figures(event + '-samples', file)[0] if event + '-samples' in names else total // scale
        if has != samples:
            sys.exit('%s, %s: %d samples, expected %d' % (file, event, has, samples))


main()

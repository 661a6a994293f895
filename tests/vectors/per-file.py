#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Per-file statistics, against those that Python takes of each file's figures.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/vectors/per-file.py [COUNT]

Where bins lie within functions Python has the figures of a file from its bins; where bins are
shared, from the report of the file alone, divided by bytes. In both cases the statistics are exact
but for square roots. Divided by likelihood, shared bins are so as in the sum of all files: the files
add up to it, and copies of a file are alike. Further: any number of threads writes the same bytes, and memory does not grow with files.
"""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

from gmonfile import Profile
from lcg import Random
from profiled import Program
from runner import Tally, environment, program_under_test, start

NAMES = ['main', 'work', 'idle', 'rare', '~hidden']
COUNTS = (0, 0, 0, 0, 0, 1, 1, 7, 300, 65535)
FILES_AT_ONCE = 64                      # are added up together


class Case:
    """Random files of one program, and what Python knows about each."""

    def __init__(self, seed, directory):
        self.r, self.directory, self.more = Random(seed), directory, []
        r = self.r
        self.program = Program(NAMES, machine=r.pick(('x86_64', 'i386', 'ppc')))
        self.aligned = r.chance(50)
        self.rates = r.pick(((100,), (100, 1000), (97, 250, 1000)))
        # A bin of 256 bytes is a function; one of 48 now and then lies in two.
        self.bins = 16 * len(NAMES) if self.aligned else r.pick((26, 80, 107, 1300))
        self.files, self.seconds, self.calls, self.samples = [], [], [], []
        count = r.pick((1, 2, 3, 9, FILES_AT_ONCE + 5))
        for i in range(count):
            self.add('f%d' % i)
        self.write('image', self.program.bytes())

    def write(self, name, data):
        with open(os.path.join(self.directory, name), 'wb') as file:
            file.write(data)

    def copies_of(self, name, count):
        names = ['%s-%d' % (name, i) for i in range(count)]
        for copy in names:
            shutil.copy(os.path.join(self.directory, name), os.path.join(self.directory, copy))
        return names

    def add(self, name):
        r, program = self.r, self.program
        profile = Profile(program.image.bits, program.image.order)
        seconds, calls, samples = defaultdict(Fraction), defaultdict(int), 0
        # The shares of a bin are rounded to a millionth of a sample, of each record on its own
        # here, of the sum of all records in the report of a file alone.
        for _ in range(r.pick((0, 1, 1, 1, 2 if self.aligned else 1))):
            rate = r.pick(self.rates)
            bins = [r.pick(COUNTS) for _ in range(self.bins)]
            profile.histogram(program.base, program.base + 0x100 * len(NAMES), bins, rate=rate)
            samples += sum(bins)
            for i, n in enumerate(bins if self.aligned else ()):
                if n:
                    seconds[program.names[i // 16]] += Fraction(n, rate)
        for _ in range(r.below(9)):
            ends = [r.below(len(NAMES)) for _ in range(2)]
            count = r.pick((1, 5, 70000, 0xffffffff))
            profile.arc(program.base + 0x100 * ends[0] + 4, program.base + 0x100 * ends[1], count)
            if ends[0] != ends[1]:
                calls[program.names[ends[1]]] += count
        self.write(name, profile.bytes())
        self.files.append(name)
        self.seconds.append(seconds)
        self.calls.append(calls)
        self.samples.append(samples)

    def run(self, *words):
        # Which machine's addresses fit is not the question here.
        words = ['--no-config', '--no-findings', '--slide=none', *self.more, *words]
        return start(program_under_test(), words, self.directory, name='gprofx')

    def report(self, *words):
        done = self.run('--output=json:report', *words)
        if done.status != 0 or done.err:
            raise ValueError('status %s: %r' % (done.status, done.err))
        with open(os.path.join(self.directory, 'report'), encoding='utf-8') as file:
            return json.load(file)

    def ask_alone(self):
        """The figures of each file as its own report has them."""
        for i, name in enumerate(self.files):
            report = self.report('image', name)
            rate = report['profile']['rate']
            self.seconds[i] = {f['raw_name'] or f['name']: Fraction(f['self_ticks']) / rate
                               for f in report['functions'] if f['self_ticks']}


def spread(values):
    """What the report says about these figures, exact but for the square root."""
    mean = sum(values, Fraction(0)) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    low, high = min(values), max(values)
    return {'total': sum(values), 'mean': mean, 'min': low, 'max': high,
            'sd': math.sqrt(variance), 'imbalance': high / mean if mean else None,
            'files': sum(v != 0 for v in values), 'min_file': values.index(low),
            'max_file': values.index(high)}


def same(found, expected, scale=1):
    for key, value in expected.items():
        if key.endswith('file') or key == 'files' or value is None:
            if found[key] != value:
                return False
        # Extremes and totals of several rates, and means, are rounded once or twice.
        elif not math.isclose(found[key], value, rel_tol=1e-12, abs_tol=1e-12 * scale):
            return False
    return True


def check_likely(tally, name, case):
    """Bins by likelihood: all files add up to the sum, in which several equal ones are a multiple of the one."""
    report = case.report('--per-file', 'image', *case.files)
    functions = report['functions']
    rate = report['profile']['rate']
    for row in report['per_file'] if rate is not None else ():
        node = functions[row['function']]
        tally.check(math.isclose(row['self']['total_ticks'], node['self_ticks'], rel_tol=1e-9, abs_tol=1e-9), name,
                    'files have %r of %r, which has %r' % (row['self']['total_ticks'], node['name'], node['self_ticks']))
    words = ['--output=json', '--per-file', 'image', *case.files]
    outs = {case.run('--threads=%d' % n, *words).out for n in (1, 2, 3, 8)}
    tally.check(len(outs) == 1, name, 'by likelihood it depends on the number of threads')
    # Copies of a file have a third of what they have together.
    copies = case.report('--per-file', 'image', *case.copies_of(case.files[0], 3))
    for row in copies['per_file'] if copies['profile']['rate'] is not None else ():
        third = copies['functions'][row['function']]['self_ticks'] / 3
        for key in ('min_ticks', 'mean_ticks', 'max_ticks'):
            tally.check(math.isclose(row['self'].get(key, third), third, rel_tol=1e-9, abs_tol=1e-9), name,
                        'of three copies one has %r, not %r' % (row['self'], third))


def check_case(tally, seed):
    name = 'seed %d' % seed
    with tempfile.TemporaryDirectory() as directory:
        case = Case(seed, directory)
        check_likely(tally, name, case)
        # The samples of a single bin are known by bytes alone.
        case.more = ['--correct=no-shared-bins']
        if not case.aligned:
            case.ask_alone()
        words = ['--per-file', 'image', *case.files]
        report = case.report(*words)
        rate = report['profile']['rate']
        functions = report['functions']
        rows = {functions[x['function']]['raw_name'] or functions[x['function']]['name']: x
                for x in report['per_file']}
        wanted = {f for each in case.seconds + case.calls for f in each if each[f]}
        tally.check(set(rows) == wanted, name, 'rows of %s, not %s' % (sorted(rows), wanted))
        for f in sorted(wanted & set(rows)):
            values = [each.get(f, Fraction(0)) for each in case.seconds]
            expected, row = spread(values), rows[f]['self']
            found = {k: row.get(k + '_seconds', row.get(k)) for k in expected}
            if rate is None:
                tally.check(not any(values), name, 'time without a histogram')
                continue
            largest = float(max(values))
            if not tally.check(same(found, expected, largest), name,
                               '%s: %s, not %s' % (f, found, expected)):
                continue
            # Of one rate, all that is no quotient is exact.
            if len(case.rates) == 1:
                exact = ('total', 'min', 'max')
                tally.check(all(row[k + '_ticks'] == expected[k] * rate for k in exact), name,
                            '%s: %s is not exact' % (f, row))
            node = functions[rows[f]['function']]
            tally.check(math.isclose(row['total_ticks'], node['self_ticks'], rel_tol=1e-9,
                                     abs_tol=1e-2), name, 'total of ' + f)
            calls = [each.get(f, 0) for each in case.calls]
            tally.check(same(rows[f]['calls'], spread(calls), max(calls)), name,
                        'calls of %s: %s, not %s' % (f, rows[f]['calls'], spread(calls)))
        tally.check([x['samples'] for x in report['files']] == case.samples, name, 'samples')
        tally.check([x['file'] for x in report['files']] == case.files, name, 'names')
        for words in (['--output=json', *words], ['--output=per-file:-', *words]):
            outs = {case.run('--threads=%d' % n, *words).out for n in (1, 2, 3, 8)}
            tally.check(len(outs) == 1, name, 'it depends on the number of threads')
        # A filter takes the row away, and nothing of the others.
        if rate is None:
            return
        few = case.report('-Pwork', *words)
        left = [x for x in report['per_file'] if functions[x['function']]['raw_name'] != 'work']
        tally.check(few['per_file'] == left, name, '-Pwork')


def check_memory(tally):
    """Peak memory with ten times as many files."""
    def peak(count):
        words = [program_under_test(), '--no-config', '--no-findings', '--per-file',
                 '--threads=2', 'image', *['f'] * count]
        script = ('import os, resource, subprocess, sys\n'
                  'subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n'
                  'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n')
        done = subprocess.run([sys.executable, '-c', script, *words], cwd=directory,
                              stdout=subprocess.PIPE, env=environment(), check=True)
        return int(done.stdout)

    with tempfile.TemporaryDirectory() as directory:
        program = Program(['f%d' % i for i in range(3000)])
        profile = program.empty()
        profile.histogram(program.base, program.end - 0x100, [1] * 192000)
        for name, data in (('image', program.bytes()), ('f', profile.bytes())):
            with open(os.path.join(directory, name), 'wb') as file:
                file.write(data)
        few, many = peak(30), peak(300)
        tally.check(many - few < 1024, 'memory', '%d KiB for 30 files, %d for 300' % (few, many))


def main():
    tally = Tally()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for seed in range(count):
        check_case(tally, seed)
    if not os.environ.get('GPROFX_SANITIZE'):
        check_memory(tally)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

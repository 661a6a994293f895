#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds random bases to all addresses of correct profiles: the program must take off each of them.

    slides.py [--seed N] [--count N] [--verbose]

The report must then be the same, byte for byte, as that of the profile as it was. And profiles of
other programs, moved too, must be left alone: also those of the same sources with one function
changed, or compiled with other options. --count is the number of trials of each kind. With
$GPROFX_QUICK a third of all is made and tried.
"""
import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools')]

import runner                                                       # noqa: E402
from lcg import Random                                              # noqa: E402
from programs import Compiler, synthetic                            # noqa: E402

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'compare', 'programs')
PAGE = 4096
SYNTHETIC = 60

OPTIMIZED = ['gcc', '-O2']
# How programs are compiled, and how many functions they have.
KINDS = (
    (['gcc', '-O0'], 22), (['gcc', '-O2'], 24), (['gcc', '-Os'], 40),
    (['gcc', '-O2', '-static'], 30), (['gcc', '-O2', '-static-pie'], 60),
    (['gcc', '-O1', '-fno-pie', '-no-pie'], 26), (['gcc', '-O2', '-mfentry'], 25),
    (['gcc', '-O3', '-fcf-protection'], 150), (['gcc', '-Os', '-static'], 22),
    (['clang', '-O0'], 30), (['clang', '-O2'], 24), (['clang', '-Os', '-static'], 80),
)
CPLUSPLUS = (
    ('templates', ['g++', '-O0']), ('templates', ['g++', '-O2']), ('classes', ['g++', '-O0']),
    ('templates', ['g++', '-O2', '-static']), ('classes', ['clang++', '-O0']),
)
CHANGED = ((1, 24), (2, 24), (3, 60), (4, 40))
OTHER_OPTIONS = (['-O1'], ['-O2', '-fno-stack-protector'], ['-O2', '-falign-functions=32'],
                 ['-O2', '-fcf-protection'], ['-O3'], ['-O2', '-fno-plt'], ['-O2', '-static'])


class Trials:
    def __init__(self, folder, verbose):
        self.folder, self.verbose, self.failed, self.passed = folder, verbose, 0, 0
        self.program = os.environ['GPROFX']
        self.references = {}

    def report(self, image, data, *options):
        with open(os.path.join(self.folder, 'moved'), 'wb') as f:
            f.write(data)
        return runner.start(self.program, ['-b', '--no-findings', '--threads=1', *options, image, 'moved'],
                            self.folder, 'gprofx')

    def check(self, fine, words):
        self.passed += fine
        self.failed += not fine
        if self.verbose or not fine:
            print('%s: %s' % ('ok' if fine else 'FAIL', words))

    def recovers(self, made, by, ranges_by=None):
        if made not in self.references:
            alone = self.report(made.path, made.recorded.bytes())
            self.check(alone.status == 0 and b'profile.slid' not in alone.err,
                       '%s, not moved: %s' % (made.name, alone.err))
            self.references[made] = alone.out
        got = self.report(made.path, made.recorded.bytes(by, ranges_by))
        self.check(got.status == 0 and got.out == self.references[made]
                   and got.err.count(b'warning[profile.slid]') == 1,
                   '%s, moved by %#x: %s' % (made.name, by, got.err.decode()))

    def declines(self, image, profile, by):
        data = profile.recorded.bytes(by)
        got = self.report(image.path, data)
        same = self.report(image.path, data, '--slide=none')
        self.check(b'profile.slid' not in got.err and got.out == same.out
                   and got.broken() is None and got.status == same.status,
                   'a profile of %s, moved by %#x, for an image of %s: %s'
                   % (profile.name, by, image.name, got.err.decode()))


def random_base(random, bits):
    """Of one page, of some, of any number; above or below where the program was linked."""
    if bits == 32:
        pages = random.pick((1 + random.below(16), random.below(1 << 20) or 1))
    else:
        pages = random.pick((1 + random.below(16), 1 + random.below(1 << 16),
                             0x555555554 + random.below(1 << 28), 1 + random.below(1 << 35)))
    return random.pick((1, 1, -1)) * pages * PAGE


def make_programs(compiler, first_seed):
    """Unrelated programs; and, apart, families of similar ones."""
    alone = [compiler.generated(first_seed + 50 + i, count, command)
             for i, (command, count) in runner.share(list(enumerate(KINDS)))]
    for name, command in runner.share(CPLUSPLUS):
        folder = os.path.join(SOURCES, name)
        files = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith('.cc'))
        alone.append(compiler.make('%s: %s' % (' '.join(command), name), files, command))
    families = []
    for seed, count in CHANGED:
        level = ['gcc', '-O0'] if seed % 2 else OPTIMIZED
        places = (None, 0, count // 2, count - 3, count - 2, count - 1, count)
        families.append([compiler.generated(first_seed + seed, count, level, place)
                         for place in runner.share(places)])
    for seed in (7, 8):
        families.append([compiler.generated(first_seed + seed, 30, ['gcc'] + options)
                         for options in runner.share([['-O2'], *OTHER_OPTIONS])])
    families = [[made for made in family if made] for family in families]
    return [made for made in alone if made], families


def recover(trials, random, real, made, count):
    for i in range(count):
        program = random.pick(real if i % 2 and real else made)
        by = random_base(random, program.recorded.bits)
        if i % 25 == 24 and program.recorded.ranges:
            # A profiling runtime whose arcs count from the start of a histogram that has true addresses.
            low = program.recorded.ranges[0][0]
            if low != 0:
                trials.recovers(program, -low, 0)
                continue
        trials.recovers(program, by)


def decline(trials, random, real, families, made, count):
    done = 0
    while done < count:
        pool = random.pick([real, made] + 3 * families) if families else made
        image, profile = random.pick(pool), random.pick(pool)
        # Where no function lies elsewhere, it is the same program for all that can be known.
        if image.layout == profile.layout or image.recorded.bits != profile.recorded.bits:
            continue
        done += 1
        by = 0 if random.chance(10) else random_base(random, profile.recorded.bits)
        trials.declines(image, profile, by)


def merge(trials, random, real, made):
    """Several runs, each loaded elsewhere, add up as if none had been moved."""
    for program in real + made[:10]:
        names, still = [], []
        for i in range(3):
            run = program.recorded
            run.arcs = [(caller, callee, count + i) for caller, callee, count in run.arcs]
            for name, by in (('run%d' % i, random_base(random, run.bits)), ('still%d' % i, 0)):
                with open(os.path.join(trials.folder, name), 'wb') as f:
                    f.write(run.bytes(by))
            names.append('run%d' % i)
            still.append('still%d' % i)
        moved = runner.start(trials.program, ['-b', '--no-findings', program.path] + names, trials.folder, 'gprofx')
        alone = runner.start(trials.program, ['-b', '--no-findings', program.path] + still, trials.folder, 'gprofx')
        trials.check(moved.status == 0 and moved.out == alone.out and alone.err == b''
                     and moved.err.count(b'warning[profile.slid]') == 3,
                     'sum of three runs of %s: %s' % (program.name, moved.err.decode()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--verbose', action='store_true')
    asked = parser.parse_args()
    random = Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(folder)
        real, families = make_programs(compiler, 100 * asked.seed)
        made = [synthetic(folder, asked.seed * 1000 + i) for i in range(SYNTHETIC)]
        for name in compiler.skipped:
            print('not made here: %s' % name)
        similar = [program for family in families for program in family]
        trials = Trials(folder, asked.verbose)
        count = len(runner.share(range(asked.count)))
        recover(trials, random, real + similar, made, count)
        decline(trials, random, real, families, made, count)
        merge(trials, random, real, made)
    print('%d passed, %d failed' % (trials.passed, trials.failed))
    return 1 if trials.failed else 0


if __name__ == '__main__':
    sys.exit(main())

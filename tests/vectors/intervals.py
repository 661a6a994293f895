#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The printed 95 % intervals hold the true share in 95 of 100 cases, or more where bins are shared.

Three programs with known shares run 200 times each, on seeds that are always the same; a run draws its
samples one by one. In the first program every bin of the histogram lies in one function. In the
second one functions end within bins, so that counts are divided and are no whole numbers; a sample
falls on each byte of a bin alike, and the truth is made the same way. In the third one all samples of
such a bin are of one function, which the profile does not tell. Counted are the functions with at least 5 expected samples: of all printed intervals of the flat
profile, 92 to 98 % must hold the truth, where bins are shared at least 92 %; each function's own, at least 88 %. The call graph's
intervals are looked at in the same way for the program's first function, whose share with its
children is known.
"""
import os
import re
import sys
import tempfile

import runner
from elfimage import Image
from gmonfile import Profile
from lcg import Random

RUNS, SAMPLES = 200, 600
WANTED, TOLERANCE, WORST = 95.0, 3.0, 88.0
LEAST_EXPECTED = 5
BASE, BIN = 0x401000, 16
WEIGHTS = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 150, 204)
GRAPH_SHARE_OF = 'f11'


class Case:
    """Functions with their first units and a weight for each bin. A unit is 2 bytes."""

    def __init__(self, name, starts, weights, all_of_first=False):
        self.name, self.weights, self.total = name, weights, sum(weights)
        self.starts = starts
        self.end = BASE + BIN * len(weights)
        self.names = ['f%d' % i for i in range(len(starts))]
        self.image = Image()
        self.image.section('.text', BASE, b'\x90' * (self.end + BIN - BASE))
        ends = starts[1:] + [self.end - BASE]
        for function, start, end in zip(self.names, starts, ends):
            self.image.symbol(function, BASE + start, end - start)
        self.image.symbol('zz_end', self.end, BIN)
        self.truth = {}
        for function, start, end in zip(self.names, starts, ends):
            share = 0.0
            for i, weight in enumerate(weights):
                overlap = min(end, (i + 1) * BIN) - max(start, i * BIN)
                if all_of_first:
                    overlap = BIN if start <= i * BIN < end else 0
                share += weight * max(overlap, 0) / BIN
            self.truth[function] = 100.0 * share / self.total
        self.cumulative = []
        for weight in weights:
            self.cumulative.append((self.cumulative or [0])[-1] + weight)

    def draw(self, seed):
        random, bins = Random(seed), [0] * len(self.weights)
        for _ in range(SAMPLES):
            at = random.below(self.total)
            bins[next(i for i, past in enumerate(self.cumulative) if at < past)] += 1
        return bins

    def profile(self, seed):
        profile = Profile.of(self.image).histogram(BASE, self.end, self.draw(seed))
        # The last function calls the four before it, and nobody else calls anybody.
        caller = BASE + self.starts[-1] + 4
        for start in self.starts[-5:-1]:
            profile.arc(caller, BASE + start, 10)
        return profile.bytes()


def cases():
    # One to three bins for each function, all of the same weight.
    starts, weights = [], []
    for i, weight in enumerate(WEIGHTS):
        count = 1 + i % 3
        starts.append(BIN * len(weights))
        weights += [weight * 6 // count] * count
    yield Case('whole bins', starts, weights)
    # Every other function begins in the middle of a bin, or a quarter into it.
    shifted = [s + (0, 8, 0, 4)[i % 4] if i > 0 else s for i, s in enumerate(starts)]
    yield Case('divided bins', shifted, weights)
    yield Case('divided bins, of one', shifted, weights, True)


def run(options, folder):
    words = ['-b', *options, '--color=never', '--no-demangle', 'program', 'gmon.out']
    done = runner.start(os.environ['GPROFX'], words, folder, name='gprofx')
    if done.status != 0:
        sys.exit('status %s from %s: %s' % (done.status, words, done.err.decode()))
    return done.out.decode()


def flat_intervals(folder):
    """{function: (share, low, high)} as printed."""
    text = run(['-p', '--output-option=columns=share,low,high,name'], folder)
    rows = re.findall(r'^ *([\d.]+) +([\d.]+) +([\d.]+)  (\S+)$', text, re.M)
    return {row[3]: tuple(float(x) for x in row[:3]) for row in rows}


def graph_interval(folder, function):
    text = run(['-q', '--output-option=columns=share,low,high'], folder)
    row = re.search(r'^\[\d+\] +([\d.]+) +([\d.]+) +([\d.]+) %s \[' % function, text, re.M)
    return tuple(float(x) for x in row.groups())


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, good, low, high):
        well = low <= good <= high
        self.passed, self.failed = self.passed + well, self.failed + (not well)
        print('%s %s: %.2f %% (%.1f to %.1f)' % ('ok    ' if well else 'FAILED', what, good, low,
                                                high))


def main():
    tally = Tally()
    for case in cases():
        expected = [f for f in case.names if case.truth[f] * SAMPLES / 100 >= LEAST_EXPECTED]
        hits = dict.fromkeys(expected, 0)
        whole, whole_hits = sum(case.truth[f] for f in case.names[-5:]), 0
        fractions = 0
        with tempfile.TemporaryDirectory(prefix='gprofx-intervals.') as folder:
            with open(folder + '/program', 'wb') as image:
                image.write(case.image.bytes())
            for seed in range(RUNS):
                with open(folder + '/gmon.out', 'wb') as profile:
                    profile.write(case.profile(seed))
                shown = flat_intervals(folder)
                for function in expected:
                    # No row: not one sample, so that not even the truth could be in it.
                    share, low, high = shown.get(function, (0, 0, 0))
                    hits[function] += low <= case.truth[function] <= high
                    fractions += abs(share * SAMPLES / 100 - round(share * SAMPLES / 100)) > 0.1
                share, low, high = graph_interval(folder, GRAPH_SHARE_OF)
                whole_hits += low <= whole <= high
        print('%s: %d functions with at least %d expected samples of %d, %d runs; %d counts were '
              'no whole numbers' % (case.name, len(expected), LEAST_EXPECTED, SAMPLES, RUNS,
                                    fractions))
        tally.check(case.name + ', all intervals',
                    100.0 * sum(hits.values()) / (RUNS * len(expected)), WANTED - TOLERANCE,
                    100.0 if 'divided' in case.name else WANTED + TOLERANCE)
        for function in expected:
            tally.check('%s, %s with %.2f %%' % (case.name, function, case.truth[function]),
                        100.0 * hits[function] / RUNS, WORST, 100.0)
        tally.check('%s, call graph, %s with %.2f %%' % (case.name, GRAPH_SHARE_OF, whole),
                    100.0 * whole_hits / RUNS, WORST, 100.0)
        # A case that divides nothing would show nothing.
        tally.check(case.name + ', counts that are no whole numbers', fractions,
                    *((1, RUNS * len(expected)) if 'divided' in case.name else (0, 0)))
    print('%d passed, %d failed' % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


if __name__ == '__main__':
    sys.exit(main())

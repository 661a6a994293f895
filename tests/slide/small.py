#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles of small programs, moved by random multiples of the page size.

    small.py [--seed N] [--count N] [--programs N] [--verbose]

The program must take off what was added, at five called functions and more each time, at three
99 times of 100, and must leave alone every profile of another small program. --count is the
number of trials of each of the three kinds, --programs how many programs they are made of.
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
from students import NATIVE, WINDOWS, Course                        # noqa: E402

FEW, ENOUGH, MOST = 3, 5, 8
SHAPES = ('whole', 'whole', 'whole', 'arcs', 'wide')


class Trials:
    def __init__(self, folder, verbose):
        self.folder, self.verbose = folder, verbose
        self.program = runner.program_under_test()
        self.passed, self.failed, self.references = {}, {}, {}

    def report(self, image, data, *options):
        with open(os.path.join(self.folder, 'moved'), 'wb') as f:
            f.write(data)
        return runner.start(self.program, ['-b', '--no-findings', '--threads=1', *options, image,
                                           'moved'], self.folder, 'gprofx')

    def check(self, kind, fine, words):
        counts = self.passed if fine else self.failed
        counts[kind] = counts.get(kind, 0) + 1
        if self.verbose or not fine:
            print('%s: %s: %s' % (kind, 'ok' if fine else 'FAIL', words))

    def recovers(self, kind, made, shape, by):
        recorded = shaped(made, shape)
        if (made, shape) not in self.references:
            alone = self.report(made.path, recorded.bytes())
            self.references[made, shape] = alone.out
            if alone.status != 0 or b'profile.slid' in alone.err:
                self.check('unmoved', False, '%s, %s: %s' % (made.name, shape, alone.err))
        got = self.report(made.path, recorded.bytes(by))
        self.check(kind, got.status == 0 and got.out == self.references[made, shape]
                   and got.err.count(b'warning[profile.slid]') == 1,
                   '%s, %s, %d called, moved by %#x: %s'
                   % (made.name, shape, made.called, by, got.err.decode()))

    def declines(self, image, made, shape, by):
        data = shaped(made, shape).bytes(by)
        got = self.report(image.path, data)
        same = self.report(image.path, data, '--slide=none')
        self.check('foreign', b'profile.slid' not in got.err and got.out == same.out
                   and got.broken() is None and got.status == same.status,
                   '%s of %s, %d called, moved by %#x, for %s: %s'
                   % (shape, made.name, made.called, by, image.name, got.err.decode()))


def shaped(made, shape):
    """The profile as other runtimes would write it: without samples, with a rounded extent."""
    recorded = made.recorded
    if shape == 'whole':
        return recorded
    copy = object.__new__(type(recorded))
    copy.__dict__.update(recorded.__dict__)
    if shape == 'arcs':
        copy.ranges = []
    else:                           # bins of 16 bytes, and an extent of whole bins
        (low, high, bins, rate), = recorded.ranges
        start = low - low % 16
        joined = [0] * ((high - start + 15) // 16)
        for i, samples in enumerate(bins):
            joined[(low + i * 4 - start) // 16 % len(joined)] += samples
        copy.ranges = [(start, start + 16 * len(joined), joined, rate)]
    if shape == 'samples':
        copy.arcs = []
    return copy


def random_base(random, made):
    """By one page, by some, by any number; below where the program was linked, too."""
    page, bits = made.page, made.recorded.bits
    pages = random.pick((1 + random.below(16), 1 + random.below(128), 1 + random.below(1 << 12),
                         random.below((1 << (32 if bits == 32 else 47)) // page) + 1,
                         (0x555555554000 + (random.below(1 << 28) << 12)) // page
                         if bits == 64 else random.below(1 << 8) + 1))
    return random.pick((1, 1, 1, -1)) * pages * page


def make_programs(course, random, count, commands):
    programs = []
    while len(programs) < count:
        functions = random.between(FEW - 1, MOST) if len(programs) % 2 else FEW
        made = course.program(random.below(1 << 30), functions, random.pick(commands))
        if made:
            programs.append(made)
        elif all(' '.join(command) in course.missing for command in commands):
            break
    return programs


def families(course, random, programs):
    """Programs of one compiler beside each other, and other versions of some, which have much of
    their layout in common."""
    by_tools, groups = {}, []
    for made in programs:
        by_tools.setdefault((made.name.split(', seed')[0], made.recorded.bits), []).append(made)
    groups = [family for family in by_tools.values() if len(family) > 1]
    for made in random.sample(programs, len(programs) // 3):
        seed, count, command = made.recipe
        family = [made] + [course.program(seed, count, command, random.below(count + 1))
                           for _ in range(2)]
        groups.append([version for version in family if version])
    return groups


def same_to_all(image, made, shape):
    """Whether no called function lies elsewhere: nothing recorded tells such programs apart."""
    return image.layout[0] == made.layout[0] and (shape == 'arcs' or image.layout == made.layout)


def run(seed, count, number, verbose=False):
    """`count` trials of each kind with that many programs; how many passed, and failed."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        course, trials = Course(folder), Trials(folder, verbose)
        programs = make_programs(course, random, number, NATIVE)
        programs += make_programs(course, random, number // 4, WINDOWS)
        for name in sorted(course.missing):
            print('not made here: %s' % name)
        few = [made for made in programs if made.called == FEW]
        enough = [made for made in programs if made.called >= ENOUGH]
        for kind, pool in (('three', few), ('enough', enough)):
            for i in range(count):
                made = pool[i % len(pool)]
                trials.recovers(kind, made, random.pick(SHAPES), random_base(random, made))
        groups, done = families(course, random, programs), 0
        while done < count:
            family = random.pick(groups) if random.chance(80) else programs
            image, made = random.pick(family), random.pick(family)
            shape = random.pick(SHAPES + ('samples',))
            if image.recorded.bits != made.recorded.bits or same_to_all(image, made, shape):
                continue
            done += 1
            trials.declines(image, made, shape,
                            0 if random.chance(10) else random_base(random, made))
    print('seed %d, %d programs' % (seed, len(programs)))
    for kind, words in (('three', 'of three called functions, moved, solved'),
                        ('enough', 'of five and more, moved, solved'),
                        ('foreign', 'of other programs, left alone')):
        print('%s: %d of %d' % (words, trials.passed.get(kind, 0), count))
    allowed = min(trials.failed.get('three', 0), count // 100)
    failed = sum(trials.failed.values()) - allowed
    return sum(trials.passed.values()) + allowed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--programs', type=int, default=12)
    parser.add_argument('--verbose', action='store_true')
    asked = parser.parse_args()
    passed, failed = run(asked.seed, asked.count, asked.programs, asked.verbose)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

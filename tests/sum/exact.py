#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums without loss: random profiles, whose totals are known, summed in every order.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/sum/exact.py [COUNT]

What must hold: the sum of all is what Python says; sum(a, b, c) = sum(sum(a, b), c) = sum(c, a, b)
in every total; the report of the sum is that of the files, up to the order of ties; GNU gprof shows
the same totals as long as no bin passes 32 bits.
"""
import math
import os
import struct
import sys
import tempfile
from collections import Counter
from fractions import Fraction

from gmonfile import Profile, bsd_profile, read_profile
from lcg import Random
from profiled import Program
from runner import Tally, installed_gprof, program_under_test, start

LARGE = (0, 1, 1, 7, 300, 40000, 65535, 65535)
CALLS = (0, 1, 5, 70000, 0x80000000, 0xffffffff, 0xffffffff)


def random_file(r, program, ranges, rate):
    """A profile of the program over some of the ranges."""
    image = program.image
    profile = Profile(image.bits, image.order)
    for low, high, bins in r.sample(ranges, r.between(0, len(ranges))):
        profile.histogram(low, high, [r.pick(LARGE) for _ in range(bins)], rate=rate)
    for _ in range(r.below(12)):
        profile.arc(program.base + r.below(0x400), program.base + r.below(0x400), r.pick(CALLS))
    if r.chance(40):
        profile.blocks([(program.base + r.below(0x100), r.pick(CALLS)) for _ in range(r.below(9))])
    return profile.bytes()


def totals(program, files):
    """All that the files say, added up without a bound; bins in seconds."""
    bins, arcs, blocks = Counter(), Counter(), Counter()
    for data in files:
        for record in read_profile(data, program.image.bits, program.image.order):
            if record[0] == 'hist':
                for i, count in enumerate(record[3]):
                    if count:
                        bins[record[1], record[2], i] += Fraction(count, record[4])
            elif record[0] == 'arc':
                arcs[record[1:3]] += record[3]
            else:
                for address, count in record[1]:
                    blocks[address] += count
    return bins, arcs, blocks


class Place:
    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.write('image', program.bytes())

    def write(self, name, data):
        with open(os.path.join(self.directory, name), 'wb') as file:
            file.write(data)

    def read(self, name):
        with open(os.path.join(self.directory, name), 'rb') as file:
            return file.read()

    def sum(self, name, *files):
        words = ['--sum=' + name, 'image', *files]
        return start(program_under_test(), words, self.directory, name='gprofx')

    def report(self, program, name, *words):
        return start(program, words, self.directory, name=name)


def check_case(tally, seed, gnu):
    r = Random(seed)
    program = Program(['main', 'work', 'idle', '~hidden'],
                      machine=r.pick(('x86_64', 'x86_64', 'i386', 's390x', 'ppc')))
    step = 0x100
    ranges = [(program.base + i * step, program.base + (i + 1) * step, 16) for i in range(4)]
    rates = r.pick(((100,), (100,), (100, 1000), (100, 60, 250), (97, 1000)))
    files = [random_file(r, program, ranges, r.pick(rates)) for _ in range(3)]
    name = 'seed %d' % seed
    with tempfile.TemporaryDirectory() as directory:
        place = Place(program, directory)
        for letter, data in zip('abc', files):
            place.write(letter, data)
        runs = [('abc', place.sum('abc', 'a', 'b', 'c')), ('ab', place.sum('ab', 'a', 'b')),
                ('ab+c', place.sum('abc2', 'ab', 'c')), ('cab', place.sum('cab', 'c', 'a', 'b'))]
        own_rates = False
        for label, run in runs:
            # 16 bits are soon full at a common rate; then each record has its own.
            told = rates == (97, 1000) and b'warning[sum.rates-differ]' in run.err
            if not tally.check(run.status == 0 and not run.out and (told or not run.err), name,
                               'sum %s: %r' % (label, run.err)):
                return
            own_rates |= told
        expected = totals(program, files)
        for label in ('abc', 'abc2', 'cab'):
            data = place.read(label)
            tally.check(totals(program, [data]) == expected, name, 'totals of ' + label)
            tally.check(data[8:20] == bytes(12), name, 'spare bytes of ' + label)
        tally.check(own_rates or place.read('abc') == place.read('abc2'), name,
                    'sums of sums differ')
        # Into one of its own inputs.
        again = place.sum('a', 'a', 'b', 'c')
        tally.check(again.status == 0 and place.read('a') == place.read('abc'), name, 'in place')
        place.write('a', files[0])
        words = ['-b', '--no-findings', 'image']
        whole = place.report(program_under_test(), 'gprofx', *words, 'a', 'b', 'c')
        of_sum = place.report(program_under_test(), 'gprofx', *words, 'abc')
        # Of several rates the first one says in which unit samples are given.
        if len(rates) == 1:
            tally.check((whole.status, whole.out) == (of_sum.status, of_sum.out), name, 'report')
        # It cannot read blocks of the other byte order, not even its own.
        if gnu and not own_rates and not (expected[2] and program.image.order == '>'):
            check_gnu(tally, name, place, gnu, expected)


def check_gnu(tally, name, place, gnu, expected):
    """GNU gprof reads the sum, and finds the same time and calls in it."""
    shown = place.report(gnu, 'gprof', '-b', '-i', 'image', 'abc')
    tally.check(shown.status == 0, name, 'GNU gprof cannot read the sum: %r' % shown.err)
    rate = next((x[4] for x in read_profile(place.read('abc'), place.program.image.bits,
                                            place.program.image.order) if x[0] == 'hist'), None)
    if rate is None or not expected[0] or max(expected[0].values()) * rate >= 1 << 32:
        return
    shown = place.report(gnu, 'gprof', '-b', '-p', 'image', 'abc')
    rows = [x.split() for x in shown.out.decode().splitlines()[5:]]
    seconds = float(sum(expected[0].values()))
    tally.check(shown.status == 0 and rows and math.isclose(
        float(rows[-1][1]), seconds, rel_tol=1e-6, abs_tol=0.02), name,
                'GNU gprof finds %r, not %.2f s' % (rows[-1:], seconds))


def check_limits(tally):
    """What takes more than 4,096 further records is refused, and nothing is written."""
    program = Program(['main', 'work'])
    with tempfile.TemporaryDirectory() as directory:
        place = Place(program, directory)
        low, high = program.base, program.base + 0x100
        full = program.empty().histogram(low, high, [65535] * 16).bytes()
        place.write('full', full)
        place.write('old', b'precious')
        files = ['full'] * 4097
        run = place.sum('old', *files)
        tally.check(run.status == 0, 'limits', '4097 full counters do not fit: %r' % run.err)
        records = read_profile(place.read('old'))
        tally.check(len(records) == 4097, 'limits', '%d records' % len(records))
        place.write('old', b'precious')
        run = place.sum('old', 'full', *files)
        tally.check(run.status == 1 and b'error[sum.too-large]' in run.err, 'limits', 'not refused')
        tally.check(place.read('old') == b'precious', 'limits', 'the old file is gone')
        place.write('calls', program.empty().arc(low, high, 0xffffffff).bytes())
        run = place.sum('old', *['calls'] * 4098)
        tally.check(run.status == 1 and b'error[sum.too-large]' in run.err, 'limits', 'calls')
        tally.check(place.read('old') == b'precious', 'limits', 'the old file is gone')
        place.write('blocks', Profile(32).blocks([(low, 0xffffffff)]).bytes())
        small = Place(Program(['main', 'work'], machine='i386'), directory)
        run = small.sum('old', *['blocks'] * 4098)
        tally.check(run.status == 1 and b'error[sum.too-large]' in run.err, 'limits', 'blocks')
        tally.check(small.read('old') == b'precious', 'limits', 'the old file is gone')
        # Sums that pass 64 bits do not begin again at 0.
        place.write('wide', bsd_profile(low, high, [0] * 16, [(low, low, 1 << 63), (low, high, 1)],
                                        rate=100))
        run = place.sum('old', 'wide', 'wide')
        tally.check(run.status == 1 and b'error[sum.too-large]' in run.err, 'limits', 'wide calls')
        bins = struct.pack('<16Q', *[1 << 63] * 16)
        place.write('wide', struct.pack('<QQIIII8x', low, high, 40 + len(bins), 0x51879, 100, 64) + bins)
        run = place.sum('old', 'wide', 'wide')
        tally.check(run.status == 1 and b'error[sum.too-large]' in run.err, 'limits', 'wide bins')
        tally.check(place.read('old') == b'precious', 'limits', 'the old file is gone')
        # GNU mode writes what it can, and says so.
        place = Place(program, directory)
        run = place.report(program_under_test(), 'gprof', '-s', 'image', 'full', *files)
        tally.check(run.status == 0 and b'warning[sum.saturated]' in run.err, 'limits', 'GNU mode')
        records = read_profile(place.read('gmon.sum'))
        tally.check(len(records) == 4097 and sum(r[3][0] for r in records) == 4097 * 65535,
                    'limits', 'GNU mode: %d records' % len(records))
        # Rates without a common multiple that fits: each record has its own.
        place.write('odd', program.empty().histogram(low, high, [3] * 16, rate=99999989).bytes())
        place.write('even', program.empty().histogram(low, high, [5] * 16, rate=99999971).bytes())
        run = place.sum('new', 'odd', 'even')
        tally.check(run.status == 0 and b'warning[sum.rates-differ]' in run.err, 'rates', 'no word')
        records = read_profile(place.read('new'))
        tally.check([(r[3][0], r[4]) for r in records] == [(3, 99999989), (5, 99999971)], 'rates',
                    'other records')


def main():
    tally = Tally()
    gnu = installed_gprof()
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 60):
        check_case(tally, seed, gnu)
    check_limits(tally)
    return tally.finish()


sys.exit(main())

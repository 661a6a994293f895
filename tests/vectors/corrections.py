#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Corrections in any combination, on random images and profiles, against the truth.

    corrections.py [--seed N] [--count N] [--keep DIR]

The truth is found address by address: whose it is by the symbols, and which bin a sample there is
counted in by the collector's own arithmetic. What must hold:

* with exact-bins every function has what the truth gives it, for each state of the other switches;
* with last-symbol, exact-bins and gaps the rows sum to the samples, and the percentages to 100;
* with exact-bins no sum of percentages passes 100;
* without corrections the report is that of GNU mode;
* the number of threads does not matter, and nothing breaks.
"""
import argparse
import os
import re
import struct
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import runner                                                       # noqa: E402
from elfimage import (ABS, ALLOC, FILE, FUNC, GLOBAL, LOCAL, NOTYPE, WEAK, WRITE,  # noqa: E402
                      Image)
from gmonfile import Profile                                        # noqa: E402
from lcg import Random                                              # noqa: E402

OUTSIDE = '<outside any function>'
SWITCHES = ('last-symbol', 'narrow-bins', 'untyped-callees', 'clones', 'arc-specs', 'exact-bins',
            'gaps', 'local-names')
CLONE = re.compile(r'\.(clone|constprop|isra|lto_priv|llvm|part|cold)(?=\.|$)')
SOUND = re.compile(r'[^.$]*(\.(clone|constprop|isra|lto_priv|llvm|part|cold)(?=\.|$)|\.\d+)*$')
SUFFIXES = ('.part.0', '.isra.0', '.constprop.1', '.cold', '.isra.0.part.2', '.lto_priv.3',
            '.llvm.77', '.1', '$x', '.other')
SIZES = (0, 4, 7, 16, 16, 32, 33, 48, 64, 100)
GAPS = (0, 0, 0, 0, 1, 5, 15, 16, 17, 40, 64, 150)
TICKS = (0, 0, 0, 1, 1, 2, 3, 7, 50, 1000, 65535)


def single(number):
    return struct.unpack('f', struct.pack('f', number))[0]


class Case:
    """An image and a histogram."""

    def __init__(self, seed):
        r = self.r = Random(seed)
        base = self.base = r.pick((0x401000, 0x401000, 0x1000, 0x400ff8))
        at, self.rows, unit = base + r.pick((0, 0, 4, 24)), [], 0
        for i in range(r.pick((1, 2, 3, 5, 8, 12))):
            static = i > 0 and r.chance(40)
            if static and r.chance(40):
                unit += 1
            name = 'f%d' % r.below(5 if r.chance(30) else 40)
            if static and r.chance(60):
                name += r.pick(SUFFIXES)
            size = r.pick(SIZES)
            self.rows.append([name, at, size, static, r.chance(85), unit if static else 0])
            if size > 8 and r.chance(10):   # a label inside
                self.rows.append(['label%d' % i, at + 5, 0, False, False, 0])
            at += (size or r.pick((8, 16, 40))) + r.pick(GAPS)
            if r.chance(60):
                at += -at % 16
        end = self.end = at + r.pick((0, 0, 3, 64))
        middle = r.pick([end] * 2 + [row[1] for row in self.rows])
        self.sections = [('.text', base, middle), ('.fini', middle, end)]
        self.image = Image(r.pick(('x86_64', 'x86_64', 'i386', 's390x')))
        for name, low, high in self.sections:
            self.image.section(name, low, b'\x90' * (high - low))
        seen = 0
        for name, where, size, static, typed, unit in self.rows:
            if unit > seen:
                seen = unit
                self.image.symbol('%d.c' % unit, 0, bind=LOCAL, kind=FILE, section=ABS)
            self.image.symbol(name, where, size, LOCAL if static else GLOBAL,
                              FUNC if typed else NOTYPE,
                              '.fini' if where >= middle and end > middle else '.text')
        self.far = r.chance(30)
        if self.far:                        # as in most programs of Linux: the last one is no code
            self.image.section('.data', end + 64, bytes(16), WRITE | ALLOC)
            self.image.symbol('data_start', end + 64, 0, WEAK, NOTYPE, '.data')
            self.rows.append(['data_start', end + 64, 0, False, False, 0])
        self._histogram(r)

    def _histogram(self, r):
        word = self.image.bits // 8
        self.low = (self.base - r.pick((0, 0, 4, 64, 100))) & ~3
        span = (self.end - self.low + r.pick((0, 4, 30, 200)) + 3) & ~3
        kind = r.pick(('library', 'library', 'library', 'even', 'odd', 'narrow'))
        if kind == 'library':
            count = -(-span // 2 // word) * word // 2
        elif kind == 'even':
            count = -(-span // r.pick((2, 4, 16, 32)))
            span = span // count * count or count
        elif kind == 'odd':
            count = r.between(1, max(1, span // 3))
        else:
            count = span * r.pick((1, 2, 3)) - r.pick((0, 0, 1))
        self.high, self.bins = self.low + span, [r.pick(TICKS) for _ in range(count)]

    def profile(self):
        p = Profile.of(self.image).histogram(self.low, self.high, self.bins, 1)
        for _ in range(self.r.between(1, 30)):
            p.arc(self.r.pick(self.rows)[1] + 4, self.r.pick(self.rows)[1], self.r.below(9))
        return p

    # -- the truth --------------------------------------------------------------------------------

    def code_end(self, address):
        for _, low, high in self.sections:
            if low <= address < high:
                return high
        return address

    def kept(self, clones, names):
        """The rows that are functions, by address; one for each."""
        found = {}
        for row in self.rows:
            name, at, size, static, typed, _ = row
            if static and clones == 'drop' and CLONE.search(name):
                continue
            # No instruction calls anything.
            if static and not SOUND.match(name) and not (names and (typed or size)):
                continue
            if names and name == 'data_start':
                continue
            old = found.get(at)
            if old is None or (old[3], not old[4]) > (static, not typed):
                found[at] = row
        return [found[at] for at in sorted(found)]

    def owners(self, kept, last_symbol, gaps):
        """A list of the row, OUTSIDE or None for each address from self.low on."""
        limit = max(self.end, self.high) + 128
        owner, starts = {}, [row[1] for row in kept]
        for i, row in enumerate(kept):
            is_last = i + 1 == len(kept)
            past = limit if is_last else starts[i + 1]
            if is_last and not gaps:
                past = max(self.code_end(row[1]), row[1] + row[2])
            for at in range(row[1], past):
                owner[at] = None if is_last and not last_symbol else row
        if gaps:
            covered = self._covered(kept, limit)
            for at in owner:
                if at not in covered:
                    owner[at] = OUTSIDE
        return [owner.get(at, OUTSIDE if gaps else None) for at in range(self.low, limit)]

    def _covered(self, kept, limit):
        covered, reach, starts = set(), 0, [row[1] for row in kept] + [limit]
        for row, following in zip(kept, starts[1:]):
            past = row[1] + row[2]
            if row[2] == 0 and row[1] >= reach:
                past = min(self.code_end(row[1]), following)
            reach = max(reach, past)
            covered |= set(range(row[1], past))
        # Rows that are left out, and what only aligns the next function, count for the one before.
        out = sorted([row for row in self.rows if row not in kept], key=lambda row: row[1])
        gaps = self._runs(covered, starts, limit)
        inside = [row for row in out if row[2] == 0 and
                  any(low <= row[1] < high for low, high in gaps)]
        for row in out:
            covered |= set(range(row[1], row[1] + row[2]))
        for row in inside:
            if row[1] in covered:
                continue
            ends = [high for low, high in gaps if low <= row[1] < high]
            ends += [other[1] for other in out if other[1] > row[1]]
            covered |= set(range(row[1], min(ends + [self.code_end(row[1])])))
        for low, high in self._runs(covered, starts, limit):
            alignment = min(64, high & -high) if high < limit else 1
            for at in range(low, high if high - low < alignment else min(high, -(-low // 16) * 16)):
                covered.add(at)
        return covered

    @staticmethod
    def _runs(covered, starts, limit):
        """Stretches without cover from the first symbol on, cut where a symbol starts."""
        runs, low = [], None
        for at in range(starts[0], limit + 1):
            if low is not None and (at == limit or at in covered or at in starts):
                runs.append((low, at))
                low = None
            if low is None and at < limit and at not in covered:
                low = at
        return runs

    def original(self, row, kept):
        """The row that stands for a clone."""
        match = CLONE.search(row[0])
        if not match or match.start() == 0:
            return row
        ends = [m.start() for m in re.finditer(r'\.', row[0]) if m.start() >= match.start()]
        for end in ends:
            named = [other for other in kept if other[0] == row[0][:end] and other is not row]
            near = [other for other in named if other[3] and row[5] and other[5] == row[5]]
            shared = [other for other in named if not other[3]]
            alone = [other for other in named if other[3]]
            for found in (near, shared, alone if len(alone) == 1 else []):
                if found:
                    # Of namesakes in one place any will do: rows are summed by name.
                    return self.original(found[0], kept)
        return row

    def library_scale(self):
        span, buffer, word = self.high - self.low, 2 * len(self.bins), self.image.bits // 8
        if span % 4 or buffer % word or not 0 < buffer - span // 2 < word:
            return 0
        # A quotient of floats.
        return 65536 if buffer >= span else int(single(buffer / span) * 65536)

    def truth(self, last_symbol, gaps, clones, names):
        """{name: samples}, and the samples that are not shown."""
        kept = self.kept(clones, names)
        owners = self.owners(kept, last_symbol, gaps)
        scale, n, span = self.library_scale(), len(self.bins), self.high - self.low
        parts = [{} for _ in range(n + 2)]
        for at, owner in enumerate(owners):
            if scale:
                bins = [(at // 2 * scale // 65536, 1)]
            else:
                first, past = at * n // span, -(-(at + 1) * n // span)
                bins = [(i, min((at + 1) * n, (i + 1) * span) - max(at * n, i * span))
                        for i in range(first, past)]
            for i, weight in bins:
                if i < n and self.bins[i]:
                    row = owner
                    key = id(row) if isinstance(row, list) else row
                    parts[i].setdefault(key, [row, 0])[1] += weight
        result, hidden = {}, Fraction(0)
        for i, count in enumerate(self.bins):
            whole = sum(weight for _, weight in parts[i].values())
            for row, weight in parts[i].values():
                ticks = Fraction(count * weight, whole)
                if row is None:
                    hidden += ticks
                    continue
                if isinstance(row, list):
                    row = (self.original(row, kept) if clones == 'fold' else row)[0]
                result[row] = result.get(row, 0) + ticks
        return result, hidden


ROW = re.compile(r'^ *([\d.]+) +([\d.]+) +([\d.]+) (?:[ \d.]{26})  (.*)$')


def rows_of(text):
    """[(percent, samples, name)] of a flat profile."""
    found = [ROW.match(line) for line in text.decode().split('\n')]
    return [(float(m[1]), float(m[3]), m[4]) for m in found if m]


class Failure(Exception):
    pass


def check(condition, words):
    if not condition:
        raise Failure(words)


def run(program, words, directory):
    result = runner.start(program, words, directory, name='gprofx')
    check(result.broken() is None, '%s: %s' % (' '.join(words), result.broken()))
    refused = b'error[symspec.no-match]' in result.err and not result.out
    check(result.status == refused, '%s: status %d' % (' '.join(words), result.status))
    return result.out


def try_one(program, seed, directory):
    case = Case(seed)
    r = case.r
    with open(os.path.join(directory, 'image'), 'wb') as f:
        f.write(case.image.bytes())
    with open(os.path.join(directory, 'gmon'), 'wb') as f:
        f.write(case.profile().bytes())
    files = ['image', 'gmon']
    check(run(program, ['--correct=none', '-b'] + files, directory) ==
          run(program, ['--gnu', '-b'] + files, directory), 'no corrections is not GNU mode')
    total = sum(case.bins)
    for attempt in range(4):
        on = set(SWITCHES) if attempt == 0 else {s for s in SWITCHES if r.chance(50)}
        words = ['--correct=none'] + ['--correct=' + s for s in sorted(on)]
        clones = r.pick(('keep', 'fold', 'drop'))
        if 'clones' in on:
            words.append('--clones=' + clones)
        arc = '-k%s/%s' % tuple(r.pick(case.rows)[0] for _ in range(2))
        graph = run(program, words + ['-b', r.pick(('-q', '-z', '-T', arc))] + files, directory)
        check(b'nan' not in graph, 'nan from ' + ' '.join(words))
        flat = run(program, words + ['-b', '-p', '--threads=1'] + files, directory)
        check(flat == run(program, words + ['-b', '-p', '--threads=4'] + files, directory),
              'the number of threads matters')
        check_flat(case, on, clones, rows_of(flat), total, ' '.join(words))


def check_flat(case, on, clones, rows, total, words):
    samples, rounding = sum(row[1] for row in rows), 0.006 * (len(rows) + 1)
    percent = sum(row[0] for row in rows)
    if 'exact-bins' not in on or total == 0:
        return
    check(percent <= 100 + rounding, '%s: %f %%' % (words, percent))
    check(all(row[0] <= 100 for row in rows), words + ': a row above 100 %')
    if {'last-symbol', 'gaps'} <= on:
        check(abs(samples - total) <= rounding, '%s: %f of %d' % (words, samples, total))
        check(abs(percent - 100) <= rounding, '%s: %f %%' % (words, percent))
    if 'clones' not in on:
        return      # which clones there are depends on chance then
    truth, hidden = case.truth('last-symbol' in on, 'gaps' in on, clones,
                               'local-names' in on)
    found = {}
    for _, ticks, name in rows:
        found[name] = found.get(name, 0) + ticks
    for name in set(truth) | set(found):
        right, printed = float(truth.get(name, 0)), found.get(name, 0)
        check(abs(right - printed) <= 0.01 * (1 + sum(row[2] == name for row in rows)),
              '%s: %s has %f samples, not %f' % (words, name, printed, right))
    check(abs(float(sum(truth.values()) + hidden) - total) < 1e-6, 'the truth is wrong')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=120)
    parser.add_argument('--keep')
    options = parser.parse_args()
    program, failed = os.environ['GPROFX'], 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as directory:
            if options.keep:
                directory = os.path.join(options.keep, str(seed))
                os.makedirs(directory, exist_ok=True)
            try:
                try_one(program, seed, directory)
            except Failure as failure:
                failed += 1
                print('seed %d: %s' % (seed, failure))
    print('%d of %d failed' % (failed, options.count))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())

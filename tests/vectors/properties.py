#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the program against the rules for symbols and samples, stated in tools/model.py.

    properties.py [--seed N] [--count N]

Two properties of random images and profiles: the symbols that exist, with their addresses, and
the flat profile down to the last byte. Where GNU gprof 2.40 is installed the rules themselves
are compared with it.
"""
import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import model                                                        # noqa: E402
import runner                                                       # noqa: E402
from elfimage import (ABS, ALLOC, FUNC, GLOBAL, IFUNC, LOCAL, NOTYPE, OBJECT, UNIQUE, WEAK, WRITE,
                      Image)                                        # noqa: E402
from gmonfile import Profile                                        # noqa: E402
from lcg import Random                                              # noqa: E402

TEXT = 0x401000
STEMS = ('a', 'f', '_g', '__h', '___i', 'x.1', 'f.constprop.0', '.5', 'n.', 'p.part.0', 'c.cold',
         'd$', '$d', 'k.clone.2', 'l.clone.', 'o.1x', 'q..1', 'r.12.34', '__gnu_compiled_c',
         'mcount', '_mcount', '5', 'z_1', 's.constprop.1.2', 'Z')
PLAIN = ('a', 'b', '_c', '__d', 'mcount', '_mcount', 'E', 'f1', 'f10', 'f9')


def tail(image, end):
    """Ends the text; nothing is ever sampled in the marker or directly before it."""
    image.section('.text', TEXT, b'\x90' * (end + 16 - TEXT))
    return image.symbol('zz_end', end + 2, 0, GLOBAL)


def symbol_image(r):
    image, at = Image(r.pick(('x86_64', 'i386', 's390x'))), TEXT
    for i in range(r.between(2, 40)):
        name = r.pick(STEMS) + (str(i) if r.chance(40) else '')
        place = r.pick(('.text',) * 12 + ('.data', ABS, 0))
        kind = r.pick((FUNC,) * 6 + (NOTYPE, NOTYPE, OBJECT, IFUNC))
        image.symbol(name, at, r.below(40), r.pick((LOCAL, LOCAL, GLOBAL, GLOBAL, WEAK, UNIQUE)),
                     kind,
                     place)
        at += r.pick((0, 0, 1, 2, 16, 33))
    return tail(image, at + 16).section('.data', TEXT + 0x100000, bytes(8), ALLOC | WRITE)


def listed_symbols(text):
    """The (name, address) pairs of an execution count listing with -z."""
    found = []
    for line in text.splitlines():
        name, _, rest = line[line.index('(') + 1:].rpartition(':0x')
        found.append((name, int(rest.split(')')[0], 16)))
    return found


def check_symbols(r, programs, directory, tally, label):
    image, words = symbol_image(r), []
    words += ['-a'] if r.chance(20) else []
    words += ['-D'] if r.chance(20) else []
    for name, what in (('image', image), ('gmon', Profile.of(image))):
        with open(os.path.join(directory, name), 'wb') as f:
            f.write(what.bytes())
    wanted = [(s.name, s.start) for s in model.table(image, '-a' in words, '-D' in words)]
    for who, program in programs:
        got = runner.start(program, ['-b', '-C', '-z'] + words + ['image', 'gmon'], directory)
        found = listed_symbols(got.out.decode()) if got.status == 0 else got.err.decode()
        tally.check(found == wanted, '%s symbols %s' % (who, label), 'they differ from the rules',
                    ['wanted %s' % wanted, 'got    %s' % found])


def flat_case(r):
    """(image, profile, options, the listing that the rules give)"""
    image, at, names = Image(r.pick(('x86_64', 'i386', 's390x'))), TEXT + r.below(3), []
    for i in range(r.between(2, 16)):
        names.append(r.pick(PLAIN) + (str(i) if r.chance(70) else ''))
        kind = NOTYPE if i and r.chance(15) else FUNC
        image.symbol(names[-1], at, 0, r.pick((GLOBAL, GLOBAL, LOCAL)), kind)
        at += r.pick((1, 2, 3, 5, 16, 16, 31, 64))
    end = at + r.pick((1, 16, 40))
    symbols = model.table(tail(image, end))
    profile, options = Profile.of(image), []
    low, count = TEXT - r.below(24), r.between(1, 60)
    high = min(end, low + count * r.pick((1, 2, 3, 4, 5, 8, 16, 33)) + r.below(3))
    rate, include, exclude = r.pick((1, 3, 100, 1000)), set(), set()
    for _ in range(r.pick((0, 0, 0, 1, 2))):
        options.append(r.pick(('-p', '-P')) + r.pick(names))
        (include if options[-1][1] == 'p' else exclude).add(options[-1][2:])

    def wanted(s):
        if include:
            return s.name in include
        return s.name not in exclude and s.name not in model.PROFILING
    include &= {s.name for s in symbols}        # an include list that matches nothing is none
    total, merged = 0.0, [0] * count
    for _ in range(r.pick((1, 1, 2, 3))):
        bins = [r.pick((0, 0, 1, 2, 3, 1000, 65535)) for _ in range(count)]
        profile.histogram(low, high, bins, rate)
        merged = [x + y for x, y in zip(merged, bins)]
    total += model.credit(symbols, low, high, merged, wanted)
    for _ in range(r.below(12)):
        target, calls = TEXT + r.below(end - TEXT + 4), r.pick((0, 1, 7, 1000, 4294967295))
        profile.arc(symbols[0].start, target, calls)
        model.call(symbols, symbols[0].start, target, calls)
    options += ['-z'] if r.chance(30) else []
    return image, profile, options, model.flat(symbols, total, rate, '-z' in options, wanted)


def check_flat(r, programs, directory, tally, label):
    image, profile, options, wanted = flat_case(r)
    for name, what in (('image', image), ('gmon', profile)):
        with open(os.path.join(directory, name), 'wb') as f:
            f.write(what.bytes())
    for who, program in programs:
        got = runner.start(program, ['-b', '-p'] + options + ['image', 'gmon'], directory)
        tally.check((got.status, got.out.decode(), got.err) == (0, wanted, b''),
                    '%s samples %s' % (who, label), 'the listing differs from the rules',
                    ['gprof -b -p ' + ' '.join(options), 'wanted:'] + wanted.splitlines()
                    + ['got:'] + got.out.decode().splitlines() + got.err.decode().splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=200)
    args = parser.parse_args()
    programs, gnu = [('gprofx', runner.program_under_test())], runner.installed_gprof()
    if gnu:
        programs.append(('GNU gprof', gnu))
    tally = runner.Tally()
    with tempfile.TemporaryDirectory() as directory:
        for i in range(args.count):
            label = '%d.%d' % (args.seed, i)
            check_symbols(Random(args.seed * 1000003 + i), programs, directory, tally, label)
            check_flat(Random(args.seed * 1000003 + i + 500000), programs, directory, tally, label)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

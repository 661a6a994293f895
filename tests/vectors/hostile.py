#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds the program damaged images and profiles, in the GNU mode and in its own.

    hostile.py [--seed N] [--count N] [--all] [--keep DIR]

Files are cut at every length, their fields are set to extreme values, and bits are flipped
(--count of them, from --seed). Without --all, prefixes and fields are sampled, and with
$GPROFX_QUICK every third input is tried. Whatever it is, the program must end in time, with little
memory, without a signal or a sanitizer's report; a failure says why, in the form of the mode; and
a success has nothing to complain of.
"""
import argparse
import os
import re
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import mutate                                                       # noqa: E402
import runner                                                       # noqa: E402
from gmonfile import (Block, Profile, block_listing, bsd_profile, converted_blocks,  # noqa: E402
                      library_profile, prof_profile)
from lcg import Random                                              # noqa: E402
from profiled import Program                                        # noqa: E402

MEMORY = 512 << 20
SECONDS = 20
SANITIZED = bool(os.environ.get('GPROFX_SANITIZE'))
OPTIONS = (['-b'], ['-b', '-z', '--inline-file-names', '-L'], ['-b', '-C', '-z'],
           ['-b', '-T', '-z'], ['-b', '-q', '-pprog.c:12', '-emain'],
           ['-b', '-p', '-q', '-z', '-kmain/', '-nalpha'], ['-a', '-D'],
           ['-b', '-i'], ['-b', '-d', '-z', '-Fbeta'], ['-b', '-putil.c:', '-k:3/:4'])
NO_ERROR = re.compile(rb'warning|: finding\[[a-z.-]+\]: |: \d+ more: --explain$')
FORMATS = ([], ['-Obsd'], ['-O4.4bsd'], ['-Omagic'], ['-Oprof'], ['-Obb'])
OWN_ERROR = re.compile(rb'^gprofx: error\[[a-z0-9.-]+\]: .+', re.M)
OWN_HINT = re.compile(rb'^ +hint: .+', re.M)


class Base:
    """A good image and a good profile of it, from which the damaged ones are made."""

    def __init__(self, name, program):
        self.name, self.order, self.bits = name, program.image.order, program.image.bits
        self.image = program.bytes()
        p = program.profile({'main': 3, 'alpha': 40, 'beta': 65535},
                            [('main', 'alpha', 3), ('alpha', 'beta', 0xffffffff),
                             ('beta', 'alpha', 2)])
        p.blocks([(program.base, 3), (program.base + 16, 9)])
        p.histogram(program.base, program.end, [1] * len(program.names))
        self.profile = p.bytes()


ROWS = {'main': [(0, 3), (8, 12)], 'alpha': [(0, 20, 'lib/util.c')], 'beta': [(0, 30)]}
NAMES = ['main', 'alpha', '~beta', '_ZN2ns3Cls6methodEv', '~f.constprop.0', '~z.part']


def bases():
    yield Base('64', Program(NAMES, step=32))
    yield Base('32be', Program(NAMES, 'ppc', step=32))
    yield Base('32', Program(NAMES, 'arm', step=32))
    yield Base('opd', Program(NAMES, 'ppc64', step=32))
    for version in (2, 4, 5):
        yield Base('dwarf%d' % version,
                   Program(NAMES, step=32).lines(ROWS, directory='/work', version=version))
    yield Base('packed', Program(NAMES, step=32).lines(ROWS, version=5, compress='elf'))
    yield Base('zdebug', Program(NAMES, 's390x', step=32).lines(ROWS, version=4, compress='gnu'))
    linked = Program(NAMES, step=32)
    link = b'image\0\0\0' + zlib.crc32(b'').to_bytes(4, 'little')
    linked.image.section('.gnu_debuglink', 0, link, 0)
    yield Base('linked', linked)


# -- inputs: (name, image, profile) ---------------------------------------------------------------

def prefixes(base, step, start):
    for n in range(start % step, len(base.profile), step):
        yield '%s-profile-cut-%d' % (base.name, n), base.image, base.profile[:n]
    for n in range(start % (2 * step), len(base.image), 2 * step):
        yield '%s-image-cut-%d' % (base.name, n), base.image[:n], base.profile


def extremes(base, keep):
    """`keep` decides whether one of the many is run."""
    for field in mutate.gmon_fields(base.profile, base.bits, base.order):
        for value in mutate.EXTREMES[field.width]:
            if keep():
                yield ('%s-profile-%s-%x' % (base.name, field.name, value), base.image,
                       mutate.put(base.profile, field, value, base.order))
    for field in mutate.elf_fields(base.image):
        for value in mutate.EXTREMES[field.width]:
            if keep():
                yield ('%s-image-%s-%x' % (base.name, field.name, value),
                       mutate.put(base.image, field, value, base.order), base.profile)


def flips(base, r, count):
    for i in range(count):
        if r.chance(40):
            yield '%s-profile-flip-%d' % (base.name, i), base.image, mutate.flip(base.profile, r)
        else:
            yield '%s-image-flip-%d' % (base.name, i), mutate.flip(base.image, r), base.profile


def special():
    """Things that no random change would find."""
    p = Program(NAMES, step=32)
    good = p.profile({'main': 1}, [('main', 'alpha', 1)]).bytes()
    for name, head in (('bins', Profile().histogram(p.base, p.end, [], count=0xffffffff)),
                       ('bins-2', Profile().histogram(0, (1 << 64) - 1, [1] * 8, count=0x7fffffff)),
                       ('blocks', Profile().blocks([], count=0xffffffff)),
                       ('range', Profile().histogram(0, (1 << 64) - 1, [1] * 8)),
                       ('range-2', Profile().histogram((1 << 64) - 2, 1, [1] * 8)),
                       ('inverted', Profile().histogram(p.end, p.base, [65535] * 8)),
                       ('rates', Profile().histogram(p.base, p.end, [65535] * 8, rate=0))):
        yield 'special-' + name, p.bytes(), head.arc(p.base, p.base, 1).bytes()
    for name, symbol in (('pointers', '_Z1f' + 'P' * 200000 + 'i'), ('nested', '_Z' + 'N' * 100000),
                         ('templates', '_Z1f' + 'I1a' * 50000 + 'E' * 50000),
                         ('lambdas', '_Z' + 'Z' * 100000 + '1fv' + 'E1x' * 100000),
                         ('growing', '_Z1f' + 'P1aS_' + ''.join('S%d_' % (i % 10)
                                                                for i in range(20000))),
                         ('rust', '_RN' + 'C' * 100000 + '3foo'), ('long', 'x' * 3000000),
                         ('blow-up', '_Z1fI' + 'St4pairIS_S_E' * 40 + 'Evv'),
                         ('control', 'a\x01\x1b[31m%s%n\x7f\xff')):
        program = Program(['main', 'alpha', 'beta', symbol], step=32)
        yield ('special-name-' + name, program.bytes(),
               program.profile({symbol: 3}, [('main', symbol, 2)]).bytes())
    program = Program(NAMES, step=32)
    data = bytearray(program.bytes())
    at = data.index(b'\0main\0')
    end = data.index(b'\0.text\0', at)
    data[at:end] = b'x' * (end - at)    # no NUL up to the end of the string table
    yield 'special-no-nul', bytes(data), good
    many = Program(['f%d' % i for i in range(4000)], step=1)
    yield 'special-dense', many.bytes(), many.profile({}, [
        (many.base + i, many.base + (i * 7 + 1) % 4000, 1) for i in range(4000)]).bytes()
    bomb = Program(NAMES, step=32)
    size = 1 << 40
    bomb.image.section('.debug_info', 0, (1).to_bytes(8, 'little') + size.to_bytes(8, 'little')
                       + (1).to_bytes(8, 'little') + zlib.compress(b'\0' * 100000), 0x800)
    yield 'special-bomb', bomb.bytes(), good


def untagged(args, r):
    """BSD profiles: all prefixes, all fields, and random changes, in each class and order."""
    for machine in ('x86_64', 'i386', 's390x', 'ppc', 'alpha'):
        program = Program(NAMES, machine, step=32)
        bits, order, image = program.image.bits, program.image.order, program.bytes()
        arcs = [(program.base + 4, program.base + 32, 7), (program.base + 36, program.base, 1)]
        for rate in (None, 100):
            whole = bsd_profile(program.base, program.end, [1] * len(program.names), arcs, bits,
                                order, rate)
            name = '%s-%s' % (machine, 'old' if rate is None else 'new')
            for n in range(len(whole)):
                yield '%s-cut-%d' % (name, n), image, whole[:n]
            for field in mutate.bsd_fields(whole, bits):
                for value in mutate.EXTREMES[field.width]:
                    if args.all or r.chance(30):
                        yield ('%s-%s-%x' % (name, field.name, value), image,
                               mutate.put(whole, field, value, order))
            for i in range(args.count // 10 + 1):
                yield '%s-flip-%d' % (name, i), image, mutate.flip(whole, r)


def foreign(args, r):
    """Profiles of libraries, of System V and of basic blocks: prefixes, and random changes."""
    for machine in ('x86_64', 'i386', 's390x', 'ppc'):
        program = Program(NAMES, machine, step=32)
        bits, order, image = program.image.bits, program.image.order, program.bytes()
        low, high, bins = program.base, program.end, [1] * len(program.names)
        groups = [('prog.c', [Block(3, low, 'main', 3, 'prog.c'), Block(7, low + 32)])]
        wholes = {
            'library': library_profile(low, high, bins, [(low + 4, low + 32, 7), (0, low, 1)], bits,
                                       order, room=4),
            'prof': prof_profile(low, high, [(low, 3), (low + 32, 7)], bins, bits, order, room=3),
            'listing': block_listing(groups),
            'converted': converted_blocks(groups, '>' if order == '<' else '<'),
            'blocks': Profile(bits, order).blocks([(low, 3)]).arc(low, low, 1).bytes(),
        }
        for kind, whole in wholes.items():
            name = '%s-%s' % (machine, kind)
            for n in range(0, len(whole), 1 if args.all else 5):
                yield '%s-cut-%d' % (name, n), image, whole[:n]
            for i in range(args.count // 10 + 1):
                yield '%s-flip-%d' % (name, i), image, mutate.flip(whole, r)


def inputs(args):
    r = Random(args.seed)
    yield from special()
    yield from untagged(args, r)
    yield from foreign(args, r)
    for i, base in enumerate(bases()):
        first = i == 0                  # every prefix of one profile, always
        yield from prefixes(base, 1 if args.all else 2 if first else 29, args.seed + i)
        yield from extremes(base, lambda: args.all or r.chance(3))
        yield from flips(base, r, args.count // 10 + 1)


# -- checks ---------------------------------------------------------------------------------------

def verdict(result, own):
    """What is wrong with the outcome of a run, or ''."""
    if result.broken():
        return result.broken()
    if result.status == 0:
        for line in result.err.splitlines():
            if not line.startswith(b'  ') and not NO_ERROR.search(line):
                return 'status 0 with a message that is neither warning nor finding'
        return ''
    if result.status not in (1, 2):
        return 'status %d' % result.status
    if not result.err.strip():
        return 'status %d without a message' % result.status
    if own and not OWN_ERROR.search(result.err):
        return 'the message has no id'
    if own and not OWN_HINT.search(result.err):
        return 'the message does not say what to do'
    return ''


def attempt(program, job):
    """(name, words, verdict, result) of one input in one mode"""
    number, (name, image, profile) = job
    own = number % 2 == 1
    words = OPTIONS[(number // 2) % len(OPTIONS)] + ['image', 'profile']
    if not profile.startswith(b'gmon'):
        words = FORMATS[(number // 2) % 11 % len(FORMATS)] + words
    with tempfile.TemporaryDirectory() as directory:
        for file, data in (('image', image), ('profile', profile)):
            with open(os.path.join(directory, file), 'wb') as f:
                f.write(data)
        result = runner.start(program, words, directory, 'gprofx' if own else 'gprof',
                              seconds=SECONDS * (6 if SANITIZED else 1))
    return name, ['gprofx' if own else 'gprof'] + words, verdict(result, own), result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=300, help='number of random changes')
    parser.add_argument('--all', action='store_true', help='every prefix and every field')
    parser.add_argument('--keep', help='a folder for the inputs that failed')
    args = parser.parse_args()
    program, tally = runner.program_under_test(), runner.Tally()
    if not SANITIZED:                   # whose shadow memory is far larger
        runner.limit_memory(MEMORY)
    made = runner.share(list(inputs(args)))
    jobs = list(enumerate(x for one in made for x in (one, one)))       # both modes
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (number, (_, image, profile)), (name, words, why, result) in zip(
                jobs, pool.map(lambda job: attempt(program, job), jobs)):
            if tally.check(not why, name, why, [' '.join(words)] + [
                    x.decode('latin-1') for x in result.err.splitlines()[:12]]):
                continue
            if args.keep:
                os.makedirs(args.keep, exist_ok=True)
                for what, data in (('image', image), ('profile', profile)):
                    with open(os.path.join(args.keep, '%s.%s' % (name, what)), 'wb') as f:
                        f.write(data)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

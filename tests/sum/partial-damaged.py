#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged and hostile partial profiles end in a message or in a report.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/sum/partial-damaged.py [COUNT]

Every byte of a partial profile is changed once and every length is cut once: the checksum shows it.
Then COUNT times (default 400) bytes are changed, put in or left out, and the checksum is made right:
what is in there has to be checked by itself.  About 10 s.
"""
import lzma
import os
import sys
import tempfile

from lcg import Random
from pproffile import varint
from profiled import Program
from runner import Tally, program_under_test, start

HEAD = 25 + 3 * 8        # the line with its flag; version, length, checksum
INTERESTING = (0, 1, 2, 0x7f, 0x80, 0xff)


def table():
    rows = []
    for i in range(256):
        row = i << 24
        for _ in range(8):
            row = (row << 1 ^ (0x04c11db7 if row & 0x80000000 else 0)) & 0xffffffff
        rows.append(row)
    return rows


TABLE = table()


def checksum(data):
    """That of libiberty's xcrc32()."""
    value = 0xffffffff
    for byte in data:
        value = (value << 8 & 0xffffffff) ^ TABLE[value >> 24 ^ byte]
    return value


def sealed(head, content):
    return head[:33] + len(content).to_bytes(8, 'little') + checksum(content).to_bytes(8, 'little') + content


def changed(r, content):
    content = bytearray(content)
    for _ in range(r.between(1, 3)):
        at = r.below(len(content))
        kind = r.below(6)
        if kind < 3:
            content[at] = r.pick(INTERESTING) if kind else r.below(256)
        elif kind == 3:
            content[at:at] = bytes([r.pick(INTERESTING)] * r.between(1, 9))
        elif kind == 4:
            del content[at:at + r.between(1, 4)]
        else:
            # The largest number there is.
            content[at:at + 1] = b'\xff' * 9 + b'\x01'
    return bytes(content)


class Case:
    def __init__(self, tally, name, program, files, options):
        self.tally, self.name, self.options = tally, name, options
        self.place = tempfile.TemporaryDirectory()
        for file, data in dict(files, **({'image': program} if program else {})).items():
            self.write(file, data)
        self.first = ['image'] if program else []
        done = self.run('--partial=whole', *self.first, *files)
        tally.check(done.status == 0, name, 'cannot write: %r' % done.err)
        with open(os.path.join(self.place.name, 'whole'), 'rb') as file:
            self.whole = file.read()
        tally.check(sealed(self.whole, self.whole[HEAD:]) == self.whole, name, 'another layout')

    def write(self, name, data):
        with open(os.path.join(self.place.name, name), 'wb') as file:
            file.write(data)

    def run(self, *words):
        return start(program_under_test(), [*self.options, *words], self.place.name, name='gprofx')

    def check(self, data, what, statuses):
        self.write('bad', data)
        done = self.run(*self.first, 'bad')
        ok = not done.broken() and done.status in statuses and (done.status == 0 or b'error[' in done.err)
        self.tally.check(ok, self.name, '%s: %s, status %s, %r' % (what, done.broken(), done.status, done.err[:300]))

    def check_all(self, step):
        for at in range(len(self.whole) % step, len(self.whole), step):
            bad = bytearray(self.whole)
            bad[at] ^= 1 << at % 8
            # Whether a program is needed is all that the flag says.
            self.check(bytes(bad), 'byte %d changed' % at, (0, 1) if at == 23 else (1,))
            self.check(self.whole[:at], 'cut to %d bytes' % at, (1,))

    def check_statistics(self):
        """They come last, and what they say of files and functions has to fit the rest."""
        found = False
        for at in range(1, 60):
            content = bytearray(self.whole[HEAD:])
            content[-at] ^= 0x3f
            self.write('bad', sealed(self.whole, bytes(content)))
            found |= b'error[partial.bad-statistics]' in self.run(*self.first, 'bad').err
        self.tally.check(found, self.name, 'no damaged statistics were refused')

    def check_squares(self):
        """Samples without frames cannot have squares and no weight."""
        metric = self.whole.rindex(b'\x08seconds') + 8
        # A letter, a kind, a rate of two bytes, five flags, the weight, its square.
        self.tally.check(self.whole[metric + 4] == 1 and self.whole[metric + 9:metric + 11] == b'\0\0', self.name,
                         'another layout')
        content = bytearray(self.whole[HEAD:])
        content[metric + 10 - HEAD] = 0x7f
        self.check(sealed(self.whole, bytes(content)), 'squares without a weight', (1,))

    def check_values(self):
        """Values of a file can be missing, or fewer than their number says."""
        for at in range(1, 90):
            for number in (b'\xff\xff\xff\xff\x0f', b'\1\0\0\0\0\0\0\xf0\x7f'):
                content = self.whole[HEAD:-at] + number + self.whole[len(self.whole) - at + 1:]
                self.check(sealed(self.whole, content), 'values, %d from the end' % at, (0, 1))

    def check_bins(self, program):
        """Many bins cost memory only if the program has as much code."""
        low, content = program.base, self.whole[HEAD:]
        at = content.index(varint(low) + varint(program.end)) + len(varint(low))
        past = at + len(varint(program.end)) + 1
        many = varint(low + (1 << 33)) + varint(1 << 25)
        self.write('bad', sealed(self.whole, content[:at] + many + content[past:]))
        done = self.run(*self.first, 'bad')
        self.tally.check(done.status == 1 and b'error[partial.damaged]' in done.err, self.name,
                         'bins without end: status %s, %r' % (done.status, done.err[:300]))

    def check_hostile(self, r, count):
        for i in range(count):
            self.check(sealed(self.whole, changed(r, self.whole[HEAD:])), 'hostile %d' % i, (0, 1))


def main():
    tally = Tally()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    r = Random(77)
    program = Program(['main', 'work', 'idle'])
    gmon = {'one': program.profile({'work': 3}, [('main', 'work', 2)]).bytes(),
            'two': program.profile({'work': 5, 'idle': 7000}, [('main', 'idle', 2)]).bytes()}
    small = Case(tally, 'gmon', program.bytes(), gmon, ['-b', '-p', '--per-file'])
    small.check_all(3)
    small.check_statistics()
    small.check_bins(program)
    small.check_hostile(r, count // 2)
    data = os.path.join(os.environ['GPROFX_SOURCE'], 'tests/data/recordings')
    with lzma.open(os.path.join(data, 'program.xz')) as file:
        image = file.read()
    with lzma.open(os.path.join(data, 'phases.gxc.xz')) as file:
        recording = file.read()
    recorded = Case(tally, 'recording', image, {'phases.gxc': recording}, ['-b', '-p', '-q', '--per-thread'])
    recorded.check_squares()
    recorded.check_hostile(r, count // 4)
    Case(tally, 'values', program.bytes(), gmon, ['--output=html', '--per-file']).check_values()
    callgrind = b'# callgrind format\nevents: Ir\nfn=main\n10 5\ncfn=work\ncalls=3 20\n11 7\nfn=work\n20 7\n'
    Case(tally, 'callgrind', None, {'one': callgrind, 'two': callgrind}, ['-b', '-p', '-q']).check_hostile(
        r, count // 4)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

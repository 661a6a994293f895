# SPDX-License-Identifier: Apache-2.0
"""Programs and profiles for the tests of findings, written or compiled on the spot."""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from elfimage import GLOBAL, LOCAL, Image
from gmonfile import Profile
from lcg import Random
from runner import Tally, program_under_test

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
BASE, CODE = 0x400000, 0x401000
ENTRY = 13                      # bytes from a function's begin to the address that is recorded


class Sketch:
    """An image of functions of odd sizes, every third one local, and profiles of it as the GNU C
    library writes them: one histogram from the image's begin to the end of its code, four bytes
    to a bin, callers rounded down to 16 bytes.
    """

    def __init__(self, seed=1, functions=60, base=BASE, sizes=(48, 400), machine='x86_64',
                 keep_locals=True, gap=0):
        chance = Random(seed)
        self.base, self.machine = base, machine
        at = base + CODE - BASE
        self.image = Image(machine)
        self.address, self.size, self.local = [], [], []
        for i in range(functions):
            size = sizes[0] + chance.below(sizes[1] - sizes[0] + 1)
            self.address.append(at)
            self.size.append(size)
            self.local.append(i % 3 == 2)
            at += -(-size // 16) * 16 + gap
        self.end = at
        self.image.section('.text', base + CODE - BASE, b'\x90' * (at - (base + CODE - BASE)))
        for i in range(functions):
            if keep_locals or not self.local[i]:
                self.image.symbol('f%d' % i, self.address[i], self.size[i],
                                  LOCAL if self.local[i] else GLOBAL)

    def call(self, caller, callee, count=10, entry=ENTRY):
        return ((self.address[caller] + self.size[caller] // 2) & ~15,
                self.address[callee] + entry, count)

    def tree(self, entry=ENTRY):
        """f0 calls f1 and f2, f1 calls f3 and f4, and so on."""
        return [self.call((i - 1) // 2, i, 10 + i, entry) for i in range(1, len(self.address))]

    def bins(self, samples):
        """`samples`: {function or address: ticks}; of a function its middle."""
        bins = [0] * (-(-(self.end - self.base) // 8) * 2)
        for where, count in samples.items():
            if where < len(self.address):
                where = self.address[where] + self.size[where] // 2
            bins[(where - self.base) // 4] += count
        return bins

    def profile(self, samples=None, arcs=None, move=0, move_arcs=None, rate=100, histogram=True):
        p = Profile.of(self.image)
        samples = {i: 5 + i % 4 for i in range(len(self.address))} if samples is None else samples
        if histogram:
            p.histogram(self.base + move, self.base + move + 8 * -(-(self.end - self.base) // 8),
                        self.bins(samples), rate)
        for caller, callee, count in self.tree() if arcs is None else arcs:
            by = move if move_arcs is None else move_arcs
            p.arc(caller + by, callee + by, count)
        return p


class NotBuilt(Exception):
    """Says which tool is missing."""


class Place:
    """A directory for one case."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix='gprofx-findings.')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def write(self, name, thing):
        """`thing` is a sketch, an image or a profile; the program is older than its profile."""
        data = (thing.image if isinstance(thing, Sketch) else thing).bytes()
        with open(os.path.join(self.path, name), 'wb') as out:
            out.write(data)
        self.date(name, 1000 if isinstance(thing, (Sketch, Image)) else 2000)

    def date(self, name, seconds):
        os.utime(os.path.join(self.path, name), (1600000000 + seconds,) * 2)

    def command(self, *words):
        if shutil.which(words[0]) is None and not words[0].startswith('./'):
            raise NotBuilt(words[0])
        done = subprocess.run(words, cwd=self.path, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        if done.returncode != 0:
            raise RuntimeError('%s: status %d\n%s' % (' '.join(words), done.returncode,
                                                      done.stdout.decode(errors='replace')))
        return done.stdout.decode(errors='replace')

    def run(self, program='program', least=40):
        """Runs it until it has enough samples: how much of the time libraries take depends on the
        machine and on how busy it is. What a run had says how long the next one must be."""
        hundredths = 45
        for _ in range(6):
            self.command('./' + program, str(hundredths))
            found = samples_in(os.path.join(self.path, 'gmon.out'))
            if found >= least:
                return
            hundredths = min(960, max(hundredths * least * 5 // 4 // max(found, 1), hundredths + 30))
        raise NotBuilt('a machine with a clock for samples')

    def build(self, line):
        """Words of a compiler's command; sources are found beside this file."""
        words = [os.path.join(PROGRAMS, w) if re.search(r'\.(c|cc)$', w) else w
                 for w in line.split()]
        self.command(*words)


PARTLY_PROFILED = b"""
#define UNCOUNTED __attribute__((noipa, no_instrument_function))
UNCOUNTED int hot(int n) { return n * 3; }
__attribute__((noipa)) int worker(int n) { return hot(n) + 1; }
__attribute__((noipa)) int step(int n) { return hot(n) + 2; }
UNCOUNTED int main(int n, char **v) { (void)v; return step(n) + worker(n); }
"""


def partly_profiled(place, samples, calls=9, options=('-no-pie', '-fno-pie')):
    """A program of which two functions have their calls counted, and a profile with samples of the
    given ones and calls of one of the two: the other one is called from elsewhere."""
    with open(os.path.join(place.path, 'part.c'), 'wb') as out:
        out.write(PARTLY_PROFILED)
    place.command('gcc', '-pg', '-O1', *options, 'part.c', '-o', 'program')
    listing = place.command('objdump', '-d', 'program')
    at = {name: int(address, 16) for address, name in re.findall('^([0-9a-f]+) <(.*)>:$', listing, re.M)}
    counted = re.search(r'<step>:\n(?:.*\n)*?.*mcount.*\n *([0-9a-f]+):', listing)
    low = min(at[name] for name in ('hot', 'worker', 'step', 'main')) & -64
    bins = [0] * 256
    for name, count in samples.items():
        bins[(at[name] + 3 - low) // 4] = count
    profile = Profile(64, '<').histogram(low, low + 1024, bins)
    place.write('gmon.out', profile.arc(at['main'] + 8, int(counted.group(1), 16), calls) if calls else profile)


def samples_in(path):
    """The sum of the bins of a profile as the GNU C library writes it, on machines of 64 bits."""
    with open(path, 'rb') as profile:
        data = profile.read()
    count, = struct.unpack_from('<I', data, 37)
    return sum(struct.unpack_from('<%dH' % count, data, 61))


def each(cases, check):
    """Makes each case that the command line names, or all, and has it checked; the exit status.

    A case is (function that fills a place, name, more words for the check).
    """
    gprofx, tally = program_under_test(), Tally()
    for make, name, *more in cases:
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        with Place() as place:
            try:
                make(place)
            except NotBuilt as missing:
                print('skipped %s: %s is not installed' % (name, missing))
                continue
            check(tally, gprofx, place, name, *more)
    return tally.finish() if tally.passed else 1

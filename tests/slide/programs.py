# SPDX-License-Identifier: Apache-2.0
"""Programs with correct profiles of them: compiled and run on the spot, or written byte by byte.

Both kinds are made from seeds. Samples are put into the profiles here, since real ones differ from
run to run.
"""
import os
import struct
import subprocess

import compiled
from elfimage import MACHINES, Image
from gmonfile import ARC, HISTOGRAM, Profile
from lcg import Random

FUNCTIONS, ARCS = 20, 20        # fewer of them can be declined


class Recorded:
    """A profile taken apart; `bytes()` puts it together, its addresses moved."""

    def __init__(self, data, bits=64, order='<'):
        self.bits, self.order, self.ranges, self.arcs = bits, order, [], []
        pair, head = order + ('QQ' if bits == 64 else 'II'), bits // 4
        at = 20
        while at < len(data):
            low, high = struct.unpack_from(pair, data, at + 1)
            if data[at] == HISTOGRAM:
                count, rate = struct.unpack_from(order + 'II', data, at + 1 + head)
                at += 25 + head
                bins = list(struct.unpack_from('%s%dH' % (order, count), data, at))
                self.ranges.append((low, high, bins, rate))
                at += 2 * count
            else:
                assert data[at] == ARC
                self.arcs.append((low, high, struct.unpack_from(order + 'I', data, at + 1 + head)[0]))
                at += 5 + head

    def sample(self, random, low, high):
        """Puts new samples into bins between two addresses."""
        for start, end, bins, _ in self.ranges:
            width = (end - start) // len(bins) or 1
            bins[:] = [0] * len(bins)
            for _ in range(200):
                at = (low + random.below(high - low) - start) // width
                if 0 <= at < len(bins):
                    bins[at] += 1 + random.below(20)
        return self

    def bytes(self, arcs_by=0, ranges_by=None):
        out = Profile(self.bits, self.order)
        ranges_by = arcs_by if ranges_by is None else ranges_by
        for low, high, bins, rate in self.ranges:
            out.histogram(low + ranges_by, high + ranges_by, bins, rate)
        for caller, callee, count in self.arcs:
            out.arc(caller + arcs_by, callee + arcs_by, count)
        return out.bytes()


class Made:
    """An image in a file, a profile of it, and the addresses of its functions."""

    def __init__(self, name, path, recorded, layout):
        self.name, self.path, self.recorded, self.layout = name, path, recorded, layout


def statement(random):
    return random.pick((
        'x = x * %d + sink;', 'x ^= x >> %d;', 'sink += x %% %d;',
        'for (unsigned i = 0; i < (x & %d); i++) sink += i;',
        'double d = x; sink += (unsigned)(d * %d.5);', 'unsigned v[%d] = {x}; sink += v[x & 1];',
        'if (x & %d) sink ^= x;')) % random.between(2, 15)


def source(seed, count, changed=None):
    """A C program whose functions call some of those behind them; one can have one line more."""
    random = Random(seed)
    most = random.pick((2, 6, 12))
    text = ['static volatile unsigned sink;']
    text += ['__attribute__((noinline, noclone)) unsigned f%d(unsigned x);' % i
             for i in range(count)]
    for i in range(count):
        lines = ['static unsigned calls;', 'if (calls++ > 40) return calls;']
        lines += ['{ %s }' % statement(random) for _ in range(random.between(1, most))]
        behind = {i + 1} | {random.between(i + 1, count) for _ in range(random.below(4))}
        lines += ['x += f%d(x);' % j for j in sorted(behind) if j < count]
        if i == changed:
            lines.append('for (unsigned i = 0; i < x % 7; i++) sink += i * x;')
        text.append('unsigned f%d(unsigned x)\n{\n\t%s\n\treturn x + sink;\n}'
                    % (i, '\n\t'.join(lines)))
    more = '' if changed != count else '\tsink = f1(2) * 3;\n'
    text.append('int main(void)\n{\n%s\treturn f0(1) == 12345;\n}' % more)
    return '\n'.join(text) + '\n'


class Compiler:
    """Makes programs in a folder; `skipped` lists what the tools here cannot make."""

    def __init__(self, folder):
        self.folder, self.made, self.skipped = folder, 0, []

    def _layout(self, path):
        listing = subprocess.run(['nm', path], stdout=subprocess.PIPE, check=True).stdout
        rows = [line.split() for line in listing.decode().splitlines()]
        return sorted((int(r[0], 16), r[2]) for r in rows if len(r) == 3 and r[1] in 'tTwW')

    def make(self, name, files, command):
        """The program compiled from files that are there, or None."""
        path = os.path.join(self.folder, 'program%d' % self.made)
        self.made += 1
        try:
            compiled.build(command, files, path)
        except compiled.NotMade:
            self.skipped.append(name)
            return None
        recorded = Recorded(compiled.profile_of(path, os.path.join(self.folder, 'run')))
        layout = self._layout(path)
        called = [address for address, _ in layout]
        recorded.sample(Random(self.made), min(called), max(called))
        assert len(layout) >= FUNCTIONS and len(recorded.arcs) >= ARCS, name
        return Made(name, path, recorded, layout)

    def generated(self, seed, count, command, changed=None):
        path = os.path.join(self.folder, 's%d-%d-%s.c' % (seed, count, changed))
        with open(path, 'w') as f:
            f.write(source(seed, count, changed))
        return self.make('%s of %d functions, seed %d, changed %s' % (
            ' '.join(command), count, seed, changed), [path], command)


def synthetic(folder, seed):
    """An image without code, and a profile whose callees all lie at one distance past entries."""
    random = Random(seed)
    machine = random.pick(('x86_64', 'ppc', 'mipsel', 'mips', 'aarch64', 'i386', 's390x'))
    _, bits, order, _ = MACHINES[machine]
    image = Image(machine)
    count, align = random.between(FUNCTIONS, 200), random.pick((4, 16))
    base = random.pick((0x1000, 0x401000, 0x10000, 0x80001000 if bits == 32 else 0x140001000))
    sizes = [align * random.between(32 // align, 400 // align) for _ in range(count)]
    starts = [base + random.below(16) * align + sum(sizes[:i]) for i in range(1)]
    for size in sizes:
        starts.append(starts[-1] + size)
    end = starts[-1] + 64
    image.section('.text', base, bytes([0x90]) * (end - base))
    for i, (start, size) in enumerate(zip(starts, sizes)):
        image.symbol('f%d' % i, start, size)
    image.symbol('zz_end', end - 64 + 2, 8)
    path = os.path.join(folder, 'synthetic%d' % seed)
    with open(path, 'wb') as f:
        f.write(image.bytes())
    past = random.pick((0, 4, 8, 12, 16, 24))
    profile = Profile.of(image)
    if random.chance(80):
        profile.histogram(base, end, [0] * ((end - base) // 4))
    for i in range(1, count):
        for _ in range(random.between(1, 3)):
            caller = starts[random.below(i)]
            profile.arc(caller + 4, starts[i] + past, random.between(1, 999))
    profile = Recorded(profile.bytes(), bits, order).sample(random, starts[0], starts[-1])
    return Made('synthetic %s, seed %d' % (machine, seed), path, profile,
                sorted(zip(starts, ['f%d' % i for i in range(count)])))

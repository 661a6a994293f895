# SPDX-License-Identifier: Apache-2.0
"""Programs of many small functions whose true times are known, and profiles of them in bins that functions share.

Code is sampled here, by a density that is known for each byte: a function has blocks, of which the first and the
last run with each call, and those between can be loops or branches. A sample is taken at the start of an
instruction.
"""
import bisect
import csv
import os
import random
import re
import shutil
import subprocess

from elfimage import FUNC, GLOBAL, Image
from gmonfile import Profile

LOW = 0x401000
FILLS = [b'\x90', b'\x66\x90', b'\x0f\x1f\x00', b'\x0f\x1f\x40\x00', b'\x0f\x1f\x44\x00\x00',
         b'\x66\x0f\x1f\x44\x00\x00', b'\x0f\x1f\x80\x00\x00\x00\x00', b'\x0f\x1f\x84\x00\x00\x00\x00\x00',
         b'\x66\x0f\x1f\x84\x00\x00\x00\x00\x00', b'\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00']
CODE = [b'\x55', b'\x01\xc0', b'\x48\x89\xe5', b'\x8b\x45\xfc', b'\x83\xc0\x01', b'\x0f\xaf\x45\xf8',
        b'\x05\x01\x00\x00\x00']


def fill(rng, count):
    """Bytes that do nothing."""
    if rng.random() < 0.2:
        return b'\xcc' * count
    out = b''
    while len(out) < count:
        out += FILLS[min(count - len(out), len(FILLS)) - 1]
    return out


class Layout:
    """A random program: `image`, `truth` as samples per function, and `bins` of `width` bytes."""

    def __init__(self, seed, functions=150, samples=None):
        rng = random.Random(seed)
        self.align = rng.choice([1, 1, 1, 2, 4, 8, 16])
        self.width = rng.choice([4, 4, 4, 8, 16, 32])
        self.samples = samples or rng.choice([300, 1000, 3000, 10000])
        most = rng.choice([30, 60, 120])
        code, symbols, density = bytearray(), [], {}
        for i in range(functions):
            code += fill(rng, -len(code) % self.align)
            start = len(code)
            calls = rng.lognormvariate(0, 3) if rng.random() < 0.6 else 0
            blocks = rng.randint(1, 4)
            for block in range(blocks):
                inner = 0 < block < blocks - 1
                times = calls * (rng.lognormvariate(0, 2) if inner else 1)
                for _ in range(rng.randint(1, max(1, most // blocks // 3))):
                    density[LOW + len(code)] = times * rng.choice([1, 1, 1, 1, 3])
                    code += rng.choice(CODE)
            density[LOW + len(code)] = calls
            code += b'\xc3'
            # As the start and the end of programs do, some functions do not say how long they are.
            symbols.append((i, start, 0 if rng.random() < 0.1 else len(code) - start))
        code += fill(rng, -len(code) % 32) if self.align > 1 else b''
        self.image = Image('x86_64').section('.text', LOW, bytes(code))
        for i, start, size in symbols:
            self.image.symbol('f%d' % i, LOW + start, size, bind=GLOBAL, kind=FUNC)
        places = list(density)
        # Bins begin anywhere, or are those of the GNU C library, a little less than 4 bytes wide.
        self.low = LOW - rng.randrange(0, self.width)
        self.high = self.low + -(-(LOW + len(code) - self.low) // self.width) * self.width
        count, scale = (self.high - self.low) // self.width, 0
        if self.width == 4 and rng.random() < 0.7:
            count = (count * 2 + 7) // 8 * 8 // 2
            scale = 65536 * count * 2 // (self.high - self.low)
        self.bins = [0] * count
        self.truth = {'f%d' % i: 0 for i, _, _ in symbols}
        owner, at = {}, 0
        for place in places:
            while at + 1 < len(symbols) and LOW + symbols[at + 1][1] <= place:
                at += 1
            owner[place] = 'f%d' % at
        for place in rng.choices(places, [density[p] + 1e-9 for p in places], k=self.samples):
            self.truth[owner[place]] += 1
            offset = place - self.low
            self.bins[offset // 2 * scale // 65536 if scale else offset // self.width] += 1

    def write(self, program, profile):
        with open(program, 'wb') as out:
            out.write(self.image.bytes())
        with open(profile, 'wb') as out:
            out.write(Profile.of(self.image).histogram(self.low, self.high, self.bins).bytes())


def measured(gprofx, program, profile, *options):
    """The samples of each function as the flat profile has them."""
    out = subprocess.run([gprofx, '-b', '--no-findings', '--output=csv', *options, program, profile],
                         check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(out.splitlines()))
    return {row['name']: float(row['self_ticks']) for row in rows}


def error(found, truth):
    """How many samples are with the wrong function, both ways, as a part of all."""
    names = set(found) | set(truth)
    return sum(abs(found.get(n, 0) - truth.get(n, 0)) for n in names) / sum(truth.values())


def compare(gprofx, seeds, work='.'):
    """The errors by likelihood and by bytes of each layout; what all functions have must be all samples."""
    rows = []
    for seed in seeds:
        layout = Layout(seed)
        program, profile = work + '/program', work + '/profile'
        layout.write(program, profile)
        likely = measured(gprofx, program, profile)
        bytewise = measured(gprofx, program, profile, '--correct=no-shared-bins')
        for found in likely, bytewise:
            assert sum(found.values()) == layout.samples, (seed, sum(found.values()), layout.samples)
        rows.append((seed, error(likely, layout.truth), error(bytewise, layout.truth), layout))
    return rows


def source(rng, functions=120):
    """A C program of small functions that call each other; what it does is known to the processor alone."""
    out = ['#include <stdio.h>', 'volatile unsigned sink;']
    for i in range(functions):
        body = ['unsigned s = x + %d;' % i]
        for _ in range(rng.randint(0, 3)):
            body.append(rng.choice([
                's ^= s << %d;' % rng.randint(1, 15), 's += sink;', 'if (s & %d) s *= 3;' % (1 << rng.randint(0, 5)),
                'for (unsigned i = 0; i < %d; i++) s += i ^ sink;' % rng.choice([2, 8, 40])]))
        if i > 0 and rng.random() < 0.7:
            body.append('s += f%d(s);' % rng.randrange(max(0, i - 12), i))
        out.append('%s unsigned __attribute__((noinline)) f%d(unsigned x)\n{\n\t%s\n\treturn s;\n}'
                   % (rng.choice(['static', '']), i, '\n\t'.join(body)))
    calls = ['\tfor (unsigned k = 0; k < %d; k++) sink += f%d(k);'
             % (int(rng.lognormvariate(3, 2)) + 1, rng.randrange(functions)) for _ in range(40)]
    return '\n'.join(out) + '\nint main(void)\n{\n%s\n\treturn 0;\n}\n' % '\n'.join(calls)


def executed(program, work):
    """How often each instruction of a program was executed, by callgrind."""
    counts, out = {}, work + '/callgrind'
    subprocess.run(['valgrind', '-q', '--tool=callgrind', '--dump-instr=yes', '--compress-pos=no',
                    '--compress-strings=no', '--callgrind-out-file=' + out, program],
                   check=True, capture_output=True)
    is_ours = is_call = False
    with open(out) as rows:
        for row in rows:
            if row.startswith('ob='):
                is_ours = row.strip().endswith('/' + os.path.basename(program))
            elif row.startswith('calls='):
                is_call = True
            elif row.startswith('0x') and is_call:
                is_call = False
            elif row.startswith('0x') and is_ours:
                address, _, count = row.split()
                counts[int(address, 16)] = counts.get(int(address, 16), 0) + int(count)
    return counts


def compare_real(gprofx, seed, count, work='.'):
    """As compare(), of compiled programs; none where there are no tools."""
    rows = []
    if not shutil.which('valgrind') or not shutil.which('gcc') or os.uname().machine != 'x86_64':
        return rows
    for number in range(seed, seed + count):
        rng = random.Random(number)
        program, profile = work + '/real', work + '/profile'
        compiler = rng.choice([c for c in ('gcc', 'clang') if shutil.which(c)])
        flags = [rng.choice(['-Os', '-O1', '-O2']), rng.choice(['-falign-functions=1', '-falign-functions=4', '-g'])]
        with open(program + '.c', 'w') as out:
            out.write(source(rng))
        subprocess.run([compiler, '-no-pie', '-o', program, program + '.c', *flags], check=True, capture_output=True)
        symbols = sorted((int(row.split()[0], 16), row.split()[-1])
                         for row in subprocess.run(['nm', program], check=True, capture_output=True,
                                                   text=True).stdout.splitlines()
                         if len(row.split()) == 3 and row.split()[1] in 'tTwW')
        first = dict(reversed([(a, n) for a, n in symbols]))
        starts, names = sorted(first), {}
        for address, name in symbols:
            names.setdefault(name, first[address])
        low, high = starts[0] & ~3, (starts[-1] + 67) & ~3
        counts = {a: n for a, n in executed(program, work).items() if low <= a < high}
        width, samples = rng.choice([4, 4, 8, 16]), rng.choice([300, 1000, 3000, 10000])
        shift = rng.randrange(width)
        low -= shift
        high += -(high - low) % width
        bins, truth = [0] * ((high - low) // width), {}
        for place in rng.choices(list(counts), list(counts.values()), k=samples):
            bins[(place - low) // width] += 1
            owner = first[starts[bisect.bisect_right(starts, place) - 1]]
            truth[owner] = truth.get(owner, 0) + 1
        with open(profile, 'wb') as out:
            out.write(Profile(64).histogram(low, high, bins).bytes())
        found = []
        for options in [], ['--correct=no-shared-bins']:
            merged = {}
            for name, ticks in measured(gprofx, program, profile, *options).items():
                merged[names.get(name, name)] = merged.get(names.get(name, name), 0) + ticks
            assert abs(sum(merged.values()) - samples) < 1e-6, (number, sum(merged.values()), samples)
            found.append(error(merged, truth))
        rows.append((number, found[0], found[1], (compiler, flags, width, samples)))
    return rows


def instructions(program, low, high):
    """Where instructions start, by the disassembler."""
    out = subprocess.run(['objdump', '-d', '--no-show-raw-insn', '--start-address=%d' % low, '--stop-address=%d' % high,
                          program], check=True, capture_output=True, text=True).stdout
    return [int(row.split(':')[0], 16) for row in out.splitlines() if row[:1] == ' ' and ':' in row]


def functions_of(program):
    """Addresses and names of functions; one name for each address."""
    out = subprocess.run(['nm', program], check=True, capture_output=True, text=True).stdout
    rows = [row.split() for row in out.splitlines() if len(row.split()) == 3]
    return sorted({int(r[0], 16): r[2] for r in rows if r[1] in 'tTwW'}.items())


def compare_neighbors(gprofx, seed, work='.'):
    """As compare(), of programs by all compilers there are in all their ways, whose own functions alone are sampled:
    what the C library puts before and between them has no time."""
    rows = []
    if not shutil.which('objdump') or os.uname().machine != 'x86_64':
        return rows
    for compiler in [c for c in ('gcc', 'g++', 'clang', 'clang++') if shutil.which(c)]:
        for level in ('-O0', '-O1', '-O2', '-O3'):
            for link in (['-no-pie'], ['-fPIE', '-pie'], ['-static', '-no-pie']):
                rng = random.Random('%d %s %s %s' % (seed, compiler, level, link))
                program, profile = work + '/way', work + '/profile'
                file = program + ('.cc' if compiler.endswith('+') else '.c')
                with open(file, 'w') as out:
                    out.write(source(rng, 12))
                subprocess.run([compiler, '-w', '-o', program, file, level, rng.choice(['-gdwarf-4', '-g0']), *link],
                               check=True, capture_output=True)
                symbols = functions_of(program)
                starts, names = [a for a, _ in symbols], [n for _, n in symbols]
                ours = [i for i, n in enumerate(names) if n == 'main' or re.match(r'(_ZL?\d+)?f\d+(j|$)', n)]
                places, truth = {}, {}
                for i in ours:
                    heat = rng.lognormvariate(0, 2)
                    places.update((p, heat) for p in instructions(program, starts[i], starts[i + 1]))
                low, high = starts[ours[0]] - 0x100 & ~3, (starts[ours[-1] + 1] + 0x100) & ~3
                count = ((high - low) // 2 + 7) // 8 * 8 // 2
                scale = 65536 * count * 2 // (high - low)
                bins = [0] * count
                for place in rng.choices(list(places), list(places.values()), k=1000):
                    bins[(place - low) // 2 * scale // 65536] += 1
                    owner = names[bisect.bisect_right(starts, place) - 1]
                    truth[owner] = truth.get(owner, 0) + 1
                with open(profile, 'wb') as out:
                    out.write(Profile(64).histogram(low, high, bins).bytes())
                found = [error(measured(gprofx, program, profile, '--slide=none', '--no-demangle', *more), truth)
                         for more in ([], ['--correct=no-shared-bins'])]
                rows.append(('%s %s %s' % (compiler, level, link[-1]), *found, None))
    return rows

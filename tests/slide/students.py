# SPDX-License-Identifier: Apache-2.0
"""Small programs, as they are written in courses, with correct profiles of them.

Native ones are compiled and run. Those for Windows cannot run here: what calls what is read from
the disassembled program, and the profile is put together as the runtime of MinGW lays it out.
"""
import os
import re
import struct
import subprocess

import compiled
from gmonfile import Profile, bsd_profile
from lcg import Random
from programs import Recorded

NATIVE = [[compiler, level, *more]
          for compiler in ('gcc', 'clang') for level in ('-O0', '-O1', '-O2', '-O3', '-Os')
          for more in ([], ['-static'], ['-no-pie', '-fno-pie'])]
NATIVE += [['gcc', '-O2', '-mfentry'], ['gcc', '-O0', '-fcf-protection'], ['gcc', '-O2', '-static-pie'],
           ['gcc', '-O1', '-g', '-fno-plt'], ['gcc', '-O2', '-falign-functions=32']]
WINDOWS = [[machine + '-w64-mingw32-gcc', level]
           for machine in ('x86_64', 'i686') for level in ('-O0', '-O1', '-O2', '-O3')]

BODIES = (
    'for (unsigned i = 0; i < (x & %d) + 3; i++) sink += i * x;',
    'unsigned v[%d] = {x}; for (int i = 0; i < %d; i++) v[i] += i; sink += v[x & 1];',
    'x = x * %d + sink;', 'x ^= x >> %d; sink += x;', 'if (x & %d) sink ^= x; else sink += %d;',
    'double d = x; d = d * %d.5 + 1; sink += (unsigned)d;',
    'switch (x %% %d) { case 0: sink++; break; case 1: sink += x; break; case 2: x += 7; }',
    'while (x > %d) { x /= 3; sink += x; }', 'sink += x %% %d;',
)
NAMES = ('swap', 'insert', 'push', 'pop', 'compute', 'factorial', 'fill', 'sum', 'sort', 'find',
         'merge', 'step', 'area', 'mean', 'hash', 'reset')


def statements(random, most):
    rows = []
    for _ in range(random.between(1, most)):
        body = random.pick(BODIES)
        numbers = body.replace('%%', '').count('%')
        rows.append('{ %s }' % (body % ((random.between(2, 15),) * numbers)))
    return rows


def source(seed, count, changed=None):
    """A C program of main and `count` functions, each of which is called.

    changed: the number of a function that has one statement more, `count` for main.
    """
    random = Random(seed)
    names = random.sample(NAMES, count)
    text = ['#include <stdio.h>', 'static volatile unsigned sink;']
    text += ['__attribute__((noinline)) unsigned %s(unsigned x);' % name for name in names]
    text += ['unsigned (*volatile chosen)(unsigned) = %s;' % names[-1]]
    order = list(range(count)) if random.chance(50) else random.sample(range(count), count)
    bodies, called = {}, set()
    for i in range(count):
        lines = ['static unsigned calls;', 'if (calls++ > 40) return calls;']
        lines += statements(random, 4)
        if i == changed:
            lines += statements(Random(seed + 1), 1)
        for j in range(i + 1, count):
            if random.chance(100 // count):
                called.add(j)
                lines.append('x += %s(x + %d);' % (names[j], random.below(4)))
        if random.chance(10):
            lines.append('if (x & 1) x += %s(x / 2);' % names[i])
        lines.append('return x + sink;' if random.chance(80) or i + 1 == count
                     else 'return %s(x);' % names[-1])
        bodies[i] = 'unsigned %s(unsigned x)\n{\n\t%s\n}' % (names[i], '\n\t'.join(lines))
    main = ['unsigned x = 1;']
    if random.chance(30):
        main.append('printf("start\\n");')
    for i in range(count):
        if i not in called or random.chance(30):
            main.append('x += %s(x %% 9);' % names[i])
    if random.chance(20):
        main.append('x += chosen(3);')
    if changed == count:
        main += statements(Random(seed + 1), 1)
    if random.chance(70):
        main.append('printf("%u\\n", x);')
    parts = [bodies[i] for i in order]
    parts.insert(len(parts) if random.chance(70) else 0,
                 'int main(void)\n{\n\t%s\n\treturn 0;\n}' % '\n\t'.join(main))
    return '\n'.join(text + parts) + '\n'


class BsdRecorded(Recorded):
    """One histogram and arcs as systems with the header of 4.4BSD write them."""

    def __init__(self, bits, low, high, bins, arcs):
        self.bits, self.order = bits, '<'
        self.ranges, self.arcs = ([(low, high, bins, 100)] if bins else []), arcs

    def bytes(self, arcs_by=0, ranges_by=None):
        if not self.ranges:
            return super().bytes(arcs_by, ranges_by)
        mask = (1 << self.bits) - 1
        (low, high, bins, rate), = self.ranges
        ranges_by = arcs_by if ranges_by is None else ranges_by
        return bsd_profile(low + ranges_by & mask, high + ranges_by & mask, bins,
                           [(a + arcs_by & mask, b + arcs_by & mask, n) for a, b, n in self.arcs],
                           self.bits, rate=rate)


class Student:
    """A program in a file, its profile, and what tells it from others."""

    def __init__(self, name, path, recorded, layout, page, recipe):
        self.name, self.path, self.recorded = name, path, recorded
        self.layout, self.page, self.recipe = layout, page, recipe
        self.called = len({callee for _, callee, _ in recorded.arcs})


def symbols_of(path, nm='nm'):
    listing = subprocess.run([nm, path], stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = [line.split() for line in listing.splitlines()]
    return sorted((int(r[0], 16), r[2]) for r in rows if len(r) == 3 and r[1] in 'tTwW')


def windows_profile(path, command, names):
    """What MinGW's runtime would record if every direct call were made; None: hardly any."""
    prefix = command[0][:-len('gcc')]
    symbols = symbols_of(path, prefix + 'nm')
    at = {name: address for address, name in symbols}
    low, high = at['__eprol'] & ~3, at['etext'] + 3 & ~3
    under = '' if 'x86_64' in prefix else '_'
    ours = {under + name for name in names}
    listing = subprocess.run([prefix + 'objdump', '-d', path], stdout=subprocess.PIPE).stdout.decode()
    inside, pending, hooks, calls = None, None, {}, []
    for line in listing.splitlines():
        start = re.match(r'([0-9a-f]+) <(.*)>:$', line)
        code = re.match(r' *([0-9a-f]+):\t[0-9a-f ]+\t?(.*)', line)
        if start:
            inside, pending = start.group(2), None
        elif code:
            address = int(code.group(1), 16)
            if code.group(2) and pending:
                caller, target = pending
                pending = None
                if caller in ours and target in ('_mcount', 'mcount', '__fentry__'):
                    hooks.setdefault(caller, address)
                else:
                    calls.append((caller, address, target))
            found = re.match(r'call[lq]? +[0-9a-f]+ <([^>+]*)>', code.group(2))
            if found:
                pending = inside, found.group(1)
    arcs = {}
    for caller, back, target in calls:
        if target in hooks and low <= back < high:
            key = low + (back - low) // 4 * 4, hooks[target]
            arcs[key] = arcs.get(key, 0) + 1 + back % 7
    bins = [0] * ((high - low) // 4)
    return BsdRecorded(64 if 'x86_64' in prefix else 32, low, high, bins,
                       [(a, b, n) for (a, b), n in sorted(arcs.items())]), at


class Course:
    """Makes programs in a folder; `missing` lists commands that cannot make any."""

    def __init__(self, folder):
        self.folder, self.made, self.missing = folder, 0, set()
        self.run_in = os.path.join(folder, 'run')

    def program(self, seed, count, command, changed=None):
        """A program of `count` functions beside main, or None: it cannot be made."""
        path = os.path.join(self.folder, 'student%d.exe' % self.made)
        self.made += 1
        text = source(seed, count, changed)
        try:
            compiled.build_text(command, text, path)
        except compiled.NotMade:
            self.missing.add(' '.join(command))
            return None
        random, page, name = Random(seed), 4096, '%s, seed %d changed %s' % (' '.join(command), seed, changed)
        names = re.findall(r'\n(?:unsigned|int) (\w+)\([^;]*\)\n', text)
        if 'mingw' in command[0]:
            recorded, at = windows_profile(path, command, names)
            page = 65536
        else:
            recorded = Recorded(compiled.profile_of(path, self.run_in))
            at = {symbol: address for address, symbol in symbols_of(path)}
        ours = sorted(at[n] if n in at else at['_' + n] for n in names)
        recorded.sample(random, ours[0], ours[-1] + 32)
        end = at.get('etext')
        return Student(name, path, recorded, (ours, end), page, (seed, count, command))

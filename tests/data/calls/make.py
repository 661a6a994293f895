#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures here, with the cross compilers and the binutils of each target.

    make.py [TARGET...]

Needs, of each target, gcc and binutils; the host is x86-64 Debian 12.

One program of many functions that call each other, made up by lot and the same for all, is compiled
and linked for each target. What is kept is the program, without what nobody needs of it, and the
calls that the target's objdump finds in it. Those of VAX are made by vax.py.
"""
import lzma
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, os.pardir, 'tools'), HERE]

from lcg import Random                                              # noqa: E402
from calltargets import TARGETS, pack_calls                         # noqa: E402

FUNCTIONS = 160
OPTIONS = ['-O2', '-fno-pie', '-no-pie', '-ffunction-sections', '-fno-ipa-icf', '-nostdlib',
           '-static', '-Wl,-e,main', '-Wl,--build-id=none', '-fno-asynchronous-unwind-tables']
LINE = re.compile(r'^\s*([0-9a-f]+):\t(\S+)(?:\s+(.*))?$')
TARGET = re.compile(r'(?:^|[\s,])(?:0x)?([0-9a-f]+)(?: <[^>]*>)?\s*$')


def function(r, i):
    """The source of one; static ones are called by those behind them."""
    def call(argument):
        return 'f%d(%s)' % (r.below(FUNCTIONS), argument)
    body = ['\tlong y = x + 0x%xL;' % r.below(1 << 31)]
    for _ in range(r.between(1, 4)):
        body.append(r.pick(('\ty += %s;', '\tif (y %% 7 == 3)\n\t\ty ^= %s;')) % call('y'))
    if r.chance(30):
        body.append('\tswitch (y %% 11) {\n%s\t}' % ''.join(
            '\tcase %d:\n\t\ty += %s;\n\t\tbreak;\n' % (k, call('y ^ %d' % r.below(1 << 30)))
            for k in range(8)))
    if r.chance(20):
        body.append('\ty += pointers[y & 3](y);')
    last = r.pick(('return y;', 'return %s + y;' % call('y'), 'return %s;' % call('y'),
                   'if (y & 64)\n\t\treturn %s;\n\treturn y * 3;' % call('y + 1')))
    return 'NOINLINE long f%d(long x)\n{\n%s\n\t%s\n}\n' % (i, '\n'.join(body), last)


def source():
    r = Random(2026)
    lines = ['#define NOINLINE __attribute__((noinline, noclone))\n',
             'extern long (*volatile pointers[4])(long);\n']
    lines += ['long f%d(long x);\n' % i for i in range(FUNCTIONS)]
    lines += [function(r, i) for i in range(FUNCTIONS)]
    lines.append('long (*volatile pointers[4])(long) = {f1, f2, f3, f4};\n')
    lines.append('int main(void)\n{\n\treturn (int)f0(1);\n}\n')
    return ''.join(lines)


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


def symbols(target, program):
    """[(address, size)] of functions, ascending; where a function's code begins."""
    found = []
    for line in run(target.triplet + '-nm', '-S', program).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in 'Tt':
            found.append((int(fields[0], 16), int(fields[1], 16)))
    return sorted(set(found))


def find_calls(target, program):
    """{(function that calls, function that is called, kind)}, by addresses."""
    places = symbols(target, program)
    starts = {address for address, _ in places}
    calls = set()
    for line in run(target.triplet + '-objdump', '-d', '-z', '--no-show-raw-insn',
                    program).splitlines():
        match = LINE.match(line)
        kind = match and target.kind_of(match.group(2), match.group(3) or '')
        aim = kind and TARGET.search(re.split(r'\s*[@;#!]', match.group(3) or '')[0])
        if not aim:
            continue
        at, to = int(match.group(1), 16), int(aim.group(1), 16)
        if to not in starts and to - target.local_entry in starts:
            to -= target.local_entry
        caller = [a for a, size in places if a <= at < a + size]
        if to in starts and caller and not (kind == 'tail' and caller[-1] == to):
            calls.add((caller[-1], to, kind))
    return calls


def make(target):
    with tempfile.TemporaryDirectory() as place:
        path, program = os.path.join(place, 'calls.c'), os.path.join(place, 'calls')
        with open(path, 'w') as f:
            f.write(source())
        run(target.triplet + '-gcc', *OPTIONS, *target.options, '-o', program, path)
        run(target.triplet + '-strip', '--strip-debug', '-R', '.comment', program)
        calls = find_calls(target, program)
        with open(program, 'rb') as f:
            data = f.read()
    for name, contents in ((target.name + '.xz', data),
                           (target.name + '.calls.xz', pack_calls(calls))):
        with open(os.path.join(HERE, name), 'wb') as f:
            f.write(lzma.compress(contents, preset=9 | lzma.PRESET_EXTREME))
    kinds = [kind for _, _, kind in calls]
    print('%s: %d calls, %d tail calls' % (target.name, kinds.count('call'), kinds.count('tail')))


def main(names):
    for target in TARGETS:
        if target.triplet and (not names or target.name in names):
            make(target)


if __name__ == '__main__':
    main(sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures here, with the cross compilers and the binutils of each target.

    make.py [TARGET...]

Needs, of each target, gcc and binutils; the host is x86-64 Debian 12.

One program of many functions that call each other, made up at random and the same for all, is compiled
and linked for each target. What is kept is the program, without what nobody needs of it, and the
calls that the target's objdump finds in it. Those of VAX are made by vax.py.

The programs of the table LINKED call functions of a library, too. Which these are the disassembly
shows, by the names that objdump gives to stubs; where code calls without stubs, and where addresses
of functions are taken, the relocations of the object file tell.
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
from calltargets import LINKED, TARGETS, pack_calls                         # noqa: E402

FUNCTIONS = 160
CALLERS, IMPORTED, TAKEN = 80, 40, 30
OPTIONS = ['-O2', '-fno-pie', '-no-pie', '-ffunction-sections', '-fno-ipa-icf', '-nostdlib',
           '-static', '-Wl,-e,main', '-Wl,--build-id=none', '-fno-asynchronous-unwind-tables']
LINKED_OPTIONS = ['-O2', '-ffunction-sections', '-fno-ipa-icf', '-nostdlib', '-Wl,-e,main',
                  '-Wl,--build-id=none', '-Wl,-z,lazy', '-fno-asynchronous-unwind-tables']
STUB = re.compile(r'<(?:[0-9a-f]+\.(?:\w+\.)?plt_\w+\.)?(g\d+)(?:@plt)?(?:\+0x[0-9a-f]+)?>')
RELOCATION = re.compile(r'^[0-9a-f]+\s+[A-Z]\w+\s+\.?([gh]\d+)\b')
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


def caller(r, i):
    """One that calls functions of the library, and mostly takes the address of another function."""
    body = ['\tlong y = x + 0x%xL;' % r.below(1 << 31)]
    for _ in range(r.between(1, 3)):
        body.append(r.pick(('\ty += g%d(y);', '\tif (y %% 7 == 3)\n\t\ty ^= g%d(y);')) %
                    r.below(IMPORTED))
    if r.chance(70):
        body.append('\tpointer = h%d;' % r.below(TAKEN))
    last = r.pick(('return y;', 'return g%d(y);' % r.below(IMPORTED),
                   'return f%d(y) + g%d(y);' % (r.below(CALLERS), r.below(IMPORTED))))
    return 'NOINLINE long f%d(long x)\n{\n%s\n\t%s\n}\n' % (i, '\n'.join(body), last)


def linked_source():
    r = Random(2027)
    lines = ['#define NOINLINE __attribute__((noinline, noclone))\n',
             'long (*volatile pointer)(long);\n']
    lines += ['long f%d(long x);\n' % i for i in range(CALLERS)]
    lines += ['long g%d(long x);\n' % i for i in range(IMPORTED)]
    lines += ['NOINLINE __attribute__((visibility("hidden"))) long h%d(long x)\n'
              '{\n\treturn x + %d;\n}\n' % (i, i) for i in range(TAKEN)]
    lines += [caller(r, i) for i in range(CALLERS)]
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


def related(target, path):
    """{(caller, imported or taken function)}, by the relocations of an object file."""
    found, function = set(), None
    for line in run(target.triplet + '-objdump', '-r', path).splitlines():
        section = re.match(r'^RELOCATION RECORDS FOR \[(?:\.text\.(\w+))?', line)
        match = RELOCATION.match(line)
        if section:
            function = section.group(1)
        elif match and function:
            found.add((function, match.group(1)))
    return found


def find_linked(target, program, object_file):
    """{(address of the caller, name of the callee, kind)}"""
    at = {}
    for line in run(target.triplet + '-nm', program).splitlines():
        fields = line.split()
        if len(fields) == 3:
            at[fields[2]] = int(fields[0], 16)
    pairs = related(target, object_file)
    calls = {(at[a], b, 'pointer') for a, b in pairs if b.startswith('h') and target.takes}
    if target.links == 'got':
        return calls | {(at[a], b, 'got') for a, b in pairs if b.startswith('g')}
    places = symbols(target, program)
    for line in run(target.triplet + '-objdump', '-d', '-z', '--no-show-raw-insn',
                    program).splitlines():
        match = LINE.match(line)
        aim = match and target.kind_of(match.group(2), match.group(3) or '') and STUB.search(line)
        if aim:
            address = int(match.group(1), 16)
            callers = [a for a, size in places if a <= address < a + size]
            calls.update((a, aim.group(1), 'plt') for a in callers[-1:])
    # A function that is called often can have the address of the stub in a register.
    return calls | {(at[a], b, 'pointer') for a, b in pairs
                    if b.startswith('g') and (at[a], b, 'plt') not in calls}


def make_linked(target):
    with tempfile.TemporaryDirectory() as place:
        def path(name):
            return os.path.join(place, name)
        with open(path('calls.c'), 'w') as f:
            f.write(linked_source())
        with open(path('library.c'), 'w') as f:
            f.write(''.join('long g%d(long x)\n{\n\treturn x * %d;\n}\n' % (i, i + 2)
                            for i in range(IMPORTED)))
        machine = [o for o in target.options if o.startswith('-m')]
        shared = machine + [o for o in target.options if o == '-Wl,--be8']
        run(target.triplet + '-gcc', '-O2', '-shared', '-fPIC', '-nostdlib', *shared,
            '-Wl,-soname,library.so', '-Wl,--build-id=none', '-o', path('library.so'),
            path('library.c'))
        words = [o for o in target.options if not o.startswith('-Wl') and not o.endswith('-pie')]
        run(target.triplet + '-gcc', *LINKED_OPTIONS[:3], *words,
            *[o for o in target.options if o == '-fno-pie'], '-fno-asynchronous-unwind-tables',
            '-c', '-o', path('calls.o'), path('calls.c'))
        run(target.triplet + '-gcc', *LINKED_OPTIONS, *target.options, '-o', path('calls'),
            path('calls.o'), path('library.so'))
        run(target.triplet + '-strip', '--strip-debug', '-R', '.comment', path('calls'))
        calls = find_linked(target, path('calls'), path('calls.o'))
        with open(path('calls'), 'rb') as f:
            data = f.read()
    keep(target, data, ''.join('%x %s %s\n' % call for call in sorted(calls)).encode())
    kinds = [kind for _, _, kind in calls]
    print('%s: %s' % (target.name, ', '.join('%d %s' % (kinds.count(k), k)
                                             for k in ('plt', 'got', 'pointer'))))


def keep(target, program, calls):
    for name, contents in ((target.name + '.xz', program), (target.name + '.calls.xz', calls)):
        with open(os.path.join(HERE, name), 'wb') as f:
            f.write(lzma.compress(contents, preset=9 | lzma.PRESET_EXTREME))


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
    keep(target, data, pack_calls(calls))
    kinds = [kind for _, _, kind in calls]
    print('%s: %d calls, %d tail calls' % (target.name, kinds.count('call'), kinds.count('tail')))


def main(names):
    for target in TARGETS:
        if target.triplet and (not names or target.name in names):
            make(target)
    for target in LINKED:
        if not names or target.name in names:
            make_linked(target)


if __name__ == '__main__':
    main(sys.argv[1:])

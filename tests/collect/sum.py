#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums of recordings (--sum): GNU gprof and gprofx say of the sum what gprofx says of the recordings, and what the sum
cannot hold is stated, to the last call and sample."""
import glob
import os
import re
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcfile                                          # noqa: E402
import gxcreader                                        # noqa: E402
from collected import BUILD, RECORD, check, compile_program, run_parts     # noqa: E402
from elfimage import NOBITS, Image                      # noqa: E402

GPROFX = os.path.join(BUILD, 'bin', 'gprofx')
GPROF = shutil.which('gprof')


def run(*words, folder):
    return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def calls_of(*words, folder):
    """Calls by function in a flat profile; self time of all."""
    calls = {}
    for line in run(*words, folder=folder).stdout.splitlines():
        row = re.match(r'\s*[\d.]+\s+[\d.]+\s+[\d.]+\s+(\d+)\s+.*?(\w+)$', line)
        if row:
            calls[row.group(2)] = int(row.group(1))
    return calls


def read_sum(path):
    """Samples, and calls, of a file in the format of GNU gprof."""
    with open(path, 'rb') as data:
        content = data.read()
    at, samples, calls = 20, 0, 0
    while at < len(content):
        tag, at = content[at], at + 1
        if tag == 0:
            bins = struct.unpack_from('<I', content, at + 16)[0]
            samples += sum(struct.unpack_from('<%dH' % bins, content, at + 40))
            at += 40 + 2 * bins
        else:
            calls += struct.unpack_from('<I', content, at + 16)[0]
            at += 20
    return samples, calls


def check_sum(what, program, recording, folder, expected):
    """The sum of all processes of a recording."""
    done = run(GPROFX, '--sum=sum', program, recording, folder=folder)
    check('%s: status' % what, done.returncode == 0, done.stderr)
    stated = re.search(r'warning\[sum\.program-only\]: sum: .*: (\d+) calls and (\d+) samples ', done.stderr)
    check('%s: stated' % what, stated is not None and '\n  hint: ' in done.stderr, done.stderr)
    files = [gxcreader.File(name) for name in glob.glob(os.path.join(folder, recording, '*.gxc'))]
    samples, calls = read_sum(os.path.join(folder, 'sum'))
    left = (int(stated.group(1)), int(stated.group(2))) if stated else (0, 0)
    check('%s: every call' % what, calls + left[0] == sum(sum(file.calls().values()) for file in files),
          '%d and %d' % (calls, left[0]))
    check('%s: every sample' % what, samples + left[1] == sum(file.samples() for file in files),
          '%d and %d' % (samples, left[1]))
    inside = sum(weight for file in files for weight, _, _, chain in file.stacks()
                 if file.linked(chain[0])[0] == os.path.join(folder, program))
    # Without code that has no symbol.
    check('%s: samples of the program' % what, samples == inside, '%d of %d' % (samples, inside))
    ways = [(GPROFX, '-b', '-p', program, 'sum'), (GPROFX, '-b', '-p', program, recording)]
    for way in ways + ([(GPROF, '-b', '-p', program, 'sum')] if GPROF else []):
        found = calls_of(*way, folder=folder)
        for name, number in expected.items():
            check('%s: %s on %s' % (what, os.path.basename(way[0]), name), found.get(name) == number,
                  '%s instead of %d' % (found.get(name), number))
    return left


def processes(folder):
    compile_program('forks.c', os.path.join(folder, 'forks'), '-O2', '-pg')
    run(RECORD, '-o', 'recorded', './forks', '30', folder=folder)
    check_sum('forks', 'forks', 'recorded', folder, {'leaf': 1000 + 30 * 50 + 7})


def libraries(folder):
    """Time and calls in a library are left out, in so many words."""
    with open(os.path.join(folder, 'in.c'), 'w') as out:
        out.write('long below(long n) { return n < 2 ? n : below(n - 1) + below(n - 2); }\n')
    with open(os.path.join(folder, 'out.c'), 'w') as out:
        out.write('long below(long n);\n'
                  '__attribute__((noinline)) void own(void) { for (volatile int i = 0; i < 100000; i++) { } }\n'
                  'int main(void) { for (int i = 0; i < 1000; i++) own(); return below(35) == 0; }\n')
    subprocess.run(['gcc', '-O1', '-pg', '-shared', '-fPIC', 'in.c', '-o', 'libin.so'], cwd=folder, check=True)
    subprocess.run(['gcc', '-O1', '-pg', 'out.c', '-o', 'out', './libin.so'], cwd=folder, check=True)
    run(RECORD, '-o', 'both', './out', folder=folder)
    left = check_sum('libraries', 'out', 'both', folder, {'own': 1000})
    # Those of Fibonacci numbers, and of main.
    check('libraries: calls', left[0] == 29860703 + 1, '%d' % left[0])
    check('libraries: samples', read_sum(os.path.join(folder, 'sum'))[0] > 0 and left[1] > 0)


def mixed(folder):
    """A file that is no recording has another histogram."""
    done = run(GPROFX, '--sum=other', 'out', 'both', 'sum', folder=folder)
    check('mixed: refused', done.returncode == 1 and 'error[sum.has-images]: other: ' in done.stderr
          and 'recordings alone' in done.stderr and not os.path.exists(os.path.join(folder, 'other')), done.stderr)


def waits(folder):
    """The format has room for one metric."""
    file = gxcfile.File(clock=3)
    image = Image('x86_64')
    image.section('.text', 0x1000, size=0x1000, kind=NOBITS)
    image.symbol('first', 0x1000, 0x100)
    with open(os.path.join(folder, 'waits'), 'wb') as out:
        out.write(image.bytes())
    file.program(os.path.join(folder, 'waits'), 0x1000, 0x2000)
    file.stacks([(0x1001, 0, 0, 3, 3)])
    file.waits([(0x1001, 0, 0, 3, 3)])
    with open(os.path.join(folder, 'waits.gxc'), 'wb') as out:
        out.write(file.bytes())
    done = run(GPROFX, '--sum=sum-waits', 'waits', 'waits.gxc', folder=folder)
    check('waits: refused', done.returncode == 1 and 'error[sum.several-metrics]: sum-waits: ' in done.stderr and
          'without --clock=wall' in done.stderr and not os.path.exists(os.path.join(folder, 'sum-waits')), done.stderr)


def ends(folder):
    """Code at both ends of all addresses has more bins than there can be; at the last one, none behind it."""
    top = 1 << 64
    for name, low, status in ('all', 0, 1), ('last', top - 16, 0):
        image = Image('x86_64')
        image.section('.text', low, size=top - 1 - low, kind=NOBITS)
        image.symbol('first', low + 1, 4)
        image.symbol('second', top - 8, 7)
        file = gxcfile.File()
        file.program(os.path.join(folder, name), low, top - 1)
        file.stacks([(low + 1, 0, 0, 3, 3), (top - 8, 1, 0, 4, 4), (top - 2, 1, 0, 5, 5)])
        for path, content in (name, image.bytes()), (name + '.gxc', file.bytes()):
            with open(os.path.join(folder, path), 'wb') as out:
                out.write(content)
        done = run(GPROFX, '--sum=sum-' + name, name, name + '.gxc', folder=folder)
        check('ends, %s: status' % name, done.returncode == status, done.stderr)
        if status:
            check('ends: refused', 'error[sum.too-large]: sum-all: the code of the program is from 0x0 to ' in done.stderr
                  and 'has room for 1024 MiB' in done.stderr, done.stderr)
            continue
        stated = re.search(r' calls and (\d+) samples ', done.stderr)
        samples = read_sum(os.path.join(folder, 'sum-' + name))[0]
        check('ends: every sample', stated and samples + int(stated.group(1)) == 12, done.stderr)
        done = run(GPROFX, '-b', '-p', name, 'sum-' + name, folder=folder)
        check('ends: read', 'second' in done.stdout and 'no-sample-fits' not in done.stderr, done.stdout + done.stderr)


if __name__ == '__main__':
    sys.exit(run_parts(processes, libraries, mixed, waits, ends))

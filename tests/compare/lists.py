#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what lists of symbols (-S) and maps of files (-R) do with the installed GNU gprof 2.40.

    lists.py [--seed N] [--count N]

Lists: what nm prints for programs of the system, in each of its layouts; the same made into a
System.map; and random text, made of pieces that mean something. Maps: random text likewise, and what
nm prints for objects of programs.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import runner                                                       # noqa: E402
from gmonfile import Profile                                        # noqa: E402
from lcg import Random                                              # noqa: E402
from profiled import Program                                        # noqa: E402

# An address that is none is the one before it; before the first one stands whatever was in memory.
FIRST = b'0000000000000010 T first\n'
# Behind all samples, since those of the last symbol are anybody's.
LAST = '\n500000 T last\n'
LAYOUTS = ([], ['-S'], ['-P'], ['-f', 'sysv'], ['-C'], ['-n'], ['-g'], ['-A'], ['-a'], ['-D'])
OPTIONS = (['-b', '-p', '-z'], ['-b', '-q', '-z'], ['-b', '-q', '-T', '-z'], ['-b', '-C', '-z', '-a'],
           ['-b', '-p', '-q', '-pf1', '-D'])
PIECES = ('401000 T f0', '401010 t f1', '401020 T _f2', '401020 t f3', '0x401030 T f4', '-1 T f5',
          'U tmp', 'w thing', ' ', '\t', '\n', '\n', '\n', 'zz T f6', 'T', 't', '401040', 'D', 'W',
          '\0', '\r\n', '0x', 'fffffffffffffffff', '401050 Tf7', ' ' * 990, 'x' * 600, '.L1', '$x')
NAMES = ('main', 'foo', 'bar', 'baz', '_qux', 'mcount', 'loop.1', 'none')
# GNU gprof learns from memory that it never wrote which functions stand for their file. The C library
# fills new memory with the complement of this: with zeros it says what it should.
STEADY = {'MALLOC_PERTURB_': '255'}
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
FILES = ('a.o', 'b.o', 'c.o', 'dir/d.o', '_x', '__y', 'lib.a')


class Differential:
    def __init__(self, gnu, directory):
        self.ours, self.gnu, self.directory = runner.program_under_test(), gnu, directory
        self.tally = runner.Tally()

    def put(self, name, data):
        with open(os.path.join(self.directory, name), 'wb') as f:
            f.write(data)

    def both(self, words, extra=None):
        return (runner.start(p, words, self.directory, extra=extra, seconds=20)
                for p in (self.ours, self.gnu))

    def same(self, name, words):
        ours, gnu = self.both(words)
        return self.tally.check(ours == gnu, name, ' '.join(words),
                                [repr(ours.err[:200]), repr(gnu.err[:200])])

    def same_with_map(self, name, words):
        ours, gnu = self.both(words, STEADY)
        if gnu.status is None or gnu.status < 0:    # it hangs or crashes on what is no entry
            good = ours.status == 1 and b'unable to parse mapping file' in ours.err
        else:
            good = ours == gnu
        return self.tally.check(good, name, ' '.join(words),
                                [repr(ours.err[:200]), repr(gnu.err[:200])])


def programs():
    """Executables with symbols: shared libraries of the system keep some, .debug files more."""
    for path in (sys.executable, shutil.which('gcc'), os.environ['GPROFX']):
        if path:
            yield os.path.realpath(path)


def listings(path):
    for words in LAYOUTS:
        done = subprocess.run(['nm'] + words + [path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        if done.stdout.strip():
            yield '%s %s' % (os.path.basename(path), ' '.join(words)), done.stdout


def profile_of(r, text):
    """Samples and calls at addresses of the list, wherever those are."""
    numbers = sorted({int(w, 16) for line in text.splitlines()
                      for w in line.split()[:1] if len(w) == 16 and w.strip(b'0')
                      and all(c in b'0123456789abcdef' for c in w)})
    if len(numbers) < 2:
        numbers = [0x401000, 0x402000]
    low, high = numbers[0] & ~0xf, numbers[-1] + 0x10
    high += -(high - low) % 0x1000
    p = Profile().histogram(low, high, [r.below(4) for _ in range((high - low) // 0x1000)])
    for _ in range(200):
        p.arc(r.pick(numbers) + 4, r.pick(numbers), 1 + r.below(50))
    return p.bytes()


def check_programs(d, r):
    if not shutil.which('nm'):
        return
    for path in programs():
        shutil.copy(path, os.path.join(d.directory, 'image'))
        for name, text in listings(path):
            d.put('list', FIRST + text)
            d.put('gmon', profile_of(r, text))
            d.same(name, ['-b', '-z', '-S', 'list', 'image', 'gmon'])
            kernel = b''.join(line + b'\t[module]\n' for line in text.splitlines())
            d.put('list', FIRST + kernel)
            d.same(name + ' with modules', ['-b', '-S', 'list', 'image', 'gmon'])


def check_random_lists(d, r, count):
    for i in range(count):
        text = '401000 T first\n' + ''.join(
            r.pick(PIECES) + r.pick(('\n', '\n', ' ', '')) for _ in range(r.between(1, 40)))
        d.put('list', (text + LAST).encode())
        if not d.same('list %d' % i, r.pick(OPTIONS) + ['-S', 'list', 'program', 'gmon.out']):
            break


def random_map(r):
    lines = []
    for _ in range(r.between(0, 14)):
        line = r.pick(FILES) + ':' + r.pick(('0000 T ', ' ', '1 t ', ':x ', '    U '))
        line += r.pick(NAMES) if r.chance(95) else 'n' * r.between(1000, 1100)
        if r.chance(5):
            line = r.pick(('', 'No symbols in x.o', ' ', 'abc', ':x', 'f' * 1030 + ':1 T main'))
        lines.append(r.pick(('', '', '', '', ' ', '\t')) + line)
    # Where the file ends within an entry, GNU gprof takes the rest from memory it never wrote.
    whole = not lines or ':' in lines[-1]
    return ('\n'.join(lines) + r.pick(('\n', '\n', '' if whole else '\n', '\n\n '))).encode()


def check_random_maps(d, r, count):
    for i in range(count):
        d.put('map', random_map(r))
        words = r.pick(OPTIONS) + r.pick(([], [], [], ['-S', 'plain'])) + ['-R', 'map']
        if not d.same_with_map('map %d' % i, words + ['program', 'gmon.out']):
            break


def check_real_maps(d):
    """Maps as the manuals say to make them, of programs of several files."""
    for folder in ('callbacks', 'clones', 'cycles'):
        place = os.path.join(d.directory, folder)
        sources = glob.glob(os.path.join(PROGRAMS, folder, '*.c'))
        os.mkdir(place)
        if not shutil.which('gcc') or subprocess.run(
                ['sh', '-c', 'gcc -w -O1 -pg -c "$@" && gcc -pg -o program *.o -lm && ./program >/dev/null',
                 'sh', *sources], cwd=place).returncode != 0:
            print('not made here: %s' % folder)
            continue
        for words in (['--extern-only', '-v'], ['--extern-only'], []):
            objects = sorted(os.path.basename(o) for o in glob.glob(os.path.join(place, '*.o')))
            d.put('map', subprocess.run(['nm', '--defined-only', '--print-file-name', *words, *objects],
                                        cwd=place, stdout=subprocess.PIPE, check=True).stdout)
            for options in (['-p'], ['-q'], []):
                d.same_with_map('map of %s' % folder, ['-b', *options, '-R', 'map', folder + '/program',
                                                       folder + '/gmon.out'])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=300)
    arguments = parser.parse_args()
    gnu, r = runner.installed_gprof(), Random(arguments.seed)
    if not gnu:
        print('GNU gprof 2.40 is not installed')
        return runner.SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        d = Differential(gnu, directory)
        program = Program(['_start', 'main', '~foo', 'bar', '~baz', '_qux', 'mcount', '~loop.1'],
                          step=16)
        program.image.symbol('_alias', program.at('bar'), 16).symbol('__baz', program.at('baz'))
        d.put('program', program.bytes())
        d.put('plain', b'401000 T foo\n401010 T main\n401020 t bar\n' + LAST.encode())
        d.put('gmon.out', program.profile(
            {n: i + 1 for i, n in enumerate(program.names[:-1])},
            [('main', 'foo', 3), ('foo', 'bar', 5), ('bar', 'baz', 9), ('baz', 'foo', 2),
             ('_start', 'main', 1), ('_qux', 'loop.1', 4)]).bytes())
        check_programs(d, r)
        check_random_lists(d, r, arguments.count)
        check_random_maps(d, r, arguments.count)
        check_real_maps(d)
        return d.tally.finish()


if __name__ == '__main__':
    sys.exit(main())

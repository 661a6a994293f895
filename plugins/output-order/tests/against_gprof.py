# SPDX-License-Identifier: Apache-2.0
"""Compares orders of functions and files with those of the installed GNU gprof 2.40.

    against_gprof.py [--seed N] [--count N]

Random call graphs, small ones and such of hundreds of functions, are read by both with -r, alone
and with other tables, and with -R and a random map.

From 80 called functions on GNU gprof can leave out one of those that many others call, and list
functions a second time that nobody calls. Then ours must be gprof's list without what stands in it
for the second time, and with what is not in it at one place among the first ones.
"""
import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))

import runner                                                       # noqa: E402
from lcg import Random                                              # noqa: E402
from profiled import Program                                        # noqa: E402

COUNTS = (0, 1, 1, 1, 2, 3, 3, 10, 77, 1000, 1000, 4294967295)
SIZES = (2, 3, 5, 8, 12, 20, 40, 79, 79)
LARGE = (81, 100, 170, 260, 400)
# GNU gprof reads memory that it never wrote to learn which functions stand for their file; filled
# like this it says what it should.
STEADY = {'MALLOC_PERTURB_': '165'}
TABLES = ([], [], [], ['-q'], ['-p'], ['-q', '-p', '-C'], ['-T', '-q'], ['-a'], ['-D'], ['-z', '-q'],
          ['-qf3'], ['-Qf1', '-q'], ['-Ef2', '-q'])


def graph(r, many):
    """(names, arcs) with one of several shapes."""
    names = [('~' if r.chance(10) else '') + 'f%d' % i for i in range(many)]
    bare = [n.lstrip('~') for n in names]
    shape = r.pick(('random', 'random', 'forward', 'hubs', 'hubs', 'chain'))
    arcs, hubs = [], r.sample(range(many), min(many, r.between(1, 6)))
    for _ in range(many * r.pick((1, 2, 3, 5))):
        a, b = r.below(many), r.below(many)
        if shape == 'forward':
            a, b = min(a, b), max(a, b)
        elif shape == 'chain':
            b = min(many - 1, a + r.between(0, 2))
        elif shape == 'hubs' and r.chance(50):
            b = r.pick(hubs)
        arcs.append((bare[a], bare[b], r.pick(COUNTS) if r.chance(70) else r.between(1, 40)))
    return names, arcs


def map_of(r, names):
    """A map of files: runs of functions, some of no function at all, some files twice."""
    lines, files = [], ['%s%d.o' % (r.pick(('a', 'lib/b', 'z')), i) for i in range(len(names))]
    chosen = [n.lstrip('~') for n in names if r.chance(80)]
    if r.chance(40):
        chosen = r.sample(chosen, len(chosen))
    file = files[0]
    for name in chosen + ['absent%d' % i for i in range(r.below(3))]:
        if r.chance(45):
            file = r.pick(files)
        lines.append('%s:%016x T %s\n' % (file, 0, name))
        if r.chance(3):
            lines.append('No symbols in "x.o".\n')
    return ''.join(lines or ['a.o:0 T f0\n'])


def make(seed, directory):
    """Writes the inputs of a case; returns the options, and whether gprof's faults can show."""
    r = Random(seed)
    many = r.pick(LARGE) if r.chance(30) else r.pick(SIZES)
    names, arcs = graph(r, many)
    p = Program(names, step=16)
    ticks = {n.lstrip('~'): r.below(9) for n in names if r.chance(50)}
    profile = p.profile(ticks if r.chance(90) else None, arcs if r.chance(97) else ())
    words = list(r.pick(TABLES))
    if not ticks or r.chance(10):
        words = []
    maps = r.chance(35)
    for name, content in (('image', p.bytes()), ('gmon', profile.bytes()),
                          ('map', map_of(r, names).encode())):
        with open(os.path.join(directory, name), 'wb') as f:
            f.write(content)
    words += ['-R', 'map'] if maps else ['-r']
    return ['-b'] + r.sample(words[:-2], len(words[:-2])) + words[-2:] + ['image', 'gmon'], \
        not maps and many >= 80


def repaired(gnu, ours):
    """GNU gprof's list without repeats, and ours without what is not in it."""
    return list(dict.fromkeys(gnu)), [name for name in ours if name in set(gnu)]


def differences(programs, seed):
    """What is wrong, or None; and whether one of gprof's faults showed."""
    with tempfile.TemporaryDirectory() as directory:
        words, is_large = make(seed, directory)
        ours = runner.start(programs[0], words, directory)
        gnu = runner.start(programs[1], words, directory, extra=STEADY)
        about = 'gprof ' + ' '.join(words)
        if ours.broken():
            return about + ': ' + ours.broken(), False
        if ours == gnu:
            return None, False
        if not is_large or (ours.status, ours.err) != (gnu.status, gnu.err):
            return about, False
        # The order is what stands behind all tables, which must be the same.
        tables = [w for w in words if w[0] == '-' and w not in ('-b', '-r', '-a', '-D')]
        head = len(runner.start(programs[0], [w for w in words if w != '-r'], directory).out) \
            if tables else 0
        if ours.out[:head] != gnu.out[:head]:
            return about + ': the tables differ', False
        mine, theirs = (out[head:].split(b'\n') for out in (ours.out, gnu.out))
        wanted, left = repaired(theirs, mine)
        if len(set(mine)) != len(mine) or len(mine) - len(left) > 1 or wanted != left:
            return about + ': another order', False
        return None, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=400)
    args = parser.parse_args()
    gnu = runner.installed_gprof()
    if gnu is None:
        print('no GNU gprof 2.40 is installed')
        return runner.SKIPPED
    programs = (runner.program_under_test(), gnu)
    tally, faults = runner.Tally(), 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        seeds = [args.seed * 1000003 + i for i in range(args.count)]
        for seed, (why, fault) in zip(seeds, pool.map(lambda s: differences(programs, s), seeds)):
            tally.check(why is None, 'seed %d' % seed, why)
            faults += fault
    print('%d lists of GNU gprof lack a function or have one twice' % faults)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

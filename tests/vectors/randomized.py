#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the program with the installed GNU gprof 2.40 on random images, profiles and options.

    randomized.py [--seed N] [--count N] [--keep DIR]
    randomized.py --replay DIR/case.json

Each failing case is made as small as possible and kept in a folder of its own: the inputs, the
case as a readable file, the command and both results.
"""
import argparse
import glob
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import randomcase                                                   # noqa: E402
import runner                                                       # noqa: E402
from profiled import Program                                        # noqa: E402

SHRINKS = 400       # attempts to make one failing case smaller


def knows_every_machine(gnu):
    """Whether its object file library knows that odd addresses of functions are Thumb code."""
    program = Program(['main'], 'arm', 0x10001)
    with tempfile.TemporaryDirectory() as directory:
        for name, thing in ('image', program), ('gmon', program.empty().arc(0x10000, 0x10000, 77)):
            with open(os.path.join(directory, name), 'wb') as f:
                f.write(thing.bytes())
        return b'77' in runner.start(gnu, ['-b', '-q', 'image', 'gmon'], directory).out


def both(programs, case, directory):
    """(command line, result of the program, result of GNU gprof)"""
    words = randomcase.write(case, directory)
    ours, gnu = (start(p, words, directory) for p in programs)
    return words, ours, gnu


def start(program, words, directory):
    """The result, with the files that were written behind the output."""
    for path in glob.glob(os.path.join(directory, '*-ann')):
        os.remove(path)
    result = runner.start(program, words, directory)
    for path in sorted(glob.glob(os.path.join(directory, '*-ann'))):
        with open(path, 'rb') as f:
            result.out += b'-- %s:\n' % os.path.basename(path).encode() + f.read()
    return result


def differs(programs, case):
    with tempfile.TemporaryDirectory() as directory:
        _, ours, gnu = both(programs, case, directory)
        if b': somebody miscounted: ' in gnu.err:
            # It counts lines twice and gives up if the results differ; ours has one count only.
            return ours.broken() is not None or b'miscounted' in ours.err
        return ours.broken() is not None or ours != gnu


def shrink(programs, case):
    left, found = SHRINKS, True
    while found and left > 0:
        found = False
        for candidate in randomcase.smaller(case):
            left -= 1
            if left < 0:
                break
            if differs(programs, candidate):
                case, found = candidate, True
                break
    return case


def keep(programs, case, directory):
    os.makedirs(directory, exist_ok=True)
    words, ours, gnu = both(programs, case, directory)
    with open(os.path.join(directory, 'command'), 'w') as f:
        f.write('gprof ' + ' '.join("'%s'" % w for w in words) + '\n')
    for name, r in (('ours', ours), ('gnu', gnu)):
        with open(os.path.join(directory, name), 'wb') as f:
            f.write(r.out + b'-- stderr:\n' + r.err + b'-- status: %s\n' % str(r.status).encode())
    return words, ours, gnu


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=250)
    parser.add_argument('--keep', help='where failing cases are kept; default: a new folder')
    parser.add_argument('--replay', help='run one kept case')
    args = parser.parse_args()
    gnu = runner.installed_gprof()
    if gnu is None:
        print('no GNU gprof 2.40 is installed')
        return runner.SKIPPED
    programs = (runner.program_under_test(), gnu)
    if args.replay:
        with open(args.replay) as f:
            cases = [('replay', json.load(f))]
    else:
        machines = randomcase.MACHINES
        if knows_every_machine(gnu):
            machines += randomcase.OTHERS
        cases = [('%d.%d' % (args.seed, i), randomcase.make(args.seed * 1000003 + i, machines))
                 for i in range(args.count)]
    tally = runner.Tally()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (name, case), bad in zip(cases, pool.map(lambda c: differs(programs, c[1]), cases)):
            if not bad:
                tally.check(True, name)
                continue
            case = case if args.replay else shrink(programs, case)
            if args.keep is None:
                args.keep = tempfile.mkdtemp(prefix='gprofx-random-')
            place = os.path.join(args.keep, name)
            words, ours, theirs = keep(programs, case, place)
            tally.check(False, name, ours.broken() or 'differs; kept in ' + place,
                        ['gprof ' + ' '.join(words), 'diff %s/gnu %s/ours' % (place, place)])
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

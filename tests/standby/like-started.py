#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program that stands by (tests/tools/standby.c) does what one does that is started.

Of faults as sanitizers report them no test may hear less than of a program that was started: the
copies provoke one of each kind.
"""
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import runner                                                       # noqa: E402
import standby                                                      # noqa: E402
from profiled import Program                                        # noqa: E402

FAULTS = {'address': (99, b'heap-buffer-overflow'), 'undefined': (99, b'runtime error: signed'),
          'leak': (99, b'detected memory leaks'), 'signal': (-15, b'')}


def put(directory, name, data):
    with open(os.path.join(directory, name), 'wb') as f:
        f.write(data)


def make_files(directory):
    program = Program(['main', 'alpha', 'beta'], step=32)
    profile = program.profile({'main': 3, 'alpha': 40}, [('main', 'alpha', 3)])
    put(directory, 'program', program.bytes())
    put(directory, 'gmon.out', profile.bytes())
    put(directory, 'damaged', profile.bytes()[:-3])
    put(directory, 'words', b'-b -p program')
    os.mkdir(os.path.join(directory, 'folder'))


def check_same(tally, program, directory):
    """Words, name, folder, environment, standard input, output of every length, and the status."""
    for arguments, options in (
            ([], {}), (['--version'], {'name': 'gprofx'}), (['--help'], {'name': 'gprofx'}),
            (['-b', 'program'], {}), (['-b', 'program'], {'name': 'gprofx'}),
            (['-b', 'program', 'damaged'], {}), (['-b', 'program', 'damaged'], {'name': 'gprofx'}),
            (['-b', 'program', 'none'], {'name': 'other'}), (['@words'], {}), ([''], {}),
            (['-b', '../program', '../gmon.out'], {'folder': 'folder'}),
            (['-b', 'program'], {'extra': {'GPROF_PATH': 'folder', 'GPROFX_SET': 'threads: 1'}}),
            (['-b', 'program', '/dev/stdin'], {'stdin': 'gmon.out', 'name': 'gprofx'}),
            (['-b', 'program'] + ['-kmain/alpha'] * 40000, {}),
            (['--print-config'], {'name': 'gprofx', 'extra': {'GPROFX_SET': 'threads: 1'}}),
            (['-s', 'program', 'gmon.out'], {'folder': '.'})):
        options = dict(options)
        place = os.path.join(directory, options.pop('folder', ''))
        started, ready = (runner.start(program, arguments, place, anew=anew, **options)
                          for anew in (True, False))
        tally.check(started == ready, ' '.join(arguments)[:60], 'differs from a program that was started',
                    [repr((x.status, x.out[:200], x.err[:200])) for x in (started, ready)])


def check_faults(tally, program, directory):
    arguments = ['-b', 'program']
    sound = runner.start(program, arguments, directory)
    for fault, (status, words) in FAULTS.items():
        # Of the runs that follow each other, one is searched for leaks.
        results = [runner.start(program, arguments, directory, extra={'STANDBY_FAULT': fault})
                   for _ in range(runner.SEARCHED)]
        found = [r for r in results if r.status == status and words in r.err and r.broken()]
        tally.check(len(found) == (1 if fault == 'leak' else len(results)), 'fault ' + fault,
                    'the run is not broken', [repr((r.status, r.err[:200])) for r in results])
        if fault == 'leak':
            tally.check(results.count(sound) == len(results) - 1, 'no search for leaks',
                        'without a search the run is not like any other')


def copies(process):
    with open('/proc/%d/task/%d/children' % (process, process), encoding='ascii') as f:
        return f.read().split()


def check_end(tally, program, directory):
    """A run that does not end is ended, and so is one whose caller is gone."""
    endless = {'STANDBY_FAULT': 'endless'}
    result = runner.start(program, ['--version'], directory, extra=endless, seconds=0.5)
    tally.check(result.status is None, 'endless', 'status %s' % result.status)
    ready = standby.stand_in(program, runner.environment())
    for _ in range(600):
        if not copies(ready.process.pid):
            break
        time.sleep(0.1)
    tally.check(not copies(ready.process.pid), 'endless', 'it goes on without a caller')
    tally.check(ready.close() == 0, 'end', 'the program that stood by did not end well')


def main():
    program, tally = runner.program_under_test(), runner.Tally()
    with tempfile.TemporaryDirectory() as directory:
        make_files(directory)
        check_same(tally, program, directory)
        check_faults(tally, program, directory)
        with ThreadPoolExecutor(8) as pool:
            words = ['-b', '-p', 'program']
            wanted = runner.start(program, words, directory, anew=True)
            for i, result in enumerate(pool.map(
                    lambda _: runner.start(program, words, directory), range(100))):
                tally.check(result == wanted, 'at once %d' % i, 'differs')
        check_end(tally, program, directory)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

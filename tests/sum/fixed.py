#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What GNU gprof gets wrong in sums, and is right in both modes here; each with the truth.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/sum/fixed.py
"""
import os
import sys
import tempfile

from gmonfile import bsd_profile, read_profile
from profiled import Program
from runner import Tally, program_under_test, start

PROGRAM = Program(['main', 'work'])
LOW, HIGH = PROGRAM.base, PROGRAM.base + 0x100
MAIN, WORK = PROGRAM.at('main'), PROGRAM.at('work')


def overflowing():
    """Bins begin again at 0 from 65536 on, counts from 2^32 on."""
    p = PROGRAM.empty().histogram(LOW, HIGH, [65535, 40000, 1, 0]).arc(MAIN, WORK, 0xffffffff)
    q = PROGRAM.empty().histogram(LOW, HIGH, [1, 40000, 1, 0]).arc(MAIN, WORK, 0xffffffff)
    return [p.bytes(), q.bytes()], [
        ('hist', LOW, HIGH, [65535, 65535, 2, 0]), ('hist', LOW, HIGH, [1, 14465, 0, 0]),
        ('arc', MAIN, WORK, 0xffffffff), ('arc', MAIN, WORK, 0xffffffff)]


def forgotten_blocks():
    """Blocks are left out if a BSD file follows the one that has them."""
    p = PROGRAM.empty().histogram(LOW, HIGH, [1, 2, 3, 4]).blocks([(MAIN, 7), (WORK, 9)])
    return [p.bytes(), bsd_profile(LOW, HIGH, [1, 1, 1, 1], [(MAIN, WORK, 5)])], [
        ('hist', LOW, HIGH, [2, 3, 4, 5]), ('arc', MAIN, WORK, 5),
        ('blocks', [(MAIN, 7), (WORK, 9)])]


def swapped_count():
    """On images of the other byte order than the host's the number of blocks is swapped twice."""
    other = Program(['main', 'work'], machine='s390x')
    p = other.empty().blocks([(other.at('main'), 7)])
    return [p.bytes()], [('blocks', [(other.at('main'), 7)])], other


def remains_of_memory():
    """The spare bytes of the header hold what happened to be in memory."""
    p = PROGRAM.empty(spare=b'unused bytes').arc(MAIN, WORK, 1)
    return [p.bytes()], [('arc', MAIN, WORK, 1)]


def main():
    tally = Tally()
    for make in (overflowing, forgotten_blocks, swapped_count, remains_of_memory):
        files, expected, *others = make()
        program = others[0] if others else PROGRAM
        for name, words in (('gprof', ['-s']), ('gprofx', ['-s'])):
            with tempfile.TemporaryDirectory() as directory:
                def path(file):
                    return os.path.join(directory, file)
                for file, data in [('image', program.bytes())] + [
                        ('f%d' % i, d) for i, d in enumerate(files)]:
                    with open(path(file), 'wb') as out:
                        out.write(data)
                run = start(program_under_test(),
                            words + ['image'] + ['f%d' % i for i in range(len(files))],
                            directory, name=name)
                label = '%s as %s' % (make.__name__, name)
                if not tally.check(run.status == 0 and not run.err, label, repr(run.err)):
                    continue
                with open(path('gmon.sum'), 'rb') as file:
                    data = file.read()
                records = [r[:4] for r in read_profile(data, program.image.bits,
                                                       program.image.order)]
                tally.check(records == expected, label, repr(records))
                tally.check(data[8:20] == bytes(12), label, 'spare bytes')
    return tally.finish()


sys.exit(main())

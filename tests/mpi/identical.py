#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gprofx-mpi writes the bytes that gprofx writes: three processes of each MPI for the job with five damaged files, one
MPI for every other kind of profile, in turn; tests/long/mpi.py tries all of them with up to 16 processes. Takes 5 s.
"""
import os
import shutil
import sys
import tempfile

import mpijob
from mpicases import Comparison, Jobs
from runner import SKIPPED, Tally, program_under_test


def main():
    implementations = mpijob.installed()
    if not implementations or not shutil.which('gcc'):
        print('SKIP: no MPI, or no compiler')
        return SKIPPED
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix='gprofx-test.') as folder:
        gprofx = program_under_test()
        comparison = Comparison(tally, gprofx, folder)
        for number, case in enumerate(Jobs(folder, gprofx, 60).all()):
            for mpi in implementations if number == 0 else [implementations[number % len(implementations)]]:
                comparison.check(case, mpi, 3)
            # Of so many, some have children, and some no file that fits.
            if case.name == 'mixed':
                comparison.check(case, implementations[0], 16)
    return tally.finish()


if __name__ == '__main__':
    os.environ.setdefault('LC_ALL', 'C')
    sys.exit(main())

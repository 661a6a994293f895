#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gprofx-mpi writes the bytes that gprofx writes, whatever the number of processes and the MPI.

    mpi.py BUILD [--seed N] [--count RANKS]

The jobs of tests/mpi/identical.py, the largest with 500 ranks, in 1, 2, 3, 7 and 16 processes of each MPI; of these,
every output format that gprofx has for the job. Takes three minutes.
"""
import argparse
import glob
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, 'tools'))
PROCESSES = (1, 2, 3, 7, 16)


def formats_of(case, gprofx, folder):
    """All that gprofx writes of these profiles without an error of its own."""
    from mpicases import output_words
    from runner import start
    plugins = os.path.join(HERE, os.pardir, os.pardir, 'plugins', 'output-*')
    found = []
    for name in sorted(os.path.basename(path)[len('output-'):] for path in glob.glob(plugins)) + ['sum']:
        shutil.rmtree(os.path.join(folder, 'tried'), ignore_errors=True)
        os.mkdir(os.path.join(folder, 'tried'))
        keep = ['--keep-going'] if case.refused else []
        start(gprofx, ['--no-findings', '-b', *keep, *case.options, *output_words([name], 'tried'), *case.alone], folder,
              'gprofx')
        if os.listdir(os.path.join(folder, 'tried')):
            found.append(name)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=500)
    asked = parser.parse_args()
    os.environ.update(GPROFX=os.path.join(os.path.abspath(asked.build), 'bin', 'gprofx'), LC_ALL='C')
    import mpijob
    from mpicases import Comparison, Jobs
    from runner import Tally, program_under_test
    implementations = mpijob.installed(asked.build)
    if not implementations:
        print('mpi: 0 passed, 0 failed, 1 skipped')
        return 77
    tally = Tally()
    print(f'seed {asked.seed}')
    with tempfile.TemporaryDirectory(prefix='gprofx-test.') as folder:
        gprofx = program_under_test()
        comparison = Comparison(tally, gprofx, folder)
        for case in Jobs(folder, gprofx, asked.count, asked.seed).all():
            if case.words == case.alone or '--no-program' in case.words:
                case.formats = formats_of(case, gprofx, folder)
            print(f'{case.name}: {" ".join(case.formats)}', flush=True)
            for mpi in implementations:
                for processes in PROCESSES:
                    comparison.check(case, mpi, processes)
    print('mpi: %d passed, %d failed' % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inclusive times of twenty runs against those that the program measures itself; see tests/collect/times.py.

    times.py BUILD [--seed N] [--count RUNS]

The samples of a run are drawn from the time that passed, so its shares differ from the true ones as those of a
multinomial distribution do, whose samples have the weights that the file has. One chi-squared test of all runs asks
whether they do not: it fails on a quiet machine in one of a thousand cases. On a busy one, where threads run for whole
ticks of the kernel, only the mean error counts.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'collect'), os.path.join(HERE, os.pardir, 'tools')]

QUIET = 1.1                     # seconds for each second that a thread has
MOST_POINTS = 2


def limit_of(degrees, deviations=3.0902):
    """The value that chi-squared exceeds in one of a thousand cases (Wilson and Hilferty)."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + deviations * part ** 0.5) ** 3


def chi_squared(run, true, functions):
    """Of one run: a number with len(functions) - 1 degrees of freedom."""
    weight = sum(run.weights[name] for name in functions)
    squares = sum(run.squares[name] for name in functions)
    return sum((run.weights[name] - true[name] * weight) ** 2 / (true[name] * squares) for name in functions)


def judge(runs, times, check):
    degrees = len(runs) * (len(times.FUNCTIONS) - 1)
    limit = limit_of(degrees)
    found = sum(chi_squared(run, times.shares(run.truth), times.FUNCTIONS) for run in runs)
    equal = sum(chi_squared(run, {name: 1 / len(times.FUNCTIONS) for name in times.FUNCTIONS}, times.FUNCTIONS)
                for run in runs)
    error = times.mean_error(runs)
    load = sorted(run.load for run in runs)[len(runs) // 2]
    print('chi-squared %.1f with %d degrees of freedom, limit %.1f; of equal parts %.0f' % (found, degrees, limit, equal))
    print('mean error of all runs %.2f points; load %.2f, %d samples' %
          (error, load, sum(run.total for run in runs)))
    check('mean error', error <= MOST_POINTS, '%.2f points' % error)
    check('equal parts are rejected', equal > 10 * limit, '%.0f' % equal)
    if load <= QUIET:
        check('shares are those of samples', found <= limit, '%.1f' % found)
    else:
        print('the machine is busy: chi-squared does not count')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, help='nothing is drawn')
    parser.add_argument('--count', type=int, default=20, help='runs')
    asked = parser.parse_args()
    os.environ['GPROFX_BUILD'] = asked.build
    os.environ.setdefault('GPROFX', os.path.join(asked.build, 'bin', 'gprofx'))
    os.environ.setdefault('GPROFX_SOURCE', os.path.abspath(os.path.join(HERE, os.pardir, os.pardir)))
    import collected
    import times
    del sys.argv[1:]

    def many(folder):
        # At the usual rate each sample weighs one tick, at the other one about four.
        for options in ['--rate=100'], ['--rate=1000']:
            print(' '.join(options))
            judge([times.measure(folder, 2, 2, *options) for _ in range(asked.count)], times, collected.check)

    status = collected.run_parts(many)
    if status != 77:
        print('times: %(passed)d passed, %(failed)d failed' % collected.results)
    return status


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inclusive times, against a program that measures them itself: three functions with equal numbers of calls and unequal
costs, in threads. scripts/long times runs it twenty times and looks at how the errors are distributed."""
import collections
import glob
import json
import os
import resource
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import RECORD, check, compile_program, run_parts     # noqa: E402

GPROFX = os.environ['GPROFX']
FUNCTIONS = ['cheap', 'middle', 'dear']
BROKEN = 2
MOST_RUNS = 5

# truth: nanoseconds of each function; weights and squares: of the samples that it is in; total: of all samples;
# load: elapsed time for each second that a thread had.
Run = collections.namedtuple('Run', 'truth weights squares total whole load')


def build(folder):
    path = os.path.join(folder, 'shares')
    return path if os.path.exists(path) else compile_program('shares.c', path, '-O1', '-pg', '-g')


def measure(folder, threads, seconds, *options):
    """A run, as its file and the program itself have it."""
    path, begin = build(folder), time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([RECORD, *options, path, str(threads), str(seconds)], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)
    after, elapsed = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - begin
    check('it runs', done.returncode == 0, done.stderr)
    file = gxcreader.File(glob.glob(folder + '/gprofx.data/*.gxc')[0])
    symbols, names = gxcreader.Symbols(path), {}
    weights, squares, total, whole = collections.Counter(), collections.Counter(), 0, 0
    for weight, square, flags, chain in file.stacks():
        total += weight
        whole += 0 if flags & BROKEN else weight
        for pc in chain:
            if pc not in names:
                row = file.object_of(pc)
                names[pc] = symbols.name(pc - row.bias) if row and row.path == path else None
        for name in {names[pc] for pc in chain} & set(FUNCTIONS):
            weights[name] += weight
            squares[name] += square
    truth = dict(zip(FUNCTIONS, map(int, done.stdout.split())))
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(truth, weights, squares, total, whole, elapsed * threads / max(used, 1e-9))


def shares(values):
    whole = sum(values[name] for name in FUNCTIONS)
    return {name: values[name] / whole for name in FUNCTIONS}


def mean_error(runs):
    """In points of a hundred, of all runs together."""
    found = shares({name: sum(run.weights[name] for run in runs) for name in FUNCTIONS})
    true = shares({name: sum(run.truth[name] for run in runs) for name in FUNCTIONS})
    return 100 * sum(abs(found[name] - true[name]) for name in FUNCTIONS) / len(FUNCTIONS)


def expected_error(run):
    """What mean_error() is on average, by the weights of the samples."""
    true = shares(run.truth)
    weight, squares = (sum(of[name] for name in FUNCTIONS) for of in (run.weights, run.squares))
    return 100 * 0.8 * sum((part * (1 - part) * squares) ** 0.5 / weight for part in true.values()) / len(FUNCTIONS)


def together(runs):
    """Several runs as one."""
    first, *others = runs
    for run in others:
        first = Run({name: first.truth[name] + run.truth[name] for name in FUNCTIONS}, first.weights + run.weights,
                    first.squares + run.squares, first.total + run.total, first.whole + run.whole,
                    max(first.load, run.load))
    return first


def check_report(folder, run):
    """The report has the same weights, and no function a part by its number of calls."""
    done = subprocess.run([GPROFX, '--output=json', build(folder)], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    check('report: status', done.returncode == 0, done.stderr)
    rows = {row['name']: row for row in json.loads(done.stdout)['functions']}
    calls = {rows[name]['calls'] for name in FUNCTIONS}
    check('report: equal numbers of calls', len(calls) == 1 and calls.pop() > 0, '%s' % calls)
    for name in FUNCTIONS:
        check('report: total of %s' % name, rows[name]['total_ticks'] == run.weights[name],
              '%s instead of %d' % (rows[name]['total_ticks'], run.weights[name]))
    check('report: whole stacks', 'stacks.incomplete' not in done.stderr and 'lower bound' not in done.stdout,
          done.stderr)


def inclusive(folder):
    runs = []
    # On a busy machine samples are fewer and weigh more: it takes several runs to know as much.
    while not runs or (expected_error(together(runs)) > 2 and len(runs) < MOST_RUNS):
        run = measure(folder, 2, 1, '--rate=1000')
        check('all time was sampled', 1700 <= run.total <= 2300, '%d ticks' % run.total)
        runs.append(run)
    error, expected = mean_error(runs), expected_error(together(runs))
    print('mean error %.2f points, %.2f expected, %d runs, load %.1f' % (error, expected, len(runs), run.load))
    # Of 500 samples, which weigh 4, about 1.5 are expected; five times as many do not happen by chance.
    check('mean error', error <= 5 * expected <= 10, '%.2f points' % error)
    check('equal parts would be far off', mean_error([run._replace(weights=dict.fromkeys(FUNCTIONS, 1))]) > 15)
    check('stacks reach the first function of the thread', run.whole >= 0.95 * run.total,
          '%d of %d' % (run.whole, run.total))
    check_report(folder, run)


if __name__ == '__main__':
    sys.exit(run_parts(inclusive))

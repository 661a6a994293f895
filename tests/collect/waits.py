#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waiting (clock=wall): waits of known length are found within the error of sampling, programs do the same as without
the collector, and many threads are looked at less often."""
import collections
import glob
import json
import os
import re
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import RECORD, check, compile_program, preloaded, run_parts, skip     # noqa: E402

GPROFX = os.environ['GPROFX']
KINDS = ['wait_sleep', 'wait_lock', 'wait_read', 'wait_poll', 'wait_timed']
# How a wait looks that nothing on the stack has saved the frame pointer for, and one where all have.
BUILDS = [('-O0',), ('-O2', '-fomit-frame-pointer'), ('-O1', '-pg'), ('-O2', '-fno-omit-frame-pointer')]
ROUNDS, CALLS = 150, {'wait_poll': 3}           # of each kind; waits in a call of it
INTERVAL = 10**7
# What chi-squared with so many degrees of freedom exceeds in one of ten thousand cases.
LIMIT = {4: 23.5}
BROKEN, CPU, WALL, NO_WAITS = 2, 1, 3, 65536

Waits = collections.namedtuple('Waits', 'weights squares total broken chains')


def waits_of(file, path):
    """Weights of the waits below each function of the program."""
    symbols, weights, squares, chains, total, broken = gxcreader.Symbols(path), {}, {}, set(), 0, 0
    for weight, square, flags, addresses in file.stacks(gxcreader.WAITS):
        rows = [(file.object_of(address), address) for address in addresses]
        names = [symbols.name(address - row.bias) for row, address in rows if row and row.path == path]
        chains.add(' '.join(names))
        total += weight
        broken += weight if flags & BROKEN else 0
        for name in set(names):
            weights[name] = weights.get(name, 0) + weight
            squares[name] = squares.get(name, 0) + square
    return Waits(weights, squares, total, broken, chains)


def truth(folder):
    """Each way to compile the program is a run; they run at once, since they wait most of the time."""
    running = []
    for i, flags in enumerate(BUILDS):
        where = '%s/truth%d' % (folder, i)
        os.makedirs(where)
        path = compile_program('waits.c', where + '/waits', '-g', *flags)
        running.append((where, path, subprocess.Popen([RECORD, '--clock=wall', path, str(ROUNDS)], cwd=where,
                                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)))
    sums, ratios, quiet = collections.Counter(), collections.Counter(), True
    for where, path, process in running:
        out, errors = process.communicate(timeout=120)
        if not check('waits: status', process.returncode == 0, '%s %s' % (out, errors)):
            continue
        file = gxcreader.File(glob.glob(where + '/gprofx.data/*.gxc')[0])
        found = waits_of(file, path)
        check('waits: summary', '%.2f s of waiting' % (found.total / 100) in errors, errors)
        check('waits: header', file.header['clock'] == WALL and file.header['look_weight'] >= file.header['looks'] > 0)
        check('waits: whole stacks', found.broken <= found.total * 0.05, '%d of %d' % (found.broken, found.total))
        for name in KINDS:
            check('%s: from where' % name, any(chain.startswith((name, 'nap ' + name)) for chain in found.chains),
                  '%s' % found.chains)
        times = [int(word) / INTERVAL for word in out.split()]
        quiet = quiet and file.header['look_weight'] <= 1.05 * file.header['looks']
        for name, low, high in zip(KINDS, times[::2], times[1::2]):
            weight, squares = found.weights.get(name, 0), found.squares.get(name, 0)
            # In between, it was ready, and waited for a processor.
            sums[name] += max(low - weight, weight - high, 0) ** 2 / max(squares, 1)
            # At each end of a wait there is part of an interval, which has the sample or not.
            ratios[name] += (squares / (ROUNDS * CALLS.get(name, 1) / 3)) ** 0.5 / len(BUILDS)
    for name in KINDS:
        print('%s: chi-squared %.2f, error claimed %.2f times that of regular samples' % (name, sums[name], ratios[name]))
        check('%s: chi-squared' % name, sums[name] <= LIMIT[len(BUILDS)], '%.1f' % sums[name])
        # On a busy machine, looks are missed, which makes it larger.
        check('%s: claimed error' % name, 0.6 <= ratios[name] <= (2 if quiet else 20), '%.2f' % ratios[name])
    report(*running[0][:2])


def report(where, path):
    """The metrics are side by side."""
    found = waits_of(gxcreader.File(glob.glob(where + '/gprofx.data/*.gxc')[0]), path)
    done = subprocess.run([GPROFX, '--output=json', '--metric=wait', path], cwd=where, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    check('report: status', done.returncode == 0, done.stderr)
    document = json.loads(done.stdout)
    check('report: metrics', [row['name'] for row in document['metrics']] == ['wait', 'cpu'], '%s' % document['metrics'])
    rows = {row['name']: row for row in document['functions']}
    for name in KINDS:
        check('report: %s' % name, rows[name]['total_ticks'] == found.weights[name],
              '%s instead of %d' % (rows[name]['total_ticks'], found.weights[name]))


def merged(folder):
    """Threads whose tables are used again have their waits where their other samples are, and the table says what is of
    none."""
    where, path = folder + '/merged', compile_program('crowd.c', folder + '/merged-crowd', '-O1')
    for threads in 20, 200:
        os.makedirs('%s%d' % (where, threads))
        done = subprocess.run([RECORD, '--clock=wall', '--threads=merge', path, str(threads)], cwd='%s%d' % (where, threads),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        check('merged: status', done.returncode == 0, '%s' % done)
        shown = subprocess.run([GPROFX, '--per-thread', '--metric=wait', '--no-findings', path], cwd='%s%d' % (where, threads),
                               stdout=subprocess.PIPE, text=True).stdout
        row = re.search(r'^ *[0-9.]+ +([0-9.]+) .* not known ', shown, re.M)
        total = sum(float(found) for found in re.findall(r'^ *[0-9]+[.][0-9]+ +([0-9.]+) ', shown.split('\nTime per')[0], re.M))
        # The 201 threads that run at the same time are too many.
        check('merged: %d threads, not known' % threads, (row is not None) == (threads == 200) and total > 1, shown)
        check('merged: %d threads, words' % threads, ('of no thread above' in shown) == (threads == 200), shown)


def same_as_without(folder):
    """The collector has a thread then, which the program must not notice."""
    path = compile_program('alone.c', folder + '/alone', '-O1', '-g')
    for act in 'leave', 'leave-to-thread', 'enter-namespace', 'descriptors', 'signals', 'hide', 'fork':
        where = '%s/act-%s' % (folder, act)
        os.makedirs(where)
        plain, measured = (subprocess.run([path, act], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                          timeout=60, env=environment)
                           for environment in (dict(os.environ), preloaded('clock=wall,only=off,gmon=off')))
        check('%s: the same' % act, (plain.returncode, plain.stdout) == (measured.returncode, measured.stdout),
              '%s %s' % (plain, measured))
        check('%s: silent' % act, measured.stderr == b'', '%s' % measured.stderr)
        files = [gxcreader.File(name) for name in glob.glob(where + '/*.gxc')]
        # Of the children, half are replaced by a shell.
        check('%s: files' % act, len(files) == (46 if act == 'fork' else 1), '%d' % len(files))
        naps = [waits_of(file, path).weights.get('nap', 0) for file in files if file.program == path]
        check('%s: it waits in nap()' % act, act == 'hide' or sum(naps) > 0, '%s' % naps)
        check('%s: clock' % act, all(file.header['clock'] == WALL for file in files))


def refused(folder):
    """Without a thread, time is measured as with clock=cpu, which the file says."""
    if os.geteuid() != 0:
        skip('only the system administrator can become another user')
        return
    where, path = folder + '/refused', compile_program('alone.c', folder + '/refused-alone', '-O1')
    os.makedirs(where)
    os.chmod(where, 0o777)

    def become_other():
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        os.setgroups([])
        os.setuid(61234)

    done = subprocess.run([path, 'signals'], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=preloaded('clock=wall,only=off,gmon=off'), preexec_fn=become_other)
    if 'cannot be preloaded' in done.stderr:
        skip('other users cannot read the build')
        return
    check('refused: output', (done.returncode, done.stdout) == (0, '1\n'), '%s' % done)
    check('refused: message', done.stderr == 'gprofx-collect: the system refuses a thread for clock=wall: waiting is not '
          'measured\n', done.stderr)
    for name in glob.glob(where + '/*.gxc'):
        header = gxcreader.File(name).header
        check('refused: header', header['clock'] == CPU and header['flags'] & NO_WAITS, '%s' % header)


def crowded(folder):
    """A thread that is ready but has no processor does not wait, and how long it was so is in the report's head."""
    where, path = folder + '/crowded', compile_program('crowded.c', folder + '/crowded-program', '-O0', '-g')
    os.makedirs(where)
    done = subprocess.run([RECORD, '--clock=wall', '--rate=1000', path, '2000'], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=60)
    if not check('crowded: status', done.returncode == 0, '%s' % done):
        return
    slept, delayed, woken = (int(word) / 1e9 for word in done.stdout.split())
    if delayed == 0:
        skip('crowded: the system does not say how long threads are ready')
        return
    file = gxcreader.File(glob.glob(where + '/gprofx.data/*.gxc')[0])
    napped = waits_of(file, path).weights.get('nap', 0) / 1000
    noted = file.header['delayed_ns'] / 1e9
    print('crowded: %.2f s of naps instead of %.2f s; %.2f s with the time after them' % (napped, slept, slept + woken))
    check('crowded: time of naps', slept / 2 < napped < slept + woken / 2, '%.2f instead of %.2f s' % (napped, slept))
    check('crowded: noted', 0.9 * delayed <= noted <= 1.1 * delayed + 0.5, '%.2f instead of %.2f s' % (noted, delayed))
    shown = {options: subprocess.run([GPROFX, *options, path], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                      text=True).stdout
             for options in (('--summary',), ('--file-info',), ('--output=json',), ('--output=html',))}
    check('crowded: summary', '\n  not in these: %.2f s ready to run, but no processor was free\n' % noted in shown[('--summary',)],
          shown[('--summary',)])
    check('crowded: facts', re.search(r'\n +delays +%.2f s in which threads were ready to run' % noted, shown[('--file-info',)]),
          shown[('--file-info',)])
    check('crowded: JSON', abs(json.loads(shown[('--output=json',)])['profile_files'][0]['delayed_seconds'] - noted) < 1e-6)
    check('crowded: page', '%.2f s ready to run, but no processor was free' % noted in shown[('--output=html',)])


def crowd(where, path, threads, settings):
    """What a number of threads waited, as the program says, without and with the time in which they had no processor; the
    file; and the waits in it."""
    os.makedirs(where)
    done = subprocess.run([path, str(threads)], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120, env=preloaded('clock=wall,only=off,gmon=off' + settings))
    if not check('%d threads: status' % threads, done.returncode == 0, '%s' % done):
        return None
    file = gxcreader.File(glob.glob(where + '/*.gxc')[0])
    return [int(word) / INTERVAL for word in done.stdout.split()], file, waits_of(file, path)


def many(folder):
    """Looking at thousands of threads each time would take too long."""
    path = compile_program('crowd.c', folder + '/crowd', '-O1')
    for threads, settings in (5000, ''), (20, ',threads=separate'):
        # All threads begin and end to wait at once: where a busy machine lets nobody look at that time, it is wrong for all
        # of them.  So there are three tries.
        for number in range(3):
            found = crowd('%s/crowd%d.%d' % (folder, threads, number), path, threads, settings)
            if not found:
                return
            (low, high), file, waits = found
            error = 5 * waits.squares['wait_all'] ** 0.5 + 0.05 * high
            # All that wake up at once wait for a processor then, and do not wait any more.
            is_right = low - error <= waits.weights['wait_all'] <= high + error
            if is_right:
                break
        check('%d threads: time' % threads, is_right,
              '%d instead of %d to %d, error %d' % (waits.weights['wait_all'], low, high, error))
        looks, weight = file.header['looks'], file.header['look_weight']
        check('%d threads: fewer looks' % threads, (weight > 4 * looks) == (threads == 5000), '%d of %d' % (looks, weight))
        seconds = (file.header['end'] - file.header['start']) / 1e9
        print('%d threads: %.2f %% of a processor, %.1f looks a second at each' %
              (threads, file.header['sampling_ns'] / 1e7 / seconds, looks / weight * 100))


if __name__ == '__main__':
    sys.exit(run_parts(truth, crowded, merged, same_as_without, refused, many))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables by thread, against a program that knows the time and the calls of each of its threads."""
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import RECORD, check, compile_program, run_parts     # noqa: E402

GPROFX = os.environ['GPROFX']
RATE = 1000
# One run in a million has more, for so many values that can differ.
CHI_SQUARED = {2: 27.6, 1: 23.9}
ROW = re.compile(r'^ *([0-9.]+) +([0-9.]+) +([0-9.]+)? +([0-9]+)  (\S+(?: \S+)*)(?:  +(\S.*))?$')
# A name can have spaces: "[profiling overhead]".
VALUES = re.compile(r'^((?: *[0-9.]+){2,}) +(\S.*)$')


def build(folder):
    path = os.path.join(folder, 'named')
    return path if os.path.exists(path) else compile_program('named.c', path, '-O1', '-pg', '-g')


def run(folder, *words):
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    return done


def record(folder, options, *words):
    """What the program says of its threads: by name the number, the time, those in two functions, and the calls."""
    done = run(folder, RECORD, '--rate=%d' % RATE, *options, build(folder), *words)
    rows = [line.split() for line in done.stdout.splitlines()]
    check('it ran', len(rows) == 3, done.stdout + done.stderr)
    return {name: [int(value) for value in values] for name, *values in rows}


def report(folder, *words):
    done = run(folder, GPROFX, '--no-findings', *words, build(folder))
    check('status of %s' % (words,), done.returncode == 0, done.stderr)
    return done.stdout


def threads_of(text):
    """By label: seconds, calls and the heaviest function of the rows of the table of threads."""
    rows = {}
    for line in text.split('\nTime per')[0].splitlines():
        found = ROW.match(line)
        if found:
            rows[found.group(5)] = (float(found.group(2)), int(found.group(4)), found.group(6))
    return rows


def chi_squared(found, true, weight):
    """Of samples that are expected in proportion and have this weight, so many ticks, on average."""
    samples, whole = sum(found), sum(true)
    expected = [samples * part / whole for part in true]
    return sum((f - e) ** 2 / (e * weight) for f, e in zip(found, expected))


def mean_weight(folder):
    stacks = gxcreader.File(glob.glob(folder + '/gprofx.data/*.gxc')[0]).stacks()
    weights, squares = zip(*((weight, square) for weight, square, *_ in stacks))
    return sum(squares) / sum(weights)


def matrix_of(text):
    """By function, the times in the threads, which the heading names."""
    lines = text.split('\nTime per thread')[1].splitlines()
    names = lines[2].split()
    rows = {}
    for line in lines[4:]:
        found = VALUES.match(line)
        if found:
            rows[found.group(2)] = [float(word) for word in found.group(1).split()]
    return names, rows


def truth(folder):
    true = record(folder, (), '1.5')
    text, weight = report(folder, '-b', '--per-thread'), mean_weight(folder)
    rows = threads_of(text)
    labels = {name: '%s %d' % (name, true[name][0]) for name in true}
    if not check('a row for each thread', len(rows) == 4 and set(labels.values()) < set(rows), text):
        return
    found = [rows[labels[name]][0] * RATE for name in true]
    value = chi_squared(found, [true[name][1] for name in true], weight)
    check('times of threads', value < CHI_SQUARED[2], 'chi-squared %.1f: %s, true %s' % (value, found, true))
    for name, values in true.items():
        check('calls of %s' % name, rows[labels[name]][1] == 6 * values[4] + 3, '%s: %s' % (values, rows))
    # The functions in each, the heaviest thread first.
    names, functions = matrix_of(text)
    check('order of threads', names == ['total', *' '.join(rows).split()], '%s: %s' % (names, text))
    for i, name in enumerate(sorted(true, key=lambda name: -true[name][1])):
        found = [functions[row][1 + i] * RATE for row in ('light', 'heavy')]
        check('heaviest of %s' % name, found[0] == found[1] or
              rows[labels[name]][2] == ('light' if found[0] > found[1] else 'heavy'), text)
        value = chi_squared(found, true[name][2:4], weight)
        check('functions of %s' % name, value < CHI_SQUARED[1], 'chi-squared %.1f: %s, true %s' % (value, found, true[name]))
    whole = json.loads(report(folder, '--per-thread', '--output=json'))
    json_rows = whole['functions']
    check('JSON has the same threads', rows == {
        row['label']: (round(row['seconds'], 3), row['calls'],
                       None if row['heaviest'] is None else json_rows[row['heaviest']]['name'])
        for row in whole['threads']}, '%s: %s' % (rows, whole['threads']))
    places = {row['label']: row['id'] for row in whole['threads']}
    for row in whole['per_thread']:
        values, name = {value['member']: value for value in row['values']}, json_rows[row['function']]['name']
        if name in functions:
            check('JSON has the same times of %s' % name, functions[name][1:] == [
                round(values[places[label]]['self_seconds'], 3) if places[label] in values else 0 for label in rows],
                '%s: %s' % (functions[name], row))
        check('JSON adds up', sum(value['self_ticks'] for value in row['values']) ==
              json_rows[row['function']]['self_ticks'], '%s' % row)
    by_name = {row['name']: row for row in json_rows}
    for name in ('light', 'heavy'):
        check('%s of all threads' % name, abs(sum(functions[name][1:]) - functions[name][0]) < 1e-6, text)
        check('%s of the report' % name, round(functions[name][0] * RATE) == by_name[name]['self_ticks'],
              '%s: %s' % (functions[name], by_name[name]))
    check('all threads', round(sum(row[0] for row in rows.values()) * RATE) ==
          sum(row['self_ticks'] for row in json_rows), text)
    check('calls of all threads', sum(row[1] for row in rows.values()) ==
          sum(row['calls'] or 0 for row in json_rows), text)


def killed(folder):
    """A program that is killed has no end, but threads with names all the same."""
    true = record(folder, (), '0.6', 'kill')
    rows = threads_of(report(folder, '-b', '--per-thread'))
    for name, values in true.items():
        check('killed: %s' % name, '%s %d' % (name, values[0]) in rows, '%s' % rows)


def shared(folder):
    """Threads that use the tables of others are not distinguished, which the table says."""
    record(folder, ('--threads=4',), '0.3', 'turns', '50')
    rows = threads_of(report(folder, '-b', '--per-thread'))
    check('shared tables', len(rows) == 5 and rows.get('turn, 50 threads', (0, 0))[1] == 100, '%s' % rows)
    # Where all tables are used again, nothing is lost, and names that differ are not shown.
    record(folder, ('--threads=merge',), '0.3', 'turns', '50')
    rows = threads_of(report(folder, '-b', '--per-thread'))
    check('merged tables', len(rows) == 4 and '51 threads' in rows, '%s' % rows)
    record(folder, ('--threads=separate',), '0.3', 'turns', '50')
    text = report(folder, '-b', '--per-thread', '--set=per-thread.members=0')
    check('separate tables', len(threads_of(text)) == 54, text)
    short = report(folder, '-b', '--per-thread')
    check('the others in one row', len(threads_of(short)) == 20 and
          re.search(r'^\.\.\. 34 more threads with [0-9.]+% of the time$', short, re.M), short)


if __name__ == '__main__':
    sys.exit(run_parts(truth, killed, shared))

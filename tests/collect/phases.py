#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Phases that programs mark: calls and samples belong to the one in which they happened, and all of them together are
the whole."""
import collections
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import ARCHIVE, LIBRARY, PROGRAMS, check, compile_program, preloaded, run_parts     # noqa: E402

GPROFX = os.environ['GPROFX']


def program(folder):
    path = os.path.join(folder, 'phases')
    return path if os.path.exists(path) else compile_program('phases.c', path, '-O1', '-pg', '-g')


def static_program(folder):
    path = os.path.join(folder, 'static')
    if not os.path.exists(path):
        subprocess.run(['gcc', '-D_GNU_SOURCE', '-DSTATIC', '-O1', '-pg', '-static', PROGRAMS + '/phases.c', '-o', path,
                        '-pthread', ARCHIVE], check=True)
    return path


def run(folder, act, settings='', path=None, messages=0):
    where = os.path.join(folder, act + settings + ('' if path is None else '-static'))
    os.makedirs(where, exist_ok=True)
    env = preloaded(settings) if path is None else dict(os.environ, GPROFX_COLLECT=settings)
    done = subprocess.run([path or program(folder), act], cwd=where, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)
    check('%s: status' % act, done.returncode == 0 and done.stderr.count('\n') == messages, '%s' % done)
    files = [gxcreader.File(name) for name in sorted(glob.glob(where + '/*.gxc'))]
    lost = [(file.header['lost_calls'], file.header['lost_samples']) for file in files]
    check('%s: nothing lost' % act, not any(map(any, lost)), '%s' % lost)
    return done, files, where


def by_phase(files):
    """Calls of each function in each phase, and samples."""
    calls, samples = collections.defaultdict(collections.Counter), collections.Counter()
    for file in files:
        for number, name in [(0, 'no-phase'), *((number, row[0]) for number, row in file.phases().items())]:
            calls[name] += gxcreader.calls_by_function([file.in_phase(number)])
            samples[name] += file.in_phase(number).samples()
    return calls, samples


def report(where, folder, *options):
    file, *more = sorted(glob.glob(where + '/*.gxc'))
    return subprocess.run([GPROFX, '--no-config', '--output=json', *options, program(folder), file, *more], cwd=where,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)


def check_reports(what, where, folder, calls, samples):
    """What --phase selects is what the file has of each phase, and all of them are the whole."""
    whole = json.loads(report(where, folder).stdout)
    sums, ticks = collections.Counter(), 0
    check('%s: no phase is named' % what, 'phase' not in whole['profile'])
    for name in calls:
        done = report(where, folder, '--phase=' + name)
        if not check('%s: report of %s' % (what, name), done.returncode == 0, done.stderr):
            continue
        part = json.loads(done.stdout)
        check('%s: %s is named' % (what, name), part['profile']['phase'] == name)
        check('%s: samples in %s' % (what, name), part['totals']['flat_ticks'] == samples[name],
              '%s instead of %d' % (part['totals']['flat_ticks'], samples[name]))
        rows = {row['name']: row['calls'] or 0 for row in part['functions']}
        for function, number in calls[name].items():
            check('%s: calls of %s in %s' % (what, function, name), rows.get(function) == number,
                  '%s instead of %d' % (rows.get(function), number))
        ticks += part['totals']['flat_ticks']
        sums.update(rows)
    check('%s: samples of all phases are the whole' % what, ticks == whole['totals']['flat_ticks'],
          '%s, %s' % (ticks, whole['totals']['flat_ticks']))
    for row in whole['functions']:
        check('%s: calls of %s in all phases' % (what, row['name']), sums[row['name']] == (row['calls'] or 0))


def turns(folder):
    """Calls before and after a mark of any thread, with locks in between: exact."""
    # Before the first mark, and after each.
    order = [('no-phase', 1), ('load', 2), ('solve', 3), ('load', 4), ('write', 5), ('solve', 6), ('no-phase', 7)]
    expected = collections.Counter()
    for name, factor in order:
        expected[name] += 4 * 1000 * factor
    archive = static_program(folder)
    for settings, path in ('', None), ('rate=5000', None), ('threads=separate,clock=off', None), ('', archive):
        _, files, where = run(folder, 'turns', settings, path)
        calls, samples = by_phase(files)
        check('turns: phases', {row for file in files for row in file.phases().values()} ==
              {('load', 2), ('solve', 2), ('write', 1)}, '%s' % files[0].phases())
        if path is None:
            check('turns %s: calls' % settings, {name: row['leaf'] for name, row in calls.items()} == expected,
                  '%s' % calls)
        check('turns %s: sum' % settings, sum(row['leaf'] for row in calls.values()) == sum(expected.values()))
        if settings == '' and path is None:
            check_reports('turns', where, folder, calls, samples)
            check('turns: tables', files[0].header['bytes'] < 400 << 10, '%d' % files[0].header['bytes'])


def blocks(folder):
    """The same of basic blocks: leaf() has one."""
    library = os.path.dirname(LIBRARY)
    path = os.path.join(folder, 'blocks')
    subprocess.run(['gcc', '-D_GNU_SOURCE', '-O1', '-fsanitize-coverage=trace-pc', PROGRAMS + '/phases.c', '-o', path,
                    '-pthread', '-L' + library, '-lgprofx-collect', '-Wl,-rpath,' + library], check=True)
    symbols = gxcreader.Symbols(path)
    for act in 'turns', 'unseen':
        _, files, _ = run(folder, act, 'gmon=off,live=blocks.%p.gxc', path)
        found = collections.Counter()
        for number, name in [(0, 'no-phase'), *((number, row[0]) for number, row in files[0].phases().items())]:
            for address, count in files[0].in_phase(number)._rows(gxcreader.BLOCKS, '<QQ'):
                row = files[0].object_of(address)
                if count and row and row.path == path and symbols.name(address - 1 - row.bias) == 'leaf':
                    found[name] += count
        check('blocks: of leaf', found == ({'no-phase': 32000, 'load': 24000, 'solve': 36000, 'write': 20000}
                                           if act == 'turns' else {'no-phase': 1000, 'later': 1000}), '%s' % found)


def storm(folder):
    """Nothing is lost or counted twice while phases, threads and handlers come and go."""
    for settings in ('rate=4000,threads=merge',):
        done, files, _ = run(folder, 'storm', settings)
        true, handled = map(int, done.stdout.split())
        calls, _ = by_phase(files)
        whole = sum(calls.values(), collections.Counter())
        check('storm: calls', (whole['leaf'], whole['other'], whole['in_handler']) == (true, true, handled),
              '%s instead of %d, %d' % (whole, true, handled))
        check('storm: all phases', all(calls['phase %d' % i]['leaf'] > 0 for i in range(7)), '%s' % calls)
        check('storm: marks', sum(marks for _, marks in files[0].phases().values()) == 10000)
        check('storm: tables are taken again', files[0].header['bytes'] < 3 << 20, '%d' % files[0].header['bytes'])


def shares(folder):
    """Samples in each phase, against the processor time that each thread took in it."""
    _, files, where = run(folder, 'shares', 'rate=1000')
    calls, samples = by_phase(files)
    true = {'no-phase': 400, 'load': 1200, 'solve': 1600, 'write': 400}
    whole = sum(samples.values())
    check('shares: all time is sampled', abs(whole - sum(true.values())) < 0.15 * sum(true.values()), '%s' % samples)
    # Of a sample that weighs 4 and belongs to 20 times as many, the deviation is 1 %.
    squares = sum(square for _, square, _, _ in files[0].stacks())
    for name, milliseconds in true.items():
        part = milliseconds / sum(true.values())
        most = 5 * (part * (1 - part) * squares) ** 0.5
        check('shares: time in %s' % name, abs(samples[name] - part * whole) <= most,
              '%d instead of %d +- %d' % (samples[name], part * whole, most / 5))
    check_reports('shares', where, folder, calls, samples)


def many(folder):
    """More phases than a file can distinguish."""
    done, files, where = run(folder, 'many', messages=1)
    phases = files[0].phases()
    check('many: message', 'more than 63 phases' in done.stderr and 'other-phases' in done.stderr, done.stderr)
    check('many: phases', [phases[i + 1] for i in range(63)] == [('step %d' % i, 2) for i in range(63)] and
          phases[64] == ('other-phases', 2 * 37 + 1) and len(phases) == 64, '%s' % phases)
    calls, _ = by_phase(files)
    check('many: calls', all(calls['step %d' % i]['leaf'] == 2 for i in range(63)) and
          calls['other-phases']['leaf'] == 2 * 37, '%s' % calls)
    shown = report(where, folder, '--phase=step 7')
    check('many: warning', 'warning[collect.many-phases]' in shown.stderr, shown.stderr)
    shown = report(where, folder, '--phase=step 99')
    check('many: unknown', shown.returncode != 0 and 'error[profile.unknown-phase]' in shown.stderr and
          'only: no-phase, step 0, step 1, ' in shown.stderr.replace('\n', ' ').replace('  ', ' '), shown.stderr)


def children(folder):
    """A child of fork goes on in the phase of its parent."""
    _, files, where = run(folder, 'children')
    calls, _ = by_phase(files)
    check('children: calls', {name: row['leaf'] for name, row in calls.items()} ==
          {'no-phase': 3 + 3 + 4, 'parent': 2 + 3 * 10, 'child': 15}, '%s' % calls)
    for phase, number in ('no-phase', 10), ('parent', 32):
        shown = json.loads(report(where, folder, '--phase=' + phase).stdout)
        check('children: report of %s' % phase, [row['calls'] for row in shown['functions'] if row['name'] == 'leaf'] == [number],
              '%s' % shown['functions'])


def unload(folder):
    """Calls in libraries that are gone stay in their phases."""
    where = os.path.join(folder, 'unload')
    os.makedirs(where)
    for name in 'one', 'two':
        subprocess.run(['gcc', '-O1', '-shared', '-fPIC', '-pg', '-w', '-DNAME=' + name,
                        os.path.join(PROGRAMS, 'plugin.c'), '-o', '%s/%s.so' % (where, name)], check=True)
    _, files, _ = run(folder, 'unload')
    calls, _ = by_phase(files)
    for name in 'load', 'solve', 'write':
        check('unload: calls in %s' % name, (calls[name]['one_leaf'], calls[name]['two_leaf']) == (500, 500),
              '%s' % calls[name])


def unseen(folder):
    """A thread that only a signal can reach."""
    for path in None, static_program(folder):
        calls, _ = by_phase(run(folder, 'unseen', path=path)[1])
        check('unseen: calls', {name: row['leaf'] for name, row in calls.items()} == {'no-phase': 1000, 'later': 1000},
              '%s' % calls)


if __name__ == '__main__':
    sys.exit(run_parts(turns, blocks, storm, shares, many, children, unload, unseen))

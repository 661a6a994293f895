#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times at entry and exit (time=exact), against programs that measure their functions themselves, by the same clock."""
import collections
import glob
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import ARCHIVE, BUILD, LIBRARY, RECORD, check, compile_program, preloaded, run_parts, skip     # noqa: E402

GPROFX = os.path.join(BUILD, 'bin', 'gprofx')
INSTRUMENTED = '-finstrument-functions'
# Samples take time, which the program counts and the collector does not.
SAMPLED = 'gmon=off,time=exact'
EXACT = SAMPLED + ',clock=off'
# Seconds by which a function can differ: the program reads the clock after it is entered and before it is left.
SHARE, LEAST = 0.02, 0.002
Found = collections.namedtuple('Found', 'total own calls arcs taken file')


def build(folder, source, *flags, compiler='gcc'):
    name = '-'.join([source.split('.')[0], compiler, *(word.strip('-') for word in flags if word.startswith('-O'))])
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else compile_program(source, path, '-g', INSTRUMENTED, *flags,
                                                             compiler=compiler)


def execute(path, *words, status=0, environment=None):
    """What the program says of its functions, in seconds, and its files in the order in which they began."""
    folder = path + '.run'
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run([path, *map(str, words)], cwd=folder, env=environment or preloaded(EXACT), timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check('%s %s: status' % (os.path.basename(path), words), done.returncode == status,
          '%d %s' % (done.returncode, done.stderr[:300]))
    truth = {name: int(ns) / 1e9 for kind, name, ns in (row.split() for row in done.stdout.splitlines()
                                                        if row.startswith('time '))}
    files = [gxcreader.File(file) for file in glob.glob(folder + '/*.gxc')]
    return truth, sorted(files, key=lambda file: file.header['start'])


def find(file):
    """Seconds of each function with all that it called, and by itself; calls; seconds of each caller and callee; seconds that
    the collector took in each function and what it called."""
    symbols, (total, own, calls, arcs, taken) = {}, (collections.Counter() for _ in range(5))

    def name(address):
        path, linked = file.linked(address)
        if path not in symbols:
            symbols[path] = gxcreader.Symbols(path)
        return symbols[path].name(linked)

    for chain, timed in file.timed():
        names = [name(address) for address in chain]
        own[names[0]] += timed.seconds
        calls[names[0]] += timed.calls
        for one in set(names):
            total[one] += timed.seconds
            taken[one] += timed.taken
        for arc in set(zip(names[1:], names)):
            arcs[arc] += timed.seconds
    return Found(total, own, calls, arcs, taken, file)


def compare(what, truth, found):
    for name, seconds in sorted(truth.items()):
        # The program still prints what it measured, for which a busy machine takes its time.
        more = 0.3 if name == 'main' else 0
        # What passes while the collector is at work is in the program's own figure: much, if another program ran then.
        least = seconds - found.taken[name]
        check('%s: %s' % (what, name), -SHARE * seconds - LEAST < found.total[name] - least and
              found.total[name] - seconds < SHARE * seconds + LEAST + more,
              '%.6f instead of %.6f' % (found.total[name], seconds))


def check_counts(what, file, **expected):
    for key in ('unwound', 'unmatched', 'other_stacks', 'untimed'):
        check('%s: %s' % (what, key), file.header[key] == expected.get(key, 0), file.header[key])


def builds(folder, source):
    for compiler in ('gcc', 'clang'):
        if source.endswith('.cc'):
            compiler = {'gcc': 'g++', 'clang': 'clang++'}[compiler]
        if not shutil.which(compiler):
            skip('%s is not there' % compiler)
            continue
        for level in ('-O0', '-O2'):
            yield '%s %s' % (compiler, level), build(folder, source, level, compiler=compiler)


def functions(folder):
    for what, path in builds(folder, 'exact.c'):
        truth, files = execute(path)
        found = find(files[0])
        compare(what, truth, found)
        check_counts(what, found.file, unwound=10)
        check('%s: calls' % what, [found.calls[name] for name in ('leaf', 'deep', 'even', 'odd', 'on_signal')] ==
              [16, 20, 10, 10, 20], found.calls)
        check('%s: recursion by itself' % what, found.total['deep'] / 2 < found.arcs['deep', 'deep'] <
              found.total['deep'], found.arcs['deep', 'deep'])
        check('%s: sleeping is time' % what, found.own['sleeper'] >= 0.03, found.own['sleeper'])


def forget_deep(truth):
    """The program cannot know what the collector takes in a hundred thousand calls."""
    for name in ('bottomless', 'main'):
        truth.pop(name)


def linked(folder):
    """Other ways to the collector and to the program's addresses."""
    folder = os.path.join(folder, 'linked')
    os.makedirs(folder)
    shared = ['-L' + os.path.dirname(LIBRARY), '-Wl,-rpath,' + os.path.dirname(LIBRARY), '-lgprofx-collect']
    for what, flags in (('no PIE', ['-no-pie', *shared]), ('PIE', ['-pie', *shared]), ('static', ['-static', ARCHIVE])):
        path = os.path.join(folder, what.replace(' ', ''))
        # Behind the source, where the linker looks for what it needs.
        made = subprocess.run(['gcc', '-D_GNU_SOURCE', '-w', '-O1', '-g', INSTRUMENTED, '-pthread', '-o', path,
                               os.path.join(HERE, 'programs', 'exact.c'), *flags], capture_output=True, text=True)
        if not check('%s: built' % what, made.returncode == 0, made.stderr[:500]):
            continue
        truth, files = execute(path, 'odd', environment=dict(os.environ, GPROFX_COLLECT=EXACT))
        forget_deep(truth)
        # Nobody says in a static program that a thread has ended.
        if what == 'static':
            truth.pop('leaves')
        compare(what, truth, find(files[0]))
        check_counts(what, files[0])


def odd(folder):
    """Callbacks of libraries, inlined functions, stacks that grow, deep recursion, and threads that end in a call."""
    for what, path in builds(folder, 'exact.c'):
        # Of 100,000 calls within each other the overhead is much, and not exact on a busy machine: there are three tries.
        for _ in range(3):
            truth, files = execute(path, 'odd')
            found = find(files[0])
            if found.total['million'] >= 0.02:
                break
        forget_deep(truth)
        compare(what, truth, found)
        # The compiler says nothing of exits of a function that is left by force.
        check('%s: what is left' % what, found.file.header['unmatched'] == 0 and found.file.header['untimed'] == 0 and
              found.file.header['unwound'] <= 1, found.file.header)
        check('%s: the end of a deep recursion' % what, 0.02 <= found.total['million'] < found.total['bottomless'] +
              LEAST, found.total['million'])
        check('%s: all calls of a deep recursion' % what, found.calls['million'] == 100001, found.calls['million'])


def other_stacks(folder):
    """On other stacks, calls are counted, and who switches to them has the time."""
    for what, path in list(builds(folder, 'exact.c'))[:2]:
        truth, files = execute(path, 'switches')
        found = find(files[0])
        leaf = truth.pop('leaf')
        compare(what, truth, found)
        check('%s: its own' % what, found.own['switches'] > leaf - LEAST and 'leaf' not in found.total, found.own)
        counted = gxcreader.calls_by_function(files)
        check('%s: they are counted' % what, (counted['leaf'], counted['aside']) == (10, 1), counted)
        check_counts(what, found.file, other_stacks=11)


def exceptions(folder):
    for what, path in builds(folder, 'exceptions.cc'):
        truth, files = execute(path)
        found = find(files[0])
        compare(what, truth, found)
        # clang has no exits for functions that an exception leaves.
        check_counts(what, found.file, unwound=20 if 'clang' in what else 0)


def phases(folder):
    path = build(folder, 'exact.c', '-O2')
    truth, files = execute(path, 'phases')
    compare('all phases', truth, find(files[0]))
    for name, leaf, whole in (('first', 0.030, 0.035), ('second', 0.030, 0.030)):
        number = next(number for number, (other, _) in files[0].phases().items() if other == name)
        part = find(files[0].in_phase(number))
        # A phase that a busy machine made longer is longer for all of it.
        check('phase %s' % name, leaf <= part.total['leaf'] <= leaf + 0.3 and whole <= part.total['phases'] <=
              part.total['leaf'] + whole - leaf + 0.3, part.total)
        check('phase %s: main is in it' % name, abs(part.total['main'] - part.total['phases']) < LEAST, part.total)
    before = find(files[0].in_phase(0))
    check('before phases', before.own['phases'] >= 0.01 and before.total['leaf'] == 0, before.total)


def processes(folder):
    path = build(folder, 'exact.c', '-O2')
    truth, files = execute(path, 'forks')
    compare('parent', truth, find(files[0]))
    child = find(files[1])
    check('child: from its start', 0.03 <= child.total['forks'] < truth['forks'] - 0.015 and child.calls['forks'] == 0,
          child.total)
    check('child: main as well', abs(child.total['main'] - child.total['forks']) < LEAST, child.total)
    _, files = execute(path, 'execs', status=-signal.SIGKILL, environment=preloaded(SAMPLED))
    before, killed = find(files[0]), find(files[1])
    check('until it starts another program', before.total['main'] >= 0.028, before.total)
    check('until it is killed', killed.total['leaf'] >= 0.095 and killed.own['main'] >= 0.004,
          killed.total)


def objects(folder):
    """Two libraries that take each other's addresses keep their times apart."""
    folder = os.path.join(folder, 'unload.run')
    os.makedirs(folder)
    for name in ('one', 'two'):
        compile_program('plugin.c', os.path.join(folder, name + '.so'), '-O1', '-shared', '-fPIC', '-DNAME=' + name,
                        INSTRUMENTED)
    path = compile_program('unload.c', os.path.join(folder, 'unload'), '-O1', INSTRUMENTED, '-ldl')
    done = subprocess.run([path, '20', '10'], cwd=folder, env=preloaded(EXACT), capture_output=True, text=True)
    check('unload: status', done.returncode == 0, done.stderr)
    found = find(gxcreader.File(glob.glob(folder + '/*.gxc')[0]))
    check('unload: calls', (found.calls['one_leaf'], found.calls['two_leaf']) == (30000, 20000), found.calls)
    # Of functions that do nothing, nothing need be left once the overhead is taken off.
    check('unload: times', found.total['main'] > 0 and
          found.total['plugin'] >= found.total['one_leaf'] + found.total['two_leaf'], found.total)
    check_counts('unload', found.file)


def undisturbed():
    """Where it is allowed, nothing else runs meanwhile."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass


def short(folder):
    """What the collector takes is taken off: three million calls take as long as without it, within 30 ns each."""
    calls, each = 3000000, 30e-9
    path = build(folder, 'short.c', '-O2')
    bare = compile_program('short.c', os.path.join(folder, 'bare'), '-O2')
    best = None
    for _ in range(5):
        without = subprocess.run([bare, str(calls)], stdout=subprocess.PIPE, text=True, preexec_fn=undisturbed)
        shutil.rmtree(path + '.run', ignore_errors=True)
        os.makedirs(path + '.run')
        used = subprocess.run([path, str(calls)], cwd=path + '.run', env=preloaded(EXACT),
                              stdout=subprocess.PIPE, text=True, preexec_fn=undisturbed)
        found = find(gxcreader.File(glob.glob(path + '.run/*.gxc')[0]))
        error = found.total['all'] - int(without.stdout.split()[0]) / 1e9
        best = error if best is None or abs(error) < abs(best) else best
        if abs(best) < calls * each:
            break
    taken = int(used.stdout.split()[0]) / 1e9
    print('short calls: %.1f ns each are left of %.0f ns' % (best / calls * 1e9, taken / calls * 1e9))
    check('short: near the time without', abs(best) < calls * each, '%.3f s off' % best)
    check('short: calls', found.calls['step'] == calls // 3 * 2 and found.calls['pair'] == calls // 3, found.calls)


def slow_start(folder):
    """What the collector takes is measured again at the end: nothing else tells that the machine was slow at the start."""
    tracer = compile_program('stepped.c', os.path.join(folder, 'stepped'), '-O1')
    # The library is before the source, which needs it.
    path = compile_program('short.c', os.path.join(folder, 'stepped-short'), '-O2', '-g', INSTRUMENTED, '-static',
                           '-Wl,-u,__cyg_profile_func_enter', ARCHIVE)
    where = path + '.run'
    os.makedirs(where)
    # In a static program, the collector begins with the first call, which is that of main.
    symbols = {line.split()[-1]: line.split()[0] for line in
               subprocess.run(['nm', path], capture_output=True, text=True).stdout.splitlines()}
    done = subprocess.run([tracer, symbols['exact_clock_measure'], symbols['all'], path, '300000'], cwd=where, env=dict(os.environ, GPROFX_COLLECT=EXACT),
                          capture_output=True, text=True, timeout=120)
    if done.returncode == 77:
        skip('slow start: the system forbids tracing')
        return
    check('slow start: status', done.returncode == 0, '%s' % done)
    file = gxcreader.File(glob.glob(where + '/*.gxc')[0])
    found, header = find(file), file.header
    tick = (header['last_ns'] - header['first_ns']) / (header['last_tick'] - header['first_tick'])
    each = (header['cost_inside'] + header['cost_outside']) / 1024 * tick
    # At the start, some hundred thousand.
    check('slow start: what a call takes', 0 < each < 2000, '%.0f ns' % each)
    # Of so short calls nothing may be left, but what main does besides is; as much as at the start would take that, too.
    check('slow start: time', found.total['main'] >= 0.0005 and found.calls['step'] == 200000, found.total)


def report(path, *words):
    """The report of the last recording of a program, as JSON, and what is said beside it."""
    done = subprocess.run([GPROFX, '--output=json', *words, path], cwd=path + '.run', capture_output=True, text=True)
    check('%s %s: reported' % (os.path.basename(path), words), done.returncode == 0, done.stderr[:300])
    return json.loads(done.stdout or '{}'), done.stderr


def record(path, *words, options=()):
    folder = path + '.run'
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run([RECORD, '--time=exact', *options, path, *words], cwd=folder, capture_output=True, text=True)
    files = [gxcreader.File(file) for file in glob.glob(folder + '/gprofx.data/*.gxc')]
    return {name: int(ns) / 1e9 for kind, name, ns in (row.split() for row in done.stdout.splitlines() if row.startswith('time '))}, files


def seconds(told):
    return {row['name']: (row['self_seconds'], row['total_seconds']) for row in told['functions'] if row['total_seconds']}


def reports(folder):
    """The report has the times of the file, as measured ones, and none of samples."""
    path = build(folder, 'exact.c', '-O2')
    truth, files = record(path, options=['--clock=off'])
    found = find(files[0])
    told, said = report(path)
    metric = told['metrics'][0]
    check('the metric', len(told['metrics']) == 1 and (metric['name'], metric['unit'], metric['kind'], metric['total_origin']) ==
          ('clock', 'seconds', 'clocked', 'measured'), told['metrics'])
    shown = seconds(told)
    for name in set(truth) | set(found.total):
        check('report: %s' % name, name in shown and abs(shown[name][0] - found.own[name]) < 1e-6 and
              abs(shown[name][1] - found.total[name]) < 1e-6, '%s, %s' % (shown.get(name), found.total[name]))
    check('report: what is missing', '10 calls ended without an exit' in said and 'collect.unwound' in said, said)
    taken = float(said.split('measuring took ')[1].split()[0])
    check('report: what was taken off', 'recording.instrumentation' in said and
          abs(taken - sum(timed.taken for _, timed in files[0].timed())) < 0.01 * taken, said)
    check('report: no sampling error', 'samples' not in said, said)
    for words, text in ((['-p', '-b'], 'measured by a clock, at entry and exit'), (['-q', '-b'], 'times are by a clock'),
                        (['--output=top'], 'measured by a clock at entry and exit'), (['-p'], 'Time in which the program waited')):
        done = subprocess.run([GPROFX, *words, path], cwd=path + '.run', capture_output=True, text=True)
        check('%s: says what is measured' % words, text in done.stdout and 'sample' not in done.stdout, done.stdout[:300])
    arcs = {(told['functions'][row['caller']]['name'], told['functions'][row['callee']]['name']):
            row['self_seconds'] + row['below_seconds'] for row in told['arcs'] if isinstance(row.get('caller'), int)} \
        if 'caller' in (told['arcs'] or [{}])[0] else {}
    for arc, time in arcs.items():
        if arc in found.arcs:
            check('report: %s calls %s' % arc, abs(time - found.arcs[arc]) < 1e-6, '%s %s' % (time, found.arcs[arc]))
    check('report: calls', ('middle', 'leaf') in arcs and ('deep', 'deep') in arcs, list(arcs)[:5])
    for options, refused in ([], 'sum.several-metrics'), (['--clock=off'], 'sum.has-clock'):
        record(path, options=options)
        done = subprocess.run([GPROFX, '--sum=sum', path], cwd=path + '.run', capture_output=True, text=True)
        check('sum: %s' % refused, done.returncode == 1 and 'error[%s]: ' % refused in done.stderr and
              not os.path.exists(path + '.run/sum'), done.stderr)
    record(path)
    told, _ = report(path)
    check('samples are a metric of their own', [row['name'] for row in told['metrics']] == ['clock', 'time'] and
          [row['kind'] for row in told['metrics']] == ['clocked', 'sampled'], told['metrics'])
    told, _ = report(path, '--metric=time')
    check('samples come first if they are chosen', told['metrics'][0]['kind'] == 'sampled', told['metrics'])


def parts(folder):
    """Phases and threads in reports; and what is said of what is missing."""
    path = build(folder, 'exact.c', '-O2')
    _, files = record(path, 'phases')
    first = next(number for number, (name, _) in files[0].phases().items() if name == 'first')
    told, _ = report(path, '--phase=first')
    found = find(files[0].in_phase(first))
    check('report of a phase', abs(seconds(told)['leaf'][1] - found.total['leaf']) < 1e-6, seconds(told))
    record(path, options=['--clock=off'])
    done = subprocess.run([GPROFX, '--per-thread', '-b', path], cwd=path + '.run', capture_output=True, text=True)
    check('report of threads', done.returncode == 0 and 'thread' in done.stdout, done.stdout + done.stderr)
    for act, options, finding in (('switches', [], 'collect.other-stacks'), ('killed', [], 'collect.open-calls'),
                                  ('odd', ['--memory=90K'], 'collect.untimed')):
        record(path, act, options=options)
        _, said = report(path)
        check('%s: %s' % (act, finding), finding in said, said)
    bare = compile_program('short.c', os.path.join(folder, 'none'), '-O1', '-pg')
    record(bare, '1000')
    _, said = report(bare)
    check('nothing is instrumented: collect.no-times', 'collect.no-times' in said, said)
    # What no program does: an exit without an entry.
    source = os.path.join(folder, 'exits.c')
    with open(source, 'w') as out:
        out.write('void __cyg_profile_func_exit(void *, void *);\n__attribute__((no_instrument_function)) int main(void);\n'
                  'void f(void) { }\nint main(void) { f(); __cyg_profile_func_exit((void *)main, 0); return 0; }\n')
    path = compile_program(source, os.path.join(folder, 'exits'), '-O0', INSTRUMENTED, '-L' + os.path.dirname(LIBRARY),
                           '-Wl,-rpath,' + os.path.dirname(LIBRARY), '-Wl,--no-as-needed', '-lgprofx-collect')
    record(path)
    _, said = report(path)
    check('an exit without an entry: collect.unmatched-exits', 'collect.unmatched-exits' in said, said)


def off(folder):
    """Not asked for, nothing is measured, and calls are counted as always."""
    path = build(folder, 'short.c', '-O2')
    _, files = execute(path, 300, environment=preloaded('gmon=off'))
    check('off: no times', not list(files[0]._rows(gxcreader.TIMED, '<Q')) and files[0].header['times'] == 0)
    check('off: calls', gxcreader.calls_by_function(files)['step'] == 200)
    _, files = execute(path, 300)
    check('on: the same calls', gxcreader.calls_by_function(files)['step'] == 200)


if __name__ == '__main__':
    sys.exit(run_parts(functions, linked, odd, other_stacks, exceptions, phases, processes, objects, short, slow_start, reports,
                       parts, off))

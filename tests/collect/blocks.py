#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of basic blocks (-fsanitize-coverage=trace-pc): the lines of eleven programs, against gcov, and the tables of
the collector, against numbers that are known by construction."""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import ARCHIVE, BUILD, LIBRARY, PROGRAMS, RECORD, check, preloaded, run_parts, skip     # noqa: E402

GPROFX = os.path.join(BUILD, 'bin', 'gprofx')
GPROF = shutil.which('gprof')
COMPILERS = {('gcc', '.c'): 'gcc', ('gcc', '.cc'): 'g++', ('gcc', '.f90'): 'gfortran',
             ('clang', '.c'): 'clang', ('clang', '.cc'): 'clang++'}
BLOCKS = {'gcc': '-fsanitize-coverage=trace-pc', 'clang': '-fsanitize-coverage=bb,no-prune,trace-pc'}
LINK = ['-L' + os.path.dirname(LIBRARY), '-lgprofx-collect', '-Wl,-rpath,' + os.path.dirname(LIBRARY)]


def run(*words, folder, **more):
    return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def build(source, path, flags, kind='gcc', library=LINK):
    compiler = COMPILERS.get((kind, os.path.splitext(source)[1]))
    if not compiler or not shutil.which(compiler):
        return False
    done = run(compiler, '-g', '-w', '-pthread', '-D_GNU_SOURCE', *flags, os.path.join(PROGRAMS, source), '-o', path,
               *library, folder=os.path.dirname(path))
    check('%s %s: built' % (source, flags), done.returncode == 0, done.stderr[:500])
    return done.returncode == 0


def execute(path, *words, settings='gmon=off', **more):
    """Runs a program in a new folder; its files."""
    folder = path + '.run'
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = run(path, *map(str, words), folder=folder, **{'env': dict(os.environ, GPROFX_COLLECT=settings), **more})
    check('%s: status' % os.path.basename(path), done.returncode == 0, '%d %s' % (done.returncode, done.stderr[:300]))
    return sorted(glob.glob(folder + '/*.gxc'))


def truth_of(source, folder):
    """What gcov counts on each line; copies of a function are added up."""
    path = os.path.join(folder, 'truth')
    if not build(source, path, ['-O0', '--coverage', '-fprofile-update=atomic'], library=[]):
        return None
    run(path, folder=folder)
    counts = collections.Counter()
    told = run('gcov', '--json-format', '--stdout', *glob.glob(folder + '/truth-*.gcno'), folder=folder).stdout
    for text in filter(None, told.splitlines()):
        for file in json.loads(text)['files']:
            if os.path.basename(file['file']) == os.path.basename(source):
                for line in file['lines']:
                    counts[line['line_number']] += line['count']
    return counts


def lines_of(program, files, source, folder):
    """What gprofx counts on each line, in a trace file; and what it prints in front of the source."""
    done = run(GPROFX, '-l', '-A', '-x', '--output=lcov:lines', program, *files, folder=folder)
    # A sample can be in the C library or in ld.so, whose sources are not everywhere.
    warnings = [line for line in done.stderr.splitlines() if 'warning[' in line and
                ('[source.not-found]' not in line or os.path.basename(source) in line)]
    check('%s: reported' % source, done.returncode == 0 and warnings == [], done.stderr)
    done = run(GPROFX, '-l', '-A', '-x', '-b', program, *files, folder=folder)
    counts, here = {}, False
    with open(os.path.join(folder, 'lines')) as trace:
        for row in trace:
            if row.startswith('SF:'):
                here = os.path.basename(row.strip()) == os.path.basename(source)
            found = re.match(r'DA:(\d+),(\d+)', row)
            if found and here:
                counts[int(found.group(1))] = int(found.group(2))
    printed = done.stdout.split('*** File %s:\n' % os.path.join(PROGRAMS, source))[-1].splitlines()
    return counts, printed


def check_printed(what, counts, printed, texts):
    """Lines have no number, or ##### for 0, or numbers of which the largest is that of the line."""
    first = next((i for i, row in enumerate(printed) if row.endswith(texts[0])), 0)
    for number, text in enumerate(texts, 1):
        row = printed[first + number - 1]
        check('%s:%d: printed' % (what, number), row.endswith(text), row)
        head = row[:len(row) - len(text)].split('->')[0].split()
        shown = re.fullmatch(r'[\d,]+|#####', head[-1]) if head and '->' in row[:len(row) - len(text)] else None
        if number not in counts:
            check('%s:%d: no number' % (what, number), not shown, row)
        elif counts[number] == 0:
            check('%s:%d: did not run' % (what, number), shown and shown.group() == '#####', row)
        else:
            numbers = [int(n) for n in shown.group().split(',')] if shown and shown.group() != '#####' else [0]
            check('%s:%d: number' % (what, number), max(numbers) == counts[number], row)


def compare(source, kind, truth, counts, printed):
    """The same count on each line that both have; gcov has lines without code, and not those of braces alone."""
    with open(os.path.join(PROGRAMS, source)) as file:
        texts = file.read().splitlines()
    what, compared = '%s %s' % (kind, source), 0
    for number in sorted(set(truth) | set(counts)):
        text = re.sub(r'\s*(/\*|!) counts:.*', '', texts[number - 1]).strip()
        stated = re.search(r'counts:.*\b%s (\d+|-)' % kind, texts[number - 1])
        own = counts.get(number)
        if stated:
            check('%s:%d: as stated' % (what, number), own == (None if stated.group(1) == '-' else int(stated.group(1))),
                  '%s' % own)
        elif number in truth and own is not None:
            compared += 1
            check('%s:%d: as gcov' % (what, number), own == truth[number], '%s instead of %d' % (own, truth[number]))
        elif number in truth:
            # The code in which a function begins is of its brace, and labels have none.
            is_head = texts[number].strip() == '{' and counts.get(number + 1) == truth[number]
            check('%s:%d: has code' % (what, number), is_head or re.fullmatch(r'case .*:|default:|\w+:', text), text)
        else:
            check('%s:%d: has code for gcov' % (what, number), text in ('{', '}', 'for (;;) {', 'do {')
                  or number - 1 in truth and text.startswith(('{', '}')), text)
    check('%s: lines' % what, compared >= len(truth) / 2, '%d of %d' % (compared, len(truth)))
    check_printed(what, counts, printed, texts)


def lines(folder):
    for source in sorted(glob.glob(os.path.join(PROGRAMS, 'blocks', '*.*'))):
        source = os.path.join('blocks', os.path.basename(source))
        where = os.path.join(folder, os.path.basename(source) + '.d')
        os.makedirs(where)
        truth = truth_of(source, where)
        if truth is None:
            skip(source)
            continue
        for kind in 'gcc', 'clang':
            path = os.path.join(where, kind)
            if not build(source, path, ['-O0', BLOCKS[kind]], kind):
                continue
            files = execute(path)
            compare(source, kind, truth, *lines_of(path, files, source, where))


def by_function(files):
    """How often the block of each function ran that ran most often."""
    most, symbols = collections.Counter(), {}
    for file in map(gxcreader.File, files):
        here = collections.Counter()
        for (path, address), count in file.blocks().items():
            if path not in symbols:
                symbols[path] = gxcreader.Symbols(path)
            name = symbols[path].name(address - 1)
            here[name] = max(here[name], count)
        most.update(here)
    return most


def forms(folder):
    """Levels, entry points, ways to link, compilers; with calls of -pg in the same file."""
    for number, (kind, flags, library) in enumerate((
            ('gcc', ['-O0', '-pg'], LINK), ('gcc', ['-O1', '-no-pie'], LINK), ('gcc', ['-O2', '-pg', '-mfentry'], LINK),
            ('gcc', ['-O3', '-flto'], LINK), ('gcc', ['-O2', '-static'], [ARCHIVE]),
            ('gcc', ['-O2', '-pg', '-static-pie'], [ARCHIVE]), ('gcc', ['-O2', '-fno-plt'], LINK),
            ('clang', ['-O2', '-pg'], LINK), ('clang', ['-O1'], LINK))):
        path = os.path.join(folder, 'form%d' % number)
        what = '%s %s' % (kind, ' '.join(flags))
        if not build('threads.c', path, [*flags, BLOCKS[kind]], kind, library):
            skip(what)
            continue
        files = execute(path, 8, 100000)
        found = by_function(files)
        check('%s: blocks' % what, found['leaf'] == 800000 and found['work'] >= 800000 and found['main'] >= 8,
              '%s' % found)
        calls = gxcreader.calls_by_function(map(gxcreader.File, files))
        check('%s: calls' % what, calls['leaf'] == (800000 if '-pg' in flags else 0), '%s' % calls)


def processes(folder):
    """Children have their own counts, and handlers those of their thread."""
    path = os.path.join(folder, 'forks')
    build('forks.c', path, ['-O1', BLOCKS['gcc']])
    files = execute(path, 30)
    counts = sorted(by_function([name])['leaf'] for name in files)
    check('forks', counts == [50] * 30 + [1007], '%s' % counts)
    path = os.path.join(folder, 'handlers')
    build('handlers.c', path, ['-O1', '-pg', BLOCKS['gcc']])
    files = execute(path, 3000000)
    calls, found = gxcreader.calls_by_function(map(gxcreader.File, files)), by_function(files)
    for name in 'work', 'on_alarm', 'leaf':
        check('handlers: %s' % name, name not in calls or found[name] >= calls[name] > 0, '%s %s' % (found, calls))


def unload(folder):
    """What was counted in libraries that are gone stays theirs, wherever the next one was mapped."""
    path = os.path.join(folder, 'unload')
    where = path + '.run'
    os.makedirs(where)
    needs = ['-DBELOW', os.path.join(where, 'below.so'), '-Wl,-rpath,$ORIGIN']
    for name, more in ('below', ['-DALONE']), ('one', needs), ('two', []):
        subprocess.run(['gcc', '-O1', '-shared', '-fPIC', BLOCKS['gcc'], '-w', '-DNAME=' + name,
                        os.path.join(PROGRAMS, 'plugin.c'), '-o', os.path.join(where, name + '.so'), *more], check=True)
    build('unload.c', path, ['-O1'], library=['-ldl'])
    for words, expected in ((200, 1), {'one_leaf': 30000, 'two_leaf': 20000, 'below': 30000}), \
            ((100, 50), {'one_leaf': 750000, 'two_leaf': 500000, 'below': 750000}):
        for name in glob.glob(where + '/*.gxc'):
            os.remove(name)
        done = run(path, *map(str, words), folder=where, env=preloaded('gmon=off,rate=1000'))
        files = glob.glob(where + '/*.gxc')
        found = by_function(files)
        check('unload: status', done.returncode == 0, done.stderr)
        for name, count in expected.items():
            check('unload %s: %s' % (words, name), found[name] == count, '%s' % found)
        size = gxcreader.File(files[0]).header['bytes']
        check('unload: tables do not grow with the loads', size < 1 << 18, '%d' % size)


def listed(*words, folder):
    """Executions on each line of a program, as -C lists them: of several blocks, the most."""
    counts = collections.Counter()
    for line in run(*words, folder=folder).stdout.splitlines():
        row = re.match(r'.*:(\d+): \(\w+:0x[0-9a-f]+\) (\d+) executions$', line)
        if row:
            counts[int(row.group(1))] = max(counts[int(row.group(1))], int(row.group(2)))
    return counts


def sums(folder):
    """gmon.out of a recording has its blocks on request; GNU gprof lists the same ones. Those of a library stay out."""
    with open(os.path.join(folder, 'part.c'), 'w') as out:
        out.write('int part(int n) { if (n % 2) return 1; return n; }\n')
    with open(os.path.join(folder, 'whole.c'), 'w') as out:
        out.write('int part(int n);\nint main(void)\n{\n\tint sum = 0;\n\tfor (int i = 0; i < 500; i++)\n'
                  '\t\tif (i % 5 == 0)\n\t\t\tsum += part(i);\n\treturn sum == 0;\n}\n')
    run('gcc', '-g', '-O0', '-shared', '-fPIC', BLOCKS['gcc'], 'part.c', '-o', 'libpart.so', folder=folder)
    build(os.path.join(folder, 'whole.c'), os.path.join(folder, 'whole'), ['-O0', BLOCKS['gcc']],
          library=['./libpart.so', *LINK])
    done = run(RECORD, '-o', 'both', './whole', folder=folder)
    check('sums: recorded', '1.90 k basic blocks run' in done.stderr.replace('\n ', ''), done.stderr)
    file = glob.glob(os.path.join(folder, 'both', '*.gxc'))[0]
    done = run(GPROFX, '--sum=sum', 'whole', 'both', folder=folder)
    check('sums: what is left out', done.returncode == 0 and ', nor are 300 executions of basic blocks' in done.stderr,
          done.stderr)
    done = run(RECORD, '--recover=' + file, '-o', 'recovered', folder=folder)
    check('sums: recovered', done.returncode == 0, done.stderr)
    for profile in 'sum', 'recovered':
        for tool in filter(None, (GPROFX, GPROF)):
            found = listed(tool, '-b', '-l', '-C', 'whole', profile, folder=folder)
            check('sums: %s on %s' % (os.path.basename(tool), profile),
                  (found[5], found[6], found[7]) == (501, 500, 100), '%s' % found)
    run('./whole', folder=folder, env=dict(os.environ, GPROFX_COLLECT='live=off'))
    found = listed(GPROFX, '-b', '-l', '-C', 'whole', 'gmon.out', folder=folder)
    check('sums: not in every gmon.out', os.path.exists(os.path.join(folder, 'gmon.out')) and not found, '%s' % found)


def phases(folder):
    """A report of one phase has what ran in it."""
    with open(os.path.join(folder, 'marks.c'), 'w') as out:
        out.write('void gprofx_collect_mark(const char *phase);\nint work(int n)\n{\n\tint sum = 0;\n'
                  '\tfor (int i = 0; i < 500; i++)\n\t\tsum += i;\n\treturn sum;\n}\n'
                  'int main(void) { gprofx_collect_mark("late"); return work(1) == 0; }\n')
    build(os.path.join(folder, 'marks.c'), os.path.join(folder, 'marks'), ['-O0', '-pg', BLOCKS['gcc']])
    run(RECORD, '-o', 'marked', './marks', folder=folder)
    whole = run(GPROFX, '-b', '-l', '-A', '-x', 'marks', 'marked', folder=folder)
    check('phases: all', re.search(r'\b500 -> \t\tsum', whole.stdout) is not None, whole.stdout + whole.stderr)
    late = run(GPROFX, '-b', '-l', '-A', '-x', '--phase=late', 'marks', 'marked', folder=folder)
    check('phases: one', re.search(r'\b500 -> \t\tsum', late.stdout) and re.search(r' 0,1 -> int main', late.stdout),
          late.stdout + late.stderr)
    before = run(GPROFX, '-b', '-l', '-A', '-x', '--phase=no-phase', 'marks', 'marked', folder=folder)
    check('phases: none', re.search(r'##### -> \t\tsum', before.stdout) and re.search(r' 1,0 -> int main', before.stdout),
          before.stdout + before.stderr)


def memory(folder):
    """What had no room is counted as lost."""
    source, path = os.path.join(folder, 'wide.c'), os.path.join(folder, 'wide')
    with open(source, 'w') as out:
        out.write('int sum;\n' + ''.join('void f%d(int n) { if (n) sum += n; else sum--; }\n' % i for i in range(700)))
        out.write('int main(void) { for (int i = 0; i < 4; i++) {\n' + ''.join('f%d(i);\n' % i for i in range(700)))
        out.write('} return 0; }\n')
    build(source, path, ['-O0', BLOCKS['gcc']])
    whole = [gxcreader.File(name) for name in execute(path)]
    total = sum(whole[0].blocks().values())
    check('memory: enough', total > 5600 and whole[0].header['lost_blocks'] == 0, '%d' % total)
    few = execute(path, settings='gmon=off,memory=64K')
    file = gxcreader.File(few[0])
    lost = file.header['lost_blocks']
    check('memory: lost', lost > 0 and sum(file.blocks().values()) + lost == total, '%d lost of %d' % (lost, total))
    done = run(GPROFX, '-l', '-b', '-C', path, few[0], folder=folder)
    check('memory: reported', 'collect.lost-blocks' in done.stderr and '%d executions' % lost in done.stderr, done.stderr)


if __name__ == '__main__':
    sys.exit(run_parts(lines, forms, processes, unload, sums, phases, memory))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do other programs show the figures of the JSON report?

    consumers.py BUILD [--seed N] [--count N]

Twenty compiled programs and eleven made profiles (cycles, recursion, several files, ranks, a library, stacks, hostile
names) are written for callgrind_annotate, "go tool pprof" (-top, -list), Graphviz, speedscope and Firefox Profiler. What
each of these prints is compared with the JSON report of the same run: own time and inclusive time of each function.
speedscope opens four of the formats.

Programs that are not installed, and those from npm where it cannot be reached, are skipped and counted. The seed chooses
how programs are compiled; --count limits the cases.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..', 'tools'))

import exportcases                                                  # noqa: E402
import gmonreader                                                   # noqa: E402
import programs                                                     # noqa: E402
import shownby                                                      # noqa: E402
from lcg import Random                                              # noqa: E402
from profiled import Program                                        # noqa: E402

# What a profile needs for figures to compare, and how often a run is made longer for it: unless it takes some seconds
# already, so that its time is in libraries, which are not sampled.
LEAST_SAMPLES, TRIES, LONG_RUN = 30, 6, 5
FORMATS = {'json': 'out.json', 'callgrind': 'callgrind.out', 'pprof': 'out.pb.gz', 'folded': 'out.folded',
           'speedscope': 'out.speedscope.json', 'dot': 'out.dot', 'callgrind by line': 'lines.out', 'json by line': 'lines.json'}
# Rows that are no functions of the report.
MADE_UP = re.compile(r'<cycle \d+>|<spontaneous>|<outside>|.*' + re.escape(exportcases.MARK) + '|' +
                     re.escape(exportcases.CUT))


# -- cases --------------------------------------------------------------------------------------

def keep(folder, name, data):
    with open(os.path.join(folder, name), 'wb') as out:
        out.write(data)
    return name


def with_profiles(folder, program, *profiles):
    """Writes a program and its profiles; returns the operands."""
    return [keep(folder, 'program', program.bytes())] + [
        keep(folder, 'gmon-%d' % number, profile.bytes()) for number, profile in enumerate(profiles)]


def one_cycle(folder):
    program, samples, calls = exportcases.example()
    return with_profiles(folder, program, program.profile(samples, calls))


def main_in_a_cycle(folder):
    program, samples, calls = exportcases.example()
    return with_profiles(folder, program, program.profile(samples, calls + [('b', 'main', 3)]))


def recursion(folder):
    program, samples, calls = exportcases.example()
    return with_profiles(folder, program, program.profile(samples, calls[:3] + [('b', 'b', 70), ('a', 'a', 9)]))


def several_files(folder):
    program, samples, calls = exportcases.example()
    return with_profiles(folder, program, *[program.profile({name: ticks * n for name, ticks in samples.items()}, calls)
                                            for n in (1, 2, 5)])


def ranks(folder):
    program, samples, calls = exportcases.example()
    return with_profiles(folder, program, *[program.profile({'main': 1, 'a': 40 + rank, 'b': samples['b']}, calls[:2])
                                            for rank in range(32)])


def library(folder):
    program, samples, calls = exportcases.example()
    other = Program(['lib_open', 'lib_read', 'a'])
    keep(folder, 'libother.so', other.bytes())
    keep(folder, 'libother.profile', other.profile({'lib_open': 3, 'lib_read': 30, 'a': 2}, [('lib_open', 'lib_read', 6)]).bytes())
    return ['--object=libother.so=libother.profile', *with_profiles(folder, program, program.profile(samples, calls))]


def same_names(folder):
    program = Program(['main', '~work', '~work', '~work', 'other'])
    calls = [('main', program.base + 0x100 * n, n + 1) for n in (1, 2, 3)]
    return with_profiles(folder, program, program.profile({'main': 2, program.base + 0x100: 3, program.base + 0x200: 5,
                                                           'other': 7}, calls))


def stacks(folder):
    return exportcases.make_stacks(Random(4), folder)[0]


def hostile_stacks(folder):
    with open(os.path.join(folder, 'stacks'), 'wb') as out:
        out.write(b'main;[T, 4] 7\nmain;#hash;std::map<int, char>::find(int) 5\nmain;x"y\\ 3\nmain;a\xff\x01b 9\n'
                  b'main;main;(7) weird 11\nmain;' + b'long<' * 20000 + b' 13\nmain;\xc3\xa4\xe2\x82\xac&lt; 17\n')
    return ['stacks']


def hostile_names(folder):
    names = ['main', 'two\nlines', '\xff\xfe', '(7) weird', 'quote"\\', '#hash 12', 'a;b', '<cycle 1>', '&lt;&#34;', '~same', '~same',
             'std::map<int, ' + 'std::vector<' * 9000 + 'int>', 'two  blanks', '{braces|bars}', 'tab\t', "it's", '%s%n']
    program = Program(names)
    samples = {program.base + 0x100 * i: i + 1 for i in range(len(names))}
    calls = [(program.base + 4, program.base + 0x100 * i, 2 ** 32 - 1) for i in range(1, len(names))]
    return with_profiles(folder, program, program.profile(samples, calls))


def random_graph(folder):
    return exportcases.make_graph(Random(20), folder)[0]


MADE = [one_cycle, main_in_a_cycle, recursion, several_files, ranks, library, same_names, stacks, hostile_stacks,
        hostile_names, random_graph]


def compiled(name, lot):
    """A case that compiles a program and runs it."""
    def make(folder):
        compiler, sources, options = lot.choice(programs.PROGRAMS[name])
        options = options + [lot.choice(programs.LEVELS)] + lot.choice(programs.FORMS)
        path = os.path.join(folder, 'program')
        if not shutil.which(compiler) or not programs.compile_program(compiler, sources, options, path):
            raise shownby.Missing('%s %s' % (compiler, ' '.join(options)))
        rounds = 100
        for _ in range(TRIES):
            seconds = programs.run(path, rounds, folder)
            samples = sum(gmonreader.read(os.path.join(folder, 'gmon.out'))[2])
            if samples >= LEAST_SAMPLES or seconds > LONG_RUN:
                break
            rounds *= 8
        return ['program', 'gmon.out']
    return make


# -- what is expected ---------------------------------------------------------------------------

def forms_of(function):
    """The names that a function can have in files: others can have the same name."""
    words = [function['name'] or '?']
    for file in (function['source_file'], function['object']):
        if file:
            words.append('%s [%s]' % (words[0], file))
    return words + ['%s [%s]' % (word, function['address']) for word in words]


def printable(name):
    """As files of this kind have names of any bytes."""
    return ''.join('\\x%02x' % ord(c) if c < ' ' or c == '\x7f' else c for c in name)


def folded(name):
    """As folded stacks have a name, in which some characters mean something else."""
    name = re.sub(r' (\d+(\.\d*)?)$', r'_\1', name.replace(';', ','))
    return '_' + name[1:] if name.startswith('#') else name


class Report:
    """The figures of the JSON report: of names, those of all functions that have it."""

    def __init__(self, whole):
        self.whole = whole
        self.metric = whole['metrics'][0]
        self.is_measured = self.metric['total_origin'] == 'measured'
        self.names = {}
        self.rows = defaultdict(list)
        for function in whole['functions']:
            name = printable(function['name'] or '?')
            for form in forms_of(function):
                self.names.setdefault(printable(form), name)
                self.names.setdefault(folded(printable(form)), name)
            # Programs have their own ideas of the inclusive time of members of cycles.
            is_member = function['cycle'] is not None and not self.is_measured
            own, total = function['self_ticks'], None if is_member else function['total_ticks']
            self.rows[name].append((own, total))
        self.has_loops = any(f['cycle'] is not None or f['recursive_calls'] for f in whole['functions']) or self.is_measured
        self.ticks = sum(own for rows in self.rows.values() for own, _ in rows)


class Differs(Exception):
    pass


def compare(report, rows, unit, own_room=None, room=None):
    """Compares (name, own, inclusive) with the report; `unit`: of a tick. Where equal names are there several times, as
    the sums. `own_room` and `room`: what a row's own and inclusive figures may differ by, of what is expected; by default
    one, and the paths that are too small to show."""
    own_room = own_room or (lambda value: 1 + value * 1e-9)
    room = room or (lambda value: 1 + len(rows) + report.ticks * unit * 1e-5)
    found = defaultdict(lambda: [0, 0])
    for name, own, whole in rows:
        base = report.names.get(name)
        if base is None:
            if not MADE_UP.fullmatch(name) or (own > own_room(0) and not name.endswith(exportcases.CUT)):
                raise Differs('%r is no function of the report' % name[:200])
            continue
        found[base] = [found[base][0] + own, found[base][1] + whole]
    for name, expected in report.rows.items():
        own = sum(row[0] for row in expected) * unit
        if abs(found[name][0] - own) > own_room(own) * len(expected):
            raise Differs('%s: own %s instead of %s' % (name[:200], found[name][0], own))
        # That of a PLT stub with what it jumps to is not known, either.
        if any(row[1] is None for row in expected):
            continue
        total = sum(row[1] for row in expected) * unit
        if abs(found[name][1] - total) > room(total) * len(expected):
            raise Differs('%s: inclusive %s instead of %s' % (name[:200], found[name][1], total))
    return len(report.rows)


# -- the programs -------------------------------------------------------------------------------

def annotated(report, folder, form):
    """Rows without the files that stand before their names."""
    images = {f['object'] for f in report.whole['functions'] if f['object']}
    rows = shownby.annotate_rows(os.path.join(folder, FORMATS[form]),
                                 '|'.join(re.escape(name) for name in {report.program} | images), form != 'callgrind')
    for name, own, whole in rows:
        file, colon, rest = name.partition(':')
        yield rest if colon and name not in report.names and '<' not in file else name, own, whole


def check_annotate(report, folder, npm):
    rows = list(annotated(report, folder, 'callgrind'))
    return compare(report, rows, exportcases.scale_of(report.whole, 1e8))


def check_lines(report, folder, npm):
    """The own time of all lines of each function. Of what it shows by file there is no inclusive time."""
    name = {int(f['address'], 16): f['name'] for f in report.whole['functions'] if not f['object']}
    own, owner = defaultdict(float), None
    for line in report.lines['functions']:
        if line['function'] and not line['object']:
            owner = name.get(int(line['address'], 16), line['name'])
        own[line['name'] if line['object'] else owner] += line['self_ticks']
    unit = exportcases.scale_of(report.whole, 1e8)
    found = defaultdict(float)
    for row in annotated(report, folder, 'callgrind by line'):
        found[report.names.get(row[0])] += row[1]
    for row, ticks in own.items():
        if abs(found[printable(row)] - ticks * unit) > 1 + ticks * unit * 1e-9:
            raise Differs('%s: %s instead of %s' % (row[:200], found[printable(row)], ticks * unit))
    return len(own)


def check_pprof(report, folder, npm):
    rows = shownby.pprof_top(os.path.join(folder, FORMATS['pprof']))
    return compare(report, rows, exportcases.scale_of(report.whole, 1e9))


def check_pprof_list(report, folder, npm):
    """Only functions with sources are listed."""
    rows = shownby.pprof_list(os.path.join(folder, FORMATS['pprof']), programs.HERE)
    unit = exportcases.scale_of(report.whole, 1e9)
    for name, own, _ in rows:
        base = report.names.get(name)
        if base is None or abs(own - sum(row[0] for row in report.rows[base]) * unit) > 1 + own * 1e-9:
            raise Differs('%s: own %s' % (name, own))
    sources = [f for f in report.whole['functions'] if f['self_ticks'] > 0 and (f['source_file'] or '').startswith(programs.HERE)]
    if len(rows) < len({f['name'] for f in sources}):
        raise Differs('%d of %d functions are listed' % (len(rows), len(sources)))
    return len(rows)


def check_dot(report, folder, npm):
    """Only the heaviest functions have boxes, which show two digits of a percentage."""
    rows = shownby.dot_rows(os.path.join(folder, FORMATS['dot']))
    shown = {report.names.get(name) for name, _, _ in rows}
    whole = report.ticks or 1
    for name, expected in report.rows.items():
        if len(expected) > 1 or expected[0][1] is None:
            continue
        own, total = (100 * value / whole for value in expected[0])
        found = [row for row in rows if report.names.get(row[0]) == name]
        if found and (abs(found[0][1] - own) > 0.006 or abs(found[0][2] - total) > 0.006):
            raise Differs('%s: %s instead of %s, %s' % (name, found[0], own, total))
        if not found and name[:80] == name and total > 0.6:
            raise Differs('%s is missing' % name)
    return len(shown)


def check_firefox(report, folder, npm):
    """Where paths are too small to show, a function's own time can stand in place of them."""
    rows = npm.firefox_rows(os.path.join(folder, FORMATS['folded']))
    unit = exportcases.scale_of(report.whole, 1e6)
    return compare(report, rows, unit, own_room=lambda value: 1 + len(rows) + report.ticks * unit * 1e-5)


def rounded(share):
    """By how much speedscope rounds a percentage."""
    return 0.51 if share >= 10 else 0.051 if share >= 1 else 0.011


def check_speedscope(report, folder, npm):
    """Percentages, as speedscope rounds them, of four files. It makes stacks from the callgrind file itself, from functions
    without callers on, which is no longer the same graph where there are cycles."""
    count = 0
    for form in ['pprof', 'folded', 'speedscope'] + ([] if report.has_loops else ['callgrind']):
        rows = npm.speedscope_rows(os.path.join(folder, FORMATS[form]))
        try:
            count += compare(report, rows, 100 / (report.ticks or 1), own_room=rounded, room=rounded)
        except Differs as why:
            raise Differs('%s: %s' % (form, why)) from None
    return count


CHECKS = {'callgrind_annotate': check_annotate, 'callgrind_annotate by line': check_lines,
          'pprof -top': check_pprof, 'pprof -list': check_pprof_list,
          'dot': check_dot, 'Firefox Profiler': check_firefox, 'speedscope': check_speedscope}


def write_all(gprofx, words, folder):
    # Stacks have no lines, and then there is no program, either.
    has_lines = len(words) > 1
    for by_line in [False, True] if has_lines else [False]:
        outputs = ['--output=%s:%s' % (form.split()[0], file) for form, file in FORMATS.items()
                   if by_line == form.endswith(' by line')]
        done = subprocess.run([gprofx, '--no-findings', '--set=dot.most=100000', *(['-l'] if by_line else []), *outputs,
                               *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0 or done.stdout:
            raise Differs('gprofx: status %d: %s%s' % (done.returncode, done.stderr, done.stdout))
    report = Report(read_json(folder, 'json'))
    report.lines = read_json(folder, 'json by line') if has_lines else None
    report.program = os.path.basename((report.whole['image'] or {}).get('file') or words[-1])
    return report


def read_json(folder, form):
    with open(os.path.join(folder, FORMATS[form]), encoding='utf-8') as text:
        return json.load(text)


def main():
    words = argparse.ArgumentParser()
    words.add_argument('build')
    words.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    words.add_argument('--count', type=int, default=0)
    chosen = words.parse_args()
    gprofx = os.path.join(os.path.abspath(chosen.build), 'bin', 'gprofx')
    lot = random.Random(chosen.seed)
    print('seed %d' % chosen.seed)
    cases = [(make.__name__, make) for make in MADE] + [('compiled ' + name, compiled(name, lot)) for name in programs.PROGRAMS]
    passed = failed = skipped = figures = 0
    with tempfile.TemporaryDirectory() as shared:
        npm = shownby.Npm(os.path.join(HERE, 'npm'), shared)
        for title, make in cases[:chosen.count or None]:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    report = write_all(gprofx, make(folder), folder)
                except shownby.Missing as what:
                    print('%s: skipped, not here: %s' % (title, what))
                    skipped += len(CHECKS)
                    continue
                except Differs as why:
                    print('%s: FAILED: %s' % (title, why))
                    failed += 1
                    continue
                for name, check in CHECKS.items():
                    if check == check_lines and not report.lines:
                        continue
                    try:
                        figures += check(report, folder, npm)
                        passed += 1
                    except shownby.Missing as what:
                        print('%s, %s: skipped, not here: %s' % (title, name, what))
                        skipped += 1
                    except (Differs, shownby.Refused, subprocess.TimeoutExpired) as why:
                        print('%s, %s: FAILED: %s' % (title, name, why))
                        failed += 1
    print('%d functions compared' % figures)
    print('consumers: %d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())

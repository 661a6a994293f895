# SPDX-License-Identifier: Apache-2.0
"""Holds counts of lines and functions against what gcov prints for people.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools against_gcov.py [NAME...]

Each program is built with --coverage -pg -g and run. The truth is gcov's text, added up over the
object files; what is read is its JSON. Every line has to have gcov's count, in every listing that
shows counts of lines, and there may be no other line. Works in the current directory.
"""
import collections
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys

from runner import program_under_test

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
PROGRAMS = {
    'c-O0': ('c', 'gcc -O0', 'main.c lib/list.c'),
    'c-O2': ('c', 'gcc -O2', 'main.c lib/list.c'),
    'c-O2-dwarf4': ('c', 'gcc -O2 -gdwarf-4', 'main.c lib/list.c'),
    'c-paths': ('c', 'gcc -O1', './main.c include/../lib/./list.c'),
    'c-atomic': ('c', 'gcc -O3 -fprofile-update=atomic', 'main.c lib/list.c'),
    'c++-O0': ('c++', 'g++ -O0', 'main.cc other.cc'),
    'c++-O2': ('c++', 'g++ -O2', 'main.cc other.cc'),
}


def run(words, folder, status=0):
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == status, (words, done.returncode, done.stderr.decode())
    return done.stdout.decode()


def gcov_text(folder, datas):
    """({(path, line): count}, {(path, function): count}), as gcov prints them."""
    lines, functions = collections.Counter(), collections.Counter()
    for data in datas:
        path, in_instance = None, False
        for row in run(['gcov', '-t', '-b', '-c', data], folder).splitlines():
            if row.startswith('-----'):
                continue
            called = re.match(r'function (\S+) called (\d+) ', row)
            if called:
                functions[path, called.group(1)] += int(called.group(2))
            # Instances of a template follow the lines with their sums, each below its name.
            if re.match(r'\S.*:$', row) and not re.match(r' *\S+: *\d+:', row):
                in_instance = True
            found = re.match(r' *([^ :]+): *(\d+):(.*)', row)
            if not found:
                continue
            count, line, text = found.group(1), int(found.group(2)), found.group(3)
            if line == 0 and text.startswith('Source:'):
                path = os.path.normpath(os.path.join(folder, text[7:]))
                in_instance = False
            elif count != '-' and line != 0:
                number = 0 if count[0] in '#=%$' else int(count.rstrip('*'))
                key = path, line
                if in_instance and key in lines:
                    continue
                lines[key] += number
    return dict(lines), dict(functions)


def from_counts(text):
    """The lines of -l -C that stand for lines of the source."""
    found = {}
    for path, line, count in re.findall(r'^(.*):(\d+): (\d+) executions$', text, re.M):
        assert (path, int(line)) not in found, 'twice: %s:%s' % (path, line)
        found[path, int(line)] = int(count)
    return found


def from_json(text):
    report = json.loads(text)
    files = [row['file'] for row in report['source_files']]
    return {(files[row['file']], row['line']): int(row['executions'])
            for row in report['source_lines']}


def from_csv(text):
    rows = csv.DictReader(io.StringIO(text))
    return {(row['file'], int(row['line'])): int(row['executions']) for row in rows}


def from_annotated(text):
    """Each line of the sources with what stands before it: time, share and mark, and the count."""
    found, path = {}, None
    for row in text.split('\n'):
        begin = re.match(r'\*\*\* File (.*):$', row)
        if begin:
            path, line, margin = os.path.normpath(begin.group(1)), 0, 16
            assert all(path != other for other, _ in found), 'twice: ' + path
        elif re.match(r'\f|Top \d+ Lines:$|Execution Summary:$', row):
            path = None
        elif path and re.match(r' *\w+   share         count    source$', row):
            margin += 18
        elif path:
            line += 1
            count = re.match(r'( *\d+| *#####) -> ', row[margin - 16:])
            if count:
                found[path, line] = int(count.group(1).replace('#####', '0'))
    return found


def from_lcov(text):
    found, path = {}, None
    for row in text.split('\n'):
        key, _, value = row.partition(':')
        if key == 'SF':
            path = value
        elif key == 'DA':
            line, count = value.split(',')
            found[path, int(line)] = int(count)
    return found


# What shows counts of lines: options, how they are read, and whether lines that did not run are
# there as well.
LISTINGS = [
    ('-b -l -C -z', from_counts, True),
    ('-b -l -C', from_counts, False),
    ('-b -A -x --set=annotate.system-files=true', from_annotated, True),
    ('-b -l -A -x --set=annotate.system-files=true', from_annotated, True),
    ('--output=json', from_json, True),
    ('--output=csv --output-option=csv.table=lines', from_csv, True),
    ('--output=lcov', from_lcov, True),
]


def functions_of(text):
    """The functions of the source in a report in JSON, and the functions of the report that
    nothing was counted of.
    """
    report = json.loads(text)
    files = [row['file'] for row in report['source_files']]
    counted = report['source_functions']
    for row in counted:
        row['path'], row['executions'] = files[row['file']], int(row['executions'])
    for row in report['functions']:
        match = [f['executions'] for f in counted if f['function'] == row['id']]
        assert match == [row['executions']] or (row['executions'] is None and not match), row
    return counted, {row['raw_name'] for row in report['functions'] if row['executions'] is None}


def function_differences(truth, report, listing):
    """Functions in JSON and in -C; gcov's text leaves some out that its JSON has."""
    counted, others = functions_of(report)
    found = {(row['path'], row['raw_name']): row['executions'] for row in counted}
    wrong = differences(truth, {key: found[key] for key in found if key in truth}, 'functions')
    left = collections.Counter((row['path'], row['first_line'], row['executions'])
                               for row in counted if row['executions'])
    for path, line, name, count in re.findall(
            r'^(.*):(\d+): \((\S+?)(?::0x[0-9a-f]+)?\) (\d+) executions$', listing, re.M):
        place = path, int(line), int(count)
        if left[place] > 0:
            left[place] -= 1
        elif name not in others:
            wrong.append('-C: %s: %s is not what gcov counted' % (name, place))
    return wrong + ['-C: nothing at %s' % (place,) for place in +left]


def differences(expected, found, what):
    keys = sorted(key for key in expected.keys() | found.keys()
                  if expected.get(key) != found.get(key))
    return ['%s: %s: gcov has %s, found %s' % (what, key, expected.get(key), found.get(key))
            for key in keys]


def summary_differences(lines, report, folder):
    """The sums that lcov and genhtml print of the tracefile, if they are installed."""
    functions = [int(row['executions']) for row in json.loads(report)['source_functions']]
    wrong = []
    for words in (['lcov', '--summary', 'info'], ['genhtml', '-o', 'html', 'info']):
        if not shutil.which(words[0]):
            continue
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120, check=False)
        for what, counts in (('lines', lines.values()), ('functions', functions)):
            expected = '(%d of %d %s)' % (sum(c > 0 for c in counts), len(counts), what)
            if done.returncode != 0 or expected not in done.stdout:
                wrong.append('%s: expected %s, found: %s' % (words[0], expected, done.stdout))
    return wrong


def check(name, gprofx):
    kind, compiler, sources = PROGRAMS[name]
    folder = os.path.join(os.getcwd(), name)
    shutil.copytree(os.path.join(SOURCES, kind), folder)
    run(compiler.split() + ['-g', '--coverage', '-pg', '-o', 'program'] + sources.split(), folder)
    run(['./program'], folder)
    datas = sorted(os.path.basename(path) for path in glob.glob(folder + '/*.gcda'))
    assert len(datas) == len(sources.split()), datas
    lines, functions = gcov_text(folder, datas)
    assert sum(1 for count in lines.values() if count) > 20 and 0 in lines.values()
    run(['gcov', '--json-format'] + datas, folder)
    counts = sorted(os.path.basename(path) for path in glob.glob(folder + '/*.gcov.json.gz'))
    wrong = []
    for profiles in [counts, ['gmon.out'] + counts, counts[::-1] + ['gmon.out']]:
        for options, read, has_all in LISTINGS:
            expected = {key: count for key, count in lines.items() if count or has_all}
            text = run([gprofx] + options.split() + ['program'] + profiles, folder)
            wrong += differences(expected, read(text), options)
        report = run([gprofx, '--output=json', 'program'] + profiles, folder)
        listing = run([gprofx, '-b', '-C', 'program'] + profiles, folder)
        wrong += function_differences(functions, report, listing)
    run([gprofx, '--output=lcov:info', 'program'] + counts, folder)
    wrong += summary_differences(lines, report, folder)
    return len(lines), len(functions), wrong


def main(names):
    gprofx, failed = program_under_test(), False
    for name in names or PROGRAMS:
        lines, functions, wrong = check(name, gprofx)
        print('%s: %d lines, %d functions: %s' % (name, lines, functions,
                                                  'differ' if wrong else 'the same'))
        print('\n'.join(wrong[:20]), end='\n' if wrong else '')
        failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

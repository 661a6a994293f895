#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four programs of Debian's archive, built with -pg: their own test suites under the collector.

    archive.py BUILD [NAME]... [--seed N] [--count N] [--keep FOLDER] [--clock CLOCK]

memcached has threads, make forks, muparser throws exceptions, lapack is Fortran. Each suite is run without the collector
and under `gprofx record`: every test must have the same verdict, and the profile must have what the suite did.
apt downloads the sources, and what they need to be built, with lists and folders of its own: nothing is installed, and the
system's settings are not touched.

--count is the number of programs, NAME those that are wanted (all), --keep a folder in which what was built stays for the
next time, --clock that of the recordings (cpu). Takes ten minutes and needs the package mirror.
"""
import argparse
import collections
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'tools')]
import gxcreader

FLAGS = '-g -O2 -pg'
MOST_RUNS = 3
results = {'passed': 0, 'failed': 0}


def check(what, is_right, detail=''):
    results['passed' if is_right else 'failed'] += 1
    if not is_right:
        print('FAIL: %s: %s' % (what, str(detail)[:2000]), flush=True)
    return is_right


def run(words, folder, **more):
    """Runs a step of a build; all that it says if it fails."""
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors='replace', shell=isinstance(words, str), **more)
    if done.returncode:
        raise RuntimeError('%s: %s' % (words, done.stdout[-3000:]))
    return done.stdout


class Apt:
    """apt with lists of its own, which have sources as well as packages."""

    def __init__(self, folder):
        self.folder = folder
        parts = os.path.join(folder, 'sources')
        for name in 'sources', 'state/lists/partial', 'cache/archives/partial':
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        for path in ['/etc/apt/sources.list', *glob.glob('/etc/apt/sources.list.d/*')]:
            if not path.endswith(('.list', '.sources')) or not os.path.isfile(path):
                continue
            with open(path) as file, open(os.path.join(parts, os.path.basename(path)), 'w') as copy:
                copy.write(self.with_sources(path, file.read()))
        self.options = ['-q', '-o', 'Dir::Etc::sourcelist=/dev/null', '-o', 'Dir::Etc::sourceparts=' + parts,
                        '-o', 'Dir::State=%s/state' % folder, '-o', 'Dir::Cache=%s/cache' % folder,
                        '-o', 'Dir::State::status=/var/lib/dpkg/status', '-o', 'Acquire::Retries=3',
                        '-o', 'APT::Sandbox::User=', '-o', 'Acquire::Languages=none']
        self.get('update')

    @staticmethod
    def with_sources(path, text):
        if path.endswith('.sources'):
            return re.sub(r'(?m)^Types:.*', 'Types: deb deb-src', text)
        return '\n'.join(line + '\n' + re.sub(r'^deb\b', 'deb-src', line)
                         for line in re.findall(r'(?m)^deb\s.*', text)) + '\n'

    def get(self, *words, folder=None):
        return run(['apt-get', *self.options, *words], folder or self.folder)


# seconds: of the processor and of the clock.
Run = collections.namedtuple('Run', 'status verdicts text processor elapsed')


class Suite:
    """A program and its tests. `verdicts` is what a run of them left: {test: what is compared}."""
    packages = ()               # that the build needs, unpacked into the folder `root`
    needs_calls = ()            # functions that are called for sure

    def __init__(self, apt, folder, gprofx, clock):
        self.apt, self.folder, self.gprofx, self.clock = apt, folder, gprofx, clock
        self.data = os.path.join(folder, 'data')
        self.root = os.path.join(folder, 'root')

    def fetch(self):
        if not os.path.exists(os.path.join(self.folder, 'built')):
            shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.root)
            self.apt.get('source', self.source, folder=self.folder)
            if self.packages:
                self.apt.get('download', *self.packages, folder=self.folder)
                for package in glob.glob(os.path.join(self.folder, '*.deb')):
                    run(['dpkg-deb', '-x', package, self.root], self.folder)
        self.tree, = filter(os.path.isdir, glob.glob(os.path.join(self.folder, self.source + '-[0-9]*')))

    def build(self):
        if os.path.exists(os.path.join(self.folder, 'built')):
            return
        for step in self.steps():
            run(step, self.tree)
        open(os.path.join(self.folder, 'built'), 'w').close()

    def clean(self):
        """Without what the last run left."""
        for path in glob.glob(os.path.join(self.tree, '**', 'gmon.out*'), recursive=True):
            os.unlink(path)

    def environment(self):
        return dict(os.environ, LC_ALL='C')

    def left(self):
        """Files of the C library's own profiling."""
        return glob.glob(os.path.join(self.tree, '**', 'gmon.out*'), recursive=True)

    def run(self, *prefix, **variables):
        self.clean()
        before, begun = os.times(), time.monotonic()
        done = subprocess.run([*prefix, *self.suite()], cwd=self.tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace',
                              env=dict(self.environment(), **variables), timeout=1800)
        now = os.times()
        taken = now.children_user + now.children_system - before.children_user - before.children_system
        return Run(done.returncode, self.verdicts(done.stdout), done.stdout, taken, time.monotonic() - begun)

    def record(self):
        shutil.rmtree(self.data, ignore_errors=True)
        return self.run(self.gprofx, 'record', '--clock=' + self.clock, '-o', self.data)

    def own_checks(self, files, report):
        """What is special about the program."""


class Memcached(Suite):
    name, source, program = 'memcached', 'memcached', 'memcached-debug'
    packages = 'libevent-dev', 'libevent-2.1-7', 'libevent-core-2.1-7'
    needs_calls = 'drive_machine', 'do_item_alloc', 'do_store_item', 'assoc_find', 'worker_libevent'

    def steps(self):
        library = os.path.join(self.root, 'usr', 'lib', run(['dpkg-architecture', '-qDEB_HOST_MULTIARCH'], '/').strip())
        yield ['./configure', '--disable-coverage', 'CFLAGS=' + FLAGS, 'CPPFLAGS=-I%s/usr/include' % self.root,
               'LDFLAGS=-pg -L%s -Wl,-rpath,%s' % (library, library)]
        yield 'make -j%d memcached memcached-debug timedrun sizes testapp' % os.cpu_count()

    def clean(self):
        super().clean()
        self.said = os.path.join(self.folder, 'said')
        shutil.rmtree(self.said, ignore_errors=True)
        os.mkdir(self.said)
        with open(os.path.join(self.folder, 'keep'), 'w') as script:
            script.write('#!/bin/sh\nperl "$1" | tee "%s/${1##*/}"\n' % self.said)
        os.chmod(os.path.join(self.folder, 'keep'), 0o755)

    def suite(self):
        return ['prove', '-j8', '--exec', os.path.join(self.folder, 'keep'), 't']

    def verdicts(self, text):
        """Tests have random words, ports and times in their names, and some are repeated until time is over."""
        found = dict(re.findall(r'(?m)^(?:\[[0-9:]+\] )?(t/\S+) \.+ (ok|skipped|Failed|Dubious)', text))
        for path in glob.glob(os.path.join(self.said, '*')):
            with open(path, errors='replace') as file:
                rows = {re.sub(r'[A-Z]{20,}', 'WORD', re.sub(r'[0-9]+', 'N', line.strip()))
                        for line in file if line.startswith(('ok', 'not ok', '1..', 'Bail'))}
            found[os.path.basename(path)] = sorted(rows)
        return found

    def own_checks(self, files, report):
        threads = [file.header['threads'] for file in files]
        check('memcached: threads of a server', max(threads) >= 5, max(threads))
        # Workers wait for events: it is in their chains of callers.
        calls = calls_of(report)
        check('memcached: each look-up of an item is one of the table', 0 < calls['do_item_get'] <= calls['assoc_find'],
              '%d of %d' % (calls['do_item_get'], calls['assoc_find']))


class Make(Suite):
    name, source, program = 'make', 'make-dfsg', 'make'
    needs_calls = 'main', 'eval', 'variable_expand_string', 'start_job_command', 'reap_children', 'hash_find_slot'

    def steps(self):
        yield 'autoreconf -fi'
        yield ['./configure', '--disable-nls', '--without-guile', 'CFLAGS=' + FLAGS, 'LDFLAGS=-pg']
        yield 'make -j%d' % os.cpu_count()
        # The tests clear the environment but for a list of variables.
        yield "sed -i \"s/'LD_LIBRARY_PATH',/& 'LD_PRELOAD', 'GPROFX_COLLECT',/\" tests/test_driver.pl"

    def clean(self):
        super().clean()
        shutil.rmtree(os.path.join(self.tree, 'tests', 'work'), ignore_errors=True)

    def suite(self):
        return ['make', 'check-regression']

    def verdicts(self, text):
        found = dict(re.findall(r'(?m)^(\w+/\S+) \.+ (.*)', text))
        found['all'] = re.findall(r'(?m)^[0-9]+ Tests? in .*', text)
        return found

    def own_checks(self, files, report):
        calls = calls_of(report)
        # It starts others by posix_spawn, so that no process is a copy, which would not call main again.
        check('make: main is called once in each of hundreds of processes', len(files) == calls['main'] > 500,
              '%d calls in %d' % (calls['main'], len(files)))


class Muparser(Suite):
    name, source, program = 'muparser', 'muparser', 'bld/t_ParserTest'
    times = 20
    needs_calls = 'mu::ParserBase::ParseCmdCodeBulk', 'mu::ParserTokenReader::ReadNextToken', 'mu::ParserBase::Error'

    def steps(self):
        os.makedirs(os.path.join(self.tree, 'bld'), exist_ok=True)
        yield ['cmake', '-S', '.', '-B', 'bld', '-DCMAKE_BUILD_TYPE=None', '-DCMAKE_CXX_FLAGS=' + FLAGS,
               '-DCMAKE_EXE_LINKER_FLAGS=-pg']
        yield 'cmake --build bld -j%d' % os.cpu_count()

    def suite(self):
        return ['ctest', '--test-dir', 'bld', '-V', '--repeat', 'until-fail:%d' % self.times]

    def verdicts(self, text):
        return {'lines': collections.Counter(re.findall(r'(?m)^1: (testing .*|Test passed.*|.*fail.*)', text, re.I)),
                'all': re.findall(r'(?m)^[0-9]+% tests passed.*', text)}

    def own_checks(self, files, report):
        calls = calls_of(report)
        thrown, errors = calls['mu::ParserError::ParserError'], calls['mu::ParserBase::Error']
        check('muparser: exceptions are made and thrown', thrown >= errors > 100 * self.times,
              '%d, %d' % (thrown, errors))
        check('muparser: each run calls as much as the others', all(n % self.times == 0 for n in calls.values()),
              [row for row in calls.items() if row[1] % self.times][:10])


class Lapack(Suite):
    """Of LAPACK only the BLAS, with larger matrices than the files of the tests have."""
    name, source, program = 'lapack', 'lapack', 'BLAS/TESTING/xblat3d'
    needs_calls = 'dgemm_', 'dsyrk_', 'dtrsm_', 'dmmch_', 'lsame_'

    def steps(self):
        yield ("sed -e 's/^FFLAGS = .*/FFLAGS = %s -frecursive/' -e 's/^LDFLAGS =.*/LDFLAGS = -pg/' "
               "make.inc.example >make.inc" % FLAGS)
        yield 'make -j%d blaslib' % os.cpu_count()
        yield 'make -j%d -C BLAS/TESTING' % os.cpu_count()
        yield "sed -i -E 's/^0 1 2 3 5 9 /0 1 3 9 31 63 /' BLAS/TESTING/?blat[23].in"

    def clean(self):
        super().clean()
        for path in glob.glob(os.path.join(self.tree, 'BLAS', 'TESTING', '*.out')):
            os.unlink(path)

    def suite(self):
        return ['make', '-C', 'BLAS/TESTING', 'run']

    def verdicts(self, text):
        found = {}
        for path in glob.glob(os.path.join(self.tree, 'BLAS', 'TESTING', '?blat?.out')):
            with open(path) as file:
                found[os.path.basename(path)] = file.read()
        return found

    def own_checks(self, files, report):
        """It has one thread, so the C library counts as well, but for the call of main() by itself."""
        folder, calls = os.path.join(self.tree, 'BLAS', 'TESTING'), calls_of(report)
        run('./xblat3d <dblat3.in', folder)
        done = subprocess.run([self.gprofx, '--output=json', 'xblat3d', 'gmon.out'], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        expected = calls_of(json.loads(done.stdout))
        del calls['main']
        check('lapack: calls are those that the C library counts', expected and expected == calls,
              {name: (calls[name], expected[name]) for name in calls.keys() | expected.keys()
               if calls[name] != expected[name]})
        check('lapack: the heaviest function multiplies or checks matrices',
              heaviest(report)[0] in ('dgemm_', 'dmmch_', 'dsyrk_', 'dsyr2k_', 'dsymm_', 'dtrmm_', 'dtrsm_'), heaviest(report))


def calls_of(report):
    """Calls of each function, by its name without parameters."""
    sums = collections.Counter()
    for function in report['functions']:
        if function['calls']:
            sums[re.sub(r'[(\[].*', '', function['name'])] += function['calls'] + function['recursive_calls']
    return sums


def heaviest(report):
    rows = [row for row in report['functions'] if not row['outside'] and row['address'] != '0x0']
    return [row['name'] for row in sorted(rows, key=lambda row: -row['self_ticks'])[:3]]


def unequal(one, other):
    return {test for test in one.keys() | other.keys() if one.get(test) != other.get(test)}


def shown(test, bare, recorded):
    """How two runs differ in a test."""
    one, other = bare.verdicts.get(test), recorded.verdicts.get(test)
    if isinstance(one, list) and isinstance(other, list):
        one, other = [row for row in one if row not in other], [row for row in other if row not in one]
    return 'without %s, with %s' % (one, other)


def compare(suite, bare, recorded):
    """Test by test. Where verdicts differ, both runs are repeated: some tests fail now and then without the collector,
    too, and the C library's signals end programs that start others (of GNU make, one run of three)."""
    name, differ = suite.name, unequal(bare[0].verdicts, recorded[0].verdicts)
    check(name + ': there are tests', len(bare[0].verdicts) > 1, bare[0].text[-2000:])
    while differ and len(bare) < MOST_RUNS:
        for test in sorted(differ):
            print('%s: %s: %s' % (name, test, shown(test, bare[-1], recorded[-1])))
        bare.append(suite.run())
        recorded.append(suite.record())
        differ = {test for test in differ if not any(one.verdicts.get(test) == other.verdicts.get(test)
                                                     for one in bare for other in recorded)}
    for test in sorted(bare[0].verdicts.keys() | recorded[0].verdicts.keys()):
        check('%s: %s' % (name, test), test not in differ, shown(test, bare[-1], recorded[-1]))
    # Tests of the suite itself can fail on a machine, without the collector as well.
    statuses = [run.status for run in bare], [run.status for run in recorded]
    check(name + ': status', set(statuses[0]) & set(statuses[1]), 'without %s, with %s' % statuses)
    if 0 not in statuses[0]:
        print('%s: its own test suite ends with status %s here, without the collector as well' % (name, statuses[0][0]))


def look_at(suite):
    data, gprofx = suite.data, suite.gprofx
    suite.fetch()
    suite.build()
    bare, recorded = [suite.run()], [suite.record()]
    compare(suite, bare, recorded)
    check(suite.name + ': the C library writes no profile', suite.left() == [], suite.left()[:3])
    said = recorded[-1].text[recorded[-1].text.rfind('gprofx record: '):]
    check(suite.name + ': nothing is lost', re.search(r'nothing\s+lost', said), said)
    print('%s, clock=%s: %.1f s of processor time without, %.1f s with; %.0f s and %.0f s by the clock' %
          (suite.name, suite.clock, bare[-1].processor, recorded[-1].processor, bare[-1].elapsed, recorded[-1].elapsed))
    print(said, end='')
    files = [gxcreader.File(path) for path in glob.glob(os.path.join(data, os.path.basename(suite.program) + '.*.gxc'))]
    program = os.path.join(suite.tree, suite.program)
    files = [file for file in files if file.program == os.path.realpath(program)]
    if not check(suite.name + ': its processes are recorded', files):
        return
    done = subprocess.run([gprofx, '--output=json', program, data], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    errors = done.stderr.decode(errors='replace')
    if not check(suite.name + ': report', done.returncode == 0 and 'error[' not in errors, errors[:1000]):
        return
    report = json.loads(done.stdout)
    reported, samples = sum(row['self_ticks'] for row in report['functions']), sum(file.samples() for file in files)
    check(suite.name + ': all samples of the files are in the report', abs(reported - samples) < 0.5,
          '%s of %d' % (reported, samples))
    calls = calls_of(report)
    counted = sum(sum(file.calls().values()) for file in files)
    check(suite.name + ': calls', calls and all(calls[name] > 0 for name in suite.needs_calls),
          [name for name in suite.needs_calls if not calls[name]])
    check(suite.name + ': all calls of the files are in the report', sum(calls.values()) == counted,
          '%d of %d' % (sum(calls.values()), counted))
    suite.own_checks(files, report)
    print(subprocess.run([gprofx, '--summary', program, data], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True).stdout, flush=True)


def main():
    words = argparse.ArgumentParser()
    words.add_argument('build')
    words.add_argument('names', nargs='*', metavar='NAME')
    words.add_argument('--seed', type=int, default=random.randrange(1 << 32), help='chooses the programs if --count does')
    words.add_argument('--count', type=int, default=4)
    words.add_argument('--keep')
    words.add_argument('--clock', default='cpu')
    asked = words.parse_args()
    gprofx = os.path.join(os.path.abspath(asked.build), 'bin', 'gprofx')
    suites = [suite for suite in (Memcached, Make, Muparser, Lapack) if not asked.names or suite.name in asked.names]
    random.Random(asked.seed).shuffle(suites)
    print('seed %d' % asked.seed)
    with tempfile.TemporaryDirectory(prefix='gprofx-archive.') as folder:
        folder = os.path.abspath(asked.keep or folder)
        apt = Apt(os.path.join(folder, 'apt'))
        for suite in suites[:asked.count]:
            try:
                look_at(suite(apt, os.path.join(folder, suite.name), gprofx, asked.clock))
            except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError) as why:
                check(suite.name, False, repr(why))
    print('archive: %(passed)d passed, %(failed)d failed' % results)
    return 1 if results['failed'] or not results['passed'] else 0


if __name__ == '__main__':
    sys.exit(main())

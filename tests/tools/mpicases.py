# SPDX-License-Identifier: Apache-2.0
"""Profiles of parallel jobs, for gprofx-mpi, which has to write what one process writes."""
import glob
import os
import shutil
import subprocess

import compiled
import ranks
from lcg import Random
from pproffile import Pprof
from runner import start

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'compare', 'programs')
LABEL = r'--label=(?<rank>\d+)[^/]*$'
WITHOUT_SUM = ('flat', 'callgraph', 'json', 'per-file', 'csv', 'html')
USUAL = (*WITHOUT_SUM, 'sum')


class Case:
    """`words`: the program and its profiles, for gprofx-mpi; `alone`: for gprofx, if it needs others. `refused`: the
    files that have to be reported, if they are to be left out."""

    def __init__(self, name, words, formats=USUAL, options=(), alone=None, refused=()):
        self.name, self.words, self.formats = name, words, formats
        self.options, self.alone, self.refused = options, alone or words, refused


def output_words(formats, folder):
    """Options that write each format into a file of this name."""
    return [f'--sum={folder}/sum' if name == 'sum' else f'--output={name}:{folder}/{name}' for name in formats]


def contents(folder):
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), 'rb') as file:
            found[name] = file.read()
    return found


class Comparison:
    """Runs gprofx once for each case, and gprofx-mpi against it."""

    def __init__(self, tally, gprofx, folder):
        self.tally, self.gprofx, self.folder = tally, gprofx, folder
        self.expected = {}

    def words_of(self, case, into):
        shutil.rmtree(os.path.join(self.folder, into), ignore_errors=True)
        os.mkdir(os.path.join(self.folder, into))
        return ['--no-findings', '-b', LABEL, *case.options, *(['--keep-going'] if case.refused else []),
                *output_words(case.formats, into)]

    def alone(self, case):
        if case.name not in self.expected:
            words = self.words_of(case, 'alone') + case.alone
            result = start(self.gprofx, words, self.folder, 'gprofx', seconds=120)
            found = contents(os.path.join(self.folder, 'alone'))
            good = result.status == (1 if case.refused else 0) and sorted(found) == sorted(case.formats)
            self.tally.check(good, f'{case.name} with gprofx', f'status {result.status}',
                             result.err.decode(errors='replace').splitlines()[:10])
            self.expected[case.name] = result, found
        return self.expected[case.name]

    def check(self, case, mpi, processes):
        """Both write the same bytes, end with the same status, and name each refused file in one error."""
        result, expected = self.alone(case)
        name = f'{case.name}: {processes} processes of {mpi.name}'
        done = mpi.merge(processes, self.words_of(case, 'together') + case.words, self.folder)
        said = done.err.decode(errors='replace')
        if not self.tally.check(done.status == result.status and not done.broken(), name,
                                f'status {done.status} instead of {result.status}', said.splitlines()[:20]):
            return
        found = contents(os.path.join(self.folder, 'together'))
        differ = sorted(name for name in {*found, *expected} if found.get(name) != expected.get(name))
        self.tally.check(not differ and done.out == result.out, name, 'other bytes of ' + ' '.join(differ or ['output']))
        errors = [line for line in said.splitlines() if 'error[' in line]
        unnamed = [file for file in case.refused if sum(f'{file}:' in line for line in errors) != 1]
        self.tally.check(not unnamed, name, 'not one error each for ' + ' '.join(unnamed), said.splitlines()[:20])


class Jobs:
    """Makes the cases in a folder; `count`: the number of ranks of the largest one."""

    def __init__(self, folder, gprofx, count, seed=1):
        self.folder, self.gprofx, self.count, self.seed = folder, gprofx, count, seed

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def program(self, name, source, compiler=('gcc', '-O1', '-g'), suffix='*.c'):
        compiled.build(compiler, sorted(glob.glob(os.path.join(PROGRAMS, source, suffix))), self.path(name))
        return ranks.Job(self.path(name), compiled.profile_of(self.path(name), self.path(name + '.run')))

    def job(self, job, folder, count, damaged=0, **how):
        """Files of ranks; returns the names of the damaged ones."""
        _, broken = ranks.write(job, self.path(folder), count, self.seed, damaged, **how)
        return [f'{folder}/gmon.out.{rank}' for rank in broken]

    def all(self):
        """Generates the cases; those whose tools are not installed are left out."""
        job = self.program('store', 'store')
        refused = self.job(job, 'ranks', self.count, 5)
        yield Case('damaged', ['store', 'ranks'], refused=refused)
        for more in self.of_files(job), self.of_programs(), self.of_recordings(), self.of_stacks():
            try:
                yield from more
            except (compiled.NotMade, OSError, subprocess.CalledProcessError) as missing:
                print(f'left out: {missing}')

    def of_files(self, job):
        """What is in the list of files."""
        self.job(job, 'few', 2)
        yield Case('few', ['store', 'few'])
        yield Case('one', ['store', 'few/gmon.out.1'])
        # The first files do not count, so that another one is what the others have to fit.
        self.job(job, 'late', 9)
        for rank, content in enumerate((b'', b'core')):
            with open(self.path('late', f'gmon.out.{rank}'), 'wb') as file:
                file.write(content)
        yield Case('late', ['store', 'late'], refused=['late/gmon.out.0', 'late/gmon.out.1'])
        # The bins of another program end elsewhere; rates are converted.
        self.job(self.program('cycles', 'cycles'), 'foreign', 3)
        self.job(job, 'mixed', 20)
        for rank in (4, 11):
            shutil.copy(self.path('foreign', 'gmon.out.1'), self.path('mixed', f'gmon.out.{rank}'))
        yield Case('mixed', ['store', 'mixed'], refused=['mixed/gmon.out.4', 'mixed/gmon.out.11'])
        self.job(job, 'rates', 20)
        for rank in range(1, 20, 3):
            with open(self.path('rates', f'gmon.out.{rank}'), 'r+b') as file:
                file.seek(20 + 1 + 16 + 4)
                file.write((250).to_bytes(4, 'little'))
        yield Case('rates', ['store', 'rates'], formats=WITHOUT_SUM)

    def of_programs(self):
        """Without debug information; by a pattern; C++, by line."""
        self.job(self.program('bare', 'store', ('gcc', '-O1')), 'bare-ranks', 20)
        names = sorted(os.path.relpath(path, self.folder) for path in glob.glob(self.path('bare-ranks', 'gmon.out.1*')))
        yield Case('bare', ['bare', *names])
        # Some formats state the words that were given.
        yield Case('pattern', ['bare', 'bare-ranks/gmon.out.1*'], formats=('flat', 'callgraph', 'json', 'per-file', 'sum'),
                   alone=['bare', *names])
        self.job(self.program('classes', 'classes', ('g++', '-O1', '-g'), '*.cc'), 'class-ranks', 20)
        yield Case('classes', ['classes', 'class-ranks'], options=['-l'])

    def of_recordings(self):
        """Recordings, each in a folder of its own, with threads and processes."""
        words = ['record', '-F', '1000', '-o']
        for rank in range(5):
            done = start(self.gprofx, [*words, f'recording{rank}', './store'], self.folder, 'gprofx')
            if done.status != 0:
                raise compiled.NotMade('gprofx record')
        yield Case('recordings', ['store', *[f'recording{rank}' for rank in range(5)]],
                   formats=(*WITHOUT_SUM, 'folded', 'per-thread'), options=['--per-thread'])

    def of_stacks(self):
        """Formats that state functions by name."""
        random = Random(self.seed)
        os.makedirs(self.path('stated'), exist_ok=True)
        for rank in range(12):
            pprof, folded = Pprof(('samples', 'count'), ('cpu', 'nanoseconds'), period=('cpu', 'nanoseconds', 10**7)), ''
            costs = 'version: 1\ncreator: test\npositions: line\nevents: Ir\n\n'
            for _ in range(30):
                stack = ['leaf%d@a.c:%d' % (random.below(4), 1 + random.below(9)), 'middle%d' % random.below(3), 'main']
                count = random.between(1, 9)
                pprof.sample(stack, count, count * 10**7)
                folded += ';'.join(name.split('@')[0] for name in reversed(stack)) + f' {count}\n'
            for number in range(4):
                costs += f'fl=a.c\nfn=leaf{number}\n{10 + number} {random.between(50, 90)}\n\n'
                costs += f'fl=a.c\nfn=main\n5 3\ncfn=leaf{number}\ncalls={random.between(1, 9)} 10\n6 {random.between(50, 90)}\n\n'
            for name, data in ('pb', pprof.bytes()), ('folded', folded.encode()), ('callgrind', costs.encode()):
                with open(self.path('stated', f'rank{rank}.{name}'), 'wb') as file:
                    file.write(data)
        for name, options in ('pb', []), ('folded', ['-O', 'folded']), ('callgrind', []):
            files = [f'stated/rank{rank}.{name}' for rank in range(12)]
            yield Case(name, ['store', *files], formats=WITHOUT_SUM, options=options)
        files = [f'stated/rank{rank}.pb' for rank in range(12)]
        yield Case('no-program', ['--no-program', *files], formats=('flat', 'callgraph', 'json', 'csv', 'html'), alone=files)

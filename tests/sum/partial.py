#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Partial profiles: files that are read in groups make the report of one run over all of them.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/sum/partial.py [COUNT]

Each case reads files of one or several formats at once, and in random groups of neighbors, whose
partial profiles are merged in random groups of neighbors again.  Reports, sums and statuses must be
the same bytes.  COUNT cases of random profiles (default 25, about 4 s) come beside the fixed ones.
"""
import lzma
import os
import sys
import tempfile

from gcovfile import Source, gcov_document
from gmonfile import Profile
from lcg import Random
from pproffile import Pprof
from profiled import Program
from runner import Tally, program_under_test, start

TREE = os.environ['GPROFX_SOURCE']
GMON_REPORTS = (['-b', '-p', '-q'], ['--output=json'], ['-b', '--per-file', '-p'],
                ['--output=json', '--per-file'], ['--sum=SUM'])
STACK_REPORTS = (['-b', '-p', '-q'], ['--output=json'], ['--output=folded'], ['-b', '--per-file', '-p'])

CALLGRIND = '''# callgrind format
events: Ir Dr
fl=(1) a.c
fn=(1) main
10 %d 3
cfn=(2) work
calls=%d 20
11 %d 7
fn=(2)
20 %d 5
'''


class Case:
    def __init__(self, tally, name, program):
        self.tally, self.name = tally, name
        self.place = tempfile.TemporaryDirectory()
        self.first = ['image'] if program is not None else []
        if program is not None:
            self.write('image', program)

    def write(self, name, data):
        with open(os.path.join(self.place.name, name), 'wb') as file:
            file.write(data)

    def run(self, *words):
        return start(program_under_test(), list(words), self.place.name, name='gprofx')

    def read(self, name):
        with open(os.path.join(self.place.name, name), 'rb') as file:
            return file.read()

    def group(self, r, options, files, made):
        """The partial profile of some files, maybe from those of parts of them."""
        name = 'partial.%d' % len(made)
        made.append(name)
        if len(files) > 1 and r.chance(60):
            cut = r.between(1, len(files) - 1)
            files = [self.group(r, options, files[:cut], made),
                     self.group(r, options, files[cut:], made)]
        done = self.run(*options, '--partial=' + name, *self.first, *files)
        self.tally.check(done.status == 0 and not done.out, self.name,
                         '%s: cannot write: %r' % (options, done.err[:300]))
        return name

    def compare(self, r, options, files):
        made = []
        one = self.run(*options, *self.first, *files)
        kept = self.read('SUM') if os.path.exists(os.path.join(self.place.name, 'SUM')) else None
        if kept is not None:
            os.remove(os.path.join(self.place.name, 'SUM'))
        cut = r.between(0, len(files) - 1)
        groups = [self.group(r, options, part, made) for part in (files[:cut], files[cut:]) if part]
        many = self.run(*options, *self.first, *groups)
        what = '%s of %s' % (' '.join(options), files)
        self.tally.check(not one.broken() and one.status == 0, self.name,
                         '%s: %s %r' % (what, one.broken(), one.err[:300]))
        self.tally.check((one.status, one.out) == (many.status, many.out), self.name,
                         '%s: another report, status %s, %r' % (what, many.status, many.err[:300]))
        if kept is not None:
            self.tally.check(self.read('SUM') == kept, self.name, what + ': another sum')
            os.remove(os.path.join(self.place.name, 'SUM'))


def random_gmon(r, program, ranges, rates):
    profile = Profile(program.image.bits, program.image.order)
    for low, high, bins in r.sample(ranges, r.between(1, len(ranges))):
        profile.histogram(low, high, [r.pick((0, 0, 1, 5, 300, 65535)) for _ in range(bins)],
                          rate=r.pick(rates))
    for _ in range(r.below(12)):
        profile.arc(program.base + r.below(0x400), program.base + r.below(0x400),
                    r.pick((0, 1, 5, 70000, 0xffffffff)))
    if r.chance(30):
        profile.blocks([(program.base + r.below(0x100), r.pick((1, 9))) for _ in range(r.below(9))])
    return profile.bytes()


def check_gmon(tally, seed):
    r = Random(seed)
    program = Program(['main', 'work', 'idle', '~hidden'],
                      machine=r.pick(('x86_64', 'i386', 's390x', 'ppc')))
    # Bins of 24 bytes are shared by neighbors.
    step = 0x100
    bins = r.pick((16, 16, 10))
    ranges = [(program.base + i * step, program.base + (i + 1) * step, bins) for i in range(4)]
    case = Case(tally, 'gmon %d' % seed, program.bytes())
    files = ['rank.%d' % i for i in range(r.between(2, 9))]
    rates = r.pick(((100,), (100, 250)))
    for name in files:
        case.write(name, random_gmon(r, program, ranges, rates))
    for options in GMON_REPORTS if len(rates) == 1 else GMON_REPORTS[:1] + GMON_REPORTS[-1:]:
        case.compare(r, options, files)


def check_recordings(tally):
    data = os.path.join(TREE, 'tests/data/recordings')

    def unpacked(name):
        with lzma.open(os.path.join(data, name + '.xz')) as file:
            return file.read()
    case = Case(tally, 'recordings', unpacked('program'))
    files = ['first.gxc', 'kept.gxc', 'phases.gxc', 'waits.gxc']
    for name in files:
        case.write(name, unpacked(name))
    r = Random(7)
    for options in STACK_REPORTS + (['-b', '--per-thread', '-p'], ['--output=json', '--per-phase']):
        case.compare(r, options, files)


def check_perf(tally):
    data = os.path.join(TREE, 'plugins/input-perf/tests/recorded')
    for program in ('program', None):
        with open(os.path.join(data, 'program'), 'rb') as file:
            case = Case(tally, 'perf', file.read() if program else None)
        files = ['plain.data', 'threads.data', 'two.data', 'nograph.data', 'exec.data']
        for name in files:
            with open(os.path.join(data, name), 'rb') as file:
                case.write(name, file.read())
        r = Random(8)
        for options in (['-b', '-p', '-q'], ['--output=json'], ['--output=json', '--metric=task-clock']):
            case.compare(r, options, files)


def check_texts(tally):
    """Formats with names: without a program, and several of them beside each other."""
    r = Random(9)
    case = Case(tally, 'texts', None)
    files = []
    for i in range(4):
        case.write('callgrind.%d' % i, (CALLGRIND % (100 + i, 1 + i, 60 + i, 40)).encode())
        case.write('folded.%d' % i, b'main;work %d\nmain;idle;deep %d\nmain 2\n' % (5 + i, 1 + i % 2))
        pprof = Pprof(('samples', 'count'), ('cpu', 'nanoseconds'))
        pprof.sample(['work', 'main@a.c:%d' % (3 + i % 2)], 1 + i, 1000 * i)
        case.write('pprof.%d' % i, pprof.bytes())
        files.append('callgrind.%d' % i)
    for options in (['-b', '-p', '-q'], ['--output=json']):
        case.compare(r, options, files)
        case.compare(r, options, ['folded.%d' % i for i in range(4)])
        case.compare(r, options, ['pprof.%d' % i for i in range(4)])


def check_mixed(tally):
    """Profiles of several formats of one program: calls with costs, stacks, bins."""
    r = Random(10)
    program = Program(['main', 'work', 'idle', 'deep'])
    case = Case(tally, 'mixed', program.bytes())
    for i in range(3):
        case.write('callgrind.%d' % i, (CALLGRIND % (100 + i, 1 + i, 60 + i, 40)).encode())
        case.write('folded.%d' % i, b'main;work %d\nmain;idle;deep %d\nmain 2\n' % (5 + i, 1 + i % 2))
        case.write('gcov.%d' % i, gcov_document([Source('a.c', [(1, i), (2, 5)], [('main', 1, 2, i)])]))
        case.write('gmon.%d' % i, program.profile({'work': 3 + i, 'main': 1}, [('main', 'work', 2)]).bytes())
    for options in (['-b', '-p', '-q'], ['--output=json']):
        case.compare(r, options, ['folded.0', 'gmon.0', 'folded.1', 'gmon.1', 'folded.2', 'gmon.2'])
        case.compare(r, options, ['callgrind.0', 'gmon.0', 'gmon.1', 'callgrind.1'])
        case.compare(r, options, ['gmon.2', 'callgrind.2', 'callgrind.0', 'gmon.0'])
        case.compare(r, options, ['gcov.0', 'gmon.0', 'gcov.1', 'gcov.2'])


def check_refused(tally):
    """What does not fit is refused, and says why."""
    program, other = Program(['main', 'work', '~own']), Program(['main', 'work', 'idle', 'more'])
    case = Case(tally, 'refused', program.bytes())
    case.write('other', other.bytes())
    case.write('one', program.profile({'work': 3}, [('main', 'work', 2)]).bytes())
    case.write('two', program.profile({'work': 5}, [('main', 'work', 2)]).bytes())
    case.write('fast', program.profile({'work': 5}, rate=250).bytes())
    case.write('of-other', other.profile({'idle': 5}, [('main', 'idle', 2)]).bytes())
    for words, ident in ((['other', 'a'], 'partial.other-program'),
                         (['-l', 'image', 'a'], 'partial.other-settings'),
                         (['-a', 'image', 'a'], 'partial.other-settings'),
                         (['--correct=none', 'image', 'a'], 'partial.other-settings'),
                         (['--output=json', 'image', 'a', 'two'], 'partial.other-settings'),
                         (['image', 'cut'], 'partial.damaged'),
                         (['image', 'newer'], 'partial.version')):
        made = case.run('-p', '--partial=a', 'image', 'one', 'two')
        tally.check(made.status == 0, 'refused', 'cannot write: %r' % made.err)
        case.write('cut', case.read('a')[:-1])
        case.write('newer', case.read('a')[:25] + b'\x02' + case.read('a')[26:])
        done = case.run(*words)
        tally.check(done.status == 1 and not done.out and b'error[%s]' % ident.encode() in done.err,
                    'refused', '%s: %r' % (words, done.err))
    case.run('-p', '--per-file', '--partial=a', 'image', 'one')
    case.run('-p', '--per-file', '--partial=b', 'image', 'fast')
    done = case.run('-p', '--per-file', 'image', 'a', 'b')
    tally.check(done.status == 1 and b'error[partial.other-rate]' in done.err, 'refused', 'rate: %r' % done.err)
    # Nothing is written where something could not be read, and an old file stays.
    case.write('old', b'precious')
    done = case.run('--partial=old', 'image', 'one', 'of-other')
    tally.check(done.status == 1 and case.read('old') == b'precious', 'refused', 'the old file is gone')
    done = case.run('--partial=/dev/full', 'image', 'one')
    tally.check(done.status == 1 and b'error[partial.write-failed]' in done.err, 'refused',
                '/dev/full: %r' % done.err)
    # GNU gprof has no such files.
    done = case.run('--gnu', '--partial=gnu', 'image', 'one')
    tally.check(done.status == 1 and b'GNU mode does not read' in done.err, 'refused', 'GNU mode: %r' % done.err)
    case.run('-p', '--partial=a', 'image', 'one')
    done = start(program_under_test(), ['image', 'a'], case.place.name)
    tally.check(done.status == 1 and b'gmon.out format' in done.err, 'refused',
                'GNU mode: %r' % done.err)


def check_spoiled(tally):
    """What turns out not to fit once a part of it was added ends the run: no report of half of it."""
    program = Program(['main', 'work'])
    low, step = program.base, 0x100
    case = Case(tally, 'spoiled', program.bytes())
    for name, first in ('one', low), ('two', low + 2 * step):
        case.write(name, Profile().histogram(first, first + step, [7] * 16)
                   .histogram(low + 4 * step, low + (5 if name == 'one' else 6) * step,
                              [1] * (16 if name == 'one' else 32)).bytes())
        case.run('-p', '--partial=part.' + name, 'image', name)
    done = case.run('--keep-going', '-b', '-p', 'image', 'part.one', 'part.two')
    tally.check(done.status == 1 and not done.out and b'error[profile.overlap]' in done.err
                and b'error[partial.does-not-fit]' in done.err, 'spoiled', 'status %s, %r' % (done.status, done.err[:300]))
    for name, events in ('c1', 'Ir Dr'), ('c2', 'Dr Ir'):
        case.write(name, CALLGRIND.replace('Ir Dr', events).encode() % (1, 2, 3, 4))
        case.run('--output=json', '--partial=part.' + name, 'image', name)
    done = case.run('--output=json', 'image', 'part.c1', 'part.c2')
    tally.check(done.status == 1 and b'error[partial.other-metric]' in done.err, 'spoiled',
                'metrics: status %s, %r' % (done.status, done.err[:300]))
    # Of a rate that is not the first one a finding speaks, whichever process read it.
    for name, rate in ('slow', 250), ('fast', 100):
        case.write(name, program.profile({'work': 5}, rate=rate).bytes())
        case.run('--correct=none', '-p', '--partial=part.' + name, 'image', name)
    words = ('--correct=none', '-b', '-p', 'image')
    one, two = case.run(*words, 'slow', 'fast'), case.run(*words, 'part.slow', 'part.fast')
    tally.check(one.err.count(b'rate') == two.err.count(b'rate') and one.out == two.out, 'spoiled',
                'rates: %r, %r' % (one.err[:300], two.err[:300]))


def check_empty(tally):
    """A partial profile of no file, as of a process whose files could not be read, changes nothing."""
    program = Program(['main', 'work'])
    case = Case(tally, 'empty', program.bytes())
    case.write('cut', b'gmon')
    for name, ticks in ('one', 3), ('two', 5), ('three', 9):
        case.write(name, program.profile({'work': ticks}, [('main', 'work', 2)]).bytes())
    for options in GMON_REPORTS[:-1]:
        expected = case.run(*options, 'image', 'one', 'two', 'three')
        case.run(*options, '--keep-going', '--partial=none', 'image', 'cut')
        case.run(*options, '--partial=a', 'image', 'none', 'two', 'none')
        done = case.run(*options, 'image', 'one', 'a', 'three')
        tally.check((done.status, done.out) == (0, expected.out), 'empty',
                    '%s: status %s, %r' % (' '.join(options), done.status, done.err[:300]))


def main():
    tally = Tally()
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 25):
        check_gmon(tally, seed)
    check_recordings(tally)
    check_perf(tally)
    check_texts(tally)
    check_mixed(tally)
    check_empty(tally)
    check_spoiled(tally)
    check_refused(tally)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

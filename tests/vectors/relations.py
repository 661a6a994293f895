#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Relations between runs of the program that must hold whatever it prints: listings are the same
alone and together, with and without explanations, for any number of threads, for one profile in
one file or in several, and in the GNU mode however it was chosen.

    relations.py [--seed N] [--count N]
"""
import argparse
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import randomcase                                                   # noqa: E402
import runner                                                       # noqa: E402
from profiled import Program                                        # noqa: E402

FEED = b'\f\n'
GRAPH, GRAPH_EXPLAINED = b'\t\t\tCall graph\n\n', b'\t\t     Call graph (explanation follows)\n\n'
STAGES = {2: 'depth-first numbers', 4: 'cycles', 16: 'arcs', 32: 'order of arcs', 64: 'samples',
          128: 'symbols', 512: 'lookups', 1024: 'propagation', 4096: 'symspecs'}


class Runs:
    def __init__(self, program, directory, tally):
        self.program, self.directory, self.tally = program, directory, tally

    def write(self, name, data):
        with open(os.path.join(self.directory, name), 'wb') as f:
            f.write(data)

    def run(self, *words, name='gprof', stdin=None):
        return runner.start(self.program, words, self.directory, name, stdin)

    def out(self, *words):
        r = self.run(*words)
        self.tally.check(r.status == 0 and not r.broken(), ' '.join(words),
                         r.broken() or 'it failed',
                         r.err.decode('latin-1').splitlines())
        return r.out

    def same(self, what, one, other):
        detail = []
        if one != other:
            a, b = (x.decode('latin-1').splitlines() for x in (one, other))
            first = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            detail = ['line %d' % (first + 1)] + ['one:   ' + x for x in a[first:first + 2]]
            detail += ['other: ' + x for x in b[first:first + 2]]
        self.tally.check(one == other, what, 'the two differ', detail)


def example():
    p = Program(['main', 'a', 'b', 'c', '~d', '_ZN2ns3Cls6methodEv'])
    p.lines({'main': [(0, 3)], 'd': [(0, 9, 'lib/d.c')]}, 'src/p.c')
    return p, p.profile({'a': 30, 'b': 3, 'c': 7}, [
        ('main', 'a', 3), ('a', 'b', 2), ('b', 'a', 1), ('b', 'c', 9), ('c', 'c', 4),
        ('a', 'd', 1)])


def listings(runs):
    """Two listings are the one, a form feed, and the other."""
    files = ('image', 'gmon')
    for brief in (('-b',), ()):
        for more in ((), ('-z',), ('-L', '--inline-file-names'), ('-eb', '-na')):
            words = brief + more
            flat, graph, counts = (runs.out(*words, x, *files) for x in ('-p', '-q', '-C'))
            runs.same('-p -q %s' % (words,), flat + FEED + graph,
                      runs.out(*words, '-q', '-p', *files))
            runs.same('-p -C %s' % (words,), flat + FEED + counts,
                      runs.out(*words, '-C', '-p', *files))
            runs.same('-p -q -C %s' % (words,), flat + FEED + graph + FEED + counts,
                      runs.out(*words, '-C', '-q', '-p', *files))
            runs.same('default %s' % (words,), flat + FEED + graph, runs.out(*words, *files))


def explanations(runs):
    """Explanations stand behind a listing, with -T before it, and change nothing else."""
    def check(good, what):
        runs.tally.check(good, what, 'the explanation is missing or not in its place')
    files = ('image', 'gmon')
    brief, full = (runs.out(*x, '-p', *files) for x in (('-b',), ()))
    check(full.startswith(brief) and full[len(brief):].strip(), 'flat profile')
    check(full[len(brief):].startswith(b'\n'), 'an empty line before the text of the flat profile')
    brief, full = (runs.out(*x, '-q', *files) for x in (('-b',), ()))
    body, _, index = brief[len(GRAPH):].partition(FEED)
    check(brief.startswith(GRAPH) and full.startswith(GRAPH_EXPLAINED + body), 'call graph')
    check(full.endswith(FEED + index), 'the index has no explanation')
    check(full[len(GRAPH_EXPLAINED) + len(body):-len(FEED + index)].strip(),
          'text of the call graph')
    brief, full = (runs.out(*x, '-T', '-p', *files) for x in (('-b',), ()))
    check(full.startswith(b'\n\n\nflat profile:') and full.endswith(brief), 'flat profile, -T')
    brief, full = (runs.out(*x, '-T', '-q', *files) for x in (('-b',), ()))
    check(full.endswith(brief) and full[:-len(brief)].strip(), 'call graph, -T')
    runs.same('counts', runs.out('-b', '-C', *files), runs.out('-C', *files))


def modes(runs):
    """A link called gprof, a triplet before it, and --gnu choose the same mode."""
    for words in (('-b', 'image', 'gmon'), ('-b', '-p', 'image', 'nosuch'), ('-b', 'gmon'),
                  ('-b', '-k'), ('-b', '-Oq'), ('-b', '-p', 'image', 'gmon', '-z'), ('--nosuch',),
                  ('-b', '-q', 'image')):
        plain = runs.run(*words)
        for name, extra in (('m68k-unknown-elf-gprof', ()), ('gprofx', ('--gnu',)),
                            ('/usr/x/gprof', ()),
                            ('gprof', ('--gnu',))):
            r = runs.run(*extra, *words, name=name)
            runs.same('%s %s' % (name, words), plain.out, r.out)
            err = r.err.replace(name.encode(), b'gprof')
            runs.same('%s %s stderr' % (name, words), plain.err.split(b'\n')[0],
                      err.split(b'\n')[0])
            runs.tally.check(plain.status == r.status, '%s %s status' % (name, words),
                             str(r.status))
    for name in ('gprofx', 'gprofy', 'mygprof', 'gprof-2', 'gprof.exe'):
        r = runs.run('-b', 'nosuch-image', name=name)
        runs.tally.check(b'error[' in r.err and r.status == 1, 'own mode as ' + name,
                         'not our own form', r.err.decode('latin-1').splitlines())
    r = runs.run('--version')
    runs.tally.check(r.status == 0 and r.out.split(b'\n')[0].startswith(b'gprofx ')
                     and b'(compatible with GNU gprof 2.40)' in r.out.split(b'\n')[0], '--version')
    for words in (('--help',), ('-h',)):
        r = runs.run(*words)
        runs.tally.check(r.status == 0 and len(r.out) > 200 and not r.err, words[0])


def traces(runs):
    """Every stage that -d names can be traced, and the report stays what it is."""
    report = runs.out('-b', 'image', 'gmon').splitlines()

    def traced(*words):
        lines = runs.out(*words, '-b', 'image', 'gmon').splitlines()
        left = iter(lines)
        runs.tally.check(all(x in left for x in report), ' '.join(words),
                         'lines of the report are gone')
        return lines
    least = len(traced('-d1'))
    for bit, stage in STAGES.items():
        more = ('-ea', '-k', 'a/b') if bit == 4096 else ()
        lines = runs.out('-d%d' % bit, '-b', *more, 'image', 'gmon').splitlines()
        fewer = runs.out('-d1', '-b', *more, 'image', 'gmon').splitlines()
        runs.tally.check(len(lines) > len(fewer), '-d%d' % bit, 'no trace of ' + stage)
    runs.tally.check(len(traced('-d')) > least, '-d', 'no trace')
    traced('--debug')


def profiles(runs, p):
    """One profile in one file, in several, in another order of files, from standard input."""
    records = [('main', 'a', 3), ('a', 'b', 2), ('b', 'c', 7)]
    for i, arc in enumerate(records):
        runs.write('part%d' % i, p.profile({arc[1]: i + 5}, [arc]).bytes())
    whole = p.empty()
    for i, arc in enumerate(records):
        whole.raw(p.profile({arc[1]: i + 5}, [arc]).bytes()[20:])
    runs.write('whole', whole.bytes())
    one = runs.out('-b', 'image', 'whole')
    runs.same('parts', one, runs.out('-b', 'image', 'part0', 'part1', 'part2'))
    runs.same('parts in another order', one, runs.out('-b', 'image', 'part2', 'part0', 'part1'))
    runs.same('standard input', one, runs.run('-b', 'image', '-', stdin='whole').out)
    runs.same('standard input and files', one,
              runs.run('-b', 'image', 'part0', '-', 'part2', stdin='part1').out)
    runs.write('words', b'-b image\nwhole')
    runs.same('argument file', one, runs.out('@words'))


def threads(runs, case, label):
    """The same bytes for any number of threads."""
    words = randomcase.write(case, runs.directory)
    one = runs.run('--threads=1', *words)
    for count in (2, 3, 16):
        r = runs.run('--threads=%d' % count, *words)
        runs.tally.check(r == one and not r.broken(), '%s with %d threads' % (label, count),
                         r.broken() or 'differs from one thread', [' '.join(words)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=60, help='random cases for the threads')
    args = parser.parse_args()
    tally = runner.Tally()
    with tempfile.TemporaryDirectory() as directory:
        runs = Runs(runner.program_under_test(), directory, tally)
        p, profile = example()
        runs.write('image', p.bytes())
        runs.write('gmon', profile.bytes())
        for part in (listings, explanations, modes, traces):
            part(runs)
        profiles(runs, p)
        for i in range(args.count):
            threads(runs, randomcase.make(args.seed * 1000003 + i), '%d.%d' % (args.seed, i))
        big = Program(['f%d' % i for i in range(3000)], step=16)
        runs.write('image', big.bytes())
        runs.write('gmon', big.profile(
            {n: i % 11 for i, n in enumerate(big.names[:-1])},
            [('f%d' % (i * 31 % 3000), 'f%d' % (i * 77 % 3000), i % 7)
             for i in range(9000)]).bytes())
        one = runs.out('--threads=1', '-b', '-z', 'image', 'gmon')
        for count in (2, 5, 8):
            runs.same('many functions, %d threads' % count, one,
                      runs.out('--threads=%d' % count, '-b', '-z', 'image', 'gmon'))
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Annotated source: which files and lines there are, where sources are, what their bytes are."""
from profiled import Program
from suite.symspecs import debugged, profile

ROWS = {'main': [(0, 3, 'main.c'), (16, 4, 'main.c'), (32, 4, 'main.c'), (48, 3, 'main.c')],
        'alpha': [(0, 10, 'sub/alpha.c'), (8, 30, 'part.h'), (24, 11, 'sub/alpha.c')],
        'beta': [(0, 2, 'other.c'), (64, 0, 'other.c'), (96, 5, 'other.c'), (128, 4, 'other.c')],
        'gamma': [(0, 10, 'sub/alpha.c'), (4, 12, 'sub/alpha.c'), (8, 10, 'sub/alpha.c')],
        'delta': [(0, 1, '/nowhere/delta.c')], 'idle': [(0, 1, 'idle.c'), (8, 9, 'idle.c')]}
NAMES = ['main', 'alpha', '~beta', 'gamma', 'delta', 'idle']

OPTIONS = ('-A', '-A -x', '-A -z', '-A -z -x -m 8', '-A -t 1', '-A -t 0', '-A -t -1', '-A -m 0', '-A -m 5',
           '-A -m -1', '-A -m 4294967297', '-Abeta', '-Jbeta', '-Aalpha.c: -Jgamma', '-Jmain.c -z', '-A -J',
           '-J', '-J -A', '-A -p -q -C', '-A -T -L', '-A -a', '-Anosuch', '-A:4', '-A -I inc', '-A -I nowhere:inc',
           '-A -I:', '-A -I nowhere -I inc', '-A -q -z', '-A -r', '-A -i', '-A --inline-file-names', '-x', '-t 3',
           '-m 2', '-I inc', '-p -x')


def text(count, end='\n', last='\n'):
    return end.join('line %d' % (i + 1) for i in range(count)) + last


def define(t):
    p = Program(NAMES)
    p.lines(ROWS, 'main.c', '.')
    t.put('program', p)
    at = p.address
    made = p.profile({'main': 7, 'alpha': 5, 'beta': 20, 'gamma': 1, 'delta': 3},
                     [('main+4', 'alpha', 3), ('main+20', 'alpha', 4), ('main+36', 'beta', 2),
                      ('alpha+4', 'alpha', 6), ('alpha+12', 'delta', 5), ('beta+70', 'gamma', 9),
                      ('gamma+6', 'beta', 8), ('idle+2', 'idle', 0)])
    blocks = [(at['main'], 2), (at['main'] + 18, 5), (at['alpha'] + 9, 0), (at['gamma'] + 4, 70000)]
    blocks += [(at['beta'] + 100 + 2 * i, i + 1) for i in range(12)] + [(at['beta'] + 128, 100)]
    t.put('gmon', made.blocks(blocks))
    t.put('blocks', p.empty().blocks(blocks))
    t.put('main.c', text(5, '\r\n', ''))
    t.put('sub/alpha.c', text(10) + 'a\0b\xff' + text(3))
    t.put('part.h', text(31))
    t.put('other.c', text(3))
    t.put('idle.c', b'')
    t.put('inc/delta.c', text(2))
    t.put('inc/other.c', text(9))
    for words in OPTIONS:
        t.case(words.replace(' ', ''), '-b %s program gmon' % words)
        t.case('l' + words.replace(' ', ''), '-b -l %s program gmon' % words)
    for words in ('-A', '-A -l', '-A -l -x', '-A -l -z', '-l -A -C'):
        t.case('blocks' + words.replace(' ', ''), '-b %s program blocks' % words)
    for value in '', 'inc', 'nowhere:inc', ':':
        t.case('GPROF_PATH-' + value, '-b -A -I nowhere program gmon', env={'GPROF_PATH': value})
    spellings(t)
    copy = debugged()
    t.put('debug', copy)
    t.put('debug.gmon', profile(copy))
    t.put('src/prog.c', 'int main(void)\n{\n}\n')
    for words in ('-A', '-Amain', '-I src -A', '-J', '-Jmain', '-p -A', '-l -A -x -I src -z'):
        t.case('debug' + words.replace(' ', ''), '-b %s debug debug.gmon' % words)


def spellings(t):
    for words in ('--annotated-source', '--annotated-source=beta', '--an -x', '--all-lines -A',
                  '--no-annotated-source', '--no-annotated-source=beta', '--table-length=2 -A',
                  '--min-count=3 -A', '--directory-path=inc -A', '--directory-path inc -A'):
        t.case(words.replace(' ', ''), '-b %s program gmon' % words)

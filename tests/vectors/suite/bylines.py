# SPDX-License-Identifier: Apache-2.0
"""Reports by line: with line information and without, basic blocks, what names and symspecs do."""
from elfimage import FUNC, GLOBAL, LOCAL, NOTYPE, OBJECT, Image
from gmonfile import Profile
from profiled import Program
from suite.table import fixed

ROWS = {'main': [(0, 3, 'prog.c'), (16, 4, 'prog.c'), (32, 4, 'prog.c'), (48, 3, 'prog.c')],
        'alpha': [(0, 10, 'prog.c'), (8, 30, 'part.h'), (24, 11, 'prog.c')],
        'beta': [(0, 20, 'other.c'), (64, 0, 'other.c'), (96, 21, 'other.c')],
        'gamma': [(0, 40, 'prog.c'), (4, 41, 'prog.c'), (8, 40, 'prog.c')]}
SWAPPED = 'the number of blocks is swapped twice if the byte order is not the host\'s: Success'
NAMES = ['main', 'alpha', '~beta', 'gamma', 'delta']


def profile(p):
    made = p.profile({'main': 7, 'alpha': 5, 'beta': 20, 'gamma': 1, 'delta': 3},
                     [('main+4', 'alpha', 3), ('main+20', 'alpha', 4), ('main+36', 'beta', 2),
                      ('alpha+4', 'alpha', 6), ('alpha+12', 'alpha', 5), ('beta+70', 'gamma', 9),
                      ('gamma+6', 'beta', 8), ('gamma+2', 'delta', 0), ('delta+3', 'gamma', 1)])
    at = p.address
    return made.blocks([(at['main'], 2), (at['main'] + 18, 5), (at['alpha'] + 9, 0)] +
                       [(at['beta'] + 4 * i, i + 1) for i in range(30)] + [(at['beta'], 100)])


def define(t):
    for name, how in (('four', {'version': 4}), ('five', {'version': 5}), ('bare', None)):
        p = Program(NAMES)
        if how:
            p.lines(ROWS, **how)
        t.put(name, p)
        t.put('gmon', profile(p))
        for words in ('-l', '-l -p', '-l -q', '-l -z', '-l -T -z', '-l -C', '-l -C -z', '-l -L -p',
                      '-l -q -z -w 50', '-l -P', '-l --inline-file-names -p', '-a -l', '-l -D', '--line',
                      '-p -l -pprog.c:4', '-l -qalpha', '-l -Ppart.h', '-l -C:10', '-l -Fprog.c:10 -q',
                      '-l -k main/alpha -q', '-l -kprog.c:4/alpha -q', '-l -Nother.c: -q', '-l -i',
                      '-l -S list', '-l -S list -C', '-s -p', '-s'):
            t.case('%s%s' % (name, words.replace(' ', '')), '-b %s %s gmon' % (words, name))
    t.put('list', ''.join('%x T %s\n' % (p.address[n], n) for n in p.names))
    for machine in ('i386', 's390x', 'ppc'):
        other = Program(NAMES, machine).lines(ROWS)
        t.put(machine, other)
        made = other.profile({'main': 7, 'alpha': 5}, [('main+20', 'alpha', 4)])
        t.put(machine + '.gmon', made)
        t.case(machine, '-b -l -z %s %s.gmon' % (machine, machine))
        t.put(machine + '.blocks', profile(other))
        for words in '-l -C', '-l -C -z':
            t.case(machine + '-blocks' + words.replace(' ', ''),
                   '-b %s %s %s.blocks' % (words, machine, machine),
                   *(() if machine == 'i386' else (SWAPPED, fixed('byte order of blocks'))))
    nothing_last(t)


def nothing_last(t):
    """Symbols behind .text, of which the last one ends below its start and is removed."""
    image = Image('x86_64').section('.text', 0x401000, b'\x90' * 0x200)
    image.section('.fini', 0x402000, b'\x90' * 0x20)
    image.symbol('main', 0x401000, 0x100).symbol('label', 0x401080, 0, LOCAL, NOTYPE)
    image.symbol('thing', 0x401090, 0, GLOBAL, OBJECT).symbol('work', 0x401100, 0, GLOBAL, FUNC)
    image.symbol('_fini', 0x402000, 0, section='.fini')
    t.put('last', image)
    bins = [3] * 16 + [5] * 16
    t.put('last.gmon', Profile.of(image).histogram(0x401000, 0x401200, bins)
          .arc(0x401020, 0x401110, 5).arc(0x401084, 0x401094, 6).arc(0x401094, 0x402004, 7)
          .blocks([(0x401084, 1), (0x402000, 2), (0x401194, 3)]))
    for words in ('-l', '-l -C -z', '-l -z', '-l -D', '-z', '-s'):
        t.case('last' + words.replace(' ', ''), '-b %s last last.gmon' % words)

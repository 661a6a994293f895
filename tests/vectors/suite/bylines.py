# SPDX-License-Identifier: Apache-2.0
"""Reports by line: with line information and without, basic blocks, what names and symspecs do."""
from dwarfinfo import Function, Unit, add_debug_info
from elfimage import FUNC, GLOBAL, IFUNC, LOCAL, NOTYPE, OBJECT, UNIQUE, WEAK, Image
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
    names_of_code(t)
    data_first(t)


# Symbols [name, offset, size, binding, type] by what they are about, and functions that the debug
# information knows: (name, offset, size, linkage name).
CODE = {
    'indirect': ([['chosen', 0x40, 0x10, GLOBAL, IFUNC], ['weak', 0x60, 0, WEAK, IFUNC],
                  ['static', 0x80, 0x20, LOCAL, IFUNC], ['later', 0xc0, 0x10, GLOBAL, FUNC]], ()),
    'unique': ([['one', 0x40, 0x10, UNIQUE, FUNC], ['two', 0x60, 0, UNIQUE, NOTYPE],
                ['three', 0x70, 0, UNIQUE, OBJECT], ['four', 0x80, 0x20, UNIQUE, IFUNC]], ()),
    # Of one address: the largest, and of equal ones the first of the table.
    'shared': ([['resolve', 0x40, 0x10, LOCAL, FUNC], ['chosen', 0x40, 0x10, GLOBAL, IFUNC],
                ['larger', 0x60, 0x20, GLOBAL, IFUNC], ['smaller', 0x60, 0x10, GLOBAL, FUNC],
                ['first', 0xa0, 0, GLOBAL, IFUNC], ['second', 0xa0, 0, GLOBAL, FUNC]], ()),
    # What reaches over another symbol, and what comes behind it.
    'nested': ([['outer', 0x20, 0x40, GLOBAL, FUNC], ['inner', 0x40, 0x10, GLOBAL, FUNC],
                ['label', 0x4c, 0, LOCAL, NOTYPE], ['whole', 0x80, 0x30, GLOBAL, IFUNC],
                ['part', 0x90, 0x40, LOCAL, IFUNC], ['end', 0xe0, 0x10, GLOBAL, FUNC]], ()),
    # Resolvers take the name of what they resolve, unless they have one for the linker.
    'named': ([['chosen', 0x40, 0x10, GLOBAL, IFUNC], ['resolve', 0x80, 0x10, LOCAL, FUNC],
               ['other', 0x80, 0x20, GLOBAL, IFUNC], ['linked', 0xc0, 0x10, GLOBAL, IFUNC]],
              (('choose', 0x40, 0x10, None), ('resolve', 0x80, 0x10, None),
               ('link', 0xc0, 0x10, 'linkage'))),
    # Code that has a name is not asked about: the function before does not go on behind it.
    'between': ([['outer', 0x20, 0x40, GLOBAL, IFUNC], ['inner', 0x40, 0, GLOBAL, IFUNC],
                 ['again', 0x80, 0x40, GLOBAL, IFUNC], ['within', 0xa0, 0, GLOBAL, IFUNC]],
                (('known', 0x1c, 0x28, 'known'), ('hole', 0x9c, 8, 'hole'))),
}


def names_of_code(t):
    """Code that the debug information knows lines of, but no function."""
    for what, (symbols, known) in CODE.items():
        image = Image('x86_64').section('.text', 0x401000, b'\x90' * 0x100)
        image.symbol('main', 0x401000, 0x10).symbol('zz_end', 0x4010f0, 0x10)
        for name, at, size, binding, kind in symbols:
            image.symbol(name, 0x401000 + at, size, binding, kind)
        functions = [Function(None, 0x401000, 0x100, [(i, i // 8 + 1) for i in range(0, 0x100, 8)])]
        functions += [Function(name, 0x401000 + at, size, [], linkage)
                      for name, at, size, linkage in known]
        t.put(what, add_debug_info(image, [Unit('prog.c', functions)]))
        t.put(what + '.gmon', Profile.of(image).histogram(0x401000, 0x401100, list(range(1, 33)))
              .arc(0x401004, 0x401044, 3).arc(0x401048, 0x401084, 4))
        for words in ('-l -C -z', '-l -p', '-l -q', '-p'):
            t.case(what + words.replace(' ', ''), '-b %s %s %s.gmon' % (words, what, what))


def data_first(t):
    """Data in front of all that code is named after: it has lines, but nothing that it is a part of."""
    for what, known, label in (('first', (), ()), ('known', (0x20,), ()), ('labelled', (), (0x18,))):
        image = Image('x86_64').section('.text', 0x401000, b'\x90' * 0x100)
        image.symbol('table', 0x401000, 0x10, GLOBAL, OBJECT).symbol('own', 0x401010, 0, LOCAL, OBJECT)
        image.symbol('more', 0x401020, 8, GLOBAL, OBJECT).symbol('work', 0x401040, 0x40)
        image.symbol('behind', 0x401090, 8, LOCAL, OBJECT).symbol('zz_end', 0x4010f0, 0x10)
        for at in label:
            image.symbol('chosen', 0x401000 + at, 4, LOCAL, IFUNC)
        rows = [(i, i // 8 + 1) for i in range(0, 0x100, 8)]
        functions = [Function(None, 0x401000, 0x100, rows)]
        functions += [Function('found', 0x401000 + at, 0x10, [], 'found') for at in known]
        t.put(what, add_debug_info(image, [Unit('data.c', functions)]))
        t.put(what + '.gmon', Profile.of(image).histogram(0x401000, 0x401100, list(range(1, 33)))
              .arc(0x401044, 0x401020, 3).arc(0x401024, 0x401000, 4).arc(0x401012, 0x401090, 5))
        for words in ('-l -p', '-l -q', '-l -z', '-l -C -z', '-l -a -z', '-z', '-a -z'):
            t.case('data-%s%s' % (what, words.replace(' ', '')), '-b %s %s %s.gmon' % (words, what, what))


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

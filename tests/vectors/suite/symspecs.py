# SPDX-License-Identifier: Apache-2.0
"""Symspecs: every form of a function's name, of its file and line, and of arcs between two."""
from elfimage import LOCAL, Image
from gmonfile import Profile
from profiled import Program

# function: rows of (offset, line[, file]); two files have one base name, functions share lines
ROWS = {
    'main': [(0, 10), (16, 12), (32, 14)], 'alpha': [(0, 20), (16, 21)],
    'beta': [(0, 30, 'lib/util.c'), (8, 31, 'lib/util.c')], 'helper': [(0, 20, 'lib/util.c')],
    'gamma': [(0, 40, 'other/util.c')], 'delta': [(0, 10, 'other/util.c')],
    'odd': [(0, 7, 'noext')], 'tiny': [(0, 50)], 'tiny2': [(0, 50)],
    'weird.name': [(0, 60, 'a.b.c')], '12345': [(0, 61)], 'x::y': [(0, 62)], '_under': [(0, 63)],
}


def debugged(machine='x86_64', **how):
    p = Program(list(ROWS) + ['~plain'], machine)
    next(s for s in p.image.symbols if s.name == 'helper').bind = LOCAL
    return p.lines(ROWS, 'src/prog.c', **how)


def profile(p):
    ticks = {n: i + 3 for i, n in enumerate(ROWS)}
    ticks['plain'] = 2
    return p.profile(ticks, [
        ('main', 'alpha', 3), ('main', 'beta', 2), ('alpha', 'gamma', 5), ('beta', 'gamma', 7),
        ('beta', 'helper', 4), ('gamma', 'delta', 1), ('delta', 'odd', 6), ('odd', 'tiny', 2),
        ('tiny', 'tiny2', 9), ('tiny2', 'weird.name', 8), ('main', '12345', 3),
        ('12345', 'x::y', 4), ('x::y', '_under', 5), ('_under', 'plain', 6), ('plain', 'alpha', 1),
        ('gamma', 'beta', 1), ('helper', 'helper', 3)])


def label(words):
    return ''.join(c if c.isalnum() or c in '.:_-+=' else '+' if c == '/' else '' for c in words)


def define(t):
    p = debugged()
    t.put('debug', p)
    t.put('debug.gmon', profile(p))
    forms(t)
    arcs(t)
    tables(t)
    bare(t)


def forms(t):
    specs = ['main', 'Main', 'main ', ':main', 'prog.c', 'src+prog.c', 'prog.c:', 'prog.c:main',
             'prog.c:beta', 'prog.c:20', 'prog.c:021', 'prog.c:10x', 'prog.c:9', 'util.c',
             'util.c:20', 'util.c:beta', 'util.c:gamma', 'util.c:10', ':20', ':10', '20', '10',
             '0', ':0', ':', "''", 'noext', 'noext:', 'noext:7', 'odd', '50', 'prog.c:50', 'a.b.c',
             'a.b.c:60', 'weird.name', ':weird.name', ':12345', '12345', 'x::y', ':x::y', 'x::',
             '_under', 'under', 'nosuch', 'nosuch.c', 'nosuch.c:main', 'nosuch.c:10', 'prog.c:0',
             'prog.c:nosuch', '-1', '*', 'ma*', '.', ':.', '7', '99999999999999999999',
             '4294967306', 'main:10', 'plain', '<']
    for spec in specs:
        spec = spec.replace('+', '/')
        quoted = spec if spec == "''" else "'%s'" % spec
        t.case('p-' + (label(spec) or 'empty%d' % specs.index(spec)), '-b -p%s debug debug.gmon'
               % (quoted if spec != "''" else ''))
    for words in ("-n ''", "-n :", "-n 0", "-N ''", "-N :0", "-e ''", "-E :", "-f ''", "-F 0",
                  "-n ' main'", "--time=", "--graph=", "--=alpha", "--=", "-n main -n ''",
                  "--no-graph="):
        t.case('all' + label(words), '-b -q %s debug debug.gmon' % words,
               'specs that match anything')


def arcs(t):
    for words in ('-k main/alpha', '-k main/', '-k /gamma', '-k /', '-k main', '-k main/nosuch',
                  '-k nosuch/alpha', '-k /nosuch', '-k main/alpha -k main/beta',
                  '-k main/beta -k main/alpha', '-k main/alpha -k beta/gamma',
                  '-k main/alpha/beta', '-k prog.c:/gamma', '-k prog.c:main/util.c:', '-k 10/20',
                  '-k :10/:20', '-k main/:alpha', '-k util.c:/', '-k /util.c:', '-k helper/helper',
                  '-k tiny/', '-qmain/alpha', '-qmain/', '-q/gamma', '-q/', '-qmain/nosuch',
                  '-qnosuch/alpha', '-qmain/alpha -qmain/beta', '-qmain/alpha -qbeta/gamma',
                  '-Qmain/alpha', '-Qmain/', '-Q/gamma', '-Q/', '-Qnosuch/', '-Q/beta -Qmain/',
                  '-qmain/alpha -Qmain/beta', '-qmain/ -k main/alpha', '-qmain -Q/alpha',
                  '-p -k main/alpha', '-p -k /gamma', '-q -k tiny/tiny2', '-q -k tiny/weird',
                  '-C -k main/alpha', '-qmain/alpha -p', '--graph=main/alpha',
                  '--no-graph=main/alpha', '--graph=main/ --graph=/gamma'):
        q = '' if '-q' in words or '-Q' in words or '-p' in words or '-C' in words else '-q '
        t.case('arc' + label(words), '-b %s%s debug debug.gmon' % (q, words))


def tables(t):
    """Neighbours, the same function twice, include and exclude of one name, in every table."""
    for words in ('-pmain -palpha', '-palpha -pmain', '-pmain -pgamma', '-pmain -pmain',
                  '-Pmain -Palpha', '-pprog.c -Pmain', '-putil.c: -pprog.c:', '-p -Pprog.c',
                  '-qmain -qalpha', '-qalpha -Qalpha', '-Qalpha -Qbeta', '-qtiny -Qtiny2',
                  '-qprog.c -Qmain', '-eprog.c -fmain', '-E prog.c', '-F util.c:', '-n prog.c -q',
                  '-N util.c -q', '-N main -n main -q', '-E alpha -F alpha', '-e alpha -f alpha',
                  '-F alpha -F beta -E gamma', '-N 50 -q', '-n 50 -q', '-Cprog.c', '-Zprog.c',
                  '-Cmain -Cbeta', '-C -Zutil.c', '-Cmain -Zmain', '-Z -C', '-Calpha -p', '-C50',
                  '-CT', '-Cutil.c:gamma', '-Znosuch', '-Cnosuch', '-Z/', '-Cmain -z', '-Zmain -z',
                  '-pmain -T', '-Pmain -T', '-qmain -T', '-pmain -z', '-qmain -z', '-Qmain -z',
                  '-C -a', '-C -T -z', '-C -L'):
        t.case('table' + label(words), '-b %s debug debug.gmon' % words)


def bare(t):
    """Images without source lines, where only names can match."""
    p = Program(['main', 'alpha', '~beta', 'gamma'])
    t.put('bare', p)
    t.put('bare.gmon', p.profile({'alpha': 3, 'beta': 4, 'gamma': 5},
                                 [('main', 'alpha', 1), ('alpha', 'beta', 2),
                                  ('beta', 'gamma', 3)]))
    for words in ('-pmain.c', '-pmain.c:main', '-p10', '-p:', '-palpha', '-Pbeta', '-p0',
                  '-qmain.c/', '-k alpha/beta', '-k 0/0', '-k beta/', '-qalpha/beta -Qbeta/gamma',
                  '-a -pbeta', '-a -palpha', '-a -k alpha/gamma', '-D -pbeta'):
        t.case('bare' + label(words), '-b %s bare bare.gmon' % words)
    behind_text(t)
    # Lookups in a table of many specs.
    p = Program(['f%02d' % i for i in range(30)], step=16)
    t.put('thirty', p)
    t.put('thirty.gmon', p.profile(
        {n: i for i, n in enumerate(p.names[:-1])},
        [('f%02d' % i, 'f%02d' % ((i * 7 + 1) % 30), i) for i in range(30)]))
    picked = ['f%02d' % i for i in (3, 4, 5, 9, 11, 12, 28, 29, 0, 20)]
    for option in ('-p', '-P', '-q', '-Q', '-e', '-f', '-F', '-C', '-Z'):
        t.case('many' + option, '-b %s %s thirty thirty.gmon'
               % ('-q' if option in '-e-f-F' else '', ' '.join(option + n for n in picked)))
    t.case('many-arcs', '-b -q %s thirty thirty.gmon' % ' '.join('-k %s/' % n for n in picked))


def behind_text(t):
    """A last symbol behind .text ends before it starts; a spec for it alone is as good as none."""
    image = Image().section('.text', 0x401000, b'\x90' * 32)
    image.section('.fini', 0x401020, b'\x90' * 96).symbol('a', 0x401000, 16)
    for i, name in enumerate(('b', 'c', 'd', 'last')):
        image.symbol(name, 0x401020 + 16 * i, 16, section='.fini')
    t.put('behind', image)
    t.put('behind.gmon', Profile().arc(0x401000, 0x401000, 1).arc(0x401000, 0x401020, 2)
          .arc(0x401021, 0x401030, 3).arc(0x401032, 0x401040, 4))
    for words in ('-C -z', '-Clast -z', '-Zlast -z', '-C:0 -z', '-Z:0 -z', '-Cb -C:0 -z',
                  '-Cd -Clast -z', '-q -k last/', '-q -k b/:0', '-q -k :0/c', '-q -k :0/:0',
                  '-q/last', '-qb/last', '-q -e last', '-q -f last', '-q -F last -E a',
                  '-qlast/ -k a/b'):
        t.case('behind' + label(words), '-b %s behind behind.gmon' % words)
    none = Image().section('.text', 0x401000, b'\x90' * 32)
    none.section('.fini', 0x401020, b'\x90' * 96)
    for i, name in enumerate(('a', 'b', 'c', 'last')):
        none.symbol(name, 0x401020 + 16 * i, 16, section='.fini')
    t.put('outside', none)
    for words in ('-C:0 -z', '-Ca -C:0 -z', '-C:0 -Ca -z', '-Z:0 -z', '-Za -Z:0 -z', '-C:0 -Cb -z'):
        t.case('outside' + label(words), '-b %s outside behind.gmon' % words)

# SPDX-License-Identifier: Apache-2.0
"""Which listings appear, in which order and form: defaults, units, ties, widths, missing data."""
from gmonfile import Profile
from profiled import Program
from suite.table import fixed

BASIC = ['main', 'alpha', 'beta', 'gamma', '~delta', '_under', 'zed']


def basic():
    return Program(BASIC)


def define(t):
    selection(t)
    units(t)
    ties(t)
    missing(t)
    wide(t)
    many(t)


def selection(t):
    p = basic()
    t.put('basic', p)
    t.put('basic.gmon', p.profile({'alpha': 30, 'beta': 30, 'gamma': 10, 'zed': 5},
                                  [('main', 'alpha', 10), ('main', 'beta', 10),
                                   ('alpha', 'gamma', 3), ('beta', 'gamma', 5),
                                   ('gamma', 'delta', 1)]))
    for words in ('', '-T', '-z', '-T -z', '-p', '-q', '-B', '-p -T', '-q -T', '-q -w40',
                  '-q -w200', '-q -w0', '-q -w1', '-q -w-5', '-q -w13', '-q -w20x', '-q -wabc',
                  '-w50', '-T -w40', '-q --width=120', '-p -q -C', '-C', '-C -z', '-C -T', '-P',
                  '-Q', '-P -Q', '-p -P', '-P -p', '-q -Q', '-Q -q', '-Z', '-Z -P', '-C -Z',
                  '-Z -C', '-p -Q', '-p -q -P', '-palpha', '-Palpha', '-qalpha', '-Qalpha',
                  '-Calpha', '-Zalpha', '-Palpha -Q', '-palpha -pbeta', '-Palpha -Pbeta',
                  '-palpha -Palpha', '-p -palpha', '-pnosuch', '-Pnosuch', '-qnosuch', '-pmcount',
                  '-Pmain -z', '-e alpha', '-E beta', '-f gamma', '-F beta', '-e alpha -E beta',
                  '-f alpha -F beta', '-e gamma -f gamma', '-nalpha', '-nalpha -q', '-Nalpha -q',
                  '-Ngamma', '-ngamma -Ngamma -q', '-L', '-L -q', '-D', '-a', '-a -q', '-z -q',
                  '-C -p', '-C -q -p', '-T -C'):
        name = words.replace(' ', '') or 'default'
        t.case(name, '-b %s basic basic.gmon' % words)
    t.case('two-files', '-b basic basic.gmon basic.gmon')


def units(t):
    u = Program(['main', 'work', 'rest'])
    t.put('unit', u)
    for name, ticks, calls, rate in (
            ('s', 100, 1, 100), ('ms', 99, 1, 100), ('ks', 65535, 1, 1), ('edge-1000', 1000, 1, 1),
            ('edge-999', 999, 1, 1), ('us', 100, 1001, 100), ('ns', 100, 1000001, 100),
            ('edge-ns', 100, 1000000000, 100), ('edge-us', 100, 1000000, 100), ('none', 5, 0, 100),
            ('edge-ms', 100, 1000, 100), ('ps', 1, 4294967295, 100),
            ('as', 1, 4294967295, 1000000), ('as-2', 1, 1000000000, 1000000000),
            ('third', 100, 3, 3), ('rate-max', 9, 1, 0xffffffff), ('seventh', 22, 7, 7),
            ('1001', 1001, 1, 1), ('max', 65535, 65536, 1)):
        t.put('unit-%s.gmon' % name,
              u.profile({'work': ticks, 'rest': 1}, [('main', 'work', calls)], rate))
        t.case('unit-' + name, '-b -p unit unit-%s.gmon' % name)
    t.case('unit-T', '-b -T -p unit unit-ns.gmon', 'always milliseconds')
    t.case('unit-filtered', '-b -Pwork unit unit-ns.gmon', 'the filtered function sets the unit')
    t.put('unit-dim.gmon', u.profile({'work': 5, 'rest': 1}, [('main', 'work', 3)], 1,
                                     b'cache misses', b'1'))
    t.case('unit-dim', '-b unit unit-dim.gmon', 'not seconds')
    t.case('unit-dim-T', '-b -T unit unit-dim.gmon')
    beyond = 'a figure smaller than any unit runs past the end of a table'
    t.put('unit-beyond.gmon', u.profile({'work': 1, 'rest': 1}, [('main', 'work', 4294967295)],
                                        1000000000))
    t.case('unit-beyond', '-b -p unit unit-beyond.gmon', 'below 1e-18 seconds per call',
           fixed(beyond))
    t.put('unit-rate0.gmon', u.profile({'work': 5, 'rest': 1}, [('main', 'work', 3)], 0))
    t.case('unit-rate0', '-b -p unit unit-rate0.gmon', 'a rate of 0 and calls', fixed(beyond))
    t.case('unit-rate0-graph', '-b -q unit unit-rate0.gmon')
    t.case('unit-rate0-T', '-b -T -p unit unit-rate0.gmon', 'no unit is searched for')
    t.put('unit-rate0-time.gmon', u.profile({'work': 5, 'rest': 1}, (), 0))
    t.case('unit-rate0-time', '-b -p unit unit-rate0-time.gmon', 'a rate of 0 without calls')


def ties(t):
    p = Program(['main', 'b2', 'a1', '_c', 'd3', 'e4', 'caller2'])
    t.put('ties', p)
    t.put('ties.gmon', p.profile(
        {n: 4 for n in ('a1', 'b2', '_c', 'd3', 'e4')},
        [('main', 'd3', 2), ('main', 'b2', 2), ('main', '_c', 2), ('main', 'a1', 2),
         ('main', 'e4', 5), ('caller2', 'a1', 2), ('caller2', '_c', 1), ('main', 'caller2', 1),
         ('e4', 'a1', 2)]))
    for words in ('', '-T', '-z', '-C'):
        t.case('ties' + words, '-b %s ties ties.gmon' % words)
    p = Program(['main', '~same', 'one', '~same', 'two', '~same'])
    t.put('same', p)
    a = [s.address for s in p.image.symbols if s.name == 'same']
    t.put('same.gmon', p.empty().histogram(p.base, p.end, [0, 3, 0, 3, 0, 3, 0])
          .arc(p.base + 4, a[2], 1).arc(p.base + 4, a[1], 1).arc(p.base + 4, a[0], 1))
    for words in ('', '-T', '-psame', '-Psame', '-qsame', '-z'):
        t.case('same' + words, '-b %s same same.gmon' % words, 'several functions of one name')
    names = ['B', 'a', '_', '__x', '_x', 'A', '\xe9', '\x7f', '1', 'aa', 'a_', 'a1', 'a.1', 'Z',
             'b']
    p = Program(names)
    t.put('bytes', p)
    t.put('bytes.gmon', p.profile({n: 1 for n in names}, [('B', n, 1) for n in reversed(names)]))
    t.case('byte-order', '-b bytes bytes.gmon', 'names compare by unsigned bytes')
    t.put('bytes0.gmon', p.profile({}, [('B', n, 1) for n in reversed(names)]))
    t.case('byte-order-0', '-b -z bytes bytes0.gmon')


def missing(t):
    p = basic()
    rows = (('hist', p.profile({'alpha': 4})), ('arcs', p.profile(None, [('main', 'alpha', 10)])),
            ('empty', p.empty()), ('notime', p.profile({}, [('main', 'alpha', 10)])),
            ('nothing', p.profile({})), ('dropped', p.profile({'alpha': 2}, [(64, 'alpha', 10)])),
            ('lost', p.profile(None, [('main', 0x10, 3)])),
            ('outside', p.empty().histogram(p.base - 64, p.base, [1, 2, 3, 4])))
    for name, profile in rows:
        t.put('miss-%s.gmon' % name, profile)
        for words in ('', '-p', '-q', '-T', '-C', '-z', '-P', '-Q', '-p -q', '-Cz'):
            t.case('miss-%s%s' % (name, words.replace(' ', '')),
                   '-b %s basic miss-%s.gmon' % (words, name))


def wide(t):
    p = Program(['main', '_Z3fooi', '_Z3barPKc', '_ZN2ns3Cls6methodEv', '_', 'pct%d',
                 'a_rather_long_function_name_that_overflows', '_RNvC6_123foo3bar'])
    t.put('wide', p)
    t.put('wide.gmon', p.profile({n: 65535 for n in p.names[:-1]},
                                 [('main', n, 4294967295) for n in p.names[1:-1]] * 3, 1))
    for words in ('', '--no-demangle', '-T', '-C', '-q -w30', '-z', '-p --demangle'):
        t.case('wide' + words.replace(' ', ''), '-b %s wide wide.gmon' % words)
    f = Program(['main', 'slow', 'fast'])
    t.put('huge', f)
    p = f.empty()
    for _ in range(40):
        p.histogram(f.base, f.end, [65535] * 4)
        p.arc(f.at('main'), f.at('slow'), 0xffffffff).arc(f.at('slow'), f.at('fast'), 0xffffffff)
        p.arc(f.at('fast'), f.at('fast'), 0xffffffff)
    t.put('huge.gmon', p)
    t.case('huge', '-b huge huge.gmon', 'columns that overflow')
    t.case('huge-T', '-b -T huge huge.gmon')
    t.put('slow.gmon', f.profile({'main': 65535, 'slow': 3}, [('main', 'slow', 1)], 1))
    t.case('slow', '-b huge slow.gmon', 'one sample a second')
    for i, ticks in enumerate(((1, 7), (1, 15), (5, 3), (25, 15), (125, 875), (1, 399), (3, 797))):
        t.put('round%d.gmon' % i, f.profile({'slow': ticks[0], 'fast': ticks[1]},
                                            [('main', 'slow', 8), ('slow', 'fast', 16)], 1000))
        t.case('round%d' % i, '-b huge round%d.gmon' % i, 'figures half-way between two roundings')
        t.case('round%d-T' % i, '-b -T huge round%d.gmon' % i)


def many(t):
    p = Program(['main'] + ['f%05d' % i for i in range(10002)] + ['_last'], step=16)
    t.put('many', p)
    t.put('many.gmon', p.profile({}, [('main', '_last', 2)]))
    t.case('many', '-b -q many many.gmon', 'index numbers of five digits')
    t.case('many-T', '-b -q -T many many.gmon')
    t.case('many-C', '-b -C many many.gmon')
    p = Program(['f%03d' % i for i in range(104)], step=16)
    t.put('hundred', p)
    t.put('hundred.gmon', p.profile(
        {n: max(0, i % 7 - 4) for i, n in enumerate(p.names[:-1])},
        [('f%03d' % (i * 7 % 104), 'f%03d' % (i * 11 % 104), i % 5) for i in range(60)]))
    t.case('hundred', '-b -q -w60 hundred hundred.gmon', 'index numbers of three digits')
    t.case('hundred-T', '-b -p -T hundred hundred.gmon')

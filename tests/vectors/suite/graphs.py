# SPDX-License-Identifier: Apache-2.0
"""The call graph: cycles, self recursion, static arcs, shares, visibility, order of sums."""
from profiled import Program


def define(t):
    cycles(t)
    filters(t)
    sums(t)
    shapes(t)
    excluded(t)


def cycles(t):
    p = Program(['main', 'a', 'b', 'c', 'd', 'e', 'f', 'leaf'])
    t.put('cyc', p)
    ticks = {'main': 10, 'a': 20, 'b': 30, 'c': 5, 'd': 7, 'e': 7, 'f': 1, 'leaf': 9}
    rows = {
        'out': [('main', 'a', 3), ('a', 'b', 2), ('b', 'a', 7), ('b', 'c', 4), ('b', 'b', 9),
                ('main', 'd', 1), ('d', 'e', 5), ('e', 'd', 5), ('e', 'leaf', 3), ('a', 'leaf', 6),
                ('leaf', 'leaf', 2)],
        'top': [('main', 'a', 3), ('a', 'main', 2), ('a', 'b', 7)],
        'merge': [('main', 'a', 1), ('a', 'b', 2), ('b', 'c', 3), ('c', 'b', 4), ('c', 'd', 5),
                  ('d', 'a', 6), ('d', 'e', 7), ('e', 'f', 8), ('f', 'e', 9), ('f', 'leaf', 10),
                  ('b', 'leaf', 11)],
        'zero': [('main', 'a', 0), ('a', 'b', 2), ('b', 'a', 7), ('b', 'c', 0), ('c', 'c', 5)],
        'zero-in': [('main', 'a', 1), ('a', 'b', 0), ('b', 'a', 0), ('b', 'leaf', 4)],
        'nested': [('main', 'a', 2), ('a', 'b', 3), ('b', 'c', 5), ('c', 'd', 7), ('d', 'e', 11),
                   ('e', 'c', 13), ('e', 'f', 17), ('f', 'b', 19), ('f', 'leaf', 23),
                   ('main', 'e', 29), ('leaf', 'leaf', 31)],
        'late': [('d', 'c', 1), ('c', 'd', 2), ('main', 'd', 3), ('b', 'a', 4), ('a', 'b', 5),
                 ('main', 'b', 6), ('d', 'a', 7), ('e', 'f', 8), ('f', 'e', 9), ('b', 'f', 10)],
        'two-ways': [('main', 'a', 4), ('a', 'b', 1), ('b', 'a', 1), ('b', 'd', 2), ('d', 'e', 1),
                     ('e', 'd', 1), ('a', 'd', 2), ('main', 'e', 1), ('e', 'leaf', 2)],
        'self': [('main', 'main', 3), ('a', 'a', 0), ('b', 'b', 1), ('main', 'b', 5)],
        'full': [(x, y, 1) for x in 'abcd' for y in 'abcd'] + [('main', 'b', 2)],
        'ring': [('main', 'a', 1)] + [(x, y, 1) for x, y in zip('abcdef', 'bcdefa')],
        'ring-back': [('main', 'f', 1)] + [(y, x, 2) for x, y in zip('abcdef', 'bcdefa')],
        'only': [('a', 'b', 3), ('b', 'a', 4)],
        'around': [('a', 'main', 1), ('main', 'b', 2), ('b', 'a', 3), ('c', 'd', 1), ('d', 'c', 1),
                   ('b', 'c', 2)],
    }
    for name, arcs in rows.items():
        t.put('cyc-%s.gmon' % name, p.profile(ticks, arcs))
        for words in ('', '-T', '-z') if name in ('out', 'top', 'zero', 'self') else ('',):
            t.case('cyc-%s%s' % (name, words), '-b %s -q cyc cyc-%s.gmon' % (words, name))
        t.case('cyc-%s-p' % name, '-b -p cyc cyc-%s.gmon' % name)
    t.put('cyc-notime.gmon', p.profile({}, rows['out']))
    t.case('cyc-notime', '-b cyc cyc-notime.gmon')
    t.put('cyc-arcs.gmon', p.profile(None, rows['out']))
    t.case('cyc-arcs', '-b cyc cyc-arcs.gmon', 'no histogram: figures that are no numbers')


def filters(t):
    for graph in ('out', 'merge'):
        for words in ('-E a', '-e a', '-Na', '-na', '-nb', '-qb', '-Qb', '-Qmain', '-F b',
                      '-f leaf', '-E leaf', '-N leaf', '-n leaf', '-E b -E c', '-qa -Qb',
                      '-F a -E b', '-e main', '-E main', '-N main -N a', '-f c -e b', '-n d -qd',
                      '-Qleaf -z'
                      )[::1 if graph == 'out' else 3]:
            t.case('cyc-%s%s' % (graph, words.replace(' ', '')),
                   '-b -q %s cyc cyc-%s.gmon' % (words, graph))
    for words in ('-N main', '-n main', '-F a -T', '-E a -T', '-Pb', '-pb -q', '-Pleaf -q',
                  '-k a/b', '-k a/b -z', '-Qa/b', '-qa/b', '-k b/b', '-k main/'):
        t.case('cyc-both' + words.replace(' ', '').replace('/', '+'),
               '-b %s cyc cyc-out.gmon' % words)


def sums(t):
    # Which entry comes first depends on the order in which three shares are added up.
    p = Program(['main', 'pa', 'pb', 'x', 'y', 'z', 'rest'])
    t.put('sums', p)
    for i, order in enumerate(('xyz', 'zyx', 'yxz', 'xzy')):
        arcs = [('main', 'pa', 1), ('main', 'pb', 1)] + [('pb', k, 1) for k in order]
        arcs += [('pa', k, 1) for k in reversed(order)] + [('rest', k, 8) for k in 'xyz']
        t.put('sums%d.gmon' % i, p.profile({'x': 1, 'y': 2, 'z': 3}, arcs))
        t.case('sums%d' % i, '-b -q sums sums%d.gmon' % i)
    names = ['main'] + ['c%d' % i for i in range(9)] + ['hub', 'leaf']
    p = Program(names)
    t.put('hub', p)
    arcs = [('main', 'c%d' % i, i + 1) for i in range(9)]
    arcs += [('c%d' % i, 'hub', i) for i in range(9)]
    t.put('hub.gmon', p.profile({'hub': 37, 'leaf': 11},
                                arcs + [('hub', 'leaf', 3), ('c4', 'leaf', 1)]))
    for words in ('', '-T', '-qc3', '-N c3', '-F c4', '-E c5 -E c6', '-e hub', '-Qleaf', '-z'):
        t.case('hub' + words.replace(' ', ''), '-b -q %s hub hub.gmon' % words)


def shapes(t):
    p = Program(['f%02d' % i for i in range(24)], step=32)
    t.put('row', p)
    forms = {
        'chain': [('f%02d' % i, 'f%02d' % (i + 1), i + 1) for i in range(23)],
        'chain-back': [('f%02d' % (i + 1), 'f%02d' % i, i + 1) for i in range(23)],
        'fan': [('f00', 'f%02d' % i, 24 - i) for i in range(1, 24)],
        'join': [('f%02d' % i, 'f23', i) for i in range(23)],
        'tree': [('f%02d' % ((i - 1) // 2), 'f%02d' % i, i) for i in range(1, 24)],
        'pairs': [('f%02d' % i, 'f%02d' % (i ^ 1), i + 1) for i in range(24)],
        'again': [('f00', 'f01', 1), ('f00', 'f02', 5), ('f00', 'f01', 9), ('f02', 'f01', 2),
                  ('f00', 'f02', 1), ('f01+8', 'f03', 1), ('f01+16', 'f03+4', 1),
                  ('f02', 'f03', 2)],
    }
    for name, arcs in forms.items():
        t.put('row-%s.gmon' % name, p.profile({n: 1 + i % 3 for i, n in enumerate(p.names[:-1])},
                                              arcs))
        t.case('row-' + name, '-b -q row row-%s.gmon' % name)
    t.case('row-again-C', '-b -C row row-again.gmon')
    t.case('row-tree-flat', '-b -p row row-tree.gmon')


def excluded(t):
    """The names of the profiling routines themselves are left out everywhere."""
    names = ['main', 'mcount', '_mcount', '__mcount', '_gprof_mcount', '__mcount_internal',
             '__mcleanup', '___mcount', 'mcount_', '__fentry__', '<locore>']
    p = Program(names)
    t.put('mcount', p)
    t.put('mcount.gmon', p.profile({n: i + 1 for i, n in enumerate(names)},
                                   [('main', n, 3) for n in names[1:]]
                                   + [('_mcount', 'mcount_', 2)]))
    for words in ('', '-T', '-z', '-pmcount', '-qmcount', '-nmcount', '-F mcount', '-C',
                  '-p_mcount -q', '-pmcount -qmcount -nmcount'):
        t.case('mcount' + words.replace(' ', ''), '-b %s mcount mcount.gmon' % words)

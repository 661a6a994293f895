# SPDX-License-Identifier: Apache-2.0
"""Orders of functions (-r) and of files (-R)."""
from lcg import Random
from profiled import Program
from suite.table import EXACT, fixed, unsteady

SEEDS = range(1, 25)
COUNTS = (0, 1, 1, 2, 3, 3, 10, 77, 1000, 4294967295)
PAIRS = 'arcs that options name are no arcs of the program; gprof lists their functions again'
LOST = 'gprof leaves out a function that many others call'
AGAIN = 'gprof lists functions again that nobody called'


def graph(seed, sizes):
    r = Random(7000 + seed)
    many = r.pick(sizes)
    names = ['f%d' % i for i in range(many)]
    hubs = r.sample(range(many), min(many, 3))
    arcs = []
    for _ in range(many * r.pick((1, 2, 3))):
        callee = r.pick(hubs) if r.chance(35) else r.below(many)
        arcs.append((names[r.below(many)], names[callee], r.pick(COUNTS)))
    p = Program(names)
    return p, p.profile({n: r.below(5) for n in names if r.chance(50)} or {names[0]: 1}, arcs)


def define(t):
    for seed in SEEDS:
        p, profile = graph(seed, (2, 4, 6, 8, 12, 20, 40, 79))
        name = 'graph%02d' % seed
        t.put(name, p)
        t.put(name + '.gmon', profile)
        words = '-r -q' if len(p.names) < 10 else ('-r', '-p -r', '-r -C')[seed % 3]
        t.case(name, '-b %s %s %s.gmon' % (words, name, name))
    shapes(t)
    options(t)
    many(t)
    maps(t)


def shapes(t):
    names = ['a', 'b', 'c', 'd', 'e', 'g', 'h']
    p = Program(names)
    for name, arcs in (
            ('chain', [(x, y, 10) for x, y in zip(names, names[1:])]),
            ('star', [('a', x, 5) for x in names[1:]]),
            ('hub', [(x, 'a', 5) for x in names[1:]]),
            ('ring', [(x, y, 3) for x, y in zip(names, names[1:] + names[:1])]),
            ('ties', [('a', 'b', 7), ('b', 'c', 7), ('d', 'b', 7), ('b', 'e', 7), ('c', 'g', 7)]),
            ('rare', [('a', 'b', 100000), ('c', 'd', 3), ('d', 'e', 1)]),
            ('zero', [('a', 'b', 0), ('b', 'c', 0), ('c', 'd', 1)]),
            ('own', [('a', 'a', 9), ('b', 'b', 9), ('b', 'a', 1)]),
            ('both', [('a', 'b', 5), ('b', 'a', 6), ('c', 'a', 6)])):
        t.put(name + '.gmon', p.profile({'a': 1}, arcs))
        t.case('shape-' + name, '-b -r shapes %s.gmon' % name)
    t.put('shapes', p)
    t.put('samples.gmon', p.profile({'c': 3}))
    t.put('arcs.gmon', p.profile(None, [('a', 'c', 4), ('a', 'd', 9)]))
    t.case('no-arcs', '-b -r shapes samples.gmon', 'then all functions by address')
    t.case('no-samples', '-b -r shapes arcs.gmon')
    t.case('no-samples-flat', '-b -r -p shapes arcs.gmon')
    c = Program(['_Z3fooi', '_ZN2ns3Cls6methodEv', '~local'])
    t.put('mangled', c)
    t.put('mangled.gmon', c.profile({'local': 2}, [('_Z3fooi', 'local', 3)]))
    t.case('mangled', '-b -r mangled mangled.gmon', 'names are never demangled')


def options(t):
    p = Program(['main', 'foo', 'bar', 'baz', '~quux'])
    t.put('prog', p)
    t.put('gmon', p.profile({'foo': 3, 'bar': 1}, [
        ('main', 'foo', 10), ('main', 'bar', 2), ('foo', 'bar', 5), ('bar', 'baz', 8),
        ('baz', 'foo', 1), ('quux', 'baz', 30), ('foo', 'quux', 3)]))
    for words in ('-r', '--function-ordering', '-r -p', '-p -r -q -C', '-r -i', '-ar', '-r -D', '-r -P',
                  '-r -Q', '-Z -r', '-r -T', '-r -p -T -q', '-r --no-demangle -L', '-r -pfoo',
                  '-r -Efoo', '-r -Fbar -q', '-r -nfoo -q', '-r -qfoo', '-r -Qfoo', '-rz', '-r -knone'):
        t.case(words.replace(' ', ''), '-b %s prog gmon' % words)
    for words in ('-kmain/foo', '-kbaz/main', '-qfoo/bar -p', '-Q/bar -p', '-kquux/ -kfoo/'):
        t.case(words.replace(' ', '') + '-r', '-b -r %s prog gmon' % words, PAIRS, fixed(PAIRS))
    t.case('k-no-function', '-b -r -knone/foo prog gmon')
    t.case('r-R', '-r -R map prog gmon')


def many(t):
    for seed, status in ((1, fixed(AGAIN)), (2, EXACT), (4, fixed(AGAIN)), (5, EXACT),
                         (7, fixed(AGAIN)), (12, EXACT), (53, fixed(AGAIN))):
        p, profile = graph(100 + seed, (81, 120, 200, 320))
        name = 'many%d' % seed
        t.put(name, p)
        t.put(name + '.gmon', profile)
        t.case(name, '-b -r %s %s.gmon' % (name, name), status[1], status)
    names = ['f%d' % i for i in range(100)]
    p = Program(names)
    t.put('popular', p)
    once = [(caller, callee, 1) for caller, callee in zip(names, names[1:])]
    t.put('popular.gmon', p.profile({'f0': 1}, once + [('f%d' % (9 * i), 'f99', 1000)
                                                       for i in range(1, 8)]))
    t.case('popular', '-b -r popular popular.gmon', LOST, fixed(LOST))


def maps(t):
    names = ['main', 'foo', 'bar', 'baz', 'aux', 'last']
    p = Program(names)
    t.put('files', p)
    t.put('files.gmon', p.profile({'foo': 3, 'bar': 1, 'aux': 2}, [
        ('main', 'foo', 10), ('foo', 'bar', 5), ('bar', 'baz', 8), ('baz', 'main', 90),
        ('aux', 'last', 7), ('last', 'main', 1), ('aux', 'bar', 1000)]))

    def mapped(name, rows, words='-R', status=None, remark=''):
        t.put(name + '.map', ''.join('%s:%016x T %s\n' % (file, 0, f) for file, f in rows))
        how = {'status': status} if status else {}
        t.case('R-' + name, '-b %s %s.map files files.gmon' % (words, name), remark, **how)

    each = [(f[0] + f[1] + '.o', f) for f in names]
    mapped('some', [('x.o', 'main'), ('x.o', 'foo'), ('y.o', 'bar')])
    mapped('each', each)
    mapped('reversed', each[::-1])
    mapped('pairs', [('p.o', 'main'), ('p.o', 'foo'), ('q.o', 'bar'), ('q.o', 'baz')], '-q -R')
    mapped('absent', [('z.o', 'nosuch'), ('b.o', 'nosuch2'), ('m.o', 'main'), ('a.o', 'nosuch3')])
    mapped('nothing', [('z.o', 'nosuch'), ('b.o', 'nosuch2')])
    mapped('twice', [('x.o', 'main'), ('y.o', 'foo'), ('x.o', 'bar')], remark='a file in two places')
    mapped('all-tables', each, '-p -q -C -R')
    mapped('static', each, '-a -R')
    why = 'which functions after the fourth stand for a file, gprof learns from memory never written'
    mapped('one', [('one.o', f) for f in names], status=unsteady(why), remark=why)
    t.put('map', 'x.o:0 T main\n')
    for words in ('--file-ordering=map', '-R map -P', '-R map -Q', '-R map -i', '-Rmap -T -q',
                  '-R map -kmain/ -pmain'):
        t.case('R-' + words.replace(' ', ''), '-b %s files files.gmon' % words)
    t.put('syms', '%x T main\n%x t foo\n%x T end\n' % (p.base, p.base + 256, p.end))
    t.case('R-S', '-b -R map -S syms -p files files.gmon', 'a list is taken literally')

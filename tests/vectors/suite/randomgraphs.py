# SPDX-License-Identifier: Apache-2.0
"""Seeded random call graphs: with random options, and such in which the order of sums shows."""
from lcg import Random
from profiled import Program

SEEDS = range(1, 151)
LAYERED = (2, 3, 20, 32, 151, 182, 190, 249, 259, 270, 321, 330)
COUNTS = (0, 1, 1, 1, 2, 3, 10, 1000, 4294967295)


def graph(seed):
    """(program, profile, option words, names) of one seed."""
    r = Random(seed)
    many = r.pick((3, 4, 5, 5, 6, 6, 8, 8))
    names = [('~' if r.chance(15) else '') + r.pick(('f', 'g', '_x', 'Zed', 'aa_', '__y'))
             + '%d_%d' % (r.below(50), i) for i in range(many)]
    if r.chance(75):
        names[r.below(many)] = 'main'
    p = Program(names)
    bare = p.names[:-1]
    ticks = {n: r.pick((0, 1, 1, 2, 5, 100, r.below(1000))) for n in bare if r.chance(60)}
    forward, arcs = r.chance(33), []
    for _ in range(many * r.pick((1, 2, 3))):
        a, b = r.below(many), r.below(many)
        a, b = (min(a, b), max(a, b)) if forward else (a, b)
        arcs.append((bare[a], bare[b], r.pick(COUNTS)))
    profile = p.profile(ticks, arcs, r.pick((100, 100, 1, 1000)))
    return p, profile, options(r, bare), bare


def options(r, names):
    words = []
    for option, percent in (('-z', 30), ('-T', 25), ('-a', 8), ('-w50', 5)):
        if r.chance(percent):
            words.append(option)
    for option in ('-p', '-P', '-q', '-Q'):
        if r.chance(8):
            words.append(option + r.pick(names))
    for option in ('-n', '-N', '-e', '-E', '-f', '-F'):
        if r.chance(8):
            words.append('%s %s' % (option, r.pick(names)))
    for option in ('-k ', '-q', '-Q'):
        if r.chance(8):
            words.append('%s%s/%s' % (option, r.pick(names + ['']), r.pick(names + [''])))
    words.append(r.pick(('-p -q', '-p -q', '-q', '-p', '-q -C', '-B')))
    return words


def layered(seed):
    """Layers of functions that call each other evenly, so that many times are all but equal.

    Which of them comes first then depends on the order and grouping of the additions. The seeds
    below were picked because some other order or grouping gives another listing.
    """
    r = Random(90000 + seed)
    sizes = [r.between(2, 4) for _ in range(r.between(2, 3))]
    rows = [['n%d%d' % (i, j) for j in range(size)] for i, size in enumerate(sizes)]
    names = ['main'] + sum(rows, []) + ['rest']
    p = Program(names)
    arcs = [('main', n, r.pick((1, 1, 2, 3))) for n in rows[0]]
    for upper, lower in zip(rows, rows[1:]):
        counts = [r.between(1, 7) for _ in lower]
        for caller in r.sample(upper, len(upper)):
            arcs += [(caller, n, c) for n, c in r.sample(zip(lower, counts), len(lower))]
        if r.chance(70):
            arcs += [('rest', n, r.between(1, 9)) for n in lower]
    ticks = {n: r.between(1, 3) for n in names if r.chance(70)}
    ticks.setdefault('main', 1)
    words = []
    if r.chance(60):
        words.append(r.pick(('-N', '-n', '-E')) + r.pick(rows[0] + ['rest', 'main']))
    if r.chance(30):
        words.append('-N' + r.pick(rows[-1]))
    return p, p.profile(ticks, arcs), words


def define(t):
    for seed in LAYERED:
        program, profile, words = layered(seed)
        name = 'layers%d' % seed
        t.put(name, program)
        t.put(name + '.gmon', profile)
        t.case(name, '-b -q %s %s %s.gmon' % (' '.join(words), name, name))
    for seed in SEEDS:
        program, profile, words, _ = graph(seed)
        name = 'rnd%03d' % seed
        t.put(name, program)
        t.put(name + '.gmon', profile)
        t.case(name, '-b %s %s %s.gmon' % (' '.join(words), name, name))

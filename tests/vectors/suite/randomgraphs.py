# SPDX-License-Identifier: Apache-2.0
"""Seeded random call graphs with random options."""
from lcg import Random
from profiled import Program

SEEDS = range(1, 161)
COUNTS = (0, 1, 1, 1, 2, 3, 10, 1000, 4294967295)


def graph(seed):
    """(program, profile, option words, names) of one seed."""
    r = Random(seed)
    many = r.pick((3, 4, 5, 5, 6, 6, 8, 12))
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


def define(t):
    for seed in SEEDS:
        program, profile, words, _ = graph(seed)
        name = 'rnd%03d' % seed
        t.put(name, program)
        t.put(name + '.gmon', profile)
        t.case(name, '-b %s %s %s.gmon' % (' '.join(words), name, name))

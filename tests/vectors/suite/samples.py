# SPDX-License-Identifier: Apache-2.0
"""Histograms: how bins of any width are shared out among functions."""
from elfimage import Image
from gmonfile import Profile
from lcg import Random
from profiled import Program
from suite.table import unsteady

T = 0x401000


def image(starts, end):
    made = Image().section('.text', T, b'\x90' * (end + 16 - T))
    for i, at in enumerate(starts):
        made.symbol('f%02d' % i, at)
    return made.symbol('zz_end', end + 2)


def define(t):
    t.put('even', image([T + 16 * i for i in range(6)], T + 96))
    widths(t)
    places(t)
    random_bins(t)
    last_symbol(t)


def widths(t):
    for name, high, bins in (('bytes', 0x20, [1] * 32), ('bytes-uneven', 0x20, list(range(32))),
                             ('half', 0x20, [1] * 64), ('two', 0x60, [1] * 48),
                             ('three', 0x60, [1] * 32), ('odd-range', 0x61, [2] * 7),
                             ('odd-range-2', 0x5f, [3] * 5), ('seven', 0x54, [1] * 12),
                             ('one-bin', 0x60, [9]), ('uneven', 0x60, [1, 0, 65535, 3, 4]),
                             ('thirteen', 0x5f, list(range(13))), ('wide', 0x60, [5, 7]),
                             ('libc-like', 0x5c, list(range(24)))):
        t.put(name + '.gmon', Profile().histogram(T, T + high, bins)
              .arc(T + 4, T + 16, 3).arc(T + 20, T + 32, 5))
        t.case(name, '-b even %s.gmon' % name)
        t.case(name + '-T', '-b -T even %s.gmon' % name)


def places(t):
    """Ranges that begin or end outside the functions."""
    for name, low, high, count in (('below', T - 64, T + 32, 12), ('odd-low', T + 1, T + 65, 8),
                                   ('far-below', T - 0x1000, T - 0x800, 16),
                                   ('zero', 0, T + 96, 64),
                                   ('odd-both', T + 1, T + 64, 9), ('middle', T + 24, T + 56, 4)):
        t.put('at-%s.gmon' % name, Profile().histogram(low, high, [i + 1 for i in range(count)]))
        t.case('at-' + name, '-b -p even at-%s.gmon' % name)
    t.put('at-above.gmon', Profile().histogram(T + 32, T + 96, [1, 2, 3, 4])
          .histogram(T - 32, T + 32, [4, 3, 2, 1]))
    t.case('two-ranges', '-b -p even at-above.gmon', 'the lower range second')
    t.put('ranges.gmon', Profile().histogram(T, T + 24, [1, 2, 3, 4, 5])
          .histogram(T + 48, T + 72, [6, 7, 8, 9, 10]).histogram(T + 24, T + 48, [3] * 5)
          .histogram(T, T + 24, [100, 0, 0, 0, 1]))
    t.case('three-ranges', '-b -p even ranges.gmon', 'a gap, an addition, a fractional scale')
    t.case('three-ranges-flat-filter', '-b -pf01 -pf03 even ranges.gmon')
    t.case('three-ranges-flat-exclude', '-b -Pf01 even ranges.gmon')


def random_bins(t):
    for seed in range(1, 31):
        r = Random(2000 + seed)
        starts = sorted({T + r.below(300) for _ in range(r.between(2, 14))})
        end = T + 304
        name = 'bins%02d' % seed
        t.put(name, image(starts, end))
        p, low = Profile(), T - r.below(20)
        count = r.between(1, 40)
        room = end - low
        width = r.pick((1, 2, 3, 4, 5, 7, 8, 16, 33))
        high = min(low + count * width + r.below(3), low + room)
        p.histogram(low, high, [r.pick((0, 1, 2, 3, 65535)) for _ in range(count)],
                    r.pick((100, 1000, 1, 3)))
        if r.chance(50):
            p.histogram(low, high, [r.below(5) for _ in range(count)])
        for _ in range(r.below(6)):
            p.arc(r.pick(starts), r.pick(starts), r.below(100))
        t.put(name + '.gmon', p)
        t.case(name, '-b %s %s %s.gmon' % (r.pick(('', '-p', '-p -z', '-T')), name, name))


def last_symbol(t):
    reason = 'GNU gprof takes the end of the last function from memory behind its table'
    t.put('last', Program(['main', 'a', 'last'], mark=False))
    p = Program(['main', 'a', 'last'], mark=False)
    t.put('last.gmon', p.profile({'a': 3, 'last': 7}, [('main', 'a', 1), ('main', 'last', 2)]))
    t.case('last-symbol', '-b last last.gmon', 'in the total, but credited to nobody',
           unsteady(reason))
    t.put('single', Program(['main'], mark=False))
    t.put('single.gmon', Program(['main'], mark=False).profile({'main': 7}))
    t.case('only-symbol', '-b -p -z single single.gmon', '', unsteady(reason))

# SPDX-License-Identifier: Apache-2.0
"""Which symbols exist, which of several at one address is kept, and where arcs to them go."""
from elfimage import (ABS, ALLOC, COMMON, FILE, FUNC, GLOBAL, IFUNC, LOCAL, NOTYPE, OBJECT,
                      SECTION, TLS, UNIQUE, WEAK, WRITE, Image)
from gmonfile import Profile
from lcg import Random

T = 0x401000
BINDS = ((LOCAL, 'l'), (GLOBAL, 'g'), (WEAK, 'w'), (UNIQUE, 'u'))
KINDS = ((FUNC, 'func'), (NOTYPE, 'none'), (OBJECT, 'object'), (IFUNC, 'ifunc'), (TLS, 'tls'),
         (SECTION, 'section'), (FILE, 'file'), (13, 'thirteen'))


def text(slots):
    return Image().section('.text', T, b'\x90' * 16 * slots)


def ramp(slots):
    """One sample more in every slot, none in the last two, and one arc into each."""
    p = Profile().histogram(T, T + 16 * (slots - 1), list(range(1, slots - 1)) + [0])
    for i in range(slots):
        p.arc(T + 4, T + 16 * i + 4, i + 1)
    return p


def define(t):
    classes(t)
    names(t)
    overrun(t)
    aliases(t)
    random_aliases(t)
    untyped(t)
    statics(t)


def classes(t):
    rows = [('%s_%s' % (b, k), bind, kind) for bind, b in BINDS for kind, k in KINDS]
    image = text(len(rows) + 2).section('.data', T + 0x10000, bytes(256), ALLOC | WRITE)
    image.symbol('a_first', T, 16)
    for i, (name, bind, kind) in enumerate(rows):
        image.symbol(name, T + 16 * (i + 1), 16, bind, kind)
        image.symbol('d_' + name, T + 0x10000 + 4 * i, 4, bind, kind, '.data')
    image.symbol('absolute', T + 8, 0, GLOBAL, FUNC, ABS).symbol('w_absolute', T + 9, 0, WEAK, FUNC,
                                                                 ABS)
    image.symbol('undefined', T + 10, 0, GLOBAL, FUNC, 0).symbol('w_undefined', T + 11, 0, WEAK,
                                                                 FUNC, 0)
    image.symbol('common', 16, 4, GLOBAL, OBJECT, COMMON).symbol('w_common', 16, 4, WEAK, FUNC,
                                                                 COMMON)
    image.symbol('g_processor', T + 12, 4, GLOBAL, FUNC, 0xff20)
    image.symbol('zz_end', T + 0x20000, 0, WEAK, NOTYPE, '.data')
    t.put('classes', image)
    t.put('classes.gmon', ramp(len(rows) + 2))
    t.case('classes', '-b -p -z classes classes.gmon', 'binding, type and section')
    t.case('classes-graph', '-b -q classes classes.gmon')
    t.case('classes-a', '-b -z -a classes classes.gmon')
    t.case('classes-D', '-b -z -D classes classes.gmon')
    t.case('classes-aD', '-b -p -z -a -D classes classes.gmon')
    image = text(4).symbol('main', T, 0, other=2).symbol('hidden', T + 16, 1 << 40, other=1)
    image.symbol('internal', T + 32, 3, other=3).symbol('zz_end', T + 48)
    t.put('sizes', image)
    t.put('sizes.gmon', ramp(4))
    t.case('sizes', '-b sizes sizes.gmon', 'size and visibility are not looked at')


def names(t):
    local = ['a.b', 'a.cold', 'a.part.0', 'a.isra.0', 'a$b', '$x', '$d.1', 'a..1', 'a.1x',
             'a.llvm.12', 'a.lto_priv.0', '__gnu_compiled_c', '___gnu_compiled_x', '.L12', '.Lfoo',
             'a.clone.', 'a.constprop.', 'a.clone.x', 'a.clonex.1', 'a.1.b', 'a.1.2.3x', '$', '.',
             '..', 'a.b.1', '', 'a.constprop.0.isra.0', 'a.isra.0.constprop.0', '_gnu_compiled_c',
             '__gnu_compile', 'a b', 'a.7', 'a.12.34', '.5', 'a.', 'a.clone.0', 'a.constprop.0',
             'a.clone.0.constprop.1', 'a.1.2.', 'a.constprop.1.2', '\xe9t\xe9', 'a-b', 'a@plt',
             'a.0.clone.3', '1', '.0.1', 'a.clone.clone.1', '__gnu_compiledx', 'gcc2_compiled.']
    image = text(2 * len(local) + 2).symbol('a_first', T, 16)
    for i, name in enumerate(local):
        image.symbol(name, T + 32 * i + 16, 16, LOCAL)
        image.symbol('ok%d' % i, T + 32 * i + 32, 16, LOCAL)         # a harmless name follows
    image.symbol('zz_end', T + 32 * len(local) + 16)
    t.put('names', image)
    t.put('names.gmon', ramp(2 * len(local) + 2))
    t.case('local', '-b -p -z names names.gmon', 'local names with dots and dollars')
    others = ['G.b', 'G$b', 'G.cold', '$G', '.G', '', '__gnu_compiled_c', 'G.isra.0', 'G@@V1',
              '.LG']
    image = text(2 * len(others) + 2).symbol('a_first', T, 16)
    for i, name in enumerate(others):
        image.symbol(name, T + 32 * i + 16, 16, GLOBAL)
        image.symbol('w' + name, T + 32 * i + 32, 16, WEAK)
    image.symbol('zz_end', T + 32 * len(others) + 16)
    t.put('gnames', image)
    t.put('gnames.gmon', ramp(2 * len(others) + 2))
    t.case('global', '-b -p -z gnames gnames.gmon', 'names of global symbols are all taken')


def overrun(t):
    """A name that ends inside a suffix group is read on into the next string."""
    followers = ('z.part', 'zpart', '.5', '5', '5x', 'z$', '.part', '.1', '1.2', '', '.clone.0',
                 'x', '_', '.', 'q.constprop.0')
    t.put('overrun.gmon', Profile().histogram(T, T + 64, [1, 2, 3, 4]).arc(T + 4, T + 36, 5))
    for i, name in enumerate(('f.constprop.0', 'f.1', 'f.', 'f.clone.7')):
        for j, follower in enumerate(followers):
            image = text(5).symbol(name, T + 16, 16, LOCAL).symbol(follower, T + 32, 16, LOCAL)
            image.symbol('next', T + 48, 16, LOCAL).symbol('a_first', T).symbol('zz_end', T + 66)
            label = 'overrun%d-%d' % (i, j)
            t.put(label, image)
            t.case(label, '-b -p -z %s overrun.gmon' % label, '%s before %s' % (name, follower))
    # The chain of names goes on as long as each ends inside a group.
    image = text(6)
    for i, name in enumerate(('a.1', 'b.2', 'c.3', 'd.x')):
        image.symbol(name, T + 16 * i + 16, 16, LOCAL)
    image.symbol('a_first', T).symbol('zz_end', T + 80)
    t.put('overrun-chain', image)
    t.put('overrun-chain.gmon', ramp(6))
    t.case('overrun-chain', '-b -p -z overrun-chain overrun-chain.gmon')
    image = text(4).symbol('b.1', T + 16, 16, LOCAL).symbol('2', T + 32, 16, LOCAL)
    image.symbol('.3', T, 16).symbol('4', T + 48, 0, GLOBAL)
    t.put('overrun-end', image)
    t.put('overrun-end.gmon', ramp(4))
    t.case('overrun-end', '-b -p -z overrun-end overrun-end.gmon',
           'digits up to the end of the string table')
    image = text(4).symbol('a_first', T).symbol('zz_end', T + 48).symbol('next', T + 32)
    image.symbol('b.1', T + 16, 16, LOCAL)
    t.put('overrun-global', image)
    t.case('overrun-global', '-b -p -z overrun-global overrun-end.gmon', 'a global name follows')


def aliases(t):
    f, n = FUNC, NOTYPE
    groups = ((('s', LOCAL, f), ('_g', GLOBAL, f)), (('s', LOCAL, f), ('g', GLOBAL, n)),
              (('_g', GLOBAL, f), ('g', GLOBAL, f)), (('__g', GLOBAL, f), ('_g', GLOBAL, f)),
              (('g1', GLOBAL, f), ('g2', GLOBAL, f)), (('g', GLOBAL, n), ('_g', GLOBAL, f)),
              (('w', WEAK, f), ('g', GLOBAL, f)), (('s', LOCAL, n), ('_s', LOCAL, f)),
              (('___g', GLOBAL, f), ('__g', GLOBAL, f)), (('s', LOCAL, f), ('__w', WEAK, f)),
              (('_s', LOCAL, f), ('s', LOCAL, f), ('t', LOCAL, f)),
              (('g', GLOBAL, n), ('w', WEAK, n)), (('g', GLOBAL, 1), ('_g', GLOBAL, f)),
              (('', GLOBAL, f), ('_g', GLOBAL, f)),
              (('_', GLOBAL, f), ('__', GLOBAL, f), ('g', GLOBAL, n)))
    t.put('alias.gmon', Profile().histogram(T, T + 64, [1, 2, 3, 4]).arc(T + 4, T + 20, 6))
    for i, group in enumerate(groups):
        image = text(4).symbol('_start', T)
        for name, bind, kind in group:
            image.symbol(name, T + 16, 16, bind, kind)
        t.put('alias%d' % i, image.symbol('next', T + 32).symbol('zz_end', T + 66))
        t.case('alias%d' % i, '-b -z alias%d alias.gmon' % i, ' '.join(n for n, _, _ in group))
        t.case('alias%d-a' % i, '-b -p -z -a alias%d alias.gmon' % i)
        t.case('alias%d-D' % i, '-b -p -z -D alias%d alias.gmon' % i)


def random_aliases(t):
    for seed in range(1, 13):
        r = Random(1000 + seed)
        image = text(9)
        for k in range(r.between(4, 30)):
            name = r.pick(('', '_', '__', '___')) + r.pick('abcdef') + str(k)
            image.symbol(name, T + 16 * r.below(8) + r.pick((0, 0, 0, 1, 8)), 0,
                         r.pick((LOCAL, GLOBAL, WEAK)), r.pick((FUNC, NOTYPE, FUNC, OBJECT)))
        t.put('aliases%02d' % seed, image.symbol('zz_end', T + 130))
        p = Profile().histogram(T, T + 128, [r.below(20) for _ in range(16)])
        for _ in range(12):
            p.arc(T + r.below(130), T + r.below(130), r.below(9))
        t.put('aliases%02d.gmon' % seed, p)
        t.case('aliases%02d' % seed, '-b -z %s aliases%02d aliases%02d.gmon'
               % (r.pick(('', '', '-a', '-D', '-a -D')), seed, seed))


def untyped(t):
    """Calls of symbols without a function type go to the function before them."""
    t.put('untyped.gmon', ramp(7))
    for name, plain in (('one', {2}), ('first', {0}), ('two', {2, 3}), ('leading', {0, 1}),
                        ('all', set(range(7))), ('last', {5, 6})):
        for kind, word in ((NOTYPE, 'notype'), (OBJECT, 'object')):
            image = text(7)
            for i in range(7):
                image.symbol('f%d' % i, T + 16 * i, 16, GLOBAL, kind if i in plain else FUNC)
            t.put('untyped-%s-%s' % (name, word), image)
            t.case('untyped-%s-%s' % (name, word), '-b untyped-%s-%s untyped.gmon' % (name, word))
    t.case('untyped-all-graph', '-b -q untyped-all-notype untyped.gmon')
    p = Profile()
    for caller, callee in ((0, 2), (1, 2), (2, 2), (2, 1), (3, 2), (2, 3)):
        p.arc(T + 16 * caller + 4, T + 16 * callee, 1 + caller + callee)
    t.put('untyped-arcs.gmon', p.histogram(T, T + 96, [1] * 6))
    t.case('untyped-recursion', '-b untyped-one-notype untyped-arcs.gmon',
           'a call to the function itself, by accident')


def statics(t):
    image = text(7)
    for i, (name, bind, kind) in enumerate((('~', LOCAL, FUNC), ('main', GLOBAL, FUNC),
                                            ('helper', LOCAL, FUNC), ('label', LOCAL, NOTYPE),
                                            ('work', GLOBAL, FUNC), ('tail', LOCAL, FUNC),
                                            ('zz_end', GLOBAL, FUNC))):
        image.symbol(name, T + 16 * i, 16, bind, kind)
    t.put('statics', image)
    p = ramp(7)
    for caller in range(7):
        p.arc(T + 16 * caller + 4, T + 16 * ((caller * 3 + 2) % 6), caller + 1)
    t.put('statics.gmon', p)
    for words in ('', '-a', '-D', '-a -D', '-a -z', '-D -T', '--no-static -q',
                  '--ignore-non-functions -q'):
        t.case('statics' + ''.join(words.split()), '-b %s statics statics.gmon' % words)
    # Addresses where a lookup can go wrong.
    image = text(4).symbol('main', T + 1, 16).symbol('odd', T + 17).symbol('even', T + 32)
    image.symbol('zz_end', T + 50)
    t.put('odd-starts', image)
    t.put('odd-starts.gmon', Profile().histogram(T, T + 48, [1, 2, 3, 4, 5, 6] * 4)
          .arc(T, T + 1, 1).arc(T + 1, T + 17, 2).arc(T + 16, T + 17, 4).arc(T + 17, T + 31, 8)
          .arc(T + 31, T + 32, 16).arc(T + 2, T + 47, 32).arc(T + 2, T + 48, 64)
          .arc(T + 2, T + 63, 128).arc(T + 2, T + 64, 256).arc(0, T + 17, 512)
          .arc((1 << 64) - 1, T + 17, 512).arc(T + 2, (1 << 64) - 1, 512))
    t.case('odd-starts', '-b -z odd-starts odd-starts.gmon', 'symbols at odd addresses')
    image = text(3).symbol('a', T).symbol('b', T + 1).symbol('c', T + 2).symbol('d', T + 3)
    image.symbol('zz_end', T + 32)
    t.put('neighbours', image)
    t.put('neighbours.gmon', Profile().histogram(T, T + 8, [1, 2, 4, 8, 16, 32, 64, 128])
          .arc(T, T + 1, 1).arc(T + 1, T + 2, 2).arc(T + 2, T + 3, 3).arc(T + 3, T, 4))
    t.case('neighbours', '-b -z neighbours neighbours.gmon', 'functions of one byte')

# SPDX-License-Identifier: Apache-2.0
"""The untagged BSD formats: layouts, how they are distinguished, cut files, what goes together."""
from gmonfile import Profile, bsd_profile
from suite.formats import BINS, HIGH, LOW, T, small, standard
from suite.table import fixed, unsteady

ARCS = [(T + 8, T + 16, 1), (T + 0x12, T + 32, 3), (T + 0x18, T + 48, 4), (T + 0x24, T + 48, 7)]
MACHINES = ('x86_64', 'i386', 'x32', 'ppc', 's390x')
RATES = {'old': None, 'new': 250}
HUGE = unsteady('GNU gprof clears gigabytes for bins that are not there, if it gets them')
LIKE_A_VERSION = fixed('bins that look like a version are taken for one')


def define(t):
    t.put('small', small())
    t.put('std.gmon', standard())
    layouts(t)
    versions(t)
    headers(t)
    truncations(t)
    merging(t)
    files(t)


def layouts(t):
    for machine in MACHINES:
        p = small(machine)
        t.put('small-' + machine, p)
        for name, rate in RATES.items():
            file = '%s-%s.bsd' % (name, machine)
            t.put(file, bsd_profile(LOW, HIGH, BINS, ARCS, p.image.bits, p.image.order, rate))
            for option in ('', '-Oauto ', '-Obsd ', '-O4.4bsd ', '-Omagic '):
                t.case('%s-%s%s' % (name, machine, option.strip()),
                       '-b %ssmall-%s %s' % (option, machine, file))
    t.put('old-high.bsd', bsd_profile(0x80001000, 0x80001060, BINS, [
        (0x80001008, 0x80001010, 1), (0x80001012, 0x80001020, 3)], 32, '>'))
    t.put('small-high', small('mips', 0x80001000))
    t.case('old-high', '-b small-high old-high.bsd', 'the sign of addresses is extended',
           every_machine=True)
    t.put('wide.bsd', bsd_profile(LOW, HIGH, BINS, [(T + 8, T + 16, (5 << 32) + 3),
                                                    (T + 0x12, T + 32, 1 << 63)]))
    t.case('wide', '-b small wide.bsd', 'counts of eight bytes')
    t.put('twice.bsd', bsd_profile(LOW, HIGH, BINS, ARCS + ARCS[:2]))
    t.case('twice', '-b small twice.bsd', 'an arc that repeats')
    t.case('old-T', '-b -T small old-x86_64.bsd')
    t.case('new-T', '-b -T small new-x86_64.bsd')
    t.case('old-C', '-b -C small old-x86_64.bsd')


def versions(t):
    """Old files whose first bins are 0x51879."""
    for name, bins, status in (
            ('even', [0x1879, 5] + BINS[2:] + [0] * 18, LIKE_A_VERSION),
            ('tie', [0x1879, 5] + BINS[2:] + [0] * 10, LIKE_A_VERSION),
            ('short', [0x1879, 5] + BINS[2:], unsteady(HUGE[1]))):
        t.put('like-%s.bsd' % name, bsd_profile(LOW, HIGH, bins, ARCS))
        t.case('like-' + name, '-b small like-%s.bsd' % name, '%d bins' % len(bins), status)
    t.case('like-even-forced', '-b -O4.4bsd small like-even.bsd', 'the version is insisted on')
    for name, spare in (('garbage', b'\xa5' * 12), ('counters', b'\x40' + bytes(11))):
        data = bytearray(bsd_profile(LOW, HIGH, BINS, ARCS, rate=250))
        data[28:40] = spare
        t.put(name + '.bsd', bytes(data))
        t.case(name, '-b small %s.bsd' % name, 'spare bytes mean nothing')
    t.put('other-order.bsd', bsd_profile(LOW, HIGH, BINS, ARCS, 64, '>', 250))
    t.case('other-order', '-b small other-order.bsd')
    t.put('version-only.bsd', bsd_profile(LOW, HIGH, BINS, ARCS, rate=250)
          .replace(b'\x79\x18\x05\0', b'\x7a\x18\x05\0'))
    t.case('other-version', '-b small version-only.bsd', 'an old header with more bins')


def headers(t):
    for name, low, high, size in (('inverted', HIGH, LOW, None), ('empty-range', LOW, LOW, None),
                                  ('odd-size', LOW, HIGH, 20 + 13),
                                  ('less-bins', LOW, HIGH, 20 + 8)):
        t.put(name + '.bsd', bsd_profile(low, high, BINS, ARCS, size=size))
        t.case(name, '-b small %s.bsd' % name)
        t.case(name + '-after', '-b small old-x86_64.bsd %s.bsd' % name)
        t.case(name + '-first', '-b small %s.bsd old-x86_64.bsd' % name)
    t.put('more-bins.bsd', bsd_profile(LOW, HIGH, BINS, ARCS, size=20 + 4000))
    t.case('more-bins', '-b small more-bins.bsd')
    t.case('more-bins-after', '-b small old-x86_64.bsd more-bins.bsd', 'told first: it differs')
    for size in (0, 19, 0x40000014, 0x80000014, 0xffffffff):
        t.put('size-%x.bsd' % size, bsd_profile(LOW, HIGH, BINS, ARCS, size=size))
        t.case('size-%x' % size, '-b small size-%x.bsd' % size, '', HUGE)
    for name, rate in RATES.items():
        t.put('no-bins-%s.bsd' % name, bsd_profile(LOW, HIGH, [], ARCS, rate=rate))
        t.case('no-bins-' + name, '-b small no-bins-%s.bsd' % name)
        t.put('no-arcs-%s.bsd' % name, bsd_profile(LOW, HIGH, BINS, [], rate=rate))
        t.case('no-arcs-' + name, '-b small no-arcs-%s.bsd' % name, 'still counts as having arcs')
        t.case('no-arcs-graph-' + name, '-b -q small no-arcs-%s.bsd' % name)
        t.put('nothing-%s.bsd' % name, bsd_profile(LOW, HIGH, [], [], rate=rate) + bytes(4))
        t.case('nothing-' + name, '-b small nothing-%s.bsd' % name)
    t.put('zeros', bytes(100))
    t.put('text', 'This is a text and no profile at all, and longer than any header.\n')
    t.put('foreign.gmon', Profile(magic=b'gmom').histogram(LOW, HIGH, BINS))
    for name in ('zeros', 'text', 'foreign.gmon'):
        t.case(name, '-b small ' + name, 'whatever has no tag is a BSD profile', HUGE)
        t.case(name + '-forced', '-b -O4.4bsd small ' + name)
    t.case('std-forced', '-b -Obsd small std.gmon', 'the tag is not looked for', HUGE)
    t.case('std-forced4', '-b -O4 small std.gmon')
    t.case('std-long', '-b --file-format=bsd small old-x86_64.bsd')
    t.case('missing-image', '-b -Obsd nosuch old-x86_64.bsd')


def truncations(t):
    for name, rate in RATES.items():
        whole = bsd_profile(LOW, HIGH, BINS, ARCS, rate=rate)
        for length in list(range(19, 46)) + [51, 52, 53, 55, 56, 57, 75, 76, 77, len(whole) - 1]:
            file = '%s-cut%d' % (name, length)
            t.put(file, whole[:length])
            t.case(file, '-b small ' + file)
        whole = bsd_profile(LOW, HIGH, BINS, ARCS, 32, '>', rate)
        for length in range(20, 46):
            file = '%s-ppc-cut%d' % (name, length)
            t.put(file, whole[:length])
            t.case(file, '-b -q small-ppc ' + file)
        t.case('%s-cut20-forced' % name, '-b -O4.4bsd small %s-cut20' % name)
        t.case('%s-cut24-forced' % name, '-b -O4.4bsd small %s-cut24' % name)


def merging(t):
    for name, rate in (('r0', 0), ('r100', 100)):
        t.put(name + '.bsd', bsd_profile(LOW, HIGH, BINS, ARCS, rate=rate))
    t.put('hist.gmon', Profile().histogram(LOW, HIGH, BINS))
    t.put('hist0.gmon', Profile().histogram(LOW, HIGH, BINS, rate=0).arc(T + 8, T + 16, 1))
    t.put('hist7.gmon', Profile().histogram(LOW, HIGH, BINS, rate=7))
    t.put('minutes.gmon', Profile().histogram(LOW, HIGH, BINS, unit=b'minutes', letter=b'm'))
    t.put('two.gmon', Profile().histogram(HIGH, HIGH + 0x60, BINS).histogram(LOW, HIGH, BINS))
    t.put('arcs.gmon', Profile().arc(T + 8, T + 16, 1))
    t.put('empty.gmon', Profile())
    t.put('blocks.gmon', Profile().blocks([(T + 32, 7)]))
    t.put('other.bsd', bsd_profile(LOW, HIGH + 16, BINS, ARCS))
    short = {'old': 'old-x86_64.bsd', 'new': 'new-x86_64.bsd'}
    for words in ('old old', 'new new', 'old new', 'new old', 'new old new', 'std old', 'std new',
                  'std r100', 'old std', 'new std', 'r100 std', 'hist old', 'hist r100', 'hist new',
                  'old hist', 'arcs old', 'arcs new', 'old arcs', 'empty old', 'empty new',
                  'blocks old', 'old blocks', 'hist0 old', 'hist0 r0', 'hist0 r100', 'old hist0',
                  'hist7 old', 'hist7 r100', 'new old hist7', 'minutes old', 'old minutes',
                  'minutes r100', 'two old', 'old two', 'old other', 'other old', 'other new',
                  'new other', 'r0', 'r0 r0', 'r0 old', 'old r0', 'r0 r100', 'r100 r0', 'new r0',
                  'arcs r0 r100', 'no-bins-old no-bins-old', 'no-bins-old old', 'old no-bins-old',
                  'no-bins-new old', 'old no-bins-new', 'no-bins-new new', 'hist no-bins-old',
                  'no-bins-old hist', 'no-bins-old arcs', 'arcs no-bins-old', 'r100 no-arcs-old'):
        names = [short.get(w) or (w + '.gmon' if w + '.gmon' in (
            'std.gmon', 'hist.gmon', 'hist0.gmon', 'hist7.gmon', 'minutes.gmon', 'two.gmon',
            'arcs.gmon', 'empty.gmon', 'blocks.gmon') else w + '.bsd') for w in words.split()]
        t.case('merge-' + words.replace(' ', '+'), '-b small ' + ' '.join(names))
    t.case('merge-short', '-b small old-x86_64.bsd old-cut29', 'bins that end early')
    t.case('merge-short-other', '-b small other.bsd old-cut29')


def files(t):
    t.case('stdin', '-b small -', 'a file as standard input', stdin='old-x86_64.bsd')
    t.case('stdin-new', '-b -O4.4bsd small -', stdin='new-x86_64.bsd')
    t.case('stdin-twice', '-b small - -', stdin='new-x86_64.bsd')

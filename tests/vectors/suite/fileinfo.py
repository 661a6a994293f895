# SPDX-License-Identifier: Apache-2.0
"""Lists of profile files (-i): numbers of records, versions, what else is printed, failures."""
from gmonfile import Profile, bsd_profile
from suite.bsd import ARCS
from suite.formats import BINS, HIGH, LOW, T, small, standard

FILES = {
    'std': standard(),
    'std0': standard(version=0),
    'empty': Profile(),
    'hist': Profile().histogram(LOW, HIGH, BINS),
    'nobins': Profile().histogram(LOW, LOW, []),
    'parts': Profile().histogram(LOW, T + 32, BINS[:2]).histogram(T + 32, HIGH, BINS[2:]),
    'again': Profile().histogram(LOW, HIGH, BINS).histogram(LOW, HIGH, BINS),
    'arc': Profile().arc(T + 8, T + 16, 1),
    'strange': Profile().arc(1, 2, 3).arc(T + 8, T + 16, 0).arc(T + 8, T + 16, 0),
    'blocks': Profile().blocks([(T, 3), (T + 16, 4)]),
    'lists': Profile().blocks([(T, 3)]).blocks([]).blocks([(T + 16, 4), (T + 32, 5)]),
    'blocks0': Profile(version=0).blocks_version_0(b'x', [(7, T + 32, b'a.c', b'foo', 5)]),
    'scale': Profile().histogram(LOW, HIGH, BINS * 2),
    'tag': standard().raw(b'\x07'),
    'cutarc': standard().cut(-1),
    'cutbins': Profile().histogram(LOW, HIGH, BINS).cut(-1),
    'version2': standard(version=2),
    'old': bsd_profile(LOW, HIGH, BINS, ARCS),
    'new': bsd_profile(LOW, HIGH, BINS, ARCS, rate=100),
    'oldnone': bsd_profile(LOW, HIGH, [], ARCS[:1]),
    'newnone': bsd_profile(LOW, HIGH, [], [], rate=100),
    'oldtail': bsd_profile(LOW, HIGH, BINS, ARCS, tail=b'1234567'),
    'oldcut': bsd_profile(LOW, HIGH, BINS, ARCS)[:29],
    'short': b'gmon',
}

SINGLE = ('empty std std0 hist nobins parts again arc strange blocks lists blocks0 tag cutarc cutbins '
          'version2 old new oldnone newnone oldtail oldcut short nosuch')

SEVERAL = ('std old', 'old std', 'std0 old', 'old std0 old std new', 'std blocks0 old', 'std arc hist',
           'blocks blocks', 'empty old new', 'oldnone std', 'std std std',
           # What was read before a failure stands there.
           'std scale', 'std old tag std', 'std nosuch', 'blocks nosuch', 'old cutarc', 'std version2',
           'std short', 'old oldcut', 'hist cutbins', 'std std0 nosuch std', 'tag std')

WORDS = ('-i', '-i -i', '-p -i', '-i -q', '-i -p -q', '-T -i -q -p', '-C -i', '-i -C -p', '-i -P',
         '-P -i', '-i -Q', '-i -P -Q', '-i -Z', '-pmain -i', '-i -qfoo', '-i -Pfoo', '-i -z',
         '-i -kmain/foo', '-i -a -D', '-i --no-demangle', '-i -w 30 -q', '-i -Omagic', '-i -Obsd',
         '-i -O4', '-i -Oprof', '-i -L -efoo')


def define(t):
    t.put('small', small())
    for name, data in FILES.items():
        t.put(name, data)
    for name in SINGLE.split():
        t.case(name, '-b -i small ' + name)
    for names in SEVERAL:
        t.case(names.replace(' ', '+'), '-b -i small ' + names)
        t.case(names.replace(' ', '+') + '-all', '-b -i -p -q small ' + names)
    for words in WORDS:
        for name in ('std', 'new'):
            if (words, name) not in (('-i -Obsd', 'std'),):     # bins that are not there
                t.case(words.replace(' ', '') + '-' + name, '-b %s small %s' % (words, name))
    # Checked only when everything has been read.
    t.case('no-arcs', '-b -i -q small hist')
    t.case('no-histogram', '-b -i -p small arc')
    t.case('no-histogram-flat-off', '-b -i -P small arc')
    t.case('long', '-b --file-info small std')
    t.case('shortened', '-b --file-i -p small std')
    t.case('shortest', '-b --file small std', 'three options begin so', whole=False)
    t.case('value', '-b --file-info=1 small std', whole=False)
    t.case('cluster', '-bip small std')
    t.case('no-image', '-i nosuch std')
    t.case('default', '-i small')
    t.case('stdin', '-i small -', stdin='std')
    t.case('stdin-and', '-i -p -b small std -', stdin='arc')
    t.case('stdin-old', '-i small -', stdin='old')
    t.case('stdin-twice', '-i small - -', stdin='std')
    for machine in ('i386', 'ppc', 's390x'):
        p = small(machine)
        t.put('small-' + machine, p)
        t.put('std-' + machine, standard(p.image.bits, p.image.order))
        t.put('new-' + machine, bsd_profile(LOW, HIGH, BINS, ARCS, p.image.bits, p.image.order, 250))
        t.case(machine, '-b -i small-%s std-%s' % (machine, machine))
        t.case(machine + '-new', '-b -i small-%s new-%s' % (machine, machine))
        t.case(machine + '-other', '-b -i small-%s std' % machine)

# SPDX-License-Identifier: Apache-2.0
"""Profile files: layout in every class and byte order, records, merging, damage."""
from gmonfile import Profile
from profiled import Program
from suite.table import fixed

T = 0x401000
LOW, HIGH, BINS = T, T + 0x60, [0, 0, 10, 5, 3, 1]


def small(machine='x86_64', base=T):
    """Seven functions of 16 bytes; the last one is a marker without samples."""
    p = Program(['_start', 'main', 'foo', '~bar', 'baz', 'qux'], machine, base, 16)
    return p


def standard(bits=64, order='<', base=T, **named):
    return (Profile(bits, order, **named).histogram(base, base + 0x60, BINS)
            .arc(base + 8, base + 16, 1).arc(base + 0x12, base + 32, 3)
            .arc(base + 0x18, base + 48, 4).arc(base + 0x24, base + 48, 7))


def define(t):
    layouts(t)
    headers(t)
    truncations(t)
    merging(t)
    dimensions(t)
    blocks(t)
    files(t)


def layouts(t):
    t.put('small', small())
    t.put('std.gmon', standard())
    t.case('le64', '-b small std.gmon', 'little-endian, 8-byte pointers')
    for machine, remark in (('i386', 'little-endian, 4-byte pointers'),
                            ('x32', '4-byte pointers from the class, not from the machine'),
                            ('ppc', 'big-endian, 4-byte pointers'),
                            ('s390x', 'big-endian, 8-byte pointers')):
        p = small(machine)
        t.put('small-' + machine, p)
        t.put('std-%s.gmon' % machine, standard(p.image.bits, p.image.order))
        t.case(machine, '-b small-%s std-%s.gmon' % (machine, machine), remark)
        t.case(machine + '-other', '-b small-%s std.gmon' % machine,
               'a profile of another class or byte order')
    for machine in ('mips', 'mipsel', 'mips64', 'arm', 'armeb', 'aarch64', 'aarch64eb', 'ppc64le',
                    'ppc64', 'sparc', 'sparc64', 'm68k', 'sh', 'hppa', 'alpha', 's390', 'riscv32',
                    'riscv64', 'loongarch64'):
        p = small(machine)
        t.put('small-' + machine, p)
        t.put('std-%s.gmon' % machine, standard(p.image.bits, p.image.order))
        t.case(machine, '-b small-%s std-%s.gmon' % (machine, machine), every_machine=True)
    # Addresses above 2 GiB: MIPS extends their sign to 64 bits, the others do not.
    for machine in ('mips', 'mipsel', 'i386', 'arm', 'sparc', 'ppc'):
        for where, base in (('high', 0x80001000), ('top', 0xfffff000)):
            p = small(machine, base)
            name = '%s-%s' % (machine, where)
            t.put('small-' + name, p)
            t.put('std-%s.gmon' % name, standard(32, p.image.order, base))
            t.case(name, '-b small-%s std-%s.gmon' % (name, name), '32-bit addresses above 2 GiB',
                   every_machine=True)
    p = small('mips', 0x7fffffc0)
    t.put('small-mips-across', p)
    t.put('std-mips-across.gmon', standard(32, '>', 0x7fffffc0))
    t.case('mips-across', '-b small-mips-across std-mips-across.gmon',
           'functions on both sides of 2 GiB', every_machine=True)
    top = 0xffffffffffff0000
    t.put('small-top64', small(base=top))
    t.put('std-top64.gmon', standard(base=top))
    t.case('top64', '-b small-top64 std-top64.gmon', 'addresses at the end of 64 bits')


def headers(t):
    t.put('empty.gmon', Profile())
    t.case('empty', '-b small empty.gmon', 'a header and no record')
    t.put('spare.gmon', standard(spare=b'\xff' * 12))
    t.case('spare', '-b small spare.gmon', 'the spare bytes are ignored')
    t.put('version0.gmon', standard(version=0))
    t.case('version0', '-b small version0.gmon')
    for name, version in (('2', 2), ('swapped', 0x01000000), ('shared-object', 0x1ffff),
                          ('negative', 0xffffffff), ('minimum', 0x80000000)):
        t.put('version-%s.gmon' % name, standard(version=version))
        t.case('version-' + name, '-b small version-%s.gmon' % name)
    t.put('zero', b'')
    t.case('zero', '-b small zero', 'no bytes at all')
    for length in (1, 3, 4, 7, 8, 19):
        t.put('short%d' % length, standard().cut(length))
        t.case('short%d' % length, '-b small short%d' % length)
    t.put('exact20', standard().cut(20))
    t.case('exact20', '-b small exact20')
    t.put('badmagic.gmon', standard(magic=b'gmom'))
    t.case('badmagic-magic', '-b -Omagic small badmagic.gmon')
    t.case('magic', '-b -Omagic small std.gmon')
    t.case('auto', '-b -Oauto small std.gmon')
    t.case('format-letter', '-b -Omx small std.gmon', 'only the first letter counts')
    t.case('format-long', '-b --file-format=auto small std.gmon')
    t.case('format-prof', '-b -Oprof small std.gmon')
    t.case('format-unknown', '-b -Oq small std.gmon', 'the message has its two names exchanged')
    t.case('format-empty', "-b -O '' small std.gmon")
    t.case('format-case', '-b -OMagic small std.gmon')
    for tag in (3, 7, 103, 127, 128, 255):
        t.put('tag%d.gmon' % tag, standard().raw(bytes([tag])))
        t.case('tag%d' % tag, '-b small tag%d.gmon' % tag)
    t.put('twice.gmon', standard().raw(standard().bytes()))
    t.case('concatenated', '-b small twice.gmon', 'files cannot be joined end to end')


def truncations(t):
    head = 20
    histogram = standard()
    for at in (1, 5, 9, 17, 21, 25, 40):
        t.put('cut-hist%d.gmon' % at, standard().cut(head + at))
        t.case('cut-hist%d' % at, '-b small cut-hist%d.gmon' % at, 'inside a histogram header')
    for at in (0, 1, 2, 3, 11):
        t.put('cut-bins%d.gmon' % at, standard().cut(head + 41 + at))
        t.case('cut-bins%d' % at, '-b small cut-bins%d.gmon' % at, 'inside the bins')
    arcs = len(histogram.bytes()) - 4 * 21
    for at in (1, 8, 9, 16, 17, 20):
        t.put('cut-arc%d.gmon' % at, standard().cut(arcs + at))
        t.case('cut-arc%d' % at, '-b small cut-arc%d.gmon' % at, 'inside an arc')
    for at in (1, 2, 4):
        t.put('cut-blocks%d.gmon' % at, Profile().blocks([(T, 1)]).cut(head + at))
        t.case('cut-blocks%d' % at, '-b small cut-blocks%d.gmon' % at, 'inside a block count')
    t.put('cut-arc32.gmon', standard(32, '>').cut(-1))
    t.case('cut-arc32', '-b small-ppc cut-arc32.gmon')
    t.put('cut-bins32.gmon', standard(32, '>').cut(head + 33 + 3))
    t.case('cut-bins32', '-b small-ppc cut-bins32.gmon')
    # The number of bins is never believed before the file's size has been looked at; the
    # message is the one that running out of bins has always had.
    t.put('many-bins.gmon', Profile().histogram(LOW, HIGH, BINS, count=5000000))
    t.case('many-bins', '-b small many-bins.gmon', 'more bins than the file holds')


def merging(t):
    t.case('two-files', '-b small std.gmon std.gmon')
    t.case('three-files', '-b small std.gmon empty.gmon std.gmon')
    t.put('hist.gmon', Profile().histogram(LOW, HIGH, BINS))
    t.put('arcs.gmon', Profile().arc(T + 8, T + 16, 1).arc(T + 0x12, T + 32, 3))
    t.case('hist-and-arcs', '-b small hist.gmon arcs.gmon')
    t.case('arcs-and-hist', '-b small arcs.gmon hist.gmon')
    t.put('backwards.gmon', Profile().arc(T + 0x24, T + 48, 7).histogram(LOW, HIGH, BINS)
          .arc(T + 8, T + 16, 1).histogram(LOW, HIGH, BINS).arc(T + 0x24, T + 48, 1))
    t.case('mixed-records', '-b small backwards.gmon', 'records in any order')
    t.put('scale2.gmon', Profile().histogram(T, T + 0x60, [1] * 12))
    t.case('scale', '-b -p small hist.gmon scale2.gmon', 'no newline ends this message')
    t.put('overlap.gmon', Profile().histogram(T, T + 0x40, [1] * 4))
    t.case('overlap', '-b -p small hist.gmon overlap.gmon')
    t.case('overlap-reverse', '-b -p small overlap.gmon hist.gmon')
    t.put('inside.gmon', Profile().histogram(T + 0x10, T + 0x30, [1] * 2))
    t.case('overlap-inside', '-b -p small hist.gmon inside.gmon')
    t.put('around.gmon', Profile().histogram(T - 0x10, T + 0x70, [1] * 8))
    t.case('overlap-around', '-b -p small hist.gmon around.gmon')
    t.put('adjacent.gmon', Profile().histogram(T - 0x20, T, [1] * 2))
    t.case('adjacent', '-b -p small hist.gmon adjacent.gmon', 'touching ranges are two records')
    t.case('adjacent-thrice', '-b -p small adjacent.gmon hist.gmon adjacent.gmon')
    t.put('halves.gmon', Profile().histogram(T, T + 0x30, [7, 1, 2])
          .histogram(T + 0x30, T + 0x60, [4, 5, 6]))
    t.case('halves', '-b -p small halves.gmon', 'two records in one file')
    t.case('halves-arcs', '-b small halves.gmon arcs.gmon')
    t.put('close.gmon', Profile().histogram(T, T + 0x30, [7, 1, 2])
          .histogram(T + 0x30, T + 0x61, [4, 5, 6]))
    t.case('odd-end', '-b -p small close.gmon', 'the range is halved before it is divided')
    for name, rate in (('1000', 1000), ('1', 1)):
        t.put('rate%s.gmon' % name, Profile().histogram(LOW, HIGH, [1] * 6, rate=rate))
        t.case('rate-later-' + name, '-b -p small hist.gmon rate%s.gmon' % name,
               'the first rate is kept')
        t.case('rate-first-' + name, '-b -p small rate%s.gmon hist.gmon' % name)
    t.put('big.gmon', Profile().histogram(LOW, HIGH, [65535, 40000, 65535, 1, 0, 0])
          .arc(T + 0x13, T + 32, 0xffffffff).arc(T + 0x14, T + 32, 0xffffffff))
    t.case('wide-sums', '-b small big.gmon big.gmon big.gmon', 'counts beyond 32 bits')
    for name, low, high, bins in (('nobins', LOW, HIGH, []), ('empty-range', LOW, LOW, []),
                                  ('one-bin', LOW, HIGH, [9]), ('turned', HIGH, LOW, [1, 2, 3]),
                                  ('no-width', LOW, LOW, [1, 2])):
        t.put(name + '.gmon', Profile().histogram(low, high, bins))
        t.case(name, '-b -p small %s.gmon' % name)
    t.case('nobins-then-bins', '-b -p small nobins.gmon hist.gmon')
    t.case('empty-range-then-bins', '-b -p small empty-range.gmon hist.gmon')
    t.put('near.gmon', Profile().histogram(T + 0x1000, T + 0x1000 + 16002, [1] * 1000))
    t.case('scale-near', '-b -p small hist.gmon near.gmon', 'bins of 8 and 8.001 units')
    t.put('nearer.gmon', Profile().histogram(T + 0x1000, T + 0x1000 + 32000002, [1] * 2000000))
    t.case('scale-nearer', '-b -p small hist.gmon nearer.gmon', 'bins of 8 and 8.0000005 units')
    t.put('million.gmon', Profile().histogram(T, T + 4000002, [0] * 2000000 + [1])
          .histogram(T, T + 4000002, [0] * 2000000))
    t.case('bins-differ', '-b -p small million.gmon', '2000001 and 2000000 bins over one range',
           fixed('the second record would be read with the number of bins of the first'))


def dimensions(t):
    for name, unit, letter in (('unit', b'minutes', b's'), ('letter', b'seconds', b'm'),
                               ('both', b'minutes', b'm'), ('short', b'second', b's'),
                               ('long', b'seconds of time', b's')):
        t.put('dim-%s.gmon' % name, Profile().histogram(LOW, HIGH, [1] * 6, 100, unit, letter))
        t.case('dim-' + name, '-b -p small hist.gmon dim-%s.gmon' % name)
        t.case('dim-%s-alone' % name, '-b small dim-%s.gmon' % name)
    t.put('dim-tail.gmon', Profile().histogram(LOW, HIGH, [1] * 6, 100, b'seconds\0other', b's'))
    t.case('dim-tail', '-b -p small hist.gmon dim-tail.gmon', 'compared as text, up to the NUL')
    t.put('dim-15.gmon', Profile().histogram(LOW, HIGH, BINS, 100, b'0123456789abcde', b'x')
          .arc(T + 0x12, T + 32, 3))
    t.case('dim-15', '-b small dim-15.gmon', 'all fifteen bytes, no NUL')
    t.case('dim-15-T', '-b -T small dim-15.gmon')
    t.case('dim-15-differs', '-b small hist.gmon dim-15.gmon')
    t.put('dim-none.gmon', Profile().histogram(LOW, HIGH, BINS, 100, b'', b'\0')
          .arc(T + 0x12, T + 32, 3))
    t.case('dim-none', '-b small dim-none.gmon', 'no text and a NUL for the letter')
    t.case('dim-none-T', '-b -T small dim-none.gmon')
    t.put('dim-odd.gmon', Profile().histogram(LOW, HIGH, BINS, 7, b'%s\t"caf\xe9"', b'%')
          .arc(T + 0x12, T + 32, 3))
    t.case('dim-odd', '-b small dim-odd.gmon', 'a text that must not be taken for a format')


def blocks(t):
    p = Profile().blocks([(T + 32, 7)])
    t.put('blocks.gmon', p)
    t.case('blocks', '-b small blocks.gmon', 'warned about and left out')
    t.case('blocks-C', '-b -C small blocks.gmon')
    t.put('blocks-std.gmon', standard().blocks([(T + 32, 7), (T + 36, 9)]))
    t.case('blocks-std', '-b small blocks-std.gmon')
    t.case('blocks-twice', '-b small blocks.gmon blocks-std.gmon blocks.gmon', 'one warning a run')
    t.put('blocks-none.gmon', standard().blocks([]))
    t.case('blocks-none', '-b small blocks-none.gmon', 'no block, no warning')
    t.put('blocks32.gmon', Profile(32, '<').blocks([(T + 32, 7)]))
    t.case('blocks32', '-b small-i386 blocks32.gmon')
    t.put('blocks0.gmon', Profile(version=0).blocks_version_0(
        b'file.c', [(77, T + 32, b'f.c', b'foo', 12), (78, T + 34, b'f.c', b'foo', 13)])
        .histogram(LOW, HIGH, BINS))
    t.case('blocks0', '-b small blocks0.gmon', 'version 0 has strings and host byte order')
    t.put('blocks-be.gmon', Profile(64, '>').blocks([(T + 32, 7), (T + 36, 9)])
          .histogram(LOW, HIGH, BINS))
    t.case('blocks-be', '-b small-s390x blocks-be.gmon', 'the count is in the image\'s order',
           fixed('the block count would be swapped twice and the file refused'))
    t.put('blocks-ppc.gmon', Profile(32, '>').blocks([(T + 32, 7), (T + 36, 9)]))
    t.case('blocks-ppc', '-b small-ppc blocks-ppc.gmon', '',
           fixed('the block count would be swapped twice and the file refused'))


def files(t):
    t.case('stdin', '-b small -', 'a dash is standard input', stdin='std.gmon')
    t.case('stdin-bad', '-b small -', stdin='short7')
    t.case('stdin-version', '-b small -', stdin='version-2.gmon')
    t.case('stdin-and-file', '-b small std.gmon -', stdin='std.gmon')
    t.case('missing', '-b small nosuch.gmon')
    t.case('missing-second', '-b small std.gmon nosuch.gmon')
    t.case('missing-default', '-b small', 'gmon.out is not there')
    t.put('folder/readme', 'This folder stands where a file is expected.\n')
    t.case('folder', '-b small folder', 'a folder can be opened, but not read')
    t.case('folder-second', '-b small std.gmon folder')
    t.case('folder-behind-file', '-b small std.gmon/x')

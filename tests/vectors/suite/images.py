# SPDX-License-Identifier: Apache-2.0
"""Image files: kinds of object files, sections, and everything that cannot be used as an image."""
import struct
import zlib

from elfimage import (ALLOC, EXEC, ET_CORE, ET_DYN, ET_REL, FUNC, GLOBAL, LOCAL, NOBITS, NOTYPE,
                      WRITE, Image)
from gmonfile import Profile
from profiled import Program
from suite.formats import T, standard

NAMES = ['_start', 'main', 'foo', '~bar', 'baz', 'qux', 'zz_end']


def with_functions(image):
    """The seven functions, of which the last is a marker just behind the samples."""
    image.functions(NAMES, T, 16)
    image.symbols[-1].address += 2
    return image


def text_image(**named):
    return Image(**named).section('.text', T, b'\x90' * 112)


def named_image(**named):
    return with_functions(text_image(**named))


def define(t):
    t.put('std.gmon', standard())
    kinds(t)
    sections(t)
    machines(t)
    unusable(t)


def kinds(t):
    for name, kind in (('shared', ET_DYN), ('relocatable', ET_REL), ('core', ET_CORE), ('none', 0)):
        t.put('kind-' + name, named_image(kind=kind))
        t.case(name, '-b kind-%s std.gmon' % name, 'object file of another kind')
    t.put('kind-pie', Program(NAMES[:-1], base=0x1000, step=16, mark=True))
    t.put('pie.gmon', standard(base=0x1000))
    t.case('low-addresses', '-b kind-pie pie.gmon')
    t.put('kind-zero', Program(NAMES[:-1], base=0, step=16))
    t.put('zero.gmon', standard(base=0))
    t.case('address-zero', '-b kind-zero zero.gmon', 'text that starts at address 0')
    debug = Image().section('.text', T, b'', ALLOC | EXEC, NOBITS, size=112)
    t.put('kind-debug', with_functions(debug))
    t.case('debug-only', '-b kind-debug std.gmon', 'a separate debug file: .text without contents')
    empty = Image().section('.text', T, b'').section('.text.hot', T, b'\x90' * 112)
    t.put('kind-emptytext', with_functions(empty))
    t.case('empty-text', '-b kind-emptytext std.gmon', 'the last symbol ends before it starts')
    dynamic = named_image()
    dynamic.section('.dynsym', T + 0x1000, b'\0' * 24, ALLOC, 11, entry_size=24)
    t.put('kind-dynsym', dynamic)
    t.case('dynsym', '-b kind-dynsym std.gmon', 'the dynamic symbol table is not looked at')


def sections(t):
    """Where code may lie: any section with the execute flag, whatever its name."""
    image = Image().section('.text', T, b'\x90' * 64)
    image.functions(['a0', 'a1', 'a2', '~a3'], T, 16)
    at = T + 64
    rows = [('.init', ALLOC | EXEC), ('.plt', ALLOC | EXEC), ('odd name', ALLOC | EXEC),
            ('.wtext', ALLOC | EXEC | WRITE), ('.notalloc', EXEC), ('.data', ALLOC | WRITE),
            ('.rodata', ALLOC), ('.comment', 0), ('.pdata', ALLOC | EXEC),
            ('.pdata.x', ALLOC | EXEC), ('.pdata$x', ALLOC | EXEC), ('.pdata1', ALLOC | EXEC),
            ('.pdatax', ALLOC | EXEC), ('.edata', ALLOC | EXEC), ('.idata', ALLOC | EXEC),
            ('.drectve', ALLOC | EXEC), ('.debug_x', ALLOC | EXEC), ('.text', ALLOC | EXEC)]
    for i, (name, flags) in enumerate(rows):
        image.section(name if name != '.text' else '.text2', at, b'\x90' * 48, flags)
        where = image.sections[-1].name
        for j, (bind, kind) in enumerate(((GLOBAL, FUNC), (LOCAL, FUNC), (2, NOTYPE))):
            image.symbol('%s%d_%s' % ('glw'[j], i, name.strip('.').replace(' ', '_')
                                      .replace('$', '_').replace('.', '_')),
                         at + 16 * j, 16, bind, kind, where)
        at += 48
    image.section('.tail', at, b'\x90' * 16).symbol('zz_end', at + 2, 14, section='.tail')
    t.put('sections', image)
    p = Profile().histogram(T, at, list(range(1, (at - T) // 16 + 1)))
    for i in range((at - T) // 16):
        p.arc(T + 4, T + 16 * i, i + 1)
    t.put('sections.gmon', p)
    t.case('sections', '-b -p -z sections sections.gmon', 'what counts as code')
    t.case('sections-graph', '-b -q sections sections.gmon')
    t.case('sections-a', '-b -p -z -a sections sections.gmon')
    t.case('sections-D', '-b -p -z -D sections sections.gmon')
    gap = Image().section('.init', T, b'\x90' * 32).section('.text', T + 0x100, b'\x90' * 64)
    gap.section('.fini', T + 0x200, b'\x90' * 32)
    gap.symbol('_init', T, 32, section='.init').functions(['main', '~work'], T + 0x100, 32)
    gap.symbol('_fini', T + 0x200, 16, section='.fini')
    gap.symbol('zz_end', T + 0x212, 16, section='.fini')
    t.put('gaps', gap)
    t.put('gaps.gmon', Profile().histogram(T, T + 0x210, [1] * 33).arc(T + 0x104, T + 0x90, 3)
          .arc(T + 0x104, T + 0x1ff, 4).arc(T + 0x190, T + 0x20f, 5).arc(T + 0x104, T + 0x210, 6)
          .arc(T - 1, T + 0x100, 7).arc(T + 0x104, T + 0x220, 8))
    t.case('gaps', '-b gaps gaps.gmon', 'a gap belongs to the symbol before it')
    two = Image().section('.text', T, b'\x90' * 32).section('.text', T + 0x40, b'\x90' * 64)
    two.functions(['main', 'foo'], T, 16).symbol('far', T + 0x50, 16).symbol('zz_end', T + 0x62, 14)
    t.put('two-texts', two)
    t.case('two-texts', '-b two-texts std.gmon', 'two sections of one name: the first counts')
    last = Image().section('.text', T, b'\x90' * 64).functions(['main', 'foo', 'last'], T, 16)
    t.put('last-inside', last)
    t.put('last.gmon', Profile().histogram(T, T + 32, [3, 4, 5, 0]).arc(T + 4, T + 16, 1)
          .arc(T + 4, T + 32, 2).arc(T + 4, T + 63, 4)
          .arc(T + 4, T + 64, 8).arc(T + 63, T + 16, 16))
    t.case('last-end', '-b -z last-inside last.gmon', 'the last symbol ends with .text')
    beyond = Image().section('.text', T, b'\x90' * 32).functions(['main', 'foo'], T, 16)
    beyond.section('.fini', T + 32, b'\x90' * 16).symbol('last', T + 32, 16, section='.fini')
    t.put('last-beyond', beyond)
    t.case('last-beyond', '-b -z last-beyond last.gmon',
           'arcs to a last symbol behind .text are lost')
    only = Image().section('.text', T, b'\x90' * 32).symbol('main', T, 32)
    t.put('only-one', only)
    t.put('only-arc.gmon', Profile().histogram(T - 32, T - 16, [2]).arc(T + 4, T + 8, 5))
    t.case('one-symbol', '-b -z only-one only-arc.gmon')


def machines(t):
    """Address bits that say something about the instruction set are no part of an address."""
    for machine in ('arm', 'armeb'):
        image = Image(machine).section('.text', T, b'\0' * 112)
        for i, name in enumerate(NAMES):
            image.symbol(name.lstrip('~'), T + 16 * i + i % 2 + i // 6 * 2, 16,
                         LOCAL if name[0] == '~' else GLOBAL)
        image.symbol('$a', T, 0, LOCAL, NOTYPE).symbol('$t', T + 16, 0, LOCAL, NOTYPE)
        image.symbol('$d', T + 40, 0, LOCAL, NOTYPE)
        t.put('thumb-' + machine, image)
        t.put('thumb-%s.gmon' % machine, standard(32, image.order))
        t.case('thumb-' + machine, '-b thumb-%s thumb-%s.gmon' % (machine, machine),
               'odd addresses are Thumb code', every_machine=True)
    image = with_functions(Image('arm').section('.text', T, b'\0' * 112))
    image.symbols[2].kind = 13
    image.symbols[4].kind = NOTYPE
    image.symbols[4].address += 1
    t.put('thumb-old', image)
    t.case('thumb-old', '-b thumb-old thumb-arm.gmon', 'the old Thumb function type, an odd label',
           every_machine=True)
    for name, other in (('mips16', 0xf0), ('micromips', 0x80), ('mipspic', 0x20)):
        image = Image('mips').section('.text', T, b'\0' * 112)
        for i, f in enumerate(NAMES):
            odd = i % 2 and name != 'mipspic'
            image.symbol(f.lstrip('~'), T + 16 * i + odd + i // 6 * 2, 16,
                         LOCAL if f[0] == '~' else GLOBAL,
                         other=other if i % 2 else 0)
        t.put(name, image)
        t.put('mips.gmon', standard(32, '>'))
        t.case(name, '-b %s mips.gmon' % name, 'symbols of another instruction set',
               every_machine=True)
    image = Image('mips').section('.text', T + 1, b'\0' * 112)
    for i, f in enumerate(NAMES):
        image.symbol(f.lstrip('~'), T + 16 * i + i % 2 + i // 6 * 2, 16,
                     LOCAL if f[0] == '~' else GLOBAL)
    t.put('mips-odd', image)
    t.case('mips-odd-section', '-b -C mips-odd mips.gmon',
           'the bit counts from the start of the section', every_machine=True)
    image = with_functions(Image('aarch64').section('.text', T, b'\0' * 112))
    image.symbol('$x', T, 0, LOCAL, NOTYPE).symbol('$d', T + 40, 0, LOCAL, NOTYPE)
    image.symbol('$x.1', T + 44, 0, LOCAL, NOTYPE)
    t.put('mapping', image)
    t.case('mapping-symbols', '-b mapping std.gmon', every_machine=True)
    image = Image('ppc64le').section('.text', T, b'\0' * 112)
    for i, f in enumerate(NAMES):
        image.symbol(f.lstrip('~'), T + 16 * i + i // 6 * 2, 16,
                     LOCAL if f[0] == '~' else GLOBAL, other=0x60)
    t.put('ppc64le', image)
    t.case('ppc64le-local-entry', '-b ppc64le std.gmon', every_machine=True)
    # 64-bit PowerPC with function descriptors: the symbols name descriptors, the code has none.
    image = Image('ppc64').section('.text', T, b'\0' * 112)
    opd = T + 0x10000
    image.section('.opd', opd, b''.join(struct.pack('>QQQ', T + 16 * i + i // 6 * 2, T + 0x20000, 0)
                                        for i in range(len(NAMES))), ALLOC | WRITE, align=8)
    for i, f in enumerate(NAMES):
        image.symbol(f.lstrip('~'), opd + 24 * i, 16, LOCAL if f[0] == '~' else GLOBAL,
                     section='.opd')
    t.put('descriptors', image)
    t.put('descriptors.gmon', standard(64, '>'))
    t.case('ppc64-descriptors', '-b descriptors descriptors.gmon', every_machine=True)
    for name, number in (('none', 0), ('unknown', 0x1234)):
        image = named_image()
        image.number = number
        t.put('machine-' + name, image)
        t.case('machine-' + name, '-b machine-%s std.gmon' % name, 'a machine nobody knows')


def unusable(t):
    t.case('missing', '-b nosuch std.gmon')
    t.case('missing-default', '-b', 'a.out is not there')
    t.case('missing-under-file', '-b std.gmon/x std.gmon')
    t.put('script', '#!/bin/sh\nexec gdb --args ./program "$@"\n')
    t.case('script', '-b script std.gmon')
    t.put('nothing', b'')
    t.case('empty-file', '-b nothing std.gmon')
    t.case('profile-as-image', '-b std.gmon std.gmon')
    t.put('archive', b'!<arch>\nmain.o/         0           0     0     644     4         `\nabcd')
    t.case('archive', '-b archive std.gmon')
    t.put('thin-archive', b'!<thin>\n')
    t.case('thin-archive', '-b thin-archive std.gmon')
    whole = named_image().bytes()
    for length in (4, 15, 16, 40, 63, 64, 100, len(whole) - 64, len(whole) - 1):
        name = 'cut%d' % length if length < 200 else 'cut-tail%d' % (len(whole) - length)
        t.put(name, whole[:length])
        t.case(name, '-b %s std.gmon' % name, 'an ELF file that is cut off')
    for name, at, value in (('class', 4, 3), ('class0', 4, 0), ('order', 5, 3), ('order0', 5, 0),
                            ('version', 6, 2), ('magic', 0, 0x7e), ('version2', 20, 7)):
        data = bytearray(whole)
        data[at] = value
        t.put('ident-' + name, bytes(data))
        t.case('ident-' + name, '-b ident-%s std.gmon' % name,
               'byte %d of the header is wrong' % at)
    image = named_image()
    image.sections[0].name = '.txt'
    for s in image.symbols:
        s.section = '.txt'
    t.put('no-text', image)
    t.case('no-text', '-b no-text std.gmon')
    image = named_image()
    image.sections[0].name = '$CODE$'
    for s in image.symbols:
        s.section = '$CODE$'
    t.put('code-text', image)
    t.case('code-section', '-b code-text std.gmon', 'another name for .text')
    t.put('no-symbols', text_image())
    t.case('no-symbols', '-b no-symbols std.gmon')
    stripped = named_image()
    stripped.with_symbols = False
    t.put('stripped', stripped)
    t.case('stripped', '-b stripped std.gmon')
    t.put('no-functions', text_image().section('.data', T + 0x1000, bytes(64), ALLOC | WRITE)
          .symbol('counter', T + 0x1000, 8, GLOBAL, 1, '.data').symbol('undefined', 0, 0, section=0)
          .symbol('.L1', T, 0, LOCAL, NOTYPE))
    t.case('no-functions', '-b no-functions std.gmon', 'symbols, but none of code')
    t.case('no-functions-a', '-b -a no-statics std.gmon')
    t.put('no-statics', text_image().symbol('alone', T, 16, LOCAL))
    image = named_image()
    image.link_symbols = False
    t.put('no-strings', image)
    t.case('image-first', '-b no-symbols nosuch.gmon', 'a bad image is reported before a bad profile')
    t.case('image-first-data', '-b no-text short.gmon')
    packed = zlib.compress(whole)
    t.put('packed', packed)
    t.case('compressed', '-b packed std.gmon')

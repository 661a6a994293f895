# SPDX-License-Identifier: Apache-2.0
"""Windows images of every kind of symbol, read by the program in GNU mode and by GNU gprof.

    against_gprof.py PROGRAM        run in an empty folder; PROGRAM is a link named gprof

Status 77 if the installed gprof does not read such images.
"""
import os
import shutil
import subprocess
import sys

import peimage
import runner
from gmonfile import bsd_profile
from lcg import Random
from peimage import Image

ORACLE = shutil.which('gprof')
OPTIONS = [['-b'], ['-b', '-a', '-z'], ['-b', '-D', '-q'], ['-b', '-C', '-z'], ['-b', '-T', '-z'],
           ['-b', '--no-demangle', '-z'], ['-b', '--demangle=none', '-p', '-z']]


def run(program, options, image):
    done = runner.start(program, options + [image, image + '.gmon'], os.getcwd())
    # The object library's own remarks, which go past gprof, are not repeated.
    return done.status, done.out, b''.join(line for line in done.err.splitlines(True)
                                           if not line.startswith(b'BFD: '))


def check(program, name, image, arcs, bytes_of_code=0x200, data=None, options=OPTIONS):
    """The same bytes from both for an image with a .text of the given size at 0x1000."""
    low = image.base + 0x1000
    with open(name, 'wb') as file:
        file.write(image.bytes() if data is None else data)
    with open(name + '.gmon', 'wb') as file:
        file.write(bsd_profile(low, low + bytes_of_code,
                               [1 + i % 7 for i in range(bytes_of_code // 4)],
                               [(low + a, low + b, n) for a, b, n in arcs], image.bits, '<', 100))
    for set_of in options:
        ours, theirs = run(program, set_of, name), run(ORACLE, set_of, name)
        if ours != theirs:
            for side, (status, out, err) in ('gprof', theirs), ('gprofx', ours):
                with open('%s.%s' % (name, side), 'wb') as file:
                    file.write(out + err + b'status %d\n' % status)
            subprocess.run(['diff', name + '.gprof', name + '.gprofx'])
            sys.exit('FAIL: gprof %s %s' % (' '.join(set_of), name))


def mark(image, section, address):
    """The function with the highest address, behind all samples: gprof mistakes where it ends."""
    return image.symbol('_zz_end', address, section)


def empty(machine, linked=True):
    image = Image(machine, linked)
    code = bytes(0x200)
    image.section('.text', 0x1000 if linked else 0, code)
    image.section('.data', 0x2000 if linked else 0, code, peimage.DATA | peimage.READ)
    image.section('.bss', 0x3000 if linked else 0, b'', peimage.BSS | peimage.READ, 0x200)
    image.section('.pdata', 0x4000 if linked else 0, code)
    image.section('.idata', 0x5000 if linked else 0, code)
    image.section('code', 0x6000 if linked else 0, code)
    return mark(image, 'code', 0x6202 if linked else 0x202)


def arcs_to(count, step=4):
    return [(i * step + 1, i * step, 3 + i) for i in range(count)]


def all_classes(program):
    """Every storage class, typed and not, in code, in data and nowhere."""
    for machine in 'i386', 'x86_64':
        for first in range(0, 256, 32):
            for section in '.text', '.data', peimage.UNDEFINED, peimage.ABSOLUTE, peimage.DEBUG:
                image = empty(machine)
                image.symbol('_start', 0x1000)
                for kind in range(first, first + 32):
                    base = image.sections[image.number(section) - 1][1] \
                        if isinstance(section, str) else 0x1000
                    for type in 0, 0x20:
                        image.symbol('_c%02x%02x' % (kind, type),
                                     base + 8 * (kind - first + 1) + type // 8, section, kind, type)
                check(program, 'classes', image, arcs_to(64), options=OPTIONS[:3])


def sections(program):
    for machine in 'i386', 'x86_64':
        for linked in True, False:
            image = empty(machine, linked)
            if not linked:
                image.source('made.c')
            for name, address, _, _, _ in image.sections:
                for i, (kind, type) in enumerate([(2, 0x20), (2, 0), (3, 0x20), (3, 0)]):
                    image.symbol('_%s%d' % (name.strip('.'), i), address + 8 * i + 8, name, kind,
                                 type)
                image.symbol(name, address, name, 3, 0, [b'\x00\x02'])
            check(program, 'sections', image, arcs_to(30))


def names(program):
    """Underscores, mangled names, suffixes and what stands behind them."""
    some = ['_', '__', '___x', 'plain', '_plain', '_Z3foov', '__Z3foov', '___Z3foov', '@fast@4',
            '_std@8', '__ZN1A3fooEv@8', '_.dot', '._dot', '$_x', '$__Z3dolv', '.$__Z3dolv',
            '__imp__x', '?foo@@YAXXZ', '__ZN3foo17h0123456789abcdefE', '_mcount', '__mcount',
            'mcount', '_mcount_private', '___gnu_compiled_x', '__gnu_compiled', '_a.1',
            '_nested.1', '_nested.123', '_a.b', '_a.constprop.0', '_a.part.0', '_next', '_a.isra.0',
            '_long_name_of_a_function', '_f.clone.0', '_z.part.1', '_f.clone.1', '_zpart_is_fine']
    for machine in 'i386', 'x86_64':
        for kind in peimage.EXTERNAL, peimage.STATIC:
            image = empty(machine)
            for i, name in enumerate(some):
                image.symbol(name, 0x1000 + 8 * i, kind=kind)
            check(program, 'names', image, arcs_to(2 * len(some)))
            for symspec in 'plain', '_plain', 'Z3foov', '_Z3foov', 'main', 'mcount', '_':
                check(program, 'names', image, arcs_to(2 * len(some)),
                      options=[['-b', '-p' + symspec], ['-b', '-q' + symspec]])


def same_addresses(program):
    random = Random(11)
    for machine in 'i386', 'x86_64':
        for case in range(12):
            image = empty(machine)
            for i in range(60):
                name = '_' * random.below(4) + '%c%d' % (97 + random.below(26), i)
                image.symbol(name, 0x1000 + 16 * random.below(24),
                             kind=[2, 3, 6][random.below(3)], type=[0, 0x20][random.below(2)])
            check(program, 'same', image, arcs_to(100), options=OPTIONS[:3])


def bases(program):
    for machine, base in (('i386', 0x10000), ('i386', 0x7ff00000), ('x86_64', 0x100400000),
                          ('x86_64', 0x7fff00000000)):
        image = Image(machine, base=base)
        image.section('.text', 0x1000, bytes(0x200))
        for i, name in enumerate(['_main', '_work', '_rest']):
            image.symbol(name, 0x1000 + 32 * i)
        check(program, 'base', mark(image, '.text', 0x1202), arcs_to(40))


def damaged(program):
    """What is cut off, or has no symbols: the same message."""
    image = empty('x86_64')
    for i in range(20):
        image.symbol('function_number_%d' % i, 0x1000 + 8 * i)
    whole = image.bytes()
    # Names that are cut off completely are shown, with a warning that gprof does not have.
    strings = whole.index(b'function_number_0') - 4
    for length in list(range(0, 800, 31)) + list(range(800, len(whole), 97)) + [len(whole) - 1]:
        if not strings <= length < strings + 4:
            check(program, 'cut', image, arcs_to(4), data=whole[:length], options=OPTIONS[:1])
    marked = empty('i386')
    del marked.rows[:]
    check(program, 'stripped', marked, [])
    nowhere = Image('x86_64').section('code', 0x1000, bytes(64)).symbol('main', 0x1000, 'code')
    check(program, 'no-text', nowhere, [])
    dollar = Image('i386').section('$CODE$', 0x1000, bytes(512))
    dollar.symbol('_main', 0x1010, '$CODE$').symbol('_work', 0x1020, '$CODE$')
    check(program, 'dollar', mark(dollar, '$CODE$', 0x1202), arcs_to(40))
    for data in b'MZ', b'MZ'.ljust(200, b'\0'), b'MZ'.ljust(60, b'\0') + b'\xff' * 100:
        check(program, 'dos', image, [], data=data, options=OPTIONS[:1])


def main():
    program = os.path.abspath(sys.argv[1])
    image = Image('i386').section('.text', 0x1000, bytes(64)).symbol('_main', 0x1000)
    with open('probe', 'wb') as file:
        file.write(image.bytes())
    with open('probe.gmon', 'wb') as file:
        file.write(bsd_profile(0x401000, 0x401040, [1] * 16, [], 32, '<', 100))
    if run(ORACLE, ['-b', '-p'], 'probe')[0] != 0:
        print('SKIP: the installed gprof does not read Windows images')
        sys.exit(77)
    for part in all_classes, sections, names, same_addresses, bases, damaged:
        part(program)


main()

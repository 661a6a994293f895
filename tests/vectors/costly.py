#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds the program files of 1 MB that are made to cost much, of each kind that it reads.

    costly.py [--all] [--only NAME] [--bytes N] [--keep DIR]

Each recipe lets a few bytes stand for much: one long string that many names share, tables that
overlap, names that expand when they are demangled. None may cost more than SECONDS of processor
time or MEMORY, in any mode; the profile that comes with it is small. Without --all, two command
lines are tried for each, some 15 seconds of processor time together. Prints the worst ones.
"""
import argparse
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'tools'))

import costlyfiles                                                  # noqa: E402
import elfimage                                                     # noqa: E402
import peimage                                                      # noqa: E402
import runner                                                       # noqa: E402
from dwarfinfo import uleb                                          # noqa: E402
from elfimage import ALLOC, COMPRESSED, ET_REL, EXEC, LOCAL, Image   # noqa: E402
from gmonfile import Profile                                        # noqa: E402

# Nothing costs more than 2 seconds on a machine that does nothing else.
SECONDS, MEMORY = 4.0, 200 << 20
BASE, TEXT = 0x401000, 0x20000
SANITIZED = bool(os.environ.get('GPROFX_SANITIZE'))
OWN = (['-b', '-l'], ['-b'], ['-b', '-C', '-pmain'], ['--gnu', '-b', '-l'], ['--gnu', '-b'],
       ['-b', '-c'], ['--gnu', '-b', '-c'], ['-b', '-l', '-C'], ['--gnu', '-b', '-C'])

UNIT, FUNCTION, INLINED = 0x11, 0x2e, 0x1d
NAME, LINES, LOW, HIGH, FOLDER, LINKAGE, RANGES = 0x03, 0x10, 0x11, 0x12, 0x1b, 0x6e, 0x55
LANGUAGE, ADDRESSES, STRINGS, RANGE_BASE, CALL_FILE, CALL_LINE = 0x13, 0x73, 0x72, 0x74, 0x58, 0x59
EXTERNAL = 0x3f
ADDR, DATA1, DATA2, DATA4, STRING, STRP, STRX3, OFFSET, LINE_STRP, PRESENT, IMPLICIT, RNGLISTX, \
    ADDRX1, UDATA = (0x01, 0x0b, 0x05, 0x06, 0x08, 0x0e, 0x27, 0x17, 0x1f, 0x19, 0x21, 0x23, 0x29,
                     0x0f)


def abbreviation(code, tag, children, pairs):
    out = uleb(code) + uleb(tag) + bytes([children])
    for attribute, form in pairs:
        out += uleb(attribute) + uleb(form) + (b'\1' if form == IMPLICIT else b'')
    return out + b'\0\0'


def unit(entries, abbreviations=0, version=4):
    if version == 5:
        head = struct.pack('<HBBI', 5, 1, 8, abbreviations)
    else:
        head = struct.pack('<HIB', version, abbreviations, 8)
    return struct.pack('<I', len(head) + len(entries)) + head + entries


def line_table(program, names=b'a.c\0\0\0\0', folders=b'', version=4, header_length=None):
    head = b'\1' + (b'\1' if version >= 4 else b'')
    head += bytes([1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    head += folders + (b'\0' if version < 5 else b'') + names + (b'\0' if version < 5 else b'')
    body = struct.pack('<H', version) + (b'\x08\0' if version == 5 else b'')
    body += struct.pack('<I', len(head) if header_length is None else header_length)
    body += head + program
    return struct.pack('<I', len(body)) + body


def at(address):
    return b'\0\x09\x02' + struct.pack('<Q', address)


END = b'\0\1\1'
ROWS = at(BASE) + b'\x04\x01\x01' + b'\x02' + uleb(TEXT) + END


def image(sections, symbols=('main', 'other'), kind=elfimage.ET_EXEC):
    out = Image(kind=kind)
    out.section('.text', BASE if kind != ET_REL else 0, bytes(TEXT), ALLOC | EXEC)
    step = TEXT // len(symbols)
    for i, name in enumerate(symbols):
        out.symbol(name, (BASE if kind != ET_REL else 0) + i * step, step)
    for name, data in sections.items():
        if isinstance(data, tuple):
            out.section(name, 0, *data, align=8)
        else:
            out.section(name, 0, data, 0, align=1)
    return out.bytes()


def debug(info, abbrev, line=None, **more):
    sections = {'.debug_info': info, '.debug_abbrev': abbrev,
                '.debug_line': line_table(ROWS) if line is None else line}
    sections.update({'.debug_' + name: data for name, data in more.items()})
    return sections


def long_string(count, letter=b'n'):
    return letter * count + b'\0'


PLAIN_UNIT = abbreviation(1, UNIT, 1, [(LANGUAGE, DATA1), (LINES, OFFSET), (LOW, ADDR),
                                       (HIGH, DATA4)])
PLAIN = b'\1\x1d' + struct.pack('<IQI', 0, BASE, TEXT)


# -- recipes: each returns the bytes of an image -------------------------------------------------

def names_in_one_string(size):
    """Functions whose linkage names are ends of one string."""
    half, count = size // 2, size // 2 // 14
    abbrev = PLAIN_UNIT + abbreviation(2, FUNCTION, 0,
                                       [(LINKAGE, STRP), (LOW, ADDR), (HIGH, DATA1)])
    body = b''.join(b'\2' + struct.pack('<IQB', i, BASE + i * 3, 3) for i in range(count))
    return image(debug(unit(PLAIN + body + b'\0'), abbrev + b'\0', str=long_string(half)))


def mangled_names_in_one_string(size):
    """As before, the ends of one string being names to demangle."""
    half, count = size // 2, size // 2 // 14
    abbrev = PLAIN_UNIT + abbreviation(2, FUNCTION, 0,
                                       [(LINKAGE, STRP), (LOW, ADDR), (HIGH, DATA1)])
    text = (b'_Z1f' + b'P' * 500 + b'i') * (half // 505)
    body = b''.join(b'\2' + struct.pack('<IQB', i % len(text) // 505 * 505, BASE + i * 3, 3)
                    for i in range(count))
    return image(debug(unit(PLAIN + body + b'\0'), abbrev + b'\0', str=text + b'\0'))


def names_by_number(size):
    """The same through .debug_str_offsets, from inlined instances."""
    third, count = size // 3, size // 3 // 12
    abbrev = abbreviation(1, UNIT, 1, [(LANGUAGE, DATA1), (LINES, OFFSET), (STRINGS, OFFSET),
                                       (LOW, ADDR), (HIGH, DATA4)])
    abbrev += abbreviation(2, INLINED, 1, [(LINKAGE, STRX3), (LOW, ADDR), (HIGH, DATA1),
                                           (CALL_FILE, IMPLICIT), (CALL_LINE, IMPLICIT)])
    body = b''.join(b'\2' + struct.pack('<I', i)[:3] + struct.pack('<QB', BASE + i * 2, 200)
                    for i in range(count))
    offsets = struct.pack('<%dI' % (count + 2), 0, 0, *range(count))
    return image(debug(unit(b'\1\x1d' + struct.pack('<IIQI', 0, 8, BASE, TEXT) + body, version=5),
                       abbrev + b'\0', line_table(ROWS, b'', version=4), str=long_string(third),
                       str_offsets=offsets))


def nested_with_one_name(size):
    """Inlined instances, one in the other, whose chains name one long function again and again."""
    name, depth = 4000, 60
    count = size * 3 // 4 // (10 * (depth + 1))
    abbrev = PLAIN_UNIT + abbreviation(2, FUNCTION, 1,
                                       [(LINKAGE, STRP), (LOW, ADDR), (HIGH, DATA4)])
    abbrev += abbreviation(3, INLINED, 1, [(LINKAGE, STRP), (LOW, ADDR), (HIGH, DATA1),
                                           (CALL_FILE, IMPLICIT), (CALL_LINE, IMPLICIT)])
    body = bytearray(b'\2' + struct.pack('<IQI', 0, BASE, TEXT))
    place = BASE
    for _ in range(count):
        for i in range(depth):
            body += b'\3' + struct.pack('<IQB', i, place, 120 - 2 * i)
        body += bytes(depth)
        place += 128
    rows = at(BASE) + b'\1' + (b'\x02\x02\x03\x01\x01') * (TEXT // 2) + END
    return image(debug(unit(PLAIN + bytes(body) + b'\0\0'), abbrev + b'\0',
                       line_table(rows), str=long_string(name)))


def files_in_one_string(size):
    """Files whose names are ends of one string, each with a row."""
    count = size // 2 // (4 + 9)
    names = b'\1\1\x1f\1\0\0\0\0\1\1\x1f' + uleb(count) + struct.pack('<%dI' % count, *range(count))
    rows = at(BASE) + b''.join(b'\x04' + uleb(i) + b'\x02\x04\x01' for i in range(count)) + END
    abbrev = PLAIN_UNIT
    return image(debug(unit(PLAIN, version=5), abbrev + b'\0',
                       line_table(rows, names, version=5), line_str=long_string(size // 2)))


def folders_in_one_string(size):
    """Files with short names in directories that are ends of one string, below a long one."""
    count = size // 3 // 18
    names = b'\1\1\x1f' + uleb(count) + struct.pack('<%dI' % count, *range(count))
    names += b'\2\1\x08\2\x0f' + uleb(count) + b''.join(b'f\0' + uleb(i) for i in range(count))
    rows = at(BASE) + b''.join(b'\x04' + uleb(i) + b'\x02\x04\x01' for i in range(count)) + END
    abbrev = abbreviation(1, UNIT, 1, [(LINES, OFFSET), (LOW, ADDR), (HIGH, DATA4), (FOLDER, STRP)])
    body = b'\1' + struct.pack('<IQII', 0, BASE, TEXT, 0)
    return image(debug(unit(body, version=5), abbrev + b'\0', line_table(rows, names, version=5),
                       line_str=long_string(size // 3), str=long_string(size // 3, b'd')))


def rows_of_one_long_path(size):
    """Many rows of one file with a long path."""
    count = size * 3 // 4
    rows = at(BASE) + bytes([13 + 5 + 14 + 1, 13 + 5 + 14]) * (count // 2) + END
    return image(debug(unit(PLAIN), PLAIN_UNIT + b'\0',
                       line_table(rows, b'f' * (size // 5) + b'\0\0\0\0')))


def overlapping_abbreviations(size):
    """Units whose tables begin at every row of one table."""
    rows, units = size // 5 // 8, size * 4 // 5 // 12
    table = b''.join(abbreviation(128 + i, UNIT, 0, [(EXTERNAL, PRESENT)]) for i in range(rows))
    row = len(table) // rows
    info = b''.join(unit(uleb(128 + i % rows), i % rows * row) for i in range(units))
    return image(debug(info, table + b'\0'))


def last_of_abbreviations(size):
    """Units that name the last row of one long table."""
    rows, units = size // 2 // 8, size // 2 // 14
    table = b''.join(abbreviation(1 + i, UNIT, 0, [(EXTERNAL, PRESENT)]) for i in range(rows))
    return image(debug(unit(uleb(rows)) * units, table + b'\0'))


def endless_abbreviation(size):
    """Entries of one byte with attributes that take none."""
    abbrev = PLAIN_UNIT + abbreviation(2, FUNCTION, 0, [(EXTERNAL, PRESENT)] * (size // 4))
    abbrev += abbreviation(3, UNIT, 0, [(EXTERNAL, PRESENT)] * (size // 100))
    units = unit(b'\3') * (size // 8 // 12)
    return image(debug(units + unit(PLAIN + b'\2' * (size // 3)), abbrev + b'\0'))


def lists_without_ranges(size):
    """Functions whose ranges are one long list of base addresses."""
    half = size // 2
    abbrev = abbreviation(1, UNIT, 1, [(LINES, OFFSET), (LOW, ADDR), (RANGES, OFFSET)])
    abbrev += abbreviation(2, FUNCTION, 0, [(NAME, STRP), (RANGES, OFFSET)])
    body = b'\1' + struct.pack('<IQI', 0, BASE, 4)
    body += (b'\2' + struct.pack('<II', 0, 4)) * (half // 9)
    return image(debug(unit(body + b'\0', version=5), abbrev + b'\0', str=b'f\0',
                       rnglists=bytes(4) + b'\1\0' * (half // 2) + b'\0'))


def units_of_lists_without_ranges(size):
    """The same from units."""
    abbrev = abbreviation(1, UNIT, 1, [(LINES, OFFSET), (LOW, ADDR), (RANGES, OFFSET)])
    body = b'\1' + struct.pack('<IQI', 0, BASE, 4)
    return image(debug(unit(body, version=5) * (size // 2 // 30), abbrev + b'\0',
                       rnglists=bytes(4) + b'\1\0' * (size // 4) + b'\0'))


def overlapping_line_tables(size):
    """Line tables whose headers hold the next ones."""
    count, step = size // 2 // 32, 32
    line = bytearray()
    for i in range(count):
        rest = (count - i) * step - 4
        head = struct.pack('<IHI', rest, 3, max(rest - 40, 0)) + b'\1\1\xfb\x0e\1'
        line += head.ljust(step, b'd')
    line += bytes(64)
    abbrev = abbreviation(1, UNIT, 0, [(LINES, OFFSET)])
    info = b''.join(unit(b'\1' + struct.pack('<I', i * step)) for i in range(count))
    return image(debug(info, abbrev + b'\0', bytes(line)))


def headers_that_lie(size):
    """Tables whose headers seem short, opened in turn for calls that were inlined."""
    quarter = size // 4
    line = line_table(b'', b'a\0\0\0\0' * (quarter // 5), header_length=20)
    second = len(line)
    line += line_table(b'', b'a\0\0\0\0' * (quarter // 5), header_length=20)
    abbrev = abbreviation(1, UNIT, 1, [(LINES, OFFSET), (LOW, ADDR), (HIGH, DATA4)])
    abbrev += abbreviation(2, INLINED, 0, [(NAME, IMPLICIT), (LOW, ADDR), (HIGH, DATA1),
                                           (CALL_FILE, IMPLICIT), (CALL_LINE, IMPLICIT)])
    entry = b'\2' + struct.pack('<QB', BASE, 16)
    info = b''.join(unit(b'\1' + struct.pack('<IQI', i % 2 * second, BASE, TEXT) + entry + b'\0')
                    for i in range(quarter // 40))
    return image(debug(info, abbrev + b'\0', line))


def rows_of_one_byte(size):
    """A line program of rows of one byte, each of another line."""
    count = min(size * 9 // 10, TEXT * 7)
    rows = at(BASE) + bytes([13 + 5 + 14 + 1, 13 + 5 + 14]) * (count // 2) + END
    return image(debug(unit(PLAIN), PLAIN_UNIT + b'\0', line_table(rows)))


def rows_backwards(size):
    """Rows that stand out of order."""
    rows = at(BASE + TEXT) + b'\1'
    rows += b''.join(at(BASE + TEXT - i % TEXT) + b'\x03\x01\x01'
                     for i in range(size * 9 // 10 // 14))
    return image(debug(unit(PLAIN), PLAIN_UNIT + b'\0', line_table(rows + END)))


def sequences_that_overlap(size):
    """Sequences of rows, one within the other."""
    rows = b''.join(at(BASE + i) + b'\1\x02' + uleb(TEXT - 2 * i) + END
                    for i in range(size * 9 // 10 // 19))
    return image(debug(unit(PLAIN), PLAIN_UNIT + b'\0', line_table(rows)))


def functions_that_overlap(size):
    """Functions one within the other, with as many names."""
    count = size * 9 // 10 // 21
    abbrev = PLAIN_UNIT + abbreviation(2, FUNCTION, 1,
                                       [(LINKAGE, STRING), (LOW, ADDR), (HIGH, DATA4)])
    body = b''.join(b'\2f%06x\0' % i + struct.pack('<QI', BASE + i, max(TEXT - 2 * i, 1))
                    for i in range(count))
    return image(debug(unit(PLAIN + body), abbrev + b'\0'))


def compressed_rows(size):
    """14 times as many rows of one byte, compressed."""
    program = at(BASE) + bytes([13 + 5 + 14 + 1, 13 + 5 + 14]) * (7 * size) + END
    table = line_table(program)
    packed = struct.pack('<IIQQ', 1, 0, len(table), 1) + zlib.compress(table, 9)
    sections = debug(unit(PLAIN), PLAIN_UNIT + b'\0', b'', pad=bytes(size * 9 // 10))
    sections['.debug_line'] = (packed, COMPRESSED)
    return image(sections)


def compressed_entries(size):
    """Units of nothing but functions of one name, compressed."""
    abbrev = PLAIN_UNIT + abbreviation(2, FUNCTION, 0,
                                       [(NAME, IMPLICIT), (LOW, ADDR), (HIGH, DATA1)])
    body = (b'\2' + struct.pack('<QB', BASE, 9)) * (13 * size // 10)
    info = unit(PLAIN + body + b'\0')
    packed = struct.pack('<IIQQ', 1, 0, len(info), 1) + zlib.compress(info, 9)
    sections = debug(b'', abbrev + b'\0', pad=bytes(size * 8 // 10))
    sections['.debug_info'] = (packed, COMPRESSED)
    return image(sections)


def many_units(size):
    """Units of a few bytes with a line table each."""
    table = line_table(at(BASE) + b'\1\x02\1' + END)
    count = size * 9 // 10 // (len(table) + 29)
    info = b''.join(unit(PLAIN[:2] + struct.pack('<I', i * len(table)) + PLAIN[6:])
                    for i in range(count))
    return image(debug(info, PLAIN_UNIT + b'\0', table * count))


def relocations_again(size):
    """A relocatable object with many tables of relocations, which are one."""
    count = size // 2 // 24
    rela = b''.join(struct.pack('<QQq', 0, 1 << 32 | 10, 0) for _ in range(count))
    sections = debug(unit(PLAIN), PLAIN_UNIT + b'\0')
    sections['.debug_junk'] = bytes(16)
    out = bytearray(image(sections, kind=ET_REL))
    # A new section table at the end: the old rows, and many that are the same relocations.
    shoff, = struct.unpack_from('<Q', out, 40)
    number, = struct.unpack_from('<H', out, 60)
    place = len(out)
    out += rela
    rows = bytearray(out[shoff:shoff + 64 * number])
    symtab = next(i for i in range(number) if struct.unpack_from('<I', rows, 64 * i + 4)[0] == 2)
    for _ in range(size // 2 // 64 - number):
        rows += struct.pack('<IIQQQQIIQQ', 0, 4, 0, 0, place, len(rela), symtab, 2, 8, 24)
    struct.pack_into('<Q', out, 40, len(out))
    struct.pack_into('<H', out, 60, len(rows) // 64)
    return bytes(out + rows)


def notes_again(size):
    """Segments of notes that are one."""
    out = bytearray(image({}))
    notes = struct.pack('<III', 0, 0, 9) * (size // 2 // 12)
    place = len(out)
    out += notes
    struct.pack_into('<Q', out, 32, len(out))
    count = size // 2 // 56
    struct.pack_into('<HH', out, 54, 56, count)
    row = struct.pack('<IIQQQQQQ', 4, 4, place, 0, 0, len(notes), len(notes), 4)
    return bytes(out + row * count)


def symbols_of_one_string(size):
    """Symbols whose names are ends of one string."""
    count = size // 2 // 24
    out = bytearray(image({}, ['f%d' % i for i in range(count)]))
    shoff, = struct.unpack_from('<Q', out, 40)
    number, = struct.unpack_from('<H', out, 60)
    for i in range(number):
        kind, = struct.unpack_from('<I', out, shoff + 64 * i + 4)
        if kind == 2:
            table, = struct.unpack_from('<Q', out, shoff + 64 * i + 24)
            link, = struct.unpack_from('<I', out, shoff + 64 * i + 40)
            struct.pack_into('<QQ', out, shoff + 64 * link + 24, len(out), size // 2 + 1)
    for i in range(count):
        struct.pack_into('<I', out, table + 24 * (i + 1), i)
    return bytes(out + long_string(size // 2))


def symbols_of_one_name(size):
    """Symbols at one address that all have one long name."""
    count = size // 2 // 24
    out = bytearray(symbols_of_one_string(size))
    shoff, = struct.unpack_from('<Q', out, 40)
    number, = struct.unpack_from('<H', out, 60)
    for i in range(number):
        if struct.unpack_from('<I', out, shoff + 64 * i + 4)[0] == 2:
            table, = struct.unpack_from('<Q', out, shoff + 64 * i + 24)
    for i in range(count):
        struct.pack_into('<I', out, table + 24 * (i + 1), 0)
        struct.pack_into('<Q', out, table + 24 * (i + 1) + 8, BASE + i % 3)
    return bytes(out)


def rows_of_no_string(size, name, kind, row):
    """Rows that name a string without an end, of a table that is searched for it; so large that it shows."""
    out = Image()
    out.section('.text', BASE, bytes(TEXT), ALLOC | EXEC)
    out.functions(['main', 'other'], BASE, TEXT // 2)
    out.section('.dynstr', 0, b'n' * 4 * size, 0, elfimage.STRTAB)
    out.section(name, 0, row * (4 * size // len(row)), 0, kind)
    out.sections[-1].link = 2
    return out.bytes()


def libraries_without_end(size):
    return rows_of_no_string(size, '.dynamic', 6, struct.pack('<QQ', 1, 1))


def versions_without_end(size):
    return rows_of_no_string(size, '.gnu.version_r', 0x6ffffffe, struct.pack('<HHIII', 1, 0, 1, 16, 16))


def many_symbols(size):
    """As many functions as fit."""
    return image({}, ['f%x' % i for i in range(size // 31)])


def code_of_calls(size):
    """Code that is nothing but calls, of as many functions as fit."""
    count = size // 3 // 31
    out = Image()
    out.section('.text', BASE, b'\xe8\x10\0\0\0' * (size // 8), ALLOC | EXEC)
    out.functions(['f%x' % i for i in range(count)], BASE, 5)
    return out.bytes()


def many_sections(size):
    """As many sections of code as fit, each with a symbol."""
    out = Image()
    for i in range(min(size // 100, 60000)):
        out.section('.text' if i == 0 else 't', BASE + 16 * i, b'\x90', ALLOC | EXEC, align=1)
        out.symbol('f%x' % i, BASE + 16 * i, 1)
    return out.bytes()


def pairs(name, depth):
    """A C++ name of functions of functions, whose text doubles with each of them."""
    text = '_Z%d%sP1a' % (len(name), name)
    codes = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

    def code(i):
        return 'S_' if i == 0 else 'S%s_' % codes[i - 1]
    number = 1                          # substitution 0 is a, 1 is a*; each step adds two
    for _ in range(depth):
        text += 'PFv%s%sE' % (code(number), code(number))
        number += 2
    return text


def bombs_of_symbols(size):
    """Names that are short and stand for much text."""
    return image({'.pad': bytes(size // 20)},
                 [pairs('f%04x' % i, 14) for i in range(size * 9 // 10 // 190)])


def long_mangled_names(size):
    """Names as long as they may be."""
    count = size * 9 // 10 // 65000
    return image({}, ['_Z5f%04x' % i + 'P' * 64900 + 'i' for i in range(count)])


def mangled_lines(size):
    """A long mangled function with a row for each byte."""
    name = pairs('main', 9)
    count = min(size * 8 // 10, TEXT * 7)
    rows = at(BASE) + bytes([13 + 5 + 14 + 1, 13 + 5 + 14]) * (count // 2) + END
    return image(debug(unit(PLAIN), PLAIN_UNIT + b'\0', line_table(rows)), [name, 'other'])


# -- Windows and lists ---------------------------------------------------------------------------

def pe(symbols, sections=(), strings=b''):
    out = peimage.Image()
    out.section('.text', 0x1000, bytes(TEXT))
    for name, address, data in sections:
        out.section(name, address, data)
    for name, place, auxiliary in symbols:
        out.symbol(name, 0x1000 + place, auxiliary=auxiliary)
    out.strings += strings
    return out.bytes()


def pe_names_of_one_string(size):
    count = size // 2 // 18
    out = bytearray(pe([('f%05x' % i, i, ()) for i in range(count)],
                       strings=long_string(size // 2)))
    table, = struct.unpack_from('<I', out, 64 + 4 + 8)
    for i in range(count):
        struct.pack_into('<II', out, table + 18 * i, 0, 4 + i)
    return bytes(out)


def pe_many_symbols(size):
    return pe([('f%05x' % i, i, ()) for i in range(size * 8 // 10 // 18)])


def pe_auxiliary(size):
    """Symbols that say they have more rows than there are."""
    return pe([('f%05x' % i, i, [b'\xff' * 18] * 2) for i in range(size * 8 // 10 // 54)])


def pe_many_sections(size):
    count = min(size // 60, 16000)
    return pe([('f%05x' % i, i, ()) for i in range(size // 4 // 18)],
              [('s%d' % (i % 1000), 0x1000 * (i + 64), b'\x90') for i in range(count)])


def pe_bombs(size):
    return pe([(pairs('f%04x' % i, 14), i, ()) for i in range(size * 9 // 10 // 200)])


def list_of_short_lines(size):
    return b''.join(b'%x t f\n' % (BASE + i % TEXT) for i in range(size // 11))


def list_of_one_address(size):
    return b''.join(b'%x T f%x\n' % (BASE, i) for i in range(size // 16))


def list_of_long_lines(size):
    return b''.join(b'%x T ' % (BASE + i) + b'n' * 50000 + b'%d\n' % i
                    for i in range(size // 50020))


def list_of_bombs(size):
    return b''.join(b'%x T %s\n' % (BASE + i * 4, pairs('f%04x' % i, 14).encode())
                    for i in range(size // 190))


def list_without_lines(size):
    return b' ' * (size // 2) + b'\n' * (size // 2)


def list_of_files(size):
    return b''.join(b'%x T f%x\tsome/%x.c:%d\n' % (BASE + i, i, i, i) for i in range(size // 32))


DWARF = [names_in_one_string, mangled_names_in_one_string, names_by_number, nested_with_one_name,
         files_in_one_string, folders_in_one_string, rows_of_one_long_path,
         overlapping_abbreviations, last_of_abbreviations, endless_abbreviation,
         lists_without_ranges, units_of_lists_without_ranges, overlapping_line_tables,
         headers_that_lie, rows_of_one_byte, rows_backwards, sequences_that_overlap,
         functions_that_overlap, compressed_rows, compressed_entries, many_units]
ELF = [relocations_again, notes_again, symbols_of_one_string, symbols_of_one_name, many_symbols,
       many_sections, code_of_calls, bombs_of_symbols, long_mangled_names, mangled_lines,
       libraries_without_end, versions_without_end]
PE = [pe_names_of_one_string, pe_many_symbols, pe_auxiliary, pe_many_sections, pe_bombs]
LIST = [list_of_short_lines, list_of_one_address, list_of_long_lines, list_of_bombs,
        list_without_lines, list_of_files]


def profile(base):
    """Samples all over the code, and a few calls."""
    bins = [1] * 16000
    out = Profile().histogram(base, base + TEXT, bins)
    for i in range(300):
        out.arc(base + 4, base + i * (TEXT // 300), 5)
    return out.bytes()


def cost_of(program, arguments, directory):
    """Processor time and memory of a run, and its status."""
    child = os.fork()
    if child == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in range(2):
                os.dup2(null, stream)
            os.dup2(os.open(os.path.join(directory, 'errors'),
                            os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
            limit = 40 if SANITIZED else 10
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            if not SANITIZED:
                resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
            os.chdir(directory)
            os.execve(program, ['gprofx'] + arguments, runner.environment())
        finally:
            os._exit(127)
    _, status, usage = os.wait4(child, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, status


def runs(recipe, directory, size):
    """The command lines for a recipe, after its files are there."""
    base = BASE
    with open(os.path.join(directory, 'image'), 'wb') as out:
        if recipe in LIST:
            out.write(image({}))
        else:
            out.write(recipe(size))
    if recipe in PE:
        base = 0x140001000
    elif recipe is relocations_again:
        base = 0
    with open(os.path.join(directory, 'gmon.out'), 'wb') as out:
        out.write(profile(base))
    if recipe in LIST:
        with open(os.path.join(directory, 'list'), 'wb') as out:
            out.write(recipe(size))
        return [o + ['-S', 'list', 'image'] for o in (['-b'], ['-b', '-C'], ['--gnu', '-b'])]
    return [o + ['image'] for o in OWN]


def other_runs(recipe, directory, size):
    """The command lines for a file that is no image, after the files are there."""
    lined = image(debug(unit(PLAIN), PLAIN_UNIT + b'\0', line_table(
        at(BASE) + b'\1' + b'\x04\2\x02\x08\x03\x01\x01\x04\1\x02\x08\x03\x01\x01' * (TEXT // 16 - 1) +
        b'\x02\x08' + END, b'a.c\0\0\0\0b.c\0\0\0\0')),
        ['f%x' % i for i in range(500)])
    many = image({}, ['f%x' % i for i in range(TEXT // costlyfiles.STEP)])
    for name, data in (('image', many), ('lined', lined), ('gmon.out', profile(BASE))):
        costlyfiles.put(directory, name, data)
    return recipe(size, directory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--only')
    parser.add_argument('--bytes', type=int, default=1000000)
    parser.add_argument('--keep')
    parser.add_argument('--all', action='store_true', help='all command lines, and print each run')
    chosen = parser.parse_args()
    program, costs, failed, passed = runner.program_under_test(), [], 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        recipes = DWARF + ELF + PE + LIST + costlyfiles.RECIPES
        for recipe in recipes if chosen.all or chosen.only else runner.share(recipes):
            if not (chosen.all or chosen.only or recipe not in costlyfiles.RECIPES or
                    recipe.__name__ in costlyfiles.SHORT):
                continue
            if chosen.only and not re.fullmatch(chosen.only, recipe.__name__):
                continue
            directory = os.path.join(chosen.keep or temporary, recipe.__name__)
            os.makedirs(directory, exist_ok=True)
            prepare = other_runs if recipe in costlyfiles.RECIPES else runs
            lines = prepare(recipe, directory, chosen.bytes)
            for arguments in lines if chosen.all else lines[:1] + lines[-1:]:
                seconds, memory, status = cost_of(program, arguments, directory)
                costs.append((seconds, memory, recipe.__name__, ' '.join(arguments)))
                bad = os.WIFSIGNALED(status) or os.WEXITSTATUS(status) not in (0, 1, 2)
                if not SANITIZED:
                    bad = bad or seconds > SECONDS or memory > MEMORY
                failed, passed = failed + bad, passed + (not bad)
                if bad or chosen.all:
                    print('%s %-30s %6.2f s %5d MB status %d: %s' % (
                        'FAIL' if bad else 'ok  ', recipe.__name__, seconds, memory >> 20, status,
                        ' '.join(arguments)), flush=True)
    for key, word in ((0, 'seconds'), (1, 'memory')):
        for cost in sorted(costs, key=lambda c: -c[key])[:3]:
            print('most %s: %.2f s, %d MB: %s (%s)' % (word, cost[0], cost[1] >> 20, *cost[2:]))
    print('costly: %d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

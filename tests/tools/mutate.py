# SPDX-License-Identifier: Apache-2.0
"""Damages files: where the fields of an ELF image and of a profile lie, and what to put there."""

EXTREMES = {
    1: (0, 1, 2, 3, 0x7f, 0x80, 0xff),
    2: (0, 1, 2, 0x7fff, 0x8000, 0xff00, 0xfff1, 0xffff),
    4: (0, 1, 2, 3, 0x18, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff),
    8: (0, 1, 3, 0x7fffffff, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
        0xfffffffffffffff0, 0xffffffffffffffff),
}


class Field:
    def __init__(self, name, at, width):
        self.name, self.at, self.width = name, at, width


def _row(prefix, at, names, widths):
    fields = []
    for name, width in zip(names.split(), widths):
        fields.append(Field('%s.%s' % (prefix, name), at, width))
        at += width
    return fields


def elf_fields(data):
    """The fields of the file header, the section headers, the segments and the symbols."""
    wide, order = data[4] == 2, 'little' if data[5] == 1 else 'big'
    a = 8 if wide else 4

    def number(at, width):
        return int.from_bytes(data[at:at + width], order)
    fields = _row('ident', 0, 'mag0 mag1 mag2 mag3 class data version abi', [1] * 8)
    fields += _row('ehdr', 16, 'type machine version entry phoff shoff flags ehsize phentsize '
                               'phnum shentsize shnum shstrndx', [2, 2, 4, a, a, a, 4] + [2] * 6)
    phoff, shoff = number(24 + a, a), number(24 + 2 * a, a)
    tail = 28 + 3 * a
    phentsize, phnum, shentsize, shnum = (number(tail + 2 + 2 * i, 2) for i in range(4))
    for i in range(phnum):
        widths = [4, 4, 8, 8, 8, 8, 8, 8] if wide else [4] * 8
        fields += _row('phdr%d' % i, phoff + i * phentsize, 'p0 p1 p2 p3 p4 p5 p6 p7', widths)
    for i in range(shnum):
        at = shoff + i * shentsize
        row = _row('shdr%d' % i, at, 'name type flags addr offset size link info align entsize',
                   [4, 4, a, a, a, a, 4, 4, a, a])
        fields += row
        if number(at + 4, 4) == 2:
            fields += _symbols(number(row[4].at, a), number(row[5].at, a), wide)
    return fields


def _symbols(offset, size, wide):
    fields, entry = [], 24 if wide else 16
    for i in range(size // entry):
        if wide:
            fields += _row('sym%d' % i, offset + i * entry, 'name info other shndx value size',
                           [4, 1, 1, 2, 8, 8])
        else:
            fields += _row('sym%d' % i, offset + i * entry, 'name value size info other shndx',
                           [4, 4, 4, 1, 1, 2])
    return fields


def gmon_fields(data, bits, order):
    """The fields of a well-formed tagged profile."""
    a, at = bits // 8, 20
    fields = _row('head', 0, 'cookie version spare', [4, 4, 8])

    def number(where, width):
        return int.from_bytes(data[where:where + width], 'little' if order == '<' else 'big')
    count = 0
    while at < len(data):
        tag, name = data[at], 'record%d' % count
        count += 1
        if tag == 0:
            row = _row(name, at, 'tag low high bins rate', [1, a, a, 4, 4])
            bins = number(row[3].at, 4)
            row += _row(name, at + 9 + 2 * a, 'dim0 dim1', [8, 8])
            row += _row(name, at + 25 + 2 * a, 'bin0', [2] if bins else [])
            at += 25 + 2 * a + 2 * bins
        elif tag == 1:
            row = _row(name, at, 'tag from self count', [1, a, a, 4])
            at += 5 + 2 * a
        else:
            row = _row(name, at, 'tag blocks address executed', [1, 4, a, a])
            at += 5 + 2 * a * number(at + 1, 4)
        fields += row
    return fields


def bsd_fields(data, bits):
    """The fields of an untagged profile, whichever header it has, and of its first arc."""
    a = bits // 8
    fields = _row('header', 0, 'low high size', [a, a, 4])
    fields += _row('versioned', 2 * a + 4, 'version rate counters spare0 spare1', [4] * 5)
    return fields + _row('arc', len(data) - 3 * a, 'from self count', [a] * 3)


def put(data, field, value, order):
    """A copy of the data with one field changed."""
    changed = bytearray(data)
    raw = (value & ((1 << 8 * field.width) - 1)).to_bytes(field.width,
                                                        'little' if order == '<' else 'big')
    changed[field.at:field.at + field.width] = raw
    return bytes(changed)


def flip(data, r):
    """A copy with a few random changes: bits, bytes, blocks, a cut, or something put in."""
    changed = bytearray(data)
    for _ in range(r.pick((1, 1, 2, 3, 8))):
        at = r.below(len(changed))
        kind = r.below(10)
        if kind < 4:
            changed[at] ^= 1 << r.below(8)
        elif kind < 7:
            changed[at] = r.pick((0, 1, 0x7f, 0x80, 0xff, r.below(256)))
        elif kind == 7:
            width = r.pick((2, 4, 8))
            changed[at:at + width] = r.pick((b'\xff', b'\0', b'\x7f')) * len(changed[at:at + width])
        elif kind == 8:
            there = r.below(len(changed))
            changed[at:at + 16] = changed[there:there + len(changed[at:at + 16])]
        else:
            changed[at:at] = bytes(r.below(256) for _ in range(r.between(1, 9)))
    return bytes(changed)

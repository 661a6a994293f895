# SPDX-License-Identifier: Apache-2.0
"""Writes tiny a.out images byte by byte, as elfimage does for ELF, after a.out(5) of the systems."""
import struct

OMAGIC, NMAGIC, ZMAGIC, QMAGIC = 0o407, 0o410, 0o413, 0o314
HEADER = 32

# Types of symbols, as nm prints them, and those of file names and of debug information.
TYPES = {'U': 1, 'a': 2, 'A': 3, 't': 4, 'T': 5, 'd': 6, 'D': 7, 'b': 8, 'B': 9, 'W': 0x0f,
         'fn': 0x1f, 'so': 0x64, 'fun': 0x24, 'sline': 0x44}


class System:
    """`order` is that of all words but the first one, which is in network order if `network`.
    The text is at `text_at` in the file, with the header if that is 0, and at `address`."""

    def __init__(self, number, order, magic, text_at, address, elf, network=None, bits=32,
                 flags=0):
        self.number, self.order, self.magic, self.elf = number, order, magic, elf
        self.text_at, self.address, self.bits, self.flags = text_at, address, bits, flags
        self.first = '>' if order == '>' or network else '<'


I386, M68K, SPARC, VAX, ARM, MIPS, ALPHA = 3, 4, 2, 75, 40, 8, 0x9026

SYSTEMS = {
    'sunos-68010': System(1, '>', ZMAGIC, 0, 0x2000, M68K),
    'sunos-68020': System(2, '>', ZMAGIC, 0, 0x2000, M68K, flags=0x8100),
    'sunos-sparc': System(3, '>', ZMAGIC, 0, 0x2000, SPARC, flags=0x8100),
    'sunos-nmagic': System(3, '>', NMAGIC, 32, 0x2000, SPARC),
    'sunos-library': System(3, '>', ZMAGIC, 0, 0, SPARC, flags=0x8000),
    'sunos-object': System(3, '>', OMAGIC, 32, 0, SPARC),
    'linux-omagic': System(100, '<', OMAGIC, 32, 0, I386),
    'linux-nmagic': System(100, '<', NMAGIC, 32, 0, I386),
    'linux-zmagic': System(100, '<', ZMAGIC, 1024, 0, I386),
    'linux-qmagic': System(100, '<', QMAGIC, 0, 0x1000, I386),
    'linux-m68k': System(2, '>', ZMAGIC, 1024, 0, M68K),
    '386bsd': System(0, '<', ZMAGIC, 4096, 0, 0),
    'freebsd-qmagic': System(134, '<', QMAGIC, 0, 0x1000, I386),
    'freebsd-zmagic': System(134, '<', ZMAGIC, 4096, 0, I386),
    'freebsd-dynamic': System(134, '<', QMAGIC, 0, 0x1000, I386, flags=0x8000),
    'freebsd-network': System(134, '<', ZMAGIC, 0, 0x1000, I386, network=True),
    'netbsd-i386': System(134, '<', ZMAGIC, 0, 0x1000, I386, network=True, flags=0x8000),
    'netbsd-nmagic': System(134, '<', NMAGIC, 32, 0x1000, I386, network=True),
    'netbsd-object': System(134, '<', OMAGIC, 32, 0, I386, network=True),
    'netbsd-kernel': System(134, '<', ZMAGIC, 0, 0xf0100000, I386, network=True),
    'netbsd-m68k': System(135, '>', ZMAGIC, 0, 0x2000, M68K),
    'netbsd-m68k4k': System(136, '>', ZMAGIC, 0, 0x1000, M68K),
    'netbsd-sun2': System(144, '>', ZMAGIC, 0, 0x800, M68K),
    'netbsd-sparc': System(138, '>', ZMAGIC, 0, 0x2000, SPARC),
    'netbsd-vax': System(150, '<', ZMAGIC, 0, 0x1000, VAX, network=True),
    'netbsd-vax-host': System(150, '<', ZMAGIC, 4096, 0, VAX),
    'netbsd-vax1k': System(140, '<', ZMAGIC, 0, 0x400, VAX, network=True),
    'netbsd-pmax': System(139, '<', ZMAGIC, 0, 0x1000, MIPS, network=True),
    'netbsd-mips': System(142, '>', ZMAGIC, 0, 0x1000, MIPS),
    'netbsd-arm32': System(143, '<', ZMAGIC, 0, 0x1000, ARM, network=True),
    'netbsd-alpha': System(141, '<', ZMAGIC, 0, 0x2000, ALPHA, network=True, bits=64),
    'hp300': System(300, '>', ZMAGIC, 4096, 0, M68K),
    '4.3bsd-vax': System(0, '<', ZMAGIC, 1024, 0, 0),
    '4.3bsd-nmagic': System(0, '<', NMAGIC, 32, 0, 0),
    'sun2': System(0, '>', OMAGIC, 32, 0, 0),
}


class Image:
    """An image under construction; `bytes()` gives its contents. Symbols and their names keep the
    order of the calls. Its text has a page at least, with the header if that is part of it."""

    def __init__(self, system, code=bytes(0x400), entry=None, address=None):
        self.system = SYSTEMS[system]
        self.order, self.bits = self.system.order, self.system.bits
        self.address = self.system.address if address is None else address
        self.base = self.address + (HEADER if self.system.text_at == 0 else 0)
        self.code = code
        self.entry = self.base if entry is None else entry
        self.data, self.relocations = bytes(16), b''
        self.rows, self.names = [], bytearray()

    def symbol(self, name, address, kind='T', other=0, desc=0):
        """`kind` is a key of TYPES or a number."""
        raw = name if isinstance(name, bytes) else name.encode()
        kind = kind if isinstance(kind, int) else TYPES[kind]
        self.rows.append(struct.pack(self.order + 'IBBHI', 4 + len(self.names) if raw else 0, kind,
                                     other, desc, address))
        self.names += raw + b'\0' if raw else b''
        return self

    def functions(self, names, step=0x40):
        """Functions from the start of the code on; a name that starts with '~' is local."""
        for i, name in enumerate(names):
            self.symbol('_' + name.lstrip('~'), self.base + i * step, 't' if name[0] == '~' else 'T')
        return self

    def bytes(self):
        system = self.system
        word = (system.flags << 16 | system.number << 16 | system.magic) & 0xffffffff
        if system.text_at == 0:
            text = bytes(HEADER) + self.code
        else:
            text = self.code
        if system.magic in (ZMAGIC, QMAGIC):
            text += bytes(-len(text) % 1024)
        symbols = b''.join(self.rows)
        header = struct.pack(system.first + 'I', word) + struct.pack(
            self.order + '7I', len(text), len(self.data), 64, len(symbols), self.entry,
            len(self.relocations), 0)
        start = header + text[HEADER:] if system.text_at == 0 else \
            header.ljust(system.text_at, b'\0') + text
        out = start + self.data + self.relocations + symbols
        if self.rows:
            out += struct.pack(self.order + 'I', 4 + len(self.names)) + self.names
        return out


def _add_stabs(image, rows, strings):
    """Stabs of ELF: lines have addresses in a.out, and functions no entries at their end."""
    base = next_base = function = 0
    for string, kind, other, desc, value in struct.iter_unpack(image.order + 'IBBHI', rows):
        if kind == 0:
            base, next_base = next_base, next_base + value
            continue
        name = strings[base + string:strings.index(b'\0', base + string)] if string else b''
        if kind == TYPES['fun']:
            if not name:
                continue
            function = value
        image.symbol(name, value + function if kind == TYPES['sline'] else value, kind, other, desc)


def from_elf(system, data):
    """The code, functions and stabs of a linked ELF image of 32 bits as an a.out image: as elfimage
    and linkers write it, with one section .text."""
    order = '<' if data[5] == 1 else '>'
    sections_at, = struct.unpack_from(order + 'I', data, 32)
    row_bytes, count, names = struct.unpack_from(order + '3H', data, 46)
    sections = [struct.unpack_from(order + '10I', data, sections_at + i * row_bytes)
                for i in range(count)]

    def text_at(section, at):
        start = sections[section][4] + at
        return data[start:data.index(b'\0', start)]

    by_name = {text_at(names, s[0]): (i, s) for i, s in enumerate(sections)}
    number, text = by_name[b'.text']
    code = data[text[4]:text[4] + text[5]]
    page = text[3] & ~0xfff if SYSTEMS[system].text_at == 0 else text[3]
    image = Image(system, address=page, entry=struct.unpack_from(order + 'I', data, 24)[0])
    image.code = bytes(text[3] - image.base) + code
    _, symbols = by_name[b'.symtab']
    for at in range(symbols[4], symbols[4] + symbols[5], 16):
        name, value, _, info, _, where = struct.unpack_from(order + 'IIIBBH', data, at)
        if where == number and info & 15 in (0, 2):
            image.symbol(b'_' + text_at(symbols[6], name), value, 'T' if info >> 4 else 't')
    if b'.stab' in by_name:
        sections = [by_name[name][1] for name in (b'.stab', b'.stabstr')]
        _add_stabs(image, *(data[s[4]:s[4] + s[5]] for s in sections))
    return image

# SPDX-License-Identifier: Apache-2.0
"""Writes tiny Windows images (PE) and objects (COFF) byte by byte, as elfimage does for ELF."""
import struct

# name: (machine, bits, image base)
MACHINES = {'i386': (0x14c, 32, 0x400000), 'x86_64': (0x8664, 64, 0x140000000),
            'arm64': (0xaa64, 64, 0x140000000)}

CODE, DATA, BSS, EXECUTE, READ, WRITE = 0x20, 0x40, 0x80, 0x20000000, 0x40000000, 0x80000000
TEXT = CODE | EXECUTE | READ | 0x500000
EXTERNAL, STATIC, LABEL, FILE, SECTION, WEAK = 2, 3, 6, 103, 104, 105
FUNCTION = 0x20
UNDEFINED, ABSOLUTE, DEBUG = 0, -1, -2


class Image:
    """An image, or an object if `linked` is false; `bytes()` gives its contents.

    Symbols keep the order of the calls, and so do the strings of names that are longer than 8
    bytes: a test decides what stands behind a name. The addresses of symbols and sections are
    relative to the image base, as they are in the file.
    """

    def __init__(self, machine='x86_64', linked=True, base=None):
        self.machine, self.bits, self.base = MACHINES[machine]
        self.order = '<'
        self.linked = linked
        if base is not None:
            self.base = base
        if not linked:
            self.base = 0
        self.sections, self.rows, self.strings = [], [], bytearray()
        self.numbers = {}               # of sections by their names, the first of each

    def section(self, name, address, data, flags=TEXT, size=None):
        self.numbers.setdefault(name, len(self.sections) + 1)
        self.sections.append((name, address, bytes(data), flags,
                              len(data) if size is None else size))
        return self

    def number(self, section):
        """The number of a section by its name; numbers are taken as they are."""
        if isinstance(section, int):
            return section
        return self.numbers[section]

    def symbol(self, name, address, section='.text', kind=EXTERNAL, type=FUNCTION, auxiliary=()):
        """`address` is relative to the image base; auxiliary rows are 18 bytes each."""
        number = self.number(section)
        value = address
        if number > 0:
            value -= self.sections[number - 1][1] if number <= len(self.sections) else 0
        raw = name if isinstance(name, bytes) else name.encode()
        if len(raw) > 8:
            raw = struct.pack('<II', 0, 4 + len(self.strings))
            self.strings += (name if isinstance(name, bytes) else name.encode()) + b'\0'
        self.rows.append(raw.ljust(8, b'\0') + struct.pack(
            '<IhHBB', value & 0xffffffff, number, type, kind, len(auxiliary)))
        self.rows += [bytes(row).ljust(18, b'\0') for row in auxiliary]
        return self

    def source(self, name):
        """The row that begins the symbols of an object file."""
        return self.symbol('.file', 0, DEBUG, FILE, 0, [name.encode()[:18]])

    def _optional_header(self):
        wide = self.bits == 64
        out = struct.pack('<HBBIIIII', 0x20b if wide else 0x10b, 2, 40, 0x200, 0, 0, 0x1000, 0x1000)
        out += struct.pack('<Q', self.base) if wide else struct.pack('<II', 0x2000, self.base)
        out += struct.pack('<IIHHHHHHIIIIHH', 0x1000, 0x200, 4, 0, 0, 0, 5, 2, 0, 0x10000, 0x400,
                           0, 3, 0)
        out += struct.pack('<QQQQ' if wide else '<IIII', 0x200000, 0x1000, 0x100000, 0x1000)
        return out + struct.pack('<II', 0, 16) + bytes(16 * 8)

    def bytes(self):
        start, optional = b'', b''
        if self.linked:
            start = (b'MZ'.ljust(60, b'\0') + struct.pack('<I', 64) + b'PE\0\0')
            optional = self._optional_header()
        at = len(start) + 20 + len(optional) + 40 * len(self.sections)
        headers, contents = b'', b''
        for name, address, data, flags, size in self.sections:
            headers += name.encode()[:8].ljust(8, b'\0')
            headers += struct.pack('<IIIIIIHHI', size if self.linked else 0, address, len(data),
                                   at + len(contents) if data else 0, 0, 0, 0, 0, flags)
            contents += data
        header = struct.pack('<HHIIIHH', self.machine, len(self.sections), 0,
                             at + len(contents) if self.rows else 0, len(self.rows),
                             len(optional), 0x22e if self.linked else 0)
        out = start + header + optional + headers + contents
        if self.rows:
            out += b''.join(self.rows) + struct.pack('<I', 4 + len(self.strings)) + self.strings
        return out

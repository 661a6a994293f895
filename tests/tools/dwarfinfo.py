# SPDX-License-Identifier: Apache-2.0
"""Writes the DWARF sections (version 2 to 5) that say which file and line an address belongs to.

Only what a profiler asks for: compilation units, functions and line tables, no types.
"""
import struct
import zlib

from elfimage import COMPRESSED

COMPILE_UNIT, SUBPROGRAM = 0x11, 0x2e
NAME, STMT_LIST, LOW_PC, HIGH_PC, COMP_DIR, LINKAGE_NAME = 0x03, 0x10, 0x11, 0x12, 0x1b, 0x6e
FORM_ADDR, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_UDATA, FORM_OFFSET = 1, 6, 7, 8, 0x0f, 0x17


def uleb(value):
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7f
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def sleb(value):
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7f
        done = value == (-1 if low & 0x40 else 0)
        out.append(low | (0 if done else 0x80))
        if done:
            return bytes(out)


def string(text):
    return text.encode() + b'\0'


class Function:
    """`rows` are (offset, line) or (offset, line, file), offsets counted from `address`.

    Of code without a name (None) only the lines are known.
    """

    def __init__(self, name, address, size, rows, linkage=None):
        self.name, self.address, self.size, self.linkage = name, address, size, linkage
        self.rows = [r if len(r) == 3 else (r[0], r[1], None) for r in rows]


class Unit:
    """One compilation unit. `directory` is its DW_AT_comp_dir, None for none at all."""

    def __init__(self, name, functions, directory=None):
        self.name, self.functions, self.directory = name, functions, directory
        self.low = min(f.address for f in functions)
        self.high = max(f.address + f.size for f in functions)


class _Writer:
    def __init__(self, bits, order, version, implied):
        self.order, self.version, self.width = order, version, bits // 8
        self.implied = implied
        self.mask = (1 << bits) - 1

    def number(self, value, width):
        letter = {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[width]
        return struct.pack(self.order + letter, value & ((1 << 8 * width) - 1))

    def address(self, value):
        return self.number(value & self.mask, self.width)

    def with_length(self, body):
        return self.number(len(body), 4) + body

    # -- .debug_line ----------------------------------------------------------------------------

    def _files(self, unit):
        files = [unit.name]
        for function in unit.functions:
            for _, _, name in function.rows:
                if name is not None and name not in files:
                    files.append(name)
        return files

    def _program(self, unit, files):
        first = 0 if self.version == 5 else 1
        out = bytearray()
        for function in unit.functions:
            if not function.rows:
                continue
            out += b'\0' + uleb(1 + self.width) + b'\x02' + self.address(function.address)
            at, line, file = 0, 1, 1 if self.implied else None
            for offset, new_line, name in function.rows:
                out += b'\x02' + uleb(offset - at) if offset != at else b''
                new_file = first + files.index(name or unit.name)
                out += b'\x04' + uleb(new_file) if new_file != file else b''
                out += b'\x03' + sleb(new_line - line) if new_line != line else b''
                out += b'\x01'
                at, line, file = offset, new_line, new_file
            out += b'\x02' + uleb(function.size - at) + b'\0\x01\x01'
        return bytes(out)

    def line_table(self, unit):
        files = self._files(unit)
        head = b'\x01'                          # smallest instruction
        if self.version >= 4:
            head += b'\x01'                     # operations per instruction
        head += bytes([1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
        if self.version == 5:
            head += b'\x01' + uleb(1) + uleb(FORM_STRING) + uleb(1) + string(unit.directory or '.')
            head += b'\x02' + uleb(1) + uleb(FORM_STRING) + uleb(2) + uleb(FORM_UDATA)
            head += uleb(len(files))
            for name in files:
                head += string(name) + uleb(0)
        else:
            head += b'\0'
            for name in files:
                head += string(name) + uleb(0) + uleb(0) + uleb(0)
            head += b'\0'
        body = self.number(self.version, 2)
        if self.version == 5:
            body += bytes([self.width, 0])
        return self.with_length(body + self.number(len(head), 4) + head
                                + self._program(unit, files))

    # -- .debug_info, .debug_abbrev, .debug_aranges -----------------------------------------------

    def _forms(self):
        high = FORM_ADDR if self.version < 4 else FORM_DATA8
        return high, FORM_DATA4 if self.version < 4 else FORM_OFFSET

    def abbreviations(self):
        """1 and 2: a unit without and with a directory; 3 and 4: a function without and with
        a linkage name."""
        high, offset = self._forms()
        unit = [(NAME, FORM_STRING), (LOW_PC, FORM_ADDR), (HIGH_PC, high), (STMT_LIST, offset)]
        function = [(NAME, FORM_STRING), (LOW_PC, FORM_ADDR), (HIGH_PC, high)]
        linkage = LINKAGE_NAME if self.version >= 4 else 0x2007
        out = b''
        for code, tag, children, pairs in (
                (1, COMPILE_UNIT, 1, unit), (2, COMPILE_UNIT, 1, unit + [(COMP_DIR, FORM_STRING)]),
                (3, SUBPROGRAM, 0, function),
                (4, SUBPROGRAM, 0, function + [(linkage, FORM_STRING)])):
            out += uleb(code) + uleb(tag) + bytes([children])
            out += b''.join(uleb(a) + uleb(f) for a, f in pairs) + b'\0\0'
        return out + b'\0'

    def _range(self, low, high):
        if self.version < 4:
            return self.address(low) + self.address(high)
        return self.address(low) + self.number(high - low, 8)

    def unit(self, unit, line_offset):
        die = uleb(1 if unit.directory is None else 2) + string(unit.name)
        die += self._range(unit.low, unit.high) + self.number(line_offset, 4)
        die += b'' if unit.directory is None else string(unit.directory)
        for f in unit.functions:
            if f.name is None:
                continue
            die += uleb(3 if f.linkage is None else 4) + string(f.name)
            die += self._range(f.address, f.address + f.size)
            die += b'' if f.linkage is None else string(f.linkage)
        die += b'\0'
        if self.version == 5:
            head = self.number(5, 2) + bytes([1, self.width]) + self.number(0, 4)
        else:
            head = self.number(self.version, 2) + self.number(0, 4) + bytes([self.width])
        return self.with_length(head + die)

    def aranges(self, unit, info_offset):
        body = self.number(2, 2) + self.number(info_offset, 4) + bytes([self.width, 0])
        body += bytes(-(4 + len(body)) % (2 * self.width))
        body += self.address(unit.low) + self.address(unit.high - unit.low)
        return self.with_length(body + bytes(2 * self.width))


def add_debug_info(image, units, version=4, aranges=True, compress=None, implied=False):
    """Adds the debug sections to an image.

    `compress`: None, 'elf' (sections flagged as compressed) or 'gnu' (.zdebug_ sections).
    `implied`: no line table says that it starts in file 1, since that is where each starts.
    """
    w = _Writer(image.bits, image.order, version, implied)
    info, lines, ranges = b'', b'', b''
    for unit in units:
        ranges += w.aranges(unit, len(info))
        info += w.unit(unit, len(lines))
        lines += w.line_table(unit)
    parts = [('info', info), ('abbrev', w.abbreviations()), ('line', lines)]
    if aranges:
        parts.append(('aranges', ranges))
    for name, data in parts:
        if compress == 'elf':
            head = w.number(1, 4) + (bytes(4) if image.bits == 64 else b'')
            head += w.address(len(data)) + w.address(1)
            image.section('.debug_' + name, 0, head + zlib.compress(data, 9), COMPRESSED, align=8)
        elif compress == 'gnu':
            packed = b'ZLIB' + struct.pack('>Q', len(data)) + zlib.compress(data, 9)
            image.section('.zdebug_' + name, 0, packed, 0, align=1)
        else:
            image.section('.debug_' + name, 0, data, 0, align=1)
    return image

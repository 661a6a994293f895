# SPDX-License-Identifier: Apache-2.0
"""Writes tiny Mach-O images byte by byte, as elfimage does for ELF, and files of several of them."""
import struct

# name: (processor, variant, bits, byte order)
MACHINES = {'i386': (7, 3, 32, '<'), 'x86_64': (0x1000007, 3, 64, '<'), 'armv7': (12, 9, 32, '<'),
            'arm64': (0x100000c, 0, 64, '<'), 'ppc': (18, 0, 32, '>'), 'ppc64': (0x1000012, 0, 64, '>')}

CODE, STUBS, DATA = 0x80000400, 0x80000408, 0
EXTERNAL, LOCAL, UNDEFINED, THUMB, WEAK = 0x0f, 0x0e, 0x01, 8, 0x80


class Image:
    """An image with sections and symbols; `bytes()` gives its contents."""

    def __init__(self, machine='x86_64', kind=2):
        self.processor, self.variant, self.bits, self.order = MACHINES[machine]
        self.kind, self.sections, self.rows, self.strings = kind, [], [], bytearray(1)
        self.commands = []

    def section(self, name, address, data, flags=CODE, segment='__TEXT'):
        self.sections.append((name, segment, address, bytes(data), flags))
        return self

    def symbol(self, name, address, number=1, type=EXTERNAL, properties=0):
        self.rows.append((len(self.strings), type, number, properties, address))
        self.strings += name.encode() + b'\0'
        return self

    def command(self, kind, data):
        """Another load command, such as the UUID: (0x1b, 16 bytes)."""
        self.commands.append(struct.pack(self.order + 'II', kind, 8 + len(data)) + data)
        return self

    def pack(self, format, *values):
        return struct.pack(self.order + format.replace('P', 'Q' if self.bits == 64 else 'I'), *values)

    def segment(self, offset):
        """The segment of all sections, whose contents begin at an offset of the file."""
        bits = self.bits == 64
        out = self.pack('II16sPPPPIIII', 25 if bits else 1,
                        (72 if bits else 56) + (80 if bits else 68) * len(self.sections), b'__TEXT',
                        0x1000, 0x10000, offset, sum(len(row[3]) for row in self.sections), 7, 5,
                        len(self.sections), 0)
        for name, segment, address, data, flags in self.sections:
            out += self.pack('16s16sPPIIIIIII' + 'I' * bits, name.encode(), segment.encode(), address,
                             len(data), offset, 2, 0, 0, flags, 0, 0, *[0] * bits)
            offset += len(data)
        return out

    def bytes(self):
        wide = self.bits == 64
        header = 32 if wide else 28
        length = header + len(self.segment(0)) + 24 + sum(map(len, self.commands))
        contents = b''.join(data for _, _, _, data, _ in self.sections)
        rows = length + len(contents)
        table = b''.join(self.pack('IBBHP', *row) for row in self.rows)
        commands = self.segment(length) + b''.join(self.commands) + self.pack(
            'IIIIII', 2, 24, rows, len(self.rows), rows + len(table), len(self.strings))
        return self.pack('IIIIIII' + 'I' * wide, 0xfeedface + wide, self.processor, self.variant,
                         self.kind, 2 + len(self.commands), len(commands), 0x80, *[0] * wide) + \
            commands + contents + table + self.strings


def fat(images, wide=False):
    """A file of several images, as of lipo; the 64-bit form if it is wide."""
    data, out = b'', struct.pack('>II', 0xcafebabe + wide, len(images))
    first = 8 + (32 if wide else 20) * len(images)
    for image in images:
        part = image.bytes()
        out += struct.pack('>IIQQII' if wide else '>IIIII', image.processor, image.variant,
                           first + len(data), len(part), *[0] * (1 + wide))
        data += part
    return out + data

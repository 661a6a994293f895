# SPDX-License-Identifier: Apache-2.0
"""Writes gmon.out files, whole or damaged, for any pointer size and byte order."""
import struct

HISTOGRAM, ARC, BLOCKS = 0, 1, 2


class Profile:
    """A profile under construction; every method appends one record and returns the profile."""

    def __init__(self, bits=64, order='<', version=1, magic=b'gmon', spare=bytes(12)):
        self.order, self.pointer = order, 'Q' if bits == 64 else 'I'
        self.mask = (1 << bits) - 1
        self.data = bytearray(magic + struct.pack(order + 'I', version) + spare)

    @classmethod
    def of(cls, image, **named):
        """A profile in the class and byte order of an image."""
        return cls(image.bits, image.order, **named)

    def histogram(self, low, high, bins, rate=100, unit=b'seconds', letter=b's', count=None):
        """One histogram record. `count` overrules the number of bins that is written."""
        self.data += bytes([HISTOGRAM])
        self.data += struct.pack(self.order + self.pointer * 2, low & self.mask, high & self.mask)
        self.data += struct.pack(self.order + 'II', len(bins) if count is None else count, rate)
        self.data += unit[:15].ljust(15, b'\0') + letter
        self.data += struct.pack('%s%dH' % (self.order, len(bins)), *bins)
        return self

    def arc(self, caller, callee, count):
        self.data += bytes([ARC])
        self.data += struct.pack(self.order + self.pointer * 2 + 'I', caller & self.mask,
                                 callee & self.mask, count)
        return self

    def blocks(self, pairs, count=None):
        """A basic-block record of version 1: (address, count) pairs."""
        self.data += bytes([BLOCKS])
        self.data += struct.pack(self.order + 'I', len(pairs) if count is None else count)
        for address, executed in pairs:
            self.data += struct.pack(self.order + self.pointer * 2, address & self.mask, executed)
        return self

    def blocks_version_0(self, comment, rows):
        """A basic-block record of version 0; rows are (count, address, text, text, line).

        Its block fields are in the byte order of the machine that wrote them, here always
        little-endian, and 8 bytes wide whatever the image's class.
        """
        self.data += bytes([BLOCKS]) + struct.pack(self.order + 'I', len(rows)) + comment + b'\0'
        for executed, address, first, second, line in rows:
            self.data += struct.pack('<QQ', executed, address) + first + b'\0' + second + b'\0'
            self.data += struct.pack('<i', line)
        return self

    def raw(self, data):
        self.data += data
        return self

    def cut(self, length):
        """Keeps `length` bytes, or drops that many from the end if it is negative."""
        del self.data[length:]
        return self

    def bytes(self):
        return bytes(self.data)


def bsd_profile(low, high, bins, arcs, bits=64, order='<', rate=None, size=None, tail=b''):
    """The untagged formats: the old header, or the 4.4BSD one when a rate is given."""
    pointer = 'Q' if bits == 64 else 'I'
    header = bits // 4 + 4 + (0 if rate is None else 20)
    out = struct.pack(order + pointer * 2 + 'I', low, high,
                      header + 2 * len(bins) if size is None else size)
    if rate is not None:
        out += struct.pack(order + 'II', 0x51879, rate) + bytes(12)
    out += struct.pack('%s%dH' % (order, len(bins)), *bins)
    for caller, callee, count in arcs:
        out += struct.pack(order + pointer * 3, caller, callee, count)
    return out + tail


def read_profile(data, bits=64, order='<'):
    """The records of a tagged profile: ('hist', low, high, bins, rate, unit + letter),
    ('arc', caller, callee, count) and ('blocks', pairs)."""
    pointer, at, records = ('Q' if bits == 64 else 'I'), 20, []

    def take(layout):
        nonlocal at
        values = struct.unpack_from(order + layout, data, at)
        at += struct.calcsize(order + layout)
        return values

    assert data[:4] == b'gmon' and struct.unpack_from(order + 'I', data, 4) == (1,)
    while at < len(data):
        tag, = take('B')
        if tag == HISTOGRAM:
            low, high, count, rate = take(pointer * 2 + 'II')
            unit, = take('16s')
            records.append(('hist', low, high, list(take('%dH' % count)), rate, unit))
        elif tag == ARC:
            records.append(('arc',) + take(pointer * 2 + 'I'))
        else:
            assert tag == BLOCKS
            count, = take('I')
            records.append(('blocks', [take(pointer * 2) for _ in range(count)]))
    return records


def layouts():
    """(name, bits, byte order) of each layout of untagged profiles."""
    return [(str(bits) + ('l' if order == '<' else 'b'), bits, order)
            for bits in (64, 32) for order in '<>']


def library_profile(low, high, bins, arcs, bits=64, order='<', rate=100, room=None, count=None,
                    version=0x1ffff):
    """What the GNU dynamic linker writes under LD_PROFILE.

    Addresses of arcs are full ones here, 0 for an unknown caller; the file counts them from `low`.
    `room`: arcs the table has space for; `count` overrules the number in use.
    """
    pointer = 'Q' if bits == 64 else 'I'
    out = bytearray(b'gmon' + struct.pack(order + 'I', version) + bytes(12))
    out += struct.pack(order + 'I' + pointer * 2 + 'II', 0, low, high, len(bins), rate)
    out += b'seconds'.ljust(15, b'\0') + b's'
    out += struct.pack('%s%dH' % (order, len(bins)), *bins)
    out += struct.pack(order + 'II', 1, len(arcs) if count is None else count)
    for caller, callee, calls in arcs:
        out += struct.pack(order + pointer * 2 + 'I', caller - low if caller else 0, callee - low,
                           calls)
    return bytes(out) + bytes((2 * bits // 8 + 4) * ((room or len(arcs)) - len(arcs)))


def prof_profile(low, high, functions, bins, bits=64, order='<', room=None, count=None, tail=b''):
    """A System V mon.out; `functions`: (address, calls), `room`: rows there are in all."""
    pointer = 'Q' if bits == 64 else 'I'
    rows = list(functions) + [(0, 0)] * ((room or len(functions)) - len(functions))
    out = struct.pack(order + pointer * 2 + 'I', low, high, len(rows) if count is None else count)
    out += bytes(4 if bits == 64 else 0)
    out += b''.join(struct.pack(order + pointer * 2, *row) for row in rows)
    return out + struct.pack('%s%dH' % (order, len(bins)), *bins) + tail


class Block:
    """A row of bb.out; what is None is not printed."""

    def __init__(self, count, address=None, function=None, line=None, file=None):
        self.count, self.address, self.function = count, address, function
        self.line, self.file = line, file


def _block_lines(blocks):
    def width(texts):
        return max((len(t) for t in texts), default=0)
    counts = width(str(b.count) for b in blocks)
    digits = width('%x' % b.address for b in blocks if b.address is not None)
    names = width(b.function for b in blocks if b.function)
    for number, b in enumerate(blocks, 1):
        line = '    Block #%*d: executed %*d time(s)' % (len(str(len(blocks))), number, counts,
                                                         b.count)
        if b.address is not None:
            line += ' address= 0x%0*x' % (digits, b.address)
        if b.function is not None:
            line += ' function= %-*s' % (names, b.function)
        if b.line is not None:
            line += ' line= %3d' % b.line
        if b.file is not None:
            line += ' file= %s' % b.file
        yield line


def block_listing(groups, date='Thu Jan  1 00:00:00 1970'):
    """What one run appends to bb.out; `groups`: (file, [Block])."""
    lines = ['Basic block profiling finished on %s' % date, '']
    for name, blocks in groups:
        lines += ['File %s, %d basic blocks ' % (name, len(blocks)), '']
        lines += list(_block_lines(blocks)) + ['', '']
    return ('\n'.join(lines) + '\n').encode()


def converted_blocks(groups, order='<'):
    """What bbconv.pl makes of such a listing: numbers of four bytes in its machine's order."""
    out = b'gmon' + struct.pack(order + 'I', 1) + bytes(12)
    for _, blocks in groups:
        out += bytes([BLOCKS]) + struct.pack(order + 'I', len(blocks))
        for b in blocks:
            out += struct.pack(order + 'II', b.address, b.count)
    return out

# SPDX-License-Identifier: Apache-2.0
"""Reads files of the collector (gprofx-collect(5)) without any code of the project."""
import collections
import struct
import subprocess

HEADER = struct.Struct('<8sIIBBHIIIIIQQIIQQQQIIQQ')
HEADER_NAMES = ('magic version order pointer state machine pid parent sequence page flags start end rate '
                'clock bytes lost_calls lost_samples failures epoch threads sampling_ns program').split()
CHUNK = struct.Struct('<IHHQQQIIQQI')
ARCS, STACKS, OBJECTS, THREADS, STRINGS, BLOCKS, EVENTS = range(1, 8)
Object = collections.namedtuple('Object', 'low high bias first last path')


class File:
    def __init__(self, path):
        with open(path, 'rb') as data:
            self.bytes = data.read()
        self.header = dict(zip(HEADER_NAMES, HEADER.unpack_from(self.bytes)))
        self.chunks = list(self._chunks())
        self.strings = next((self.bytes[at:at + count] for kind, _, at, count, _, _ in self.chunks
                             if kind == STRINGS), b'')
        self.objects = [Object(low, high, bias, first, last, self.text(path))
                        for low, high, bias, first, last, _, path in self._rows(OBJECTS, '<QQQII20sI')]
        self.program = self.text(self.header['program'])

    def _chunks(self):
        at = self.header['page']
        while at + 64 <= len(self.bytes):
            magic, kind, entry, size, capacity, used, _, epoch, _, _, owner = CHUNK.unpack_from(self.bytes, at)
            if magic == 0:
                at += self.header['page']
                continue
            assert magic == 0x4b435847 and size % self.header['page'] == 0, hex(at)
            yield kind, entry, at + 64, min(capacity, used), epoch, owner
            at += size

    def _rows(self, kind, layout):
        for found, entry, at, count, _, _ in self.chunks:
            if found == kind:
                for i in range(count):
                    yield struct.unpack_from(layout, self.bytes, at + i * entry)

    def text(self, offset):
        return self.strings[offset:self.strings.find(b'\0', offset)].decode()

    def object_of(self, address, owner=0):
        """The object that an address belongs to, or None."""
        if owner and self.objects[owner - 1].low <= address < self.objects[owner - 1].high:
            return self.objects[owner - 1]
        for row in reversed(self.objects):
            if row.low <= address < row.high and row.last == 0:
                return row
        return next((row for row in reversed(self.objects) if row.low <= address < row.high), None)

    def calls(self):
        """(site, callee): count, both as (path of the object or None, address as linked)."""
        sums = collections.Counter()
        for kind, entry, at, count, _, owner in self.chunks:
            for i in range(count if kind == ARCS else 0):
                site, callee, calls, _ = struct.unpack_from('<QQQQ', self.bytes, at + i * entry)
                if calls:
                    sums[tuple((row.path, address - row.bias) if row else (None, address)
                               for address, row in ((site, self.object_of(site, owner)),
                                                    (callee, self.object_of(callee, owner))))] += calls
        return sums

    def stacks(self):
        """(weight, squares, flags, addresses, the innermost first) of each stack."""
        for kind, entry, at, count, _, _ in self.chunks:
            if kind != STACKS:
                continue
            rows = [struct.unpack_from('<QIIQQ', self.bytes, at + i * entry) for i in range(count)]
            for pc, parent, flags, weight, squares in rows:
                if weight == 0:
                    continue
                chain = [pc]
                while parent:
                    chain.append(rows[parent - 1][0])
                    parent = rows[parent - 1][1]
                yield weight, squares, flags, chain

    def samples(self):
        return sum(weight for weight, _, _, _ in self.stacks())


class Symbols:
    """Names of addresses in a file, as nm lists them."""

    def __init__(self, path):
        self.rows = []
        for line in subprocess.run(['nm', '--defined-only', '-n', path], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines():
            address, kind, name = line.split(None, 2)
            if kind in 'tTwW':
                self.rows.append((int(address, 16), name))

    def name(self, address):
        found = '?'
        for start, name in self.rows:
            if start > address:
                break
            found = name
        return found


def calls_by_function(files):
    """How often each function was called, in all of the files."""
    sums, symbols = collections.Counter(), {}
    for file in files:
        for (_, (path, address)), calls in file.calls().items():
            if path is None or not path.startswith('/'):
                sums['?'] += calls
                continue
            if path not in symbols:
                symbols[path] = Symbols(path)
            sums[symbols[path].name(address)] += calls
    return sums

# SPDX-License-Identifier: Apache-2.0
"""Reads files of the collector (gprofx-collect(5)) without any code of the project."""
import collections
import copy
import struct
import subprocess

HEADER = struct.Struct('<8sIIBBHIIIIIQQIIQQQQIIQQQQQQQQIIQQQQQQQQQQ')
HEADER_NAMES = ('magic version order pointer state machine pid parent sequence page flags start end rate '
                'clock bytes lost_calls lost_samples failures reserved threads sampling_ns program private rest '
                'lost_blocks looks look_weight delayed_ns times rest2 first_tick last_tick first_ns last_ns cost_inside cost_outside '
                'unwound unmatched other_stacks untimed').split()
CHUNK = struct.Struct('<IHHQQQ')
ARCS, STACKS, OBJECTS, THREADS, STRINGS, BLOCKS, EVENTS, PHASES = range(1, 9)
WAITS = 9
TIMED = 10
# Where objects are that are gone.
KEPT = 1 << 62
Timed = collections.namedtuple('Timed', 'seconds calls made taken')
Object = collections.namedtuple('Object', 'low high bias path')


class File:
    def __init__(self, path):
        with open(path, 'rb') as data:
            self.bytes = data.read()
        self.header = dict(zip(HEADER_NAMES, HEADER.unpack_from(self.bytes)))
        self.chunks = list(self._chunks())
        self.strings = next((self.bytes[at:at + count] for kind, _, at, count in self.chunks
                             if kind == STRINGS), b'')
        self.objects = [Object(low, high, bias, self.text(path))
                        for low, high, bias, _, _, path in self._rows(OBJECTS, '<QQQQ20sI')]
        self.program = self.text(self.header['program'])

    def _chunks(self):
        at = self.header['page']
        while at + 64 <= len(self.bytes):
            magic, kind, entry, size, capacity, used = CHUNK.unpack_from(self.bytes, at)
            if magic == 0:
                at += self.header['page']
                continue
            assert magic == 0x4b435847 and size % self.header['page'] == 0, hex(at)
            yield kind, entry, at + 64, min(capacity, used)
            at += size

    def _rows(self, kind, layout):
        for found, entry, at, count in self.chunks:
            if found == kind:
                for i in range(count):
                    yield struct.unpack_from(layout, self.bytes, at + i * entry)

    def text(self, offset):
        return self.strings[offset:self.strings.find(b'\0', offset)].decode()

    def object_of(self, address):
        """The object that an address belongs to, or None."""
        return next((row for row in self.objects if row.low <= address < row.high), None)

    def linked(self, address):
        """(path of the object or None, address as it was linked)."""
        row = self.object_of(address)
        return (row.path, address - row.bias & (1 << 64) - 1) if row else (None, address)

    def calls(self):
        """(site, callee): count, both as (path of the object or None, address as linked)."""
        sums = collections.Counter()
        for kind, entry, at, count in self.chunks:
            for i in range(count if kind == ARCS else 0):
                site, callee, calls, _ = struct.unpack_from('<QQQQ', self.bytes, at + i * entry)
                if calls:
                    sums[self.linked(site), self.linked(callee)] += calls
        return sums

    def blocks(self):
        """Executions of each basic block, by (path of the object or None, address as linked)."""
        sums = collections.Counter()
        for address, count in self._rows(BLOCKS, '<QQ'):
            if count:
                sums[self.linked(address)] += count
        return sums

    def stacks(self, which=STACKS):
        """(weight, squares, flags, addresses, the innermost first) of each stack."""
        for kind, entry, at, count in self.chunks:
            if kind != which:
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

    def timed(self):
        """(chain of functions, the innermost first; its entry) of each entry with times, in seconds: time, calls,
        calls that it made, time that the collector took."""
        header = self.header
        tick = (header['last_ns'] - header['first_ns']) / (header['last_tick'] - header['first_tick']) / 1e9
        for kind, entry, at, count in self.chunks:
            if kind != TIMED:
                continue
            rows = [struct.unpack_from('<QIIQQQQ', self.bytes, at + i * entry) for i in range(count)]
            for function, parent, _, ticks, calls, made, spent in rows:
                chain = [function]
                while parent:
                    chain.append(rows[parent - 1][0])
                    parent = rows[parent - 1][1]
                cost = calls * header['cost_inside'] / 1024 + made * header['cost_outside'] / 1024
                yield chain, Timed(max(ticks - cost, 0) * tick, calls, made, (spent + min(cost, ticks)) * tick)

    def samples(self):
        return sum(weight for weight, _, _, _ in self.stacks())

    def phases(self):
        """(name, marks) of each phase, by its number."""
        return {number: (name[:name.find(b'\0')].decode(), marks)
                for number, marks, _, _, name in self._rows(PHASES, '<IIQQ64s') if number}

    def in_phase(self, number):
        """The same file with what happened in a phase alone; 0: in none."""
        part = copy.copy(self)
        part.chunks = [row for row in self.chunks if row[0] not in (ARCS, STACKS, BLOCKS, TIMED) or
                       struct.unpack_from('<I', self.bytes, row[2] - 64 + 36)[0] == number]
        return part


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

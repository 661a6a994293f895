# SPDX-License-Identifier: Apache-2.0
"""Writes files of the collector (gprofx-collect(5)) without any code of the project."""
import struct

ARCS, STACKS, OBJECTS, THREADS, STRINGS, BLOCKS, EVENTS, PHASES = range(1, 9)
WAITS = 9
TIMED = 10
LAYOUT = {ARCS: 'QQQQ', STACKS: 'QIIQQ', OBJECTS: 'QQQQ20sI', THREADS: 'IIQQQ16sII', STRINGS: 's', BLOCKS: 'QQ',
          EVENTS: 'QII', PHASES: 'IIQQ64s', WAITS: 'QIIQQ', TIMED: 'QIIQQQQ'}
RUNNING, CLOSED, REPLACED = 1, 2, 3
CUT, BROKEN, CFI = 1, 2, 4
PRIVATE_TABLES, OTHER_CLOCK, FRAME_POINTERS, INSTRUMENTED, FORKED, SIGNAL_LOST, RESTRICTED, SNAPSHOT = 1, 2, 4, 8, 16, 32, 64, 128
ATTACHED, USER_ONLY = 1 << 20, 1 << 21
NO_WAITS = 65536
UNWRITTEN = 1 << 17


class File:
    """`header`: members of the header by the names of HEADER, in place of the usual ones."""

    HEADER = (('version', 'I', 1), ('order', 'I', 0x01020304), ('pointer_bytes', 'B', 8), ('state', 'B', CLOSED),
              ('machine', 'H', 62), ('pid', 'I', 1234), ('parent_pid', 'I', 1), ('sequence', 'I', 0),
              ('page_bytes', 'I', 4096), ('flags', 'I', INSTRUMENTED), ('start', 'Q', 1764000000 * 10**9),
              ('end', 'Q', 1764000001 * 10**9), ('rate', 'I', 100), ('clock', 'I', 1), ('bytes', 'Q', 0),
              ('lost_calls', 'Q', 0), ('lost_samples', 'Q', 0), ('failures', 'Q', 0), ('reserved', 'I', 0),
              ('threads', 'I', 1), ('sampling_ns', 'Q', 0), ('program_name', 'Q', 0), ('private_bytes', 'Q', 0), ('unsampled_ns', 'Q', 0),
              ('lost_blocks', 'Q', 0), ('looks', 'Q', 0), ('look_weight', 'Q', 0),
              ('delayed_ns', 'Q', 0),
              ('times', 'I', 0), ('rest2', 'I', 0), ('first_tick', 'Q', 0), ('last_tick', 'Q', 0), ('first_ns', 'Q', 0),
              ('last_ns', 'Q', 0), ('cost_inside', 'Q', 0), ('cost_outside', 'Q', 0), ('unwound', 'Q', 0), ('unmatched', 'Q', 0),
              ('other_stacks', 'Q', 0), ('untimed', 'Q', 0))

    def __init__(self, order='<', magic=b'GPROFXC\n', **header):
        self.order, self.magic, self.header = order, magic, header
        self.strings, self.chunks = b'\0', []

    def text(self, text):
        """The offset of a text."""
        at = len(self.strings)
        self.strings += text.encode() + b'\0'
        return at

    def program(self, path, low, high, bias=0, build_id=b''):
        """The program, as the only object or the first one."""
        name = self.text(path)
        self.header.setdefault('program_name', name)
        return self.objects([(low, high, bias, 0, build_id, name)])

    def objects(self, rows):
        return self.chunk(OBJECTS, rows)

    def arcs(self, rows, **more):
        """`rows`: (site, callee, count)."""
        return self.chunk(ARCS, [(*row, 0) for row in rows], **more)

    def blocks(self, rows, **more):
        """`rows`: (address after the call, count)."""
        return self.chunk(BLOCKS, rows, **more)

    def stacks(self, rows, **more):
        """`rows`: (pc, number of the parent's row from 1 or 0, flags, count, squares)."""
        return self.chunk(STACKS, rows, **more)

    def threads(self, rows):
        """`rows`: (number, tid, processor time in nanoseconds, name, number of threads)."""
        return self.chunk(THREADS, [(number, tid, 0, 0, cpu, name.encode(), threads, 0)
                                    for number, tid, cpu, name, threads in rows])

    def phases(self, *names):
        """Phases from number 1 on; `phase` of chunks refers to them."""
        return self.chunk(PHASES, [(i + 1, 1, 0, 0, name.encode()) for i, name in enumerate(names)])

    def waits(self, rows, **more):
        """`rows`: as those of stacks."""
        return self.chunk(WAITS, rows, **more)

    def timed(self, rows, **more):
        """`rows`: (function, number of the caller's row from 1 or 0, ticks, calls, calls made, ticks of the collector)."""
        return self.chunk(TIMED, [(function, parent, 0, *rest) for function, parent, *rest in rows], **more)

    def chunk(self, kind, rows, thread=1, phase=0, **replaced):
        """`replaced`: size, capacity, used or magic, in place of those that are right."""
        layout = self.order + LAYOUT.get(kind, 'Q')
        self.chunks.append((kind, struct.calcsize(layout), b''.join(struct.pack(layout, *row) for row in rows),
                            thread if kind in (ARCS, STACKS, BLOCKS, WAITS, TIMED) else 0, phase, replaced))
        return self

    def _chunk(self, kind, entry, data, thread, phase, replaced):
        page = self.header.get('page_bytes', 4096)
        size = -(-(64 + len(data)) // page) * page
        count = len(data) // entry
        fields = dict(magic=0x4b435847, entry_bytes=entry, size=size, capacity=(size - 64) // entry, used=count)
        fields.update(replaced)
        head = struct.pack(self.order + 'IHHQQQIIQQII', fields['magic'], kind, fields['entry_bytes'], fields['size'],
                           fields['capacity'], fields['used'], thread, phase, 0, count, 0, 0)
        return (head + data).ljust(size, b'\0')

    def bytes(self):
        values = dict(self.header)
        head = self.magic + b''.join(
            struct.pack(self.order + layout, values.get(name, usual)) for name, layout, usual in self.HEADER)
        return head.ljust(values.get('page_bytes', 4096), b'\0') + b''.join(
            self._chunk(*chunk) for chunk in
            [(STRINGS, 1, self.strings, 0, 0, {}), *self.chunks])

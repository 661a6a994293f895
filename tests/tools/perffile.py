# SPDX-License-Identifier: Apache-2.0
"""Writes recordings of perf, as perf record does, of any byte order and with anything wrong."""
import struct

MMAP, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, MMAP2, LOST_SAMPLES, KSYMBOL = 1, 2, 3, 4, 5, 7, 9, 10, 13, 17
HEADER_ATTR, TRACING_DATA, BUILD_ID, FINISHED_ROUND, AUXTRACE_INFO, EVENT_UPDATE, HEADER_FEATURE = 64, 66, 67, 68, 70, 78, 80
COMPRESSED, COMPRESSED2 = 81, 83
IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID = (1 << i for i in range(10))
STACK_USER, IDENTIFIER = 1 << 13, 1 << 16
READ_ID, READ_GROUP = 4, 8
KERNEL, USER, GUEST_KERNEL = 1, 2, 4
EXEC = FORK_MADE = 1 << 13
IN_KERNEL, IN_USER, IN_GUEST, DEFERRED = (1 << 64) - 128, (1 << 64) - 512, (1 << 64) - 2048, (1 << 64) - 640
USUAL = IP | TID | TIME | CALLCHAIN

ZSTD_HEAD = b'\x28\xb5\x2f\xfd\x00\x38'       # of a stream with a window of 128 KiB


class Event:
    """type, config: what is counted; the default is cpu-clock."""

    def __init__(self, name='cpu-clock', type=1, config=0, period=1000000, sample=USUAL, read=0, flags=(18, 13), ids=(), size=128,
                 frequency=False):
        self.name, self.type, self.config, self.period, self.sample, self.read = name, type, config, period, sample, read
        self.flags, self.ids, self.size = set(flags) | ({10} if frequency else set()), list(ids), size


class Perf:
    """order: '<' or '>'."""

    def __init__(self, *events, order='<', pipe=False, features=None):
        self.order, self.pipe, self.events, self.records = order, pipe, list(events) or [Event()], []
        self.features = dict(features or {})

    def pack(self, format, *values):
        return struct.pack(self.order + format, *values)

    def attribute(self, event):
        flags = bytearray(8)
        for bit in event.flags:
            flags[bit // 8] |= 1 << (7 - bit % 8 if self.order == '>' else bit % 8)
        whole = self.pack('IIQQQQ', event.type, event.size, event.config, event.period, event.sample, event.read) + bytes(flags)
        return (whole + bytes(max(event.size, 64)))[:max(event.size, 64)]

    def raw(self, bytes_):
        self.records.append(bytes_)
        return self

    def record(self, type, body=b'', misc=0, size=None):
        body += bytes(-len(body) % 8)
        return self.raw(self.pack('IHH', type, misc, len(body) + 8 if size is None else size) + body)

    def trailer(self, event, tid, time):
        """Fields that other records than samples end with."""
        if 18 not in event.flags:
            return b''
        end = b''
        for bit, field in ((TID, self.pack('II', tid, tid)), (TIME, self.pack('Q', time)), (ID, self.pack('Q', (event.ids + [0])[0])),
                           (STREAM_ID, bytes(8)), (CPU, bytes(8)), (IDENTIFIER, self.pack('Q', (event.ids + [0])[0]))):
            end += field if event.sample & bit else b''
        return end

    def text(self, text):
        text = text if isinstance(text, bytes) else text.encode()
        return text + bytes(8 - len(text) % 8)

    def comm(self, pid, name, tid=None, exec=False, time=0):
        tid = pid if tid is None else tid
        body = self.pack('II', pid, tid) + self.text(name) + self.trailer(self.events[0], tid, time)
        return self.record(COMM, body, EXEC if exec else 0)

    def mmap(self, pid, address, length, offset, path, time=0, mode=USER, tid=None):
        body = self.pack('IIQQQ', pid & 0xffffffff, pid & 0xffffffff, address, length, offset) + self.text(path)
        return self.record(MMAP, body + self.trailer(self.events[0], pid & 0xffffffff, time), mode)

    def mmap2(self, pid, address, length, offset, path, build_id=None, time=0, mode=USER, protection=5):
        identity = struct.pack('B3x', len(build_id)) + build_id.ljust(20, b'\0') if build_id else bytes(24)
        body = self.pack('IIQQQ', pid & 0xffffffff, pid & 0xffffffff, address, length, offset) + identity
        body += self.pack('II', protection, 2) + self.text(path) + self.trailer(self.events[0], pid & 0xffffffff, time)
        return self.record(MMAP2, body, mode | (1 << 14 if build_id else 0))

    def fork(self, pid, parent, tid=None, parent_tid=None, time=0, made=False):
        tid, parent_tid = pid if tid is None else tid, parent if parent_tid is None else parent_tid
        body = self.pack('IIIIQ', pid, parent, tid, parent_tid, time) + self.trailer(self.events[0], tid, time)
        return self.record(FORK, body, FORK_MADE if made else 0)

    def sample(self, stack, pid=7, tid=None, time=0, event=None, mode=USER, period=None, values=(), ip=None):
        """stack: as the kernel writes it, the innermost address first, with marks."""
        event = event or self.events[0]
        own = (event.ids + [0])[0]
        real = [address for address in stack if address < (1 << 64) - 4095]
        ip = ip if ip is not None else (real or [0])[0]
        fields = ((IDENTIFIER, self.pack('Q', own)), (IP, self.pack('Q', ip)), (TID, self.pack('II', pid, pid if tid is None else tid)),
                  (TIME, self.pack('Q', time)), (ADDR, bytes(8)), (ID, self.pack('Q', own)), (STREAM_ID, bytes(8)), (CPU, bytes(8)),
                  (PERIOD, self.pack('Q', event.period if period is None else period)),
                  (READ, b''.join(values)), (CALLCHAIN, self.pack('Q%dQ' % len(stack), len(stack), *stack)))
        return self.record(SAMPLE, b''.join(field for bit, field in fields if event.sample & bit), mode)

    def group(self, *pairs):
        """What is read with a sample of a group: values and numbers of events."""
        return self.pack('Q', len(pairs)) + b''.join(self.pack('QQ', *pair) for pair in pairs)

    def compress(self, *sizes, second=False):
        """Puts all records so far into compressed ones of these sizes, and of the rest: a stream of blocks that are
        stored as they are."""
        whole, self.records = b''.join(self.records), []
        head, sizes, at = ZSTD_HEAD, list(sizes), 0
        while at < len(whole):
            size = sizes.pop(0) if sizes else len(whole) - at
            part = whole[at:at + size]
            packed = head + struct.pack('<I', len(part) << 3)[:3] + part
            head, at = b'', at + size
            self.packed(packed, second)
        return self

    def packed(self, bytes_, second=False):
        if second:
            body = self.pack('Q', len(bytes_)) + bytes_
            body += bytes(-len(body) % 8)
            return self.raw(self.pack('IHH', COMPRESSED2, 0, len(body) + 8 & 0xffff) + body)
        return self.raw(self.pack('IHH', COMPRESSED, 0, len(bytes_) + 8) + bytes_)

    def string(self, text):
        text = text.encode() + b'\0'
        text += bytes(-len(text) % 64)
        return self.pack('I', len(text)) + text

    def build_id(self, path, build_id, pid=0):
        body = self.pack('i', pid) + build_id.ljust(20, b'\0') + struct.pack('B3x', len(build_id)) + self.text(path)
        return self.pack('IHH', 0, 1 << 15 | USER, len(body) + 8) + body

    def names(self):
        out = self.pack('II', len(self.events), len(self.attribute(self.events[0])))
        for event in self.events:
            out += self.attribute(event) + self.pack('I', len(event.ids)) + self.string(event.name)
            out += b''.join(self.pack('Q', id) for id in event.ids)
        return out

    def bytes(self, data_bytes=None):
        magic = b'PERFILE2' if self.order == '<' else b'2ELIFREP'
        data = b''.join(self.records)
        if self.pipe:
            head = b''
            for event in self.events:
                body = self.attribute(event) + b''.join(self.pack('Q', id) for id in event.ids)
                head += self.pack('IHH', HEADER_ATTR, 0, len(body) + 8) + body
            body = self.pack('Q', 12) + self.names()
            body += bytes(-len(body) % 8)
            head += self.pack('IHH', HEADER_FEATURE, 0, len(body) + 8) + body
            return magic + self.pack('Q', 16) + head + data
        ids, attributes, at = b'', b'', 104
        entry = len(self.attribute(self.events[0])) + 16
        for event in self.events:
            own = b''.join(self.pack('Q', id) for id in event.ids)
            ids_at = 104 + len(self.events) * entry + len(ids)
            attributes += self.attribute(event) + self.pack('QQ', ids_at, len(own))
            ids += own
        at += len(attributes) + len(ids)
        features = dict(self.features)
        features.setdefault(12, self.names())
        bits = [sum(1 << (i - 64 * word) for i in features if i // 64 == word) for word in range(4)]
        head = magic + self.pack('QQ', 104, entry) + self.pack('QQ', 104, len(attributes))
        head += self.pack('QQ', at, len(data) if data_bytes is None else data_bytes) + bytes(16) + self.pack('4Q', *bits)
        behind = at + len(data) + 16 * len(features)
        table = b''
        for i in sorted(features):
            table += self.pack('QQ', behind, len(features[i]))
            behind += len(features[i])
        return head + attributes + ids + data + table + b''.join(features[i] for i in sorted(features))

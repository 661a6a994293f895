# SPDX-License-Identifier: Apache-2.0
"""Small sound profiles of every format that has a reader, under names that say which it is."""
import struct

import gxcfile
from gcovfile import Source, gcov_document, packed
from gmonfile import (Block, Profile, block_listing, bsd_profile, converted_blocks,
                      library_profile, prof_profile)
from perffile import (IN_KERNEL, IN_USER, KERNEL, KSYMBOL, READ, READ_GROUP, READ_ID, TRACING_DATA, USUAL, FINISHED_ROUND,
                      IDENTIFIER, Event, Perf)
from pproffile import Pprof, message, number

LOW, HIGH = 0x401000, 0x401100
BINS = [0, 3, 65535, 1, 0, 0, 7, 2]
ARCS = [(LOW + 4, LOW + 0x20, 5), (LOW + 0x24, LOW + 0x40, 0), (LOW + 4, LOW + 0x20, 2)]
GROUPS = [('a.c', [Block(5, LOW, 'main', 3, 'a.c'), Block(60000, LOW + 8, 'work', 17, 'b.h')]),
          ('b.c', [Block(1), Block(2, HIGH)])]

SOURCES = [Source('a.c', {3: 5, 4: 0, 5: 60000}, [('main', 3, 5, 1), ('f\u00fc\\"', 7, 9, 0)]),
           Source('/include/b.h', {17: 2, 18: 1 << 62}, [('inline', 17, 18, 2)])]


def tagged(bits, order):
    p = Profile(bits, order).histogram(LOW, HIGH, BINS)
    for arc in ARCS:
        p.arc(*arc)
    p.blocks([(LOW, 5), (LOW + 4, 6)])
    return p.histogram(HIGH, HIGH + 0x100, BINS).arc(LOW, LOW, 1).bytes()


def tagged_version_0(bits, order):
    p = Profile(bits, order, version=0)
    return p.blocks_version_0(b'a comment', [(5, LOW, b'f', b'a.c', 3), (6, LOW + 4, b'', b'', 0)]
                              ).arc(LOW, LOW, 1).bytes()


def wide(bits, order):
    """FreeBSD's counters of 64 bits."""
    pointer = 'Q' if bits == 64 else 'I'
    bins = struct.pack(order + '4q', 1, 2, 3, 70000)
    header = struct.pack(order + pointer * 2, LOW, HIGH)
    header += struct.pack(order + 'IIIi', len(header) + 24 + len(bins), 0x51879, 100, -64) + bytes(8)
    return header + bins + struct.pack(order + pointer * 3, *ARCS[0])


def recorded(bits, order):
    file = gxcfile.File(order, pointer_bytes=bits // 8)
    other = file.text('/lib/other.so')
    file.program('/bin/prog', LOW, HIGH, build_id=b'id')
    kept = 1 << 62
    file.objects([(0x7000, 0x8000, 0x7000, 0, b'', other), (kept, kept + 0x1000, kept, 0, b'', 0)])
    file.arcs(ARCS).arcs([(1, LOW, 3), (LOW + 4, kept + 0x10, 2)], thread=0)
    file.stacks([(LOW + 4, 0, 0, 1, 1), (LOW + 0x20, 1, 0, 5, 9), (0x7010, 2, gxcfile.CUT, 2, 4)])
    file.stacks([(0x7020, 0, gxcfile.BROKEN, 2, 2)], thread=2)
    return file.chunk(gxcfile.BLOCKS, [(LOW, 2)]).bytes()

PERF_SCRIPT = (b'# words\na b  6/7 [001]  3.000001:  4000000 cpu-clock:u: \n\t 11ee f (inlined)\n  a.c:3\n\t 11ee g+0x3 (/bin/p)\n'
               b'\t 22ee [unknown] ([kernel.kallsyms])\n\np 7 3.000002: PERF_RECORD_LOST lost 5\nnonsense\n')

CALLGRIND = b"""# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 6
cmd: ./p
part: 1
thread: 1
positions: instr line
events: Ir Dr
ob=(1) /bin/p
fl=(1) a.c
fn=(1) main'2'f
0x40 3 5 1
fi=(2) b.h
+4 +1 7
fe=(1)
cob=(2) /lib/c.so
cfi=(3) c.c
cfn=(2) f
calls=2 0x90 +3
* * 9 2
jcnd=1/2 +8 *
* *
totals: 12 1
part: 2
thread: 2
events: Dr Ir
fn=(1)
cfn=(7)
calls=1 4
5 1
"""
CACHEGRIND = b'desc: I1: 1\ncmd: p\nevents: Ir Dw\nfl=a.c\nfn=(1)\n3 10 .\n4 1 2\nsummary: 11 2\n'


def perf_recording(bits, order, pipe=False):
    sample = USUAL | IDENTIFIER
    events = [Event('cycles', 0, 0, sample=sample | READ, read=READ_ID | READ_GROUP, ids=[1]),
              Event('task-clock', 1, 1, sample=sample | READ, read=READ_ID | READ_GROUP, ids=[2])]
    p = Perf(*events, order=order, pipe=pipe, features={4: b'\2\0\0\0' + b'6\0'}).comm(7, 'prog')
    p.mmap(-1, 0xffffffff81000000, 0x10000, 0, '[kernel.kallsyms]_text', mode=KERNEL)
    p.mmap2(7, 0x1000, 0x1000, 0, '/no/one', b'12345', 1).mmap(7, 0x8000, 0x1000, 0, '//anon', 1)
    p.record(KSYMBOL, p.pack('QIHH', 0xffffffff82000000, 64, 1, 0) + p.text('bpf') + p.trailer(events[0], 7, 2))
    p.record(TRACING_DATA, p.pack('I', 8)).raw(bytes(8)).fork(8, 7, time=2).comm(8, 'child', exec=True, time=3)
    p.sample([IN_KERNEL, 0xffffffff81000010, IN_USER, 0x1010, 0x8010], time=9, mode=KERNEL, event=events[0],
             values=[p.group((5, 1), (9, 2))])
    return p.sample([IN_USER, 0x1020], 8, time=4, event=events[1], values=[p.group((7, 1), (9, 2))]).record(FINISHED_ROUND).bytes()


def mapped_and_packed(order):
    p = Perf(order=order).comm(7, 'prog').mmap(7, 0x1000, 0x1000, 0, '/no/one', 1)
    return p.sample([IN_USER, 0x1010], time=3).sample([IN_USER, 0x1010, 0x1020], time=2).compress(50, 70).bytes()


def named_stacks():
    p = Pprof(('samples', 'count'), ('cpu', 'nanoseconds'), period=('cpu', 'nanoseconds', 1000), default='cpu')
    p.sample(['f@a.c:3', ('g@b.h:4', 'main@a.c:9')], 3, 3000).sample(['main@a.c:10'], 1, 1000)
    return p.raw(message(15, b'later') + number(9, 1 << 60))


def mapped_stacks():
    p = Pprof(('samples', 'count'), packed=False)
    mapping = p.mapping(LOW, HIGH, 0x1000, '/usr/bin/program', '00ff11')
    return p.sample([p.address(LOW + 4, mapping), p.address(HIGH + 9)], 7)


def dumped(data, width=16):
    """A dump on a console, between other lines, with a line that stands for several and one that is there twice."""
    rows = [data[at:at + width] for at in range(0, len(data), width)]
    lines = ['%04x: %s  %s' % (i * width, row.hex(' '), ''.join(chr(c) if 32 <= c < 127 else '.' for c in row)) for i, row in enumerate(rows)]
    lines[2:2] = ['[00:00:01.000] <inf> \x1b[1mmain\x1b[0m: 3 threads', lines[1]]
    return ('nsh> hexdump\r\n' + '\r\n'.join(lines) + '\r\n*\r\n%04x: 00\r\nnsh> ' % (len(rows) * width + 64)).encode()


def debugged(data):
    words = [data[at:at + 4][::-1].hex() for at in range(0, len(data) // 4 * 4, 4)]
    return ''.join('0x%x <buffer+%d>:\t%s\n' % (0x20000000 + 4 * i, 4 * i, '\t'.join('0x' + w for w in words[i:i + 4]))
                   for i in range(0, len(words), 4)).encode()


def plain(data):
    return ('@20000000\n' + '\n'.join(data[at:at + 30].hex(' ') for at in range(0, len(data), 30)) + '\n').encode()


def intel(data):
    def record(kind, at, row):
        body = bytes([len(row), at >> 8 & 255, at & 255, kind]) + row
        return ':%s%02X' % (body.hex().upper(), -sum(body) & 255)
    return '\r\n'.join([record(4, 0, b'\x20\0')] + [record(0, at, data[at:at + 16]) for at in range(0, len(data), 16)] +
                       [record(1, 0, b'')]).encode()


def motorola(data):
    def record(kind, at, row):
        body = bytes([len(row) + 5]) + at.to_bytes(4, 'big') + row
        return 'S%d%s%02X' % (kind, body.hex().upper(), ~sum(body) & 255)
    return '\n'.join([record(3, at, data[at:at + 16]) for at in range(0, len(data), 16)] + [record(7, 0, b'')]).encode()


SEEDS = {
    'magic': {'usual': tagged, 'version-0': tagged_version_0,
              'empty': lambda bits, order: Profile(bits, order).bytes()},
    'bsd': {'usual': lambda bits, order: bsd_profile(LOW, HIGH, BINS, ARCS, bits, order)},
    '4.4bsd': {'usual': lambda bits, order: bsd_profile(LOW, HIGH, BINS, ARCS, bits, order, 100),
               'wide': wide},
    'ldprofile': {'usual': lambda bits, order: library_profile(
        LOW, HIGH, BINS, ARCS + [(0, LOW + 0x20, 9)], bits, order, room=6)},
    'prof': {'usual': lambda bits, order: prof_profile(
        LOW, HIGH, [(LOW, 5), (LOW + 0x20, 0)], BINS, bits, order, room=3)},
    'bb': {'listing': lambda bits, order: block_listing(GROUPS),
           'converted': lambda bits, order: converted_blocks(GROUPS[:1], order)},
    'folded': {'usual': lambda bits, order: b'main;a;b 3\nmain;a 2\nmain;a;b_[i];a;b 4\n# words\nmain;;c 1.25\n'},
    'gcov': {'plain': lambda bits, order: gcov_document(SOURCES),
             'packed': lambda bits, order: packed(gcov_document(SOURCES))},
    'collect': {'usual': recorded},
    'perf': {'file': perf_recording,
             'packed': lambda bits, order: mapped_and_packed(order),
             'pipe': lambda bits, order: perf_recording(bits, order, True)},
    'callgrind': {'usual': lambda bits, order: CALLGRIND, 'cachegrind': lambda bits, order: CACHEGRIND},
    'hexdump': {'console': lambda bits, order: dumped(tagged(bits, order)) + dumped(tagged(bits, order), 8),
                'gdb': lambda bits, order: debugged(tagged(bits, order)),
                'plain': lambda bits, order: plain(wide(bits, order)),
                'ihex': lambda bits, order: intel(tagged(bits, order)),
                'srec': lambda bits, order: motorola(tagged(bits, order))},
    'perf-script': {'stacks': lambda bits, order: PERF_SCRIPT,
                    'lines': lambda bits, order: b'p 6/7 [001] 3.000001: 9 cycles/x/: 11ee f+0x3 (/bin/p (deleted))\n'},
    'pprof': {'named': lambda bits, order: named_stacks().bytes(),
              'packed': lambda bits, order: named_stacks().gzip(),
              'addresses': lambda bits, order: mapped_stacks().bytes(True)},
}


def write(folder):
    for format, makers in SEEDS.items():
        for name, make in makers.items():
            for bits in (32, 64):
                for order, letter in (('<', 'l'), ('>', 'b')):
                    path = '%s/%s,%d,%s,%s' % (folder, format, bits, letter, name)
                    with open(path, 'wb') as file:
                        file.write(make(bits, order))

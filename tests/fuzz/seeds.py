# SPDX-License-Identifier: Apache-2.0
"""Small sound profiles of every format that has a reader, under names that say which it is."""
import struct

from gmonfile import Profile, bsd_profile

LOW, HIGH = 0x401000, 0x401100
BINS = [0, 3, 65535, 1, 0, 0, 7, 2]
ARCS = [(LOW + 4, LOW + 0x20, 5), (LOW + 0x24, LOW + 0x40, 0), (LOW + 4, LOW + 0x20, 2)]


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


SEEDS = {
    'magic': {'usual': tagged, 'version-0': tagged_version_0,
              'empty': lambda bits, order: Profile(bits, order).bytes()},
    'bsd': {'usual': lambda bits, order: bsd_profile(LOW, HIGH, BINS, ARCS, bits, order)},
    '4.4bsd': {'usual': lambda bits, order: bsd_profile(LOW, HIGH, BINS, ARCS, bits, order, 100),
               'wide': wide},
}


def write(folder):
    for format, makers in SEEDS.items():
        for name, make in makers.items():
            for bits in (32, 64):
                for order, letter in (('<', 'l'), ('>', 'b')):
                    path = '%s/%s,%d,%s,%s' % (folder, format, bits, letter, name)
                    with open(path, 'wb') as file:
                        file.write(make(bits, order))

# SPDX-License-Identifier: Apache-2.0
"""Reads a gmon.out of this machine's C library, apart from gprofx's own readers."""
import struct


def read(path):
    """(low, high, bins, arcs): the histogram's range and counters, and (call site, callee, count)."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:4] != b'gmon':
        raise ValueError(path + ': no profile of the GNU C library')
    at, low, high, bins, arcs = 20, 0, 0, [], []
    while at < len(data):
        kind = data[at]
        at += 1
        if kind == 0:
            low, high, count, _ = struct.unpack_from('<QQII', data, at)
            at += 24 + 16
            bins = list(struct.unpack_from('<%dH' % count, data, at))
            at += 2 * count
        elif kind == 1:
            arcs.append(struct.unpack_from('<QQI', data, at))
            at += 20
        else:
            raise ValueError('%s: record of kind %d' % (path, kind))
    return low, high, bins, arcs

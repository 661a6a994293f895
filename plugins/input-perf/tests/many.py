# SPDX-License-Identifier: Apache-2.0
"""A recording of a million processes: see many.sh."""
import array
import ctypes
import ctypes.util
import os
import resource
import struct
import subprocess
import sys

from perffile import IN_USER, Perf

COUNT = 1000000
FIRST, MARK, TIMES = 10, 0x7a7a7a7a, 0x6b6b6b00  # of numbers of processes; what stands for one, and for times


def recording():
    """Each process is forked, executes a program, maps it and has a sample."""
    row = Perf().fork(MARK, 1, time=TIMES + 1).comm(MARK, 'prog', exec=True, time=TIMES + 2)
    row.mmap(MARK, 0x1000, 0x1000, 0, '/no/such/one', TIMES + 3).sample([IN_USER, 0x1010], MARK, time=TIMES + 4)
    row = b''.join(row.records)
    words, step = array.array('I', row * COUNT), len(row) // 4
    if words.itemsize != 4 or sys.byteorder != 'little':
        sys.exit(77)
    for i, (word,) in enumerate(struct.iter_unpack('<I', row)):
        if word == MARK:
            words[i::step] = array.array('I', range(FIRST, FIRST + COUNT))
        elif TIMES < word <= TIMES + 4:
            words[i::step] = array.array('I', range(word - TIMES, word - TIMES + 4 * COUNT, 4))
    return words.tobytes()


def compressed(records):
    """The records in one stream of Zstandard; None: its library is not here."""
    name = ctypes.util.find_library('zstd')
    if not name:
        return None
    zstd = ctypes.CDLL(name)
    zstd.ZSTD_compressBound.restype = zstd.ZSTD_compress.restype = ctypes.c_size_t
    zstd.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    zstd.ZSTD_compress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(len(records)))
    length = zstd.ZSTD_compress(room, len(room), records, len(records), 1)
    packed = room.raw[:length]
    file = Perf()
    for at in range(0, len(packed), 65000):
        file.packed(packed[at:at + 65000])
    return file


def expect(name, bytes_, records):
    with open(name, 'wb') as out:
        out.write(bytes_)
    done = subprocess.run([os.environ['GPROFX'], '--no-findings', '-b', '-p', name], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if b'perfdata.no-zstd' in done.stderr:
        return
    rows = [line.split() for line in done.stdout.decode().splitlines() if line.endswith('[one]')]
    # Of each sample a millisecond.
    if done.returncode != 0 or [row[2] for row in rows] != ['%.2f' % (COUNT / 1000)]:
        sys.exit('%s: status %d, rows %s\n%s' % (name, done.returncode, rows, done.stderr.decode()))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    if most > 10 * len(records):
        sys.exit('%s: %d bytes of memory for %d of records' % (name, most, len(records)))
    os.unlink(name)


def main():
    records = recording()
    plain = Perf().raw(records)
    expect('many', plain.bytes(), records)
    packed = compressed(records)
    if packed:
        expect('many-compressed', packed.bytes(), records)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sum that GNU mode writes is GNU gprof's, spare bytes and what overflows there excepted.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/sum/like-gprof.py [COUNT]
"""
import os
import sys
import tempfile

import randomcase
from gmonfile import bsd_profile, read_profile
from profiled import Program
from runner import SKIPPED, Tally, installed_gprof, program_under_test, start


def folded_blocks(pairs, limit):
    out = []
    for address, count in pairs:
        if out and out[-1][0] == address:
            out[-1][1] = (out[-1][1] + count) % limit
        else:
            out.append([address, count])
    return out


def folded(data, bits, order):
    """The records, with what had to go into further ones added up as GNU gprof would write it."""
    out = []
    for record in read_profile(data, bits, order):
        last = out[-1] if out else None
        if record[0] == 'hist':
            same = [r for r in out if r[0] == 'hist' and r[1:3] == list(record[1:3])]
            if same:
                same[0][3] = [(a + b) % 65536 for a, b in zip(same[0][3], record[3])]
                continue
        elif record[0] == 'arc' and last and last[0] == 'arc' and last[1:3] == list(record[1:3]):
            last[3] = (last[3] + record[3]) % (1 << 32)
            continue
        elif record[0] == 'blocks':
            record = ['blocks', folded_blocks(record[1], 1 << bits)]
        out.append(list(record))
    return out


def masked(data):
    return data[:8] + bytes(12) + data[20:] if data[:4] == b'gmon' else data


def run_both(programs, words, directory):
    """What each program wrote and said; its sum, or None."""
    for program in programs:
        path = os.path.join(directory, 'gmon.sum')
        if os.path.exists(path):
            os.unlink(path)
        result = start(program, words, directory)
        data = None
        if os.path.exists(path):
            with open(path, 'rb') as file:
                data = file.read()
        yield result, data


def compare(tally, name, programs, words, directory, layout, is_listed=False):
    (ours, our_sum), (gnu, gnu_sum) = run_both(programs, words, directory)
    if gnu.broken() or b': somebody miscounted: ' in gnu.err:
        return                                  # it makes symbols of lines, which can end it
    detail = [' '.join(words)] + [repr((r.status, r.out, r.err)) for r in (ours, gnu)]
    if is_listed:
        ours.out = gnu.out
    good = tally.check(ours == gnu, name, 'says something else', detail)
    if not good or not tally.check((our_sum is None) == (gnu_sum is None), name, 'sum', detail):
        return
    if gnu_sum is None or masked(our_sum) == masked(gnu_sum):
        tally.check(True, name)
    else:
        tally.check(our_sum[:4] == b'gmon' and
                    folded(our_sum, *layout) == folded(gnu_sum, *layout), name, 'another sum',
                    detail + [our_sum.hex(), gnu_sum.hex()])


def random_words(words):
    """Options that change the sum. With -s GNU gprof makes symbols of lines."""
    specs = [w for w in words if w[:2] in ('-k', '-q', '-Q') and '/' in w]
    listed = [w for w in specs if w[:2] != '-k']
    return (['-s'] + [w for w in words if w in ('-a', '-D')] + specs, bool(listed))


def check_bsd(tally, programs):
    """The format of the sum is the one that -O names; the rate decides between those of BSD."""
    program = Program(['main', 'work'])
    low, high = program.base, program.base + 0x100
    arcs = [(low + 4, low + 0x100, 0x1fffffffe), (low + 8, low, 3), (low + 4, low + 0x100, 2)]
    with tempfile.TemporaryDirectory() as directory:
        def write(name, data):
            with open(os.path.join(directory, name), 'wb') as file:
                file.write(data)
        write('image', program.bytes())
        write('old', bsd_profile(low, high, [1, 2, 3, 4], arcs))
        write('usual', bsd_profile(low, high, [1, 2, 3, 4], arcs, rate=100))
        write('fast', bsd_profile(low, high, [1, 2, 3, 4], arcs, rate=1000))
        write('bare', bsd_profile(low, high, [], []))
        for files in (['old', 'old'], ['usual'], ['fast', 'fast'], ['bare'], ['fast', 'old']):
            for format in ('-Obsd', '-O4.4bsd', '-Oauto'):
                compare(tally, 'bsd %s %s' % (format, files), programs,
                        ['-s', format, 'image', *files], directory, (64, '<'))


def main():
    gnu = installed_gprof()
    if not gnu:
        print('GNU gprof 2.40 is not installed')
        return SKIPPED
    tally, programs = Tally(), (program_under_test(), gnu)
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 250):
        case = randomcase.make(seed)
        case['words'], is_listed = random_words(case['words'])
        image = randomcase.image_of(case)
        with tempfile.TemporaryDirectory() as directory:
            words = randomcase.write(case, directory)
            compare(tally, 'seed %d' % seed, programs, words, directory,
                    (image.bits, image.order), is_listed)
    check_bsd(tally, programs)
    return tally.finish()


sys.exit(main())

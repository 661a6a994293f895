# SPDX-License-Identifier: Apache-2.0
"""Images of each system that aoutimage knows, with profiles of old BSD and 4.4BSD: which symbols are
functions, and where their time and calls are, is known by hand.

    kinds.py PROGRAM        run in an empty folder
"""
import csv
import os
import sys

import runner
from aoutimage import SYSTEMS, Image
from gmonfile import bsd_profile

# Name, place, type and line of each symbol, in the order of the table.
SYMBOLS = [
    ('crt0.o', 0, 'fn'), ('start', 0, 'T'),
    ('main.o', 0x40, 't'), ('gcc2_compiled.', 0x40, 't'), ('main.c', 0x40, 'so'),
    ('main:F1', 0x40, 'fun'), ('', 0x40, 'sline', 7), ('', 0x44, 'sline', 9), ('', 0x80, 'so'),
    ('_main', 0x40, 'T'), ('_helper', 0x80, 't'),
    ('L12', 0x90, 't'), ('L13', 0x94, 4),
    ('other.o', 0xc0, 0x0f), ('_helper', 0xc0, 't'), ('_weak', 0x100, 'W'),
    ('_table', 0x800, 'D'), ('_size', 0x20, 'A'), ('_buffer', 0x900, 'B'), ('_undefined', 0, 'U'),
    ('_etext', 0x140, 'T'),
]
LINES = {('main.c', 7): 1, ('main.c', 9): 15}
# Name, samples and calls of each function.
EXPECTED = [('start', 16, 0), ('main', 16, 3), ('helper', 16, 5), ('helper', 16, 0), ('weak', 16, 2)]
LOCAL = {'helper'}


def image_of(system, stripped=False):
    image = Image(system)
    for name, place, kind, *line in [] if stripped else SYMBOLS:
        image.symbol(name, image.base + place, kind, desc=sum(line))
    return image


def profile_of(image, rate):
    base = image.base
    arcs = [(base + 4, base + 0x40, 3), (base + 0x48, base + 0x80, 5), (base + 0x4c, base + 0x100, 2)]
    return bsd_profile(base, base + 0x140, [1] * 80, arcs, image.bits, image.order, rate)


def run(program, *arguments):
    done = runner.start(program, list(arguments), os.getcwd(), name='gprofx')
    if done.broken():
        sys.exit('FAIL: %s: %s' % (' '.join(arguments), done.broken()))
    return done


def rows(program, *arguments):
    """The rows of the flat profile."""
    done = run(program, '-b', '-z', '--no-findings', '--output=csv', *arguments)
    if done.status != 0 or done.err:
        sys.exit('FAIL: %s\n%s' % (' '.join(arguments), done.err.decode()))
    return list(csv.DictReader(done.out.decode().splitlines()))


def ticks(row):
    return round(float(row['self_ticks'] or 0))


def table(program, *arguments):
    """(name, samples, calls) of each row, by name and calls."""
    return sorted((row['name'], ticks(row), int(row['calls'] or 0))
                  for row in rows(program, *arguments))


def lines(program, *arguments):
    """The samples of lines that are known."""
    return {(row['source_file'], int(row['source_line'])): ticks(row)
            for row in rows(program, '-l', *arguments) if row['source_line'] and ticks(row)}


def check(what, found, expected):
    if found != expected:
        sys.exit('FAIL: %s: expected %s, found %s' % (what, expected, found))


def systems(program):
    for system in SYSTEMS:
        image = image_of(system)
        with open(system, 'wb') as file:
            file.write(image.bytes())
        for rate in None, 100:
            with open('gmon', 'wb') as file:
                file.write(profile_of(image, rate))
            found = table(program, system, 'gmon')
            check(system, [row for row in found if row[0] != 'etext'], sorted(EXPECTED))
            found = table(program, '-a', system, 'gmon')
            check(system + ' -l', lines(program, system, 'gmon'), LINES)
            check(system + ' -a', {row[0] for row in found} & LOCAL, set())
        with open('stripped', 'wb') as file:
            file.write(image_of(system, stripped=True).bytes())
        done = run(program, '-b', 'stripped', 'gmon')
        if done.status != 1 or b'error[image.no-symbols]' not in done.err:
            sys.exit('FAIL: stripped %s: %s' % (system, done.err.decode()))
    print(len(SYSTEMS), 'systems')


def objects(program):
    """Objects that NASM wrote for Linux, and for NetBSD and FreeBSD: see data/make."""
    with open('gmon', 'wb') as file:
        file.write(bsd_profile(0, 48, [4, 0, 2, 0, 0, 1, 0, 0, 5, 0, 0, 0],
                               [(5, 0x20, 3), (0x12, 0x20, 4)], 32, '<', 100))
    for name in 'nasm-aout.o', 'nasm-aoutb.o':
        path = os.path.join(os.environ['GPROFX_SOURCE'], 'plugins/symbols-aout/tests/data', name)
        check(name, table(program, path, 'gmon'), [('local', 5, 7), ('main', 6, 0), ('work', 1, 0)])
        check(name + ' -a', table(program, '-a', path, 'gmon'), [('main', 6, 0), ('work', 6, 3)])


def lookalikes(program):
    """Files that begin as an image does, and are none."""
    whole = image_of('4.3bsd-vax').bytes()
    others = {
        'short': b'\x0b\x01\x00\x00', 'zeros': b'\x0b\x01'.ljust(4000, b'\0'),
        'text': b'\x07\x01 is how this text begins, and so it goes on\n' * 200,
        'big': b'\x00\x00\x01\x0b' + bytes(range(256)) * 40, 'odd': b'\xcc\x00' + b'\x55' * 5000,
        # The lengths of a sound header, but no such file behind it.
        'header': whole[:32].ljust(3000, b'\0'),
        # A symbol table of no whole number of rows; an entry outside of the text.
        'rows': whole[:16] + b'\x0d' + whole[17:], 'entry': whole[:22] + b'\x77' + whole[23:],
    }
    for name, contents in others.items():
        with open(name, 'wb') as file:
            file.write(contents)
        done = run(program, '-b', name, 'gmon')
        if done.status != 1 or b'error[image.not-an-object]: %s: expected an exec' % name.encode() \
                not in done.err:
            sys.exit('FAIL: %s is taken for an image: %s' % (name, done.err.decode()))


def main():
    program = os.path.abspath(sys.argv[1])
    systems(program)
    objects(program)
    lookalikes(program)


main()

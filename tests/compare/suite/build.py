# SPDX-License-Identifier: Apache-2.0
"""Builds one program, runs it, and lays out the other files that its option sets name.

A program's directory holds afterwards:

    prog, a.out     the image
    gmon.out        what its first run left
    one.gmon, two.gmon   what two more runs left, under names chosen by GMON_OUT_PREFIX
    dense.gmon      gmon.out with more samples added, some in each function: runs of an eighth of
                    a second leave too few for the finer points of the arithmetic
    files.map       a map of files, as nm could print it: four functions each, by address
    blocks.gmon     dense.gmon with a basic block at each address of its arcs
    only.gmon       those basic blocks alone
    long.gmon       gmon.out with its last arc repeated, more than a pipe holds at once
    cut*.gmon       gmon.out, cut off in its histogram's header, its bins and its last arc
    and the odd ones of ODD_FILES
"""
import os
import re
import shutil
import struct
import subprocess

from lcg import Random
from .programs import ARGUMENTS

ODD_FILES = {
    'empty': b'',
    'four': b'gmon',
    'script': b'#!/bin/sh\necho not an image\n',
    'version2': b'gmon' + struct.pack('<I', 2) + bytes(12),
    'badtag': b'gmon' + struct.pack('<I', 1) + bytes(12) + b'\x07',
    'header': b'gmon' + struct.pack('<I', 1) + bytes(12),
    'args.flat': b'-p -z\n',
    'args.quoted': b'-p\n"-z" \'--width=100\' \\-L\n',
    'args.operands': b'-q prog\nprog.no gmon.out',
    'args.nested': b'@args.flat -q',
    'args.empty': b'\n \n',
}


ARC = 21                        # bytes of an arc record, the last one of a file


class NotBuilt(Exception):
    """Says which command failed, and how."""


def command(words, directory, extra=None):
    environment = dict(os.environ, LC_ALL='C', **(extra or {}))
    environment.pop('GMON_OUT_PREFIX', None)
    environment.update(extra or {})
    try:
        done = subprocess.run(words, cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    except subprocess.TimeoutExpired:
        raise NotBuilt('%s: it did not end' % ' '.join(words))
    if done.returncode != 0:
        raise NotBuilt('%s: status %d\n%s' % (' '.join(words), done.returncode,
                                              done.stdout.decode(errors='replace')))


def marked_line(directory, base):
    """The number of the line marked "@line" in the only source file of that base name with one."""
    for folder, _, files in sorted(os.walk(directory)):
        if base in files:
            with open(os.path.join(folder, base)) as lines:
                for number, line in enumerate(lines, 1):
                    if '@line' in line:
                        return number
    raise NotBuilt('no line of %s is marked' % base)


def profile_of(directory, argument, name):
    """Runs the program; the collector adds the process number to the prefix."""
    prefix = 'run-' + argument
    command(['./prog', argument], directory, {'GMON_OUT_PREFIX': prefix})
    left = [file for file in os.listdir(directory) if re.fullmatch(prefix + r'\.\d+', file)]
    if len(left) != 1:
        raise NotBuilt('the program left %s' % (', '.join(left) or 'no profile'))
    os.rename(os.path.join(directory, left[0]), os.path.join(directory, name))


def denser(data):
    """A profile as the C library writes it (one histogram, then arcs), with samples added."""
    if data[:5] != b'gmon\1' or data[20:21] != b'\0':
        raise NotBuilt('the profile does not begin with a histogram')
    count, = struct.unpack_from('<I', data, 37)
    bins = list(struct.unpack_from('<%dH' % count, data, 61))
    chance = Random(count)
    for i in range(count):
        if chance.chance(20):
            bins[i] += chance.below(60)
    return data[:61] + struct.pack('<%dH' % count, *bins) + data[61 + 2 * count:]


def map_of(directory):
    """A map of files, with four functions of the program to each."""
    done = subprocess.run(['nm', '--defined-only', '-v', 'prog'], cwd=directory,
                          stdout=subprocess.PIPE, check=True)
    rows = [line for line in done.stdout.decode(errors='replace').splitlines()
            if line.split(' ')[1:2] in (['T'], ['t'])]
    return ''.join('unit%d.o:%s\n' % (i // 4, row) for i, row in enumerate(rows)).encode()


def blocks_of(data):
    """Counts of basic blocks, some of them twice, for a profile as the C library writes it."""
    count, = struct.unpack_from('<I', data, 37)
    arcs = data[61 + 2 * count:]
    places = [struct.unpack_from('<QQ', arcs, at + 1) for at in range(0, len(arcs) - ARC + 1, ARC)]
    blocks = [(place + step, number * 7 % 50) for number, pair in enumerate(places)
              for place in pair for step in (0, 3, number % 11, 0)]
    return b'\2' + struct.pack('<I', len(blocks)) + b''.join(
        struct.pack('<QQ', *block) for block in blocks)


def build(program, sources, directory):
    """Makes the directory; returns the words for the option sets' placeholders."""
    if callable(program.sources):
        os.makedirs(directory)
        program.sources(directory)
    else:
        shutil.copytree(os.path.join(sources, program.sources), directory)
    for words in program.commands:
        command(words, directory)
    command(['./prog', ARGUMENTS[0]], directory)
    for argument, name in zip(ARGUMENTS[1:], ('one.gmon', 'two.gmon')):
        profile_of(directory, argument, name)
    os.link(os.path.join(directory, 'prog'), os.path.join(directory, 'a.out'))
    with open(os.path.join(directory, 'gmon.out'), 'rb') as profile:
        data = profile.read()
    dense, blocks = denser(data), blocks_of(data)
    files = dict(ODD_FILES, **{'dense.gmon': dense, 'blocks.gmon': dense + blocks,
                               'only.gmon': data[:20] + blocks, 'files.map': map_of(directory),
                               'cut.gmon': data[:30], 'cutbins.gmon': data[:65],
                               'cutarc.gmon': data[:-3],
                               'long.gmon': data + data[-ARC:] * 6000})
    for name, content in files.items():
        with open(os.path.join(directory, name), 'wb') as out:
            out.write(content)
    os.mkdir(os.path.join(directory, 'folder'))
    return dict(program.words, line=str(marked_line(directory, program.words['file'])))

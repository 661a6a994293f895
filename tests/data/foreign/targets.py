# SPDX-License-Identifier: Apache-2.0
"""The targets of the fixtures, what GNU gprof is asked of each, and what the program did."""
import lzma
import os
import struct

FILES = ['program', 'gmon.out']
HERE = os.path.dirname(os.path.abspath(__file__))


class Target:
    """One folder of fixtures.

    `triplet` is the prefix of its tools, `options` its compiler's options beyond those of all,
    `emulator` the program that runs it, or None: there is nothing that does, and the profile is
    written from the addresses of symbols.
    """

    def __init__(self, name, triplet, emulator=None, options=''):
        self.name, self.triplet, self.emulator = name, triplet, emulator
        self.options = options.split()
        self.folder = os.path.join(HERE, name)

    def packed(self, name):
        """The contents of one of its files: program, gmon.out or recorded.txt."""
        with lzma.open(os.path.join(self.folder, name + '.xz')) as f:
            return f.read()

    def pack(self, name, data):
        with open(os.path.join(self.folder, name + '.xz'), 'wb') as f:
            f.write(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def layout(program):
    """(bits, byte order) of an image."""
    return 32 * program[4], '<' if program[5] == 1 else '>'


def samples_in(program, profile):
    """Of a profile that begins with its only histogram: where bins with samples begin and how many
    these have, and the bytes of a bin.
    """
    bits, order = layout(program)
    form = order + ('QQI' if bits == 64 else 'III')
    low, high, count = struct.unpack_from(form, profile, 21)
    bins = struct.unpack_from('%s%dH' % (order, count), profile, 21 + struct.calcsize(form) + 20)
    width = (high - low) / count
    return [(low + i * width, n) for i, n in enumerate(bins) if n > 0], width


# Bare programs need no C library: there is none for these targets.
BARE = ' -nostdlib -static -Wl,-e,main -Wl,--unresolved-symbols=ignore-all'

TARGETS = [
    Target('aarch64', 'aarch64-linux-gnu', 'qemu-aarch64'),
    Target('aarch64eb', 'aarch64-linux-gnu', None, '-mbig-endian' + BARE),
    Target('alpha', 'alpha-linux-gnu', 'qemu-alpha'),
    Target('armeb', 'arm-linux-gnueabihf', None, '-mbig-endian -marm' + BARE),
    Target('armhf', 'arm-linux-gnueabihf', 'qemu-arm', '-marm'),
    Target('armhf-thumb', 'arm-linux-gnueabihf', 'qemu-arm', '-mthumb'),
    Target('hppa', 'hppa-linux-gnu', 'qemu-hppa'),
    Target('i386', 'i686-linux-gnu', 'qemu-i386'),
    Target('i386-no-pie', 'i686-linux-gnu', 'qemu-i386', '-no-pie -fno-pie'),
    # Without a frame pointer its C library sees no caller.
    Target('m68k', 'm68k-linux-gnu', 'qemu-m68k', '-fno-omit-frame-pointer'),
    Target('mips', 'mips-linux-gnu', 'qemu-mips'),
    Target('mips-micro', 'mips-linux-gnu', None, '-mmicromips'),
    Target('mips64', 'mips64-linux-gnuabi64', 'qemu-mips64'),
    Target('mipsel', 'mipsel-linux-gnu', 'qemu-mipsel'),
    Target('mipsn32', 'mips64-linux-gnuabi64', None, '-mabi=n32 -Wl,-Ttext=0x90001000' + BARE),
    Target('powerpc', 'powerpc-linux-gnu', 'qemu-ppc'),
    Target('ppc64', 'powerpc64-linux-gnu', 'qemu-ppc64'),
    Target('ppc64-no-pie', 'powerpc64-linux-gnu', 'qemu-ppc64', '-no-pie -fno-pie'),
    Target('ppc64el', 'powerpc64le-linux-gnu', 'qemu-ppc64le'),
    Target('riscv64', 'riscv64-linux-gnu', 'qemu-riscv64'),
    Target('s390x', 's390x-linux-gnu', 'qemu-s390x'),
    Target('sh4', 'sh4-linux-gnu', None),
    Target('sparc64', 'sparc64-linux-gnu', 'qemu-sparc64'),
    Target('x32', 'x86_64-linux-gnux32', None),
]

# What gprof is asked; the image and the profile follow.  Where the name of a function matters, '@'
# stands before it: for the dot that names of code have where functions have descriptors.
CASES = [
    '-b', '-b -p', '-b -q', '-b -T', '-b -a', '-b -D', '-b -a -D', '-b -z', '-b -a -z', '-b -L',
    '-b -C', '-b -p@burn', '-b -P@burn', '-b -q@even', '-b -Q@odd', '-b -q@even -p@tree',
    '-b -k@main/@apply', '-b -f@apply', '-b -F@apply', '-b -e@tree', '-b -E@tree', '-b -n@odd -q',
    '-b -N@leaf', '-b -p -w40 -m3000', '-b -C@leaf', '-b -l', '-b -l -p -z', '-b -l -pprogram.c',
    '-i', '-r',
]


def words_of(target, case):
    return case.replace('@', '.' if target.triplet.startswith('powerpc64-') else '').split()


def calls(rounds):
    """{(caller, callee): how often} of so many rounds, four or a multiple of it."""
    apply, tree = rounds // 4, rounds * 39
    return {
        ('main', 'apply'): rounds, ('main', 'tree'): rounds, ('main', 'even'): rounds,
        ('main', 'odd'): rounds,
        ('apply', 'burn'): apply, ('apply', 'weak'): apply, ('apply', 'named'): apply,
        ('apply', 'other_work'): apply,
        ('weak', 'leaf'): apply, ('named', 'burn'): apply, ('other_work', 'leaf'): 2 * apply,
        ('tree', 'burn'): tree, ('tree', 'tree'): tree - rounds,
        ('even', 'burn'): 7 * rounds, ('even', 'odd'): 7 * rounds,
        ('odd', 'leaf'): 8 * rounds, ('odd', 'even'): 6 * rounds,
    }

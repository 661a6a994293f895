#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures here: programs with stabs for other machines, with a profile each.

    make.py GPROF

GPROF is a GNU gprof 2.40 for all targets, such as that of the package binutils-multiarch, unpacked; what it prints
is recorded.  Needs gcc-mips-linux-gnu and gcc-sparc64-linux-gnu, of a version that writes stabs (gcc 12).
The profiles are written from the addresses of functions.
"""
import lzma
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, *[os.pardir] * 4, 'tests', 'tools'), os.path.join(HERE, os.pardir)]

from gmonfile import Profile                            # noqa: E402
from recorded import OPTIONS, PROGRAMS                  # noqa: E402


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout.decode()


def main():
    gprof = os.path.abspath(sys.argv[1])
    os.chdir(HERE)
    for name, (target, flags) in PROGRAMS.items():
        compiler = target + '-gcc'
        base = flags + ['-fdebug-prefix-map=%s=.' % HERE, '-c']
        run(compiler, *base, 'other.c', '-o', 'other.o')
        run(compiler, *[flag for flag in base if not flag.startswith('-gstabs')], 'bare.c', '-o', 'bare.o')
        run(compiler, *flags, '-nostdlib', '-static', '-Wl,-e,_start,--build-id=none', 'other.o', 'bare.o', '-o', name)
        symbols = {words[2]: int(words[0], 16) for words in
                   (line.split() for line in run(target + '-nm', name).splitlines()) if len(words) == 3}
        # Where the last function ends, GNU gprof reads from memory that it never wrote.
        low, size = min(symbols['leaf'], symbols['twice']), (symbols['bare'] - symbols['leaf']) & ~3
        with open(name, 'rb') as image:
            bits = 64 if image.read(5)[4] == 2 else 32
        profile = Profile(bits=bits, order='>').histogram(low, low + size, [2] * (size // 4))
        profile.arc(symbols['_start'] + 12, symbols['twice'], 10).arc(symbols['twice'] + 16, symbols['leaf'], 20)
        with open(name + '.gmon', 'wb') as out:
            out.write(profile.bytes())
        with open(name + '.expected', 'wb') as out:
            for options in OPTIONS:
                done = subprocess.run([gprof] + options.split() + [name, name + '.gmon'], stdout=subprocess.PIPE)
                out.write(b'== gprof %s\n' % options.encode() + done.stdout)
        for suffix in '', '.gmon', '.expected':
            with open(name + suffix, 'rb') as plain, lzma.open(name + suffix + '.xz', 'wb', preset=9) as packed:
                packed.write(plain.read())
            os.remove(name + suffix)
        os.remove('other.o')
        os.remove('bare.o')


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: Apache-2.0
"""A program with stabs as an a.out image: its lines are those of the same program as an ELF image.

    lines.py PROGRAM        run in an empty folder

Status 77 if gcc builds no programs for i386, or none with stabs.
"""
import csv
import os
import subprocess
import sys

import runner
from aoutimage import from_elf
from gmonfile import bsd_profile

HEADER = 'static int twice(int x)\n{\n\treturn x * 2;\n}\n'
MAIN = ('#include "twice.h"\nint sum(int);\nint last;\n\nvoid main_loop(void)\n{\n\tint i;\n\n'
        '\tfor (i = 0; i < 9; i++)\n\t\tlast += twice(sum(i));\n}\n')
SUM = ('#include "twice.h"\n\nint sum(int n)\n{\n\tint s = 0;\n\n\twhile (n-- > 0)\n\t\ts += twice(n);\n'
       '\treturn s;\n}\n')
FLAGS = '-m32 -O1 -fno-inline -fno-pic -ffreestanding -fno-asynchronous-unwind-tables'.split()


def build():
    for name, text in ('twice.h', HEADER), ('main.c', MAIN), ('sum.c', SUM):
        with open(name, 'w', encoding='ascii') as file:
            file.write(text)
    done = subprocess.run(['gcc', '-gstabs', *FLAGS, '-no-pie', '-nostdlib', '-static',
                           '-Wl,-emain_loop,-Ttext=0x2000,--build-id=none', '-o', 'elf', 'main.c', 'sum.c'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with open('elf', 'rb') as file:
        data = file.read() if done.returncode == 0 else b''
    if b'.stabstr' not in data:
        print('SKIP: gcc builds no program with stabs for i386: %s' % done.stdout.decode())
        sys.exit(77)
    return data


def lines(program, *arguments):
    done = runner.start(program, ['-b', '-l', '-z', '--no-findings', '--output=csv', *arguments],
                        os.getcwd(), name='gprofx')
    if done.broken() or done.status != 0 or done.err:
        sys.exit('FAIL: %s\n%s' % (' '.join(arguments), done.err.decode()))
    return sorted((r['name'], r['source_file'], r['source_line'], r['self_ticks'])
                  for r in csv.DictReader(done.out.decode().splitlines()))


def main():
    program = os.path.abspath(sys.argv[1])
    data = build()
    for system in 'linux-zmagic', 'netbsd-nmagic':
        image = from_elf(system, data)
        with open(system, 'wb') as file:
            file.write(image.bytes())
        end = 0x2000 + len(image.code)
        with open('gmon', 'wb') as file:
            file.write(bsd_profile(0x2000, end, [1] * (len(image.code) // 2),
                                   [(0x2001, 0x2000, 1)], 32, image.order, 100))
        expected, found = lines(program, 'elf', 'gmon'), lines(program, system, 'gmon')
        if found != expected or len({row[:3] for row in found if row[2]}) < 9:
            sys.exit('FAIL: %s:\n%s' % (system, '\n'.join(
                map(str, sorted(set(found) ^ set(expected)) or found))))
        print(system, len(found), 'lines')


main()

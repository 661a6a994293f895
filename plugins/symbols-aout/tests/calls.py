# SPDX-License-Identifier: Apache-2.0
"""Programs of tests/data/calls as a.out images: the same calls are found in their code as in ELF.

    calls.py PROGRAM        run in an empty folder
"""
import csv
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests/data/calls'))

import runner                                                       # noqa: E402
from aoutimage import SYSTEMS, Image, from_elf                      # noqa: E402
from calltargets import TARGETS                                     # noqa: E402
from gmonfile import bsd_profile                                    # noqa: E402

PROGRAMS = {'i386': ['linux-zmagic', 'netbsd-nmagic', 'freebsd-zmagic'],
            'm68k': ['sunos-68020', 'netbsd-m68k4k'],
            'sparc': ['sunos-sparc', 'netbsd-sparc'],
            'vax': ['netbsd-vax-host']}


def calls(program, *arguments):
    """{(caller, callee, kind)} of the calls found; those of the profile are among them."""
    done = runner.start(program, ['-b', '-c', '--no-findings', '--output=csv',
                                  '--output-option=csv.table=arcs', *arguments],
                        os.getcwd(), name='gprofx')
    if done.broken() or done.status != 0 or done.err:
        sys.exit('FAIL: %s\n%s' % (' '.join(arguments), done.err.decode()))
    rows = list(csv.reader(done.out.decode().splitlines()))
    return {(r['caller'], r['callee'], r['static'])
            for r in (dict(zip(rows[0], row)) for row in rows[1:])}


def whole_programs(program):
    targets = {t.name: t for t in TARGETS}
    for name, systems in PROGRAMS.items():
        data = targets[name].program()
        with open('elf', 'wb') as file:
            file.write(data)
        for system in systems:
            image = from_elf(system, data)
            with open(system, 'wb') as file:
                file.write(image.bytes())
            with open('gmon', 'wb') as file:
                file.write(bsd_profile(image.entry, image.entry + 64, [1] * 16,
                                       [(image.entry + 1, image.entry, 1)], 32, image.order))
            expected, found = calls(program, 'elf', 'gmon'), calls(program, system, 'gmon')
            if found != expected or len(found) < 200:
                sys.exit('FAIL: %s: %d calls, %d in the ELF image\n%s' % (
                    system, len(found), len(expected), sorted(found ^ expected)[:9]))
            print(system, len(found), 'calls')


def named_machine(program):
    """A header that names no machine: the option does."""
    image = Image('4.3bsd-vax', struct.pack('<HHBBi', 0, 0x00fb, 0xef, 0, 0).ljust(0x400, b'\x01'))
    # After the mask of registers: calls $0, and the distance of _work from what is behind it.
    image.code = b'\0\0\xfb\0\xef' + struct.pack('<i', 0x40 - 9) + b'\x04' + image.code[10:]
    image.functions(['main', 'work', 'idle'])
    with open('vax', 'wb') as file:
        file.write(image.bytes())
    with open('gmon', 'wb') as file:
        file.write(bsd_profile(0, 0x80, [1] * 32, [(0x84, 0, 1)], 32, '<'))
    found = calls(program, '--set=symbols-aout.machine=vax', 'vax', 'gmon')
    if ('main', 'work', 'call') not in found:
        sys.exit('FAIL: vax: found %s' % found)
    done = runner.start(program, ['-b', '-c', 'vax', 'gmon'], os.getcwd(), name='gprofx')
    if done.status != 0 or b'warning[' not in done.err:
        sys.exit('FAIL: a machine that is not known: %s' % done.err.decode())


def main():
    program = os.path.abspath(sys.argv[1])
    assert set(sum(PROGRAMS.values(), [])) <= set(SYSTEMS)
    whole_programs(program)
    named_machine(program)


main()

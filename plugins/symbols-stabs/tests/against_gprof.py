# SPDX-License-Identifier: Apache-2.0
"""Builds programs with stabs and compares gprofx with GNU gprof.

against_gprof.py GPROF [--all] [NAME…]: GPROF is gprofx under the name gprof; NAMEs choose among the
programs.  They are those of tests/compare that gcc and g++ build, with -gstabs and -gstabs+ by turns,
or with both (--all), and images whose stabs are randomly generated.  Works in the current directory,
or in one that configurations share (kept.py).
"""
import concurrent.futures
import copy
import os
import re
import shutil
import struct
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(SOURCE, 'tests', 'tools'), os.path.join(SOURCE, 'tests', 'compare')]

import kept                                             # noqa: E402
import runner                                           # noqa: E402
from lcg import Random                                  # noqa: E402
from suite import build, generated                      # noqa: E402
from suite.programs import programs                     # noqa: E402

ORACLE = shutil.which('gprof')
OPTIONS = [
    '-b -l -z -p -q prog dense.gmon',
    '-b -l -w 120 prog gmon.out one.gmon',
    '-b -A -x prog dense.gmon',
    '-b -l -A prog gmon.out',
    '-b -p -L -z prog dense.gmon',
    '-b -p -L --inline-file-names -q prog gmon.out',
    '-b -C -z prog gmon.out',
    '-b -l -C{file}: prog gmon.out',
    '-b -p{file}:{line} prog dense.gmon',
    '-b -q{file}:{f} -Q{g} prog gmon.out',
    '-b -l -a -T prog gmon.out',
]
RANDOM_OPTIONS = ['-b -l -z -p', '-b -C -z', '-b -l -C -z', '-b -p -L --inline-file-names -z']
RANDOM_IMAGES = 60
BASE, CODE = 0x1000, 64
SOURCE_FILE, INCLUDED, FUNCTION, LINE, DATA_LINE = 0x64, 0x84, 0x24, 0x44, 0x46


def with_stabs(program, flag):
    """The program built with stabs instead of its own debug information, or None."""
    if any(words[0] not in ('gcc', 'g++') for words in program.commands):
        return None
    changed = copy.copy(program)
    changed.name = program.name + flag
    changed.commands = []
    for words in program.commands:
        words = [word for word in words if not re.match(r'-g(\d|$|dwarf|split|strict|z)|-flto', word)]
        changed.commands.append(words[:1] + [flag] + words[1:])
    return changed


def real_programs(both):
    out = []
    for number, program in enumerate(programs(generated.write)):
        for flag in ('-gstabs', '-gstabs+')[:2] if both else (('-gstabs', '-gstabs+')[number % 2],):
            changed = with_stabs(program, flag)
            if changed and changed.name not in [one.name for one in out]:
                out.append(changed)
    return out


def mixed_programs():
    """Objects with stabs, with DWARF and with neither in one program."""
    store = next(program for program in programs(generated.write) if program.name == 'c-o0')
    for name, flags in (('mixed', '-gstabs -g -gstabs+'), ('mixed-back', '-g -g0 -gstabs'),
                        ('mixed-none', '-g0 -gstabs+ -g0')):
        program = copy.copy(store)
        program.name = name
        program.commands = [['gcc', '-pg', '-O1', flag, '-c', unit + '.c']
                            for flag, unit in zip(flags.split(), ('main', 'hash', 'list'))]
        program.commands.append('gcc -pg main.o hash.o list.o -o prog'.split())
        yield program


def build_program(program):
    directory = os.path.abspath(program.name)
    shutil.rmtree(directory, ignore_errors=True)
    try:
        return build.build(program, os.path.join(SOURCE, 'tests', 'compare', 'programs'), directory)
    except build.NotBuilt as why:
        return str(why)


def random_stabs(chance):
    """Entries as compilers write them.

    Where code of another file begins, so does a line: of other entries GNU gprof makes now this,
    now that, as it depends on what it was asked before.
    """
    entries, at = [], BASE
    while at < BASE + CODE:
        entries += [(SOURCE_FILE, 0, at, '/w/d%d/' % chance.below(3))] * (chance.below(3) > 0)
        entries.append((SOURCE_FILE, 0, at, 'f%d.c' % chance.below(4)))
        has_functions = chance.below(4) > 0
        end = at + 8 + chance.below(CODE // 2)
        while at < end:
            size = 3 + chance.below(14)
            if has_functions:
                entries.append((FUNCTION, 0, at, 'fn%x:F(0,1)' % at))
            offset = chance.below(3) if has_functions else at
            for number in range(chance.below(6)):
                if chance.below(4) == 0:
                    offset *= number > 0 or not has_functions
                    entries.append((INCLUDED, 0, offset + at * has_functions,
                                    ('in.h', '/usr/x.h', 'f0.c')[chance.below(3)]))
                entries.append(((LINE, LINE, LINE, DATA_LINE)[chance.below(4)], chance.below(40), offset, ''))
                offset += chance.below(5)
                entries += [(0x80, 0, 5, 'local:r1'), (0x82, 0, 0, 'in.h')] * (chance.below(4) == 0)
            if has_functions and chance.below(3) == 0:
                entries.append((FUNCTION, 0, size, ''))
            at += size + chance.below(4) * (chance.below(3) == 0)
        if chance.below(2):
            entries.append((SOURCE_FILE, 0, at, ''))
            at += chance.below(8)
    return entries


def sections_of(entries):
    strings, offsets, rows = b'\0', {'': 0}, b''
    for kind, desc, value, string in entries:
        if string not in offsets:
            offsets[string] = len(strings)
            strings += string.encode() + b'\0'
        rows += struct.pack('<IBBHI', offsets[string], kind, 0, desc, value)
    return struct.pack('<IBBHI', 0, 0, 0, len(entries) & 0xffff, len(strings)) + rows, strings


def build_random(number):
    """The image random-NUMBER with functions of the symbol table wherever, and its profile."""
    chance, name = Random(number + 1), 'random-%d' % number
    functions, at = {}, BASE
    while at < BASE + CODE:
        functions[at] = 'fn%x' % at
        at += 1 + chance.below(16)
    with open(name + '.s', 'w') as out:
        for place in range(BASE, BASE + CODE):
            if place in functions:
                out.write('.globl {0}\n.type {0},@function\n{0}:\n'.format(functions[place]))
            out.write('nop\n')
    for suffix, data in zip(('.stab', '.stabstr'), sections_of(random_stabs(chance))):
        with open(name + suffix, 'wb') as out:
            out.write(data)
    for command in ('as {0}.s -o {0}.o', 'ld -e 0 -Ttext=0x1000 {0}.o -o {0}',
                    'objcopy --add-section .stab={0}.stab --add-section .stabstr={0}.stabstr {0}'):
        subprocess.run(command.format(name).split(), check=True, stderr=subprocess.DEVNULL)
    with open(name + '.gmon', 'wb') as out:
        out.write(b'gmon' + struct.pack('<I12xBQQII', 1, 0, BASE, BASE + CODE, CODE // 2, 100)
                  + b'seconds'.ljust(15, b'\0') + b's' + struct.pack('<H', 3) * (CODE // 2)
                  + b'\1' + struct.pack('<QQI', BASE + CODE // 2, BASE, 7))
    return name


def difference(tested, directory, arguments):
    shared = kept.folder_for('symbols-stabs')
    got = runner.start(tested, arguments, directory, seconds=120)
    wanted = kept.remember(shared, (directory, arguments),
                           lambda: runner.start(ORACLE, arguments, directory, seconds=120))
    for word in ('status', 'out', 'err'):
        ours, theirs = getattr(got, word), getattr(wanted, word)
        if ours != theirs and word == 'status':
            return 'status %s instead of %s' % (ours, theirs)
        if ours == theirs:
            continue
        for mine, other in zip(ours.split(b'\n') + [b'(end)'], theirs.split(b'\n') + [b'(end)']):
            if mine != other:
                return '%s: %r instead of %r' % (word, mine[:160], other[:160])
    return None


def examine(tested, program):
    """(failures, how many cases)."""
    shared = kept.folder_for('symbols-stabs')
    if isinstance(program, int):
        name = kept.remember(shared, 'random-%d' % program, lambda: build_random(program))
        cases = [(option.split() + [name, name + '.gmon'], os.getcwd()) for option in RANDOM_OPTIONS]
    else:
        name = program.name
        words = kept.remember(shared, name, lambda: build_program(program))
        if isinstance(words, str):
            return ['%s cannot be built: %s' % (name, words)], 0
        cases = [(option.format(**words).split(), os.path.abspath(name)) for option in OPTIONS]
    failures = []
    for arguments, directory in cases:
        found = difference(tested, directory, arguments)
        if found:
            failures.append('%s: gprof %s: %s' % (name, ' '.join(arguments), found))
    return failures, len(cases)


def main():
    tested, both = sys.argv[1], '--all' in sys.argv
    names = [name for name in sys.argv[2:] if name != '--all']
    os.chdir(kept.folder_for('symbols-stabs') or '.')
    chosen = real_programs(both) + list(mixed_programs()) + list(range(RANDOM_IMAGES * (10 if both else 1)))
    if names:
        chosen = [one for one in chosen
                  if (one.name if hasattr(one, 'name') else 'random-%d' % one) in names]
    else:
        chosen = runner.share(chosen)
    failures, cases = [], 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found, count in pool.map(lambda one: examine(tested, one), chosen):
            failures += found
            cases += count
    for failure in failures[:30]:
        print(failure)
    print('%d programs, %d cases, %d differ' % (len(chosen), cases, len(failures)))
    return 1 if failures or not cases else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of calls on another processor: programs for aarch64 under an emulator, with the collector that is built for it.

The same programs as in counts.py, whose numbers are known by construction.  Takes 25 seconds.
"""
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'tools')]

import exact                                            # noqa: E402
import gxcreader                                        # noqa: E402
from collected import PROGRAMS, check, run_parts        # noqa: E402
from counts import (LINK, PRELOAD, STATIC, Form, Native, compile_program, of_handlers, run, try_forks,  # noqa: E402
                    try_killed, try_program)

SOURCE = os.environ['GPROFX_SOURCE']
PREFIX = 'aarch64-linux-gnu'
EMULATOR = 'qemu-aarch64'


class Aarch64(Native):
    compilers = {('.c', 'gcc'): PREFIX + '-gcc', ('.cc', 'gcc'): PREFIX + '-g++', ('.f90', 'gcc'): PREFIX + '-gfortran',
                 ('.cc', 'clang'): 'clang++', ('.f90', 'clang'): PREFIX + '-gfortran'}
    gprof = None

    @classmethod
    def command(cls, path, way, settings):
        words = [EMULATOR, '-L', '/usr/' + PREFIX, '-E', 'GPROFX_COLLECT=' + settings]
        if way == PRELOAD:
            words += ['-E', 'LD_PRELOAD=' + cls.library]
        elif way == LINK:
            words += ['-E', 'LD_LIBRARY_PATH=%s' % os.path.dirname(cls.library)]
        return [*words, path], dict(os.environ)


CLANG = '--target=' + PREFIX
FORMS = [
    Form('gcc', ['-O2', '-pg'], PRELOAD),
    Form('gcc', ['-O0', '-pg', '-no-pie'], PRELOAD),
    Form('gcc', ['-O2', '-pg', '-mbranch-protection=standard'], LINK),
    Form('gcc', ['-O3', '-pg', '-static'], STATIC),
    Form('gcc', ['-O2', '-finstrument-functions'], LINK),
    Form('clang', [CLANG, '-O2', '-pg'], PRELOAD),
]


def build(folder):
    """The collector alone, as its users build it for a board."""
    where = os.path.join(folder, 'collector')
    for words in (['cmake', '-S', os.path.join(SOURCE, 'collect'), '-B', where, '-G', 'Ninja', '-DGPROFX_WERROR=ON',
                   '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_SYSTEM_NAME=Linux', '-DCMAKE_SYSTEM_PROCESSOR=aarch64',
                   '-DCMAKE_C_COMPILER=%s-gcc' % PREFIX], ['cmake', '--build', where]):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not check('the collector is built', done.returncode == 0, done.stdout[-800:]):
            return
    Aarch64.library = os.path.join(where, 'lib', 'libgprofx-collect.so.1')
    Aarch64.archive = os.path.join(where, 'lib', 'libgprofx-collect.a')
    counts(folder)
    blocks(folder)
    times(folder)


def counts(folder):
    source = lambda name: os.path.join(PROGRAMS, name)     # noqa: E731
    try_program(folder, 1, source('threads.c'), FORMS, (4, 50000), {'leaf': 200000, 'work': 4}, target=Aarch64)
    # The emulator has 32 timers, and in a static program those of ended threads are deleted when others take their tables.
    try_program(folder, 2, source('churn.c'), [FORMS[0], FORMS[3]], (200,), {'leaf': 20000, 'work': 200}, 'threads=merge',
                target=Aarch64)
    try_program(folder, 3, source('jumps.cc'), FORMS[:3], (), {'leaf': 3000, 'descend': 20000, 'run_coroutine': 1}, target=Aarch64)
    try_program(folder, 4, source('formula.f90'), FORMS[:2], (), {'__formula_MOD_twice': 2000, '__formula_MOD_descend': 500},
                target=Aarch64)
    try_program(folder, 5, source('handlers.c'), [FORMS[0], FORMS[5]], (2000000,), of_handlers, target=Aarch64)
    path = os.path.join(folder, 'many.c')
    with open(path, 'w') as out:
        subprocess.run([sys.executable, source('many.py'), '500', '3'], stdout=out, check=True)
    try_program(folder, 6, path, [FORMS[1]], (), {'f%d' % i: 30 for i in range(0, 500, 97)}, most_slots=20 * 1500, target=Aarch64)
    path = os.path.join(folder, 'forks')
    compile_program(source('forks.c'), FORMS[0], path, target=Aarch64)
    try_forks(path, FORMS[0], Aarch64)
    try_killed(os.path.join(folder, 'killed'), (0.4, 0.9), Aarch64)


BLOCKS = '''
__attribute__((noinline)) int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i & 1 ? 3 : i; return s; }
int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += f(i % 7); return s == 12345; }
'''


def blocks(folder):
    """Executions of blocks: those of the native compiler's code are the same, block by block."""
    path = os.path.join(folder, 'blocks.c')
    with open(path, 'w') as out:
        out.write(BLOCKS)
    form = Form('gcc', ['-O0', '-g', '-fsanitize-coverage=trace-pc'], LINK)
    sums = []
    for target in Native, Aarch64:
        program = path[:-2] + target.__name__
        if not check('blocks: compiled', compile_program(path, form, program, target=target)):
            return
        _, files = run(program, (), form, program + '.run', target=target)
        sums.append(sorted(count for file in files for count in file.blocks().values()))
        check('machine', files and files[0].header['machine'] == (183 if target is Aarch64 else 62), '%s' % target)
    check('blocks', sums[0] == sums[1] and sum(sums[0]) > 10000, '%s' % sums)


def times(folder):
    """Times at entry and exit, by a counter whose rate the emulator keeps, too; it is slow between two readings."""
    path = os.path.join(folder, 'exact')
    for compiler in ([PREFIX + '-gcc', '-O0'], [PREFIX + '-gcc', '-O2'], ['clang', CLANG, '-O2']):
        what = ' '.join(compiler)
        made = subprocess.run([*compiler, '-D_GNU_SOURCE', '-w', '-pthread', '-finstrument-functions', '-o', path,
                               os.path.join(PROGRAMS, 'exact.c')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not check('%s: compiled' % what, made.returncode == 0, made.stdout[:300]):
            continue
        # Where the machine is busy, much can pass between the two readings: there are three tries.
        for _ in range(3):
            found, wrong = measure_times(path)
            if not wrong:
                break
        check('%s: times' % what, not wrong, '%s' % wrong)
        exact.check_counts(what, found.file, unwound=10)


def measure_times(path):
    """What the collector measured, and what the program did that differs."""
    # A comma would end a variable of the emulator's option.
    words, environment = Aarch64.command(path, PRELOAD, '')
    words = [word for word in words if not word.startswith('GPROFX_COLLECT')]
    words.remove('-E')
    environment['GPROFX_COLLECT'] = 'gmon=off,clock=off,time=exact'
    where = path + '.run'
    os.makedirs(where)
    done = subprocess.run(words, cwd=where, env=environment, stdout=subprocess.PIPE, text=True)
    found = exact.find(gxcreader.File(glob.glob(where + '/*.gxc')[0]))
    shutil.rmtree(where)
    told = {name: int(ns) / 1e9 for _, name, ns in map(str.split, done.stdout.splitlines())}
    check('times: there are some', len(told) > 10, '%s' % told)
    return found, {name: (found.total[name], seconds) for name, seconds in told.items()
                   if abs(found.total[name] - seconds) >= 0.1 * seconds + 0.02}


if __name__ == '__main__':
    if not all(map(shutil.which, (PREFIX + '-gcc', EMULATOR, 'cmake', 'ninja'))):
        print('SKIP: no compiler for aarch64, or no emulator')
        sys.exit(77)
    sys.exit(run_parts(build))

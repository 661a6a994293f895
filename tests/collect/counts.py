#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of calls, against programs whose numbers are known by construction.

Each program is run under the collector in some of the forms that programs have: compilers, levels,
entry points, with the library preloaded or linked, static and PIE. Not one call may be missing or
too many. GNU gprof, if it is installed, has to read every gmon.out and to say the same.
"""
import collections
import glob
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import ARCHIVE, LIBRARY, PROGRAMS, check, run_parts, skip     # noqa: E402

GPROF = shutil.which('gprof')

Form = collections.namedtuple('Form', 'compiler flags way')


class Native:
    """The machine of the tests: its compilers, the collector for it, and how programs are run."""
    compilers = {('.cc', 'gcc'): 'g++', ('.cc', 'clang'): 'clang++', ('.f90', 'gcc'): 'gfortran', ('.f90', 'clang'): 'gfortran'}
    library, archive, gprof = LIBRARY, ARCHIVE, GPROF
    flags = []

    @classmethod
    def compiler(cls, form, ending):
        return cls.compilers.get((ending, form.compiler), form.compiler)

    @classmethod
    def command(cls, path, way, settings):
        """Words in front of a program's, and the environment."""
        environment = dict(os.environ, GPROFX_COLLECT=settings)
        if way == PRELOAD:
            environment['LD_PRELOAD'] = cls.library
        elif way == LINK:
            environment['LD_LIBRARY_PATH'] = os.path.dirname(cls.library)
        return [path], environment

PRELOAD, LINK, STATIC = 'preloaded', 'linked', 'in it'

# The whole range for one program; the others take turns.
FORMS = [
    Form('gcc', ['-O2', '-pg'], PRELOAD),
    Form('gcc', ['-O0', '-pg', '-no-pie'], PRELOAD),
    Form('gcc', ['-O3', '-pg', '-flto'], PRELOAD),
    Form('gcc', ['-O2', '-pg', '-mfentry'], PRELOAD),
    Form('gcc', ['-O1', '-pg', '-fcf-protection=full'], LINK),
    Form('gcc', ['-O2', '-pg', '-static'], STATIC),
    Form('gcc', ['-O2', '-pg', '-static-pie'], STATIC),
    Form('gcc', ['-O2', '-finstrument-functions'], LINK),
    Form('clang', ['-O2', '-pg'], PRELOAD),
    Form('clang', ['-O0', '-pg', '-no-pie'], LINK),
    Form('clang', ['-O2', '-pg', '-mfentry'], PRELOAD),
    Form('gcc', ['-O2', '-finstrument-functions', '-static'], STATIC),
]

# Their C library has nothing for -pg; the compiler of Debian for it has an unwinder that needs the other one.
MUSL = [Form('musl-gcc', ['-O2', '-pg', '-static'], STATIC), Form('musl-gcc', ['-O2', '-pg'], STATIC)]

# GNU gprof leaves out calls from libraries, and those of a function by itself.
NOT_IN_FLAT = {'work', 'on_alarm', 'run_coroutine', 'descend', '__formula_MOD_descend'}


def compile_program(source, form, path, more=(), target=Native):
    ending = os.path.splitext(source)[1]
    compiler = target.compiler(form, ending)
    if not shutil.which(compiler):
        return False
    # Fortran has no word for what must stay a call.
    more = [*more, *(['-fno-inline', '-fno-ipa-cp', '-fno-ipa-sra'] if ending == '.f90' else [])]
    library = {PRELOAD: [], LINK: ['-L' + os.path.dirname(target.library), '-lgprofx-collect'], STATIC: [target.archive]}
    made = subprocess.run([compiler, *target.flags, *form.flags, '-w', *more, source, '-o', path, '-pthread', *library[form.way]],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        print('cannot compile %s %s: %s' % (source, form, made.stdout[:500]))
        check('%s: linked' % name_of(source, form), form not in MUSL)
    return made.returncode == 0


def run(path, words, form, folder, settings='', target=Native, seconds=120):
    """Runs a program in a new folder under the collector; what came out, and its files."""
    os.makedirs(folder)
    command, environment = target.command(path, form.way, settings)
    done = subprocess.run([*command, *map(str, words)], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=seconds)
    files = [gxcreader.File(name) for name in sorted(glob.glob(os.path.join(folder, '*.gxc')))]
    return done, files


def ask_gprof(path, profile):
    """Calls of each function, as GNU gprof's flat profile has them."""
    listed = subprocess.run([GPROF, '-b', '-p', path, profile], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)
    calls = collections.Counter()
    if listed.returncode != 0:
        return None
    for line in listed.stdout.splitlines():
        row = re.match(r'\s*[\d.]+\s+[\d.]+\s+[\d.]+\s+(\d+)\s+\S+\s+\S+\s+(\S+)$', line)
        if row:
            calls[row.group(2)] += int(row.group(1))
    return calls


def check_counts(what, files, expected, lost=0):
    calls = gxcreader.calls_by_function(files)
    for name, number in expected.items():
        check('%s: calls of %s' % (what, name), calls[name] == number, '%d instead of %d' % (calls[name], number))
    check('%s: nothing lost' % what, sum(file.header['lost_calls'] for file in files) == lost)


def name_of(source, form):
    return '%s, %s %s, %s' % (os.path.basename(source), form.compiler, ' '.join(form.flags), form.way)


def try_program(folder, number, source, forms, words, expected, settings='', most_slots=None, target=Native):
    """One program in some forms; functions and how often each is called, or a function of the output."""
    for i, form in enumerate(forms):
        path = os.path.join(folder, '%d-%d' % (number, i))
        what = name_of(source, form)
        if not compile_program(source, form, path, target=target):
            skip(what)
            continue
        done, files = run(path, words, form, path + '.run', settings, target)
        check('%s: status' % what, done.returncode == 0, '%d: %s' % (done.returncode, done.stderr[:200]))
        check('%s: silent' % what, done.stderr == '', done.stderr[:200])
        counts = expected(done.stdout) if callable(expected) else expected
        check_counts(what, files, counts)
        slots = sum(chunk[3] for file in files for chunk in file.chunks if chunk[0] == gxcreader.ARCS)
        check('%s: room for calls' % what, most_slots is None or 0 < slots <= most_slots, '%d slots' % slots)
        profile = os.path.join(path + '.run', 'gmon.out')
        check('%s: gmon.out' % what, os.path.exists(profile))
        if target.gprof and os.path.exists(profile):
            asked = ask_gprof(path, profile)
            check('%s: GNU gprof reads it' % what, asked is not None)
            for name in set(counts) - NOT_IN_FLAT:
                check('%s: GNU gprof on %s' % (what, name), asked is None or asked[name] == counts[name],
                      '%s instead of %d' % (asked and asked[name], counts[name]))


def turns(*numbers):
    return [FORMS[i] for i in numbers]


def of_handlers(output):
    words = output.split()
    return {words[i]: int(words[i + 1]) for i in (0, 2, 4)}


def simple(folder):
    source = lambda name: os.path.join(PROGRAMS, name)     # noqa: E731
    try_program(folder, 1, source('threads.c'), FORMS + MUSL, (4, 500000), {'leaf': 2000000, 'work': 4})
    try_program(folder, 2, source('threads.c'), FORMS[:1], (16, 200000), {'leaf': 3200000, 'work': 16},
                'threads=separate')
    try_program(folder, 3, source('churn.c'), turns(0, 5, 8) + MUSL, (2000,), {'leaf': 200000, 'work': 2000})
    try_program(folder, 9, source('takeover.c'), turns(5, 6), (), {'leaf': 12008000, 'work': 32})
    try_program(folder, 4, source('handlers.c'), turns(0, 3, 6, 7, 9), (20000000,), of_handlers)
    try_program(folder, 5, source('jumps.cc'), turns(1, 4, 8), (),
                {'leaf': 3000, 'descend': 20000, 'run_coroutine': 1})
    try_program(folder, 6, source('formula.f90'), turns(0, 1, 6), (),
                {'__formula_MOD_twice': 2000, '__formula_MOD_descend': 500})
    for number, count, sites, forms in (7, 5000, 1, turns(1, 10)), (8, 100, 300, turns(0, 3)):
        path = os.path.join(folder, 'many%d.c' % number)
        with open(path, 'w') as out:
            subprocess.run([sys.executable, source('many.py'), str(count), str(sites)], stdout=out, check=True)
        try_program(folder, number, path, forms, (), {'f%d' % i: 10 * sites for i in range(0, count, 97)},
                    most_slots=20 * count * sites)


def forks(folder):
    for number, form in enumerate(turns(0, 5) + MUSL):
        path = os.path.join(folder, 'forks%d' % number)
        if compile_program(os.path.join(PROGRAMS, 'forks.c'), form, path):
            try_forks(path, form, Native)
        else:
            skip(name_of('forks.c', form))


def try_forks(path, form, target):
    done, files = run(path, (30,), form, path + '.run', target=target)
    check('forks: status', done.returncode == 0)
    check('forks: a file for each process', len(files) == 31, '%d' % len(files))
    check_counts('forks', files, {'leaf': 1000 + 30 * 50 + 7})
    for file in files:
        expected = {'leaf': 50} if file.header['flags'] & 16 else {'leaf': 1007}
        check_counts('forks, process %d' % file.header['pid'], [file], expected)
    # Those that exit() ended, the parent included.
    check('forks: ends', sum(file.header['state'] == 2 for file in files) == 11,
          '%s' % [file.header['state'] for file in files])
    for profile in glob.glob(os.path.join(path + '.run', 'gmon.out*')):
        if target.gprof and not profile.endswith('.gxc'):
            calls = ask_gprof(path, profile)
            check('forks: GNU gprof on %s' % os.path.basename(profile),
                  calls and calls['leaf'] == (1007 if profile.endswith('gmon.out') else 50))


def execs(folder):
    path, form = os.path.join(folder, 'execs'), FORMS[0]
    compile_program(os.path.join(PROGRAMS, 'execs.c'), form, path)
    for settings in ('rate=1000', 'rate=1000,clock=task'):
        for i in range(5):
            done, files = run(path, (4,), form, '%s.run%d%s' % (path, i, settings[-1]), settings)
            check('execs: status', done.returncode == 3, '%d' % done.returncode)
            check('execs: a file for each program', len(files) == 4, '%d' % len(files))
            check_counts('execs', files, {'leaf': 400})
            check('execs: states', sorted(file.header['state'] for file in files) == [3, 3, 3, 3])


def killed(folder):
    try_killed(os.path.join(folder, 'killed'), (0.003, 0.07, 0.15, 0.3), Native)


def counted(path):
    """What the threads of killed.c have counted so far; None: it has not begun."""
    try:
        with open(path, 'rb') as data:
            page = data.read()
    except FileNotFoundError:
        return None
    return sum(struct.unpack_from('<q', page, 64 * i)[0] for i in range(4)) if len(page) == 4096 else None


def try_killed(path, moments, target):
    """A busy machine takes its time to start a program."""
    form = FORMS[0]
    compile_program(os.path.join(PROGRAMS, 'killed.c'), form, path, target=target)
    for i, seconds in enumerate(moments):
        where = '%s.run%d' % (path, i)
        os.makedirs(where)
        command, environment = target.command(path, form.way, '')
        process = subprocess.Popen(command, cwd=where, env=environment)
        latest = time.monotonic() + 60
        while not counted(where + '/truth') and process.poll() is None and time.monotonic() < latest:
            time.sleep(0.01)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        process.wait()
        files = [gxcreader.File(name) for name in glob.glob(where + '/*.gxc')]
        true, found = counted(where + '/truth') or 0, gxcreader.calls_by_function(files)['leaf']
        check('killed: it ran', true > 0 and process.returncode == -signal.SIGKILL, '%d' % process.returncode)
        check('killed: calls', abs(found - true) <= 4, '%d counted, %d true' % (found, true))
        check('killed: state', len(files) == 1 and files[0].header['state'] == 1)


def unload(folder):
    path, form = os.path.join(folder, 'unload'), FORMS[0]
    where = path + '.run'
    os.makedirs(where)
    # One is unloaded together with a library that it needs, and whose calls come from it.
    needs = ['-DBELOW', os.path.join(where, 'below.so'), '-Wl,-rpath,$ORIGIN']
    for name, more in ('below', ['-DALONE']), ('one', needs), ('two', []), ('three', []):
        subprocess.run(['gcc', '-O1', '-shared', '-fPIC', '-pg', '-w', '-DNAME=' + name,
                        os.path.join(PROGRAMS, 'plugin.c'), '-o', os.path.join(where, name + '.so'), *more], check=True)
    compile_program(os.path.join(PROGRAMS, 'unload.c'), form, path, ['-ldl'])
    for rounds, times, settings in (400, 1, ''), (200, 1000, 'rate=4000'):
        what = 'unload %d' % rounds
        for name in glob.glob(where + '/*gmon*'):
            os.remove(name)
        subprocess.run([path, str(rounds), str(times)], cwd=where, check=True,
                       env=dict(os.environ, LD_PRELOAD=LIBRARY, GPROFX_COLLECT=settings))
        files = [gxcreader.File(name) for name in glob.glob(where + '/*.gxc')]
        each = rounds // 2 * times
        check_counts(what, files, {'one_leaf': 300 * each, 'two_leaf': 200 * each, 'below': 300 * each, 'plugin': rounds})
        check('%s: tables do not grow with the loads' % what, files[0].header['bytes'] < 1 << 18,
              '%d' % files[0].header['bytes'])
    # One thread loads a library to the addresses of another one, which is not known to be gone yet.
    for name in glob.glob(where + '/*gmon*'):
        os.remove(name)
    subprocess.run([path, '500', '1', 'threads'], cwd=where, check=True,
                   env=dict(os.environ, LD_PRELOAD=LIBRARY, GPROFX_COLLECT='rate=4000'))
    check_counts('unload in threads', [gxcreader.File(name) for name in glob.glob(where + '/*.gxc')],
                 {'one_leaf': 5000, 'two_leaf': 5000, 'three_leaf': 5000, 'below': 5000, 'plugin': 1500})
    for name in glob.glob(where + '/*gmon*'):
        os.remove(name)
    subprocess.run([path, '1000', '1', 'jumps'], cwd=where, check=True, env=dict(os.environ, LD_PRELOAD=LIBRARY))
    check_counts('unload and jumps', [gxcreader.File(name) for name in glob.glob(where + '/*.gxc')], {'three_leaf': 1000})
    # Samples of libraries that are gone are theirs, with their callers.
    weights = collections.Counter()
    for weight, _, _, chain in files[0].stacks():
        paths = {files[0].object_of(pc).path for pc in chain if files[0].object_of(pc)}
        weights.update({os.path.basename(name): weight for name in paths})
        check('unload: every frame belongs to something', all(map(files[0].object_of, chain)), '%s' % list(map(hex, chain)))
    check('unload: samples of libraries', all(weights[name] > 20 for name in ('one.so', 'two.so', 'below.so')),
          '%s' % weights)


if __name__ == '__main__':
    sys.exit(run_parts(simple, forks, execs, killed, unload))

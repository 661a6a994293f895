# SPDX-License-Identifier: Apache-2.0
"""Builds programs with debug information of every kind and compares gprofx with GNU gprof.

against_gprof.py GPROF [NAME…]: GPROF is gprofx under the name gprof; NAMEs choose among the programs.
Works in the current directory, or in one that configurations share (kept.py).  Programs whose
compiler, linker or tool is missing are skipped by name, as are those that GNU gprof reads wrongly
(GNU_ERRS).
"""
import concurrent.futures
import os
import shutil
import struct
import subprocess
import sys

import kept
import runner

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
ORACLE = shutil.which('gprof')

OPTIONS = [
    '-b -C -z',
    '-b -L --inline-file-names -z -q',
    '-b -q -z',
    '-b -q -z -w 120 --inline-file-names -a',
    '-b -C -z -Ccommon.h:',
    '-b -z -qother.c:',
    '-b -z -Qmain.c: -q',
    '-b -T -z -q -L --inline-file-names',
]

# What the reference gets wrong, all of it by giving up: no unit of the program has positions.
GNU_ERRS = {
    'c-gcc-5-gz-gnu': 'it does not find .zdebug_rnglists',
    'c-gcc-5-split': 'it cannot read DW_AT_ranges of a skeleton unit',
    'c-gcc-5-dwarf64': 'it cannot read 64-bit DWARF 5',
}


class Program:
    """A recipe: commands run in turn in a copy of the sources; {out} is the result."""

    def __init__(self, name, needs, *commands):
        self.name, self.needs, self.commands = name, needs, commands
        self.image = os.path.abspath(name)

    def missing(self):
        for need in self.needs:
            if shutil.which(need) is None:
                return need + ' is not installed'
        return None

    def build(self):
        """Returns None, or why the program cannot be built."""
        folder = self.image + '.d'
        sources = os.path.join(folder, 'source')
        shutil.rmtree(folder, ignore_errors=True)       # left where another configuration did not end
        shutil.copytree(SOURCES, sources)
        for command in self.commands:
            command = command.format(out=self.image, tmp=folder)
            made = subprocess.run(command, shell=True, cwd=sources, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if made.returncode != 0:
                last = made.stdout.decode('utf-8', 'replace').strip().splitlines()[-1:]
                return 'cannot be built here: ' + ' '.join(last)[:120]
        return None


def programs():
    out = []

    def add(name, needs, *commands):
        out.append(Program(name, needs, *commands))

    c = 'main.c other.c'
    variants = [
        ('O0', '-O0', c), ('O2', '-O2', c), ('g1', '-g1 -O2', c), ('g3', '-g3 -O1', c),
        ('gz', '-gz -O1', c), ('gz-gnu', '-gz=zlib-gnu', c), ('split', '-gsplit-dwarf', c),
        ('dwarf64', '-gdwarf64', c), ('static', '-static -O1', c), ('profiled', '-pg -no-pie', c),
        ('types', '-fdebug-types-section', c), ('shared', '-shared -fPIC', c),
        ('gc', '-O2 -ffunction-sections -Wl,--gc-sections', c),
        ('map', '-fdebug-prefix-map=$PWD=.', '$PWD/main.c inner/../other.c'),
    ]
    for version in 2, 3, 4, 5:
        for compiler in 'gcc', 'clang':
            for word, flags, files in variants:
                add('c-%s-%d-%s' % (compiler, version, word), [compiler],
                    '%s -g -gdwarf-%d %s %s -o {out}' % (compiler, version, flags, files))
            add('object-%s-%d' % (compiler, version), [compiler],
                '%s -g -gdwarf-%d -O2 -c main.c -o {out}' % (compiler, version))
            add('object-gz-%s-%d' % (compiler, version), [compiler],
                '%s -g -gdwarf-%d -gz -c other.c -o {out}' % (compiler, version))
            build = '%s -g -gdwarf-%d -c places.s -o {tmp}/places.o' % (compiler, version)
            if compiler == 'clang' and version == 2:
                build = 'as --gdwarf-2 places.s -o {tmp}/places.o'
            mixed = [build, 'cc -c bare.c -o {tmp}/bare.o',
                     '%s -g -gdwarf-%d -O1 -c mixed.c -o {tmp}/mixed.o' % (compiler, version)]
            link = 'cc {tmp}/%s.o {tmp}/%s.o {tmp}/%s.o -o {out}'
            add('mixed-%s-%d' % (compiler, version), [compiler, 'as'],
                *mixed, link % ('places', 'bare', 'mixed'))
            add('mixed-back-%s-%d' % (compiler, version), [compiler, 'as'],
                *mixed, link % ('mixed', 'bare', 'places'))
        add('fortran-%d' % version, ['gfortran'],
            'gfortran -g -gdwarf-%d -J {tmp} modules.f90 -o {out}' % version)
    add('loc-without-as', ['gcc'], 'gcc -g -gno-as-loc-support -O2 %s -o {out}' % c)
    add('lto-gcc', ['gcc'], 'gcc -g -O2 -flto %s -o {out}' % c)
    add('lto-clang', ['clang', 'ld.lld'], 'clang -g -O2 -flto -fuse-ld=lld %s -o {out}' % c)
    add('lines-only', ['clang'], 'clang -gline-tables-only -O2 %s -o {out}' % c)
    add('m32', ['gcc'], 'gcc -m32 -g -O1 -c other.c -o {out}')
    add('two-versions', ['gcc', 'clang'], 'gcc -g -gdwarf-3 -c main.c -o {tmp}/main.o',
        'clang -g -gdwarf-5 -c other.c -o {tmp}/other.o', 'cc {tmp}/main.o {tmp}/other.o -o {out}')
    add('relinked', ['gcc', 'ld'], 'gcc -g -O1 -c main.c -o {tmp}/main.o',
        'gcc -g -gdwarf-4 -c other.c -o {tmp}/other.o',
        'ld -r {tmp}/main.o {tmp}/other.o -o {tmp}/both.o', 'cc {tmp}/both.o -o {out}')
    cc = 'classes.cc more.cc'
    for compiler, flags in (('g++', '-gdwarf-4'), ('g++', '-gdwarf-5 -O2'), ('clang++', '-gdwarf-5'),
                            ('clang++', '-gdwarf-4 -O1'), ('g++', '-gdwarf-3 -O1 -flto')):
        add(('classes-%s%s' % (compiler, flags)).replace(' ', ''), [compiler],
            '%s -g %s %s -o {out}' % (compiler, flags, cc))
    for linker in 'gold', 'lld':
        add('icf-' + linker, ['g++', 'ld.' + linker],
            'g++ -g -O1 -ffunction-sections -fuse-ld=%s -Wl,--icf=all,--gc-sections %s -o {out}'
            % (linker, cc))
    separate = ['gcc -g -O1 %s -o {tmp}/whole' % c, 'objcopy --only-keep-debug {tmp}/whole %s',
                'objcopy --strip-debug --add-gnu-debuglink=%s {tmp}/whole {out}']
    for word, place in (('beside', '{out}.debug'), ('below', '.debug/below.debug')):
        if word == 'below':
            place = os.path.join(os.getcwd(), place)
        add('separate-' + word, ['gcc', 'objcopy'], separate[0], separate[1] % place,
            separate[2] % place)
    add('separate-gone', ['gcc', 'objcopy'], separate[0], separate[1] % '{out}.debug',
        separate[2] % '{out}.debug', 'rm {out}.debug')
    add('separate-changed', ['gcc', 'objcopy'], separate[0], separate[1] % '{out}.debug',
        separate[2] % '{out}.debug', 'echo >> {out}.debug')
    add('stripped', ['gcc', 'strip'], separate[0], 'strip --strip-debug {tmp}/whole -o {out}')
    add('dwz', ['g++', 'dwz'], 'g++ -g -gdwarf-4 %s -o {out}' % cc, 'dwz {out}')
    add('dwz-shared', ['g++', 'dwz'], 'g++ -g -gdwarf-4 %s -o {out}' % cc,
        'cp {out} {tmp}/twin', 'dwz -m {out}.common -M ' + 'dwz-shared.common {out} {tmp}/twin')
    return out


def profile(path, word_bytes):
    """An arc that nobody sees: a profile of nothing, for images of either size."""
    with open(path, 'wb') as out:
        out.write(b'gmon' + struct.pack('<I12x', 1) + b'\1' + bytes(2 * word_bytes + 4))
    return path


def outcome(program, arguments):
    done = runner.start(program, arguments, os.getcwd(), seconds=120)
    return done.status, done.out, done.err


def difference(ours, theirs):
    words = ('status', 'output', 'messages')
    for word, got, expected in zip(words, ours, theirs):
        if got == expected:
            continue
        if word == 'status':
            return 'status %s instead of %s' % (got, expected)
        for mine, other in zip(got.split(b'\n') + [b'(end)'], expected.split(b'\n') + [b'(end)']):
            if mine != other:
                return '%s: %r instead of %r' % (word, mine[:160], other[:160])
    return None


def examine(program, tested):
    """Returns (skipped, failures, known): why it was skipped, differences, functions with a file."""
    shared = kept.folder_for('symbols-dwarf')
    reason = program.missing() or GNU_ERRS.get(program.name) or \
        kept.remember(shared, program.image, program.build)
    if reason:
        return reason, [], 0
    with open(program.image, 'rb') as image:
        word_bytes = 8 if image.read(5)[4] == 2 else 4
    failures, known = [], 0
    for options in OPTIONS:
        arguments = options.split() + [program.image, 'profile-%d' % word_bytes]
        theirs = kept.remember(shared, arguments, lambda: outcome(ORACLE, arguments))
        found = difference(outcome(tested, arguments), theirs)
        if found:
            failures.append('%s: gprof %s: %s' % (program.name, options, found))
        if options == OPTIONS[0]:
            known = sum(1 for line in theirs[1].split(b'\n')
                        if line and not line.startswith(b'<unknown>'))
    return None, failures, known


def main():
    tested, names = sys.argv[1], sys.argv[2:]
    os.chdir(kept.folder_for('symbols-dwarf') or '.')
    os.makedirs('.debug', exist_ok=True)
    profile('profile-4', 4)
    profile('profile-8', 8)
    chosen = [p for p in programs() if p.name in names] if names else runner.share(programs())
    failures, compared, positions = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda p: examine(p, tested), chosen)
        for program, (skipped, found, known) in zip(chosen, results):
            if skipped:
                print('SKIP: %s: %s' % (program.name, skipped))
                continue
            compared += 1
            positions += known
            failures += found
    for failure in failures[:40]:
        print('FAIL: ' + failure)
    print('%d programs, %d option sets each, %d functions with a file, %d differences'
          % (compared, len(OPTIONS), positions, len(failures)))
    if compared == 0:
        return 77
    if not names and positions < len(runner.share(range(1000))):
        print('FAIL: hardly any function has a file: the comparison is worth nothing')
        return 1
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())

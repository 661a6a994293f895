#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sound profiles give no finding: programs compiled and run on the spot, and written ones.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/findings/healthy.py [CASE...]
"""
import os
import re
import shutil
import subprocess
import sys

from gcovfile import Source, gcov_document
from gmonfile import Profile
from recipes import NotBuilt, Sketch, each, partly_profiled
from runner import share, start

# Name: the command; the program is run afterwards.
COMPILED = {
    'c-O0': 'gcc -pg -O0 -g work.c -o program',
    'c-O2': 'gcc -pg -O2 work.c -o program',
    'c-O3-protected': 'gcc -pg -O3 -fcf-protection -fstack-protector-all work.c -o program',
    'c-no-pie': 'gcc -pg -O1 -no-pie -fno-pie work.c -o program',
    'c-static': 'gcc -pg -O1 -static work.c -o program',
    'c-static-pie': 'gcc -pg -O1 -static-pie work.c -o program',
    'c-fentry': 'gcc -pg -mfentry -O2 -fno-pie -no-pie work.c -o program',
    'c-lto': 'gcc -pg -O2 -flto=1 work.c -o program',
    'c-sections': 'gcc -pg -O2 -ffunction-sections -Wl,--gc-sections work.c -o program',
    'c-stack-clash': 'gcc -pg -O2 -fstack-clash-protection -mavx2 -ftree-vectorize work.c -o program',
    'c-threads': 'gcc -pg -O1 threads.c -o program -pthread',
    'c-threads-static': 'gcc -pg -O1 -static threads.c -o program -pthread',
    'c-openmp': 'gcc -pg -O1 -fopenmp parallel.c -o program',
    'c-clang': 'clang -pg -O1 work.c -o program',
    'c-clang-lld': 'clang -pg -O2 -fuse-ld=lld work.c -o program',
    'c++-O0': 'g++ -pg -O0 -g work.cc -o program',
    'c++-O2': 'g++ -pg -O2 work.cc -o program',
    'c++-static': 'g++ -pg -O1 -static work.cc -o program',
    'c++-clang': 'clang++ -pg -O1 work.cc -o program',
}
WRITTEN = {}


def written(make):
    WRITTEN[make.__name__.replace('_', '-')] = make
    return make


@written
def profiled_library(place):
    """Its calls are counted, too, at addresses that the image knows nothing of."""
    place.build('gcc -pg -O1 -fPIC -shared -Dmain=unused work.c -o libwork.so')
    place.build('gcc -pg -O1 caller.c ./libwork.so -o program')
    place.run()


@written
def nothing_but_a_library(place):
    """All calls that are counted lead out of the program."""
    place.build('gcc -pg -O1 -fPIC -shared -Dmain=unused work.c -o libwork.so')
    place.build('gcc -pg -O1 -DALONE caller.c ./libwork.so -o program')
    place.run()


@written
def profiled_in_part(place):
    """One file of the program is compiled with -pg."""
    place.build('gcc -O1 -c -Dmain=unused work.c -o work.o')
    place.build('gcc -pg -O1 caller.c work.o -o program')
    place.run()


@written
def half_in_functions_without_pg(place):
    partly_profiled(place, {'hot': 30, 'step': 30})


@written
def called_from_elsewhere(place):
    """As by a library that starts threads: nothing is missing in the total of a caller."""
    partly_profiled(place, {'worker': 70, 'step': 5, 'hot': 9})


@written
def time_in_main_without_pg(place):
    partly_profiled(place, {'main': 70, 'step': 5, 'hot': 9})


def disassembled(path):
    """{name: [(address, callee or None) of each instruction]} of the functions of a program."""
    listing = subprocess.run(['objdump', '-d', '--no-show-raw-insn', path], check=True,
                             stdout=subprocess.PIPE).stdout.decode()
    functions, rows = {}, None
    for line in listing.splitlines():
        head = re.match(r'([0-9a-f]+) <([^>@]+)>:$', line)
        if head:
            rows = functions[head.group(2)] = []
        row = re.match(r' *([0-9a-f]+):\t(.*)', line)
        if row and rows is not None:
            called = re.match(r'call +[0-9a-f]+ <([^>+@]+)>', row.group(2))
            rows.append((int(row.group(1), 16), called and called.group(1)))
    return functions


def recorded_by_a_tool(place, line, behind):
    """A program without a profiling runtime, whose calls something else records: where functions
    have so many instructions behind them, which is at distances that differ."""
    place.build(line)
    path = os.path.join(place.path, 'program')
    functions = disassembled(path)
    profile = Profile(64, '<')
    ours = ['main', 'round_of_work', 'next_number', 'fill', 'descend', 'ping', 'pong', 'sum_roots']
    ours = {name: functions[name] for name in ours if name in functions}
    low = min(rows[0][0] for rows in ours.values()) & ~15
    high = max(rows[-1][0] for rows in ours.values()) + 16 & ~15
    profile.histogram(low, high, [8] * ((high - low) // 4))
    for rows in ours.values():
        for (_, called), (back, _) in zip(rows, rows[1:]):
            if called in ours:
                profile.arc(back, ours[called][min(behind, len(ours[called]) - 1)][0], 5)
    place.write('gmon.out', profile)


@written
def counted_by_another_runtime(place):
    """Which gets functions' entries."""
    recorded_by_a_tool(place, 'gcc -O0 -finstrument-functions work.c -o program -no-pie', 0)


@written
def recorded_behind_prologues(place):
    """By a debugger, which stops behind what functions begin with."""
    recorded_by_a_tool(place, 'gcc -O1 -no-pie work.c -o program', 3)


@written
def short_runs_added_up(place):
    """Some of them are shorter than a sample."""
    program = Sketch(24, 20)
    both(place, program, program.profile({0: 3, 4: 5}))
    for i in range(8):
        place.write('run%d' % i, program.profile({i: i % 3}))


def compiled(place, line):
    if '-fuse-ld=lld' in line and shutil.which('ld.lld') is None:
        raise NotBuilt('ld.lld')
    place.build(line)
    place.run()


def both(place, program, profile):
    place.write('program', program)
    place.write('gmon.out', profile)


@written
def source_counted_in_the_same_run(place):
    """Nobody recorded the calls of f0, and one function was inlined everywhere."""
    program = Sketch(25)
    both(place, program, program.profile())
    with open(place.path + '/counts', 'wb') as out:
        out.write(gcov_document([Source('a.c', {3: 11}, [
            ('f0', 1, 2, 1), ('f1', 3, 4, 11), ('f3', 5, 6, 13), ('f99', 7, 8, 5)])]))


@written
def equal_runs(place):
    """Of a simulator: nothing differs but that some did more; and a run in which all took longer."""
    program = Sketch(26)
    both(place, program, program.profile())
    place.write('run1', program.profile())
    place.write('run2', program.profile({i: 2 * (5 + i % 4) for i in range(60)},
                                        program.tree() + program.tree()))
    place.write('run3', program.profile({i: 3 + i % 4 for i in range(60)},
                                        [(a, b, c // 2) for a, b, c in program.tree()]))


@written
def runs_with_numbers(place):
    """One after the other, of a program that does the same each time but for one call: a single
    sample fell elsewhere, or there are few."""
    program = Sketch(23)
    side = {program.address[i] + 4 * k: 1 + (i + k) % 3 for i in range(60) for k in range(6)}
    both(place, program, program.profile(side))
    for i in range(3):
        more = program.tree() + [program.call(3, 50, 7 * i + 1)]
        place.write('run.%d' % (101 + i), program.profile({**side, 7 + i: 9}, more))
        place.write('run-short.%d' % (101 + i), program.profile({1: 4, 2: 5, 3: 4 + i % 2}, more))


@written
def as_glibc(place):
    both(place, Sketch(11), Sketch(11).profile())


@written
def recorded_at_the_entry(place):
    """A profiling runtime that gets the entry of the function."""
    program = Sketch(12)
    both(place, program, program.profile(arcs=program.tree(0)))


@written
def big_endian_32_bit(place):
    program = Sketch(13, machine='ppc', base=0x10000000)
    both(place, program, program.profile(arcs=program.tree(24)))


@written
def thumb(place):
    program = Sketch(14, machine='arm', base=0x10000)
    both(place, program, program.profile(arcs=program.tree(9)))


@written
def three_functions(place):
    program = Sketch(15, 3)
    both(place, program, program.profile())


@written
def small_functions(place):
    program = Sketch(16, 500, sizes=(14, 40))
    both(place, program, program.profile())


@written
def arcs_written_twice(place):
    program = Sketch(17)
    both(place, program, program.profile(arcs=program.tree() + program.tree()))


@written
def sum_of_more_than_a_counter_holds(place):
    """What the first record has no room for is in further ones; the rest can be nearly full."""
    program = Sketch(17)
    profile = program.profile({0: 65535, 1: 65535, 2: 65535, 3: 40})
    for rest in {0: 65535, 1: 61000, 2: 3}, {0: 900}:
        profile.histogram(program.base, program.base + 4 * len(program.bins({})), program.bins(rest))
    both(place, program, profile)


@written
def some_calls_of_removed_symbols(place):
    """Without local symbols, that is a third; the samples are elsewhere."""
    samples = {i: 9 for i in range(60) if i % 3 != 2}
    both(place, Sketch(18, keep_locals=False), Sketch(18).profile(samples))


@written
def younger_image(place):
    """Copied after the run: its date alone says nothing."""
    both(place, Sketch(19), Sketch(19).profile())
    place.date('program', 9000)


@written
def long_run(place):
    program = Sketch(20)
    both(place, program, program.profile({i: 500 * i for i in range(60)}))


@written
def fast_clock(place):
    program = Sketch(21)
    both(place, program, program.profile(rate=10000))


@written
def simulator_cycles(place):
    program = Sketch(22)
    p = Profile.of(program.image)
    p.histogram(program.base, program.end // 8 * 8, program.bins({i: 30 for i in range(60)}), 1,
                b'cycles', b'c')
    for arc in program.tree():
        p.arc(*arc)
    both(place, program, p)


@written
def many_histograms(place):
    """A debugger that writes one for each stretch of code with samples, and calls besides."""
    program = Sketch(23)
    p = Profile.of(program.image)
    for i, address in enumerate(program.address):
        p.histogram(address, address + 32, [i, 3] * 8)
    for arc in program.tree():
        p.arc(*arc)
    both(place, program, p)


def without_cost(said, name):
    """Without how much of the time counting calls took, which library was not sampled, how much time
    is in libraries that are linked in, and that files are named twice: of a sound profile that is
    true as well."""
    true = 'account.(profiling|counting' + ('|own-libraries)' if 'library' in name else ')')
    true = '(%s|calls.no-callers)' % true if 'static' in name else true
    return re.sub(r'(?m)^.*(finding\[%s|warning\[profile.given-twice)\].*\n(  hint: .*\n)?' % true, '',
                  said.decode(errors='replace'))


def check(tally, gprofx, place, name):
    profiles = ['gmon.out'] + sorted(n for n in os.listdir(place.path) if n.startswith('run'))
    for more in [], ['-a'], ['--threads=3'], profiles:
        said = start(gprofx, ['-b', 'program'] + profiles + more, place.path, 'gprofx')
        tally.check(said.broken() is None and said.status == 0 and without_cost(said.err, name) == '',
                    ' '.join([name] + more), 'not silent',
                    said.err.decode(errors='replace').splitlines())


def main():
    cases = [(lambda place, line=line: compiled(place, line), name)
             for name, line in share(list(COMPILED.items()))]
    return each(cases + [(make, name) for name, make in WRITTEN.items()], check)


if __name__ == '__main__':
    sys.exit(main())

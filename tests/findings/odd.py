#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Broken and odd inputs: each gives the one finding that it must give, and no other.

    GPROFX=build/bin/gprofx PYTHONPATH=tests/tools python3 tests/findings/odd.py [CASE...]
"""
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'slide'),
                os.path.join(HERE, os.pardir, 'data', 'foreign')]

import gxcfile
import perffile
from elfimage import Image
from gcovfile import Source, gcov_document
from gmonfile import Profile, library_profile
from profiled import Program
from programs import Recorded
from recipes import BASE, NotBuilt, Place, Sketch, each, partly_profiled
from runner import start
from targets import TARGETS, layout

CASES = []


class Bytes:
    """What is written as it is."""

    def __init__(self, data):
        self.data = data

    def bytes(self):
        return self.data


def case(finding, words='program gmon.out', hint=None):
    """Registers a function that fills a place; `hint`: what the advice says."""
    def register(make):
        CASES.append((make, make.__name__.replace('_', '-'), finding, words.split(), hint))
        return make
    return register


def both(place, program, profile):
    place.write('program', program)
    place.write('gmon.out', profile)


def profiled_library(place, samples, calls=9, inside=3):
    """A library and its profile, with calls from other objects and inside."""
    library = Program(['work', 'leaf'], base=0x1000)
    place.write('lib.so', library.image)
    outside = [(0, library.at('work'), calls)] if calls else []
    with open(place.path + '/lib.profile', 'wb') as out:
        out.write(library_profile(0x1000, 0x1200, samples, outside + (
            [(library.at('work') + 4, library.at('leaf'), inside)] if inside else [])))


# -- image and addresses ------------------------------------------------------------------------

@case('image.no-sample-fits', hint='--slide=auto subtracts 0x555555154000, and 59 of 59')
def loaded_elsewhere(place):
    program = Sketch()
    both(place, program, program.profile(move=0x555555154000))


@case('image.no-sample-fits', hint='--slide=auto subtracts -0x3f0000')
def loaded_below(place):
    program = Sketch()
    both(place, program, program.profile(move=-0x3f0000))


@case('image.no-sample-fits', hint='not those of this program, at any load address')
def foreign_and_far_away(place):
    both(place, Sketch(1), Sketch(2, base=0x10000000).profile())


@case('image.no-sample-fits', hint='--slide=auto subtracts 0x7f0000000000, and 7 of 7')
def small_and_loaded_elsewhere(place):
    program = Sketch(functions=8)
    both(place, program, program.profile(move=0x7f0000000000))


@case('image.no-sample-fits', hint='try --slide=0x7f0000000000 if this program wrote the profile: 4 of 4')
def too_small_to_solve(place):
    program = Sketch(functions=5)
    both(place, program, program.profile(move=0x7f0000000000))


@case('image.no-sample-fits', hint='the histogram then starts and ends with its code; otherwise name')
def no_calls_to_solve_by(place):
    program = Sketch(functions=5)
    both(place, program, program.profile(arcs=[(BASE, BASE, 1)], move=0x7f0000000000))


@case('image.no-sample-fits', hint='give it with --slide=HEX')
def nothing_to_solve_by(place):
    both(place, Sketch(functions=5), Sketch(2, functions=6, base=0x10000000).profile(
        arcs=[(BASE, BASE, 1)]))


@case('image.no-sample-fits', 'program gmon.out again.out', hint='report them one by one')
def several_loaded_elsewhere(place):
    program = Sketch(functions=5)
    both(place, program, program.profile(move=0x7f0000000000))
    place.write('again.out', program.profile(move=0x7f0000000000))


@case('image.no-call-fits', hint='--slide=auto subtracts -0x400000')
def relative_arcs(place):
    """As RT-Thread writes them: the histogram has addresses, arcs count from its start."""
    program = Sketch()
    both(place, program, program.profile(move_arcs=-BASE))


@case('image.no-call-fits')
def arcs_elsewhere(place):
    both(place, Sketch(), Sketch().profile(move_arcs=0x12345678))


@case('image.overlays', hint='link the overlays at addresses of their own')
def overlays(place):
    """Firmware that loads one of two sections to the same addresses."""
    program = Program(['main', 'work', 'idle'])
    for i, name in enumerate(['first', 'second']):
        program.image.section('.overlay%d' % i, 0x20000000, b'\x90' * 256)
        program.image.symbol(name, 0x20000000 + 64 * i, 64, section='.overlay%d' % i)
    both(place, program, program.profile({'main': 60, 'work': 90}, [('main', 'work', 3)]).histogram(0x20000000, 0x20000100, [50]))


@case('image.other-program')
def foreign(place):
    both(place, Sketch(3), Sketch(4).profile())


@case('image.other-program')
def foreign_32_bit(place):
    both(place, Sketch(3, machine='ppc'), Sketch(4, machine='ppc').profile())


@case('image.other-program')
def foreign_of_many_small_functions(place):
    both(place, Sketch(5, 400, sizes=(30, 110)), Sketch(6, 400, sizes=(30, 110)).profile())


@case('image.other-program')
def foreign_compiled(place):
    place.build('gcc -pg -O1 -static work.c -o program')
    place.build('g++ -pg -O0 -no-pie -fno-pie work.cc -o other')
    place.run('other')


@case('image.other-build', hint='run the program again')
def one_function_moved_a_little(place):
    """The image is older than the profile: only its code tells."""
    target = next(target for target in TARGETS if target.name == 'aarch64')
    program, profile = target.packed('program'), target.packed('gmon.out')
    recorded = Recorded(profile, *layout(program))
    last = max(self for _, self, _ in recorded.arcs)
    recorded.arcs = [(site, self - 8 * (self == last), n) for site, self, n in recorded.arcs]
    place.write('program', Bytes(program))
    place.write('gmon.out', recorded)
    place.date('program', 1000)


@case('image.other-build', hint='name the program that wrote the profile: this one has no profiling call')
def compiled_without_profiling(place):
    """The image is older than the profile, and no call of it leads to a profiling runtime."""
    place.build('gcc -pg -O1 work.c -o other')
    place.run('other')
    place.build('gcc -O1 work.c -o program')
    place.date('program', 1000)


@case('image.other-build', hint='is from another program, or from another build of this one: ')
def call_sites_before_the_last_address(place):
    """Behind the last of all addresses comes the first one again."""
    base, begins = 2**64 - 0x10000, range(0x10, 0x110, 0x20)
    code, image = bytearray(b'\x90' * 0xffff), Image()
    image.symbol('mcount', base, 16)
    for i, at in enumerate(begins):
        code[at:at + 5] = b'\xe8' + struct.pack('<i', -at - 5)
        image.symbol('f%d' % i, base + at, 0x20 if at < begins[-1] else len(code) - at)
    image.section('.text', base, bytes(code))
    profile = Profile.of(image).histogram(base, base + 0x110, [9] * 0x44)
    for at in begins:
        profile.arc(2**64 - 22, base + at + 5, 3)
    both(place, image, profile)


@case('image.other-build', 'program a.out b.out c.out', hint='finding[image.other-build]: b.out: ')
def one_file_of_another_build(place):
    """It is named, and those that are sound are not."""
    target = next(target for target in TARGETS if target.name == 'aarch64')
    program, profile = target.packed('program'), target.packed('gmon.out')
    recorded = Recorded(profile, *layout(program))
    last = max(self for _, self, _ in recorded.arcs)
    place.write('program', Bytes(program))
    place.write('a.out', Bytes(profile))
    place.write('c.out', Bytes(profile))
    recorded.arcs = [(site, self - 8 * (self == last), n) for site, self, n in recorded.arcs]
    place.write('b.out', recorded)
    place.date('program', 1000)


@case('image.stale')
def some_functions_moved(place):
    """Edited and compiled again: what stands behind the change has moved."""
    program = Sketch(7)
    arcs = program.tree()
    for i in range(45, len(arcs)):
        caller, callee, count = arcs[i]
        arcs[i] = (caller - 160, callee - 160, count)
    both(place, program, program.profile(arcs=arcs))
    place.date('program', 9000)


@case('image.stale')
def code_grew(place):
    """The new functions stand behind the old ones."""
    both(place, Sketch(8, 62), Sketch(8, 60).profile())
    place.date('program', 9000)


# -- rates --------------------------------------------------------------------------------------

@case('rate.zero', hint='--hz=N')
def no_rate(place):
    program = Sketch()
    both(place, program, program.profile(rate=0))


@case('rate.zero', 'program gmon.out second')
def no_rate_in_one_of_two(place):
    program = Sketch()
    both(place, program, program.profile())
    place.write('second', program.profile(rate=0))


@case('rate.absurd', hint='byte order')
def swapped_rate(place):
    program = Sketch()
    both(place, program, program.profile(rate=0x64000000))


@case('rate.absurd', hint='--hz=N')
def damaged_rate(place):
    program = Sketch()
    both(place, program, program.profile(rate=0xffffff9c))


@case('rate.differs', '--correct=no-rates program gmon.out second')
def rates_of_two_runs(place):
    program = Sketch()
    both(place, program, program.profile())
    place.write('second', program.profile(rate=97))


@case('calls.between-objects', '--object=lib.so=lib.profile program gmon.out')
def called_from_elsewhere(place):
    program = Sketch()
    both(place, program, program.profile())
    profiled_library(place, [0, 0])


@case('calls.plt-only', 'lib.so lib.profile', hint='add -c ')
def called_inside_of_a_library(place):
    profiled_library(place, [50, 50], inside=0)


@case('calls.none', 'lib.so lib.profile', hint='LD_BIND_NOW')
def library_bound_at_start(place):
    profiled_library(place, [50, 50], calls=0, inside=0)


@case('profile.separate-runs', '--object=lib.so=lib.profile program gmon.out',
      hint='gprofx lib.so lib.profile;')
def samples_of_two_objects(place):
    program = Sketch()
    both(place, program, program.profile())
    profiled_library(place, [0, 100], calls=0)


@case('profile.separate-runs', '--object=lib.so=lib.profile --object=other.so=lib.profile program gmon.out')
def samples_of_two_libraries(place):
    program = Sketch()
    both(place, program, program.profile(samples=None))
    profiled_library(place, [0, 100], calls=0)
    place.write('other.so', Program(['more', 'most'], base=0x1000).image)


@case('calls.source-differs', 'program gmon.out counts', hint='.gcda')
def source_counted_in_more_runs(place):
    program = Sketch()
    both(place, program, program.profile())
    with open(place.path + '/counts', 'wb') as out:
        out.write(gcov_document([Source('a.c', {3: 40}, [
            ('f0', 1, 2, 1), ('f1', 3, 4, 22), ('f3', 5, 6, 13), ('f99', 7, 8, 5)])]))


# -- counters -----------------------------------------------------------------------------------

@case('histogram.saturated')
def full_counter(place):
    program = Sketch()
    both(place, program, program.profile({0: 65535, 1: 400, 7: 65535}))


@case('histogram.saturated', 'program gmon.out second')
def full_counter_in_second_run(place):
    program = Sketch()
    both(place, program, program.profile())
    place.write('second', program.profile({4: 65535}))


@case('histogram.saturated')
def full_counter_in_a_sum(place):
    """The second record has room for more."""
    program = Sketch()
    profile = program.profile({0: 65535, 1: 65535})
    profile.histogram(program.base, program.base + 4 * len(program.bins({})),
                      program.bins({0: 12}))
    both(place, program, profile)


@case('histogram.saturated')
def full_counter_in_one_of_two_histograms(place):
    """The second one is not what the first had no room for."""
    program = Sketch()
    profile = program.profile({0: 65535})
    profile.histogram(program.base, program.base + 4 * len(program.bins({})),
                      program.bins({0: 12, 1: 5}))
    both(place, program, profile)


@case('histogram.wrapped')
def nearly_full_counter(place):
    program = Sketch()
    both(place, program, program.profile({0: 61000, 1: 400, 2: 9000}))


@case('histogram.wrapped')
def counter_that_began_again(place):
    program = Sketch()
    loop = program.address[5] + 32
    both(place, program, program.profile({loop: 52000, loop + 4: 1600, loop + 8: 51000, 1: 90}))


@case('histogram.missing')
def arcs_only(place):
    """As some libraries for small machines write it."""
    program = Sketch()
    both(place, program, program.profile(histogram=False))


@case('histogram.all-zero')
def nothing_counted(place):
    program = Sketch()
    both(place, program, program.profile({}, []))


@case('profile.empty')
def header_only(place):
    both(place, Sketch(), Profile())


@case('profile.empty')
def calls_of_zero(place):
    program = Sketch()
    both(place, program, program.profile(arcs=[program.call(0, 1, 0)], histogram=False))


# -- samples and calls --------------------------------------------------------------------------

def counting_in_library():
    program = Sketch(19)
    program.image.symbol('mcount', 0, 0, section=0)
    program.image.libraries(['libc.so.6'])
    return program


@case('samples.none')
def forked_child(place):
    place.build('gcc -pg -O1 forked.c -o program')
    place.command('./program')


@case('samples.none')
def blocked_timer(place):
    place.build('gcc -pg -O1 blocked.c -o program')
    place.command('./program')


@case('samples.none', hint='hint: use the call counts')
def calls_enough_for_samples(place):
    program = Sketch()
    both(place, program, program.profile({}, [program.call(0, 1, 4000000000)]))


@case('samples.none', hint='use gprofx record PROGRAM, which samples libraries')
def calls_counted_in_a_library_without_samples(place):
    program = counting_in_library()
    both(place, program, program.profile({}, [program.call(0, 1, 4000000000)]))


@case('samples.none', 'program gmon.out child')
def one_of_two_without_samples(place):
    program = Sketch()
    both(place, program, program.profile())
    place.write('child', program.profile({}))


@case('calls.none', hint='calls, as if compiled without -pg')
def linked_with_pg_only(place):
    place.build('gcc -O1 -c work.c -o work.o')
    place.command('gcc', '-pg', 'work.o', '-o', 'program')
    place.run()


@case('calls.none', hint='; the program has no profiling calls, as if compiled without -pg')
def sampled_by_a_debugger(place):
    program = Sketch()
    both(place, program, program.profile(arcs=[]))


@case('calls.none', hint='; step was compiled with -pg, but what it calls was inlined or is not')
def counted_functions_that_call_none(place):
    partly_profiled(place, {'hot': 20, 'step': 70, 'main': 10}, calls=0)


@case('calls.none', hint='hot has no profiling call')
def time_in_functions_without_counting(place):
    partly_profiled(place, {'hot': 70, 'step': 30}, calls=0)


# The profiling function is called through its slot, its stub, or directly.
@case('calls.none', hint='; step was compiled with -pg')
def counted_in_a_pie(place):
    partly_profiled(place, {'hot': 25, 'step': 75}, calls=0, options=('-pie', '-fpie'))


@case('calls.none', hint='; step was compiled with -pg')
def counted_in_a_static_program(place):
    partly_profiled(place, {'hot': 25, 'step': 75}, calls=0, options=('-static',))


@case('calls.table-full')
def two_in_a_hundred(place):
    program = Sketch(functions=120)
    size = -(-(program.end - program.base) // 8) * 8 * 2 // 100
    arcs = [program.call(i % 119, 1 + i * 7 % 119, 3) for i in range(size - 1)]
    both(place, program, program.profile(arcs=arcs))


@case('calls.table-full')
def smallest_table(place):
    program = Sketch(functions=6, base=0x400000, sizes=(60, 90))
    program.base = 0x401000         # a library that starts at the first function
    arcs = [program.call(i % 5, 1 + i // 5 % 5, 3) for i in range(49)]
    both(place, program, program.profile({0: 20}, arcs=arcs))


def threads_and_source(place, functions):
    """A program that can start threads, and what its source counted of functions."""
    program = Sketch()
    program.image.symbols[40].name = 'pthread_create'
    both(place, program, program.profile())
    with open(place.path + '/counts', 'wb') as out:
        out.write(gcov_document([Source('a.c', {3: 40}, functions)]))


@case('calls.threads', 'program gmon.out counts', hint='one thread')
def calls_lost_by_threads(place):
    """The source ran a little more often than calls were recorded."""
    threads_and_source(place, [('f0', 1, 2, 1), ('f1', 3, 4, 12), ('f3', 5, 6, 13), ('f9', 7, 8, 20)])


@case('calls.source-differs', 'program gmon.out counts', hint='.gcda')
def most_calls_inlined(place):
    threads_and_source(place, [('f1', 3, 4, 12), ('f3', 5, 6, 113)])


@case('account.profiling', hint='no_instrument_function')
def most_time_in_mcount(place):
    """Linked statically, and small functions called often."""
    program = Sketch(19)
    program.image.symbols[30].name = 'mcount'
    both(place, program, program.profile({30: 200, 4: 60, 9: 40}))


@case('account.unsampled', '--cpu-time=9 program gmon.out', hint='ITIMER_PROF')
def most_time_unsampled(place):
    both(place, Sketch(19), Sketch(19).profile())


@case('account.unsampled', '--cpu-time=20 program gmon.out', hint='use gprofx record PROGRAM, which samples libraries')
def most_time_in_libraries(place):
    place.build('gcc -pg -O1 work.c -o program')
    place.run()


def with_library(place, run_path, where):
    program = Sketch(19)
    program.image.libraries(['libc.so.6', 'libown.so'], run_path)
    os.makedirs(os.path.dirname(os.path.join(place.path, where)), exist_ok=True)
    place.write(where, Sketch(3))
    both(place, program, program.profile())


@case('account.own-libraries', hint='gprofx ./lib/libown.so libown.so.profile;')
def library_by_run_path(place):
    with_library(place, '/nowhere:$LIB/x:$ORIGIN/lib', 'lib/libown.so')


@case('account.own-libraries', hint='LD_PROFILE=libown.so')
def library_beside_the_program(place):
    with_library(place, None, 'libown.so')


@case('account.counting', hint='no_instrument_function')
def calls_counted_for_longer_than_sampled(place):
    program = counting_in_library()
    both(place, program, program.profile(arcs=[program.call(0, 1, 4000000000)] + program.tree()))


@case('account.counting', hint='-static')
def calls_counted_for_less_than_sampled(place):
    program = counting_in_library()
    both(place, program, program.profile({i: 25 for i in range(18)}, [program.call(0, 1, 1000000000)] + program.tree()))


@case('calls.no-callers', hint='72 % of the time is in functions whose calls are not counted, mostly in hot')
def hot_function_without_pg(place):
    partly_profiled(place, {'hot': 72, 'step': 20, 'main': 8})


@case('calls.no-callers', '-l program gmon.out', hint='gprofx record PROGRAM')
def hot_lines_without_pg(place):
    partly_profiled(place, {'hot': 72, 'step': 20, 'main': 8})


@case('calls.into-cycle', hint='--entry=')
def cycle_with_two_callers(place):
    program = Sketch(19)
    both(place, program, program.profile({5: 80, 6: 40, 7: 5}, program.tree() + [
        program.call(5, 6, 900), program.call(6, 5, 800), program.call(0, 5, 1), program.call(9, 6, 7)]))


@case('account.cpu-time', '--cpu-time=1 program gmon.out', hint='user and sys')
def more_sampled_than_stated(place):
    both(place, Sketch(19), Sketch(19).profile())


@case('profile.forked', 'program gmon.out child', hint='separately')
def forked_child(place):
    """Its parent waited: the same samples, all calls, and some more."""
    program = Sketch(23)
    both(place, program, program.profile())
    place.write('child', program.profile(arcs=program.tree() + [program.call(3, 50, 7)]))


@case('profile.forked', 'program gmon.out child1 child2 child3', hint='separately')
def forked_children_of_a_tight_loop(place):
    """Only two counters, which may be equal by chance in one child, but hardly in three."""
    program = Sketch(23)
    samples = {0: 30, 1: 25}
    both(place, program, program.profile(samples))
    for i in 1, 2, 3:
        place.write('child%d' % i, program.profile(
            samples, program.tree() + [program.call(3, 50, 7 * i)]))


@case('profile.forked', 'program child gmon.out', hint='separately')
def forked_child_of_a_parent_that_went_on(place):
    program = Sketch(23)
    both(place, program, program.profile({i: 9 + i % 3 for i in range(60)}))
    place.write('child', program.profile({i: 6 + i % 3 for i in range(60)},
                                         [program.call(0, 1), program.call(3, 50, 7)]))


def processes(place, *rows):
    """Files under the names that GMON_OUT_PREFIX gives: gm.101, gm.102, ..."""
    program = Sketch(23)
    program.side = {program.address[i] + 4 * k: 1 + (i + k) % 3 for i in range(60) for k in range(6)}
    place.write('program', program)
    for i, (samples, arcs) in enumerate(rows):
        place.write('gm.%d' % (101 + i), program.profile({**program.side, **samples},
                                                         program.tree() + arcs))


more, other = [Sketch(23).call(3, 50, 7)], [Sketch(23).call(4, 51, 1)]


@case('profile.copies-taken-out', 'program gm.101 gm.102', hint='no-forked-copies')
def files_of_a_fork(place):
    processes(place, ({}, []), ({}, more))


@case('profile.copies-taken-out', 'program gm.103 gm.102 gm.101', hint='no-forked-copies')
def one_child_called_nothing(place):
    processes(place, ({}, []), ({}, []), ({}, more))


@case('profile.forked', 'program gm.101 gm.102', hint='separately')
def the_only_child_called_nothing(place):
    processes(place, ({}, []), ({}, []))


@case('profile.forked', 'program gm.101 gm.102', hint='separately')
def parent_called_something_afterwards(place):
    processes(place, ({}, other), ({}, more))


@case('profile.forked', 'program gm.101 gm.102', hint='separately')
def parent_called_something_and_a_tick_fell(place):
    processes(place, ({1: 1}, other), ({}, more))


@case('profile.forked', 'program gm.101 gm.102 gm.103', hint='with their own timer')
def children_started_the_timer_anew(place):
    processes(place, ({}, []), ({50: 40}, more), ({50: 90}, more))


@case('profile.forked', 'program gm.101 gm.102', hint='separately')
def parent_has_the_higher_number(place):
    processes(place, ({}, more), ({}, []))


@case('samples.outside-symbols')
def local_symbols_removed(place):
    samples = {i: 40 if i % 3 == 2 else 5 for i in range(60)}
    both(place, Sketch(keep_locals=False),
         Sketch().profile(samples, [a for i, a in enumerate(Sketch().tree()) if i % 3 != 1]))


@case('samples.outside-symbols', hint="its time is in no function's row, and its calls are charged")
def samples_between_functions(place):
    program = Sketch(gap=64)
    samples = {program.address[i] + -(-program.size[i] // 16) * 16 + 32: 7 for i in range(40)}
    both(place, program, program.profile(samples))


@case('samples.outside-symbols', '--correct=no-gaps program gmon.out',
      hint='a symbol, which is charged to the function before it')
def samples_of_the_function_before(place):
    samples_between_functions(place)


@case('samples.plt-stub', hint='-static to see the time of cos ')
def many_calls_of_a_library(place):
    """Half of the samples are in the stub; whose function it leads to, the versions of symbols say."""
    place.write('stub.c', Bytes(b'double cos(double);\n'
                                b'int main(int n, char **v) { return (int)cos(n); }\n'))
    place.command('gcc', '-pg', '-O1', '-no-pie', 'stub.c', '-o', 'program', '-lm')
    listing = place.command('objdump', '-d', 'program')
    at = {name: int(address, 16) for address, name in re.findall('^([0-9a-f]+) <(.*)>:$', listing, re.M)}
    if 'cos@plt' not in at:
        raise NotBuilt('an objdump that names stubs')
    low, high = sorted((at['cos@plt'] & -64, at['main'] & -64))
    bins = [0] * ((high + 64 - low) // 8)
    for name in ('cos@plt', 'main'):
        bins[(at[name] - low) // 8] = 40
    place.write('gmon.out', Profile().histogram(low, high + 64, bins)
                .arc(at['main'] + 8, at['main'], 1))


@case('samples.few')
def short_run(place):
    program = Sketch()
    both(place, program, program.profile({0: 2, 9: 4}))


@case('samples.few')
def short_run_in_other_units(place):
    program = Sketch()
    p = Profile.of(program.image)
    p.histogram(program.base, program.end // 8 * 8, program.bins({3: 3}), 1, b'cycles', b'c')
    for arc in program.tree(0):
        p.arc(*arc)
    both(place, program, p)


# -- recordings ---------------------------------------------------------------------------------

def recorded(place, whole=40, cut=0, broken=0, library=0, deep=True, name='lib.so', waits=0, timed=False, **header):
    """main calls work, which has the samples; a library without counted calls has others."""
    program = Program(['main', 'work', 'idle'])
    other = Program(['helper'], base=0x1000)
    for path, image in ('program', program.image), (name, other.image):
        place.write(path, image)
    file = gxcfile.File(**header).program(place.path + '/program', program.base, program.end)
    bias = 0x7000000
    file.objects([(bias + other.base, bias + other.end, bias, 0, b'', file.text(place.path + '/' + name))])
    file.arcs([(program.at('main+5'), program.at('work'), 7), (1, program.at('main'), 1)])
    root = 1 if deep else 0
    file.stacks([(program.at('main+5'), 0, 0, 0, 0), (program.at('work+3'), root, 0, whole, whole),
                 (program.at('work+4'), root, gxcfile.CUT, cut, cut),
                 (program.at('work+5'), 0, gxcfile.BROKEN, broken, broken),
                 (bias + other.at('helper+2'), root, 0, library, library)])
    if timed:
        file.timed([(program.at('main'), 0, 2 * 10**9, 1, 2, 10**8), (program.at('work'), 1, 10**9, 10**6, 0, 4 * 10**8)])
    if waits:
        file.waits([(program.at('main+5'), 0, 0, 0, 0), (bias + other.at('helper+2'), 1, 0, waits, 1),
                    (program.at('idle'), 1, 0, waits // 4, 1)])
    place.write('gmon.out', file)


@case('stacks.incomplete', hint='gprofx record --depth=1024')
def recorded_with_cut_stacks(place):
    recorded(place, cut=3)


@case('stacks.incomplete', hint='7 % of the time has no outer callers')
def recorded_with_broken_stacks(place):
    recorded(place, broken=3)


@case('stacks.incomplete', hint='gprofx record --stack=cfi')
def recorded_with_broken_frame_pointers(place):
    recorded(place, broken=3, flags=gxcfile.INSTRUMENTED | gxcfile.FRAME_POINTERS)


def recorded_by_perf(place, depth=3, lost=0):
    file = perffile.Perf().comm(7, 'program')
    file.mmap(7, 0x1000, 0x1000, 0, '/no/such/program')
    for i in range(40):
        file.sample([perffile.IN_USER] + [0x1010 + 4 * k for k in range(depth)], time=i + 1)
    if lost:
        file.record(perffile.LOST_SAMPLES, file.pack('Q', lost) + file.trailer(file.events[0], 0, 50))
    place.write('perf.data', file)


@case('stacks.incomplete', 'perf.data', hint='kernel.perf_event_max_stack=1024')
def recorded_by_perf_with_cut_stacks(place):
    recorded_by_perf(place, depth=127)


@case('recording.lost', 'perf.data', hint='17 samples were lost, since the profiler could not keep up')
def recorded_by_perf_with_losses(place):
    recorded_by_perf(place, lost=17)


@case('stacks.incomplete', hint='record with --stack=auto')
def recorded_without_stacks(place):
    recorded(place, deep=False)


@case('recording.lost', hint='5 of 13 calls (38.5 %) and 3 of 43 samples were lost')
def recorded_without_memory(place):
    # Of the stacks 95 % are whole, and just less than half of the time has counted calls.
    recorded(place, whole=21, cut=2, library=17, lost_calls=5, lost_samples=3)


@case('recording.lost', hint='finding[recording.lost]: 3 of 43 samples were lost')
def recorded_without_memory_for_samples(place):
    recorded(place, lost_samples=3)


@case('recording.clock', hint='perf_event_paranoid')
def recorded_by_another_clock(place):
    recorded(place, flags=gxcfile.INSTRUMENTED | gxcfile.OTHER_CLOCK)


@case('recording.stopped', hint='--signal=RTMIN+4')
def recorded_until_the_signal_was_taken(place):
    recorded(place, flags=gxcfile.INSTRUMENTED | gxcfile.SIGNAL_LOST)


@case('recording.instrumentation', hint='measuring took 0.3 s')
def recorded_by_a_clock(place):
    # Half a nanosecond is a tick.
    recorded(place, timed=True, times=1, last_tick=2000, last_ns=1000, cost_inside=100 << 10)


@case('recording.instrumentation', hint='off these times; nothing is left of 1000000 calls')
def recorded_by_a_clock_whose_cost_is_too_high(place):
    recorded(place, timed=True, times=1, last_tick=2000, last_ns=1000, cost_inside=3000 << 10)


@case('recording.instrumentation', hint='record the program again when the machine is less busy')
def recorded_by_a_clock_on_a_busy_machine(place):
    recorded(place, timed=True, times=1, last_tick=2000, last_ns=1000, cost_inside=1100 << 10)


@case('time.waiting', hint='gprofx --metric=wait --entry=helper PROGRAM')
def recorded_waiting(place):
    recorded(place, waits=80, clock=3, looks=10, look_weight=1000)


@case('time.waiting', hint='threads wait for 71 % of the time, which cpu does not show; 80 % of that is in main and below')
def recorded_waiting_in_a_library_of_the_system(place):
    recorded(place, waits=80, clock=3, name='libc.so.6')


@case('recording.lost', hint='3 of 103 samples were lost')
def recorded_waiting_less_than_running(place):
    recorded(place, whole=100, waits=79, lost_samples=3, clock=3)


@case('recording.unfinished')
def recorded_and_killed(place):
    recorded(place, state=gxcfile.RUNNING, end=0)


@case('recording.snapshot')
def recorded_so_far(place):
    recorded(place, state=gxcfile.RUNNING, flags=gxcfile.INSTRUMENTED | gxcfile.SNAPSHOT)


@case('recording.snapshot', hint='attach again, for longer')
def recorded_while_attached(place):
    recorded(place, state=gxcfile.RUNNING, flags=gxcfile.ATTACHED | gxcfile.SNAPSHOT)


@case('recording.lost', hint='gprofx record --pid could not keep up with them')
def recorded_with_losses_while_attached(place):
    recorded(place, flags=gxcfile.ATTACHED, lost_samples=3)


@case('calls.partly-counted', hint='60 % of the time is in code without counted calls, mostly in lib.so')
def recorded_with_a_library_without_counts(place):
    recorded(place, library=60)


@case('recording.overhead', hint='60 % of the time is the counting of calls, which -pg asks for')
def recorded_with_much_counting(place):
    recorded(place, library=60, name='libgprofx-collect.so.1')


@case('recording.lost', hint='3 of 103 samples were lost')
def recorded_with_a_library_of_the_system(place):
    # Nobody compiles it with -pg.
    recorded(place, library=60, lost_samples=3, name='libc.so.6')


@case('samples.few', hint='gprofx record --rate=1000')
def recorded_for_a_moment(place):
    recorded(place, whole=9)


@case('samples.none', hint='used too little processor time')
def recorded_without_samples(place):
    recorded(place, whole=0)


def recorded_in_phases(place, clock):
    program = Program(['main', 'work', 'idle'])
    place.write('program', program.image)
    file = gxcfile.File(clock=clock).program(place.path + '/program', program.base, program.end)
    file.phases('busy', 'calm').arcs([(program.at('main+5'), program.at('work'), 7), (1, program.at('main'), 1)])
    file.stacks([(program.at('main+5'), 0, 0, 0, 0), (program.at('work+3'), 1, 0, 40, 40)], phase=1)
    if clock == 3:
        file.waits([(program.at('main+5'), 0, 0, 0, 0), (program.at('idle'), 1, 0, 40, 1)], phase=2)
    place.write('gmon.out', file)


@case('samples.none', 'program gmon.out --phase=calm', hint='to see where it waits, use gprofx record --clock=wall PROGRAM')
def recorded_without_samples_in_a_phase(place):
    recorded_in_phases(place, 1)


@case('samples.none', 'program gmon.out --phase=calm', hint='let the phase do more, or see where it waits: add --metric=wait')
def recorded_waiting_in_a_phase(place):
    recorded_in_phases(place, 3)


@case('samples.none', 'program gmon.out --phase=busy --metric=wait', hint='no thread was seen waiting in this phase')
def recorded_without_waiting_in_a_phase(place):
    recorded_in_phases(place, 3)


@case('recording.lost', hint='make room on the disk, or allow larger files (ulimit -f)')
def recorded_on_a_full_disk(place):
    recorded(place, lost_samples=3, flags=gxcfile.INSTRUMENTED | gxcfile.UNWRITTEN)


# -- the check ----------------------------------------------------------------------------------

def check(tally, gprofx, place, name, finding, words, hint):
    # Addresses are taken as they are recorded: what moved them is one of the things to find.
    words = ['--slide=none'] + words
    said = start(gprofx, ['-b'] + words, place.path, 'gprofx')
    text = said.err.decode(errors='replace')
    found = re.findall(r'^gprofx: finding\[([a-z.-]+)\]: ', text, re.M)
    good = said.broken() is None and said.status == 0 and found == [finding]
    good = good and (hint is None or hint in text)
    tally.check(good, name, 'expected %s, found %s' % (finding, ' '.join(found) or 'nothing'),
                text.splitlines())
    # In full: the same, with evidence.
    full = start(gprofx, ['-b', '--explain'] + words, place.path, 'gprofx')
    text = full.err.decode(errors='replace')
    good = re.findall(r'finding\[([a-z.-]+)\]: ', text) == [finding] and full.out == said.out
    tally.check(good and re.search(r'^  evidence: .*\d', text, re.M) is not None,
                name + ' (in full)', 'no evidence', text.splitlines())
    # Silenced, and in GNU mode, there is nothing but what is an error anyway.
    for silent in ['--no-findings'], ['--gnu']:
        quiet = start(gprofx, ['-b'] + silent + words, place.path, 'gprofx')
        tally.check(b'finding[' not in quiet.err, '%s (%s)' % (name, silent[0]), 'not silent')


if __name__ == '__main__':
    sys.exit(each(CASES, check))

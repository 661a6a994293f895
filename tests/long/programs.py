#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Twenty programs, each compiled in several ways and run: is what gprofx prints about them whole?

    programs.py BUILD [--seed N] [--count N]

For each build: every tick of the histogram is in the account of time; every function that has
samples of its own has its row, with at least these; and the calls between functions are those
that valgrind's callgrind sees. Compilers that are missing are left out, with a word.

The seed chooses which builds are looked at; --count limits them (default: all).
"""
import argparse
import bisect
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import account
import callgrind
import gmonreader

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
# Callgrind sees a jump into another function as a call by the one that jumps; a profile has the
# one that called first. Without such jumps both mean the same.
PLAIN = ['-g', '-pg', '-fno-optimize-sibling-calls']
LEVELS = ['-O0', '-O1', '-O2', '-O3']
FORMS = [[], ['-static'], ['-no-pie', '-fno-pie'], ['-flto'], ['-gdwarf-4'], ['-ffunction-sections']]


def c(*names, options=(), compilers=('gcc', 'clang')):
    return [(compiler, list(names), list(options)) for compiler in compilers]


PROGRAMS = {
    'sorter': c('sorter.c'), 'recursion': c('recursion.c'), 'dispatch': c('dispatch.c'),
    'twins': c('twins-1.c', 'twins-2.c'), 'jumps': c('jumps.c'),
    'library': c('library.c', options=['-lm']), 'cold': c('cold.c'),
    'versions': c('versions.c', compilers=['gcc']),
    'nested': c('nested.c', compilers=['gcc']),
    'openmp': c('openmp.c', options=['-fopenmp']), 'aliases': c('aliases.c'),
    'lambdas': c('lambdas.cc', compilers=['g++', 'clang++']),
    'templates': c('templates.cc', compilers=['g++', 'clang++']),
    'exceptions': c('exceptions.cc', compilers=['g++', 'clang++']),
    'virtual': c('virtual.cc', compilers=['g++', 'clang++']),
    'coroutines': c('coroutines.cc', options=['-std=c++20'], compilers=['g++']),
    'modules': c('modules.f90', compilers=['gfortran']),
    'arrays': c('arrays.f90', compilers=['gfortran']),
    'tail-calls': c('cold.c', options=['-foptimize-sibling-calls']),
    'closures': c('closures.rs', compilers=['rustc']),
}
# What the C library does to count and to sample: the account has its time.
PROFILING = re.compile(r'_?mcount|__mcount_internal|__fentry__|__profile_frequency|profil_counter')


class Failed(Exception):
    pass


def compile_program(compiler, sources, options, output):
    paths = [os.path.join(HERE, s) for s in sources]
    if compiler == 'rustc':
        level = [o for o in options if o in LEVELS][0][2:]
        command = ['rustc', '-g', '-C', 'opt-level=' + level, '-Z', 'instrument-mcount',
                   '-C', 'link-arg=-pg', '-o', output] + paths
        if '-static' in options:
            command[1:1] = ['-C', 'target-feature=+crt-static']
    else:
        command = [compiler] + paths + PLAIN + options + ['-o', output]
        if compiler.startswith('clang'):
            command.append('-fuse-ld=lld')
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, RUSTC_BOOTSTRAP='1'), cwd=os.path.dirname(output))
    return done.returncode == 0


class Symbols:
    """The functions of an image by readelf, one for each address."""

    def __init__(self, program):
        text = subprocess.run(['readelf', '-sW', program], stdout=subprocess.PIPE, check=True).stdout
        self.end, self.name = {}, {}
        for line in text.decode(errors='replace').splitlines():
            part = line.split()
            if len(part) < 8 or part[3] not in ('FUNC', 'IFUNC') or not part[6].isdigit():
                continue
            start, size = int(part[1], 16), int(part[2], 0)
            self.end[start] = max(self.end.get(start, 0), start + size)
            self.name.setdefault(start, part[7])
        self.starts = sorted(self.end)

    def of(self, address):
        """Where the function that has this address starts, or None."""
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.end[self.starts[at]]:
            return None
        return self.starts[at]

    def whole(self, start):
        """The function that a part which was moved away belongs to, or the function itself."""
        name = self.name[start]
        if name.endswith('.cold'):
            for other in self.starts:
                if self.name[other] == name[:-5]:
                    return other
        return start


def run(program, rounds, directory):
    """Runs the program, which leaves its profile in the directory."""
    begun = time.process_time(), os.times().children_user
    subprocess.run([program, str(rounds)], check=True, cwd=directory, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, OMP_NUM_THREADS='1'), timeout=120)
    return os.times().children_user - begun[1]


def report(gprofx, program, directory):
    done = subprocess.run([gprofx, '--output=json', program, os.path.join(directory, 'gmon.out')],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    if done.returncode:
        raise Failed(done.stderr.decode(errors='replace').strip())
    return json.loads(done.stdout)


def check_account(whole, ticks):
    """Every sample is somewhere, and the parts of the account are all of them."""
    wrong = account.problems(whole)
    if int(whole['account']['samples']) != ticks:
        wrong.append('%d samples, but the account has %s' % (ticks, whole['account']['samples']))
    if wrong:
        raise Failed('; '.join(wrong))


def check_rows(whole, symbols, profile):
    """Each function with bins of its own has a row at its address with at least their samples."""
    low, high, bins, _ = profile
    rows = {int(f['address'], 16): f for f in whole['functions'] if not f['outside']}
    width = (high - low) / max(1, len(bins))
    own = Counter()
    for i, count in enumerate(bins):
        first = low + i * width
        start = symbols.of(int(first) - 4) if count else None
        if start is not None and start == symbols.of(int(first + width) + 4):
            own[start] += count
    for start, ticks in own.items():
        if PROFILING.fullmatch(symbols.name[start]):
            continue
        if start not in rows:
            raise Failed('no row for %s, which has %d samples' % (symbols.name[start], ticks))
        if rows[start]['self_ticks'] < ticks - 1e-6:
            raise Failed('%s has %s of its %d samples' %
                         (symbols.name[start], rows[start]['self_ticks'], ticks))


def counting_functions(symbols, arcs, names, nowhere):
    """The functions that call the function which counts calls; those that a trampoline calls are left
    out, since callgrind does not say who jumped there."""
    counter = re.compile(r'_?mcount|__fentry__')
    called = {site: symbols.name.get(symbols.of(callee), '') for site, callee in arcs}
    called.update({site: name or '' for site, name in names.items()})
    found = {symbols.of(site) for site, name in called.items() if counter.fullmatch(name)}
    found -= {None} | {symbols.of(callee) for callee in nowhere}
    # The start-up code asks resolvers of versions before the C library begins to count.
    return {f for f in found
            if not PROFILING.fullmatch(symbols.name[f]) and not symbols.name[f].endswith('.resolver')}


def expected_calls(symbols, counting, arcs):
    """{(caller, callee): calls} of the functions that count, from what callgrind saw. A thunk jumps to
    its function, so that its callers are those of the function."""
    direct = Counter()
    for (site, callee), calls in arcs.items():
        caller, callee = symbols.of(site), symbols.of(callee)
        if caller is not None and callee is not None:
            direct[symbols.whole(caller), callee] += calls
    behind = {caller: callee for caller, callee in direct
              if re.match(r'_ZT[hvc]', symbols.name[caller]) and caller not in counting}
    expected = Counter()
    for (caller, callee), calls in direct.items():
        callee = behind.get(callee, callee)
        if callee in counting and caller not in behind:
            expected[caller, callee] += calls
    return expected


def found_calls(symbols, unsure, whole):
    found, address = Counter(), [int(f['address'], 16) for f in whole['functions']]
    for arc in whole['arcs']:
        caller = symbols.of(address[arc['caller']]) if arc['caller'] is not None else None
        callee = address[arc['callee']]
        if caller is not None and arc['calls'] and callee not in unsure:
            found[symbols.whole(caller), callee] += arc['calls']
    return found


def check_calls(whole, symbols, seen, jumping):
    """The calls of functions that count theirs, made from inside the program. Where compilers make
    jumps of last calls (`jumping`), the sums over all callers."""
    counting = counting_functions(symbols, *seen)
    expected = expected_calls(symbols, counting, seen[0])
    found = found_calls(symbols, {symbols.of(callee) for callee in seen[2]}, whole)
    if jumping:
        for calls in expected, found:
            for caller, callee in list(calls):
                calls[None, callee] += calls.pop((caller, callee))
    if expected != found:
        rows = ['%s -> %s: %d instead of %d' % (symbols.name.get(a), symbols.name.get(b),
                                               found[a, b], expected[a, b])
                for a, b in sorted(set(expected) | set(found), key=str)
                if expected[a, b] != found[a, b]]
        raise Failed('calls: ' + '; '.join(rows[:6]))
    return len(expected)


def look_at(gprofx, program, directory, jumping):
    symbols = Symbols(program)
    spent = run(program, 100, directory)
    run(program, max(100, min(200000, int(30 / max(spent, 0.005)))), directory)
    profile = gmonreader.read(os.path.join(directory, 'gmon.out'))
    whole, ticks = report(gprofx, program, directory), sum(profile[2])
    check_account(whole, ticks)
    check_rows(whole, symbols, profile)
    run(program, 1, directory)
    seen = callgrind.arcs_of(program, ['1'], os.path.join(directory, 'callgrind.out'))
    return ticks, check_calls(report(gprofx, program, directory), symbols, seen, jumping)


def main():
    words = argparse.ArgumentParser()
    words.add_argument('build')
    words.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    words.add_argument('--count', type=int, default=0)
    chosen = words.parse_args()
    gprofx = os.path.join(os.path.abspath(chosen.build), 'bin', 'gprofx')
    lot = random.Random(chosen.seed)
    builds = []
    for name, ways in PROGRAMS.items():
        for compiler, sources, options in ways:
            for level in LEVELS:
                builds.append((name, compiler, sources, options + [level] + lot.choice(FORMS)))
    lot.shuffle(builds)
    print('seed %d' % chosen.seed)
    passed = failed = skipped = ticks = arcs = 0
    for name, compiler, sources, options in builds[:chosen.count or None]:
        title = '%s %s %s' % (name, compiler, ' '.join(options))
        with tempfile.TemporaryDirectory() as directory:
            program = os.path.join(directory, name)
            if not shutil.which(compiler) or not compile_program(compiler, sources, options, program):
                print('skipped, does not compile: ' + title)
                skipped += 1
                continue
            try:
                jumping = compiler == 'rustc' or '-foptimize-sibling-calls' in options
                more = look_at(gprofx, program, directory, jumping)
                ticks, arcs, passed = ticks + more[0], arcs + more[1], passed + 1
            except (Failed, KeyError, subprocess.SubprocessError) as why:
                print('%s: %s' % (title, why if isinstance(why, Failed) else repr(why)))
                failed += 1
    print('%d builds skipped; %d samples accounted for, %d arcs compared' % (skipped, ticks, arcs))
    print('programs: %d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the calls that are found in code (-c) against a disassembler.

    calls.py [TARGET...]

For every machine, a program of tests/data/calls and what its objdump says of it (of VAX, SIMH): no call may be
missing, and none too many. Where there are g++ and objdump for x86-64, the same for programs in C++,
with all that is in the C++ library, and libraries of the compiler, of several MiB. What GNU gprof finds
there must be among them where it is a call.
"""
import bisect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'tools'),
                os.path.join(HERE, os.pardir, 'data', 'calls')]

import runner                                                       # noqa: E402
from calltargets import LINKED, TARGETS                                     # noqa: E402
from gmonfile import Profile                                        # noqa: E402

FEWEST, FEWEST_LINKED = 300, 150
PROGRAMS = os.path.join(HERE, os.pardir, 'compare', 'programs')
INSTRUCTION = re.compile(r'^\s*([0-9a-f]+):\t(?:(?:addr32|data16|bnd|rex\.W|cs|ds|notrack) )*'
                         r'(call|j\w+)\s+(?:([0-9a-f]+)\b|\*0x[0-9a-f]+\(%rip\)\s+# ([0-9a-f]+)\b)')


def report_of(place, words=()):
    """The report with calls in code, of a profile without a histogram and with one arc."""
    done = runner.start(runner.program_under_test(), [
        '--output=json', '--no-findings', '-c', *words, 'program', 'gmon.out'], place, 'gprofx')
    return done, json.loads(done.out) if done.status == 0 else None


def write_profile(place, program):
    bits, order = 32 * program[4], '<' if program[5] == 1 else '>'
    with open(os.path.join(place, 'program'), 'wb') as f:
        f.write(program)
    with open(os.path.join(place, 'gmon.out'), 'wb') as f:
        f.write(Profile(bits, order).arc(0, 0, 1).bytes())


def found_calls(report):
    """{(address of the caller, address of the callee): kind}"""
    at = [f['address'] and int(f['address'], 16) for f in report['functions']]
    # Data of MIPS16, and what is behind them, have names, but are of the function that they stand in.
    ends = '__pool_', '__pend_', '__jump_', '__jend_'
    named = sorted(a for a, f in zip(at, report['functions']) if a and not f['name'].startswith(ends))
    at = [a and named[max(bisect.bisect_right(named, a) - 1, 0)] if f['name'].startswith(ends) else a
          for a, f in zip(at, report['functions'])]
    return {(at[a['caller']], at[a['callee']]): a['static'] for a in report['arcs']
            if a['static'] not in (None, 'indirect')}


def compare(tally, name, got, wanted):
    for what, extra in (('missing', wanted - got), ('too many', got - wanted)):
        tally.check(not extra, name, '%d %s: %s' % (
            len(extra), what, ' '.join('%x->%x' % pair for pair in sorted(extra)[:5])))


def check_target(tally, target, place):
    write_profile(place, target.program())
    done, report = report_of(place)
    if not tally.check(report is not None and b'scan.' not in done.err, target.name,
                       done.err.decode(errors='replace')):
        return
    found, expected = found_calls(report), target.expected()
    calls = {(a, b) for a, b, kind in expected if kind == 'call'}
    jumps = {(a, b) for a, b, kind in expected if kind == 'tail'} - calls
    tally.check(len(calls) >= FEWEST, target.name, 'hardly any calls')
    compare(tally, target.name + ' calls', {p for p, kind in found.items() if kind == 'call'}, calls)
    compare(tally, target.name + ' tail calls', {p for p, kind in found.items() if kind == 'tail'},
            jumps)


def check_linked(tally, target, place):
    """Calls of functions of a library; addresses that are taken, and that only if asked for."""
    write_profile(place, target.program())
    with open(os.path.join(place, 'more.yaml'), 'w') as f:
        f.write('options: { %s: { pointers: true } }\n' % target.scanner)
    expected = target.expected()
    tally.check(len(expected) >= FEWEST_LINKED, target.name, 'hardly any calls')
    everything = ('plt', 'got', 'pointer')
    for words, kinds in (((), ('plt', 'got')), (('--config=more.yaml',), everything)):
        done, report = report_of(place, words)
        if not tally.check(report is not None and not done.err, target.name,
                           done.err.decode(errors='replace')):
            return
        functions = report['functions']
        found = {(int(functions[a['caller']]['address'], 16), functions[a['callee']]['name'],
                  a['static']) for a in report['arcs'] if a['static'] in everything}
        for kind in everything:
            names = {(a, name if name.startswith('h') else '%s@%s' % (
                         name, 'plt' if kind == 'pointer' else kind))
                     for a, name, k in expected if k == kind and k in kinds}
            got = {(a, name) for a, name, k in found if k == kind}
            if kind == 'pointer' and not target.takes:
                continue
            for what, extra in (('missing', names - got), ('too many', got - names)):
                tally.check(not extra, '%s %s' % (target.name, kind), '%d of %d %s: %s' % (
                    len(extra), len(names), what,
                    ' '.join('%x->%s' % pair for pair in sorted(extra)[:5])))


# -- real programs of this machine ----------------------------------------------------------------

def disassembled(path, report):
    """{kind: {(caller, callee)}} of calls between functions of the report, and through the PLT or GOT."""
    starts = sorted({int(f['address'], 16) for f in report['functions'] if not f['outside']})
    imported = {int(f['address'], 16): f['raw_name'][:-4] for f in report['functions']
                if f['name'].endswith(('@plt', '@got'))}
    # What a library has of its own is called through stubs, too.
    own = {}
    for line in subprocess.run(['nm', '-D', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               universal_newlines=True).stdout.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[1] in 'TtWw':
            own[fields[2].split('@')[0]] = int(fields[0], 16)
    sizes = {}
    for line in subprocess.run(['nm', '-S', path], check=True, stdout=subprocess.PIPE,
                               universal_newlines=True).stdout.splitlines():
        fields = line.split()
        # What belongs to threads has small numbers, which are no addresses.
        if len(fields) == 4 and fields[2] in 'TtWwi':
            sizes[int(fields[0], 16)] = max(sizes.get(int(fields[0], 16), 0), int(fields[1], 16))
    # What the report leaves out, as _GLOBAL__sub_I_x.cc, is of the function before it.
    named, current_name = sorted(sizes), 0
    known, calls, current = set(starts), {'call': set(), 'plt': set(), 'got': set()}, 0
    text = subprocess.run(['objdump', '-d', '-z', '--no-show-raw-insn', path], check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    for line in text.splitlines():
        match = INSTRUCTION.match(line)
        if not match:
            continue
        at, to = int(match.group(1), 16), int(match.group(3) or match.group(4), 16)
        while current + 1 < len(starts) and starts[current + 1] <= at:
            current += 1
        while current_name + 1 < len(named) and named[current_name + 1] <= at:
            current_name += 1
        covered = at < named[current_name] + sizes[named[current_name]]
        if to not in known or starts[current] in imported or at < starts[current]:
            continue
        kind = 'got' if match.group(4) else 'plt' if to in imported else match.group(2)
        if kind == 'plt':
            to = own.get(imported[to], to)
            # A function that jumps to its own begin is a loop.
            if to == starts[current] and match.group(2) != 'call':
                continue
        if kind in calls and (covered or starts[current] not in sizes):
            calls[kind].add((starts[current], to))
    return calls


def code_range(path):
    """Where .text is."""
    text = subprocess.run(['objdump', '-h', path], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    size, low = re.search(r' \.text +([0-9a-f]+) +([0-9a-f]+) ', text).groups()
    return int(low, 16), int(low, 16) + int(size, 16)


def calls_of_gprof(place, path):
    """{(caller, callee)} by name, as GNU gprof finds them with a histogram over .text, or None."""
    gprof = runner.installed_gprof()
    if not gprof:
        return None
    low, high = code_range(path)
    with open(os.path.join(place, 'gmon.wide'), 'wb') as f:
        f.write(Profile(64, '<').histogram(low, high, [1] * 64).arc(low, low, 1).bytes())
    done = runner.start(gprof, ['-b', '-q', '-c', '-z', '--no-demangle', path, 'gmon.wide'], place,
                        seconds=300)
    calls, primary = set(), None
    for line in done.out.decode(errors='replace').splitlines():
        match = re.match(r'^\[\d+\] .* (\S+) (?:<cycle \d+> )?\[\d+\]$', line)
        if match:
            primary = match.group(1)
        elif line.startswith('-----'):
            primary = None
        match = re.match(r'^ .* 0(?:/\d+)? +(\S+) (?:<cycle \d+> )?\[\d+\]$', line)
        if match and primary:
            calls.add((primary, match.group(1)))
    return calls


def check_against_gprof(tally, name, place, path, expected):
    """A call that GNU gprof finds is there if it is one; names that several have tell nothing."""
    by_gprof = calls_of_gprof(place, path)
    if by_gprof is None:
        return
    report = report_of(place, ['--no-demangle'])[1]
    at = {}
    for function in report['functions']:
        at.setdefault(function['name'], []).append(function['address'])
    alone = {found: int(places[0], 16) for found, places in at.items() if len(places) == 1 and places[0]}
    pairs = {(alone[a], alone[b]) for a, b in by_gprof if a in alone and b in alone}
    tally.check(len(pairs & expected) > 5, name, 'GNU gprof finds hardly anything')
    missing = (pairs & expected) - set(found_calls(report))
    tally.check(not missing, name, 'GNU gprof finds %d calls that gprofx does not' % len(missing))


def check_program(tally, name, place, path):
    with open(path, 'rb') as f:
        write_profile(place, f.read())
    done, report = report_of(place)
    if not tally.check(report is not None, name, done.err.decode(errors='replace')):
        return
    found, wanted = found_calls(report), disassembled(path, report)
    # A function that is called in two ways has one arc.
    wanted['plt'] -= wanted['call']
    wanted['got'] -= wanted['call'] | wanted['plt']
    for kind in wanted:
        compare(tally, 'real %s %s' % (name, kind), {p for p in found if found[p] == kind},
                wanted[kind])
    tally.check(len(wanted['plt'] | wanted['got']) > 10, name,
                'hardly any calls through the PLT or GOT')
    check_against_gprof(tally, 'real ' + name, place, path, wanted['call'])
    again = [report_of(place, ['--threads=%d' % threads])[0].out for threads in (1, 3)]
    tally.check(again[0] == again[1] == done.out, name, 'depends on the number of threads')


def system_libraries():
    """Libraries of several MiB with symbols that come with compilers."""
    for name in 'libasan.so', 'libtsan.so':
        done = subprocess.run(['g++', '-print-file-name=' + name], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True)
        path = os.path.realpath(done.stdout.strip())
        if os.path.isabs(path) and os.path.exists(path) and subprocess.run(
                ['nm', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout:
            yield name, path


def check_real(tally, place):
    for name, path in system_libraries():
        check_program(tally, name, place, path)
    for name, source, options in (
            ('templates', 'templates/main.cc', ['-O2']),
            ('static', 'templates/main.cc', ['-O2', '-static']),
            ('classes', 'classes/main.cc', ['-O2', 'classes/number.cc']),
            ('sections', 'templates/main.cc', ['-O3', '-ffunction-sections', '-static-pie', '-fPIE']),
            ('no stubs', 'templates/main.cc', ['-O2', '-fno-plt', '-pie', '-fPIE']),
            ('no stubs, plain', 'classes/main.cc', ['-O1', '-fno-plt', '-no-pie', 'classes/number.cc']),
            ('marked', 'templates/main.cc', ['-O2', '-fcf-protection', '-Wl,-z,ibtplt', '-Wl,-z,lazy']),
            ('at once', 'classes/main.cc', ['-O2', '-fcf-protection', '-Wl,-z,now', 'classes/number.cc'])):
        path = os.path.join(place, 'program')
        options = [o if o.startswith('-') else os.path.join(PROGRAMS, o) for o in options]
        done = subprocess.run(['g++', '-o', path, os.path.join(PROGRAMS, source)] + options,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            check_program(tally, name, place, path)


def main(names):
    tally = runner.Tally()
    for target in TARGETS:
        if not names or target.name in names:
            with tempfile.TemporaryDirectory() as place:
                check_target(tally, target, place)
    for target in LINKED:
        if not names or target.name in names:
            with tempfile.TemporaryDirectory() as place:
                check_linked(tally, target, place)
    if os.uname().machine == 'x86_64' and all(map(shutil.which, ('g++', 'objdump', 'nm'))) and (
            not names or 'real' in names):
        with tempfile.TemporaryDirectory() as place:
            check_real(tally, place)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

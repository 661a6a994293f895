#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures of the targets that are named, or of all.

    make.py [--record-only] [TARGET...]

Needs each target's compiler, binutils 2.40 and C library, and qemu-user; README.md names the
packages. --record-only keeps programs and profiles and asks the targets' gprof again.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, os.pardir, 'tools')]

import recording                                                    # noqa: E402
from gmonfile import Profile                                        # noqa: E402
from runner import installed_gprof, start                           # noqa: E402
from targets import (CASES, FILES, TARGETS, calls, layout,          # noqa: E402
                     samples_in, words_of)

# No path of the machine that makes them gets into the programs.
COMMON = ['-pg', '-O1', '-g', '-fno-ident', '-fdebug-prefix-map=%s=.' % HERE]
FEWEST_SAMPLES = 200
FIRST_ROUNDS, MOST_ROUNDS = 4000, 4000 << 10


def build(target, place):
    subprocess.run([target.triplet + '-gcc'] + COMMON + target.options
                   + ['program.c', 'other.c', '-o', os.path.join(place, 'program')],
                   cwd=HERE, check=True, stderr=subprocess.DEVNULL)


def contents(place):
    """What is in the program and in the profile."""
    for name in FILES:
        with open(os.path.join(place, name), 'rb') as f:
            yield f.read()


def run(target, place):
    """Runs the program for ever more rounds until it has enough samples."""
    program, rounds = os.path.join(place, 'program'), FIRST_ROUNDS
    while rounds <= MOST_ROUNDS:
        subprocess.run([target.emulator, '-L', '/usr/' + target.triplet, program, str(rounds)],
                       cwd=place, check=True)
        if sum(n for _, n in samples_in(*contents(place))[0]) >= FEWEST_SAMPLES:
            return
        rounds *= 2
    raise RuntimeError('too few samples')


def functions_of(target, place):
    """{name: [(address, size)...]}, by address."""
    said = subprocess.run([target.triplet + '-nm', '-n', '-S', os.path.join(place, 'program')],
                          check=True, stdout=subprocess.PIPE).stdout.decode()
    functions = {}
    for line in said.splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in 'tTW':
            functions.setdefault(words[3], []).append((int(words[0], 16), int(words[1], 16)))
    return functions


def invent(target, place):
    """Writes the profile that the program would leave behind: its calls, and some samples."""
    functions = functions_of(target, place)
    bits, order = layout(next(contents(place)))
    rounds = 1000
    made = {f: functions[f][0] for pair in calls(rounds) for f in pair}
    low = min(a for f in functions.values() for a, _ in f) & ~3
    high = max(a + s for f in functions.values() for a, s in f) + 7 & ~3
    bins = [0] * ((high - low) // 4)
    for i, (address, size) in enumerate(made.values()):
        bins[(address + size // 2 - low) // 4] += 10 * i + 3
    profile = Profile(bits, order).histogram(low, high, bins)
    for (caller, callee), count in calls(rounds).items():
        # Of two functions of one name, the second one belongs to the other file.
        to = functions[callee][-1] if caller == 'other_work' else made[callee]
        profile.arc(made[caller][0] + made[caller][1] // 2, to[0] + 8, count)
    with open(os.path.join(place, 'gmon.out'), 'wb') as f:
        f.write(profile.bytes())


def record(target, place):
    gprof = installed_gprof(target.triplet + '-gprof')
    if gprof is None:
        raise RuntimeError('no gprof 2.40 for this target')
    return recording.pack({case: start(gprof, words_of(target, case) + ['program', 'gmon.out'],
                                       place) for case in CASES})


def make(target, only_record):
    os.makedirs(target.folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        if only_record:
            for name in FILES:
                with open(os.path.join(place, name), 'wb') as f:
                    f.write(target.packed(name))
        else:
            build(target, place)
            (run if target.emulator else invent)(target, place)
            for name, data in zip(FILES, contents(place)):
                target.pack(name, data)
        target.pack('recorded.txt', record(target, place))


def main(words):
    only_record = '--record-only' in words
    chosen = [w for w in words if w != '--record-only']
    failed = 0
    for target in TARGETS:
        if chosen and target.name not in chosen:
            continue
        try:
            make(target, only_record)
            print(target.name)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as why:
            print('%s: not made: %s' % (target.name, why))
            failed += 1
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

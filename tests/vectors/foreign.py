#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the program with what each target's own GNU gprof said of programs of that target.

    foreign.py [TARGET...]

The fixtures, their recipe and what is asked of them are in tests/data/foreign. Where the gprof of
a target's cross tools is installed, or GPROF_ORACLE names one that knows every target, the recorded
results are compared with what it prints now. In own mode, where nothing is recorded, the calls are
those that the program is known to have made, all samples are there, and nothing is said of a
profile with which nothing is wrong.
"""
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'tools'),
                os.path.join(HERE, os.pardir, 'data', 'foreign')]

import recording                                                    # noqa: E402
import runner                                                       # noqa: E402
from targets import (CASES, FILES, TARGETS, calls,                  # noqa: E402
                     samples_in, words_of)


def unpack(target, place):
    """Writes a target's files; the program is older than its profile."""
    for i, name in enumerate(FILES):
        path = os.path.join(place, name)
        with open(path, 'wb') as f:
            f.write(target.packed(name))
        os.utime(path, (1600000000 + i,) * 2)


def check_recorded(tally, target, place):
    """Each case, under both names that mean GNU mode."""
    recorded = recording.unpack(target.packed('recorded.txt'))
    theirs = runner.installed_gprof(target.triplet + '-gprof')
    tally.check(list(recorded) == CASES, target.name, 'other cases are recorded')
    for case, wanted in recorded.items():
        words = words_of(target, case) + FILES
        what = '%s (%s)' % (target.name, ' '.join(words))
        for name in 'gprof', target.triplet + '-gprof':
            got = runner.start(runner.program_under_test(), words, place, name)
            tally.check(got == wanted, what, 'as ' + name, recording.differences(wanted, got))
        if theirs:
            now = runner.start(theirs, words, place, target.triplet + '-gprof')
            tally.check(now == wanted, what, 'GNU gprof prints something else than was recorded',
                        recording.differences(wanted, now))


def plain(name):
    """Which function a name means: code at a descriptor has a dot before it, and others have two
    names."""
    name = name.lstrip('.')
    return {'also_named': 'named', '_ftext': 'burn'}.get(name, name)


def counted(report):
    """{(caller, callee): calls}"""
    names, found = {f['id']: plain(f['name']) for f in report['functions']}, {}
    for arc in report['arcs']:
        pair = names[arc['caller']], names[arc['callee']]
        found[pair] = found.get(pair, 0) + arc['calls']
    return found


def check_own(tally, target, place):
    """What is true of the profile, in own mode."""
    def own(*words):
        return runner.start(runner.program_under_test(), list(words) + FILES, place, 'gprofx')
    for words in [], ['-b', '--threads=3'], ['--slide=none'], ['-a']:
        got = own(*words)
        tally.check(got.status == 0 and got.err == b'', ' '.join([target.name, 'gprofx'] + words),
                    'not silent', got.err.decode(errors='replace').splitlines())
    report = json.loads(own('--output=json').out)
    found = counted(report)
    rounds = found.get(('main', 'tree'), 0)
    wanted = calls(rounds)
    tally.check(rounds > 0 and found == wanted, target.name, 'other calls than the program made',
                ['%s: wanted %s, got %s' % (' to '.join(pair), wanted.get(pair), found.get(pair))
                 for pair in sorted(set(wanted) | set(found))
                 if wanted.get(pair) != found.get(pair)])
    check_samples(tally, target, report)


def check_samples(tally, target, report):
    """All are in the report but those of what counts calls, which can be a part of the program."""
    bins, width = samples_in(*(target.packed(name) for name in FILES))
    hidden = [(int(f['address'], 16), int(f['end'], 16)) for f in report['functions']
              if plain(f['name']).removesuffix('@plt').lstrip('_') in ('mcount', 'gnu_mcount_nc', 'fentry__')]
    most, least = sum(n for _, n in bins), 0
    for begin, samples in bins:
        if not any(begin <= last and begin + width > first for first, last in hidden):
            least += samples
    ticks = report['totals']['flat_ticks']
    tally.check(0 < least <= ticks <= most, target.name,
                '%s samples, wanted %d to %d' % (ticks, least, most))


def main():
    tally = runner.Tally()
    for target in TARGETS:
        if len(sys.argv) > 1 and target.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as place:
            unpack(target, place)
            check_recorded(tally, target, place)
            check_own(tally, target, place)
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Profiles whose differences are known, for the tests of outputs that show a comparison.

write() makes them in the current folder: "base" and "after" are profiles of "program", whose functions have
hostile names. "earlier" and "later" are of two builds, "before" and "then": a function is gone, one is new, and
one was renamed. "runs" and "faster" are folders of five runs of "before". "stacks" and "slower" are texts of perf
script, whose inclusive times are measured.
"""
import math
import os

from profiled import Program

RATE = 100
HOSTILE = ['pi|pe', 'a\\|b', 'tick`s', '``', '<b onclick="x">bold</b>', '&amp;', '*star*_under_~~no~~', '@somebody',
           '`a@example.com|', '`www.example.com', '`http://example.com', '[a](http://b)', '![a](b)', ' edges ', '|',
           'back\\', '$x$', '#1', '-->', '=sum(a)', 'a"b,c']
# Bytes, as in a symbol table, and how texts for people show them: what is not printable becomes \xNN.
BYTES = {'two\nlines': 'two\\x0alines', 'a\tb\r\n|--|': 'a\\x09b\\x0d\\x0a|--|', 'caf\xc3\xa9': 'caf\u00e9'}
PLAIN = ['main', 'work', 'same', 'idle', 'zero']
NAMES = PLAIN + HOSTILE + list(BYTES)
BASE = {'main': 0, 'work': 3000, 'same': 500, 'zero': 0, **{n: 100 + i for i, n in enumerate(NAMES[5:])}}
AFTER = {'main': 0, 'work': 1500, 'same': 510, 'zero': 200, **{n: 300 + 2 * i for i, n in enumerate(NAMES[5:])}}
CALLS = {'base': 10, 'after': 20}


def calls(work):
    return [('main', 'work', work), ('main', 'same', 3)]


def shown(name):
    """A name in texts for people."""
    return BYTES.get(name, name)


def figures(name):
    """Of a function in base and after: both values, their difference, its error, the ratio; the verdict."""
    base, after = BASE.get(name, 0) / RATE, AFTER.get(name, 0) / RATE
    error = math.sqrt((base + after) / RATE)
    verdict = 'none' if name in ('main', 'same', 'idle') else 'less' if after < base else 'more'
    return base, after, after - base, error, after / base if base else None, verdict


def put(name, profile):
    with open(name, 'wb') as file:
        file.write(profile.bytes())


def stacks(name, deep, flat):
    """A text of perf script: samples of 10 ms in main > middle > deep, and in main > flat."""
    with open(name, 'w', encoding='ascii') as file:
        for i, leaf in enumerate(['deep'] * deep + ['flat'] * flat):
            file.write('p 7/7 2.%06d: 10000000 cpu-clock: \n\t 11ee %s+0x5 (/bin/p)\n' % (i, leaf))
            file.write('\t 12ee middle+0x5 (/bin/p)\n' if leaf == 'deep' else '')
            file.write('\t 13ee main+0x5 (/bin/p)\n\n')


def write():
    program = Program(NAMES)
    program.lines({'work': [(0, 12)]}, 'prog.c', '/src')
    put('program', program)
    put('base', program.profile(BASE, calls(CALLS['base'])))
    put('after', program.profile(AFTER, calls(CALLS['after'])))

    before = Program(['main', 'leaf', 'called', 'gone'])
    before.lines({'called': [(0, 12)]}, 'prog.c', '/src')
    then = Program(['start', 'main', 'leaf', 'renamed', 'added'], base=0x500000)
    then.lines({'renamed': [(0, 12)]}, 'prog.c', '/src')
    put('before', before)
    put('then', then)
    for name, made, which, value in (('earlier', before, 'called', 100), ('later', then, 'renamed', 300)):
        put(name, made.profile({'leaf': 500, which: value, 'gone' if which == 'called' else 'added': 200},
                               [('main', which, 5), (which, 'leaf', 7), ('main', 'gone' if which == 'called' else 'added', 1)]))
    for folder, work, step in (('runs', 400, 4), ('faster', 300, -4)):
        os.mkdir(folder)
        for i in range(5):
            put('%s/%d' % (folder, i), before.profile({'called': work + step * i, 'leaf': 500 - 3 * i}, [('main', 'called', 10)]))
    stacks('stacks', 200, 400)
    stacks('slower', 400, 400)


def write_cycles():
    """Profiles of "prog": "cycle" and "more" with a cycle that is entered at one function, "silent" without calls; and
    folded stacks with recursion, "old.folded" and "new.folded", with functions that one side alone has."""
    program = Program(['main', 'odd', 'even', 'leaf'])
    put('prog', program)
    for name, odd, count in (('cycle', 100, 9), ('more', 300, 11), ('silent', 90, 0)):
        arcs = [('main', 'odd', 2), ('odd', 'even', count), ('even', 'odd', 9), ('even', 'leaf', 4)]
        samples = {'odd': odd, 'even': 50, 'leaf': 50, 'main': 10}
        put(name, program.profile(samples, arcs if count else []))
    for name, stack in (('old', 'main;parse;read_word 120\nmain;walk;walk;leaf 7\nmain;old_only 11\n'),
                        ('new', 'main;parse;read_word 80\nmain;walk;walk;leaf 9\nmain;walk;leaf 2\nnew_root;leaf 3\n')):
        with open(name + '.folded', 'w', encoding='ascii') as file:
            file.write(stack)

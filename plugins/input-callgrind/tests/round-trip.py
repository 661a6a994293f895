# SPDX-License-Identifier: Apache-2.0
"""Reports of files that were written as callgrind, against those of what they were made of."""
import json
import os
import subprocess
import sys

import callgrindfile

GPROFX = os.environ['GPROFX']
SAMPLES = os.path.join(os.environ['GPROFX_SOURCE'], 'plugins/input-callgrind/tests/samples')
SOURCE = '''#define NI __attribute__((noinline))
volatile unsigned sink;
NI void leaf(int n) { for (int i = 0; i < n; i++) sink += i; }
NI unsigned fib(unsigned n) { sink++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
NI void work(int n) { leaf(n * 9000); leaf(n); }
int main(void) { for (int i = 0; i < 30; i++) { work(20); leaf(100000); sink += fib(15); } return 0; }
'''


def check(what, found, wanted):
    if found != wanted:
        sys.exit('%s: expected %s, found %s' % (what, wanted, found))


def run(*words, said=()):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    ids = [line.split('[')[1].split(']')[0] for line in done.stderr.decode().splitlines() if line.startswith('gprofx: ')]
    check('status and diagnostics of %s: %s' % (words, done.stderr.decode()), (done.returncode, ids), (0, list(said)))
    return done.stdout.decode()


def report(*words, said=()):
    """What both can say, in units: of functions that have some cost or call, and of arcs with calls."""
    whole = json.loads(run(GPROFX, '--no-findings', '--output=json', *words, said=said))
    scale = 1 / (whole['metrics'][0]['ticks_per_unit'] or 1)
    names = {row['id']: row['name'].removesuffix(' (%s)' % row['object']) for row in whole['functions']}
    functions = {names[row['id']]: (round(row['self_ticks'] * scale, 6), round(row['total_ticks'] * scale, 6),
                                    row['calls'] or 0, row['recursive_calls'] or 0)
                 for row in whole['functions'] if row['total_ticks'] or row['calls']}
    arcs = {(names[arc['caller']], names[arc['callee']]): (arc['calls'], round((arc['self_ticks'] + arc['below_ticks']) * scale, 6))
            for arc in whole['arcs'] if arc['calls']}
    return functions, arcs


# The callers in the names of "sep" are left out; all else is written as it was read.
for sample in ('plain', 'events', 'sep', 'nocomp', 'instr', 'recs1'):
    path, said = '%s/callgrind.%s' % (SAMPLES, sample), ['profile.unmarked-recursion'] if sample == 'recs1' else []
    run(GPROFX, '--no-findings', '--output=callgrind:again', path, said=said)
    check(sample, report('again', said=said), report(path, said=said))
    if sample != 'sep':
        check('lines and calls of %s' % sample, callgrindfile.difference(callgrindfile.read('again'), callgrindfile.read(path)), None)
    run(GPROFX, '--no-findings', '--output=callgrind:once-more', 'again', said=said)
    with open('again', encoding='utf-8') as again, open('once-more', encoding='utf-8') as once_more:
        check('second copy of %s' % sample, *[[line for line in file if not line.startswith(('cmd:', 'desc: Profile:'))]
                                             for file in (once_more, again)])
# An event that is not the first one comes first, and the others behind it.
run(GPROFX, '--no-findings', '--metric=Dw', '--output=callgrind:again', '%s/callgrind.events' % SAMPLES)
check('events by choice', callgrindfile.read('again')[0][:3], ['Dw', 'Ir', 'Dr'])
# Numbers that doubles do not hold.
with open('large', 'w', encoding='utf-8') as file:
    file.write('# callgrind format\nevents: Ir Dr\nfl=a.c\nfn=f\n1 9007199254740993 4611686018427387905\ncfn=g\n'
               'calls=18014398509481985 5\n2 9007199254740995 1\nfn=g\n5 9007199254740995 1\n')
run(GPROFX, '--no-findings', '--output=callgrind:again', 'large')
check('large numbers', [list(part.values()) for part in callgrindfile.read('again')[1:]],
      [[[9007199254740993, 4611686018427387905], [9007199254740995, 1]], [[18014398509481985, 9007199254740995, 1]]])
with open('prog.c', 'w', encoding='utf-8') as file:
    file.write(SOURCE)
run('gcc', '-g', '-O1', '-pg', '-o', 'prog', 'prog.c')
run('./prog')
run(GPROFX, '--no-findings', '--output=callgrind:written', 'prog')
functions, arcs = report('prog')
again, arcs_again = report('written', said=['callgrind.estimates'])
# What is called by nothing that is known has no call in the file.
check('gmon.out', {name: row for name, row in again.items() if name in functions}, functions)
check('arcs of gmon.out', {pair: row for pair, row in arcs_again.items() if pair in arcs and pair[0] != pair[1]},
      {pair: row for pair, row in arcs.items() if pair[0] != pair[1]})

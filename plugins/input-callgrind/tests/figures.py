# SPDX-License-Identifier: Apache-2.0
"""Files of callgrind and cachegrind whose figures are known, against what gprofx reports of them."""
import json
import os
import subprocess
import sys

GPROFX = os.environ['GPROFX']
SAMPLES = os.path.join(os.environ['GPROFX_SOURCE'], 'plugins/input-callgrind/tests/samples')
# Of the program cg.c: the costs of a function itself, with what it calls, and its calls by others.
FIGURES = {'leaf': (5860, 5860, 2), 'even': (358, 442, 8), 'odd': (98, 410, 7), 'fact': (75, 75, 1), 'phase1': (8, 4254, 1),
           'phase2': (14, 2159, 1), 'main': (14, 6427, 1)}
ARCS = {('main', 'phase1'): (1, 4254), ('main', 'phase2'): (1, 2159), ('phase1', 'leaf'): (1, 3905), ('phase1', 'even'): (1, 341),
        ('phase2', 'leaf'): (1, 1955), ('phase2', 'fact'): (1, 75), ('phase2', 'odd'): (1, 115), ('fact', 'fact'): (4, 58),
        ('even', 'odd'): (6, 350), ('odd', 'even'): (7, 382)}


def check(what, found, wanted):
    if found != wanted:
        sys.exit('%s: expected %s, found %s' % (what, wanted, found))


def write(name, text):
    with open(name, 'w', encoding='utf-8') as file:
        file.write(text)
    return name


def run(*words, status=0):
    done = subprocess.run([GPROFX, '--no-findings', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check('status of %s: %s' % (words, done.stderr.decode()), done.returncode, status)
    return done


def report(*words, said=()):
    done = run('--output=json', *words)
    ids = [line.split('[')[1].split(']')[0] for line in done.stderr.decode().splitlines() if line.startswith('gprofx: ')]
    check('diagnostics of %s' % (words,), ids, list(said))
    return json.loads(done.stdout)


def plain(row):
    return row['name'].removesuffix(' (%s)' % row['object'])


def figures(whole, names=FIGURES):
    """By name: what a function has itself, with what it calls, and its calls by others."""
    return {plain(row): (row['self_ticks'], row['total_ticks'], row['calls']) for row in whole['functions'] if plain(row) in names}


def arcs(whole, names=FIGURES):
    rows = {row['id']: plain(row) for row in whole['functions']}
    return {(rows[arc['caller']], rows[arc['callee']]): (arc['calls'], arc['self_ticks'] + arc['below_ticks'])
            for arc in whole['arcs'] if rows[arc['caller']] in names and rows[arc['callee']] in names}


def forms():
    """All forms of one program have the same figures, as callgrind_annotate prints them."""
    for name in ('plain', 'nocomp', 'events', 'instr', 'sep'):
        whole = report('%s/callgrind.%s' % (SAMPLES, name))
        check(name, figures(whole), FIGURES)
        found = arcs(whole)
        check('pairs of %s' % name, sorted(found), sorted(ARCS))
        for pair, (calls, ticks) in ARCS.items():
            check('%s of %s' % (pair, name), (found[pair][0], round(found[pair][1], 6)), (calls, ticks))
        check('origins of %s' % name, [whole['metrics'][0][key] for key in
                                       ('name', 'kind', 'self_origin', 'total_origin', 'arc_self_origin', 'arc_total_origin')],
              ['Ir', 'counted', 'measured', 'measured', 'estimated', 'measured'])


def events():
    """Each event is a metric; missing numbers at the end of a line are 0."""
    whole = report('--metric=Bc', '%s/callgrind.events' % SAMPLES)
    names = 'Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim'.split()
    check('metrics', sorted(metric['name'] for metric in whole['metrics']), sorted(names))
    check('Bc', figures(whole, ('main', 'leaf', 'fact')), {'leaf': (1352, 1352, 2), 'main': (1, 1437, 1), 'fact': (5, 5, 1)})


def unmarked():
    """Without marks, what a cycle has in all is a bound, and said to be one; recursion alone is exact."""
    whole = report('%s/callgrind.recs1' % SAMPLES, said=['profile.unmarked-recursion'])
    found = figures(whole)
    check('self', {name: row[0::2] for name, row in found.items()}, {name: row[0::2] for name, row in FIGURES.items()})
    for name in ('fact', 'leaf', 'phase1', 'phase2', 'main'):
        check(name, found[name], FIGURES[name])
    check('bounds', (found['even'][1], found['odd'][1]), (456, 456))


HEAD = '# callgrind format\nversion: 1\ncreator: test\npid: 7\ncmd: ./prog x\npart: 1\nthread: 1\npositions: line\nevents: Ir Dr\n'


def parts():
    """Names keep their numbers in later parts, whose events can have another order; threads are distinguished."""
    name = write('parts', HEAD + '''fl=(1) a.c
fn=(1) main
1 10 1
cfn=(2) f
calls=1 5
2 7 2
fn=(2)
5 7 2
totals: 17 3
part: 2
thread: 2
events: Dr Ir
fl=(1)
fn=(2)
+5 1 30
totals: 1 30
''')
    whole = report(name)
    check('parts', figures(whole, ('main', 'f')), {'main': (10, 17, None), 'f': (37, 37, 1)})
    threads = report('--per-thread', name)['threads']
    check('threads', sorted((row['label'], row['ticks']) for row in threads), [('thread 1', 17), ('thread 2', 30)])
    head = run('--per-thread', name).stdout.decode().split('Time per thread')[1].splitlines()[0]
    check('head', head, ', of 2 threads. Costs are those of functions alone, in Ir; those of calls are not known by thread.')


def places():
    """Equal names in other files or objects are other functions; code of other files is in its function."""
    whole = report(write('places', HEAD + '''ob=(1) /bin/a
fl=(1) /src/a.c
fn=(1) same
1 1
fi=(2) /src/b.h
4 20
fe=(1)
2 2
fl=(2)
fn=(1)
9 300
ob=(2) /lib/b.so
fl=(1)
fn=(1)
1 4000
cfn=(2) other
calls=2 0
1 50000
cob=(1)
cfi=(2)
cfn=(1)
calls=3 0
* 300
'''))
    check('places', sorted((plain(row), row['object'], row['self_ticks'], row['total_ticks'], row['calls'])
                           for row in whole['functions']),
          [('other', 'b.so', 0, 50000, 2), ('same', 'a', 23, 23, None), ('same', 'a', 300, 300, 3), ('same', 'b.so', 4000, 54300, None)])


def cachegrind():
    """Names are plain there, and a point is a zero."""
    whole = report(write('cachegrind', '''desc: I1 cache: 1 B
cmd: ./p
events: Ir Dw
fl=a.c
fn=(1)
3 10 .
fn=(below main)
4 5 2
fl=b.c
fn=(1)
3 100
summary: 115 2
'''), said=['callgrind.no-calls'])
    check('cachegrind', sorted((row['name'], row['self_ticks']) for row in whole['functions']), [('(1)', 10), ('(1)', 100), ('(below main)', 5)])


def lines():
    """Annotated source has the costs of lines, also those of other files that are in a function, and of their calls."""
    write('a.c', 'one\ntwo\nthree\n')
    write('b.h', 'four\n')
    write('lines', HEAD + '''fl=a.c
fn=main
1 10
cfn=f
calls=4 3
2 50
+1 3
fn=f
fi=b.h
1 50
''')
    text = run('lines', '-A').stdout.decode()
    found = [line.split() for line in text.splitlines() if line.split()[-1:] in (['one'], ['two'], ['three'], ['four'])]
    check('lines', sorted(found), [['10.00', '15.9%', '*', '15.9%', 'one'], ['3.00', '4.8%', '4.8%', 'three'],
                                   ['50.00', '79.4%', '*', '79.4%', 'four'], ['79.4%', 'two']])


def recursive_line():
    """A line that calls its own function has no more than that has in all."""
    write('a.c', 'one\ntwo\n')
    write('recursive', HEAD + '''fl=a.c
fn=main
1 10
cfn=f
calls=1 2
1 75
fn=f
2 15
cfn=f'2
calls=1 2
2 60
fn=f'2
2 60
cfn=f'2
calls=3 2
2 45
''')
    text = run('recursive', '-A').stdout.decode()
    check('recursive', [line.split() for line in text.splitlines() if line.split()[-1:] == ['two']],
          [['75.00', '88.2%', '*', '88.2%', 'two']])
    check('f', figures(report('recursive'), ('f',)), {'f': (75, 75, 1)})


def selection():
    """Entries are selected along calls; times of what callers have are estimates, and said to be."""
    shown = run('-b', '-q', '--entry=phase2', '%s/callgrind.plain' % SAMPLES).stdout.decode()
    check('entry', 'phase2' in shown and '2145.00' in shown and '[1]' not in shown.split('Index')[0].replace('(cg) [1]', ''), True)
    whole = report('-Ephase1', '%s/callgrind.plain' % SAMPLES, said=['profile.estimated-selection'])
    selected = {plain(row): (row['selected_self_ticks'], row['selected_self_ticks'] + row['selected_below_ticks'])
                for row in whole['functions'] if row['object'] == 'cg'}
    check('selected', [selected[name] for name in ('main', 'phase1', 'phase2', 'leaf')], [(14, 2173), (0, 0), (14, 2159), (1955, 1955)])
    # Without what calls nothing, all that is left was measured: no word is needed.
    whole = report('-Efact', '%s/callgrind.plain' % SAMPLES)
    selected = {plain(row): row['selected_self_ticks'] + row['selected_below_ticks'] for row in whole['functions'] if row['object'] == 'cg'}
    check('without fact', [selected[name] for name in ('main', 'phase2', 'fact', 'leaf')], [6352, 2084, 0, 5860])


forms()
events()
unmarked()
parts()
places()
cachegrind()
lines()
recursive_line()
selection()

# SPDX-License-Identifier: Apache-2.0
"""Texts of perf script whose figures are known, against what gprofx reports of them."""
import collections
import json
import os
import re
import shutil
import subprocess
import sys

GPROFX = os.environ['GPROFX']
LIBC = '/usr/lib/libc.so.6'


def check(what, found, wanted):
    if found != wanted:
        sys.exit('%s: expected %s, found %s' % (what, wanted, found))


def write(name, text):
    with open(name, 'w', encoding='utf-8', errors='surrogateescape') as file:
        file.write(text)
    return name


def report(*words):
    done = subprocess.run([GPROFX, '--no-findings', '--output=json', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check('status of %s: %s' % (words, done.stderr.decode()), done.returncode, 0)
    return json.loads(done.stdout)


def figures(whole):
    """By name and object: ticks of the function itself, and with what it calls."""
    rows = {}
    for row in whole['functions']:
        name = row['name'].removesuffix(' (%s)' % row['object'])
        if row['total_ticks']:
            rows[name, row['object']] = (row['self_ticks'], row['total_ticks'])
    return rows


def stacks():
    """Equal names in several objects are several functions; offsets, "(deleted)" and blanks are no part of names."""
    whole = report(write('stacks', '''# ========
# captured on: today
# ========
#
a b 12  100/101 [003]  1.000000001:    4000000 cpu-clock:u: 
\t            11ee spin+0x25 (/tmp/demo)
\t            12ee operator new(unsigned long)+0x5 (%s)
\t            13ee main+0x10e (/tmp/demo (deleted))

a b 12  100/101 [003]  1.100000001:    4000000 cpu-clock:u: 
\t            11fe spin+0x35 (%s)
\t            11ee spin+0x25 (/tmp/demo)
\t            13ee main+0x10f (/tmp/demo)

a b 12  100/100 [001]  1.200000001:    4000000 cpu-clock:u: 
\tffffffff813a2413 [unknown] ([kernel.kallsyms])
\t           2724a [unknown] (%s)
\t            13ee [unknown] ([unknown])

a b 12  100/100 [001]  1.300000001:    4000000 cpu-clock:u: 

''' % (LIBC, LIBC, LIBC)))
    check('stacks', figures(whole), {
        ('spin', 'demo'): (1, 2), ('operator new(unsigned long)', 'libc.so.6'): (0, 1), ('main', 'demo'): (0, 2),
        ('spin', 'libc.so.6'): (1, 1), ('[kernel.kallsyms]', '[kernel.kallsyms]'): (1, 1), ('[libc.so.6]', 'libc.so.6'): (0, 1),
        ('[unknown]', None): (1, 2)})
    check('ticks', (whole['metrics'][0]['name'], whole['metrics'][0]['unit'], whole['metrics'][0]['ticks_per_unit']),
          ('cpu-clock:u', 'seconds', 250))
    threads = report('--per-thread', 'stacks')['threads']
    check('threads', sorted((row['label'], row['seconds']) for row in threads), [('a b 12 100', 0.008), ('a b 12 101', 0.008)])


def events():
    """Each event is a metric, the first one is shown; periods that differ are added up."""
    frame = '\t 11ee %s (/bin/p)\n\n'
    text = ''.join('p 7 2.00000%d: %s\n' % (i, event) + frame % name for i, (event, name) in enumerate(
        [('300 cycles:', 'f'), ('5 cache-misses/period=5/:', 'g'), ('700 cycles:', 'g'), ('10 task-clock:', 'f'), ('30 task-clock:', 'f')]))
    whole = report(write('events', text))
    check('events', [(row['name'], row['unit'], row['ticks_per_unit']) for row in whole['metrics']],
          [('cycles', 'cycles', 1), ('cache-misses', 'cache-misses', 1), ('task-clock', 'seconds', 10 ** 9)])
    check('cycles', figures(whole), {('f', 'p'): (300, 300), ('g', 'p'): (700, 700)})
    check('task-clock', figures(report('--metric=task-clock', 'events')), {('f', 'p'): (40, 40)})
    # Without periods each sample counts once.
    plain = report(write('plain', 'p 7 2.000001: cycles: \n' + frame % 'f' + 'p 7 2.000002: cycles: \n' + frame % 'f'))
    check('no periods', (figures(plain), plain['metrics'][0]['unit']), ({('f', 'p'): (2, 2)}, 'samples'))


def lines():
    """Samples without stacks have their place in the same line; other records and source lines are no samples."""
    whole = report(write('lines', '''         p  6799/6799   5372.566691:    4000000 cpu-clock:      5590b5ebc1fe spin+0x35 (/bin/p)
         p  6799/6799   5372.570678:    4000000 cpu-clock:      5590b5ebc1fe f(int, char (*) [3])+0x3 (/bin/p)
         p  6799/6799   5372.570679: PERF_RECORD_COMM: p:6799/6799
         p  6799/6799   5372.574694:    4000000 cpu-clock:      5590b5ebc1ee spin+0x25 (/bin/p)
'''))
    check('lines', figures(whole), {('spin', 'p'): (2, 2), ('f(int, char (*) [3])', 'p'): (1, 1)})
    text = subprocess.run([GPROFX, '--no-findings', '--summary', 'lines'], stdout=subprocess.PIPE, text=True, check=True).stdout
    check('the command of the summary', re.findall(r'--entry=(\S+)', text)[:1], ['spin'])
    whole = report(write('inlined', '''p 7/7 2.000001: 1000000 cpu-clock: 
\t 11ee leaf (inlined)
  p.c:3
\t 11ee twig (inlined)
  p.c:9
\t 11ee spin+0x5 (/lib/a.so)
  p.c:12
\t 13ee main+0x5 (/bin/p)
  p.c:20

'''))
    check('inlined', figures(whole), {('leaf', 'a.so'): (1, 1), ('twig', 'a.so'): (0, 1), ('spin', 'a.so'): (0, 1), ('main', 'p'): (0, 1)})


def beside():
    """With the program, its functions are those of its object; others are not, whatever their names."""
    with open('beside.c', 'w') as file:
        file.write('int leaf(int n) { return n; }\nint main(void) { return leaf(0); }\n')
    if subprocess.run([os.environ.get('GPROFX_CC', 'cc'), '-g', '-O0', '-o', 'beside', 'beside.c']).returncode != 0:
        return
    whole = report('beside', write('recorded', '''beside 7/7 2.000001: 1000000 cpu-clock: 
\t 11ee leaf+0x5 (/elsewhere/beside)
\t 13ee main+0x5 (/elsewhere/beside)

beside 7/7 2.000002: 1000000 cpu-clock: 
\t 11ee leaf+0x5 (/lib/a.so)
\t 13ee main+0x5 (/elsewhere/beside)

'''))
    rows = {(row['name'], row['object']): (row['self_ticks'], row['total_ticks'], row['source_line']) for row in whole['functions']
            if row['total_ticks']}
    check('beside', rows, {('leaf', None): (1, 1, 1), ('leaf (a.so)', 'a.so'): (1, 1, None), ('main', None): (0, 2, 2)})


PROGRAM = '''#include <time.h>
volatile unsigned long x;
__attribute__((noinline)) void spin(int n) { while (n--) x = x * 3 + 1; }
__attribute__((noinline)) void alpha(void) { spin(3000); x++; }
__attribute__((noinline)) void beta(void) { spin(1000); x++; }
__attribute__((noinline)) void rec(int n) { spin(500); if (n) rec(n - 1); x++; }
int main(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC * 3 / 10;
    while (clock() < end) { alpha(); beta(); rec(3); }
}
'''


def perf_rows(words):
    """By symbol and object: periods and samples, as "perf report" lists them."""
    text = subprocess.run(['perf', 'report', '--stdio', '-g', 'none', '-i', 'perf.data', *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    rows = collections.Counter()
    for line in text.splitlines():
        row = re.match(r'\s*[\d.]+%\s+(?:[\d.]+%\s+)?(\d+)\s+(\d+)\s+(\S+)\s+\[.\] (.*?)\s*$', line)
        if row:
            rows[row.group(4), row.group(3)] += int(row.group(1))
    return rows


def recorded():
    with open('live.c', 'w') as file:
        file.write(PROGRAM)
    if not shutil.which('perf') or subprocess.run([os.environ.get('GPROFX_CC', 'cc'), '-O1', '-fno-omit-frame-pointer', '-o', 'live',
                                                   'live.c']).returncode != 0:
        return
    if subprocess.run(['perf', 'record', '-q', '-N', '-e', 'cpu-clock', '-c', '1000000', '-g', '-o', 'perf.data', './live'],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        print('perf may not record here')
        return
    with open('text', 'w') as file:
        subprocess.run(['perf', 'script', '--ns', '-F', 'comm,pid,tid,time,period,event,ip,sym,symoff,dso', '-i', 'perf.data'],
                       stdout=file, stderr=subprocess.DEVNULL, check=True)
    mine, wanted = figures(report('text')), perf_rows(['--no-children', '-F', 'overhead,period,sample,dso,sym'])
    check('perf has rows', len(wanted) > 0 and ('spin', 'live') in wanted, True)
    rate = 10 ** 9 // report('text')['metrics'][0]['ticks_per_unit']
    for name, object in (('spin', 'live'), ('alpha', 'live'), ('beta', 'live'), ('rec', 'live'), ('main', 'live')):
        check('self of %s' % name, mine.get((name, object), (0, 0))[0] * rate, wanted[name, object])
    whole = perf_rows(['--children', '-F', 'overhead_children,overhead,period,sample,dso,sym'])
    check('all that perf has', sum(own for own, _ in mine.values()) * rate, sum(wanted.values()))
    check('perf has main', ('main', 'live') in whole, True)
    # perf has percentages of inclusive time only.
    text = subprocess.run(['perf', 'report', '--stdio', '-g', 'none', '-i', 'perf.data', '--children', '-F',
                           'overhead_children,dso,sym'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    total = sum(own for own, _ in mine.values())
    for line in text.splitlines():
        row = re.match(r'\s*([\d.]+)%\s+live\s+\[.\] (\w+)\s*$', line)
        if row and row.group(2) in ('main', 'spin', 'alpha', 'beta', 'rec'):
            check('children of %s' % row.group(2), '%.2f' % (100 * mine[row.group(2), 'live'][1] / total), row.group(1))


for part in (stacks, events, lines, beside, recorded):
    part()

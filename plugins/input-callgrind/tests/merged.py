# SPDX-License-Identifier: Apache-2.0
"""One program by -pg, callgrind and perf, in one report and in reports of their own."""
import json
import math
import os
import signal
import subprocess
import sys

GPROFX = os.environ['GPROFX']
OWN = ('leaf', 'fib', 'work')
SOURCE = '''#define NI __attribute__((noinline))
volatile unsigned sink;
NI void leaf(int n) { for (int i = 0; i < n; i++) sink += i; }
NI unsigned fib(unsigned n) { sink++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
NI void work(int n) { leaf(n * 9000); leaf(n); sink++; }
int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < (argc > 1 ? 300 : 20); i++) { work(200); leaf(1000000); sink += fib(12); }
	return 0;
}
'''


def check(what, found, wanted):
    if found != wanted:
        sys.exit('%s: expected %s, found %s' % (what, wanted, found))


def run(*words, allowed=False):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        if allowed:
            sys.exit(77)
        sys.exit('%s: status %d: %s' % (words, done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def report(*words):
    return json.loads(run(GPROFX, '--output=json', *words))


def values(whole):
    """By function of the program: what it has itself, and with what it calls."""
    return {row['name']: (row['self_ticks'], row['total_ticks']) for row in whole['functions'] if row['name'] in OWN + ('main',)}


def calls(whole):
    return {row['name']: (row['calls'], row['recursive_calls']) for row in whole['functions'] if row['name'] in OWN}


def sources(whole):
    names = [metric['name'] for metric in whole['metrics']] + [None]
    return sorted((row['file'], str(names[-1 if row['metric'] is None else row['metric']])) for row in whole['sources'])


def part_of_work(whole):
    """The part of the time of leaf() that it has when work() calls it."""
    names = {row['id']: row['name'] for row in whole['functions']}
    by = {names[arc['caller']]: arc['self_ticks'] + arc['below_ticks'] for arc in whole['arcs'] if names[arc['callee']] == 'leaf'}
    return by['work'] / (by['work'] + by['main'])


with open('prog.c', 'w', encoding='utf-8') as file:
    file.write(SOURCE)
run('gcc', '-g', '-O1', '-fno-omit-frame-pointer', '-pg', '-o', 'prog', 'prog.c')
run('perf', 'record', '-q', '-e', 'cpu-clock', '-F', '1000', '-g', '-o', 'perf.data', './prog', 'long', allowed=True)
run('./prog')
os.rename('gmon.out', 'gmon')
# Now and then a late tick of the timer of -pg ends a program under valgrind: then it has to run again.
for attempt in range(5):
    done = subprocess.run(['valgrind', '-q', '--tool=callgrind', '--callgrind-out-file=callgrind.out', './prog'],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != -signal.SIGPROF:
        break
assert done.returncode == 0, (done.returncode, done.stderr)
costs, samples, counted = report('prog', 'callgrind.out'), report('prog', 'perf.data'), report('prog', 'gmon')
if len(values(samples)) < 3 or values(samples)['leaf'][0] < 100:
    sys.exit(77)
check('calls by both counters', calls(counted), calls(costs))
both = {('Ir', 'costs'): report('prog', 'gmon', 'callgrind.out', 'perf.data'),
        ('cpu-clock', 'samples'): report('--metric=cpu-clock', 'prog', 'gmon', 'callgrind.out', 'perf.data')}
for (metric, kind), whole in both.items():
    alone = costs if kind == 'costs' else samples
    check('values of %s' % metric, {name: row for name, row in values(whole).items() if name in values(alone)}, values(alone))
    check('calls beside %s' % metric, calls(whole), calls(counted))
    check('sources beside %s' % metric, sources(whole), [('callgrind.out', 'Ir'), ('gmon', 'None'), ('perf.data', 'cpu-clock')])
    found = [finding['id'] for finding in whole['findings']]
    # A run that is too short for the kernel's clock leaves no samples that could be named.
    wanted = ['calls.not-used'] + ['samples.not-used'] * any(row[0] for row in values(counted).values())
    check('findings beside %s' % metric, [name for name in wanted if name not in found], [])
    check('first of %s' % metric, whole['metrics'][0]['name'], metric)
    check('origins of %s' % metric, whole['metrics'][0]['arc_self_origin'], 'estimated' if kind == 'costs' else 'measured')
    head = run(GPROFX, '-b', '-p', *(['--metric=%s' % metric]), 'prog', 'gmon', 'callgrind.out', 'perf.data').split('time ')[0]
    if 'from %s' % ('callgrind.out' if kind == 'costs' else 'perf.data') not in head or 'calls from gmon' not in head:
        sys.exit('the head does not say what is from where: %s' % head)
# Without counters, calls are those of callgrind.
merged = report('prog', 'callgrind.out', 'perf.data')
check('calls of callgrind', calls(merged), calls(costs))
check('sources', sources(merged), [('callgrind.out', 'Ir'), ('callgrind.out', 'None'), ('perf.data', 'cpu-clock')])
exact, found = part_of_work(costs), part_of_work(samples)
error = math.sqrt(exact * (1 - exact) / values(samples)['leaf'][0])
if abs(exact - found) > 6 * error:
    sys.exit('time of leaf() by work(): %g of the instructions, %g of the samples, whose error is %g' % (exact, found, error))

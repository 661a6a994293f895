# SPDX-License-Identifier: Apache-2.0
"""Records a program in many ways, and compares gprofx with perf report: see recorded.sh."""
import concurrent.futures
import os
import subprocess
import sys

from compare import base, differences, of_gprofx, of_perf

CLOCK = ['-e', 'cpu-clock', '-c', '1000000']
# By name: words for perf record, words for the program, and whether perf report has inclusive times.
WAYS = {
    'plain': (CLOCK + ['-g'], '10000'),
    'flat': (CLOCK, '10000'),
    'frequency': (['-e', 'cpu-clock', '-F', '1500', '-g'], '10000'),
    'task': (['-e', 'task-clock', '-c', '700000', '-g'], '10000'),
    'user': (['-e', 'cpu-clock:u', '-c', '1000000', '-g'], '10000'),
    'faults': (['-e', 'page-faults', '-c', '1', '-g'], '2000 touch'),
    'switches': (['-e', 'context-switches', '-c', '1', '-g'], '2000 threads'),
    'two': (['-e', 'cpu-clock/freq=1000/', '-e', 'task-clock/period=1500000/', '-g'], '10000'),
    'three': (['-e', 'cpu-clock,page-faults,task-clock', '-F', '1000', '-g'], '10000 touch'),
    'group': (['-e', '{cpu-clock,task-clock}:S', '-c', '1000000', '-g'], '10000'),
    'threads': (CLOCK + ['-g', '--switch-events'], '8000 threads'),
    'per-thread': (CLOCK + ['-g', '-s'], '8000 threads'),
    'exec': (CLOCK + ['-g'], '8000 exec'),
    'no-inherit': (CLOCK + ['-g', '-i'], '8000 exec'),
    'build-ids': (CLOCK + ['-g', '--buildid-mmap'], '10000'),
    'no-build-ids': (CLOCK + ['-g', '-B'], '10000'),
    'system': (CLOCK + ['-g', '-a'], '10000 threads'),
    'compressed': (CLOCK + ['-g', '-z'], '10000'),
    'parts': (CLOCK + ['-g', '--threads'], '8000 threads'),
    'packed-parts': (CLOCK + ['-g', '-z', '--threads'], '8000 exec'),
    'pipe': (CLOCK + ['-g'], '10000'),
    'addresses': (CLOCK + ['-g', '-d', '--phys-data'], '10000'),
    'weights': (CLOCK + ['-g', '-W', '--sample-cpu', '--sample-identifier'], '10000'),
}


def record(name, words, program):
    target = '-' if name == 'pipe' else name
    command = ['perf', 'record', '-q', '-N', '-o', target, *words, '--', './demo', *program.split()]
    with open(name if name == 'pipe' else os.devnull, 'wb') as out:
        return subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode == 0


def main():
    made = 0
    failed = 0
    compiler = os.environ.get('GPROFX_CC', 'cc')
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'recorded', 'demo.c')
    for name in ('demo', 'demo2'):
        subprocess.run([compiler, '-g', '-O1', '-fno-omit-frame-pointer', '-Wl,--build-id', '-DNAME="%s"' % name, '-o', name, source,
                        '-lpthread'], check=True)
    only = sys.argv[1:]
    # Each recording takes a second, in which perf mostly waits.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        recorded = {name: pool.submit(record, name, *way) for name, way in WAYS.items() if not only or name in only}
    for name, done in recorded.items():
        if not done.result():
            print('%s: perf does not record this here' % name)
            continue
        made += 1
        wanted = of_perf(name)
        mine = of_gprofx(name)
        for event, figures in wanted.items():
            own = mine.get(event) or mine.get(base(event))
            if figures.total == 0:
                continue
            if own is None:
                print('%s: perf has %s, gprofx has %s' % (name, event, ', '.join(mine)))
                failed += 1
                continue
            for text in differences(own, figures):
                print('%s, %s: %s' % (name, event, text))
                failed += 1
    print('%d recordings' % made)
    if failed:
        raise SystemExit(1)
    if made == 0:
        raise SystemExit(77)


main()

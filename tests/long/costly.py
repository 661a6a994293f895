#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files made to cost much, of 1 MB and of other sizes, with all command lines; see tests/vectors/costly.py.

    costly.py BUILD [--seed N] [--count N]

--count sizes from 100 KB to 1 MB are drawn besides 1 MB.
"""
import argparse
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    parser.add_argument('--count', type=int, default=3)
    chosen = parser.parse_args()
    print('seed %d' % chosen.seed, flush=True)
    drawn = random.Random(chosen.seed)
    environment = dict(os.environ, GPROFX=os.path.join(os.path.abspath(chosen.build), 'bin/gprofx'))
    passed = failed = 0
    for size in [1000000] + [drawn.randrange(100000, 1000000) for _ in range(min(chosen.count, 20))]:
        done = subprocess.run([sys.executable, '-B', os.path.join(HERE, '../vectors/costly.py'), '--all',
                               '--bytes', str(size)], env=environment, stdout=subprocess.PIPE, text=True)
        words = done.stdout.split('\n')
        print('%d bytes' % size)
        print('\n'.join(w for w in words if w.startswith(('FAIL', 'most'))), flush=True)
        try:
            counts = words[-2].split()
            passed, failed = passed + int(counts[1]), failed + int(counts[3])
        except (IndexError, ValueError):
            failed += 1
    print('costly: %d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

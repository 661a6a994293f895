#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Thousands of profiles of small programs, moved, and of other programs; see tests/slide/small.py.

    slide-small.py BUILD [--seed N] [--count N] [--programs N]
"""
import argparse
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'slide')]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--programs', type=int, default=400)
    asked = parser.parse_args()
    os.environ['GPROFX'] = os.path.join(asked.build, 'bin', 'gprofx')
    import small
    passed, failed = small.run(asked.seed, asked.count, asked.programs)
    print('slide-small: %d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

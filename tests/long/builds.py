#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Thousands of profiles of programs that were edited or compiled anew; see tests/findings/builds.py.

    builds.py BUILD [--seed N] [--count N] [--verbose]
"""
import argparse
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'findings')]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--verbose', action='store_true')
    asked = parser.parse_args()
    os.environ['GPROFX'] = os.path.join(asked.build, 'bin', 'gprofx')
    import builds
    passed, failed = builds.campaign(asked.seed, asked.count, asked.verbose)
    print('builds: %d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Storms for the collector, ten minutes each; see tests/collect/storms.py.

    storms.py BUILD [--seed N] [--count SECONDS]
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'collect'), os.path.join(HERE, os.pardir, 'tools')]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, help='nothing is drawn')
    parser.add_argument('--count', type=int, default=600, help='seconds of each storm')
    asked = parser.parse_args()
    os.environ['GPROFX_BUILD'] = os.path.abspath(asked.build)
    os.environ.setdefault('GPROFX_SOURCE', os.path.abspath(os.path.join(HERE, os.pardir, os.pardir)))
    import collected
    import storms
    del sys.argv[1:]
    status = collected.run_parts(storms.all_for(asked.count))
    if status != 77:
        print('storms: %(passed)d passed, %(failed)d failed' % collected.results)
    return status


if __name__ == '__main__':
    sys.exit(main())

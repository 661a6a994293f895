#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""a.out images of each system, truncated at each 64th byte and with random bytes changed, reported with
calls in code and lines: the program ends by itself and says what is wrong.

    aout.py BUILD [--seed N] [--count N]

--count: changed images; 10000 by default, which takes about two minutes.
"""
import argparse
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, 'tools')]

import runner                                                       # noqa: E402
from aoutimage import SYSTEMS, Image                                # noqa: E402
from gmonfile import bsd_profile                                    # noqa: E402


def image_of(system, chance):
    image = Image(system, bytes(chance.randrange(256) for _ in range(0x400)))
    image.symbol('main.o', image.base, 'fn').symbol('main.c', image.base, 'so')
    image.functions(['main', '~work', 'idle', '~rest'])
    for place in range(0, 0x100, 16):
        image.symbol('', image.base + place, 'sline', desc=1 + place)
    return image.symbol('', image.base + 0x100, 'so').symbol('work:F1', image.base + 64, 'fun')


def changed(data, chance):
    data = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        # Most bytes are code and gaps: the header and the tables matter.
        at = chance.choice([chance.randrange(32), chance.randrange(len(data)),
                            chance.randrange(len(data) - 500, len(data))])
        data[at] = chance.choice([0, 1, 3, 4, 0x7f, 0x80, 0xff, data[at] ^ 1 << chance.randrange(8)])
    return bytes(data)


def check(program, folder, what, data):
    """Whether the report ends as it must."""
    with open(os.path.join(folder, 'image'), 'wb') as file:
        file.write(data)
    done = runner.start(program, ['-b', '-l', '-c', 'image', 'gmon'], folder, name='gprofx')
    why = done.broken()
    if not why and done.status not in (0, 1):
        why = 'status %d' % done.status
    if not why and done.status == 1 and b'error[' not in done.err:
        why = 'no error is reported'
    if why:
        print('%s: %s' % (what, why))
    return not why


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    parser.add_argument('--count', type=int, default=10000)
    asked = parser.parse_args()
    program = os.path.abspath(os.path.join(asked.build, 'bin', 'gprofx'))
    chance = random.Random(asked.seed)
    results = []
    print('seed', asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        for number, system in enumerate(SYSTEMS):
            image = image_of(system, chance)
            with open(os.path.join(folder, 'gmon'), 'wb') as file:
                file.write(bsd_profile(image.base, image.base + 0x100, [1] * 64,
                                       [(image.base + 4, image.base + 64, 3)], image.bits,
                                       image.order, 100 if number % 2 else None))
            data = image.bytes()
            for length in range(0, len(data), 64):
                results.append(check(program, folder, '%s of %d bytes' % (system, length),
                                     data[:length]))
            for case in range(asked.count // len(SYSTEMS)):
                results.append(check(program, folder, '%s, change %d' % (system, case),
                                     changed(data, chance)))
    print('aout: %d passed, %d failed' % (sum(results), len(results) - sum(results)))
    return 0 if all(results) else 1


if __name__ == '__main__':
    sys.exit(main())

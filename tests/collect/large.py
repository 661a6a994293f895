#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts that the classical file has no room for: calls above 32 bits and bins above 16 are divided among records,
which GNU gprof and gprofx add up. What no machine can have counted is refused."""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcfile                                          # noqa: E402
from collected import RECORD, check, run_parts          # noqa: E402
from profiled import Program                            # noqa: E402

GPROFX, GPROF = os.environ['GPROFX'], shutil.which('gprof')
CALLS = [1, (1 << 32) - 1, 1 << 32, (1 << 32) + 5, 7 << 32, (1 << 40) + 1]
SAMPLES = [1, 65534, 65535, 65536, 131070, 200001]


def recover(folder, name, file):
    with open('%s/%s.gxc' % (folder, name), 'wb') as out:
        out.write(file.bytes())
    return subprocess.run([RECORD, '--recover=%s.gxc' % name, '-o', name + '.gmon'], cwd=folder,
                          stderr=subprocess.PIPE, text=True)


def rows(folder, tool, name):
    """{function: (samples, calls)} of a flat profile."""
    listed = subprocess.run([*tool, '-b', '-p', 'program', name], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    check('%s: status' % tool, listed.returncode == 0, listed.stderr)
    found = {}
    for line in listed.stdout.splitlines():
        row = re.match(r'\s*[\d.]+\s+[\d.]+\s+([\d.]+)\s+(\d+)\s+\S+\s+\S+\s+(f\d)$', line)
        if row:
            found[row.group(3)] = (round(float(row.group(1)) * 100), int(row.group(2)))
    return found


def sums(folder):
    program = Program(['main', *('f%d' % i for i in range(len(CALLS)))])
    with open(folder + '/program', 'wb') as out:
        out.write(program.bytes())
    names = ['f%d' % i for i in range(len(CALLS))]
    file = gxcfile.File().program('/x/program', program.base, program.end)
    file.arcs([(program.at('main+5') + i, program.at(name), calls) for i, (name, calls) in enumerate(zip(names, CALLS))])
    # Half of them are of another thread.
    file.stacks([(program.at(name) + 8, 0, 0, samples - samples // 2, 1) for name, samples in zip(names, SAMPLES)])
    file.stacks([(program.at(name) + 8, 0, 0, samples // 2, 1) for name, samples in zip(names, SAMPLES)])
    done = recover(folder, 'large', file)
    check('recovered', done.returncode == 0 and done.stderr == '', '%s' % done)
    expected = {name: (samples, calls) for name, samples, calls in zip(names, SAMPLES, CALLS)}
    for tool in [GPROFX, '--no-findings'], [GPROFX, '--gnu'], *([[GPROF]] if GPROF else []):
        found = rows(folder, tool, 'large.gmon')
        # GNU gprof prints calls of more than 32 bits, too.
        check('%s: sums' % tool, found == expected, '%s' % found)


def impossible(folder):
    base, most = 0x401000, (1 << 64) - 1
    for name, file in {
            'calls': gxcfile.File().program('/x', base, base + 4096).arcs([(base, base, most)]),
            'samples': gxcfile.File().program('/x', base, base + 4096).stacks([(base, 0, 0, most, 1)]),
            'size': gxcfile.File().program('/x', base, most).stacks([(base, 0, 0, 1, 1)])}.items():
        script = 'ulimit -f 8000000; exec "$@"'
        with open('%s/%s.gxc' % (folder, name), 'wb') as out:
            out.write(file.bytes())
        done = subprocess.run(['sh', '-c', script, 'sh', RECORD, '--recover=%s.gxc' % name, '-o', '/dev/null'],
                              cwd=folder, stderr=subprocess.PIPE, text=True, timeout=100)
        check('%s: refused' % name, done.returncode == 1 and
              done.stderr == 'gprofx record: cannot write /dev/null: File too large\n', '%s' % done)


if __name__ == '__main__':
    sys.exit(run_parts(sums, impossible))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes and threads that take less time than there is between two samples: together they have as many samples as
their time is worth."""
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import RECORD, check, compile_program, run_parts, skip     # noqa: E402

NUMBER, MILLISECONDS = 120, 5
# Timers are looked at in ticks of the kernel, of which a busy one gives threads more or less.
LIMITS = {'cpu': (0.2, 2), 'task': (0.6, 1.4)}
OTHER_CLOCK = 2


def samples_of(folder, path, kind, clock):
    """The weight of samples in burn(), and whether the clock is the one that was asked for."""
    data = os.path.join(folder, kind + '.' + clock)
    shutil.rmtree(data, ignore_errors=True)
    done = subprocess.run([RECORD, '--clock=' + clock, '-o', data, path, kind, str(NUMBER), str(MILLISECONDS)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    check('%s, %s: it runs' % (kind, clock), done.returncode == 0, done.stderr)
    files = [gxcreader.File(name) for name in glob.glob(data + '/*.gxc')]
    symbols, found = gxcreader.Symbols(path), 0
    for file in files:
        for weight, _, _, chain in file.stacks():
            linked = [file.linked(pc) for pc in chain]
            if any(image == path and symbols.name(address) == 'burn' for image, address in linked):
                found += weight
    return found, not any(file.header['flags'] & OTHER_CLOCK for file in files)


def brief(folder):
    path = compile_program('brief.c', os.path.join(os.path.realpath(folder), 'brief'), '-O1', '-pg')
    # At 100 Hz; none takes as long as the 10 ms between two samples.
    expected = NUMBER * MILLISECONDS / 10
    for kind in 'processes', 'threads':
        for clock in 'cpu', 'task':
            found, has_clock = samples_of(folder, path, kind, clock)
            if not has_clock:
                skip('clock=task is refused here')
                continue
            low, high = LIMITS[clock]
            check('%s, clock=%s: samples' % (kind, clock), expected * low <= found <= expected * high,
                  '%d instead of about %d' % (found, expected))


if __name__ == '__main__':
    sys.exit(run_parts(brief))

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rows are written one by one: the report of 400,000 arcs takes hardly more memory than the tables of
# the same profile do. As a tree, each arc would take several hundred bytes.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
[ "${GPROFX_SANITIZE:-}" = '' ] || skip 'sanitizers keep memory that was freed'

python3 - <<'END' || fail 'no profile was made'
import random
from profiled import Program

rng = random.Random(7)
program = Program(['f%d' % i for i in range(2000)], step=64)
open('image', 'wb').write(program.bytes())
profile = program.profile({'f%d' % i: rng.randrange(9) for i in range(2000)})
for _ in range(400000):
    profile.arc(program.base + rng.randrange(2000) * 64 + 4,
                program.base + rng.randrange(2000) * 64, 3)
open('gmon.out', 'wb').write(profile.bytes())
END
# A process begins with the size of the one it comes from, so this one is kept small.
python3 - <<'END' || fail 'more memory than there should be'
import os
import subprocess

def peak(form):
    """KiB that a run takes at most."""
    child = subprocess.Popen([os.environ['GPROFX'], '-b', '--output=%s:%s' % (form, form), 'image'])
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, status
    return usage.ru_maxrss

tables, rows = peak('callgraph'), peak('json')
assert os.path.getsize('json') > 40000000
print('%d KiB for tables, %d KiB for JSON' % (tables, rows))
assert rows < tables + 8192
END

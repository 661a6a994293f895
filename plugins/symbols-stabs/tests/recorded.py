# SPDX-License-Identifier: Apache-2.0
"""Programs with stabs for other machines: in GNU mode what a GNU gprof for all targets printed.

    recorded.py PROGRAM DATA        run in an empty folder; PROGRAM is a link named gprof

DATA/make.py makes the fixtures.
"""
import lzma
import os
import shutil
import subprocess
import sys

PROGRAMS = {
    'mips': ('mips-linux-gnu', ['-O2', '-gstabs+']),
    'mips-O0': ('mips-linux-gnu', ['-O0', '-gstabs']),
    'sparc': ('sparc64-linux-gnu', ['-m32', '-O0', '-gstabs']),
    'sparc64': ('sparc64-linux-gnu', ['-O2', '-gstabs+']),
}
OPTIONS = ['-b -l -z', '-b -C -z', '-b -l -C -z', '-b -A -x', '-b -p -L', '-b -q -l -a', '-b -pother.c:8', '-b -q -z']


def main():
    tested, data = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.copy(os.path.join(data, 'other.c'), '.')
    shutil.copy(os.path.join(data, 'other.h'), '.')
    failures = 0
    for name in PROGRAMS:
        for suffix in '', '.gmon', '.expected':
            with lzma.open(os.path.join(data, name + suffix + '.xz')) as packed, open(name + suffix, 'wb') as out:
                out.write(packed.read())
        with open('printed', 'wb') as out:
            for options in OPTIONS:
                done = subprocess.run([tested] + options.split() + [name, name + '.gmon'], stdout=subprocess.PIPE)
                out.write(b'== gprof %s\n' % options.encode() + done.stdout)
        failures += subprocess.run(['diff', name + '.expected', 'printed']).returncode != 0
        # The symbol table alone knows bare, and GNU gprof gives it the line of what stands before it.
        own = subprocess.run(['gprofx', '--no-findings', '-b', '-C', '-z', name, name + '.gmon'], executable=tested,
                             stdout=subprocess.PIPE).stdout.decode()
        if not any(line.startswith('<unknown>:0: (bare:') for line in own.splitlines()):
            print('%s: bare has a line in own mode:\n%s' % (name, own))
            failures += 1
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())

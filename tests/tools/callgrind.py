# SPDX-License-Identifier: Apache-2.0
"""Runs a program under valgrind's callgrind and says who called whom how often."""
import os
import re
import signal
import subprocess
from collections import Counter

CALL = re.compile(r'calls=(\d+) (0x[0-9a-f]+)')
COST = re.compile(r'0x[0-9a-f]+ ')


def arcs_of(program, arguments, output, seconds=300):
    """What callgrind saw, by addresses as the linker gave them: {(call site, callee): calls} inside the
    program's own image; {call site: name of the callee} for all calls from there; and the callees
    that code called which lies in no image, such as a trampoline on the stack."""
    def without_samples():
        # A profiling signal that arrives while valgrind starts or ends the program would kill it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})

    # Its reader of debug information gives up at some of clang's DWARF 5.
    bare = output + '.program'
    subprocess.run(['objcopy', '--strip-debug', program, bare], check=True)
    subprocess.run(['valgrind', '--tool=callgrind', '--dump-instr=yes', '--compress-strings=no',
                    '--compress-pos=no', '--demangle=no', '--callgrind-out-file=' + output, bare]
                   + arguments, check=True, timeout=seconds, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS='1'),
                   cwd=os.path.dirname(output), preexec_fn=without_samples)
    own, inside, names = os.path.realpath(bare), Counter(), {}
    nowhere, image = set(), None
    callee_image = callee = call = None
    with open(output, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            if line.startswith('ob='):
                image = line[3:].strip()
            elif line.startswith('cob='):
                callee_image = line[4:].strip()
            elif line.startswith('cfn='):
                callee = line[4:].strip()
            elif line.startswith('calls='):
                call = CALL.match(line)
            elif call and COST.match(line):
                site = int(line.split()[0], 16)
                if image == own and (callee_image or image) == own:
                    inside[site, int(call.group(2), 16)] += int(call.group(1))
                if image == own:
                    names[site] = callee
                elif image == '???' and callee_image == own:
                    nowhere.add(int(call.group(2), 16))
                callee_image = callee = call = None
    return inside, names, nowhere

# SPDX-License-Identifier: Apache-2.0
"""Random call graphs and stacks, as cases for outputs that are compared with the JSON report."""
import os

from profiled import Program

COUNTS = (1, 1, 2, 3, 10, 77, 4294967295)
TICKS = (0, 0, 1, 2, 5, 30, 1000)


def make_graph(r, folder):
    """Writes program and gmon.out there; returns the operands of two runs, the second in GNU mode."""
    names = ['main'] + ['f%d' % i for i in range(r.pick((1, 2, 3, 5, 9, 30)))]
    program = Program(names)
    arcs = [(r.pick(names), r.pick(names), r.pick(COUNTS)) for _ in range(r.pick((0, 1, 3, 8, 20, 60)))]
    # Calls from outside of all functions.
    arcs += [(program.base - 0x100, r.pick(names), r.pick(COUNTS)) for _ in range(r.pick((0, 0, 1, 2)))]
    samples = {name: r.pick(TICKS) for name in names}
    with open(os.path.join(folder, 'program'), 'wb') as out:
        out.write(program.bytes())
    with open(os.path.join(folder, 'gmon.out'), 'wb') as out:
        out.write(program.profile(samples, arcs, rate=r.pick((100, 100, 1000, 1))).bytes())
    return [['program', 'gmon.out'], ['--gnu', 'program', 'gmon.out']]


def make_stacks(r, folder):
    """Writes stacks there; returns the operands of a run."""
    names = ['f%d' % i for i in range(r.pick((1, 2, 3, 9)))]
    with open(os.path.join(folder, 'stacks'), 'w', encoding='ascii') as out:
        for _ in range(r.pick((1, 3, 20))):
            depth = r.pick((1, 2, 3, 5, 12))
            out.write(';'.join(r.pick(names) for _ in range(depth)) + ' %d\n' % r.pick(COUNTS))
    return [['stacks']]

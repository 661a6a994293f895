# SPDX-License-Identifier: Apache-2.0
"""What gprofx-mpi takes for jobs of any size, from what its steps cost. doc/mpi-scale.md explains it.

    mpimodel.py [--processes N] [--files N] [KEY=VALUE ...]    KEY: a member of Costs
"""
import argparse
import sys
from dataclasses import dataclass, fields

RADIX = 8  # of the tree: mpi/tree.h
SINGLE_FILES = 64  # whose single values are kept


@dataclass(frozen=True)
class Costs:
    """Seconds and bytes. Those of the processor are measured, those of the network are assumptions."""
    start: float = 0  # of the program in a process, until it reads profiles
    file: float = 0  # to read a profile and add it
    delay: float = 0  # of the file system, until a file can be read
    partial: float = 0  # bytes of a partial profile of one file
    more: float = 0  # and of each further file
    single: float = 0  # and of each of the first files, whose single values are kept
    base: float = 0  # of the description of the first file, if it is larger than its partial profile
    write: float = 0  # seconds for a byte of a partial profile: to make it
    merge: float = 0  # to read and add one of few bytes
    byte: float = 0  # and for each byte more
    report: float = 0  # of process 0
    reported: float = 0  # and for each file more
    listed: float = 0  # for each file: to find its name
    name: float = 48  # bytes of a name in the list
    facts: float = 304  # bytes that process 0 gets from each process before
    message: float = 0  # until a small one arrives
    bandwidth: float = 1e30  # bytes in a second, from one process to another
    pause: float = 0  # between two looks for a message


def blocks(size):
    """The sizes of the children's blocks, in a block of this size; as in mpi/tree.c."""
    behind = size - 1
    count = min(behind, RADIX)
    starts = [behind * i // count for i in range(count + 1)] if count else [0]
    return [after - before for before, after in zip(starts, starts[1:])]


def depth(size):
    return 1 + max((depth(block) for block in set(blocks(size))), default=-1)


@dataclass
class Prediction:
    depth: int  # of the tree
    read: float  # when the last process has read its files
    merged: float  # when process 0 has the sum of all
    total: float
    root_bytes: float  # that arrive at process 0


class Job:
    """A job whose processes have the same number of files, give or take one."""

    def __init__(self, costs, processes, files):
        self.costs, self.processes, self.files = costs, processes, files
        self.last_read = 0

    def first_file(self, rank):
        return self.files * rank // self.processes

    def files_of(self, rank, past):
        return self.first_file(past) - self.first_file(rank)

    def partial(self, rank, past):
        """The bytes of the sum of a block."""
        first, end = self.first_file(rank), self.first_file(past)
        single = max(min(end, SINGLE_FILES) - first, 0) * self.costs.single
        return self.costs.partial + self.costs.more * (end - first - 1) + single if end > first else 0

    def sent(self, count=0):
        """A message of this length. Its sender is busy until it has arrived."""
        return self.costs.message + count / self.costs.bandwidth

    def wait(self, time, event):
        return time if event <= time else event + self.costs.pause

    def finish(self, rank, past, listed, based):
        """When a process has the sum of its block, which ends before rank `past`; it gets its part of the list of files
        and the description of the first file at these times."""
        costs, at = self.costs, rank + 1
        children = []
        time = listed
        for block in blocks(past - rank):
            time += self.sent() + self.sent(costs.name * self.files_of(at, at + block))
            children.append([at, at + block, time])
            at += block
        time = self.wait(time, based)
        for child in children:
            time += self.sent() + self.sent(max(costs.base, costs.partial))
            child.append(time)
        time += self.files_of(rank, rank + 1) * (costs.delay + costs.file)
        self.last_read = max(self.last_read, time)
        for first, end, *arrived in children:
            # It says that it has finished, is asked for the sum, and sends it.
            count = self.partial(first, end)
            time = self.wait(time, self.finish(first, end, *arrived) + self.sent())
            if count:
                time += self.sent() + costs.pause + self.sent(count) + costs.merge + costs.byte * count
        return time + (costs.write * self.partial(rank, past) if rank else 0)


def predict(costs, processes, files):
    sys.setrecursionlimit(10000)
    job = Job(costs, processes, files)
    listed = costs.start + costs.listed * files
    based = listed + costs.delay + costs.file if processes > 1 else listed
    merged = job.finish(0, processes, listed, based)
    sums = sum(job.partial(first, past) for first, past in parts(processes)) + costs.facts * processes
    total = merged + costs.report + costs.reported * files + depth(processes) * RADIX * job.sent()
    return Prediction(depth(processes), job.last_read, merged, total, sums)


def parts(processes):
    """The blocks of the children of process 0."""
    at = 1
    for block in blocks(processes):
        yield at, at + block
        at += block


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=1000)
    parser.add_argument("--files", type=int, default=100000)
    parser.add_argument("costs", nargs="*", metavar="KEY=VALUE", help=" ".join(field.name for field in fields(Costs)))
    asked = parser.parse_args()
    costs = Costs(**{key: float(value) for key, value in (cost.split("=") for cost in asked.costs)})
    found = predict(costs, asked.processes, asked.files)
    print(f"{asked.processes} processes, {asked.files} files: depth {found.depth}; read after {found.read:.3f} s, merged "
          f"after {found.merged:.3f} s, ends after {found.total:.3f} s; {found.root_bytes / 1e6:.2f} MB arrive at process 0")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the profiles of all ranks of a parallel job, made of one run of a program that was compiled with -pg.

    ranks.py [--ranks N] [--seed N] [--damaged N] [--slow RANK] [--function NAME] PROGRAM GMON FOLDER

Each rank has the calls of that run, changed by up to a tenth, and samples of its own: about as many as GMON has, at
least 20 in each function that was called. The rank --slow (default: one drawn from the seed) takes three times as
long as the others in --function (default: the heaviest). The files are FOLDER/gmon.out.RANK. --damaged of them, none
of which is the first or the slow one, cannot be read; it prints their names, and the slow one's first. The same seed
gives the same bytes. 500 ranks of a small program take half a second.
"""
import argparse
import os
import struct
import subprocess
import sys

from gmonfile import ARC, HISTOGRAM, read_profile
from lcg import Random

LEAST = 20


class Job:
    """What the ranks of a job have in common: `records` of one run, with ticks for each function."""

    def __init__(self, program, profile, bits=64):
        self.pointer = 'Q' if bits == 64 else 'I'
        self.records = read_profile(profile, bits)
        called = {record[2] for record in self.records if record[0] == 'arc'}
        self.functions = self._functions(program, called)
        self.layout, self.at = bytearray(profile[:20]), []
        self.arcs = []
        for record in self.records:
            if record[0] == 'hist':
                self._add_histogram(*record[1:])
            elif record[0] == 'arc':
                self.layout += struct.pack('<B' + 2 * self.pointer, ARC, *record[1:3])
                self.arcs.append((len(self.layout), record[3]))
                self.layout += bytes(4)

    @staticmethod
    def _functions(program, called):
        """{name: address} of those that were called, which is how counts and samples meet."""
        symbols = subprocess.run(['nm', program], check=True, text=True, stdout=subprocess.PIPE).stdout
        rows = [line.split() for line in symbols.splitlines()]
        found = {row[2]: int(row[0], 16) for row in rows if len(row) == 3 and row[1] in 'tT'}
        # The function's address is where the calls go, or a few bytes before it.
        return {name: address for name, address in found.items() if any(0 <= c - address < 16 for c in called)}

    def _add_histogram(self, low, high, bins, rate, unit):
        self.layout += struct.pack('<B' + 2 * self.pointer + 'II', HISTOGRAM, low, high, len(bins), rate) + unit
        start, width = len(self.layout), (high - low) / len(bins)
        self.layout += bytes(2 * len(bins))
        for i, ticks in enumerate(bins):
            if ticks:
                self.at.append((start + 2 * i, ticks, low + int(i * width)))
        for address in self.functions.values():
            if low <= address < high:
                # The bin that starts behind the entry belongs to no other function.
                self.at.append((start + 2 * (int((address - low) / width) + 1), LEAST, address))

    def function_at(self, address):
        """The function that an address lies in."""
        return max((at, name) for name, at in [('', 0), *self.functions.items()] if at <= address)[1]

    def heaviest(self):
        ticks = {}
        for _, count, address in self.at:
            name = self.function_at(address)
            ticks[name] = ticks.get(name, 0) + count
        return max(sorted(ticks), key=ticks.get)

    def rank(self, random, slow=None):
        """The bytes of one rank; `slow`: the function that takes it three times as long."""
        data, ticks = bytearray(self.layout), {}
        for at, count, address in self.at:
            factor = 3 if slow is not None and self.function_at(address) == slow else 1
            ticks[at] = ticks.get(at, 0) + factor * random.between(count - count // 10, count + count // 10)
        for at, count in ticks.items():
            struct.pack_into('<H', data, at, min(count, 65535))
        for at, count in self.arcs:
            struct.pack_into('<I', data, at, random.between(count - count // 10, count))
        return bytes(data)


# What happens to files: the disk was full, the file is empty, of something else, or of a later version.
DAMAGES = (lambda data: data[:len(data) // 2], lambda data: b'', lambda data: b'core' + data[4:],
           lambda data: data[:4] + b'\7' + data[5:], lambda data: data[:-3])


def write(job, folder, ranks, seed=1, damaged=0, slow=None, function=None):
    """Writes the files. Returns the number of the slow rank, and those of the damaged ones."""
    random = Random(seed)
    slow = random.below(ranks) if slow is None else slow
    function = function or job.heaviest()
    broken = random.sample([rank for rank in range(1, ranks) if rank != slow], damaged)
    os.makedirs(folder, exist_ok=True)
    for rank in range(ranks):
        data = job.rank(random, function if rank == slow else None)
        if rank in broken:
            data = DAMAGES[broken.index(rank) % len(DAMAGES)](data)
        with open(os.path.join(folder, f'gmon.out.{rank}'), 'wb') as file:
            file.write(data)
    return slow, sorted(broken)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--ranks', type=int, default=500)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--damaged', type=int, default=0)
    parser.add_argument('--slow', type=int)
    parser.add_argument('--function')
    parser.add_argument('program')
    parser.add_argument('gmon')
    parser.add_argument('folder')
    asked = parser.parse_args()
    with open(asked.gmon, 'rb') as file:
        job = Job(asked.program, file.read())
    slow, broken = write(job, asked.folder, asked.ranks, asked.seed, asked.damaged, asked.slow, asked.function)
    for rank in [slow, *broken]:
        print(os.path.join(asked.folder, f'gmon.out.{rank}'))


if __name__ == '__main__':
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""What reading a program costs as an a.out image, against the same one as an ELF image.

Both have the same functions at the same addresses, and one profile. They run in turn, and GNU gprof
with them if it reads that kind of image."""
import os
import statistics
import subprocess
import sys

import measure
from report import mark

sys.path.append(os.path.join(measure.HERE, os.pardir, "tests", "tools"))

import aoutimage  # noqa: E402
import elfimage  # noqa: E402
from gmonfile import bsd_profile  # noqa: E402
from lcg import Random  # noqa: E402

FUNCTIONS, QUICK_FUNCTIONS = 50000, 5000
RUNS, QUICK_RUNS = 15, 7
BYTES, CALLS = 32, 8

# What an a.out image may cost of what an ELF image does, and how much faster than GNU gprof both must be.
MOST_TIMES, LEAST_SPEED = 1.1, 1

LISTINGS = {"flat": ["-b", "-p"], "graph": ["-b", "-q"]}


def make(folder, functions):
    """Writes elf, aout and gmon, and returns the paths of both images."""
    chance, code = Random(7), bytes(functions * BYTES)
    aout = aoutimage.Image("freebsd-qmagic", code)
    base = aout.base
    elf = elfimage.Image("i386").section(".text", base, code)
    for i in range(functions):
        name = f"function_{i}_of_the_program"
        aout.symbol("_" + name, base + i * BYTES, "T" if i % 4 else "t")
        elf.symbol(name, base + i * BYTES, BYTES, elfimage.GLOBAL if i % 4 else elfimage.LOCAL)
    arcs = [(base + i * BYTES + 1 + k, base + chance.between(i, functions - 1) * BYTES, 1 + k)
            for i in range(functions) for k in range(CALLS)]
    paths = [os.path.join(folder, name) for name in ("elf", "aout", "gmon")]
    contents = (elf.bytes(), aout.bytes(),
                bsd_profile(base, base + len(code), [i % 5 for i in range(len(code) // 4)], arcs, 32,
                            "<", 100))
    os.makedirs(folder, exist_ok=True)
    for path, data in zip(paths, contents):
        with open(path, "wb") as file:
            file.write(data)
    return paths[:2]


def reads(gprof, image, profile):
    return gprof is not None and subprocess.run([gprof, "-b", "-p", image, profile], check=False,
                                                stdout=subprocess.DEVNULL,
                                                stderr=subprocess.DEVNULL).returncode == 0


def output(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def show(bench, quick, gprof):
    """Measures and prints. Returns all figures."""
    folder = os.path.join(bench.data, "images")
    elf, aout = make(folder, QUICK_FUNCTIONS if quick else FUNCTIONS)
    profile, found = os.path.join(folder, "gmon"), []
    known = {image: reads(gprof, image, profile) for image in (elf, aout)}
    print(f"{'image':5} {'options':8} {'seconds':>8} {'times':>6} {'speed':>6}  wanted", flush=True)
    for label, listing in LISTINGS.items():
        # The same program, so the same report.
        own = {image: [bench.gprofx, "--no-findings", *listing, image, profile] for image in (elf, aout)}
        if output(own[elf]) != output(own[aout]):
            raise measure.BenchError("the reports of both images differ")
        turns = [{(tool, image): measure.cost(command)[0]
                  for image in (elf, aout)
                  for tool, command in (("gprofx", own[image]), ("gprof", [gprof, *listing, image, profile]))
                  if tool == "gprofx" or known[image]}
                 for _ in range(QUICK_RUNS if quick else RUNS)]
        for image in elf, aout:
            seconds = statistics.median(turn["gprofx", image] for turn in turns)
            times = statistics.median(turn["gprofx", image] / turn["gprofx", elf] for turn in turns)
            speed = statistics.median(turn["gprof", image] / turn["gprofx", image] for turn in turns) \
                if known[image] else None
            met = times <= MOST_TIMES and (speed is None or speed >= LEAST_SPEED)
            name = os.path.basename(image)
            print(f"{name:5} {label:8} {seconds:8.4f} {times:6.2f} {'' if speed is None else f'{speed:.1f}':>6}  "
                  f"<={MOST_TIMES} {mark(met)}", flush=True)
            found.append({"image": name, "options": label, "seconds": seconds, "times": times, "speed": speed})
    return found

# SPDX-License-Identifier: Apache-2.0
"""What reading a program costs as an a.out image, against the same one as an ELF image.

Both have the same functions at the same addresses, and one profile. They run in turn, and GNU gprof
with them if it reads that kind of image."""
import os
import statistics
import struct
import subprocess
import sys

import measure
from report import mark

sys.path.append(os.path.join(measure.HERE, os.pardir, "tests", "tools"))

import aoutimage  # noqa: E402
import elfimage  # noqa: E402
import peimage  # noqa: E402
from gmonfile import bsd_profile  # noqa: E402
from lcg import Random  # noqa: E402

FUNCTIONS, QUICK_FUNCTIONS = 50000, 5000
RUNS, QUICK_RUNS = 15, 7
BYTES, CALLS = 32, 8
STABS_BYTES = 96

# What an a.out image may cost of what an ELF image does, and how much faster than GNU gprof both must be.
MOST_TIMES, LEAST_SPEED = 1.1, 1

# How much faster than GNU gprof lines from stabs, and reports of Windows programs, must be.
LEAST_STABS, LEAST_PE = 10, 5

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


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def make_pe(folder, functions):
    """Writes a Windows program and its profile, and returns both paths."""
    image = peimage.Image("x86_64")
    low, size = image.base + 0x1000, functions * BYTES
    image.section(".text", 0x1000, bytes(size))
    for i in range(functions):
        image.symbol(f"function_{i}_of_the_program", 0x1000 + i * BYTES)
    arcs = [(low + i * BYTES + 1, low + (i * 7 + 1) % functions * BYTES, 1 + i % 9) for i in range(functions)]
    profile = bsd_profile(low, low + size, [i % 5 for i in range(size // 4)], arcs, 64, "<", 100)
    return write(os.path.join(folder, "pe"), image.bytes()), write(os.path.join(folder, "pe.gmon"), profile)


def make_stabs(folder, functions):
    """Writes an ELF program with stabs, and its profile.

    As in programs by gcc -O1, functions have 96 bytes and eight lines; an eighth of the bins has samples.
    """
    base, size = 0x401000, functions * STABS_BYTES
    image = elfimage.Image("x86_64").section(".text", base, bytes(size))
    strings, rows = bytearray(b"\0/src/programs/\0main.c\0"), []
    rows += [(1, 0x64, 0, base), (16, 0x64, 0, base)]
    for i in range(functions):
        name, at = f"function_{i}_of_the_program", base + i * STABS_BYTES
        image.symbol(name, at, STABS_BYTES)
        rows.append((len(strings), 0x24, 0, at))
        strings += name.encode() + b":F(0,1)\0"
        # Variables come between lines.
        rows += [(0, kind, (i * 5 + line) & 0xffff, offset) for line, offset in enumerate(range(0, STABS_BYTES, STABS_BYTES // 8))
                 for kind in (0x44, 0x80)]
    rows.append((0, 0x64, 0, base + size))
    stabs = b"".join(struct.pack("<IBBHI", string, kind, 0, desc, value) for string, kind, desc, value in rows)
    image.section(".stab", 0, struct.pack("<IBBHI", 0, 0, 0, len(rows) & 0xffff, len(strings)) + stabs, 0)
    image.section(".stabstr", 0, bytes(strings), 0)
    arcs = [(base + i * STABS_BYTES + 1, base + (i * 7 + 1) % functions * STABS_BYTES, 1 + i % 9) for i in range(functions)]
    profile = bsd_profile(base, base + size, [i % 5 if i % 32 < 4 else 0 for i in range(size // 4)], arcs, 64, "<", 100)
    return write(os.path.join(folder, "stabs"), image.bytes()), write(os.path.join(folder, "stabs.gmon"), profile)


def show_against(bench, quick, gprof, folder):
    """What GNU gprof reads, too: reports are compared, and times."""
    functions, found = QUICK_FUNCTIONS if quick else FUNCTIONS, []
    if gprof is None:
        return found
    for name, (image, profile), listing, least in (("pe", make_pe(folder, functions), ["-b"], LEAST_PE),
                                                   ("stabs", make_stabs(folder, functions), ["-b", "-p", "-l"],
                                                    LEAST_STABS)):
        ours = [bench.gprofx, "--gnu", *listing, image, profile]
        theirs = [gprof, *listing, image, profile]
        if output(ours) != output(theirs):
            raise measure.BenchError(f"the reports of {name} differ")
        turns = [(measure.cost(ours)[0], measure.cost(theirs)[0]) for _ in range(QUICK_RUNS if quick else RUNS)]
        seconds = statistics.median(one for one, _ in turns)
        speed = statistics.median(other / one for one, other in turns)
        print(f"{name:5} {' '.join(listing):8} {seconds:8.4f} {'':6} {speed:6.1f}  >={least} {mark(speed >= least)}",
              flush=True)
        found.append({"image": name, "options": " ".join(listing), "seconds": seconds, "speed": speed})
    return found


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
    return found + show_against(bench, quick, gprof, folder)

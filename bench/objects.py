# SPDX-License-Identifier: Apache-2.0
"""What a sample costs in a report of a program with one library, and with forty.

Both have the same number of functions, calls and samples in all. They run in turn."""
import os
import statistics

import measure
from report import mark

LIBRARIES = 40
FUNCTIONS, QUICK_FUNCTIONS = 100000, 20000
RUNS, QUICK_RUNS = 15, 7
CALLS_OF_FUNCTION, SAMPLES_OF_FUNCTION = 10, 20

# What a sample may cost with forty libraries, of what it costs with one.
MOST_TIMES = 1.1

# How the same data are shown, each with what it is about.
LISTINGS = {"flat": ["-b", "-p"], "graph": ["-b", "-q"]}


def make(bench, name, seed, functions):
    """A library of this many functions, and its profile."""
    folder = os.path.join(bench.data, name)
    command = [bench.genwork, "-n", str(functions), "-a", str(functions * CALLS_OF_FUNCTION), "-t",
               str(functions * SAMPLES_OF_FUNCTION), "-g", "dag", "-s", str(seed), folder]
    bench.run_generator(folder, " ".join(command[1:-1]), [command])
    return folder


def options(folders):
    return [f"--object={os.path.join(f, 'prog')}={os.path.join(f, 'gmon.out')}" for f in folders]


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    functions = QUICK_FUNCTIONS if quick else FUNCTIONS
    program = make(bench, "objects-program", 1, 100)
    cases = {1: [make(bench, f"objects-{functions}", 2, functions)],
             LIBRARIES: [make(bench, f"objects-{functions // LIBRARIES}-{i}", 3 + i,
                              functions // LIBRARIES) for i in range(LIBRARIES)]}
    samples = functions * SAMPLES_OF_FUNCTION
    found = []
    print(f"{'listing':8} {'samples':>8} {'one, ns':>9} {'forty, ns':>9} {'times':>6}  wanted", flush=True)
    for label, listing in LISTINGS.items():
        commands = {count: [bench.gprofx, *listing, "--no-findings", *options(folders),
                            os.path.join(program, "prog"), os.path.join(program, "gmon.out")]
                    for count, folders in cases.items()}
        turns = [{count: measure.cost(command)[0] for count, command in commands.items()}
                 for _ in range(QUICK_RUNS if quick else RUNS)]
        each = {count: statistics.median(turn[count] for turn in turns) * 1e9 / samples
                for count in cases}
        times = statistics.median(turn[LIBRARIES] / turn[1] for turn in turns)
        print(f"{label:8} {samples:8} {each[1]:9.1f} {each[LIBRARIES]:9.1f} {times:6.2f}  "
              f"<={MOST_TIMES} {mark(times <= MOST_TIMES)}", flush=True)
        found.append({"listing": label, "samples": samples, "one_ns": each[1],
                      "forty_ns": each[LIBRARIES], "times": times})
    return found

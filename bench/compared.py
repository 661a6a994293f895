# SPDX-License-Identifier: Apache-2.0
"""What comparing two profiles costs, beside reading both of them."""
import os
import shutil
import statistics
import subprocess
import sys

import exports
import measure
from report import mark

FUNCTIONS, QUICK_FUNCTIONS = 100000, 20000
RUNS, QUICK_RUNS = 9, 3

# Of what reading both sides takes, with their graphs: what comparing may add.
MOST_ADDED = 1.10
# Seconds of a whole comparison of 100,000 functions of two builds.
MOST_SECONDS = 0.5


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    functions = QUICK_FUNCTIONS if quick else FUNCTIONS
    folder = exports.make(bench, functions)
    new, profile = os.path.join(folder, "prog"), os.path.join(folder, "gmon.out")
    base = os.path.join(folder, "other-build")
    if not shutil.which("objcopy"):
        sys.exit("compared: objcopy is not installed (package binutils)")
    subprocess.run(["objcopy", "--remove-section=.note.gnu.build-id", new, base], check=True)
    common = [bench.gprofx, "--no-findings", "--threads=1"]
    # Both graphs are made, and next to nothing is written.
    read = [*common, "-b", "--entry=main", new, profile]
    compare = [common[0], "diff", *common[1:], "-b", "--base-image=" + base, new, profile, profile]
    turns = [(measure.cost(read)[0], measure.cost(compare)[0]) for _ in range(QUICK_RUNS if quick else RUNS)]
    seconds = statistics.median(ours for _, ours in turns)
    added = statistics.median(ours / (2 * one) for one, ours in turns)
    print(f"{'functions':>9} {'read both s':>11} {'compare s':>9} {'ratio':>6}  wanted")
    print(f"{functions:9} {2 * statistics.median(one for one, _ in turns):11.3f} {seconds:9.3f} {added:6.2f}  "
          f"<={MOST_ADDED:.2f} {mark(added <= MOST_ADDED)}, <={MOST_SECONDS:g} s {mark(seconds <= MOST_SECONDS)}", flush=True)
    return [{"functions": functions, "seconds": seconds, "ratio": added}]

# SPDX-License-Identifier: Apache-2.0
"""How long folded stacks take to become a report, and how much memory, against a script in awk that sums the self and
total figures of functions. Both run in turn."""
import os
import random
import resource
import shutil
import statistics

import measure
from report import mark

STACKS, QUICK_STACKS = 1000000, 100000
RUNS, QUICK_RUNS = 5, 3
FUNCTIONS, MOST_CALLEES, MOST_FRAMES, MOST_WEIGHT = 3000, 8, 24, 9

# What a million stacks may cost: seconds, and times the size of the file.
MOST_SECONDS = 2.0
MOST_MEMORY = 3.0

# What each function has itself, and what the stacks have that it is in.
SUMS = """{
	weight = $NF
	sub(/ [0-9]+$/, "")
	count = split($0, frame, ";")
	self[frame[count]] += weight
	for (i = 1; i <= count; i++)
		if (seen[frame[i]] != NR) {
			seen[frame[i]] = NR
			total[frame[i]] += weight
		}
}
END {
	for (name in total)
		print self[name] + 0, total[name], name
}"""


def program(rng):
    """Calls what each function calls: mostly what comes soon after it, sometimes anything."""
    last = FUNCTIONS - 1
    return [[min(last, int(i + 1 + rng.expovariate(20 / FUNCTIONS))) if rng.random() < 0.9
             else rng.randrange(FUNCTIONS) for _ in range(rng.randint(1, MOST_CALLEES))]
            for i in range(FUNCTIONS)]


def make(bench, count):
    """A file of stacks, as walks from main along the calls of a program; and the sum of its weights."""
    rng = random.Random(1)
    names = ["main"] + [f"part{i % 37}::function_{i}" for i in range(1, FUNCTIONS)]
    calls = program(rng)
    folder = os.path.join(bench.data, f"stacks-{count}")
    path = os.path.join(folder, "stacks.folded")
    if os.path.exists(path):
        return path
    bench.note(f"making {path}")
    os.makedirs(folder, exist_ok=True)
    with open(path + ".part", "w", encoding="ascii") as file:
        for _ in range(count):
            at, frames = 0, []
            for _ in range(rng.randint(3, MOST_FRAMES)):
                frames.append(names[at])
                at = rng.choice(calls[at])
            file.write(";".join(frames) + f" {rng.randint(1, MOST_WEIGHT)}\n")
    os.replace(path + ".part", path)
    return path


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    count = QUICK_STACKS if quick else STACKS
    path = make(bench, count)
    size = os.path.getsize(path)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    report = [bench.gprofx, "-b", "-p", "-q", path]
    script = [shutil.which("mawk") or "awk", SUMS, path]
    turns = [(measure.cost(script), measure.cost(report)) for _ in range(QUICK_RUNS if quick else RUNS)]
    seconds = statistics.median(ours[0] for _, ours in turns)
    speed = statistics.median(theirs[0] / ours[0] for theirs, ours in turns)
    memory = statistics.median(ours[1] for _, ours in turns) / size
    most = MOST_SECONDS * count / STACKS
    print(f"{'stacks':>8} {'MB':>6} {'awk s':>7} {'gprofx s':>8} {'speed':>6} {'memory':>7}  wanted")
    print(f"{count:8} {size / 1e6:6.0f} {statistics.median(theirs[0] for theirs, _ in turns):7.2f} "
          f"{seconds:8.2f} {speed:5.1f}x {memory:6.2f}x  <={most:g} s {mark(seconds <= most)}, "
          f"<={MOST_MEMORY:g}x {mark(memory <= MOST_MEMORY)}", flush=True)
    return [{"stacks": count, "bytes": size, "seconds": seconds, "speed": speed, "memory": memory}]

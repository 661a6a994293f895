# SPDX-License-Identifier: Apache-2.0
"""How long a file of callgrind takes to become a report, and how much memory, against callgrind_annotate."""
import os
import random
import resource
import shutil
import statistics
import sys

import measure
from report import mark

FUNCTIONS, QUICK_FUNCTIONS = 60000, 6000
RUNS, QUICK_RUNS = 3, 1
OBJECTS, FUNCTIONS_PER_FILE, MOST_LINES, MOST_CALLEES = 40, 30, 120, 14

# How many times as long callgrind_annotate must take.
LEAST_SPEED = 5.0
# How many times the size of the file the peak of memory is at most.  Small files have more that is not for them alone.
MOST_MEMORY = 4.5


def name(i):
    return f"space_{i % 97}::Class_{i % 1009}::method_{i}(unsigned long, char const*)"


class Names:
    """Names with numbers, each of which stands there once."""
    def __init__(self):
        self.known = set()

    def text(self, number, make):
        if number in self.known:
            return f"({number + 1})"
        self.known.add(number)
        return f"({number + 1}) {make(number)}"


def write_function(file, rng, i, count, names):
    objects, files, functions = names
    place = i // FUNCTIONS_PER_FILE
    file.write(f"\nob={objects.text(i % OBJECTS, lambda o: f'/usr/lib/library_{o}.so')}\n"
               f"fl={files.text(place, lambda f: f'/usr/src/folder_{f % 83}/file_{f}.cpp')}\n"
               f"fn={functions.text(i, name)}\n")
    line, total = rng.randint(10, 3000), 0
    file.write(f"{line} {rng.randint(1, 900)} {rng.randint(0, 99)}\n")
    for _ in range(rng.randint(1, MOST_LINES)):
        step = rng.randint(-3, 9)
        cost = rng.randint(1, 100000)
        total += cost
        file.write(f"{step:+d} {cost} {rng.randint(0, 999)}\n" if step else f"* {cost}\n")
    for _ in range(rng.randint(0, MOST_CALLEES)):
        # Callers come before what they call, but for some.
        to = min(count - 1, i + 1 + int(rng.expovariate(20 / count))) if rng.random() < 0.97 else rng.randrange(count)
        place = to // FUNCTIONS_PER_FILE
        file.write(f"cob={objects.text(to % OBJECTS, lambda o: f'/usr/lib/library_{o}.so')}\n"
                   f"cfi={files.text(place, lambda f: f'/usr/src/folder_{f % 83}/file_{f}.cpp')}\n"
                   f"cfn={functions.text(to, name)}\n"
                   f"calls={rng.randint(1, 9999)} {rng.randint(10, 3000)}\n+{rng.randint(1, 5)} {rng.randint(1, 9999999)} 7\n")


def make(bench, count):
    """A file of a program with this number of functions."""
    rng = random.Random(1)
    folder = os.path.join(bench.data, f"costs-{count}")
    path = os.path.join(folder, "callgrind.out.1")
    if os.path.exists(path):
        return path
    bench.note(f"making {path}")
    os.makedirs(folder, exist_ok=True)
    names = Names(), Names(), Names()
    with open(path + ".part", "w", encoding="ascii") as file:
        file.write("# callgrind format\nversion: 1\ncreator: bench\npid: 1\ncmd: ./prog\npart: 1\n\n"
                   "positions: line\nevents: Ir Dr\nsummary: 1 1\n")
        for i in range(count):
            write_function(file, rng, i, count, names)
    os.replace(path + ".part", path)
    return path


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    path = make(bench, QUICK_FUNCTIONS if quick else FUNCTIONS)
    size = os.path.getsize(path)
    annotate = shutil.which("callgrind_annotate")
    if not annotate:
        sys.exit("costs: callgrind_annotate is not installed (package valgrind)")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    report = [bench.gprofx, "--no-findings", "-b", "-p", "-q", path]
    script = [annotate, "--auto=no", "--inclusive=yes", path]
    turns = [(measure.cost(script), measure.cost(report)) for _ in range(QUICK_RUNS if quick else RUNS)]
    seconds = statistics.median(ours[0] for _, ours in turns)
    speed = statistics.median(theirs[0] / ours[0] for theirs, ours in turns)
    memory = statistics.median(ours[1] for _, ours in turns) / size
    wanted = "" if quick else f" <={MOST_MEMORY:g}x {mark(memory <= MOST_MEMORY)}"
    print(f"{'MB':>6} {'annotate s':>10} {'gprofx s':>8} {'speed':>6} {'memory':>7}  wanted")
    print(f"{size / 1e6:6.0f} {statistics.median(theirs[0] for theirs, _ in turns):10.2f} {seconds:8.2f} {speed:5.1f}x "
          f"{memory:6.2f}x  >={LEAST_SPEED:g}x {mark(speed >= LEAST_SPEED)}{wanted}", flush=True)
    return [{"bytes": size, "seconds": seconds, "speed": speed, "memory": memory}]

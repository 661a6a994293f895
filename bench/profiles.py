# SPDX-License-Identifier: Apache-2.0
"""How long profiles of other tools take to become a report, against what else reads them: a profile of pprof against
"go tool pprof -top", folded stacks and the text of perf script against scripts in awk. Both run in turn."""
import os
import random
import resource
import shutil
import statistics

import measure
import stacks
from report import mark

BYTES, QUICK_BYTES = 50000000, 5000000
RUNS, QUICK_RUNS = 3, 3
LINES = 3  # of each function, as places that stacks go through
PERIOD = 10000000  # nanoseconds

# The same figures of the text of perf script, of which a stack is a heading, lines of frames, and an empty line.
SUMS = """/^[^ \\t]/ {
	weight = $5
	frames = 0
	number++
}
/^[ \\t]/ {
	name = $2
	sub(/\\+0x[0-9a-f]+$/, "", name)
	if (frames++ == 0)
		self[name] += weight
	if (seen[name] != number) {
		seen[name] = number
		total[name] += weight
	}
}
END {
	for (name in total)
		print self[name] + 0, total[name], name
}"""


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def numbers(*fields):
    """Fields 1, 2, ... of a message, each a number."""
    return b"".join(varint(i << 3) + varint(number) for i, number in enumerate(fields, 1))


def walks(rng, calls):
    """Stacks without end, the outermost frame first."""
    while True:
        at, frames = 0, []
        for _ in range(rng.randint(3, stacks.MOST_FRAMES)):
            frames.append(at)
            at = rng.choice(calls[at])
        yield frames


def names():
    return ["main"] + [f"part{i % 37}::function_{i}" for i in range(1, stacks.FUNCTIONS)]


def write_pprof(file, size, rng):
    """Uncompressed, since the other reader spends much of its time on that."""
    texts = ["", "samples", "count", "cpu", "nanoseconds", "/usr/bin/program"]
    head = [message(1, numbers(1, 2)), message(1, numbers(3, 4)), message(11, numbers(3, 4)), varint(12 << 3) + varint(PERIOD),
            message(3, numbers(1, 0x400000, 0x800000, 0, 5))]
    places = {}
    for i, name in enumerate(names()):
        texts += [name, f"/src/part{i % 37}.c"]
        head.append(message(5, numbers(i + 1, len(texts) - 2, len(texts) - 2, len(texts) - 1)))
        for line in range(LINES):
            number = 1 + LINES * i + line
            places[i, line] = varint(number)
            head.append(message(4, numbers(number, 1, 0x400000 + 16 * number) + message(4, numbers(i + 1, 10 * line + 1))))
    file.write(b"".join(head) + b"".join(message(6, text.encode()) for text in texts))
    weights = [varint(count) + varint(PERIOD * count) for count in range(1, stacks.MOST_WEIGHT + 1)]
    for frames in walks(rng, stacks.program(rng)):
        ids = b"".join(places[at, rng.randrange(LINES)] for at in reversed(frames))
        size -= file.write(message(2, message(1, ids) + message(2, rng.choice(weights))))
        if size <= 0:
            return


def write_folded(file, size, rng):
    name = names()
    for frames in walks(rng, stacks.program(rng)):
        size -= file.write((";".join(name[at] for at in frames) + f" {rng.randint(1, stacks.MOST_WEIGHT)}\n").encode())
        if size <= 0:
            return


def write_perf_script(file, size, rng):
    name = names()
    for number, frames in enumerate(walks(rng, stacks.program(rng))):
        offsets = [(at, 4 * rng.randrange(40)) for at in reversed(frames)]
        stack = "".join(f"\t{0x401000 + 256 * at + offset:16x} {name[at]}+0x{offset:x} (/usr/bin/program)\n"
                        for at, offset in offsets)
        heading = f"program  4242/42{number % 8:02} [00{number % 4}] {1000 + number / 1e4:.9f}:   {PERIOD} cpu-clock:\n"
        size -= file.write((heading + stack + "\n").encode())
        if size <= 0:
            return


def make(bench, name, write, size):
    path = os.path.join(bench.data, f"profiles-{size}", name)
    if os.path.exists(path):
        return path
    bench.note(f"making {path}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "wb") as file:
        write(file, size, random.Random(1))
    os.replace(path + ".part", path)
    return path


def rivals():
    """(what is read, file, what writes it, the other reader, how many times as fast gprofx has to be); the reader is None
    where it is not installed."""
    awk = shutil.which("mawk") or shutil.which("awk")
    pprof = shutil.which("go") and ["go", "tool", "pprof", "-top", "-nodefraction=0", "-nodecount=1000000"]
    return [("pprof", "cpu.pb", write_pprof, pprof, 1),
            ("folded", "stacks.folded", write_folded, awk and [awk, stacks.SUMS], None),
            ("perf-script", "script.txt", write_perf_script, awk and [awk, SUMS], None)]


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    size = QUICK_BYTES if quick else BYTES
    found = []
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"{'profile':>12} {'MB':>6} {'other':>9} {'other s':>8} {'gprofx s':>8} {'speed':>7} {'memory':>7}  wanted")
    for kind, name, write, other, wanted in rivals():
        if not other:
            print(f"{kind:>12} left out: its other reader is not installed")
            continue
        path = make(bench, name, write, size)
        report = [bench.gprofx, "--no-findings", "-b", "-p", path]
        turns = [(measure.cost([*other, path]), measure.cost(report)) for _ in range(QUICK_RUNS if quick else RUNS)]
        row = {"profile": kind, "bytes": os.path.getsize(path), "other": os.path.basename(other[0]),
               "other_seconds": statistics.median(theirs[0] for theirs, _ in turns),
               "seconds": statistics.median(ours[0] for _, ours in turns),
               "speed": statistics.median(theirs[0] / ours[0] for theirs, ours in turns),
               "memory": statistics.median(ours[1] for _, ours in turns) / os.path.getsize(path)}
        print(f"{kind:>12} {row['bytes'] / 1e6:6.0f} {row['other']:>9} {row['other_seconds']:8.2f} {row['seconds']:8.2f} "
              f"{row['speed']:6.1f}x {row['memory']:6.2f}x  "
              + (f">={wanted}x {mark(row['speed'] >= wanted)}" if wanted else "-"), flush=True)
        found.append(row)
    return found

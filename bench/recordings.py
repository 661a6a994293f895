# SPDX-License-Identifier: Apache-2.0
"""How long a recording of perf takes to become a report, and how much memory of its own, against "perf report". Both run in
turn."""
import os
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys

import measure
from report import mark

sys.path.insert(0, os.path.join(os.path.dirname(measure.HERE), "tests", "tools"))
import perffile  # noqa: E402

MEGABYTES, QUICK_MEGABYTES = 1000, 50
RUNS, QUICK_RUNS = 1, 2
FUNCTIONS, MOST_CALLEES, MOST_FRAMES, PROCESSORS, ROUND = 3000, 8, 40, 4, 200
PATHS, PLACES = 20000, 16  # chains of calls that the program is in, some of which often; and where in each function
LOW = 0x555555554000

# Wanted: processor time of perf for that of gprofx, and anonymous memory for a byte of the file.
LEAST_SPEED = 10.0
MOST_MEMORY = 0.25


def program(folder):
    """A program whose functions are somewhere, and where: by number the address and the size."""
    path = os.path.join(folder, "program")
    source = "".join(f"__attribute__((noinline)) int function_{i}(int n) {{ return n * {i + 3} + (n >> {i % 7 + 1}) * {i}; }}\n"
                     for i in range(FUNCTIONS))
    with open(path + ".c", "w", encoding="ascii") as file:
        file.write(source + "int main(void) { return 0; }\n")
    subprocess.run([os.environ.get("GPROFX_CC", "cc"), "-O1", "-falign-functions=64", "-Wl,--build-id", "-o", path, path + ".c"], check=True)
    places = {}
    for line in subprocess.run(["nm", "-S", path], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 4 and words[3].startswith("function_"):
            places[int(words[3][9:])] = (LOW + int(words[0], 16), int(words[1], 16))
    return path, [places[i] for i in range(FUNCTIONS)]


def calls_of(rng, places):
    """By function its calls: the callee, and the address that the call returns to."""
    last = FUNCTIONS - 1
    return [[(min(last, int(i + 1 + rng.expovariate(20 / FUNCTIONS))) if rng.random() < 0.9 else rng.randrange(FUNCTIONS),
              places[i][0] + 1 + k) for k in range(rng.randint(1, MOST_CALLEES))] for i in range(FUNCTIONS)]


def paths_of(rng, places):
    """Chains of return addresses, the outermost first, with the function that they end in: as often as a program is in them."""
    calls, paths = calls_of(rng, places), []
    for _ in range(PATHS):
        at, chain = 0, []
        for _ in range(rng.randint(3, MOST_FRAMES)):
            at, behind = rng.choice(calls[at])
            chain.append(behind)
        paths.append((chain[::-1], *places[at]))
    return paths


def make(bench, megabytes):
    """Samples of a thread on each of several processors, in rounds, as perf writes them."""
    folder = os.path.join(bench.data, f"recording-{megabytes}")
    path = os.path.join(folder, "perf.data")
    if os.path.exists(path):
        return path
    bench.note(f"making {path}")
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(1)
    image, places = program(folder)
    paths = paths_of(rng, places)
    sample = perffile.IP | perffile.TID | perffile.TIME | perffile.CPU | perffile.PERIOD | perffile.CALLCHAIN
    event = perffile.Event(sample=sample, frequency=True)
    head = perffile.Perf(event)
    head.comm(1000, "program")
    size = os.path.getsize(image)
    head.mmap(1000, LOW, (size + 4095) & ~4095, 0, os.path.abspath(image))
    for thread in range(1, PROCESSORS):
        head.fork(1000, 1000, tid=1000 + thread, parent_tid=1000)
    whole = head.bytes()
    data_at, data_bytes = struct.unpack_from("<QQ", whole, 40)
    data_end, time, written = data_at + data_bytes, 10 ** 9, 0
    kinds = {n: struct.Struct(f"<IHHQIIQQQQ{n}Q") for n in range(1, MOST_FRAMES + 3)}
    with open(path + ".part", "wb") as file:
        file.write(whole[:data_end])
        while written < megabytes * 1000000:
            parts = []
            for processor in range(PROCESSORS):
                now = time
                for _ in range(ROUND):
                    callers, low, bytes_ = paths[int(PATHS ** rng.random()) - 1]
                    count = len(callers) + 2
                    now += 1000000
                    own = low + int(rng.random() * PLACES) * bytes_ // PLACES
                    parts.append(kinds[count].pack(9, 2, 56 + 8 * count, own, 1000, 1000 + processor, now, processor, 1000000, count,
                                                   perffile.IN_USER, own, *callers))
            time += ROUND * 1000000
            parts.append(struct.pack("<IHH", perffile.FINISHED_ROUND, 0, 8))
            part = b"".join(parts)
            file.write(part)
            written += len(part)
        # The features stand behind the data, wherever that ends.
        names = head.names()
        end = file.tell()
        file.write(struct.pack("<QQ", end + 16, len(names)) + names)
        file.seek(48)
        file.write(struct.pack("<Q", end - data_at))
    os.replace(path + ".part", path)
    return path


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    path = make(bench, QUICK_MEGABYTES if quick else MEGABYTES)
    size = os.path.getsize(path)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ours_words = [bench.gprofx, "-b", "-p", "-q", path]
    theirs_words = [shutil.which("perf") or "perf", "report", "--stdio", "-i", path]
    turns = [(measure.cost(theirs_words), measure.cost(ours_words)) for _ in range(QUICK_RUNS if quick else RUNS)]
    seconds = statistics.median(ours[0] for _, ours in turns)
    speed = statistics.median(theirs[0] / ours[0] for theirs, ours in turns)
    memory = measure.anonymous(ours_words) / size
    print(f"{'MB':>6} {'perf s':>7} {'gprofx s':>8} {'speed':>6} {'memory':>7}  wanted")
    print(f"{size / 1e6:6.0f} {statistics.median(theirs[0] for theirs, _ in turns):7.2f} {seconds:8.2f} {speed:5.1f}x {memory:6.2f}x  "
          f">={LEAST_SPEED:g}x {mark(speed >= LEAST_SPEED)}, <={MOST_MEMORY:g}x {mark(memory <= MOST_MEMORY)}", flush=True)
    return [{"bytes": size, "seconds": seconds, "speed": speed, "memory": memory}]

# SPDX-License-Identifier: Apache-2.0
"""How fast dumps of memory as text are decoded, against xxd -r. Both run in turn, gprofx also on the profile itself: the
difference is what decoding costs, with finding the lines."""
import os
import random
import shutil
import statistics
import struct
import subprocess

import measure
from report import mark

MEGABYTES, QUICK_MEGABYTES = 100, 20
RUNS, QUICK_RUNS = 7, 3
FUNCTIONS = 1000
SAMPLED = 50  # the number of counters of which one is not 0

# MB of text in a second of one processor, and bytes of memory for one of the file.
LEAST_SPEED = 300
MOST_MEMORY = 3.0


def made_by(command, path):
    return lambda out: subprocess.run([*command, path], stdout=out, check=True)


def logged(path):
    """As a console of a device prints it, behind the prefix of a log."""
    def write(out):
        with open(path, "rb") as file:
            for at, row in enumerate(iter(lambda: file.read(16), b"")):
                out.write(f"[{at // 1000:06}.{at % 1000:03}] <inf> prof: {at * 16:08x}: {row.hex(' ')}\r\n".encode())
    return write


def records(path):
    def write(out):
        subprocess.run(["objcopy", "-I", "binary", "-O", "ihex", path, path + ".ihex"], check=True)
        with open(path + ".ihex", "rb") as file:
            shutil.copyfileobj(file, out)
        os.unlink(path + ".ihex")
    return write


# Each form with bytes of text for a byte of the profile.
FORMS = {
    "xxd": (4.25, lambda path: made_by(["xxd"], path)),
    "xxd -p": (2.04, lambda path: made_by(["xxd", "-p"], path)),
    "hexdump -C": (4.94, lambda path: made_by(["hexdump", "-v", "-C"], path)),
    "log": (5.6, logged),
    "Intel HEX": (2.82, records),
}


def make(bench, megabytes):
    """A program, and for each form a profile and its dump of this size."""
    folder = os.path.join(bench.data, f"dumps-{megabytes}")
    command = [bench.genwork, "-n", str(FUNCTIONS), "-a", "0", folder]
    bench.run_generator(folder, f"dumps {megabytes} {' '.join(command[1:-1])}", [command])
    for name, (factor, form) in FORMS.items():
        path = os.path.join(folder, name.replace(" ", ""))
        if os.path.exists(path + ".dump"):
            continue
        bench.note(f"making {path}.dump")
        rng = random.Random(1)
        count = int(megabytes * 1e6 / factor) // 2
        bins = bytearray(2 * count)
        for _ in range(count // SAMPLED):
            bins[2 * rng.randrange(count)] = rng.randrange(1, 256)
        with open(path, "wb") as file:
            file.write(b"gmon" + struct.pack("<I", 1) + bytes(12) + b"\0" + struct.pack(
                "<QQII", 0x400000, 0x400000 + 4 * count, count, 100) + b"seconds".ljust(15, b"\0") + b"s" + bins)
        with open(path + ".part", "wb") as file:
            form(path)(file)
        os.replace(path + ".part", path + ".dump")
    return folder


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    megabytes = QUICK_MEGABYTES if quick else MEGABYTES
    folder = make(bench, megabytes)
    found = []
    print(f"{'form':<11} {'MB':>5} {'xxd -r s':>9} {'gprofx s':>9} {'MB/s':>6} {'speed':>6} {'memory':>7}  wanted")
    for name in FORMS:
        path = os.path.join(folder, name.replace(" ", ""))
        report = [bench.gprofx, "--no-config", "--no-findings", "-b", "-p", os.path.join(folder, "prog")]
        # What it cannot decode itself, xxd decodes in the form of its own.
        other = ["xxd", "-r", *(["-p"] if name == "xxd -p" else []), (path if name in ("xxd", "xxd -p") else
                                                                    os.path.join(folder, "xxd")) + ".dump"]
        turns = [(measure.cost(other), measure.cost([*report, path + ".dump"]), measure.cost([*report, path]))
                 for _ in range(QUICK_RUNS if quick else RUNS)]
        size = os.path.getsize(path + ".dump")
        seconds = statistics.median(dump[0] - plain[0] for _, dump, plain in turns)
        speed = size / 1e6 / max(seconds, 1e-4)
        ratio = statistics.median(theirs[0] / max(dump[0] - plain[0], 1e-4) for theirs, dump, plain in turns)
        memory = statistics.median(dump[1] for _, dump, _ in turns) / size
        print(f"{name:<11} {size / 1e6:5.0f} {statistics.median(theirs[0] for theirs, _, _ in turns):9.2f} {seconds:9.3f} "
              f"{speed:6.0f} {ratio:5.1f}x {memory:6.2f}x  >={LEAST_SPEED} MB/s {mark(speed >= LEAST_SPEED)}, "
              f"<={MOST_MEMORY:g}x {mark(memory <= MOST_MEMORY)}", flush=True)
        found.append({"form": name, "bytes": size, "seconds": seconds, "speed": ratio, "memory": memory})
    return found

# SPDX-License-Identifier: Apache-2.0
"""Building the generators, making the data, running the two tools in turn."""
import filecmp
import glob
import hashlib
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra"]


class BenchError(Exception):
    """Something that ends the run with a message."""


@dataclass
class Sample:
    """What the runs of one tool on one case cost."""
    runs: int
    status: str  # "0", "1", ..., or "SIGSEGV", ..., or "timeout"
    cpu: float  # median of user and system seconds
    fastest: float
    wall: float
    memory: float  # median of the peak, MiB


@dataclass
class Effort:
    """How much time to spend on one case; see pairtime.c."""
    least: int
    most: int
    enough: float
    dear: float
    limit: int


FULL_EFFORT = Effort(least=5, most=500, enough=1.5, dear=20, limit=600)
QUICK_EFFORT = Effort(least=3, most=300, enough=0.5, dear=4, limit=120)


def newer(target, sources):
    return os.path.exists(target) and all(
        os.path.getmtime(target) >= os.path.getmtime(s) for s in sources)


def build(data, name, folder, extra=(), only=()):
    """Compile all C files of a folder of ours, or only some, into a program in the data directory."""
    folder = os.path.join(HERE, folder)
    files = [os.path.join(folder, f) for f in sorted(os.listdir(folder))]
    target = os.path.join(data, "bin", name)
    if newer(target, files):
        return target
    os.makedirs(os.path.dirname(target), exist_ok=True)
    sources = [os.path.join(folder, f) for f in only] or [f for f in files if f.endswith(".c")]
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, "-o", target, *sources, *extra],
                   check=True)
    return target


def digest_of(folder):
    """Changes whenever a file of the folder does."""
    digest = hashlib.sha256()
    folder = os.path.join(HERE, folder)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            digest.update(name.encode() + f.read())
    return digest.hexdigest()[:16]


def anonymous(words):
    """The most memory that a program has that is in no file, in bytes, as it is seen a hundred times a second."""
    most = 0
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while child.poll() is None:
        with open(f"/proc/{child.pid}/status", encoding="ascii") as file:
            found = re.search(r"^RssAnon:\s+(\d+) kB", file.read(), re.MULTILINE)
        most = max(most, int(found.group(1)) * 1024 if found else 0)
        time.sleep(0.01)
    return most


def cost(command, **how):
    """Processor seconds of one run, and its peak memory in bytes."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


class Bench:
    """The data directory and the two tools."""

    def __init__(self, data, gprof, gprofx, effort, note):
        self.data = os.path.abspath(data)
        self.gprof, self.gprofx = gprof, gprofx
        self.effort = effort
        self.note = note
        self.genwork = build(self.data, "genwork", "gen")
        self.generators = digest_of("gen")
        try:
            self.pairtime = build(self.data, "pairtime", "runner", ["-static"])
        except subprocess.CalledProcessError:
            note("no static C library here: peak memory below 1.5 MiB cannot be seen")
            self.pairtime = build(self.data, "pairtime", "runner")

    def run_generator(self, folder, stamp, commands):
        """Make the data anew unless the same commands and generators made what is there."""
        stamp += f" {self.generators}"
        done = os.path.join(folder, "made-by")
        try:
            with open(done) as f:
                if f.read() == stamp:
                    return
        except OSError:
            pass
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(os.path.join(folder, "made"), "w") as log:
            for command in commands:
                subprocess.run(command, check=True, stdout=log)
        with open(done, "w") as f:
            f.write(stamp)

    def generate(self, workload, size):
        folder = os.path.join(self.data, f"{workload.name}-{size}")
        recipe = workload.recipe(size)
        if workload.name == "W8":  # the size is that of the command line
            folder = os.path.join(self.data, "W8")
        if recipe[0] == "genwork":
            commands = [[self.genwork, *recipe[1:], folder]]
        else:
            commands = [
                [sys.executable, os.path.join(HERE, "gen", "gensrc.py"), *recipe[1:], folder],
                [self.genwork, "-p", os.path.join(folder, "prog"), "-a", "20000", "-g", "dag",
                 folder]]
        self.run_generator(folder, " ".join(recipe), commands)
        return folder

    def generate_real(self, name, image):
        """A profile for an existing program. Returns its folder and how many functions it has."""
        folder = os.path.join(self.data, name)
        known = os.stat(image)
        stamp = f"{image} {known.st_size} {known.st_mtime_ns}"
        command = [self.genwork, "-p", image, "-a", "50000", "-g", "dag", folder]
        try:
            self.run_generator(folder, stamp, [command])
        except subprocess.CalledProcessError:
            return None, 0
        with open(os.path.join(folder, "made")) as f:
            return folder, int(re.match(r"functions (\d+)", f.read()).group(1))

    def files(self, folder):
        """The profiles of a workload, relative to its folder."""
        several = os.path.join(folder, "gmon")
        if os.path.isdir(several):
            return ["gmon/" + f for f in sorted(os.listdir(several))]
        return ["gmon.out"]

    def run_limit(self, limit):
        """What one of the limit programs prints."""
        program, libraries, arguments, workload, size = limit
        built = build(self.data, program, "limits", libraries, [program + ".c"])
        cwd = self.generate(workload, size) if workload else self.data
        words = [w for a in arguments
                 for w in (sorted(glob.glob(a, root_dir=cwd)) if "*" in a else [a])]
        done = subprocess.run([built, *words], cwd=cwd, check=True, text=True,
                              stdout=subprocess.PIPE)
        return f"{program} {' '.join(arguments)}: {done.stdout.strip()}"

    def bare_seconds(self, bare, folder, program):
        """The median of what a limit program says that it took, of three runs."""
        built = build(self.data, bare.program, "limits", bare.libraries, [bare.program + ".c"])
        words = [program if word == "prog" else word for word in bare.arguments]
        found = []
        for _ in range(3):
            done = subprocess.run([built, *words], cwd=folder, check=True, text=True,
                                  stdout=subprocess.PIPE)
            found.append(float(re.search(r"([0-9.]+) ms", done.stdout).group(1)) / 1000)
        return statistics.median(found)

    def run(self, folder, arguments, with_gprof, own=None):
        """Run the tools in turn. Returns a Sample or None for each, and how the outputs compare.

        own: gprofx runs under its own name, with this word, unless it is empty, before the others.
        """
        prefix = os.path.join(self.data, "output")
        e = self.effort
        tools = ["-0", self.gprof] if with_gprof else []
        if self.gprofx:
            tools += ["-1", self.gprofx]
        if own is not None:
            tools += ["-o", "gprofx:" + own if own else "gprofx"]
        command = [self.pairtime, *tools, "-n", e.least, "-x", e.most, "-e", e.enough,
                   "-d", e.dear, "-l", e.limit, prefix, "gprof", *arguments]
        done = subprocess.run([str(c) for c in command], cwd=folder, check=True, text=True,
                              stdout=subprocess.PIPE, env=dict(os.environ, LC_ALL="C"))
        rows = [line.split() for line in done.stdout.splitlines()]
        samples = [summary([r for r in rows if r[0] == which], e.limit) for which in "01"]
        output = self.compare(prefix, "-s" in arguments, *samples)
        is_own = own is not None and output == "DIFFERS"
        return samples[0], samples[1], "own" if is_own else output

    def compare(self, prefix, is_quiet, gprof, gprofx):
        if not gprofx:
            return ""
        if gprofx.status != "0":
            if gprof and gprof.status == gprofx.status:
                return "same status"
            return "status " + gprofx.status
        if os.path.getsize(f"{prefix}.1.out") == 0 and not is_quiet:
            return "empty"
        if not gprof:
            return "alone"
        if gprof.status != "0":
            return "gprof " + gprof.status
        same = all(filecmp.cmp(f"{prefix}.0.{s}", f"{prefix}.1.{s}", shallow=False)
                   for s in ("out", "err"))
        return "same" if same else "DIFFERS"


def summary(rows, limit):
    if not rows:
        return None
    cpu = [(int(r[3]) + int(r[4])) / 1e6 for r in rows]
    wall = [int(r[5]) / 1e6 for r in rows]
    status = rows[-1][2]
    if rows[-1][1] == "signal":
        # A run is killed with SIGKILL at the limit of processor time, SIGALRM when it hangs.
        number = int(status)
        over = number in (signal.SIGKILL, signal.SIGXCPU) and cpu[-1] >= limit * 0.95
        status = "timeout" if over or number == signal.SIGALRM else signal.Signals(number).name
    return Sample(runs=len(rows), status=status, cpu=statistics.median(cpu), fastest=min(cpu),
                  wall=statistics.median(wall),
                  memory=statistics.median(int(r[6]) for r in rows) / 1024)

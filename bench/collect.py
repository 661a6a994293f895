# SPDX-License-Identifier: Apache-2.0
"""What the collector costs, against the C library's: a call in 1 to 8 threads, a program that does nothing else, start
and end, memory, threads that start and end, and samples. Each pair runs in turn, in processor time."""
import glob
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import measure
from report import mark

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tests", "tools"))

import gxcreader  # noqa: E402

RUNS, QUICK_RUNS = 9, 3
CALLS, QUICK_CALLS = 20_000_000, 4_000_000
CHURN, QUICK_CHURN = 10_000, 2_000
TRACED, QUICK_TRACED = 1_000_000, 200_000

MOST_NANOSECONDS = 5
MOST_OF_GLIBC = 0.4
MOST_START = 0.001
MOST_CHURN = 1.3
MOST_SAMPLING = 0.002
MOST_SNAPSHOT = 0.2
MOST_WAITING = 0.02
WAITING = 1000, 5000
MOST_FIRST_MEMORY = 64 << 10
MOST_OF_BLOCKS = 5
STEPS, QUICK_STEPS = 600_000, 100_000


class Programs:
    """The same program without -pg, with the C library's collector, and with ours."""

    def __init__(self, bench):
        self.library = os.path.join(os.path.dirname(os.path.dirname(bench.gprofx)), "lib", "libgprofx-collect.so.1")
        if not os.path.exists(self.library):
            raise measure.BenchError(f"not found: {self.library}")
        self.bare = measure.build(bench.data, "calls", "collected", ["-pthread"])
        self.counted = measure.build(bench.data, "calls-pg", "collected", ["-pthread", "-pg"])
        self.crowd = measure.build(bench.data, "crowd", os.path.join(os.pardir, "tests", "collect", "programs"),
                                   ["-D_GNU_SOURCE", "-pthread"], only=["crowd.c"])
        self.folder = tempfile.mkdtemp(prefix="collect", dir=bench.data)

    def command(self, which, settings=""):
        """The program, and how to start it."""
        environment = dict(os.environ)
        if which == "ours":
            environment.update(LD_PRELOAD=self.library, GPROFX_COLLECT=settings)
        return (self.bare if which == "bare" else self.counted), {"env": environment, "cwd": self.folder}

    def figure(self, which, *words):
        """What it prints."""
        path, how = self.command(which)
        printed = subprocess.run([path, *map(str, words)], stdout=subprocess.PIPE, check=True, text=True, **how).stdout
        self.clean()
        return float(printed)

    def cost(self, which, *words, settings=""):
        path, how = self.command(which, settings)
        return measure.cost([path, *map(str, words)], **how)

    def files(self):
        return [gxcreader.File(name) for name in glob.glob(self.folder + "/*.gxc")]

    def clean(self):
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))

    def figures(self, runs, *words, whiches=("bare", "glibc", "ours")):
        """The median of each, and that of the ratio of ours to the C library's, from runs in turn."""
        turns = [[self.figure(which, *words) for which in whiches] for _ in range(runs)]
        return [statistics.median(column) for column in zip(*turns)] + [statistics.median(t[2] / t[1] for t in turns)]


def show_row(what, unit, bare, glibc, ours, ratio, *wanted):
    print(f"{what:28} {bare:9.3f} {glibc:9.3f} {ours:9.3f} {ratio:6.2f}x {unit:5} "
          + ", ".join(f"{text} {mark(met)}" for text, met in wanted), flush=True)
    return {"what": what, "unit": unit, "bare": bare, "glibc": glibc, "ours": ours, "ratio": ratio,
            "reached": all(met for _, met in wanted)}


def show_calls(programs, runs, calls):
    for threads in 1, 2, 4, 8:
        found = programs.figures(runs, "threads", threads, calls // threads)
        yield show_row(f"a call, {threads} threads", "ns", *found,
                       (f"<={MOST_NANOSECONDS} ns", found[2] <= MOST_NANOSECONDS),
                       (f"<={MOST_OF_GLIBC:g}x", found[3] <= MOST_OF_GLIBC))
        programs.cost("ours", "threads", threads, calls // threads)
        counted = gxcreader.calls_by_function(programs.files())["leaf"]
        programs.clean()
        if counted != threads * (calls // threads + 1):
            raise measure.BenchError(f"{threads} threads: {counted} calls were counted")


def show_processes(programs, runs, churn):
    found = programs.figures(runs, "fib", 35)
    yield show_row("fib(35)", "s", *found, (f"<={MOST_OF_GLIBC:g}x", found[3] <= MOST_OF_GLIBC))
    for what, words, count in ("start and end", ["nothing"], 20), (f"{churn} threads", ["churn", churn], 1):
        turns = []
        for _ in range(runs * count):
            turns.append([programs.cost(which, *words)[0] for which in ("bare", "glibc", "ours")])
            programs.clean()
        bare, glibc, ours = (statistics.median(column) for column in zip(*turns))
        wanted = ((f"<= +{MOST_START * 1000:g} ms", ours - glibc <= MOST_START) if words == ["nothing"] else
                  (f"<={MOST_CHURN:g}x", ours <= MOST_CHURN * glibc))
        yield show_row(what, "ms", bare * 1000, glibc * 1000, ours * 1000, ours / glibc, wanted)


def show_memory(programs):
    """Of a process that makes one call."""
    yield show_row("resident", "KiB", *programs.figures(5, "memory"))
    programs.cost("ours", "memory")
    file = max(f.header["bytes"] for f in programs.files())
    programs.clean()
    yield show_row("tables of a process", "KiB", 0, 0, file / 1024, 0,
                   (f"<={MOST_FIRST_MEMORY >> 10} KiB", file <= MOST_FIRST_MEMORY))


def show_blocks(bench, programs, runs, steps):
    """Counting each basic block, by a call of ours or by a counter of gcov in the code."""
    library = os.path.dirname(programs.library)
    forms = [measure.build(bench.data, name, "counted", flags) for name, flags in (
        ("steps", []), ("steps-gcov", ["--coverage"]),
        ("steps-blocks", ["-fsanitize-coverage=trace-pc", "-L" + library, "-lgprofx-collect", "-Wl,-rpath," + library]))]
    how = {"cwd": programs.folder, "env": dict(os.environ, GPROFX_COLLECT="gmon=off,clock=off",
                                               GCOV_PREFIX=os.path.join(programs.folder, "gcov"))}
    turns = []
    for _ in range(runs):
        turns.append([measure.cost([path, str(steps)], **how)[0] for path in forms])
        shutil.rmtree(programs.folder)
        os.mkdir(programs.folder)
    bare, gcov, ours = (statistics.median(column) for column in zip(*turns))
    ratio = statistics.median(turn[2] / turn[0] for turn in turns)
    yield show_row("blocks: bare, gcov, ours/bare", "ms", bare * 1000, gcov * 1000, ours * 1000, ratio,
                   (f"<={MOST_OF_BLOCKS}x", ratio <= MOST_OF_BLOCKS))


def show_exact(bench, programs, runs):
    """Calls that are only counted, that have times at entry and exit, and that uftrace traces: of a program with
    -finstrument-functions, beside one without."""
    words = ["fib", "27"]
    path = measure.build(bench.data, "calls-entry", "collected", ["-pthread", "-finstrument-functions"])
    # Of fib().
    calls = 635_621

    def each(command, settings=""):
        how = {"cwd": programs.folder, "env": dict(os.environ, GPROFX_COLLECT=settings)}
        if settings:
            how["env"]["LD_PRELOAD"] = programs.library
        seconds = measure.cost([*command, *words], **how)[0]
        shutil.rmtree(programs.folder)
        os.mkdir(programs.folder)
        return seconds / calls * 1e9

    forms = [lambda: each([programs.bare]), lambda: each([path], "gmon=off,clock=off"),
             lambda: each([path], "gmon=off,clock=off,time=exact")]
    if shutil.which("uftrace"):
        forms.append(lambda: each(["uftrace", "record", "--no-libcall", "-d", "trace", path]))
    turns = [[form() for form in forms] for _ in range(runs)]
    medians = [statistics.median(column) for column in zip(*turns)]
    yield show_row("entry: bare, counted, exact", "ns", *medians[:3], statistics.median(turn[2] / turn[1] for turn in turns))
    if len(forms) > 3:
        yield show_row("entry: bare, uftrace, exact", "ns", medians[0], medians[3], medians[2],
                       statistics.median(turn[2] / turn[3] for turn in turns))


def show_snapshot(programs, runs):
    """A copy of the tables of a running program, which goes on to count."""
    record = os.path.join(os.path.dirname(os.path.dirname(programs.library)), "bin", "gprofx-record")
    path, how = programs.command("ours", "memory=1G,gmon=off")
    running = subprocess.Popen([path, "tables"], stdout=subprocess.PIPE, **how)
    running.stdout.readline()
    times = [measure.cost([record, f"--snapshot={running.pid}:copy.gxc"], cwd=programs.folder)[0]
             for _ in range(runs)]
    running.kill()
    running.communicate()
    size = os.path.getsize(programs.folder + "/copy.gxc") / 1e6
    programs.clean()
    each = statistics.median(times) * 100 / size
    yield show_row(f"snapshot, 100 of {size:.0f} MB", "ms", 0, 0, each * 1000, 0,
                   (f"<={MOST_SNAPSHOT * 1000:g} ms", each <= MOST_SNAPSHOT))


def show_samples(programs, runs):
    """By the clock of the thread, read at the start and the end of the handler."""
    shares = []
    for _ in range(runs):
        programs.cost("ours", "fib", 38, settings="gmon=off")
        for file in programs.files():
            weight = file.samples()
            if weight:
                shares.append(file.header["sampling_ns"] / (weight * 1e9 / file.header["rate"]))
        programs.clean()
    share = statistics.median(shares)
    yield show_row("100 samples a second", "%", 0, 0, share * 100, 0,
                   (f"<={MOST_SAMPLING:.1%}", share <= MOST_SAMPLING))


def show_waits(programs, runs):
    """Threads that wait, with clock=wall: processor time for looking at them, of the time that passed."""
    for threads in WAITING:
        shares, looks = [], []
        for _ in range(runs):
            _, how = programs.command("ours", "clock=wall,only=off,gmon=off")
            subprocess.run([programs.crowd, str(threads)], stdout=subprocess.DEVNULL, check=True, **how)
            for file in programs.files():
                header = file.header
                shares.append(header["sampling_ns"] / (header["end"] - header["start"]))
                looks.append(header["rate"] * header["looks"] / header["look_weight"])
            programs.clean()
        share = statistics.median(shares)
        yield show_row(f"clock=wall, {threads} threads", "%", 0, 0, share * 100, 0,
                       (f"<={MOST_WAITING:.0%}", share <= MOST_WAITING))
        yield show_row("looks a second at each", "", 0, 0, statistics.median(looks), 0)


def show_others(programs, runs):
    """What recording a program takes with other profilers of stacks and calls, those that are installed: of the program
    without -pg for one that samples, and with it for one that traces each call."""
    # A trace grows with each call; to start perf takes longer than a short run.
    others = [("perf record -g", "bare", "40",
               ["perf", "record", "-q", "-g", "-e", "cpu-clock", "-o", "perf.data", "--"],
               ["perf", "script", "-i", "perf.data", "-F", "comm"], "calls"),
              ("uftrace record", "glibc", "30", ["uftrace", "record", "--no-libcall", "-d", "uftrace.data"],
               ["uftrace", "report", "--no-pager", "-d", "uftrace.data"], "fib")]
    for name, which, depth, command, show_data, word in others:
        if not shutil.which(command[0]):
            print(f"{name:28} skipped: {command[0]} is not installed")
            continue
        path, how = programs.command(which)
        turns = []
        for _ in range(runs):
            try:
                other = measure.cost([*command, path, "fib", depth], **how)[0]
                # What has recorded nothing costs nothing.
                if word not in subprocess.run(show_data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                                              text=True, **how).stdout:
                    raise subprocess.CalledProcessError(1, show_data)
            except subprocess.CalledProcessError:
                print(f"{name:28} skipped: it cannot record here")
                break
            shutil.rmtree(programs.folder)
            os.mkdir(programs.folder)
            turns.append([programs.cost("bare", "fib", depth)[0], other,
                          programs.cost("ours", "fib", depth, settings="gmon=off")[0]])
            programs.clean()
        if turns:
            bare, other, ours = (statistics.median(turn[i] for turn in turns) for i in range(3))
            yield show_row(f"{name}, fib({depth})", "ms", bare * 1000, other * 1000, ours * 1000,
                           statistics.median(turn[2] / turn[1] for turn in turns))


def traced(programs, words):
    """A run under uftrace: what the program prints, the bytes of the trace, and how many calls of leaf() it has."""
    path, how = programs.command("glibc")
    printed = subprocess.run(["uftrace", "record", "--no-libcall", "--no-pager", "-d", "trace", path, *words],
                             stdout=subprocess.PIPE, check=True, text=True, **how).stdout
    # Files of calls; "perf-" are those of its own scheduling events.
    size = sum(os.path.getsize(name) for name in glob.glob(programs.folder + "/trace/[0-9]*.dat"))
    listed = subprocess.run(["uftrace", "report", "--no-pager", "-d", "trace", "-f", "call"], stdout=subprocess.PIPE,
                            check=True, text=True, **how).stdout
    shutil.rmtree(programs.folder)
    os.mkdir(programs.folder)
    return float(printed), size, sum(int(row[0]) for row in map(str.split, listed.splitlines()) if row[1:] == ["leaf"])


def show_tracer(programs, runs, calls):
    """A call by threads, traced by uftrace and counted by ours: what it costs, writes, and how many are missing."""
    if not shutil.which("uftrace"):
        print(f"{'uftrace, a call':28} skipped: uftrace is not installed")
        return
    threads, turns = 4, []
    words = ["threads", str(threads), str(calls // threads)]
    made = threads * (calls // threads + 1)
    for _ in range(runs):
        bare = programs.figure("bare", *words)
        try:
            nanoseconds, size, found = traced(programs, words)
        except (subprocess.CalledProcessError, ValueError):
            print(f"{'uftrace, a call':28} skipped: it cannot record here")
            return
        ours = programs.figure("ours", *words)
        programs.cost("ours", *words, settings="gmon=off")
        files = programs.files()
        turns.append((bare, nanoseconds, ours, size / made, sum(file.header["bytes"] for file in files) / made,
                      made - found, made - gxcreader.calls_by_function(files)["leaf"]))
        programs.clean()
    bare, nanoseconds, ours, size, our_size, lost, our_lost = (statistics.median(column) for column in zip(*turns))
    yield show_row(f"uftrace, a call, {threads} threads", "ns", bare, nanoseconds, ours, ours / nanoseconds)
    yield show_row("uftrace, bytes of a call", "B", 0, size, our_size, our_size / size)
    yield show_row(f"uftrace, lost of {made}", "calls", 0, lost, our_lost, 0)


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    programs, runs = Programs(bench), QUICK_RUNS if quick else RUNS
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"{'':28} {'bare':>9} {'glibc':>9} {'gprofx':>9} {'ratio':>7} unit  wanted")
    try:
        return [*show_calls(programs, runs, QUICK_CALLS if quick else CALLS),
                *show_processes(programs, runs, QUICK_CHURN if quick else CHURN),
                *show_memory(programs), *show_blocks(bench, programs, runs, QUICK_STEPS if quick else STEPS),
                *show_exact(bench, programs, runs), *show_snapshot(programs, runs), *show_samples(programs, runs), *show_waits(programs, runs),
                *show_others(programs, runs),
                *show_tracer(programs, runs, QUICK_TRACED if quick else TRACED)]
    finally:
        shutil.rmtree(programs.folder)

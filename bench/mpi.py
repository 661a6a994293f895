# SPDX-License-Identifier: Apache-2.0
"""What gprofx-mpi takes: files in a second by one process and by two, memory for more and more files, and the costs of the
model in mpimodel.py; then a job of 64 processes, in which files and messages are delayed, against that model."""
import os
import shutil
import statistics
import subprocess

import measure
import mpimodel
from report import mark

FUNCTIONS, BYTES, ARCS, DISTINCT = 4096, 256, 3000, 100  # a program of 1 MiB, whose profiles have 0.5 MB
FILES, QUICK_FILES = 2000, 400
RUNS, QUICK_RUNS = 5, 3
MEMORY_FILES, QUICK_MEMORY_FILES = (500, 2000, 10000), (100, 400, 1600)
LEAST_SPEED, MOST_GROWTH = 1.7, 1.2
PROCESSES, EACH = 64, 10
# Milliseconds of a file and of a message, and bytes in a microsecond; what is not delayed takes what it takes here.
DELAYS = ((300, 0, 0), (0, 50, 0), (0, 5, 0.2), (300, 50, 0.2))
CLOSE = 0.15  # of the model's time


class Mpi:
    """An implementation of MPI with the gprofx-mpi that was built for it."""

    def __init__(self, bench, name):
        self.bench, self.name = bench, name
        self.program = os.path.join(os.path.dirname(bench.gprofx), "gprofx-mpi." + name)
        self.mpirun, self.compiler = shutil.which("mpirun." + name), shutil.which("mpicc." + name)

    def is_there(self):
        return os.access(self.program, os.X_OK) and self.mpirun and self.compiler

    def compiled(self, source, *options):
        target = os.path.join(self.bench.data, "bin", f"{source[:-2]}.{self.name}")
        source = os.path.join(measure.HERE, "delayed", source)
        if not measure.newer(target, [source]):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            subprocess.run([self.compiler, "-std=c11", "-O2", *options, "-o", target, source], check=True)
        return target

    def start(self, processes, words, **settings):
        """What it prints. With more processes than processors, Open MPI has to be asked."""
        command = [self.mpirun, "-n", str(processes)]
        if self.name == "openmpi":
            command += ["--oversubscribe", "--bind-to", "none"]
            settings.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                            OMPI_MCA_btl_vader_single_copy_mechanism="none",
                            # A sender that is made to wait does not answer those who ask for a longer message.
                            OMPI_MCA_btl_vader_eager_limit="400000")
        return subprocess.run([*command, *words], check=True, text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env={**os.environ, **settings}).stdout

    def run(self, processes, words, file=0, message=0, bandwidth=0):
        """Seconds from the start of all processes on, those of process 0's processor, messages that it got, their
        bytes, and the most memory that a process had, in bytes. Delays are in milliseconds."""
        report = os.path.join(self.bench.data, "delay-report")
        self.start(processes, ["env", "LD_PRELOAD=" + self.compiled("delay.c", "-shared", "-fPIC"), self.program, *words],
                   DELAY_REPORT=report, DELAY_FILE=str(1000 * file), DELAY_MESSAGE=str(1000 * message),
                   DELAY_BYTES=str(bandwidth), DELAY_NAME="/gmon/")
        with open(report, encoding="ascii") as found:
            seconds, processor, messages, arrived, memory = map(float, found.read().split())
        return seconds, processor, messages, arrived, memory * 1024

    def message(self, length, rounds):
        """Seconds of a message on this machine."""
        return float(self.start(2, [self.compiled("pingpong.c"), str(length), str(rounds)]))


def make(bench, files, functions=FUNCTIONS, size=BYTES, arcs=ARCS, distinct=DISTINCT):
    folder = os.path.join(bench.data, f"mpi-{functions}-{files}")
    command = [bench.genwork, "-n", str(functions), "-b", str(size), "-a", str(arcs), "-g", "dag", "-f", str(files),
               "-d", str(min(files, distinct)), "-t", "20000", folder]
    bench.run_generator(folder, "mpi " + " ".join(command[1:-1]), [command])
    return [os.path.join(folder, "prog"), os.path.join(folder, "gmon", "*")]


def make_small(bench):
    """For the simulation: equal files of a small program, since this machine has to do what 64 machines would."""
    return make(bench, PROCESSES * EACH, 40, 64, 40, 1)


def names(words):
    folder = os.path.dirname(words[1])
    return [words[0], *[os.path.join(folder, name) for name in sorted(os.listdir(folder))]]


UNITS = {"partial": "bytes", "more": "bytes", "bandwidth": "bytes/s"}
PLAIN = ("--no-config", "--no-findings", "-b", "-p", "--threads=1")


def show_speed(bench, mpi, quick):
    """One process against two, in turn."""
    files = (QUICK_MEMORY_FILES if quick else MEMORY_FILES)[-1]
    words = [*PLAIN, *make(bench, files)]
    turns = [(mpi.run(1, words), mpi.run(2, words)) for _ in range(QUICK_RUNS if quick else RUNS)]
    found = {"mpi": mpi.name, "files": files}
    for i, kind in enumerate(("elapsed", "processor")):
        one, two = (statistics.median(turn[k][i] for turn in turns) for k in (0, 1))
        speed = statistics.median(turn[0][i] / turn[1][i] for turn in turns)
        print(f"{mpi.name:>8} {kind:>10} {files:6} files  {files / one:8.0f} /s  {files / two:8.0f} /s  {speed:5.2f}x  "
              f">={LEAST_SPEED}x {mark(speed >= LEAST_SPEED)}", flush=True)
        found.update({f"{kind}_one": one, f"{kind}_two": two, f"{kind}_speed": speed})
    return found


def show_memory(bench, mpi, quick):
    """The most that one of two processes has, files included, which are mapped one after the other."""
    found = []
    for files in QUICK_MEMORY_FILES if quick else MEMORY_FILES:
        memory = mpi.run(2, [*PLAIN, *make(bench, files)])[4]
        found.append({"mpi": mpi.name, "files": files, "memory": memory})
        growth = memory / found[0]["memory"]
        print(f"{mpi.name:>8} {'memory':>10} {files:6} files  {memory / 2**20:8.1f} MiB  {growth:5.2f}x  "
              f"<={MOST_GROWTH}x {mark(growth <= MOST_GROWTH)}", flush=True)
    return found


def slope(fewer, more, count):
    """Seconds of the processor that each of `count` words adds to a command."""
    each = [(measure.cost(more)[0] - measure.cost(fewer)[0]) / count for _ in range(5)]
    return max(statistics.median(each), 0)


# What is reported, and has to be in messages for it.
REPORTS = {"flat": ["-b", "-p"], "per-file": ["-b", "--output=per-file"]}


def find_costs(bench, mpi, quick, kind):
    """Measured by gprofx alone, which does all steps but the messages. Partial profiles are those of so many files that
    one more adds no function or call, but its name and facts only."""
    files = names(make(bench, QUICK_FILES if quick else FILES))
    program, count = files[0], len(files) - 1
    report = [bench.gprofx, "--no-config", "--no-findings", "--threads=1", *REPORTS[kind]]
    folder = os.path.join(bench.data, "partials")
    os.makedirs(folder, exist_ok=True)

    def partial(name, some):
        path = os.path.join(folder, name)
        subprocess.run([*report, f"--partial={path}", program, *some], check=True, stderr=subprocess.DEVNULL)
        return path, os.path.getsize(path)

    half, half_size = partial("half", files[1:1 + count // 2])
    whole, whole_size = partial("whole", files[1:])
    more = (whole_size - half_size) / (count - count // 2)
    small, small_size = partial("small", files[1:1 + DISTINCT])
    costs = {"file": slope([*report, *files[:1 + DISTINCT]], [*report, *files], count - DISTINCT),
             "partial": small_size - more * DISTINCT, "more": more}
    merge_small = slope([*report, program, small], [*report, program, *[small] * 41], 40)
    merge_whole = slope([*report, program, whole], [*report, program, *[whole] * 41], 40)
    costs["byte"] = max(merge_whole - merge_small, 0) / max(whole_size - small_size, 1)
    costs["merge"] = max(merge_small - costs["byte"] * small_size, 0)
    costs["write"] = slope([*report, program, whole], [*report, f"--partial={half}", program, whole], 1) / whole_size
    costs["reported"] = slope([*report, program, small], [*report, program, whole], count - DISTINCT)
    costs["report"] = measure.cost([*report, program, small])[0]
    costs["message"] = mpi.message(8, 10000)
    costs["bandwidth"] = 4e6 / mpi.message(4000000, 100)
    # Only the process with the first files has single values of these, which a partial profile of gprofx alone has, too.
    arrived = mpi.run(2, [*report[1:], program, *files[1:]])[3]
    costs["partial"] = arrived - more * (count // 2)
    for name, value in costs.items():
        print(f"{'cost':>8} {kind:>10} {name:>10} {value:14.6g} {UNITS.get(name, 's')}", flush=True)
    return costs


def partial_size(bench, words):
    """The bytes of what is read as a partial profile."""
    path = os.path.join(bench.data, "partial")
    subprocess.run([bench.gprofx, *PLAIN, f"--partial={path}", *words], check=True, stderr=subprocess.DEVNULL)
    return os.path.getsize(path)


def show_simulation(bench, mpi):
    """64 processes here take much longer than on as many machines; what delays add is compared with what the model adds."""
    data = make_small(bench)
    words, files = [*PLAIN, *data], names(data)
    # Numbers grow with the files, and so do their bytes: the sizes of a child's sum of process 0, and of one four times that.
    # What a second process sends is not that of the first files, which alone has single values.
    few, many = PROCESSES * EACH // mpimodel.RADIX, PROCESSES * EACH // 2
    small, large = (mpi.run(2, [*PLAIN, *files[:1 + 2 * count]])[3] for count in (few, many))
    more = (large - small) / (many - few)
    size = small - more * (few - 1)
    single = (partial_size(bench, files[:51]) - partial_size(bench, files[:11])) / 40 - more
    free = statistics.median(mpi.run(PROCESSES, words)[0] for _ in range(3))
    found = []
    print(f"{mpi.name:>8} {'delays':>10}  none: {free:.2f} s; a partial profile has {size:.0f} bytes, {more:.0f} for each file more, and "
          f"{single:.0f} for each of the first {mpimodel.SINGLE_FILES}")
    for file, message, bandwidth in DELAYS:
        costs = mpimodel.Costs(delay=file / 1e3, message=message / 1e3, bandwidth=bandwidth * 1e6 or 1e30, partial=size,
                               more=more, single=single, base=partial_size(bench, files[:2]), name=len(files[1]) + 1, pause=0.002)
        predicted = mpimodel.predict(costs, PROCESSES, PROCESSES * EACH).total
        seconds, _, messages, arrived, _ = mpi.run(PROCESSES, words, file, message, bandwidth)
        ratio = (seconds - free) / predicted
        print(f"{mpi.name:>8} {'delays':>10}  file {file} ms, message {message} ms, "
              + (f"{1e3 * bandwidth:g} kB/s" if bandwidth else "any speed")
              + f": {seconds:.2f} s, {seconds - free:.2f} s more, model {predicted:.2f} s: {ratio:.2f}; "
              f"{messages:.0f} messages, {arrived / 1e6:.2f} MB at process 0  "
              f"{1 - CLOSE:.2f}-{1 + CLOSE:.2f} {mark(abs(ratio - 1) <= CLOSE)}", flush=True)
        found.append({"mpi": mpi.name, "file": file, "message": message, "bandwidth": bandwidth, "seconds": seconds,
                      "free": free, "predicted": predicted, "messages": messages, "arrived": arrived})
    return found


# A network of 10 Gbit/s, and files on a shared file system that another machine has written.
ASSUMED = {"message": 30e-6, "bandwidth": 1e9, "pause": 0.002}
JOBS = ((1000, 100000), (16000, 100000), (100000, 100000))


def show_jobs(costs, kind):
    """What the model says of the large job, for files that are in memory and for those that take 5 ms."""
    found = []
    for delay in (0, 0.005):
        for processes, files in JOBS:
            every = mpimodel.Costs(**{**costs, **ASSUMED, "delay": delay})
            job = mpimodel.predict(every, processes, files)
            print(f"{'model':>8} {kind:>10} {processes:8} processes, {files} files, {1e3 * delay:g} ms each: depth {job.depth}, read after "
                  f"{job.read:.2f} s, merged after {job.merged:.2f} s, ends after {job.total:.2f} s, "
                  f"{job.root_bytes / 1e6:.1f} MB at process 0", flush=True)
            found.append({"report": kind, "processes": processes, "files": files, "delay": delay, **vars(job)})
    return found


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    implementations = [mpi for mpi in (Mpi(bench, name) for name in ("openmpi", "mpich")) if mpi.is_there()]
    if not implementations:
        raise measure.BenchError("there is no gprofx-mpi beside gprofx, or no mpirun and mpicc for it")
    found = {"speed": [], "memory": []}
    for mpi in implementations:
        found["speed"].append(show_speed(bench, mpi, quick))
        found["memory"] += show_memory(bench, mpi, quick)
    found["costs"] = {kind: find_costs(bench, implementations[0], quick, kind) for kind in REPORTS}
    # 64 processes of MPICH, which waits busily in the collective calls of the start, take seconds for these alone.
    found["simulation"] = show_simulation(bench, implementations[0])
    found["jobs"] = [job for kind, costs in found["costs"].items() for job in show_jobs(costs, kind)]
    return found

# SPDX-License-Identifier: Apache-2.0
"""The workloads: what is generated, with which options it is reported, and what is wanted of it."""
import os
from dataclasses import dataclass, field

# The largest exponent with which processor time may grow with a workload's size.
MOST_GROWTH = 1.15


@dataclass(frozen=True)
class Bare:
    """What a limit program takes for the same, and how many times that is allowed."""
    program: str
    libraries: tuple
    arguments: tuple
    times: float
    # Options of another run, whose processor time is taken off first; None: it is elapsed time.
    without: tuple = None


@dataclass(frozen=True)
class Want:
    """Least speed and most memory, both relative to GNU gprof; most processor seconds and MiB.

    pace is the least speed by elapsed time.
    """
    speed: float = None
    memory: float = None
    seconds: float = None
    megabytes: float = None
    pace: float = None
    bare: Bare = None


@dataclass
class Workload:
    name: str
    size_means: str
    stresses: str
    # size -> arguments of the generator: ["genwork", ...] or ["gensrc", ...]
    recipe: callable
    # label -> options of the profiler, or a function of the size that gives them
    options: dict
    # Sizes at which both tools run, and at which only gprofx does.
    both: list
    alone: list = field(default_factory=list)
    # Sizes of the quick run; those that are also in `both` run both tools.
    quick: list = field(default_factory=list)
    quick_both: list = None
    # (label, size) -> Want
    wants: dict = field(default_factory=dict)
    # label -> a word for gprofx alone, or an empty text: it then runs under its own name, with all it
    # does there
    own: dict = field(default_factory=dict)
    # Whether it belongs to the full run, or only runs when it is named.
    usual: bool = True

    def sizes(self, quick):
        """Pairs of size and whether GNU gprof runs as well, in order of size."""
        both = self.both
        if quick:
            both = self.quick_both if self.quick_both is not None else self.both
        chosen = self.quick if quick else sorted(set(self.both) | set(self.alone))
        return [(size, size in both) for size in chosen]

    def profiler_options(self, label, size):
        found = self.options[label]
        return found(size) if callable(found) else found


def genwork(*words):
    return ["genwork", *map(str, words)]


def flat_symspecs(count):
    return ["-b"] + [f"-qfn_{i * 19 % 20000}" for i in range(count)]


def arc_symspecs(count):
    return ["-b", "-q"] + [f"-kfn_{i * 17 % 20000}/fn_{(i * 13 + 1) % 20000}"
                           for i in range(count)]


FLAT, GRAPH, FULL = ["-b", "-p"], ["-b", "-q"], ["-b"]
P, Q, PQ = {"-p": FLAT}, {"-q": GRAPH}, {"-p": FLAT, "-q": GRAPH}
CALLS = ["-b", "-c", "-q"]
SUM = ["-s"]
LINES = ["-b", "-l", "-p"]


def settings(name):
    """The word that has gprofx read a file of settings beside this one."""
    return "--config=" + os.path.join(os.path.dirname(__file__), name)


CALL_LIMIT = ("calls", ("-lcapstone", "-lZydis"))

WORKLOADS = [
    Workload("W1", "", "start-up: a program of 20 functions",
             lambda n: genwork("-n", 20, "-a", 30, "-t", 500),
             {"-b": FULL, "own -b": FULL, "config -b": FULL},
             both=[1], quick=[1],
             own={"own -b": "", "config -b": settings("settings.yaml")},
             wants={("-b", 1): Want(speed=1.0, memory=1.0), ("own -b", 1): Want(speed=1.0),
                    ("config -b", 1): Want(speed=1.0)}),
    Workload("W2n", "functions, no arcs", "the symbol table alone",
             lambda n: genwork("-n", n, "-g", "none"), P,
             both=[20000, 50000], alone=[200000, 800000], quick=[20000, 100000, 400000],
             wants={("-p", 20000): Want(speed=40)}),
    Workload("W2f", "functions, 5 arcs each, no cycles", "functions growing",
             lambda n: genwork("-n", n, "-a", 5 * n, "-g", "dag"), PQ,
             both=[20000, 100000], alone=[400000], quick=[20000, 100000, 400000],
             quick_both=[20000],
             wants={("-p", 20000): Want(speed=40), ("-p", 100000): Want(speed=100)}),
    Workload("W2a", "arcs between 20,000 functions, no cycles", "arcs growing",
             lambda n: genwork("-n", 20000, "-a", n, "-g", "dag"), {**PQ, "-s": SUM},
             both=[100000, 1000000], alone=[300000, 3000000], quick=[100000, 300000, 1000000],
             quick_both=[100000],
             wants={("-p", 1000000): Want(speed=80, memory=0.7),
                    ("-q", 1000000): Want(speed=25, memory=0.7),
                    ("-s", 1000000): Want(speed=100)}),
    Workload("W2p", "functions, 5 arcs each, most between a few", "one huge cycle",
             lambda n: genwork("-n", n, "-a", 5 * n, "-g", "power"), Q,
             both=[20000], alone=[50000, 100000, 200000], quick=[20000, 100000],
             wants={("-q", 20000): Want(speed=150)}),
    Workload("W3in", "callers of one function", "fan-in",
             lambda n: genwork("-n", n, "-g", "fanin"), Q,
             both=[20000], alone=[50000, 200000, 800000], quick=[20000, 200000],
             wants={("-q", 20000): Want(speed=40), ("-q", 200000): Want(seconds=0.5)}),
    Workload("W3out", "callees of one function", "fan-out",
             lambda n: genwork("-n", n, "-g", "fanout"), Q,
             both=[20000], alone=[50000, 200000, 800000], quick=[20000, 200000],
             wants={("-q", 20000): Want(speed=40), ("-q", 200000): Want(seconds=0.5)}),
    Workload("W4chain", "depth of the calls", "recursion",
             lambda n: genwork("-n", n, "-g", "chain"), Q,
             both=[50000], alone=[200000, 1000000], quick=[50000, 200000, 1000000],
             wants={("-q", 50000): Want(speed=50)}),
    Workload("W4cycle", "functions in one ring of calls", "one long cycle",
             lambda n: genwork("-n", n, "-g", "cycle"), Q,
             both=[50000], alone=[200000, 800000], quick=[50000, 200000],
             wants={("-q", 50000): Want(speed=50)}),
    Workload("W4cycles", "functions in rings of three", "many small cycles",
             lambda n: genwork("-n", n, "-g", "cycles", "-k", 3), Q,
             both=[48000], alone=[192000, 768000], quick=[48000, 192000],
             wants={("-q", 48000): Want(speed=50)}),
    Workload("W8", "symspecs, on 20,000 functions", "selection",
             lambda n: genwork("-n", 20000, "-a", 100000, "-g", "dag"),
             {"-qNAME": flat_symspecs, "-kA/B": arc_symspecs},
             both=[100, 1000], alone=[10000], quick=[1000, 10000],
             wants={("-qNAME", 1000): Want(speed=25), ("-kA/B", 1000): Want(speed=25)}),
    Workload("W9", "functions with C++ names, 5 arcs each", "demangling",
             lambda n: genwork("-n", n, "-a", 5 * n, "-g", "dag", "-N", "cxx"), P,
             both=[20000], alone=[50000, 100000, 400000], quick=[20000, 100000],
             wants={("-p", 20000): Want(speed=12)}),
    Workload("W9l", "functions with very long C++ names", "demangling, long names",
             lambda n: genwork("-n", n, "-a", 5 * n, "-g", "dag", "-N", "long"), P,
             both=[20000], alone=[50000, 200000], quick=[20000]),
    Workload("W5", "source lines, compiled with -g", "reports by line, annotated source, and -g without being asked for",
             lambda n: ["gensrc", "-f", str(n // 2000), "-l", "2000", "-O", "0"],
             {**PQ, "-l -p": LINES, "-A": ["-b", "-A"], "-A -l": ["-b", "-A", "-l"]},
             both=[20000, 80000, 320000, 1000000], usual=False,
             wants={("-l -p", 1000000): Want(speed=16, megabytes=200),
                    ("-A", 1000000): Want(speed=1.8, memory=1 / 3),
                    ("-A -l", 1000000): Want(speed=15)}),
    Workload("W6", "gmon.out files of a program of 4 MiB", "adding profiles up",
             lambda n: genwork("-n", 16384, "-b", 256, "-a", 5000, "-g", "dag", "-f", n,
                               "-d", min(n, 400), "-t", 20000), {**P, "-s": SUM},
             both=[100, 1000], alone=[10000], quick=[100],
             wants={("-p", 1000): Want(speed=25), ("-s", 1000): Want(speed=25)}),
    Workload("W7", "MiB of text, 256 functions in each", "histogram bins growing",
             lambda n: genwork("-n", n * 256, "-b", 4096, "-a", n * 512, "-g", "dag",
                               "-c", "mix"),
             {**P, "-c -q": CALLS, "own -c -q": CALLS, "unsure": CALLS},
             both=[5, 20, 50], alone=[80], usual=False,
             own={"own -c -q": "--no-config", "unsure": settings("unverified.yaml")},
             wants={("-c -q", 50): Want(speed=5, megabytes=100),
                    ("own -c -q", 50): Want(pace=1, bare=Bare(*CALL_LIMIT, ("csverify", "prog"),
                                                              0.5)),
                    ("unsure", 50): Want(pace=5, megabytes=100)}),
    *[Workload("W7" + code, "MiB of text", "calls in code of words, -c -q less -q",
               lambda n, code=code: genwork("-n", n * 256, "-b", 4096, "-a", n * 512, "-g", "dag",
                                            "-c", code),
               {"own -c -q": CALLS}, both=[], alone=[50], usual=False,
               own={"own -c -q": "--no-config"},
               wants={("own -c -q", 50): Want(bare=Bare(*CALL_LIMIT, ("read", "prog"), 2,
                                                        without=tuple(GRAPH)))})
      for code in ("aarch64", "ppc64le", "mips64el")],
]

# Not generated but found: a large C++ program that still has its symbols. GNU gprof needs most of a
# minute for it, so it is left out of the quick run.
REAL = Workload("real", "functions of a real program", "real symbols and names", None,
                {**PQ, "-c -q": CALLS, "own -c -q": CALLS}, both=[],
                own={"own -c -q": "--no-config"},
                wants={("-p", 0): Want(speed=100), ("-q", 0): Want(speed=100),
                       ("-c -q", 0): Want(speed=5),
                       ("own -c -q", 0): Want(pace=1, bare=Bare(*CALL_LIMIT, ("csverify", "prog"),
                                                                0.5))})

# Not generated either: a C program built with -O2 -g, with a million line rows.
REAL_LINES = Workload("realc", "functions of a real C program", "lines and inlined functions", None,
                      {"-l -p": LINES}, both=[], wants={("-l -p", 0): Want(speed=35)})

BY_NAME = {w.name: w for w in WORKLOADS}

# How fast the steps could go: program, libraries, arguments, workload and size it reads.
LIMITS = [
    ("symwalk", ["-lelf"], ["libelf", "radix", "prog"], BY_NAME["W2f"], 100000),
    ("symwalk", ["-lelf"], ["raw", "qsort", "prog"], BY_NAME["W2f"], 100000),
    ("graph", [], ["bucket", "hash", "prog", "gmon.out"], BY_NAME["W2a"], 1000000),
    ("graph", [], ["bsearch", "radix", "prog", "gmon.out"], BY_NAME["W2a"], 1000000),
    ("graph", [], ["bucket", "hash", "prog", "gmon.out"], BY_NAME["W2f"], 100000),
    ("sumhist", ["-pthread"], ["1", "mmap", "gmon/*"], BY_NAME["W6"], 1000),
    ("sumhist", ["-pthread"], ["2", "mmap", "gmon/*"], BY_NAME["W6"], 1000),
    ("sumhist", ["-pthread"], ["1", "read", "gmon/*"], BY_NAME["W6"], 1000),
    ("lines", ["-ldw"], ["libdw", "prog"], BY_NAME["W5"], 320000),
    ("lines", ["-ldw"], ["bare", "prog"], BY_NAME["W5"], 320000),
    ("fmt", ["-lm"], ["printf", "1000000"], None, 0),
    ("fmt", ["-lm"], ["fixed", "1000000"], None, 0),
    *[(*CALL_LIMIT, [mode, "prog"], BY_NAME["W7"], 50)
      for mode in ("read", "sum", "scan", "simd", "capstone", "csverify", "zydis", "zyverify")],
]

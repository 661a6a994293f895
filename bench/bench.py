#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time gprofx and the installed GNU gprof on the same made-up programs, in turn.

Prints processor seconds, peak memory and whether the outputs are identical for each workload, then
the exponent with which gprofx's time grows in each series. The README beside this file explains the
workloads and the columns.
"""
import argparse
import datetime
import json
import os
import platform
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))

import collect  # noqa: E402
import compared  # noqa: E402
import costs  # noqa: E402
import dumps  # noqa: E402
import exports  # noqa: E402
import images  # noqa: E402
import measure  # noqa: E402
import mpi  # noqa: E402
import objects  # noqa: E402
import profiles  # noqa: E402
import recordings  # noqa: E402
import report  # noqa: E402
import scanners  # noqa: E402
import stacks  # noqa: E402
from workloads import BY_NAME, LIMITS, REAL, REAL_LINES, WORKLOADS, Want  # noqa: E402

# A real program with fewer functions says nothing that the made-up ones do not.
LEAST_REAL_FUNCTIONS = 20000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD[:SIZE]",
                        help="only these; default: all of the preset")
    parser.add_argument("--quick", action="store_true", help="about two minutes instead of fifteen")
    parser.add_argument("--data", default=os.environ.get("BENCH_DATA", "bench-data"),
                        help="folder for programs and profiles ($BENCH_DATA, bench-data)")
    parser.add_argument("--gprofx", default=os.environ.get("GPROFX"),
                        help="the program to measure ($GPROFX, ../build/bin/gprofx, or on PATH)")
    parser.add_argument("--gprof", default="gprof", help="the GNU gprof to compare with")
    parser.add_argument("--no-gprof", action="store_true", help="measure gprofx alone")
    parser.add_argument("--real", metavar="PROGRAM",
                        help="a large program with symbols for the workload real (node)")
    parser.add_argument("--real-lines", metavar="PROGRAM",
                        help="a C program built with -O2 -g for the workload realc")
    parser.add_argument("--json", metavar="FILE", help="write all figures there as well")
    parser.add_argument("--limits", action="store_true",
                        help="run the bare programs that show the limit of each step, and stop")
    parser.add_argument("--scanners", action="store_true",
                        help="compare scanning code for calls with reading it, and stop; the "
                             "workloads are then targets")
    parser.add_argument("--objects", action="store_true",
                        help="compare what a sample costs with one library and with forty, and "
                             "stop")
    parser.add_argument("--images", action="store_true",
                        help="compare a program as an a.out image with the same one as ELF, and with "
                             "GNU gprof where it reads them, and stop")
    parser.add_argument("--stacks", action="store_true",
                        help="compare a report of a million folded stacks with a script in awk, and "
                             "stop")
    parser.add_argument("--profiles", action="store_true",
                        help="compare reading profiles of pprof, folded stacks and the text of perf "
                             "script with other readers of them, and stop")
    parser.add_argument("--recordings", action="store_true",
                        help="compare a report of a recording of perf with perf report, and stop")
    parser.add_argument("--costs", action="store_true",
                        help="compare a report of a file of callgrind with callgrind_annotate, and "
                             "stop")
    parser.add_argument("--dumps", action="store_true",
                        help="measure how fast dumps of memory as text are decoded, against xxd -r, and stop")
    parser.add_argument("--compared", action="store_true",
                        help="compare two profiles, and measure what that adds to reading both, and stop")
    parser.add_argument("--collect", action="store_true",
                        help="measure what the collector costs, against the C library's, and "
                             "stop")
    parser.add_argument("--exports", action="store_true",
                        help="measure what writing each form for programs costs, beside the "
                             "tables, and stop")
    parser.add_argument("--mpi", action="store_true",
                        help="measure gprofx-mpi, and compare a simulated job of 64 processes with the model, and stop")
    parser.add_argument("--code", metavar="DIR",
                        help="for --scanners: programs, by the name of their target")
    parser.add_argument("--list", action="store_true", help="tell the workloads and stop")
    parser.add_argument("--generate", action="store_true", help="make the data and stop")
    return parser.parse_args()


def find_program(given, *places):
    """The path of the program that was asked for, or else of the first that is there."""
    wanted = [given] if given else places
    for place in wanted:
        found = shutil.which(place)
        if found:
            return os.path.abspath(found)
    raise measure.BenchError(f"not found: {' or '.join(wanted)}")


def first_line(command):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    return done.stdout.split("\n")[0]


def processor():
    try:
        with open("/proc/cpuinfo") as f:
            for text in f:
                if text.startswith("model name"):
                    return text.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def about(bench, preset):
    known = {"date": datetime.date.today().isoformat(), "preset": preset,
             "processor": f"{processor()}, {os.cpu_count()} cores",
             "load": f"{os.getloadavg()[0]:.1f}"}
    if bench.gprofx:
        known["gprofx"] = first_line([bench.gprofx, "--version"])
        listed = subprocess.run([bench.gprofx, "--list-plugins", "--format=json"], text=True,
                                stdout=subprocess.PIPE, check=True)
        known["plugins"] = len(json.loads(listed.stdout))
    if bench.gprof:
        known["gprof"] = first_line([bench.gprof, "--version"])
        # That package's library knows dozens of formats, and start-up takes twice as long for it.
        loads = subprocess.run(["ldd", bench.gprof], text=True, capture_output=True, check=False)
        if "multiarch" in loads.stdout:
            known["warning"] = ("this gprof belongs to binutils-multiarch, which starts more "
                                "slowly than the plain one")
    return known


def parse_choice(text):
    name, _, size = text.partition(":")
    if (name not in BY_NAME and name not in ("real", "realc")) or (size and not size.isdigit()):
        raise measure.BenchError(f"no workload '{text}'; --list tells them")
    return name, int(size) if size else None


def planned(args):
    """(workload, size, with GNU gprof) in the order they run; real is not among them."""
    choice = [parse_choice(c) for c in args.workloads]
    for workload in WORKLOADS:
        named = [size for name, size in choice if name == workload.name]
        if not (named or (workload.usual and not choice)):
            continue
        # A size that is named runs as in the full preset; others may be named that no preset has.
        sizes = workload.sizes(args.quick and bool(workload.quick))
        both = dict(workload.sizes(False))
        if named and None not in named:
            sizes = [(size, both.get(size, False)) for size in named]
        for size, with_gprof in sizes:
            yield workload, size, with_gprof


def show_list():
    for w in WORKLOADS:
        sizes = ", ".join(f"{n}{'' if both else ' (gprofx only)'}" for n, both in w.sizes(False))
        print(f"{w.name:10} {w.stresses}; size: {w.size_means or '-'}\n{'':10} "
              f"{' '.join(w.options)}; {sizes}{'' if w.usual else '; only when named'}")
    print(f"{'real':10} {REAL.stresses}; not in the quick run")
    print(f"{'realc':10} {REAL_LINES.stresses}; only with --real-lines")


class Run:
    """Rows as they are measured, each printed at once."""

    def __init__(self, bench):
        self.bench = bench
        self.rows = []
        self.given_up = set()

    def case(self, workload, size, label, folder, program, with_gprof, want):
        bench = self.bench
        if (workload.name, label) in self.given_up:
            return
        options = workload.profiler_options(label, size)
        words = [*options, program, *bench.files(folder)]
        gprof, gprofx, output = bench.run(folder, words, with_gprof and bool(bench.gprof),
                                          workload.own.get(label))
        row = report.Row(workload.name, size, label, gprof, gprofx, output, want)
        if want.bare and gprofx:
            row.bare = bench.bare_seconds(want.bare, folder, program)
        if want.bare and want.bare.without:
            row.rest = bench.run(folder, [*want.bare.without, program, *bench.files(folder)],
                                 False, workload.own.get(label))[1]
        self.rows.append(row)
        print(report.row_line(row), flush=True)
        # What was killed at this size only takes longer at the next.
        if gprofx and not gprofx.status.isdigit():
            self.given_up.add((workload.name, label))

    def made_up(self, workload, size, both):
        folder = self.bench.generate(workload, size)
        for label in workload.options:
            self.case(workload, size, label, folder, "./prog", both,
                      workload.wants.get((label, size), Want()))

    def real_lines(self, image):
        folder, functions = self.bench.generate_real("realc", image)
        if not functions:
            self.bench.note(f"realc: {image} has no functions in its symbol table: left out")
            return
        for label in REAL_LINES.options:
            self.case(REAL_LINES, functions, label, folder, image, True,
                      REAL_LINES.wants[(label, 0)])

    def real(self, image):
        if not image:
            self.bench.note("real: no program given and no node on PATH: left out")
            return
        folder, functions = self.bench.generate_real("real", image)
        if functions < LEAST_REAL_FUNCTIONS:
            self.bench.note(f"real: {image} has {functions} functions in its symbol table, fewer "
                            f"than {LEAST_REAL_FUNCTIONS}: left out (--real names another)")
            return
        for label in REAL.options:
            self.case(REAL, functions, label, folder, image, True, REAL.wants[(label, 0)])


def note(text):
    print(f"# {text}", flush=True)


def write_json(path, found):
    with open(path, "w") as f:
        json.dump(found, f, indent=1)
        f.write("\n")


def note_machine():
    note(f"processor: {processor()}, {os.cpu_count()} cores")
    note(f"load: {os.getloadavg()[0]:.1f}")


def run_scanners(args):
    gprofx = find_gprofx(args)
    note_machine()
    found = scanners.show(args.data, gprofx, args.code, args.quick, args.workloads)
    if args.json:
        write_json(args.json, found)
    return 0


def run_with(show, args):
    note_machine()
    bench = measure.Bench(args.data, None, find_gprofx(args), None, note)
    found = show(bench, args.quick)
    if args.json:
        write_json(args.json, found)
    return 0


def find_gprofx(args):
    return find_program(args.gprofx,
                        os.path.join(os.path.dirname(HERE), "build", "bin", "gprofx"), "gprofx")


def run(args):
    if args.scanners:
        return run_scanners(args)
    if args.objects:
        return run_with(objects.show, args)
    if args.images:
        gprof = None if args.no_gprof else find_program(args.gprof)
        return run_with(lambda bench, quick: images.show(bench, quick, gprof), args)
    if args.exports:
        return run_with(exports.show, args)
    if args.collect:
        return run_with(collect.show, args)
    if args.recordings:
        return run_with(recordings.show, args)
    if args.costs:
        return run_with(costs.show, args)
    if args.dumps:
        return run_with(dumps.show, args)
    if args.compared:
        return run_with(compared.show, args)
    if args.mpi:
        return run_with(mpi.show, args)
    if args.stacks:
        return run_with(stacks.show, args)
    if args.profiles:
        return run_with(profiles.show, args)
    plan = list(planned(args))
    gprof = None if args.no_gprof or args.generate or args.limits else find_program(args.gprof)
    gprofx = None if args.generate or args.limits else find_gprofx(args)
    effort = measure.QUICK_EFFORT if args.quick else measure.FULL_EFFORT
    bench = measure.Bench(args.data, gprof, gprofx, effort, note)
    if args.limits:
        for limit in LIMITS:
            print(bench.run_limit(limit), flush=True)
        return 0
    named = [c.partition(":")[0] for c in args.workloads]
    real = "real" in named or not (args.quick or args.workloads)
    if "realc" in named and not args.real_lines:
        raise measure.BenchError("realc needs a program: --real-lines PROGRAM")
    if args.generate:
        for workload, size, _ in plan:
            print(bench.generate(workload, size))
        return 0
    known = about(bench, "quick" if args.quick else "full")
    for key, value in known.items():
        note(f"{key}: {value}")
    print(report.line(report.HEAD), flush=True)
    measured = Run(bench)
    for workload, size, both in plan:
        measured.made_up(workload, size, both)
    if real:
        measured.real(find_real(args.real, "node"))
    if args.real_lines and (not named or "realc" in named):
        measured.real_lines(find_real(args.real_lines))
    growth = report.growth_of(measured.rows)
    if growth:
        print("", *report.growth_lines(growth), sep="\n")
    sums = report.totals(measured.rows, growth)
    print("\nTargets: " + ", ".join(f"{n} {what}" for what, n in sums.items()))
    if args.json:
        write_json(args.json, report.as_data(known, measured.rows, growth))
    return 1 if sums["wrong outputs"] else 0


def find_real(given, usual=None):
    found = shutil.which(given or usual)
    if given and not found:
        raise measure.BenchError(f"not found: {given}")
    return os.path.realpath(found) if found else None


def main():
    args = arguments()
    if args.list:
        show_list()
        return 0
    try:
        return run(args)
    except measure.BenchError as e:
        print(f"bench: {e}", file=sys.stderr)
    except subprocess.CalledProcessError as e:
        print(f"bench: {os.path.basename(e.cmd[0])} failed with status {e.returncode}",
              file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""How long scanning code for calls takes, with each scanner, relative to reading the code once."""
import lzma
import os
import subprocess

import measure
from report import mark

SOURCE = os.path.dirname(measure.HERE)
FIXTURES = os.path.join(SOURCE, "tests", "data", "calls")

# What mapping and scanning by all threads may take of what mapping and reading the same takes one.
MOST_TIMES = 2
MIB, RUNS, QUICK_RUNS = 50, 25, 9

# Targets whose instructions have 4 bytes, by scanner; then others.
FIXED = {"aarch64": "aarch64", "arm": "arm", "mips": "mips", "mipsel": "mips", "mips64": "mips",
         "mips64el": "mips", "powerpc": "ppc", "ppc64le": "ppc", "sparc": "sparc",
         "sparc64": "sparc", "alpha": "alpha"}
OTHERS = {"thumb": "arm", "s390x": "s390x", "riscv64": "riscv"}

# What limits/scanner.c prints of each purpose, behind the calls; "all" is by all threads.
FIGURES = ("mapped_read_ms", "mapped_scan_ms", "mapped_times", "mapped_read_all_ms",
           "mapped_scan_all_ms", "mapped_times_all", "mapped_times_all_by_all", "read_ms",
           "scan_ms", "times")

# Groups of columns: widths of their cells, and heads.
GROUPS = ((9, 7, 9, 8), (6, 7, 6), (6, 7, 6, 6), (6, 7, 6), (0,))
NAMES = (("target", "purpose", "functions", "calls"), ("read", "scan", "times"),
         ("read", "scan", "times", "both"), ("read", "scan", "times"), ("wanted",))


def line(groups):
    """A row of the table; words stand to the left, what follows them to the right."""
    words, *cells = groups
    left = " ".join([*(c.ljust(w) for c, w in zip(words[:2], GROUPS[0])),
                     *(c.rjust(w) for c, w in zip(words[2:], GROUPS[0][2:]))])
    return " | ".join([left, *(" ".join(c.rjust(w) for c, w in zip(group, widths))
                               for group, widths in zip(cells, GROUPS[1:]))]).rstrip()


def heads(threads):
    """The two lines above the table."""
    above = ("", "1 thread, ms", f"{threads} threads, ms", "mapped before, ms", "")
    widths = (sum(g) + len(g) - 1 for g in GROUPS)
    return " | ".join(a.ljust(w) for a, w in zip(above, widths)).rstrip() + "\n" + line(NAMES)


def program_of(data, target, code):
    """A program with code of the target: one of the user's, or the fixture of the tests."""
    own = os.path.join(code, target) if code else None
    if own and os.path.exists(own):
        return os.path.abspath(own)
    fixture = os.path.join(FIXTURES, target + ".xz")
    if code or not os.path.exists(fixture):
        return None
    path = os.path.join(data, "code-" + target)
    with lzma.open(fixture) as packed, open(path, "wb") as f:
        f.write(packed.read())
    return path


def show(data, gprofx, code, quick, names):
    """Measures and prints; code: a folder with programs, or None. Returns all figures."""
    data = os.path.abspath(data)
    os.makedirs(data, exist_ok=True)
    built = measure.build(data, "scanner", "limits",
                          ["-O3", "-I", os.path.join(SOURCE, "include"), "-pthread", "-lelf"],
                          ["scanner.c", "scanner-text.c"])
    plugins = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(gprofx))), "lib",
                           "gprofx", "1")
    found = []
    for target, scanner in {**FIXED, **OTHERS}.items():
        program = program_of(data, target, code)
        plugin = os.path.join(plugins, f"findcall-{scanner}.so")
        if not program or (names and target not in names):
            continue
        if not os.path.exists(plugin):
            raise measure.BenchError(f"not found: {plugin}")
        done = subprocess.run([built, plugin, program, str(MIB), str(QUICK_RUNS if quick else RUNS)],
                              cwd=data, check=True, text=True, stdout=subprocess.PIPE)
        (_, functions, _, threads), *rows = [r.split() for r in done.stdout.splitlines()]
        if not found:
            print(heads(int(threads)), flush=True)
        for purpose, calls, *figures in rows:
            row = {"target": target, "purpose": purpose, "functions": int(functions),
                   "calls": int(calls), "threads": int(threads),
                   **dict(zip(FIGURES, map(float, figures)))}
            wanted = purpose == "calls" and target in FIXED
            times = [f"{float(f):.2f}" for f in figures]
            verdict = f"<={MOST_TIMES} {mark(row['mapped_times_all'] <= MOST_TIMES)}"
            print(line([[target, purpose, functions, calls], times[:3], times[3:7], times[7:],
                        [verdict if wanted else ""]]), flush=True)
            found.append(row)
    return found

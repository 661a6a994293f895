# SPDX-License-Identifier: Apache-2.0
"""How long scanning code for calls takes, with each scanner, relative to reading the code once."""
import lzma
import os
import subprocess

import measure
from report import mark

SOURCE = os.path.dirname(measure.HERE)
FIXTURES = os.path.join(SOURCE, "tests", "data", "calls")

# What scanning may take of what mapping and reading the same takes.
MOST_TIMES = 2
MIB, RUNS, QUICK_RUNS = 50, 25, 9

# Targets whose instructions have 4 bytes, by scanner; then others.
FIXED = {"aarch64": "aarch64", "arm": "arm", "mips": "mips", "mipsel": "mips", "mips64": "mips",
         "mips64el": "mips", "powerpc": "ppc", "ppc64le": "ppc", "sparc": "sparc",
         "sparc64": "sparc", "alpha": "alpha"}
OTHERS = {"thumb": "arm", "s390x": "s390x", "riscv64": "riscv"}

HEAD = ("target", "purpose", "functions", "calls", "read ms", "scan ms", "times", "again: read",
        "scan ms", "times", "wanted")
WIDTHS = (9, 7, 9, 8, 8, 8, 6, 12, 8, 6, 0)


def line(cells):
    return " ".join(c.ljust(w) if i in (0, 1, 10) else c.rjust(w)
                    for i, (c, w) in enumerate(zip(cells, WIDTHS))).rstrip()


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
                          ["-O3", "-I", os.path.join(SOURCE, "include"), "-lelf"], "scanner.c")
    plugins = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(gprofx))), "lib",
                           "gprofx", "1")
    found = []
    print(line(HEAD), flush=True)
    for target, scanner in {**FIXED, **OTHERS}.items():
        program = program_of(data, target, code)
        plugin = os.path.join(plugins, f"findcall-{scanner}.so")
        if not program or (names and target not in names):
            continue
        if not os.path.exists(plugin):
            raise measure.BenchError(f"not found: {plugin}")
        done = subprocess.run([built, plugin, program, str(MIB), str(QUICK_RUNS if quick else RUNS)],
                              cwd=data, check=True, text=True, stdout=subprocess.PIPE)
        (_, functions, _), *rows = [r.split() for r in done.stdout.splitlines()]
        for purpose, calls, *times in rows:
            ratio = float(times[2])
            wanted = purpose == "calls" and target in FIXED
            print(line([target, purpose, functions, calls, *(f"{float(t):.2f}" for t in times),
                        f"<={MOST_TIMES} {mark(ratio <= MOST_TIMES)}" if wanted else ""]),
                  flush=True)
            found.append({"target": target, "purpose": purpose, "functions": int(functions),
                          "calls": int(calls), "mapped_read_ms": float(times[0]),
                          "mapped_scan_ms": float(times[1]), "mapped_times": ratio,
                          "read_ms": float(times[3]), "scan_ms": float(times[4]),
                          "times": float(times[5])})
    return found

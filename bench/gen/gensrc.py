#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a C source tree, compile it with -g and link it into one program.

usage: gensrc.py [-f FILES] [-l LINES] [-O LEVEL] [-j JOBS] DIRECTORY

The tree has FILES files of about LINES lines each, in nested folders; a function is about 25 lines.
The result is DIRECTORY/prog and DIRECTORY/src/. The program is never run. The same options write
the same sources.
"""
import argparse
import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

STATEMENTS = [
    "  x += a * {k}u; y ^= x >> {s};",
    "  if (x & {k}u)\n    y += tab[{i}];\n  else\n    y -= a;",
    "  for (unsigned i = 0; i < (b & {i}u); i++)\n    x = x * 33u + tab[i & 15];",
    "  tab[{i}] = x ^ {k}u;",
    "  while (y > {k}000u)\n    y /= {s}u;",
    "  x = (x << {s}) | (x >> (32 - {s}));",
]
LINES_OF_BODY = 18


def unit_text(unit, lines, units, rng):
    """One source file: unitN_f0 is external, the other functions static, unitN_go reaches all."""
    callees = [rng.randrange(units) for _ in range(8)]
    out = [f"/* unit {unit} */", "typedef unsigned u;", "extern u tab[16];"]
    out += [f"u unit{c}_f0(u, u);" for c in sorted(set(callees))]
    functions = max(1, lines // 25)
    for f in range(functions):
        storage = "static " if f else ""
        out.append(f"\n{storage}u unit{unit}_f{f}(u a, u b)\n{{\n  u x = a, y = b;")
        written = 0
        while written < LINES_OF_BODY:
            text = rng.choice(STATEMENTS).format(
                k=rng.randrange(1, 999), s=rng.randrange(2, 29), i=rng.randrange(16))
            out.append(text)
            written += text.count("\n") + 1
        if f:
            out.append(f"  if (x == {f}u) y += unit{unit}_f{f - 1}(x, y);")
        out.append("  return x + y;\n}")
    out.append(f"u unit{unit}_go(u a, u b)\n{{\n"
               f"  return unit{unit}_f{functions - 1}(a, b) + unit{callees[0]}_f0(b, a);\n}}")
    return "\n".join(out) + "\n"


def main_text(units):
    calls = "".join(f"  s += unit{n}_go({n}, s);\n" for n in range(units))
    return ("unsigned tab[16];\n"
            + "".join(f"unsigned unit{n}_go(unsigned, unsigned);\n" for n in range(units))
            + f"int main(void)\n{{\n  unsigned s = 0;\n{calls}  return (int)(s & 1);\n}}\n")


def write_sources(files, lines):
    rng = random.Random(1)
    paths = []
    for n in range(files):
        folder = f"src/part{n % 7}/mod{n // 50}"
        os.makedirs(folder, exist_ok=True)
        paths.append(f"{folder}/unit{n}.c")
        with open(paths[-1], "w") as f:
            f.write(unit_text(n, lines, files, rng))
    paths.append("src/main.c")
    with open(paths[-1], "w") as f:
        f.write(main_text(files))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-f", "--files", type=int, default=20)
    parser.add_argument("-l", "--lines", type=int, default=1000, help="lines of each file")
    parser.add_argument("-O", "--optimize", default="1", metavar="LEVEL")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("directory")
    args = parser.parse_args()
    os.makedirs(args.directory, exist_ok=True)
    os.chdir(args.directory)
    sources = write_sources(args.files, args.lines)
    objects = [path[:-2] + ".o" for path in sources]

    def compile_one(source, target):
        subprocess.run(["cc", "-g", f"-O{args.optimize}", "-fno-inline", "-c", source, "-o", target],
                       check=True)

    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(compile_one, sources, objects))
    with open("objects", "w") as f:
        f.write("\n".join(objects))
    subprocess.run(["cc", "-no-pie", "-o", "prog", "@objects"], check=True)
    for path in objects + ["objects"]:
        os.unlink(path)


if __name__ == "__main__":
    main()

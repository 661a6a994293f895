# SPDX-License-Identifier: Apache-2.0
"""What it costs to write each form of a report, beside the tables for people.

A form is written to one file and to several in turn; the difference is what writing it takes, without the analysis
that both have in common."""
import json
import os
import statistics

import measure
from report import mark

FUNCTIONS, QUICK_FUNCTIONS = 100000, 20000
ARCS_OF_FUNCTION = 5
RUNS, QUICK_RUNS = 7, 3
FILES = 5

# What a form for programs has to reach: MB of text in a second of one processor.
LEAST_SPEED = 200
# Less text than this gives no figure.
LEAST_BYTES = 1000000

TEXT = ("flat", "callgraph")

# Forms with the settings that make them large.
EXPORTS = {
    "json": [],
    "csv, flat": [],
    "csv, arcs": ["csv.table=arcs"],
    "callgrind": [],
    "folded": [],
    "speedscope": [],
    "dot": ["dot.node=0", "dot.edge=0", "dot.most=1000000"],
}
# Forms whose text says little about their speed: seconds of a whole run for 100,000 functions, and MB.
WHOLE = {"pprof": (1.0, None), "html": (1.5, 30)}
# Counts of lines: source files for a thousand functions, and their lines.
COUNTED = ("lcov",)
COUNTED_FILES, COUNTED_LINES = 10, 1000


class Form:
    """One form, or several that are written together."""

    def __init__(self, bench, folder, formats, settings=(), profile="gmon.out"):
        self.folder, self.formats = folder, formats
        self.command = [bench.gprofx, "--no-findings", *("--set=" + setting for setting in settings)]
        self.image = [os.path.join(folder, "prog"), os.path.join(folder, profile)]
        self.whole, self.part = [], []

    def path(self, name, number):
        return os.path.join(self.folder, f"{name}.{number}")

    def cost(self, files):
        outputs = [f"--output={name}:{self.path(name, i)}" for i in range(files) for name in self.formats]
        return measure.cost([*self.command, *outputs, *self.image])[0]

    def measure(self):
        one, all_files = self.cost(1), self.cost(FILES)
        self.whole.append(one)
        self.part.append((all_files - one) / (FILES - 1))

    def finish(self):
        """Bytes of a file, seconds for it, and those of a run that writes one. Removes the files."""
        size = sum(os.path.getsize(self.path(name, 0)) for name in self.formats)
        for name in self.formats:
            for i in range(FILES):
                os.unlink(self.path(name, i))
        return size, statistics.median(self.part), statistics.median(self.whole)


def make(bench, functions):
    folder = os.path.join(bench.data, f"exports-{functions}")
    command = [bench.genwork, "-n", str(functions), "-a", str(functions * ARCS_OF_FUNCTION), "-g", "dag", folder]
    bench.run_generator(folder, " ".join(command[1:-1]), [command])
    return folder


def make_counts(folder, functions):
    """What gcov would write, in the folder; its name."""
    name = "counts.gcov.json"
    path = os.path.join(folder, name)
    if os.path.exists(path):
        return name
    with open(path + ".part", "w", encoding="ascii") as file:
        file.write('{"format_version": "1", "current_working_directory": "/src", "files": [')
        for i in range(functions * COUNTED_FILES // 1000):
            lines = [{"line_number": j + 1, "count": i * j % 100000} for j in range(COUNTED_LINES)]
            parts = [{"name": f"fn_{i}_{j}", "start_line": j + 1, "end_line": j + 20, "execution_count": j}
                     for j in range(0, COUNTED_LINES, 25)]
            file.write(("," if i else "") + json.dumps({"file": f"f{i}.c", "lines": lines, "functions": parts}))
        file.write("]}\n")
    os.replace(path + ".part", path)
    return name


def show(bench, quick):
    """Measures and prints. Returns all figures."""
    functions = QUICK_FUNCTIONS if quick else FUNCTIONS
    runs = QUICK_RUNS if quick else RUNS
    folder = make(bench, functions)
    found = []
    print(f"{'form':12} {'MB':>7} {'run, s':>7} {'form, s':>8} {'MB/s':>6} {'text MB/s':>9}  wanted", flush=True)
    for label, settings in [*EXPORTS.items(), *((name, []) for name in (*COUNTED, *WHOLE))]:
        profile = make_counts(folder, functions) if label in COUNTED else "gmon.out"
        form = Form(bench, folder, [label.split(",")[0]], settings, profile)
        text = Form(bench, folder, TEXT)
        for _ in range(runs):
            form.measure()
            text.measure()
        size, part, whole = form.finish()
        text_size, text_part, _ = text.finish()
        speed = size / 1e6 / part if part > 0 and size >= LEAST_BYTES else None
        text_speed = text_size / 1e6 / text_part if text_part > 0 else 0
        if label in WHOLE:
            seconds, room = (most and most * functions / FUNCTIONS for most in WHOLE[label])
            wanted = f"<={seconds:g} s {mark(whole <= seconds)}"
            if room:
                wanted += f" <={room:g} MB {mark(size <= room * 1e6)}"
        elif speed is None:
            wanted = "too little text"
        else:
            wanted = f">={LEAST_SPEED} MB/s {mark(speed >= LEAST_SPEED)}"
        print(f"{label:12} {size / 1e6:7.1f} {whole:7.2f} {part:8.3f} {speed or 0:6.0f} {text_speed:9.0f}  {wanted}",
              flush=True)
        found.append({"form": label, "functions": functions, "bytes": size, "run_seconds": whole,
                      "form_seconds": part, "speed": speed, "text_speed": text_speed})
    return found

# SPDX-License-Identifier: Apache-2.0
"""From measurements to verdicts, exponents and the printed table."""
import math
from dataclasses import asdict, dataclass

from workloads import MOST_GROWTH, Want

# Below this many seconds start-up weighs too much for a point to say anything about growth.
FLOOR = 0.010

# Under its own name gprofx prints figures of its own.
SOUND_OUTPUT = ("same", "alone", "same status", "own")


@dataclass
class Row:
    """One case: a workload at one size with one set of options."""
    workload: str
    size: int
    label: str
    gprof: object  # measure.Sample or None
    gprofx: object
    output: str
    want: Want
    bare: float = None  # seconds of the limit program
    rest: object = None  # measure.Sample of gprofx without what the limit program does

    @property
    def sound(self):
        return self.output in SOUND_OUTPUT

    @property
    def speed(self):
        return self.gprof.cpu / self.gprofx.cpu if self.gprof and self.gprofx else None

    @property
    def memory(self):
        return self.gprofx.memory / self.gprof.memory if self.gprof and self.gprofx else None

    def verdicts(self):
        """Pairs of a target in words and True, False, or None when it was not measured."""
        found = []

        def judge(words, value, good):
            found.append((words, None if value is None else self.sound and good(value)))

        want = self.want
        if want.speed:
            judge(f">={want.speed:g}x", self.speed, lambda v: v >= want.speed)
        if want.memory:
            judge(f"mem<={want.memory:g}", self.memory, lambda v: v <= want.memory)
        if want.seconds:
            cpu = self.gprofx.cpu if self.gprofx else None
            judge(f"<={want.seconds:g}s", cpu, lambda v: v <= want.seconds)
        if want.megabytes:
            used = self.gprofx.memory if self.gprofx else None
            judge(f"<={want.megabytes:g}MiB", used, lambda v: v <= want.megabytes)
        if want.pace:
            both = self.gprof and self.gprofx
            judge(f">={want.pace:g}x elapsed",
                  self.gprof.wall / self.gprofx.wall if both else None, lambda v: v >= want.pace)
        if want.bare:
            judge(f"<={want.bare.times:g} {want.bare.arguments[0]} ({self.bare_share():.2f})",
                  self.bare_share(), lambda v: v <= want.bare.times)
        return found

    def bare_share(self):
        """How many times as long as the limit program it took."""
        taken = self.gprofx.cpu - self.rest.cpu if self.rest else self.gprofx.wall
        return taken / self.bare


@dataclass
class Growth:
    """How the processor time of one series grows."""
    workload: str
    label: str
    sizes: list
    exponent: float
    last_step: float  # the same between the two largest sizes alone

    @property
    def met(self):
        return self.exponent <= MOST_GROWTH


def slope(points):
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def growth_of(rows, tool="gprofx"):
    """A Growth for each series with two sizes or more that are above the floor."""
    series = {}
    for row in rows:
        sample = getattr(row, tool)
        if sample and sample.status == "0" and sample.cpu >= FLOOR:
            series.setdefault((row.workload, row.label), []).append((row.size, sample.cpu))
    found = []
    for (workload, label), points in series.items():
        points.sort()
        if len(points) < 2:
            continue
        logs = [(math.log(x), math.log(y)) for x, y in points]
        found.append(Growth(workload, label, [x for x, _ in points], slope(logs),
                            slope(logs[-2:])))
    return found


HEAD = ("workload", "size", "options", "gprof s", "gprofx s", "speed", "gprof MiB", "gprofx MiB",
        "share", "output", "wanted")
WIDTHS = (10, 8, 9, 9, 9, 8, 10, 11, 6, 11, 0)
LEFT = (0, 2, 9, 10)


def line(cells):
    parts = []
    for i, (cell, width) in enumerate(zip(cells, WIDTHS)):
        parts.append(cell.ljust(width) if i in LEFT else cell.rjust(width))
    return " ".join(parts).rstrip()


def seconds(sample):
    if not sample:
        return "-"
    if sample.status != "0":
        return sample.status[:9] if not sample.status.isdigit() else f"exit {sample.status}"
    return f"{sample.cpu:.5f}" if sample.cpu < 0.1 else f"{sample.cpu:.3f}"


def mark(met):
    return "not measured" if met is None else "PASS" if met else "miss"


def row_line(row):
    wanted = ", ".join(f"{text} {mark(met)}" for text, met in row.verdicts())
    return line([
        row.workload, str(row.size), row.label, seconds(row.gprof), seconds(row.gprofx),
        f"{row.speed:.2f}x" if row.speed else "-",
        f"{row.gprof.memory:.1f}" if row.gprof else "-",
        f"{row.gprofx.memory:.1f}" if row.gprofx else "-",
        f"{row.memory:.2f}" if row.memory else "-", row.output, wanted])


def growth_lines(growth):
    yield (f"Growth of gprofx's processor time, over the sizes that take at least "
           f"{FLOOR * 1e3:g} ms (wanted: at most {MOST_GROWTH})")
    yield f"{'workload':10} {'options':9} {'exponent':>8} {'last step':>9}        sizes"
    for g in growth:
        sizes = " ".join(map(str, g.sizes))
        yield (f"{g.workload:10} {g.label:9} {g.exponent:8.2f} {g.last_step:9.2f}  "
               f"{mark(g.met):4}  {sizes}")


def totals(rows, growth):
    """Numbers of targets met, missed and not measured, and of outputs that are not right."""
    verdicts = [met for row in rows for _, met in row.verdicts()] + [g.met for g in growth]
    wrong = sum(not row.sound for row in rows)
    return {"met": sum(v is True for v in verdicts), "missed": sum(v is False for v in verdicts),
            "not measured": sum(v is None for v in verdicts), "wrong outputs": wrong}


def as_data(about, rows, growth):
    """Everything, for --json."""
    def one(row):
        return {"workload": row.workload, "size": row.size, "options": row.label,
                "gprof": asdict(row.gprof) if row.gprof else None,
                "gprofx": asdict(row.gprofx) if row.gprofx else None,
                "bare": row.bare, "speed": row.speed, "memory": row.memory, "output": row.output,
                "wanted": [{"target": text, "met": met} for text, met in row.verdicts()]}
    return {"about": about, "rows": [one(r) for r in rows],
            "growth": [dict(asdict(g), met=g.met) for g in growth],
            "totals": totals(rows, growth)}

# SPDX-License-Identifier: Apache-2.0
"""A small program at one glance: an image of evenly spaced functions and profiles of it."""
from dwarfinfo import Function, Unit, add_debug_info
from elfimage import Image
from gmonfile import Profile

BASE, STEP, MARK = 0x401000, 0x100, 'zz_end'


class Program:
    """Functions `step` bytes apart, in one text section.

    `names`: a leading '~' makes a local symbol. A marker function is added behind them, since
    samples of the function with the highest address are nobody's; it starts a little behind
    the last bin with samples, since even one that ends where it starts can confuse GNU gprof.
    """

    def __init__(self, names, machine='x86_64', base=BASE, step=STEP, mark=True):
        names = list(names) + ([MARK] if mark else [])
        self.base, self.step, self.names = base, step, [n.lstrip('~') for n in names]
        self.end = base + step * len(names)
        self.image = Image(machine)
        self.image.section('.text', base, b'\x90' * (self.end - base))
        self.image.functions(names, base, step)
        if mark:
            self.image.symbols[-1].address += 2
        self.address = {}
        for i, name in enumerate(self.names):
            self.address.setdefault(name, base + i * step)

    def lines(self, rows, source='prog.c', directory=None, **how):
        """Line tables for the functions named in `rows`; `how` goes to add_debug_info."""
        functions = [Function(n, self.address[n], self.step, r) for n, r in rows.items()]
        add_debug_info(self.image, [Unit(source, functions, directory)], **how)
        return self

    def bytes(self):
        return self.image.bytes()

    def at(self, place):
        """The address of 'name', 'name+offset' or a number."""
        if isinstance(place, int):
            return place
        name, _, offset = place.partition('+')
        return self.address[name] + int(offset or '0', 0)

    def bins(self, samples):
        bins = [0] * ((self.end - self.base) // self.step)
        for place, count in samples.items():
            bins[(self.at(place) - self.base) // self.step] += count
        return bins

    def empty(self, **named):
        return Profile.of(self.image, **named)

    def profile(self, samples=None, arcs=(), rate=100, unit=b'seconds', letter=b's'):
        """`samples`: {function: ticks}, or None for no histogram record at all; `arcs`:
        (caller, callee, count), where a caller without an offset calls from its fifth byte."""
        p = self.empty()
        if samples is not None:
            p.histogram(self.base, self.end, self.bins(samples), rate, unit, letter)
        for caller, callee, count in arcs:
            inside = 4 if isinstance(caller, str) and '+' not in caller else 0
            p.arc(self.at(caller) + inside, self.at(callee), count)
        return p

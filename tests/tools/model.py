# SPDX-License-Identifier: Apache-2.0
"""The rules for symbols and samples, stated so that they can be run.

Written from the description of the behavior and independent of the program: what it computes
is compared with what the program prints.

    table()     the symbols of an image that count, one per address
    lookup()    the symbol an address belongs to; callee(): the one that a call of it reaches
    credit()    how the samples of a histogram are shared out among symbols
    flat()      the flat profile of a program in which only the first function calls others
"""
import bisect

from elfimage import (ABS, COMMON, EXEC, FILE, FUNC, IFUNC, LOCAL, OBJECT, SECTION, UNDEF, UNIQUE,
                      WEAK)

GROUPS = (b'.clone.', b'.constprop.')
PROFILING = ('_gprof_mcount', 'mcount', '_mcount', '__mcount', '__mcount_internal', '__mcleanup')
UNITS = (('T', 1e-12), ('G', 1e-9), ('M', 1e-6), ('K', 1e-3), (' ', 1.0), ('m', 1e3), ('u', 1e6),
         ('n', 1e9), ('p', 1e12), ('f', 1e15), ('a', 1e18))


class Kept:
    """A symbol that counts, and what is known about it."""

    def __init__(self, symbol):
        self.name, self.start = symbol.name, symbol.address
        self.static, self.typed = symbol.bind == LOCAL, symbol.kind == FUNC
        self.end = None
        self.ticks, self.calls = 0.0, 0

    def underscores(self):
        return min(2, len(self.name) - len(self.name.lstrip('_')))


# -- symbols --------------------------------------------------------------------------------------

def good_local_name(strings, at):
    """The test of a local name: no dollar, and behind a dot only groups of digits.

    `strings` is the whole string table, since the test of a name that ends inside a group goes
    on with the string behind it; the end of the table ends it in any case.
    """
    def byte(i):
        return strings[i:i + 1] or b'\0'
    if byte(at) == b'\0' or strings.startswith((b'__gnu_compiled', b'___gnu_compiled'), at):
        return False
    while byte(at) != b'\0':
        if byte(at) == b'$':
            return False
        if byte(at) != b'.':
            at += 1
            continue
        for group in GROUPS:
            if strings.startswith(group, at) and byte(at + len(group)) != b'\0':
                at += len(group) - 1
                break
        at, first = at + 1, at + 1
        while byte(at).isdigit():
            at += 1
        if byte(at) == b'\0':
            at += 1                     # the NUL is stepped over like any other character
        elif byte(at) != b'.' or at == first:
            return False
    return True


def counts(symbol, image, strings, at, no_static, functions_only):
    if symbol.section in (UNDEF, COMMON) or symbol.kind in (SECTION, FILE, IFUNC):
        return False
    if symbol.bind == WEAK:
        return symbol.kind != OBJECT    # in whatever section, and without one
    if symbol.section == ABS or symbol.bind == UNIQUE:
        return False
    if not next(s for s in image.sections if s.name == symbol.section).flags & EXEC:
        return False
    if symbol.bind != LOCAL:
        return True
    return (not no_static and good_local_name(strings, at)
            and (symbol.kind == FUNC or not functions_only))


def better(new, old):
    """Whether `new` replaces `old`, which stands before it and has the same address."""
    if new.static != old.static:
        return old.static
    if new.typed != old.typed:
        return new.typed
    return new.underscores() < old.underscores()


def table(image, no_static=False, functions_only=False):
    ordered = [s for s in image.symbols if s.bind == LOCAL]
    ordered += [s for s in image.symbols if s.bind != LOCAL]
    strings, found = b'\0' + b''.join(s.name.encode() + b'\0' for s in ordered if s.name), []
    at = 1
    for s in ordered:
        if counts(s, image, strings, at if s.name else 0, no_static, functions_only):
            found.append(Kept(s))
        at += len(s.name.encode()) + 1 if s.name else 0
    kept = []
    for s in sorted(found, key=lambda s: (s.start, not s.typed, s.static)):
        if not kept or kept[-1].start != s.start:
            kept.append(s)
        elif better(s, kept[-1]):
            kept[-1] = s
    text = next(s for s in image.sections if s.name == '.text')
    for s, following in zip(kept, kept[1:]):
        s.end = following.start - 1
    if kept:
        kept[-1].end = text.address + text.size - 1
    return kept


def lookup(symbols, address):
    """The index of the symbol, or None."""
    i = bisect.bisect_right([s.start for s in symbols], address) - 1
    return i if i >= 0 and address <= symbols[i].end else None


def callee(symbols, address):
    i = lookup(symbols, address)
    while i is not None and not symbols[i].typed:
        i = i - 1 if i else None
    return i


# -- samples --------------------------------------------------------------------------------------

def credit(symbols, low, high, bins, wanted):
    """Adds ticks to the symbols; returns the total less what unwanted symbols got.

    Positions are in units of 2 bytes. The last symbol has no end here, and gets nothing.
    """
    scale, total = ((high - low) // 2) / len(bins), 0.0
    for i, count in enumerate(bins):
        if count == 0:
            continue
        first, past = low // 2 + int(scale * i), low // 2 + int(scale * (i + 1))
        total += count
        for s, following in zip(symbols, symbols[1:]):
            units = min(past, following.start // 2) - max(first, s.start // 2)
            if units <= 0:
                continue
            if wanted(s):
                s.ticks += units * float(count) / scale
            else:
                total -= units * float(count) / scale
    return total


def call(symbols, caller, target, count):
    """One arc. Calls of the caller itself are no calls."""
    a, b = lookup(symbols, caller), callee(symbols, target)
    if a is not None and b is not None and a != b:
        symbols[b].calls += count


def flat(symbols, total, rate, unused=False, wanted=lambda s: True):
    out = ['Flat profile:', '', 'Each sample counts as %g seconds.' % (1.0 / rate)]
    if total <= 0:
        out += [' no time accumulated', '']
        total = 1.0
    ranked = sorted(symbols, key=lambda s: (-s.ticks, -s.calls, s.name.encode(), s.start))
    slowest = max([s.ticks / s.calls for s in symbols if s.calls] + [0.0])
    letter, scale = UNITS[0]
    if slowest > 0:
        fits = [u for u in UNITS if 1.0 <= u[1] * (slowest / rate) < 1000.0]
        letter, scale = fits[0] if fits else UNITS[-1]
    unit = letter + 's/call'
    out.append('%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s  %-8.8s'
               % ('%  ', 'cumulative', 'self  ', '', 'self  ', 'total ', ''))
    out.append('%5.5s %9.9s  %8.8s %8.8s %8.8s %8.8s  %-8.8s'
               % ('time', 'seconds', 'seconds', 'calls', unit, unit, 'name'))
    so_far = 0.0
    for s in ranked:
        if not wanted(s) or not (unused or s.ticks or s.calls):
            continue
        so_far += s.ticks
        line = '%6.2f %9.2f %8.2f' % (100 * s.ticks / total, so_far / rate, s.ticks / rate)
        if s.calls:
            per_call = scale * s.ticks / rate / s.calls
            line += ' %8d %8.2f %8.2f  ' % (s.calls, per_call, per_call)
        else:
            line += ' ' * 29
        out.append(line + s.name)
    return '\n'.join(out) + '\n'

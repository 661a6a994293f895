# SPDX-License-Identifier: Apache-2.0
"""Writes a profile as MinGW's collector does, without a run: "objdump -d IMAGE | profile.py FILE".

Every function that calls the collector gets samples, 1, 2, 3 … times ten, and every call of such a
function is said to have been made 1, 2, 3 … times. The addresses of arcs are what the collector
records: where the call returns to, and where the called function's call of the collector returns to.

With a third word, GARBAGE, the high halves of counts are not zero, as those of 64-bit programs are.
"""
import re
import sys

from gmonfile import bsd_profile

COLLECTORS = ('_mcount', '_mcount_private', '__mcount_private')


def read(lines):
    """Starts of functions by name, rows (caller, target's address, where it returns to), the last address, bits."""
    start, calls, function, pending, last, digits = {}, [], None, None, 0, 0
    for line in lines:
        head = re.match(r'([0-9a-f]+) <(.*)>:$', line)
        if head:
            function = head.group(2)
            start[function] = int(head.group(1), 16)
            digits = len(head.group(1))
        row = re.match(r' *([0-9a-f]+):\t', line)
        if not row:
            continue
        last = int(row.group(1), 16)
        if pending and pending[0] == function:
            calls.append(pending + (last,))
        call = re.search(r'call +([0-9a-f]+) <(.*)>', line)
        pending = (function, int(call.group(1), 16), call.group(2)) if call else None
    return start, calls, last, 4 * digits


def main():
    start, calls, last, bits = read(sys.stdin)
    low, high = min(start.values()), (last + 16) & ~15
    behind = {}
    for function, _, name, back in calls:
        if name in COLLECTORS:
            behind.setdefault(start[function], back)
    bins = [0] * ((high - low) // 4)
    for i, address in enumerate(sorted(behind)):
        for sample in range(10 * (i + 1)):
            bins[(address - low) // 4 + sample % 4] += 1
    arcs, garbage = [], 0xdeadbeef00000000 if sys.argv[2:] == ['GARBAGE'] else 0
    for function, target, _, back in calls:
        if start[function] in behind and target in behind:
            arcs.append((back, behind[target], len(arcs) + 1 + garbage))
    with open(sys.argv[1], 'wb') as file:
        file.write(bsd_profile(low, high, bins, arcs, bits, '<', 100))


main()

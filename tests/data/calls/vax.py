#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the fixtures of VAX: vax.xz, vax.calls.xz and vax.listing.xz.

    vax.py [SIMULATOR]

Debian has neither compiler nor binutils for VAX, but the simulator SIMH (package simh), whose VAX-11/780
(vax780) lists instructions. So programs are made up at random, byte by byte, after the architecture's
manual, and what SIMH says that the bytes are is kept: the calls of a program, and a listing of all
instructions that it knows. It knows neither those of vectors nor bugl and bugw.
"""
import lzma
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, os.pardir, 'tools'), HERE]

from calltargets import pack_calls                                  # noqa: E402
from elfimage import Image                                          # noqa: E402
from lcg import Random                                              # noqa: E402

BASE = 0x10000
FUNCTIONS = 200
SLOT = 128
LINE = re.compile(r'^([0-9A-F]+):\t(.*)$', re.M)
UNKNOWN = re.compile(r'[0-9A-F]+$')     # of what SIMH does not know it prints four bytes
# Opcode, sizes of the operands, of instructions that stand between calls.
FILLERS = ((0xd0, 'll'), (0xc1, 'lll'), (0xdd, 'l'), (0x90, 'bb'), (0x70, 'dd'), (0x9e, 'bl'),
           (0x28, 'wbb'), (0xef, 'lbbl'), (0xd5, 'l'), (0x01, ''), (0xb1, 'ww'))
SIZES = {'b': 1, 'w': 2, 'l': 4, 'd': 8}


def number(r, size):
    return bytes(r.below(256) for _ in range(size))


def operand(r, size):
    """An operand in any mode that has no meaning of its own with the program counter."""
    mode, register = r.between(0, 15), r.below(15)
    if mode == 4:
        while True:
            base = operand(r, size)
            if base[0] >> 4 > 5 and base[0] != 0x8f:
                return bytes([0x40 | register]) + base
    if mode in (8, 9) and r.chance(50):
        return bytes([mode << 4 | 15]) + number(r, size if mode == 8 else 4)
    if mode >= 10:
        register = r.below(16)
    return bytes([mode << 4 | register]) + number(r, (0, 1, 1, 2, 2, 4, 4)[max(mode - 9, 0)])


class Lister:
    """SIMH, asked for what stands at some places."""

    def __init__(self, program):
        self.program = program

    def list(self, base, code, places):
        """{address: (address of the next, text)}"""
        with tempfile.NamedTemporaryFile('w', suffix='.ini') as f:
            for at in range(0, len(code), 4):
                f.write('d -l %X %X\n' % (base + at, int.from_bytes(code[at:at + 4], 'little')))
            for at in places:
                f.write('ex -m %X-%X\n' % (at, at + 40))
            f.write('q\n')
            f.flush()
            out = subprocess.run([self.program, f.name], check=True, stdout=subprocess.PIPE,
                                 universal_newlines=True).stdout
        rows = [(int(m.group(1), 16), m.group(2)) for m in LINE.finditer(out)]
        found = {}
        for (at, text), (behind, _) in zip(rows, rows[1:]):
            if at in places and behind > at:
                found.setdefault(at, (behind, text))
        return found


def pack(name, data):
    with open(os.path.join(HERE, name), 'wb') as f:
        f.write(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


# -- every instruction, with random operands ------------------------------------------------------

def make_listing(lister):
    r, samples = Random(2026), []
    for opcode in [(b,) for b in range(0xfd)] + [(0xfd, b) for b in range(256)]:
        for _ in range(24 if opcode[0] in (0x16, 0x17, 0xfa, 0xfb) else 5):
            code = bytes(opcode)
            while len(code) < 100:
                code += operand(r, r.pick((1, 2, 4, 8, 16)))
            samples.append(code[:SLOT].ljust(SLOT, b'\0'))
    places = {BASE + i * SLOT for i in range(len(samples))}
    found = lister.list(BASE, b''.join(samples), places)
    lines = []
    for i, code in enumerate(samples):
        at = BASE + i * SLOT
        behind, text = found.get(at, (0, '0'))
        # Modes that no lot has drawn come about where the sizes are others than were thought.
        if not UNKNOWN.match(text) and not re.search(r'PC|#\w+\[|[^)]\bR\d+\[|,\[| \[', text):
            lines.append('%x %s %s\n' % (at, code[:behind - at].hex(), text))
    pack('vax.listing.xz', ''.join(lines).encode())
    print('%d instructions' % len(lines))


# -- a program ------------------------------------------------------------------------------------

class Function:
    """Code, the places where instructions begin, and those of distances to fill in."""

    def __init__(self, name):
        self.name, self.code, self.starts, self.holes = name, bytearray(), [], []

    def put(self, code, hole=None):
        """hole: size of the distance at the end, what it leads to, bytes behind its entry."""
        self.starts.append(len(self.code))
        self.code += code
        if hole:
            size, name, behind = hole
            self.code += bytes(size)
            self.holes.append((len(self.code), size, name, behind))


def make_function(r, i):
    function, callees = Function(i), [k for k in range(FUNCTIONS) if k % 4 != 3]
    has_mask = i % 4 != 3               # the others are called by jsb and bsbw
    if has_mask:
        function.code += int.to_bytes(r.pick((0, 0xffc, 0x4, 0x3c, 0x8ff0)), 2, 'little')
    else:
        function.put(b'\xbb' + operand(r, 2))   # pushr: not to be taken for a mask
    for _ in range(r.between(3, 9)):
        for _ in range(r.below(4)):
            opcode, sizes = r.pick(FILLERS)
            function.put(bytes([opcode]) + b''.join(operand(r, SIZES[s]) for s in sizes))
        what, routine = r.below(10), 4 * r.below(FUNCTIONS // 4) + 3
        if what < 4:
            function.put(bytes([0xfb, r.below(8), 0xef]), (4, r.pick(callees), 0))
        elif what == 4:
            function.put(bytes([0xfa]) + operand(r, 1) + b'\xef', (4, r.pick(callees), 0))
        elif what == 5:
            function.put(b'\x16\xef', (4, routine, 0))
        elif what == 6:
            function.put(b'\x30', (2, routine, 0))
        elif what == 7:
            function.put(bytes([0xfb, r.below(8), 0x60 | r.below(12)]))
        elif what == 8:
            function.put(bytes([0xfb, 0, 0xff]) + number(r, 4))
        else:
            last = r.between(0, 5)
            function.put(bytes([0xcf, 0x50 | r.below(12), 0, last]))
            function.code += number(r, 2 * (last + 1))
    function.put(*r.pick(((b'\x04',), (b'\x17\xef', (4, r.pick(callees), 2)),
                          (b'\x31', (2, routine, 0)))) if has_mask else (b'\x05',))
    return function


def make_program(lister):
    r = Random(75)
    functions = [make_function(r, i) for i in range(FUNCTIONS)]
    starts, at = [], BASE
    for function in functions:
        starts.append(at)
        at += len(function.code)
    image, code, places, callers = Image('vax'), bytearray(), set(), {}
    for function, start in zip(functions, starts):
        for behind, size, name, skipped in function.holes:
            distance = starts[name] + skipped - start - behind
            function.code[behind - size:behind] = (distance % (1 << 8 * size)).to_bytes(size, 'little')
        code += function.code
        places |= {start + s for s in function.starts}
        callers.update({start + s: start for s in function.starts})
        image.symbol('f%d' % function.name, start, len(function.code))
    calls = set()
    for place, (_, text) in lister.list(BASE, bytes(code) + bytes(64), places).items():
        mnemonic, operands = (text.split(' ', 1) + [''])[:2]
        kind = {'CALLS': 'call', 'CALLG': 'call', 'JSB': 'call', 'BSBW': 'call', 'JMP': 'tail',
                'BRW': 'tail'}.get(mnemonic)
        aim = re.search(r'(?:^|,)([0-9A-F]+)$', operands)
        if kind and aim:
            to = int(aim.group(1), 16) - (2 if mnemonic == 'JMP' else 0)
            if to in starts and not (kind == 'tail' and callers[place] == to):
                calls.add((callers[place], to, kind))
    image.section('.text', BASE, bytes(code))
    pack('vax.xz', image.bytes())
    pack('vax.calls.xz', pack_calls(calls))
    kinds = [kind for _, _, kind in calls]
    print('vax: %d calls, %d tail calls' % (kinds.count('call'), kinds.count('tail')))


if __name__ == '__main__':
    simulator = Lister(sys.argv[1] if len(sys.argv) > 1 else 'vax780')
    make_listing(simulator)
    make_program(simulator)

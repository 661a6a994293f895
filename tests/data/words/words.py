#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What objdump says of single instructions of machines that capstone does not know.

    words.py make [NAME...]         records it, with the objdump of the target or $OBJDUMP
    words.py check NAME PROGRAM     holds tests/tools/scan-words, as built for the scanner, against it

The instructions are random, with every value of the bits that distinguish them. What is kept are
those that are calls or jumps to an address: number, kind, and where it leads to.
"""
import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ADDRESS = 0x40100000
COUNT = 1 << 20
CALL, INDIRECT, TAIL = 0, 1, 2
LINE = re.compile(r'^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*(.*)$')


def lot(seed):
    """A random number of 32 bits; faster than tests/tools/lcg.py."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xffffffffffffffff
        yield state >> 32


def riscv_items():
    r = lot(243)
    for half in range(1 << 16):
        if half & 3 != 3:
            yield struct.pack('<4H', half, 1, 1, 1)
    # Opcode and register, and all else random; instructions of more than 8 bytes do not fit in here.
    for i in range(COUNT):
        low = (i & 0x3ff) << 2 | 3
        yield struct.pack('<2I', next(r) & ~0xfff | (low if low & 0x7f != 0x7f else 0x33), 0x13)
    # The upper part of a distance, and the jump that has the lower part, mostly of one register.
    for i in range(COUNT >> 4):
        register, draw = i & 31, next(r)
        if register == 4:               # objdump does not follow what is in it
            continue
        other = register if draw & 7 else draw >> 3 & 31
        yield struct.pack('<2I', next(r) & ~0xfff | register << 7 | 0x17,
                          next(r) & 0xfff07000 & (0xffff8fff if draw & 0x700 else ~0) |
                          other << 15 | (i >> 5 & 31) << 7 | 0x67)


def riscv_kind(link):
    return {'zero': TAIL, 'x0': TAIL, 'x1': CALL, 'x5': CALL}.get(link)


def riscv_verdict(texts):
    """texts: (name, operands) of the instructions of an item."""
    (name, operands), behind = texts[0], texts[1:]
    fields = re.split('[,()# ]+', operands)
    if name in ('c.j', 'c.jal'):
        return (TAIL if name == 'c.j' else CALL), int(fields[0], 16)
    if name == 'jal':
        return riscv_kind(fields[0]), int(fields[1], 16)
    # What is written to register 0 is lost: the jump alone leads where objdump says.
    if name == 'auipc' and fields[0] != 'x0' and behind and behind[0][0] == 'jalr':
        jump = re.match(r'(\w+),-?\d+\((\w+)\) # (?:0x)?([0-9a-f]+)', behind[0][1])
        if jump and jump.group(2) == fields[0]:
            return riscv_kind(jump.group(1)), int(jump.group(3), 16)
    return None, 0


def alpha_items():
    r = lot(0x9026)
    # Opcode, register, and the upper bits of a distance, which tell jumps apart.
    for i in range(COUNT):
        draw = next(r)
        yield struct.pack('<2I', (i & 0x3f) << 26 | (i >> 6 & 31) << 21 | draw & 0x1f3fff |
                          (i >> 11 & 3) << 14, 0x47ff041f)


def alpha_verdict(texts):
    name, operands = texts[0]
    if name == 'bsr':
        return CALL, int(operands.split(',')[1], 16)
    if name == 'br':
        register, target = operands.split(',') if ',' in operands else ('zero', operands)
        return (TAIL, int(target, 16)) if register == 'zero' else (None, 0)
    return (INDIRECT if name in ('jsr', 'jsr_coroutine', 'jcr') else None), 0


def halves_items(behind):
    def items():
        r = lot(8)
        # All first halves; calls through registers have few values of the second one.
        for i in range(COUNT >> 2):
            draw = next(r)
            second = draw & 0xffff if draw >> 16 & 3 else (draw & 0xf000) | 0xf3c
            yield struct.pack('<4H', i & 0xffff, second, behind, behind)
    return items


def mips_verdict(texts):
    name, operands = texts[0]
    if name in ('jal', 'jals', 'jalx', 'bal', 'bals'):
        return CALL, int(operands, 16) & ~1     # the lowest bit is the set of instructions
    if name in ('j', 'b'):
        return TAIL, int(operands, 16) & ~1
    is_call = name.startswith('jalr') and ',' not in operands
    return (INDIRECT if is_call else None), 0


# name: (triplet, options, arguments of scan-words, items, verdict)
KINDS = {
    'riscv32': ('riscv64-linux-gnu', '-m riscv:rv32 -M numeric,no-aliases', '32 0', riscv_items, riscv_verdict),
    'riscv64': ('riscv64-linux-gnu', '-m riscv:rv64 -M numeric,no-aliases', '64 0', riscv_items, riscv_verdict),
    'alpha': ('alpha-linux-gnu', '-m alpha', '64 0', alpha_items, alpha_verdict),
    'micromips': ('mips-linux-gnu', '-m mips:micromips -EL', '32 0x72001000 $m', halves_items(0xc00),
                  mips_verdict),
    'mips16': ('mips-linux-gnu', '-m mips:16 -EL', '32 0x74001000 $s', halves_items(0x6500),
               mips_verdict),
}


def make(name):
    triplet, options, _, items, verdict = KINDS[name]
    rows = []

    def settle(number, texts):
        kind, to = verdict(texts) if texts else (None, 0)
        if kind is not None:
            rows.append('%d %d %x\n' % (number, kind, to))
    with tempfile.NamedTemporaryFile() as f:
        f.writelines(items())
        f.flush()
        listing = subprocess.Popen([os.environ.get('OBJDUMP', triplet + '-objdump'), '-D', '-z', '-b',
                                    'binary', '--adjust-vma=%#x' % ADDRESS] + options.split() +
                                   [f.name], stdout=subprocess.PIPE, universal_newlines=True)
        number, texts = -1, []
        for line in listing.stdout:
            match = LINE.match(line)
            if not match:
                continue
            here, within = divmod(int(match.group(1), 16) - ADDRESS, 8)
            if here != number:
                assert within == 0
                settle(number, texts)
                number, texts = here, []
            texts.append(match.group(2, 3))
        settle(number, texts)
    with open(os.path.join(HERE, name + '.xz'), 'wb') as f:
        f.write(lzma.compress(''.join(rows).encode(), preset=9 | lzma.PRESET_EXTREME))
    print('%s: %d of %d' % (name, len(rows), number + 1))


def check(name, program):
    arguments, items = KINDS[name][2:4]
    bits, *rest = arguments.split()
    with lzma.open(os.path.join(HERE, name + '.xz')) as f:
        wanted = f.read().decode().splitlines()
    got = subprocess.run([program, bits, str(ADDRESS)] + rest, input=b''.join(items()), check=True,
                         stdout=subprocess.PIPE).stdout.decode().splitlines()
    for what, extra in (('missing', set(wanted) - set(got)), ('too many', set(got) - set(wanted))):
        if extra:
            print('%s: %d %s: %s' % (name, len(extra), what, ', '.join(sorted(extra)[:8])))
    return got != wanted or len(wanted) < 1000


if __name__ == '__main__':
    if sys.argv[1] == 'check':
        sys.exit(check(*sys.argv[2:]))
    for one in sys.argv[2:] or KINDS:
        make(one)

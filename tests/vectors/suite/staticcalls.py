# SPDX-License-Identifier: Apache-2.0
"""Calls that stand in the code (-c): the machines that GNU gprof knows, and what it says of others.

Code is words by hand, or random: dense functions, and distances that reach them.
"""
import struct

from elfimage import FUNC, NOTYPE, Image
from gmonfile import Profile
from lcg import Random

T = 0x401000
LAST = 64       # bytes between the code and the symbol with the highest address, which has no end

# Images whose machine GNU gprof's object library does not know, or names: machine, e_flags.
UNKNOWN = (('arm', None), ('arm', 0x5000800), ('armeb', None), ('ppc', None), ('ppc64', None),
           ('ppc64le', None), ('s390', None), ('s390x', None), ('m68k', None), ('m68k', 0x01000000),
           ('m68k', 0x00810000), ('m68k', 0x02000000), ('m68k', 0x1), ('m68k', 0x12),
           ('m68k', 0x23), ('m68k', 0x45), ('m68k', 0x66), ('m68k', 0x8017), ('sh', None),
           ('sh', 9), ('sh', 0x11), ('sh', 7), ('hppa', None), ('riscv32', None),
           ('riscv64', None), ('ia64', None), ('vax', None))

# Bytes of .ARM.attributes: architecture, name of the processor.
ARM = ((0, b''), (2, b''), (4, b''), (4, b'XSCALE'), (4, b'IWMMXT2'), (10, b'CORTEX-A8'),
       (11, b''), (13, b''), (14, b''), (17, b''), (22, b''))


def words(order, *values):
    return b''.join(struct.pack(order + 'I', v & 0xffffffff) for v in values)


def code_image(machine, code, step=16, base=T, before=0):
    """An image of functions f0, f1, ..."""
    image = Image(machine)
    image.section('.text', base - before, bytes(before) + code + bytes(2 * LAST))
    for i in range(len(code) // step):
        image.symbol('f%d' % i, base + i * step, step)
    return image.symbol('zz_end', base + len(code) + LAST, 16)


def covering(image, low, high):
    return Profile.of(image).histogram(low, high, [1] * ((high - low) // 4))


# -- by hand --------------------------------------------------------------------------------------

def x86_code(base):
    def call(at, to):
        return b'\xe8' + struct.pack('<I', (to - at - 5) & 0xffffffff)
    parts = (call(16, 32), call(32, 16) + call(37, 64) + b'\xe8' + call(43, 64), b'',
             call(64, 81) + b'\xff\xd0' + b'\xe9\0\0\0\0', b'\xc3', call(96, 64))
    return bytes(16) + b''.join(p + b'\x90' * (16 - len(p)) for p in parts)


def fixed_codes():
    """machine, words"""
    def near(op, at, to, bits=26):
        return op | ((to - at) >> 2) & ((1 << bits) - 1)
    aarch64 = (near(0x94000000, 16, 32), near(0x94000000, 20, 16), near(0x14000000, 24, 32),
               0x54000020, near(0x94000000, 32, 16), 0xd63f0000, 0xd61f0020,
               near(0x94000000, 44, 68), near(0x94000000, 48, 64), 0xd503201f, 0xd503201f,
               near(0x14000000, 60, 16))

    def jal(to):
        return 0x0c000000 | ((T + to) >> 2) & 0x3ffffff
    mips = (jal(32), 0, jal(16), 0, jal(16), jal(36), 0x0320f809, 0x0320f809, 0x03200008,
            0x04110002, 0x08100410, jal(64), 0x0320c009)
    sparc = (near(0x40000000, 16, 32, 30), 0x01000000, 0x40000008, 0x01000000, 0xc0000010,
             0x80000020, 0x9fc24000, near(0x40000000, 60, 64, 30))

    def bsr(distance):
        return 0xd3400000 | distance & 0x1fffff
    alpha = (bsr(12), bsr(4), bsr(-8), bsr(3), 0x6b5b4000, 0x6bfb0000, 0x6bfa8001, 0x6b5bc000,
             bsr(20), bsr(28), 0xc3e00004, 0x47ff041f)
    return (('aarch64', aarch64), ('aarch64eb', aarch64), ('mips', mips), ('mipsel', mips),
            ('mips64', mips), ('sparc', sparc), ('sparc64', sparc), ('alpha', alpha))


def by_hand(t):
    for machine, base in (('x86_64', T), ('x32', T), ('i386', T), ('x86_64', 0x400001000)):
        name = machine + ('-high' if base != T else '')
        image = code_image(machine, x86_code(base), base=base)
        t.put(name, image)
        t.put(name + '.gmon', covering(image, base, base + 112).arc(base + 8, base + 16, 1))
        for listing in ('-q', '-q -z', '-T'):
            t.case('%s%s' % (name, listing.replace(' ', '')),
                   '-b -c %s %s %s.gmon' % (listing, name, name), 'distances have no sign')
    for machine, code in fixed_codes():
        order = Image(machine).order
        image = code_image(machine, bytes(16) + words(order, *code) + bytes(32 - len(code) * 4 % 16))
        t.put(machine, image)
        t.put(machine + '.gmon', covering(image, T, T + 80).arc(T + 8, T + 16, 1))
        t.case(machine, '-b -c %s %s.gmon' % (machine, machine), every_machine=True)
        t.case(machine + '-order', '-b -c -r %s %s.gmon' % (machine, machine), every_machine=True)


# -- random ---------------------------------------------------------------------------------------

def lot_word(r, machine, many):
    distance = r.between(-many, many)
    if machine.startswith('aarch64'):
        return r.pick((0x94000000, 0x14000000, 0x54000000)) | distance & 0x3ffffff
    if machine.startswith('mips'):
        target = ((T >> 2) + r.below(many)) & 0x3ffffff
        return r.pick((0x0c000000 | target, 0x0c000000 | target, 0x08000000 | target, 0x0320f809,
                       0x04110000 | r.below(many), 0x00800009 | r.below(32) << 11))
    if machine.startswith('sparc'):
        return r.pick((0, 0x40000000, 0x40000000, 0x80000000, 0xc0000000)) | 4 * distance & 0x3fffffff
    return r.pick((0xd3400000 | distance & 0x1fffff, 0xd3400000 | 4 * distance & 0x1fffff,
                   0xd3400000 | 4 * distance & 0x1fffff, 0x6b5b0000 | r.below(4) << 14,
                   0xc3e00000 | r.below(many)))


def lot_code(r, machine, size):
    if Image(machine).number in (3, 62):
        code = b''
        while len(code) < size:
            code += (b'\xe8' + struct.pack('<i', r.between(-size, size)) if r.chance(40)
                     else bytes([r.pick((0xe8, 0xe9, 0x90, 0xff, r.below(256)))]))
        return code[:size]
    order = Image(machine).order
    return words(order, *(lot_word(r, machine, size // 4) for _ in range(size // 4)))


def lot_image(r, machine, size):
    """Functions of all sizes, with gaps in between, some not typed; first addresses of them, too."""
    base, step = T + r.pick((0, 0, 0, 1, 2, 3)), r.pick((1, 3, 4, 4, 8, 8, 16, 20))
    image, starts, at = Image(machine), [], base
    before = r.pick((0, 0, 32))
    image.section('.text', base - before, bytes(before) + lot_code(r, machine, size) + bytes(2 * LAST))
    while at < base + size:
        image.symbol('f%d' % len(starts), at, step, kind=NOTYPE if r.chance(25) else FUNC)
        starts.append(at)
        at += step if r.chance(80) else 2 * step
    image.symbol('zz_end', base + size + LAST, 16)
    return image, starts


def lot_profile(r, image, starts, size):
    low = starts[0] + r.pick((0, 0, 0, -16, 4, 33))
    high = low + (size + r.pick((0, 0, 0, -16, -48))) // 8 * 8
    middle = low + (high - low) // 16 * 8
    ranges = r.pick(([(low, high)], [(low, high)], [(low, middle), (middle, high)],
                     [(middle, high), (low, middle)], [(middle, high)], []))
    profile = Profile.of(image)
    for range_low, range_high in ranges:
        profile.histogram(range_low, range_high, [1] * ((range_high - range_low) // 4))
    for _ in range(r.pick((3, 10, 60))):
        profile.arc(r.pick(starts), r.pick(starts), r.pick((0, 1, 1, 2, 5, 100)))
    return profile


def by_lot(t):
    listings = ('-q', '-q', '-q -z', '-T', '-r', '-k f3/f4', '-ff1 -q', '-qf2/', '-Ef2', '-p -q -C')
    for machine, count in (('x86_64', 8), ('i386', 4), ('x32', 2), ('aarch64', 6), ('aarch64eb', 2),
                           ('mips', 6), ('mipsel', 3), ('mips64', 3), ('sparc', 5), ('sparc64', 4),
                           ('alpha', 8)):
        for seed in range(1, count + 1):
            r = Random(100 * count + seed)
            size = r.pick((64, 96, 96, 160))
            name = 'lot-%s-%d' % (machine, seed)
            image, starts = lot_image(r, machine, size)
            t.put(name, image)
            t.put(name + '.gmon', lot_profile(r, image, starts, size))
            t.case(name, '-b -c %s %s %s.gmon' % (r.pick(listings), name, name),
                   every_machine=Image(machine).number not in (3, 62))


# -- machines whose calls GNU gprof does not know -------------------------------------------------

class Flagged:
    """An image with other e_flags, or of another system."""

    def __init__(self, image, flags=None, system=0):
        self.image, self.system = image, system
        if flags is not None:
            image.flags = flags

    def bytes(self):
        data = bytearray(self.image.bytes())
        data[7] = self.system
        return bytes(data)


def attributes(order, pairs):
    data = b''.join(bytes([tag]) + (value + b'\0' if isinstance(value, bytes) else bytes([value]))
                    for tag, value in pairs)
    data = b'\x01' + struct.pack(order + 'I', len(data) + 5) + data
    data = b'aeabi\0' + data
    return b'A' + struct.pack(order + 'I', len(data) + 4) + data


def other_machines(t):
    def put(name, image, made=None):
        t.put(name, made or image)
        t.put(name + '.gmon', covering(image, T, T + 64).arc(T + 8, T + 16, 1))
        t.case(name, '-b -c -q %s %s.gmon' % (name, name), every_machine=True)
    for machine, flags in UNKNOWN:
        image = code_image(machine, bytes(64))
        name = 'on-' + machine + ('' if flags is None else '-%x' % flags)
        put(name, image, Flagged(image, flags))
    for flags in (0x20b, 0x210, 0x214):
        image = code_image('hppa', bytes(64))
        put('on-hppa-linux-%x' % flags, image, Flagged(image, flags, system=3))
    for number, (architecture, processor) in enumerate(ARM):
        for machine in ('arm', 'armeb') if number == 5 else ('arm',):
            image = code_image(machine, bytes(64))
            image.section('.ARM.attributes', 0, attributes(image.order, (
                (67, b'2.09'), (5, processor), (6, architecture), (8, 1))), 0, 0x70000003)
            put('on-%s-attributes-%d' % (machine, number), image)
    image = code_image('riscv64', bytes(64))
    t.put('riscv', image)
    t.put('samples.gmon', covering(image, T, T + 64))
    t.put('calls.gmon', Profile.of(image).arc(T + 8, T + 16, 1))
    t.put('elsewhere.gmon', covering(image, T + 0x1000, T + 0x1040).arc(T + 8, T + 16, 1))
    for profile in ('samples', 'calls', 'elsewhere'):
        for listing in ('-p', '-q', '-r', '-i', '-s', '-P'):
            t.case('told-%s%s' % (profile, listing), '-b -c %s riscv %s.gmon' % (listing, profile),
                   'only a graph of calls is added to', every_machine=True)


def define(t):
    by_hand(t)
    by_lot(t)
    other_machines(t)

# SPDX-License-Identifier: Apache-2.0
"""Programs of hand-made code whose profiles have rounded call sites, as collectors write them."""
import struct

from elfimage import Image
from gmonfile import Profile


def _word(value, order):
    return struct.pack(order + 'I', value & 0xffffffff)


# A direct call and a call through a register: code of (where it stands, where it leads to) and how far
# behind its start the address is that the callee sees.
CALLS = {
    'x86_64': (lambda at, to: b'\xe8' + struct.pack('<i', to - at - 5), 5, b'\xff\xd0', 2),
    'i386': (lambda at, to: b'\xe8' + struct.pack('<i', to - at - 5), 5, b'\xff\xd0', 2),
    'aarch64': (lambda at, to: _word(0x94000000 | (to - at) // 4 & 0x3ffffff, '<'), 4,
                _word(0xd63f0000, '<'), 4),
    'arm': (lambda at, to: _word(0xeb000000 | (to - at - 8) // 4 & 0xffffff, '<'), 4,
            _word(0xe12fff33, '<'), 4),
    'mips': (lambda at, to: _word(0x0c000000 | to // 4 & 0x3ffffff, '>') + bytes(4), 8,
             _word(0x0320f809, '>') + bytes(4), 8),
    'ppc64': (lambda at, to: _word(0x48000001 | (to - at) & 0x3fffffc, '>'), 4,
              _word(0x4e800421, '>'), 4),
    's390x': (lambda at, to: b'\xc0\xe5' + struct.pack('>i', (to - at) // 2), 6, b'\x0d\xe1', 2),
    'sparc': (lambda at, to: _word(0x40000000 | (to - at) // 4 & 0x3fffffff, '>'), 0,
              _word(0x9fc04000, '>'), 0),
    'm68k': (lambda at, to: b'\x61\xff' + struct.pack('>i', to - at - 2), 6, b'\x4e\x90', 2),
    'alpha': (lambda at, to: _word(0xd3400000 | (to - at - 4) // 4 & 0x1fffff, '<'), 4,
              _word(0x6b5b4000, '<'), 4),
    'vax': (lambda at, to: b'\xfb\x00\xef' + struct.pack('<i', to - at - 7), 7, b'\xfb\x00\x60', 3),
    'riscv64': (lambda at, to: _word(0x97 | (to - at + 0x800) & 0xfffff000, '<') +
                _word(0x80e7 | ((to - at) & 0xfff) << 20, '<'), 8, _word(0x000780e7, '<'), 4),
}
POINTER = object()      # the callee of a call through a register


class Program:
    """Functions at given distances from LOW; each body is a list of names that it calls, POINTER, and
    bytes. `ENOUGH` functions of their own call the first one, so that how call sites were rounded can
    be seen."""

    LOW, ENOUGH = 0x401000, 8

    def __init__(self, machine, quantum, functions, others=ENOUGH):
        self.machine, self.quantum = machine, quantum
        self.make, self.back, self.through, self.through_back = CALLS[machine]
        first = next(iter(functions))
        self.places = {name: place for name, (place, _) in functions.items()}
        bodies = {name: body for name, (_, body) in functions.items()}
        end, step = max(self.places.values()) + 64 & -64, 64 + quantum
        for i in range(others):
            self.places['other%d' % i] = end + i * step
            bodies['other%d' % i] = [first]
        self.end = self.LOW + end + others * step
        self.image, text = Image(machine), bytearray(self.end - self.LOW)
        self.sites = {}     # (caller, number of the call in it): address that the callee sees
        for name, body in bodies.items():
            code = self._code(name, body)
            text[self.places[name]:self.places[name] + len(code)] = code
            self.image.symbol(name, self.LOW + self.places[name], max(len(code), 2))
        self.image.section('.text', self.LOW, bytes(text))
        self.inside = {}    # callee: how far behind its entry the profiling runtime sees it, if not there
        self.arcs = [('other%d' % i, 0, first, 1) for i in range(others)]

    def _code(self, name, body):
        code, calls = b'', 0
        for part in body:
            if isinstance(part, bytes):
                code += part
                continue
            at = self.LOW + self.places[name] + len(code)
            back = self.through_back if part is POINTER else self.back
            self.sites[name, calls] = at + back
            calls += 1
            code += self.through if part is POINTER else self.make(at, self.LOW + self.places[part])
        return code

    def site(self, caller, call=0):
        """What the collector makes of an address."""
        at = self.sites[caller, call] - self.LOW
        return self.LOW + at - at % self.quantum

    def write(self, arcs, image='program', profile='gmon'):
        """`arcs`: (caller, number of its call, callee, count), or an address in place of the first two."""
        with open(image, 'wb') as file:
            file.write(self.image.bytes())
        made = Profile.of(self.image).histogram(self.LOW, self.end, [0] * 16)
        for caller, call, callee, count in self.arcs + list(arcs):
            site = caller if isinstance(caller, int) else self.site(caller, call)
            made.arc(site, self.LOW + self.places[callee] + self.inside.get(callee, 0), count)
        with open(profile, 'wb') as file:
            file.write(made.bytes())

# SPDX-License-Identifier: Apache-2.0
"""The targets of the fixtures, and what their disassemblers call a call."""
import lzma
import os

HERE = os.path.dirname(os.path.abspath(__file__))


class Target:
    """`calls`, `jumps`: mnemonics of direct calls, and of jumps that can be tail calls.
    `local_entry`: calls can lead this number of bytes behind the entry of a function."""

    def __init__(self, name, triplet, calls, jumps, options='', local_entry=0):
        self.name, self.triplet, self.options = name, triplet, options.split()
        self.calls, self.jumps, self.local_entry = calls.split(), jumps.split(), local_entry

    def kind_of(self, mnemonic, operands):
        """'call', 'tail' or None."""
        if mnemonic not in self.jumps:
            mnemonic = mnemonic.split(',')[0]
        if mnemonic in ('addr32', 'data16', 'bnd', 'notrack'):
            mnemonic = operands.split()[0]
        # Of these, the register that is written tells: one that is none keeps nothing.
        if mnemonic in ('jal', 'br') and operands.startswith(('zero,', 'zero ')):
            return 'tail'
        return 'call' if mnemonic in self.calls else 'tail' if mnemonic in self.jumps else None

    def program(self):
        with lzma.open(os.path.join(HERE, self.name + '.xz')) as f:
            return f.read()

    def expected(self):
        """{(address of the caller, address of the callee, kind)}"""
        with lzma.open(os.path.join(HERE, self.name + '.calls.xz')) as f:
            return {(int(a, 16), int(b, 16), kind)
                    for a, b, kind in (line.split() for line in f.read().decode().splitlines())}


def pack_calls(calls):
    return ''.join('%x %x %s\n' % call for call in sorted(calls)).encode()


CONDITIONS = 'eq ne cs cc mi pl vs vc hi ls ge lt gt le'.split()
ARM = 'b b.n b.w ' + ' '.join('b%s b%s.n b%s.w' % (c, c, c) for c in CONDITIONS)
X86 = 'jmp ' + ' '.join('j' + c for c in 'a ae b be c e g ge l le na nae nb nbe ne ng nge nl nle '
                        'no np ns nz o p pe po s z'.split())
SPARC = 'b b,a ba ba,a ba,pt ba,pn ba,a,pt ba,a,pn'
M68K = 'bra bras braw bral jmp ' + ' '.join(
    'b%s b%ss b%sw b%sl' % ((c,) * 4) for c in 'hi ls cc cs ne eq vc vs pl mi ge lt gt le'.split())

TARGETS = [
    Target('x86-64', 'x86_64-linux-gnu', 'call', X86),
    Target('i386', 'i686-linux-gnu', 'call', X86),
    Target('x32', 'x86_64-linux-gnux32', 'call', X86),
    Target('aarch64', 'aarch64-linux-gnu', 'bl', 'b'),
    Target('aarch64eb', 'aarch64-linux-gnu', 'bl', 'b', '-mbig-endian'),
    Target('arm', 'arm-linux-gnueabihf', 'bl blx', ARM, '-marm'),
    Target('armeb', 'arm-linux-gnueabihf', 'bl blx', ARM, '-marm -mbig-endian -Wl,--be8'),
    Target('armeb32', 'arm-linux-gnueabihf', 'bl blx', ARM,
           '-marm -mbig-endian -march=armv5te -mfloat-abi=soft'),
    Target('thumb', 'arm-linux-gnueabihf', 'bl blx', ARM, '-mthumb'),
    Target('mips', 'mips-linux-gnu', 'jal bal', 'j b', '-mno-abicalls -G0'),
    Target('mipsel', 'mipsel-linux-gnu', 'jal bal', 'j b', '-mno-abicalls -G0'),
    Target('mips64', 'mips64-linux-gnuabi64', 'jal bal', 'j b', '-mno-abicalls -msym32 -G0'),
    Target('micromips', 'mips-linux-gnu', 'jal jals jalx bal bals', 'j b',
           '-mno-abicalls -G0 -mmicromips'),
    Target('mips16', 'mipsel-linux-gnu', 'jal jalx', 'b', '-mno-abicalls -G0 -mips16 -msoft-float'),
    Target('mips-mixed', 'mips-linux-gnu', 'jal jalx', 'j b',
           '-mno-abicalls -G0 -mips16 -mflip-mips16 -minterlink-compressed -msoft-float'),
    Target('sparc64', 'sparc64-linux-gnu', 'call', SPARC),
    Target('sparc', 'sparc64-linux-gnu', 'call', SPARC, '-m32'),
    Target('alpha', 'alpha-linux-gnu', 'bsr', 'br', '-msmall-text -mexplicit-relocs',
           local_entry=8),
    Target('powerpc', 'powerpc-linux-gnu', 'bl', 'b'),
    Target('ppc64le', 'powerpc64le-linux-gnu', 'bl', 'b', local_entry=8),
    Target('riscv64', 'riscv64-linux-gnu', 'jal', 'j'),
    Target('riscv32', 'riscv64-linux-gnu', 'jal', 'j', '-march=rv32imac -mabi=ilp32'),
    Target('m68k', 'm68k-linux-gnu', 'bsr bsrs bsrw bsrl jsr', M68K),
    Target('s390x', 's390x-linux-gnu', 'brasl bras', 'jg j'),
    Target('vax', None, '', ''),        # by vax.py
]

SCANNERS = {'x86_64': 'x86', 'i686': 'x86', 'riscv64': 'riscv', 'powerpc64le': 'ppc',
            'powerpc': 'ppc', 'mips64': 'mips', 'sparc64': 'sparc'}


class Linked(Target):
    """A program that calls functions of a library, and takes addresses of its own ones. `links`:
    how objdump shows the former, as stubs ('plt') or not ('got'). `takes`: whether the scanner
    knows how the latter is done here."""

    def __init__(self, name, triplet, links, options, takes=True):
        like = next(t for t in TARGETS if t.triplet == triplet)
        super().__init__(name, triplet, ' '.join(like.calls), ' '.join(like.jumps), options)
        self.links, self.takes = links, takes
        machine = triplet.split('-')[0]
        self.scanner = 'findcall-' + SCANNERS.get(machine, machine)

    def expected(self):
        """{(address of the caller, name of the callee, kind)}"""
        with lzma.open(os.path.join(HERE, self.name + '.calls.xz')) as f:
            return {(int(a, 16), name, kind)
                    for a, name, kind in (line.split() for line in f.read().decode().splitlines())}


LINKED = [
    Linked('x86-64-plt', 'x86_64-linux-gnu', 'plt', '-fPIE -pie'),
    Linked('x86-64-fixed', 'x86_64-linux-gnu', 'plt', '-fno-pie -no-pie'),
    Linked('x86-64-marked', 'x86_64-linux-gnu', 'plt', '-fPIE -pie -fcf-protection -Wl,-z,ibtplt'),
    Linked('x86-64-got', 'x86_64-linux-gnu', 'got', '-fPIE -pie -fno-plt'),
    Linked('i386-fixed', 'i686-linux-gnu', 'plt', '-fno-pie -no-pie'),
    Linked('i386-plt', 'i686-linux-gnu', 'plt', '-fPIE -pie'),
    Linked('i386-marked', 'i686-linux-gnu', 'plt', '-fPIE -pie -fcf-protection -Wl,-z,ibtplt'),
    Linked('i386-got', 'i686-linux-gnu', 'got', '-fPIE -pie -fno-plt'),
    Linked('aarch64-plt', 'aarch64-linux-gnu', 'plt', '-fPIE -pie'),
    Linked('aarch64-marked', 'aarch64-linux-gnu', 'plt',
           '-fno-pie -no-pie -mbranch-protection=standard -Wl,-z,force-bti,-z,pac-plt'),
    Linked('aarch64-got', 'aarch64-linux-gnu', 'got', '-fPIE -pie -fno-plt'),
    Linked('aarch64eb-plt', 'aarch64-linux-gnu', 'plt', '-fPIE -pie -mbig-endian'),
    Linked('arm-plt', 'arm-linux-gnueabihf', 'plt', '-fno-pie -no-pie -marm'),
    Linked('armeb-plt', 'arm-linux-gnueabihf', 'plt',
           '-fno-pie -no-pie -marm -mbig-endian -Wl,--be8'),
    Linked('arm-pool', 'arm-linux-gnueabihf', 'plt',
           '-fno-pie -no-pie -marm -march=armv5te -mfloat-abi=soft'),
    Linked('thumb-plt', 'arm-linux-gnueabihf', 'plt', '-fno-pie -no-pie -mthumb'),
    Linked('riscv64-plt', 'riscv64-linux-gnu', 'plt', '-fPIE -pie'),
    Linked('riscv64-fixed', 'riscv64-linux-gnu', 'plt', '-fno-pie -no-pie'),
    Linked('riscv32-plt', 'riscv64-linux-gnu', 'plt',
           '-fno-pie -no-pie -march=rv32imac -mabi=ilp32'),
    Linked('ppc64le-plt', 'powerpc64le-linux-gnu', 'plt', '-fPIE -pie'),
    Linked('ppc64le-got', 'powerpc64le-linux-gnu', 'got', '-fPIE -pie -fno-plt -mlongcall'),
    Linked('powerpc-plt', 'powerpc-linux-gnu', 'plt', '-fno-pie -no-pie'),
    Linked('s390x-plt', 's390x-linux-gnu', 'plt', '-fPIE -pie'),
    Linked('mips-got', 'mips-linux-gnu', 'got', '-fPIE -pie', takes=False),
    Linked('mips64-got', 'mips64-linux-gnuabi64', 'got', '-fPIE -pie', takes=False),
    Linked('sparc64-plt', 'sparc64-linux-gnu', 'plt', '-fno-pie -no-pie -mcmodel=medlow'),
    Linked('sparc-plt', 'sparc64-linux-gnu', 'plt', '-fno-pie -no-pie -m32'),
    Linked('alpha-got', 'alpha-linux-gnu', 'got', '-fno-pie -no-pie'),
    Linked('m68k-plt', 'm68k-linux-gnu', 'plt', '-fno-pie -no-pie'),
]

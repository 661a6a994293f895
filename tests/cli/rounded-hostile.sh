#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Call sites in doubt where anything can stand: code of chance, cut instructions, addresses at the end of all that
# there are. Reports end well, and are the same for any number of threads.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the programs'
from elfimage import Image
from gmonfile import Profile
from lcg import Random

random = Random(2026)

def write(number, machine, low, size):
    code = bytearray(random.below(256) for _ in range(size))
    for _ in range(size // 16):             # calls, many of which are whole
        code[random.below(size)] = random.pick([0xe8, 0xff, 0x94, 0x0c, 0x40, 0xc0, 0x61])
    image = Image(machine)
    image.section('.text', low, bytes(code))
    starts = sorted({random.below(size) for _ in range(size // 12)})
    if machine not in ('x86_64', 'i386'):
        starts = sorted({at & ~3 for at in starts})
    for i, at in enumerate(starts):
        image.symbol('f%d' % i, low + at, random.below(40))
    profile = Profile.of(image).histogram(low, low + size, [1] * 32)
    quantum = random.pick([4, 8, 16, 16])
    for _ in range(300):
        site = low + (random.below(size) & -quantum)
        profile.arc(site, low + random.pick(starts), random.below(100))
    # Ends of the code, and of addresses.
    for site in (size - 1 & -quantum, size - quantum, size):
        profile.arc(low + site, low + starts[-1], 3)
    if number % 5 == 0:
        for site in (0, quantum, -quantum, 1 << 63):
            profile.arc(site, low, 2 ** 32 - 1)
    open('program.%d' % number, 'wb').write(image.bytes())
    open('gmon.%d' % number, 'wb').write(profile.bytes())

machines = ['x86_64'] * 6 + ['i386', 'aarch64', 'arm', 'mips', 'ppc64', 's390x', 'sparc', 'm68k', 'alpha',
                             'riscv64', 'vax']
for number in range(60):
    machine = machines[number % len(machines)]
    bits = Image(machine).bits
    size = 0x400
    write(number, machine, (1 << bits) - size if number % 3 == 0 else 0x401000, size)
END

corrected=0
for number in {0..59}; do
	for how in '' --quantum=64 -l --quantum=2; do
		for threads in 1 7; do
			expect_status 0 "$GPROFX" --no-findings -b -q -i $how --threads=$threads \
				"program.$number" "gmon.$number"
			# There is no debug information.
			sed -i '/warning\[symbols\.no-lines\]/d' err
			expect_undiagnosed
			mv out "out.$threads"
		done
		expect_same out.1 out.7
		! grep -q '[1-9][0-9]* arcs* ([0-9]* calls*) \(moved\|split\)' out.1 || corrected=$((corrected + 1))
	done
done
[ "$corrected" -gt 20 ] || fail "only $corrected of these profiles have calls to move: the test sees nothing"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Numbers of blocks in the wrong byte order, as GNU gprof writes them for images of the other one, and of
# eight bytes, as the GNU C library writes them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the profiles'
	import struct, sys
	from gmonfile import Profile
	from profiled import Program
	host = '<' if sys.byteorder == 'little' else '>'
	for name, machine in (('little', 'x86_64'), ('big', 's390x'), ('big32', 'ppc')):
	    p = Program(['main', 'work', 'idle'], machine)
	    open(name, 'wb').write(p.bytes())
	    pairs = [(p.base, 3), (p.base + 256, 9)]
	    arcs = [('main', 'work', 7)]
	    plain = p.profile({'work': 3}, arcs).blocks(pairs).arc(p.base + 4, p.base, 1)
	    at = p.profile({'work': 3}, arcs).blocks([]).data
	    data = plain.bytes()
	    at = len(at) - 4
	    open(name + '.plain', 'wb').write(data)
	    open(name + '.swapped', 'wb').write(data[:at] + data[at:at + 4][::-1] + data[at + 4:])
	    wide = struct.pack(p.image.order + 'Q', 2)
	    open(name + '.wide', 'wb').write(data[:at] + wide + data[at + 4:])
END

for image in little big big32; do
	for mode in --gnu --threads=1; do
		expect_status 0 "$GPROFX" $mode -b -d2048 $image $image.plain
		expect_match out '^basic block 0x401000: 3 executions$'
		cp out expected
		for form in swapped wide; do
			run "$GPROFX" $mode -b -d2048 $image $image.$form
			case $image.$form$mode in
			little.swapped--gnu | *.wide--gnu | big32.wide*)
				[ "$status" -eq 1 ] || fail "$image.$form is read with $mode"
				;;
			*)
				[ "$status" -eq 0 ] || fail "$image.$form is not read with $mode"
				expect_same expected out
				;;
			esac
		done
	done
done

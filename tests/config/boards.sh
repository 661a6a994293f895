#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Presets of boards: a profile as each system writes it has the calls and samples that it was made of. No board was available:
# the profiles are made after descriptions of the formats. About 1 s.
. "$GPROFX_SOURCE/tests/config/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the profiles'
	import struct
	from elfimage import Image
	from gmonfile import Profile, bsd_profile
	from profiled import Program

	names = ['main', 'work', 'idle', 'more']
	samples, arcs = {'main': 10, 'work': 30}, [('main', 'work', 7), ('work', 'idle', 5)]
	def write(name, data):
	    open(name, 'wb').write(data)
	def program(name, machine):
	    made = Program(names, machine)
	    write(name + '.elf', made.bytes())
	    return made

	arm, big = program('arm', 'arm'), program('armeb', 'armeb')
	raw = [(arm.at(a) + 4, arm.at(b), n) for a, b, n in arcs]

	# A record for each piece of code with samples; the header in the order of the target, counters little-endian.
	data = bytearray(big.empty().bytes())
	for place, count in samples.items():
	    at = big.at(place)
	    data += b'\0' + struct.pack('>IIII', at, at + 16, 8, 977) + b'seconds'.ljust(15, b'\0') + b's' + struct.pack('<8H', 0, count, *[0] * 6)
	write('openocd', data)

	# No section .text; code in flash and in RAM.
	image = Image('riscv32').section('.iram0.text', 0x40380000, bytes(256)).section('.flash.text', 0x42000020, bytes(512))
	for name, address, section in ('work', 0x40380000, '.iram0.text'), ('main', 0x42000020, '.flash.text'), ('idle', 0x42000120, '.flash.text'):
	    image.symbol(name, address, 256, section=section)
	write('esp-idf.elf', image.bytes())
	esp = Profile.of(image)
	for at, count in (0x42000020, 10), (0x40380000, 30):
	    esp.histogram(at, at + 16, [0, count] + [0] * 6, 977)
	write('esp-idf', esp.bytes())

	def old(bins, width, rate, spare, span=None):
	    data = bytearray(bsd_profile(arm.base, span or arm.end, bins, raw, 32, '<', rate))
	    data[20:32] = spare
	    return data
	fine = [0] * ((arm.end - arm.base) // 4)
	for place, count in samples.items():
	    fine[(arm.at(place) - arm.base) // 4 + 3] = count
	write('nuttx', old(fine, 4, 1000, bytes.fromhex('08b4002000000000a5a5a5a5')))
	coarse = [sum(fine[i:i + 4]) for i in range(0, len(fine), 4)]
	write('pico', old(coarse, 16, 10000, bytes(12)))

	write('ecos', arm.profile(samples, arcs, rate=100).bytes())
	half = arm.profile({'main': 5, 'work': 15}, [('main', 'work', 3), ('work', 'idle', 5)]).bytes()
	write('kallistios', half + arm.profile({'main': 5, 'work': 15}, [('main', 'work', 4)]).bytes())
	relative = arm.empty().histogram(arm.base, arm.end, arm.bins(samples))
	for site, callee, count in raw:
	    relative.arc(site - arm.base, callee - arm.base, count)
	write('rt-thread', relative.bytes())
	lonely = arm.empty()
	for site, callee, count in raw:
	    lonely.arc(callee, callee, count)
	write('newlib', lonely.bytes())
	write('zephyr', arm.profile(samples, arcs).bytes())
END

# expect_board PRESET IMAGE: the shares of time are those of the samples.
expect_board() {
	expect_status 0 "$GPROFX" --no-config --preset="$1" -b "$2" "$1"
	expect_undiagnosed
	expect_not_in err 'finding[image.'
	expect_match out '^ 75\.00 .* work$'
	expect_match out '^ 25\.00 .* main$'
}
# The calls, too.
expect_calls() {
	expect_board "$@"
	expect_match out ' 7/7 +work \['
	expect_match out ' 5/5 +idle \['
}

expect_board openocd armeb.elf
expect_in out 'Each sample counts as 0.001'
expect_not_in out idle
# A debugger never counts calls.
expect_in err 'finding[calls.none]'
expect_in err 'go by self times: a debugger'
expect_not_in err 'without -pg'
expect_board esp-idf esp-idf.elf
expect_in err 'go by self times: a debugger'
expect_calls nuttx arm.elf
expect_in out 'Each sample counts as 0.001 seconds.'
# Without the preset, or its option, random memory is reported.
expect_status 0 "$GPROFX" --no-config --preset=embedded -b arm.elf nuttx
expect_one bsd.counter-type
expect_status 0 "$GPROFX" --no-config --set=input-4.4bsd.counters=16-bit -b arm.elf nuttx
expect_undiagnosed
expect_calls pico arm.elf
expect_in out 'Each sample counts as 0.0001 seconds.'
expect_calls ecos arm.elf
expect_calls kallistios arm.elf
expect_in out '40.00'
expect_calls rt-thread arm.elf
expect_calls zephyr arm.elf

# There are only numbers of calls; without the preset, each function calls itself.
expect_status 0 "$GPROFX" --no-config --preset=newlib -b arm.elf newlib
expect_match out '^\[[0-9]+\] .* 7 +work \['
expect_match out ' 5/5 +idle \['
expect_in out '<outside any function>'
expect_status 0 "$GPROFX" --no-config --preset=embedded -b arm.elf newlib
expect_match out '0\+7 +work \['

# Without the preset it is another report, or none.
for board in openocd:armeb kallistios:arm rt-thread:arm newlib:arm; do
	"$GPROFX" --no-config --preset="${board%:*}" -b "${board#*:}.elf" "${board%:*}" >own 2>/dev/null
	"$GPROFX" --no-config --preset=embedded -b "${board#*:}.elf" "${board%:*}" >plain 2>/dev/null
	! cmp -s own plain || fail "the preset ${board%:*} changes nothing"
done
# GNU mode knows none of it.
expect_status 1 "$GPROFX" --gnu --set=input-gmon-magic.appended=true arm.elf kallistios
expect_in err 'bad tag'

# Each board prints its profile on a console.
for board in openocd:armeb esp-idf:esp-idf nuttx:arm pico:arm ecos:arm rt-thread:arm zephyr:arm; do
	od -A x -t x1z "${board%:*}" >"${board%:*}.log"
	expect_status 0 "$GPROFX" --no-config --preset="${board%:*}" -b "${board#*:}.elf" "${board%:*}"
	mv out expected
	expect_status 0 "$GPROFX" --no-config --preset="${board%:*}" -b "${board#*:}.elf" "${board%:*}.log"
	expect_same expected out
done

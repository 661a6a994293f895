#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bsd.*: damaged files, each with the offset of the damage; and what is reported about files that are read.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the profiles'
	from gmonfile import bsd_profile
	from profiled import Program
	program = Program(['main', 'work'])
	low, high = program.base, program.end
	arcs = [(low + 4, low + 256, 3), (low + 8, low, 1)]
	def save(name, data):
	    open(name, 'wb').write(data)
	def made(*how, **named):
	    return bytearray(bsd_profile(low, high, [1, 2, 3], arcs, *how, **named))
	save('old', made())
	save('new', made(rate=50))
	save('header', made(rate=50)[:30])
	save('inverted', bsd_profile(high, low, [1, 2, 3], arcs))
	save('size', made(size=3))
	save('bins', made(rate=50)[:43])
	save('swapped', made(64, '>'))
	save('small', made(32, '<', 50))
	save('tail', made() + b'12345')
	garbage = made(rate=50)
	garbage[28:40] = b'\x99' * 12
	save('garbage', garbage)
	narrow = made(rate=50)
	for place in (46 + 16 + 4, 46 + 24 + 16 + 4):
	    narrow[place:place + 4] = b'\xcc\xcc\xcc\xcc'
	save('narrow', narrow)
	negative = bytearray(bsd_profile(low, high, [0, 0, 0, 0, 0xffff, 0xffff], [], rate=50))
	negative[28] = 32
	negative[28:32] = (-32 & 0xffffffff).to_bytes(4, 'little')
	save('negative', negative)
END

expect_damage header bsd.short-header 0x0 'expected a header, found 30 bytes in all' -O bsd
expect_damage inverted bsd.bad-header 0x0 'expected ascending addresses, found 0x[0-9a-f]+ before 0x401000' -O bsd
expect_damage size bsd.bad-header 0x10 'expected a size of header and bins from 20 to 2147483647, found 3' -O bsd
expect_damage old bsd.bad-version 0x14 'expected the version 0x51879, found 0x20001' -O 4.4bsd
expect_damage bins bsd.short-bins 0x2b 'expected 3 bins, found 1 before the end of file'
expect_damage negative profile.negative-bin 0x30 'expected a count of samples, found a negative one'
# Without -O they are no profiles at all, unless the version stands there.
expect_status 1 "$GPROFX" -b -p program inverted
expect_match err '^gprofx: error\[profile\.not-a-profile\]: inverted: no installed reader '
expect_status 1 "$GPROFX" -b -p program size
expect_match err '^gprofx: error\[profile\.not-a-profile\]: size: no installed reader '

expect_status 0 "$GPROFX" -b program old
expect_undiagnosed
cp out old.out
expect_status 0 "$GPROFX" -b program new
expect_undiagnosed
cp out new.out

# told NAME EXPECTED ID OFFSET TEXT: it is read as if nothing were the matter, with one warning.
told() {
	expect_status 0 "$GPROFX" -b program "$1"
	expect_same "$2.out" out
	[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
	expect_match err "^gprofx: warning\\[$3\\]: $1:$4: $5\$"
	expect_match err '^  hint: .'
}

told swapped old bsd.other-layout 0x0 \
	'.* little-endian profile with addresses of 8 bytes .* big-endian one with addresses of 8 bytes'
told small new bsd.other-layout 0x0 \
	'.* little-endian profile with addresses of 8 bytes .* little-endian one with addresses of 4 bytes'
told tail old bsd.trailing-bytes 0x4a '.* found 5 bytes, which are left out'
told garbage new bsd.counter-type 0x1c '.* found -1717986919; 16 bits are taken for each bin'
told narrow new bsd.narrow-counts 0x2e '.*'

# GNU gprof infers nothing and is silent.
for file in tail garbage; do
	expect_status 0 "$GPROFX" --gnu -b program $file
	expect_undiagnosed
done
expect_status 0 "$GPROFX" --gnu -b -q program narrow
expect_match out '14757395255531667459/'
for file in swapped small; do
	expect_status 1 "$GPROFX" --gnu -b -O4.4bsd program $file
	expect_in err "file \`$file' has bad magic cookie"
done

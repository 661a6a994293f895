#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Hostile files: cut at each page and beside it, with changed bytes, cycles of parents, counts and sizes of any
# number. The reader, the list of a recording's programs and the launcher's summary and recovery take them, and end.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	import random
	import struct
	random.seed(5)
	os.mkdir('hostile')
	full = usual()
	name = full.text(os.path.abspath('program'))
	full.objects([(1 << 40, (1 << 64) - 1, 0, 0, b'', name)])
	full.stacks([(at('main+%d' % (i % 99)), i, 0, 1, 1) for i in range(300)])
	good = full.bytes()
	save('hostile/good.gxc', good)
	for page in range(len(good) // 4096 + 1):
	    for off in -1, 0, 1, 64, 65:
	        if 0 <= page * 4096 + off < len(good):
	            save('hostile/cut-%d-%d.gxc' % (page, off), good[:page * 4096 + off])
	dense = [i for i, byte in enumerate(good) if byte or i % 4096 < 160]
	for i in range(250):
	    bad = bytearray(good)
	    for place in random.sample(dense, random.choice((1, 1, 2, 5))):
	        width = random.choice((1, 2, 4, 8))
	        value = random.choice((0, 1, 0x7f, 0x80, 0xff, 4096, 1 << 31, (1 << 32) - 1, 1 << 63, (1 << 64) - 1))
	        place -= place % width
	        bad[place:place + width] = (value & (1 << 8 * width) - 1).to_bytes(width, 'little')
	    save('hostile/bytes-%d.gxc' % i, bytes(bad))
	most = (1 << 64) - 1
	for i, rows in enumerate(([(at('main'), 1, 0, 1, 1)], [(at('main'), 2, 0, 1, 1), (at('work'), 1, 0, 1, 1)],
	                          [(at('main'), 0, 0, most, most)] * 3, [(at('main'), most >> 32, 0, 1, 1)],
	                          [(at('main'), i and i, 0, 1, 1) for i in range(5000)])):
	    save('hostile/stacks-%d.gxc' % i, new().stacks(rows))
	save('hostile/arcs.gxc', new().arcs([(at('main+5'), at('work'), most)] * 3 + [(most, most, most)]))
	for entry in 33, 4095, 65535:
	    save('hostile/entry-%d.gxc' % entry, usual().chunk(ARCS, [(5, 6, 7, 8)] * 200, entry_bytes=entry))
	    save('hostile/object-%d.gxc' % entry, usual().chunk(OBJECTS, [(5, 600, 7, 8, b'', 1)] * 200, entry_bytes=entry + 66 - 33 if entry == 33 else entry))
	save('hostile/low.gxc', File().program(os.path.abspath('program'), 0, most).stacks([(5, 0, 0, 1, 1)]))
	save('hostile/swapped.gxc', usual('>'))
	save('hostile/above.gxc', usual(program_name=1 << 63))
END

# What ends by a signal, or by what a sanitizer says, has a status above 2.
for file in hostile/*[05].gxc hostile/[a-z]*-[0-9].gxc hostile/[aglow]*.gxc; do
	run "$GPROFX" -b -q program "$file"
	[ "$status" -le 1 ] || fail "$file: status $status"
	[ "$status" -eq 0 ] || expect_match err '^gprofx: error\[[a-z]+\.[a-z-]+\]: '
done
mkdir gprofx.data
cp hostile/* gprofx.data
run "$GPROFX"
[ "$status" -eq 0 ] || fail "the list of programs: status $status"
expect_match out '^gprofx\.data has [0-9]+ programs'
rm -r gprofx.data

record=$GPROFX_BUILD/bin/gprofx-record
[ -x "$record" ] || exit 0
# With sanitizers in it, the launcher does; the library that it preloads is not made for programs with them.
ulimit -f 100000
trap '' XFSZ
for file in hostile/*[05].gxc hostile/[aeglosw]*.gxc; do
	run "$record" --recover="$file" -o recovered
	[ "$status" -le 1 ] || fail "--recover=$file: status $status"
	[ "$status" -eq 0 ] || expect_match err '^gprofx record: '
	rm -f recovered
done
run "$record" sh -c 'cp hostile/*.gxc gprofx.data'
[ "$status" -eq 0 ] || fail "the summary: status $status"
expect_match err '^gprofx record: .* samples?, .* calls, '

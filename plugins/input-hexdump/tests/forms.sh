#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A profile in each form of dump has the report of the profile itself; other texts are not taken. About 3 s.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 xxd hexdump od objcopy

python3 - <<-'END' || fail 'cannot write the profiles'
	from gmonfile import bsd_profile
	from profiled import Program
	program = Program(['main', 'work', *('f%d' % i for i in range(153))])
	open('program', 'wb').write(program.bytes())
	low, high = program.base, program.end
	bins = program.bins({'main': 10, 'work': 30})
	arcs = [(low + 4, low + 256, 7)]
	open('magic', 'wb').write(program.profile({'main': 10, 'work': 30}, [('main', 'work', 7)]).bytes())
	open('4.4bsd', 'wb').write(bsd_profile(low, high, bins, arcs, 64, '<', 100))
	open('bsd', 'wb').write(bsd_profile(low, high, bins, arcs, 64, '<'))
END

cat >dumps.py <<-'END'
	import struct, sys

	base = 0x20000000
	data = open(sys.argv[1], 'rb').read()

	def rows(width=16):
	    return [(at, data[at:at + width]) for at in range(0, len(data), width)]

	def gutter(row):
	    return ''.join(chr(c) if 32 <= c < 127 else '.' for c in row)

	def hexes(row, case='x'):
	    return ' '.join(format(c, '02' + case) for c in row)

	def save(name, lines, end='\n'):
	    open(name, 'w', newline='').write(end.join(lines) + end)

	def word_rows(size):
	    """Whole words: the last one has zeros that are not of the profile."""
	    for at, row in rows():
	        row += bytes(-len(row) % size)
	        yield at, row, [row[i:i + size][::-1].hex() for i in range(0, len(row), size)]

	def words(name, size, symbol):
	    """What x of gdb prints."""
	    save(name, ['0x%x' % (base + at) + (' <buffer+%d>' % at if symbol else '') + ':\t' +
	                '\t'.join('0x' + word for word in row) for at, _, row in word_rows(size)])

	save('gdb-b', ['0x%x <buffer+%d>:\t' % (base + at, at) + '\t'.join('0x%02x' % c for c in row) for at, row in rows(8)])
	for size, letter in (2, 'h'), (4, 'w'), (8, 'g'):
	    words('gdb-' + letter, size, True)
	    words('gdb-plain-' + letter, size, False)
	save('md-l', ['%08x: ' % (base + at) + ' '.join(row) + '    ' + gutter(text) for at, text, row in word_rows(4)])

	log = ['*** Booting', '[00:00:00.120,000] <inf> main: 3 threads', '']
	dump = ['%04x: %-48s %s' % (at, hexes(row), gutter(row)) for at, row in rows()]
	save('nuttx', ['nsh> hexdump /tmp/gmon.out'] + dump + ['nsh> '], '\r\n')
	save('u-boot', log + ['=> md.b 20000000 100'] + ['%08x: %-48s    %s' % (base + at, hexes(row), gutter(row)) for at, row in rows()])
	save('zephyr-shell', ['uart:~$ devmem dump'] + ['%08X: %-49s|%s|' % (at, hexes(row, 'X'), gutter(row)) for at, row in rows()], '\r\n')
	save('zephyr-log', log + ['[00:00:01.%03d] <inf> gprof: %s' % (at // 16, line) for (at, _), line in zip(rows(), dump)])
	save('zephyr-hexdump', log + [' ' * 37 + '%-49s|%s' % (hexes(row), gutter(row)) for at, row in rows()])
	save('esp-hexdump', log + ['I (%d) prof: 0x%08x   %-24s %-24s |%s|' % (1000 + at, base + at, hexes(row[:8]), hexes(row[8:]), gutter(row))
	                           for at, row in rows()])
	save('esp-colors', log + ['\x1b[0;32mI (%d) prof: 0x%08x   %s\x1b[0m' % (1000 + at, base + at, hexes(row)) for at, row in rows()])
	save('esp-hex', log + ['I (1200) prof: ' + hexes(row) for at, row in rows()])
	save('tabs', ['%08x\t%s' % (at, hexes(row).replace(' ', '\t')) for at, row in rows()])
	mixed = []
	for i, line in enumerate(dump):
	    mixed += [line] + (['[    1.%d] usb: device 12 added' % i, 'face the dead beef'] if i % 3 == 1 else [])
	save('mixed', log + mixed)
	save('twice', [line for line in dump for _ in (1, 2)])
	save('other-first', ['%08x: %s' % (at, hexes(bytes(range(16)))) for at in range(0, 64, 16)] + log + dump)
	save('verilog', ['@20000000'] + [hexes(row, 'X') + ' ' for at, row in rows()])
	save('openocd', ['0x%08x: %s ' % (base + at, hexes(row)) for at, row in rows(32)])
END

# The same report, and at most a warning about other lines, and about dumps of other memory.
expect_like() {
	expect_status 0 "$GPROFX" -b program "$1"
	expect_same expected out
	expect_not_in err 'error['
	[ "${1##*/}" != other-first ] || sed -i '/warning\[hexdump.left-out\]/d' err
	[ "$(grep -c 'warning\[' err)" = "$(grep -c 'warning\[hexdump.skipped-lines\]' err)" ] || fail "$1: another warning"
}

for profile in magic 4.4bsd bsd; do
	rm -rf dumps && mkdir dumps
	expect_status 0 "$GPROFX" -b program $profile
	expect_undiagnosed
	mv out expected
	(cd dumps && python3 ../dumps.py ../$profile) 2>err || {
		cat err >&2
		fail 'cannot write the dumps'
	}
	hexdump $profile >dumps/hexdump
	hexdump -v $profile >dumps/hexdump-v
	hexdump -C $profile >dumps/hexdump-C
	xxd $profile >dumps/xxd
	for option in -p -u -e -c8 -c32 -g1 -g4 -g8; do
		xxd $option $profile >dumps/xxd$option
	done
	xxd -p -c 0 $profile >dumps/xxd-p-c0
	xxd -e -g8 $profile >dumps/xxd-e-g8
	od -A x -t x1z $profile >dumps/od-x1z
	od -A x -t x2 $profile >dumps/od-x2
	od -A x -t x4 -v $profile >dumps/od-x4
	od -t x1 $profile >dumps/od-octal
	od -A d -t x1z $profile >dumps/od-decimal
	for format in ihex srec verilog tekhex; do
		objcopy -I binary -O $format --change-addresses=0x20000000 $profile dumps/$format 2>/dev/null || rm -f dumps/$format
	done
	if [ $profile = bsd ]; then
		# Nothing says where such a profile starts, or what the order of its words is.
		(cd dumps && rm -f xxd-p xxd-p-c0 xxd-e* md-l esp-hex zephyr-hexdump other-first)
	fi
	for dump in dumps/*; do
		expect_like "$dump"
	done
done

# A dump in a dump.
xxd dumps/xxd nested
expect_status 1 "$GPROFX" -b program nested
expect_one profile.is-nested

# Texts of other formats, in which numbers can be addresses and bytes.
printf 'main;deadbeef;cafe 12\nmain;add 10\n' >folded
expect_status 0 "$GPROFX" --output=info folded
expect_in out 'input-folded'
printf '00000010 3\n67 6d 4\nface 12\n' >digits
expect_status 0 "$GPROFX" --output=info digits
expect_in out 'input-folded'

printf '00400510 12\n00400511 10\n00400512 11\n' >counts
expect_status 0 "$GPROFX" --output=info counts
expect_in out 'input-folded'

# Without a program, the message is that of the profile.
expect_status 1 "$GPROFX" dumps/verilog
expect_in err 'error['

# GNU mode knows no dumps, as GNU gprof does not.
xxd magic dump
expect_status 1 "$GPROFX" --gnu program dump
expect_empty out
expect_match err ': unexpected EOF after reading [0-9]+/[0-9]+ bins$'
if command -v gprof >/dev/null; then
	sed 's/^[^:]*: //' err >expected
	gprof program dump 2>err
	sed -i 's/^[^:]*: //' err
	expect_same expected err
fi

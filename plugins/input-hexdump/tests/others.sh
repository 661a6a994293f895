#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hexdump.gap, hexdump.left-out: other dumps before, in and behind a profile; a damaged profile beside a whole one. Less
# than 2 s.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 xxd objcopy

python3 - <<-'END' || fail 'cannot write the profiles'
	from profiled import Program
	program = Program(['main', 'work', *('f%d' % i for i in range(40))])
	open('program', 'wb').write(program.bytes())
	from gmonfile import bsd_profile
	open('4.4bsd', 'wb').write(bsd_profile(program.base, program.end, program.bins({'main': 10, 'work': 30}),
	                                       [(program.base + 4, program.base + 256, 7)], 64, '<', 100))
	open('gmon.out', 'wb').write(program.profile({'main': 10, 'work': 30}, [('main', 'work', 7)]).bytes())
END
expect_status 0 "$GPROFX" -b program gmon.out
mv out expected
xxd -o 0x20000000 -g1 gmon.out dump

# expect_bad NAME LINE ID TEXT
expect_bad() {
	expect_status 1 "$GPROFX" -b program "$1"
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_match err "^gprofx: error\\[$3\\]: $1:$2: $4\$"
}

# expect_warned NAME ID LINE TEXT: the report of the profile, and a warning.
expect_warned() {
	expect_status 0 "$GPROFX" -b program "$1"
	expect_same expected out
	expect_not_in err 'error['
	expect_match err "^gprofx: warning\\[$2\\]: $1( \\(decoded from line [0-9]+\\))?:$3: $4\$"
}

# A lower address ends no profile that goes on.
sed '5s/^2/1/' dump >low
expect_bad low 5 hexdump.gap 'expected the bytes at 0x20000040 of the dump that goes on in line 6, found another dump'
sed '5i 10000000: 00 01 02 03' dump >between
expect_bad between 5 hexdump.gap 'expected the bytes at 0x20000040 of the dump that goes on in line 6, found another dump'
sed '5s/^2000/    /' dump >address
expect_bad address 5 hexdump.gap 'expected the bytes at 0x20000040 of the dump that goes on in line 6, found another dump'
xxd -g1 gmon.out | sed '5i 00000000: 00 01 02 03' >start
expect_bad start 5 hexdump.gap 'expected the bytes at 0x40 of the dump that goes on in line 6, found another dump'
{ xxd -p gmon.out && echo 0000: 01 02 03 04; } >plain
expect_warned plain hexdump.left-out "$(grep -c . plain)" 'dumps left out, .*: 1, the first one of 4 bytes at 0x0'
xxd -p gmon.out | sed '2i 0000: 01 02 03 04' >plain
expect_bad plain 2 hexdump.gap 'expected the bytes at 0x1e of the dump that goes on in line 3, found another dump'
# The end of another format is not the end of this one.
sed '5i :00000001FF' dump >ended
expect_warned ended hexdump.skipped-lines 5 '1 lines are not part of a dump, this one first'

# A prompt before the first line is at another column than the lines that follow.
sed '1s/^/nsh> /' dump >prompt
expect_status 0 "$GPROFX" -b program prompt
expect_same expected out
expect_undiagnosed

# Other memory, before and behind.
lines=$(grep -c . dump)
last='dumps left out, as they do not start as a profile: 1, the first one of 8 bytes at 0x'
{ cat dump && printf '=> md\n10000000: 00 01 02 03\n10000004: 04 05 06 07\n'; } >lower
expect_warned lower hexdump.left-out $((lines + 2)) "${last}10000000"
{ cat dump && printf '=> md\n20001800: 00 01 02 03\n20001804: 04 05 06 07\n'; } >higher
expect_warned higher hexdump.left-out $((lines + 2)) "${last}20001800"
{ cat dump && printf '3fc00000: 00 01 02 03\n3fc00004: 04 05 06 07\n'; } >far
expect_warned far hexdump.left-out $((lines + 1)) "${last}3fc00000"
{ cat dump && printf 'stack:\n20000200: 00000001 00000002\n'; } >words
expect_warned words hexdump.left-out $((lines + 2)) "${last}20000200"
{ printf 'stack:\n20000200: 00000001 00000002\n' && cat dump; } >first
expect_warned first hexdump.left-out 2 "${last}20000200"
objcopy -I binary -O ihex --change-addresses=0x20000000 gmon.out ihex
{ sed '/^:00000001/d' ihex && printf ':020000043000CA\r\n:080000000001020304050607DC\r\n:00000001FF\r\n'; } >region
expect_warned region hexdump.left-out $(($(grep -c . ihex) + 1)) "${last}30000000"

# A record that states a number counts those of all regions, and shows that none is missing.
objcopy -I binary -O srec --change-addresses=0x20000000 gmon.out srec
{
	grep -a '^S3' srec && printf 'S3093000000001020304BC
'
	count=$(($(grep -ac '^S3' srec) + 1))
	printf 'S503%04X%02X\r\n' $count $((0xff - 3 - count))
} >srec-regions
expect_warned srec-regions hexdump.left-out $(($(grep -ac '^S3' srec) + 1)) '.* of 4 bytes at 0x30000000'

# Buffers that are next to each other; other lines do not start one.
for profile in gmon.out 4.4bsd; do
	bytes=$(wc -c <$profile)
	{ xxd -o 0x20000000 -c 8 -g1 $profile && echo '=> md' && xxd -o $((0x20000000 + bytes)) -c 8 -g1 $profile; } >adjacent
	expect_status 0 "$GPROFX" -b program $profile $profile
	mv out twice
	expect_status 0 "$GPROFX" -b program adjacent
	expect_same twice out
	expect_in err 'found dumps of 2 profiles'
	expect_not_in err 'hexdump.left-out'
	expect_status 0 "$GPROFX" -b program $profile
	mv out once
	for line in 2 3 4; do
		xxd -o 0x20000000 -c 8 -g1 $profile | sed "${line}i usb: device added" >message
		expect_status 0 "$GPROFX" -b program message
		expect_same once out
		expect_one hexdump.skipped-lines
	done
done

# A line that is missing, beside other lines or not.
sed '5d' dump >gap
expect_bad gap 5 hexdump.gap 'expected the bytes at 0x20000040, found those at 0x20000050'
sed '5s/.*/usb: device added/' dump >message
expect_bad message 6 hexdump.gap 'expected the bytes at 0x20000040, found those at 0x20000050'
sed '5s/ .. .. .. ..  .*//; 5a usb: device added' dump >torn
expect_bad torn 7 hexdump.short-line 'expected 16 bytes in the line of the dump before, found 12'

# Without addresses, nothing shows what is missing between other lines.
xxd -p gmon.out | sed '3s/.*/--- 1 messages dropped ---/' >plain
expect_status 1 "$GPROFX" -b program plain
expect_in err 'warning[hexdump.interrupted]: plain:3: other lines interrupt a dump without addresses'
expect_not_in err 'nothing has to be done'
xxd -p gmon.out | sed '3i usb: device added' >plain
expect_warned plain hexdump.interrupted 3 'other lines interrupt a dump .*: 1 times, this one first'
expect_not_in err 'nothing has to be done'

# A whole profile beside a damaged one.
damage='expected the bytes at 0x20000040, found those at 0x20000050; damaged dumps left out: 1'
{ cat gap && echo again && cat dump; } >second
expect_warned second hexdump.gap 5 "$damage"
{ cat dump && echo again && cat gap; } >second
expect_warned second hexdump.gap $((lines + 6)) "$damage"
{ head -n 3 dump && echo '^C' && cat dump; } >second
expect_warned second gmon.short-record 0x14 'expected 16 more bytes of a histogram header, found [0-9]+'
{ head -n 3 dump && echo '^C' && head -n 3 dump; } >both
expect_status 1 "$GPROFX" -b program both
expect_match err '^gprofx: error\[gmon.short-record\]: both \(decoded from line 5\):'
{ cat gap && echo again && cat gap; } >both
expect_bad both 5 hexdump.gap "${damage%;*}"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hexdump.*, profile.is-nested: dumps with a gap, with bytes that differ, cut short or with wrong checksums; captures with
# several dumps. Less than 2 s.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 xxd objcopy hexdump

python3 - <<-'END' || fail 'cannot write the profiles'
	from profiled import Program
	program = Program(['main', 'work', *('f%d' % i for i in range(40))])
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(program.profile({'main': 10, 'work': 30}, [('main', 'work', 7)]).bytes())
	open('other.out', 'wb').write(program.profile({'main': 5}, [('main', 'work', 1)]).bytes())
END
expect_status 0 "$GPROFX" -b program gmon.out
mv out expected
xxd gmon.out dump
objcopy -I binary -O ihex gmon.out ihex
objcopy -I binary -O srec gmon.out srec
objcopy -I binary -O tekhex gmon.out tekhex
hexdump -C gmon.out >stars

# expect_bad NAME LINE ID TEXT
expect_bad() {
	expect_status 1 "$GPROFX" -b program "$1"
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_match err "^gprofx: error\\[$3\\]: $1:$2(:1)?: $4\$"
	expect_match err '^  hint: .'
}

sed 3d dump >gap
expect_bad gap 3 hexdump.gap 'expected the bytes at 0x20, found those at 0x30'
sed '3s/ .... .... .... / /' dump >line
expect_bad line 4 hexdump.short-line 'expected 16 bytes in the line of the dump before, found 10'
sed '3s/\(0000002.: .... .... \).*/\16/' dump >part
expect_bad part 3 hexdump.short-line 'expected whole bytes up to the end of the line, found a part of one'
{ cat dump && sed -n '3s/: 0/: 1/p' dump; } >differs
expect_bad differs "$(grep -c . differs)" hexdump.overlap 'expected 0x0. at 0x20, as in a line before, found 0x1.'
sed '4s/.\(.\)$/0\1/' ihex | tr -d '\r' >sum
sed '4s/\(.*\)..\(.\)$/\1ZZ\2/' ihex >letters
expect_bad letters 4 hexdump.short-line 'expected a record of the length that it states, found another one'
sed '4s/00000000/00000010/' ihex >sum
expect_bad sum 4 hexdump.bad-checksum 'expected the checksum [0-9a-f]{2}, found [0-9a-f]{2}'
sed '4s/00000000/00000010/' srec >srec-sum
expect_bad srec-sum 4 hexdump.bad-checksum 'expected the checksum [0-9a-f]{2}, found [0-9a-f]{2}'
sed '1s/676D/676E/' tekhex >tek-sum
expect_status 1 "$GPROFX" -b program tek-sum
sed '2s/0/1/8' tekhex >tek-sum
expect_bad tek-sum 2 hexdump.bad-checksum 'expected the checksum [0-9a-f]{2}, found [0-9a-f]{2}'
sed '3i :00000009F7' ihex >type
expect_bad type 3 hexdump.bad-record 'expected a type of records of the format, found 9'
{ grep -a '^S[0-3]' srec && printf 'S5030063%02X\n' $((0xff - 3 - 0x63)); } >count
expect_bad count "$(grep -ac . count)" hexdump.missing-records 'expected 99 records of data before this one, found [0-9]+'
for format in ihex srec tekhex; do
	sed '$d' $format >cut
	expect_bad cut "$(grep -ac . cut)" hexdump.no-end 'expected the record that ends the file, found the end of the text'
done
grep -q '^\*' stars || fail 'no line stands for several'
sed '/^\*/,$d' stars >long
printf '*\nffffffff\n' >>long
expect_bad long "$(grep -ac . long)" hexdump.too-long 'expected the next address within reach, .*'

# The bound is a small multiple of the file's length.
{ sed '/^\*/,$d' stars && printf '*\n1400000\n' && yes 'a message' | head -n 30000; } >long
expect_bad long "$(($(sed '/^\*/,$d' stars | grep -ac .) + 2))" hexdump.too-long 'expected the next address within reach, .*'
# Many zeros are few lines.
python3 - <<-'END' || fail 'cannot write the profile'
	from gmonfile import bsd_profile
	open('zeros', 'wb').write(bsd_profile(0x400000, 0xc00000, [0] * (1 << 22), [(0x401004, 0x401040, 7)], 64, '<', 100))
END
expect_status 0 "$GPROFX" -b program zeros
mv out zeros-expected
hexdump -C zeros >dump-zeros
expect_status 0 "$GPROFX" -b program dump-zeros
expect_same zeros-expected out

# What is there before and behind.
{ echo '$ xxd gmon.out' && cat dump && echo '$ exit'; } >log
expect_status 0 "$GPROFX" -b program log
expect_same expected out
expect_one hexdump.skipped-lines
expect_match err 'log:1: 2 lines are not part of a dump'
expect_status 0 "$GPROFX" -b --output=info program log
expect_in out 'log (decoded from line 2)'

# Several dumps in a capture.
{ cat dump && echo 'again' && xxd other.out; } >several
expect_status 0 "$GPROFX" -b program gmon.out other.out
mv out both
expect_status 0 "$GPROFX" -b program several
expect_same both out
expect_in err 'warning[hexdump.several-profiles]: several: found dumps of 2 profiles, which are added up'
expect_not_in err 'profile.repeated'
expect_status 0 "$GPROFX" -b --per-file program several
expect_in out 'several (decoded from line'
# One of them is damaged.
{ cat dump && echo 'again' && xxd other.out | head -3; } >half
expect_status 1 "$GPROFX" -b program half
expect_match err 'error\[gmon\.[a-z-]+\]: half \(decoded from line [0-9]+\):0x'

# Dumps of other memory.
printf '00000000: 0102 0304\n00000004: 0506 0708\n\n00000000: 1112 1314\n00000004: 1112 1314\n' >memory
expect_bad memory 1 hexdump.no-profile 'expected a dump that starts as a profile, found 2 that do not, this one first'
echo 'no dump' >none
expect_status 1 "$GPROFX" -b -O hexdump program none
expect_one hexdump.no-profile

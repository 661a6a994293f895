#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ldprofile.*: files of each address size and byte order, found by themselves and beside others; damaged
# ones, with the place of the damage; and what is reported about files that are read.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the profiles'
	from gmonfile import layouts, library_profile
	from profiled import Program
	program = Program(['main', 'work', 'idle'])
	low, high = program.base, program.end
	bins = program.bins({'main': 10, 'work': 30})
	arcs = [(low + 4, low + 256, 7), (0, low, 2), (0, low + 256, 5)]
	def made(*how, **named):
	    return bytearray(library_profile(low, high, bins, arcs, *how, **named))
	def save(name, data):
	    open(name, 'wb').write(data)
	for name, *layout in layouts():
	    save(name, made(*layout, room=9))
	whole = made()
	end = 64 + 2 * len(bins)
	save('header', whole[:50])
	save('bins', whole[:64 + 5])
	save('table', whole[:end + 6])
	save('cut', whole[:-30])
	save('full', made(room=6, count=8))
	for name, at, value in (('tag', 20, 3), ('second', end, 2)):
	    data = made()
	    data[at] = value
	    save(name, data)
	save('range', library_profile(high, low, bins, arcs[:0]))
	save('plain', library_profile(low, high, bins, [a for a in arcs if a[0]]))
	save('version', made(version=0x2ffff))
	foreign = Program(['main', 'work', 'idle'], 'ppc')
	save('foreign', foreign.bytes())
END

expect_layouts ldprofile ldprofile.other-layout
expect_match expected '^ 75\.00 .* 12 .* work$'
expect_match expected '^ 25\.00 .*  2 .* main$'
expect_match expected ' 5/12 +<outside any function> \[[0-9]\]$'
expect_match expected ' 7/12 +main \[[0-9]\]$'
expect_match expected ' 2/2 +<outside any function> \[[0-9]\]$'

# Time is divided among all who called, known or not.
expect_match expected '^ +0\.12 +0\.00 +5/12 +<outside any function>'
expect_match expected '^ +0\.17 +0\.00 +7/12 +main'
# Without calls from outside it is the profile of a program.
expect_status 0 "$GPROFX" -b program plain
cp out plain.out
expect_status 0 "$GPROFX" -b program gmon.out
expect_same plain.out out
expect_status 0 "$GPROFX" -b -p program gmon.out 64l plain
expect_match out '^ 75\.00 .* 26 .* work$'
# -k takes functions' calls out, not those of whom nobody knows.
expect_status 0 "$GPROFX" -b -k main/work program 64l
expect_match out ' 5/5 +<outside any function>'
# --slide moves what is called from outside, too.
expect_status 0 "$GPROFX" -b --slide=0x100 -q program 64l
expect_match out ' 5/5 +<outside any function> '

# A sum has no place for calls without callers, and is not written.
echo old >sum
expect_status 1 "$GPROFX" --sum=sum program 64l
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
expect_match err '^gprofx: error\[sum.callers-unknown\]: sum: the format cannot store calls without callers, which 2 functions have'
expect_match err '^  hint: .'
expect_same sum <(echo old)
expect_status 0 "$GPROFX" --sum=sum program plain
expect_status 0 "$GPROFX" -b program sum
expect_same plain.out out

expect_damage header ldprofile.short-record 0x32 'expected the header of a histogram, found the end of the file'
expect_damage bins ldprofile.short-bins 0x45 'expected 4 bins, found 2 before the end of file'
expect_damage table ldprofile.short-record 0x4e 'expected an arc table, found the end of the file'
expect_damage tag ldprofile.bad-tag 0x14 'expected a record tag of 0, found 3'
expect_damage second ldprofile.bad-tag 0x48 'expected a record tag of 1, found 2'
expect_damage range ldprofile.bad-range 0x18 'expected ascending addresses, found 0x[0-9a-f]+ before 0x401000'
expect_damage gmon.out ldprofile.bad-header 0x0 'expected the bytes "gmon" and the version 0x1ffff, found others' -O ldprofile
expect_damage version gmon.unsupported-version 0x4 '.*'

for file in cut full; do
	expect_status 0 "$GPROFX" -b program $file
	expect_match err "^gprofx: warning\\[ldprofile.full-table\\]: $file:0x4c: expected at most [16] arcs.* found [38];"
	expect_match err '^  hint: .'
done
# The empty places count for nothing; the last file has all arcs.
expect_same expected out

# GNU mode knows the version alone.
expect_status 1 "$GPROFX" --gnu -b program 64l
expect_in err ": file \`64l' has unsupported version 131071"

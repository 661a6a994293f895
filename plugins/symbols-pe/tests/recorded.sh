#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The fixtures: in GNU mode what GNU gprof printed (data/make recorded it); in own mode the same
# tables wherever the program was loaded, and whatever MinGW left in the high half of counts.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
data=$GPROFX_SOURCE/plugins/symbols-pe/tests/data
mkdir link
ln -s "$GPROFX" link/gprof

# moved FROM TO SLIDE: the profile with SLIDE added to all addresses, and garbage in high halves.
moved() {
	python3 - "$@" <<-'END' || fail "cannot move $1"
		import struct, sys
		data, slide = bytearray(open(sys.argv[1], 'rb').read()), int(sys.argv[3], 0)
		wide = struct.unpack_from('<I', data, 12)[0] != 0x51879
		pointer, at, header = ('<Q', 8, 40) if wide else ('<I', 4, 32)
		places = [0, at]
		arcs = struct.unpack_from('<I', data, 2 * at)[0]
		for arc in range(arcs, len(data), 3 * at):
		    places += [arc, arc + at]
		    if wide:
		        struct.pack_into('<I', data, arc + 20, 0xdeadbeef)
		for place in places:
		    value = struct.unpack_from(pointer, data, place)[0] + slide
		    struct.pack_into(pointer, data, place, value)
		open(sys.argv[2], 'wb').write(data)
	END
}

for name in windows-i386 windows-x86_64; do
	cp "$data/$name.exe" "$data/$name.gmon" .
	for options in -b '-b -p -a -z' '-b -p -D -T' '-b -p --no-demangle' '-b -C'; do
		# shellcheck disable=SC2086
		expect_status 0 link/gprof $options "$name.exe" "$name.gmon"
		expect_empty err
		printf '== gprof %s\n' "$options"
		cat out
	done >printed
	expect_same "$data/$name.expected" printed

	expect_status 0 "$GPROFX" -b "$name.exe" "$name.gmon"
	expect_undiagnosed
	# Callees that are not typed, as static functions never are, keep their calls.
	expect_match out ' 20 +45\.0ms .* \.weak\._?replaceable\._mcount$'
	cp out own
	slides='0 0x10000 0x7a00000'
	[ $name = windows-i386 ] || slides='0 0x10000 0x7ff5e1230000'
	for slide in $slides; do
		moved "$name.gmon" moved.gmon "$slide"
		expect_status 0 "$GPROFX" -b --no-findings "$name.exe" moved.gmon
		expect_same own out
	done
done

# Figures that come from the code of the image, and names.
expect_status 0 "$GPROFX" -b -p --no-demangle windows-i386.exe windows-i386.gmon
expect_match out ' __ZN5table4findEi$'
expect_status 0 "$GPROFX" -b -p --demangle=none windows-i386.exe windows-i386.gmon
expect_match out ' _ZN5table4findEi$'
expect_status 0 "$GPROFX" -b -pstart windows-i386.exe windows-i386.gmon
expect_match out '^100\.00 .* start$'

# Source lines, from DWARF and from stabs; annotated source is found in this folder.
cp "$data/windows.c" .
for name in windows-{i386,x86_64}{-gdwarf-5,-gdwarf-3,-gstabs+}; do
	cp "$data/$name.exe" "$data/$name.gmon" .
	for options in '-b -l' '-b -p -q -l -z' '-b -C -z' '-b -l -C' '-b -A -x' '-b -p -L -z' '-b -pwindows.c:find'; do
		# shellcheck disable=SC2086
		run link/gprof $options "$name.exe" "$name.gmon"
		printf '== gprof %s\n' "$options"
		cat out
	done >printed
	expect_same "$data/$name.expected" printed
	# Own mode knows the same lines, with the names of C++.
	expect_status 0 "$GPROFX" --no-findings -b -l -p "$name.exe" "$name.gmon"
	expect_match out ' table::find\(int\) \(windows\.c:3[0-9] @ [0-9a-f]+\)$'
	expect_status 0 "$GPROFX" --no-findings -b -C -z "$name.exe" "$name.gmon"
	expect_match out 'windows\.c:50: \(_?print:0x[0-9a-f]+\) 15 executions$'
	# A program of which the debug information is cut off keeps its functions.
	bytes=$(stat -c %s "$name.exe")
	for cut in 64 640 1280; do
		head -c $((bytes - cut)) "$name.exe" >cut.exe
		run "$GPROFX" --no-findings -b -l -p cut.exe "$name.gmon"
		[ "$status" -le 1 ] || fail "status $status with $cut bytes less"
	done
done

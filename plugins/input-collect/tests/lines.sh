#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# With -l, stacks are of the line that they end in, in the program and in libraries of the recording; the times of lines
# add up to those of their functions.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	program.lines({'main': [(0, 3), (0x40, 4)], 'work': [(0, 8), (0x20, 9)]})
	open('program', 'wb').write(program.bytes())
	library = Program(['helper', 'other'], base=0x1000)
	library.lines({'helper': [(0, 7), (0x40, 8), (0x60, 7)], 'other': [(0, 11), (0x80, 12)]}, source='lib.c')
	open('one.so', 'wb').write(library.bytes())
	open('libgcc_s.so.1', 'wb').write(library.bytes())
	open('libextraordinary-name-of-the-library-1.so.1000000.1000000.1000000', 'wb').write(Program(['plain'], base=0x1000).bytes())
	open('two.so', 'wb').write(Program(['plain@@V_1'], base=0x1000).bytes())
	# Its debug information is in a file that is not there.
	empty = Program(['plain'], base=0x1000)
	empty.image.section('.gnu_debuglink', 0, b'not-there.debug\0\1\2\3\4', 0)
	open('empty.so', 'wb').write(empty.bytes())
	bias = 0x7000000
	def inside(place):
	    return bias + library.at(place)
	def recorded():
	    file, size = new(), library.end - library.base
	    one, two, gcc, empty = (file.text(os.path.abspath(name)) for name in ('one.so', 'two.so', 'libgcc_s.so.1', 'empty.so'))
	    file.objects([(inside('helper'), inside('helper') + size, bias, 0, b'', one),
	                  (inside('helper') + 0x10000, inside('helper') + 0x10000 + 0x200, bias + 0x10000, 0, b'', two),
	                  (inside('helper') + 0x20000, inside('helper') + 0x20000 + size, bias + 0x20000, 0, b'', gcc),
	                  (inside('helper') + 0x30000, inside('helper') + 0x30000 + 0x200, bias + 0x30000, 0, b'', empty)])
	    return file
	places = [('helper', 1), ('helper+0x44', 2), ('helper+0x64', 4), ('other+0x10', 8), ('other+0x90', 16)]
	save('flat', recorded().stacks([(inside(place), 0, 0, n, n) for place, n in places] +
	                               [(at('main+0x44'), 0, 0, 32, 32), (inside('helper') + 0x10008, 0, 0, 3, 3),
	                                (inside('helper') + 0x30008, 0, 0, 6, 6)]))
	save('usual', recorded().stacks([(at('main+8'), 0, 0, 1, 1), (inside('helper+4'), 0, 0, 9, 9),
	                                 (inside('other+4') + 0x20000, 0, 0, 5, 5)]))
	long = new()
	path = long.text(os.path.abspath('libextraordinary-name-of-the-library-1.so.1000000.1000000.1000000'))
	save('long', long.objects([(inside('helper'), inside('helper') + 0x200, bias, 0, b'', path)])
	     .stacks([(at('main+0x45'), 0, 0, 1, 1), (inside('helper') + 8, 1, CFI, 9, 9)]))
	save('inside', recorded().stacks([(at('main+0x45'), 0, 0, 1, 1), (inside('helper') + 0x10008, 1, CFI, 9, 9)]))
	save('deep', recorded().stacks([(at('main+0x45'), 0, 0, 32, 32)] +
	                               [(inside(place), 1, CFI, n, n) for place, n in places]))
END

for recorded in flat deep; do
	expect_status 0 "$GPROFX" --no-findings -b -p -l program $recorded
	expect_undiagnosed
	expect_match out ' 0\.05 .* helper \(lib\.c:7 @ 1000\) \(one\.so\)$'
	expect_match out ' 0\.02 .* helper \(lib\.c:8 @ 1040\) \(one\.so\)$'
	expect_match out ' 0\.08 .* other \(lib\.c:11 @ 1100\) \(one\.so\)$'
	expect_match out ' 0\.16 .* other \(lib\.c:12 @ 1180\) \(one\.so\)$'
	expect_match out ' 0\.32 .* main \(prog\.c:4 @ 401040\)$'
	cp out expected
	expect_status 0 "$GPROFX" --no-findings -b -p -l --threads=4 program $recorded
	expect_same out expected
	expect_status 0 "$GPROFX" --no-findings -b -p program $recorded
	expect_match out ' 0\.07 .* helper \(one\.so\)$'
	expect_match out ' 0\.24 .* other \(one\.so\)$'
done
# A library without lines is whole.
expect_status 0 "$GPROFX" --no-findings -b -p -l program flat
expect_match out ' 0\.03 .* plain \(two\.so\)$'
expect_status 0 "$GPROFX" --no-findings -b -p --correct=no-plain-names program flat
expect_match out ' 0\.03 .* plain@@V_1 \(two\.so\)$'
expect_status 0 "$GPROFX" --no-findings -b -p -l program flat
expect_match out ' 0\.06 .* plain \(empty\.so\)$'
# Inclusive times are those of functions.
expect_status 0 "$GPROFX" --no-findings -b -q -l program deep
expect_match out '^\[[0-9]+\] +100\.0 +0\.32 +0\.31 +main \(prog\.c:3 @ 401000\) \['
expect_match out '^\[[0-9]+\] +38\.1 +0\.24 +0\.00 +other \(lib\.c:11 @ 1100\) \(one\.so\) \['
# A summary has places in libraries with debug information, and names others once, as places; where it has no room for
# places, in the names.  Of libraries of the system it does not look for places.
expect_status 0 "$GPROFX" --summary --no-findings program flat
expect_match out '% +helper \(one\.so\) +lib\.c:7$'
expect_match out '% +plain +two\.so$'
expect_not_in out '(two.so)'
expect_status 0 "$GPROFX" --summary --no-findings program usual
expect_match out '^  gprofx -b -l -phelper program usual +its lines that take the time$'
expect_match out '% +other +libgcc_s\.so\.1$'
expect_status 0 "$GPROFX" --no-findings -b -l -phelper program usual
expect_match out ' 0\.09 .* helper \(lib\.c:7 @ 1000\) \(one\.so\)$'
expect_status 0 "$GPROFX" --summary --no-findings --output-option=top.width=50 program flat
expect_in out 'helper (one.so)'
# Calls that were counted are in no stack, and so in no entry.
expect_status 0 "$GPROFX" --no-findings -b --entry=work program deep
expect_in err 'warning[symspec.no-entry]: no call stack has what work selects: the call graph has no entries'
# What to change has source: commands are about the function of the program that leads to a library without any.
expect_status 0 "$GPROFX" --summary --no-findings program inside
expect_match out '^ 90\.0% .* plain .*  main'
expect_match out '^  gprofx --entry=main program inside '
expect_not_in out 'entry=plain'
# A place that is too long is not cut inside of a word.
expect_status 0 "$GPROFX" --summary --no-findings --set=top.width=64 program long
expect_match out '% +plain +libextraordinary-name-of-the-library-1$'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sources of a library that are not there: one warning for all of them. The truth: the files that the test makes.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

python3 - <<-'PROGRAM' || fail 'cannot write the library'
	import os
	import gxcfile
	from dwarfinfo import Function, Unit, add_debug_info
	from profiled import Program
	program, bias = Program(['main', 'other']), 0x7000000
	library = Program(['one', 'two', 'three'], base=0x1000)
	add_debug_info(program.image, [Unit(name + '.c', [Function(name, program.at(name), 256, [(0, 2)])], '.')
	                               for name in ('main', 'other')])
	add_debug_info(library.image, [Unit(name + '.c', [Function(name, library.at(name), 256, [(0, 2)])], '.')
	                               for name in ('one', 'two', 'three')])
	open('plain', 'wb').write(program.bytes())
	open('leaf.so', 'wb').write(library.bytes())
	file = gxcfile.File().program(os.path.abspath('plain'), program.base, program.end)
	file.objects([(bias + library.base, bias + library.end, bias, 0, b'', file.text(os.path.abspath('leaf.so')))])
	file.stacks([(program.at('main+5'), 0, 0, 2, 2), (program.at('other+5'), 1, 0, 2, 2)] +
	            [(bias + library.at(name + '+4'), 1, 0, 20, 20) for name in ('one', 'two', 'three')])
	open('leaf.gxc', 'wb').write(file.bytes())
PROGRAM

# warnings N: so many files or libraries were not found.
warnings() {
	expect_status 0 "$GPROFX" -b --no-findings -A plain leaf.gxc
	grep -c 'source\.not-found' err >count
	echo "$1" | expect_same count -
}

numbered 6 >main.c
warnings 2
expect_match err 'warning\[source\.not-found\]: leaf\.so: cannot find the 3 source files of the library, such as .*\.c$'
expect_match err '^  hint: to see its source, name the folders with -I'
expect_match err 'warning\[source\.not-found\]: .*other\.c: cannot find the source file$'
# Where some are there, it says how many are not.
numbered 6 >one.c
warnings 2
expect_match err 'leaf\.so: cannot find 2 of 3 source files of the library, such as .*\.c$'
expect_match out '^\*\*\* File .*one\.c:$'
# A single one has the usual warning, and the files of the program have one each.
numbered 6 >two.c
rm main.c
warnings 3
for file in three other main; do
	expect_match err "warning\\[source\\.not-found\\]: .*$file\\.c: cannot find the source file\$"
done

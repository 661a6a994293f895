#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sources that were changed after the build. The truth: the modification times that the test sets.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

several
# built AT: when the program was.
built() {
	touch -d "2024-05-01 $1" program gmon || fail 'cannot set times'
}
touch -d '2024-05-01 12:00:00' prog.c other.c often.c system.h

# The same second is not newer, whatever comes behind it.
built 12:00:00.5
touch -d '2024-05-01 12:00:00.9' prog.c
expect_status 0 "$GPROFX" -b -A program gmon
expect_undiagnosed

touch -d '2024-05-01 12:00:01' prog.c
expect_status 0 "$GPROFX" -b -A program gmon
grep -c 'source\.newer' err >count
echo 1 | expect_same count -
expect_match err '^gprofx: warning\[source\.newer\]: .*prog\.c: changed after the program was built: lines can have moved$'
expect_match err '^  hint: build the program again and run it'
# A listing of its own has the warning, too; GNU mode has none.
expect_status 0 "$GPROFX" -b -A -y program gmon
expect_in err 'warning[source.newer]'
rm -f ./*-ann
expect_status 0 "$GPROFX" --gnu -b -A -I . program gmon
expect_not_in err newer

# Three have a warning each, the others one together.
built 11:59:00
all=(--set=annotate.system-files=true --source-map=/usr/include/far=.)
rm often.c
expect_status 0 "$GPROFX" -b -A "${all[@]}" program gmon
grep -c 'source\.newer' err >count
echo 3 | expect_same count -
expect_not_in err 'more source'
cp other.c often.c
expect_status 0 "$GPROFX" -b -A "${all[@]}" program gmon
grep -c 'source\.newer' err >count
echo 4 | expect_same count -
expect_in err 'warning[source.newer]: 1 more source file was changed after the build: lines can have moved'

# A source of a library is compared with the library.
python3 - <<-'PROGRAM' || fail 'cannot write the library'
	import os
	import gxcfile
	from dwarfinfo import Function, Unit, add_debug_info
	from profiled import Program
	program, library, bias = Program(['main']), Program(['leaf'], base=0x1000), 0x7000000
	leaf = library.at('leaf')
	add_debug_info(library.image, [Unit('leaf.c', [Function('leaf', leaf, 256, [(0, 2)])], '.')])
	open('plain', 'wb').write(program.bytes())
	open('leaf.so', 'wb').write(library.bytes())
	file = gxcfile.File().program(os.path.abspath('plain'), program.base, program.end)
	file.objects([(bias + library.base, bias + library.end, bias, 0, b'', file.text(os.path.abspath('leaf.so')))])
	file.stacks([(program.at('main+5'), 0, 0, 0, 0), (bias + leaf + 4, 1, 0, 20, 20)])
	open('leaf.gxc', 'wb').write(file.bytes())
PROGRAM
numbered 6 >leaf.c
touch -d '2024-05-01 12:00:02' plain
touch -d '2024-05-01 12:00:05' leaf.c
touch -d '2024-05-01 12:00:05' leaf.so
expect_status 0 "$GPROFX" -b -A plain leaf.gxc
expect_match out '^\*\*\* File .*leaf\.c:$'
expect_not_in err newer
touch -d '2024-05-01 12:00:03' leaf.so
expect_status 0 "$GPROFX" -b -A plain leaf.gxc
expect_match err 'warning\[source\.newer\]: .*leaf\.c: changed after leaf\.so was built: lines can have moved$'

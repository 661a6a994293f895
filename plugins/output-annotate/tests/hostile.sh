#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sources of any kind pass through as they are: binary ones, lines of many megabytes, no lines at all; those
# that were changed are reported.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

mkdir sub
small .
source_of() {
	# Between the heading and the table; in GNU mode the margin has 16 characters.
	expect_status 0 "$GPROFX" --gnu -b -A -t 0 program gmon
	head -c $(($(stat -c %s out) - $(sed -n '/^Execution Summary:$/,$p' out | wc -c) - 1)) out |
		tail -c +$(($(head -n 1 out | wc -c) + 1)) | cut -b 17- >copy
}

for i in $(seq 9); do printf 'line %d \000\377\033[31m\r\n' "$i"; done >sub/prog.c
source_of
expect_same sub/prog.c copy
printf 'one\ntwo' >sub/prog.c
expect_status 0 "$GPROFX" --gnu -b -A -t 0 program gmon
[ "$(sed -n '3,4p' out)" = "       ##### -> two
Execution Summary:" ] || fail 'the missing newline is not missing'
: >sub/prog.c
expect_status 0 "$GPROFX" -b -A program gmon
expect_match err 'warning\[source\.changed\]: \./sub/prog\.c: expected at least [56] lines, .* found 0$'
numbered 4 >sub/prog.c
expect_status 0 "$GPROFX" -b -A program gmon
expect_match err 'warning\[source\.changed\]: \./sub/prog\.c: expected at least [56] lines, .* found 4$'
# The table has what stands behind the end.
expect_match out '^ +5 +0\.0[0-9] +[0-9.]+% +7$'
numbered 6 >sub/prog.c
expect_status 0 "$GPROFX" -b -A program gmon
expect_undiagnosed

# A line of 64 MiB, in little memory.
{ numbered 4; head -c 67108864 /dev/zero | tr '\0' x; echo; numbered 3 tail; } >sub/prog.c
if [ -z "${GPROFX_SANITIZE-}" ]; then
	(ulimit -v 65536 && exec "$GPROFX" --gnu -b -A program gmon) >out 2>err || fail 'status'
	grep -c x out >/dev/null
	[ "$(stat -c %s out)" -gt 67108864 ] || fail 'a part is missing'
	expect_match out '^ {16}tail 3$'
fi
# Lines of the image that no source can have.
python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 2147483647)], 'work': [(0, 4294967), (16, 1)]}, 'sub/prog.c', '.')
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
PROGRAM
numbered 3 >sub/prog.c
expect_status 0 "$GPROFX" -b -A -l -x program gmon
expect_match err 'expected at least 2147483647 lines'
expect_status 0 "$GPROFX" -b -A program gmon
# A regular file that cannot be read although it can be opened.
if [ -f /proc/self/mem ]; then
	ln -sf /proc/self/mem sub/prog.c
	expect_status 0 "$GPROFX" -b -A program gmon
	expect_in err 'warning[source.cannot-read]: ./sub/prog.c: cannot read the source after 0 lines: '
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every topic of -d has something to tell, before the report, which stays as it is.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work', '~idle'])
	program.lines({'main': [(0, 1)], 'work': [(0, 5)], 'idle': [(0, 9)]})
	open('program', 'wb').write(program.bytes())
	profile = program.profile({'main': 10, 'work': 30},
	                          [('main', 'work', 7), ('work', 'idle', 2), ('idle', 'work', 2)])
	open('gmon.out', 'wb').write(profile.bytes())
END
report=(-b -pprog.c -q -k main/idle program)
expect_status 0 "$GPROFX" "${report[@]}"
mv out plain

# topic NUMBER TEXT: -dNUMBER prints a line with the text, and then the report.
topic() {
	expect_status 0 "$GPROFX" "-d$1" "${report[@]}"
	expect_match out "$2"
	tail -n "$(wc -l <plain)" out >rest
	expect_same plain rest
}

topic 2 '^rank [0-9]+: main$'
topic 4 '^cycle of .*(work|idle)'
topic 16 '^arc main -> work: 7 calls added$'
topic 32 '^line 1 of callees of main: work$'
topic 64 '^histogram 0x'
topic 64 '^arc 0x[0-9a-f]+ -> 0x[0-9a-f]+: 7 calls$'
topic 128 '^symbol 0x[0-9a-f]+-0x[0-9a-f]+ work$'
topic 128 '^source of work: .*prog\.c:'
topic 512 '^call site 0x[0-9a-f]+ is in main$'
topic 1024 '^work propagates .* to main$'
topic 4096 '^symspec main/idle out of the arcs \(callers\): 0x'
topic 4096 '^symspec prog\.c into the flat profile: 0x'
topic 4096 '^symspec mcount out of the times: nothing matches$'
topic 8192 '^source file prog\.c: .*prog\.c$'

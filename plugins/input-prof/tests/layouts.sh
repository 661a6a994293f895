#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prof.*: files of each address size and byte order, found by themselves and beside others; damaged ones,
# with the place of the damage; and what is reported about files that are read.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the profiles'
	from gmonfile import layouts, prof_profile
	from profiled import Program
	program = Program(['main', 'work', 'idle'])
	low, high = program.base, program.end
	bins = program.bins({'main': 10, 'work': 30})
	calls = [(low, 1), (low + 256, 7)]
	def made(*how, **named):
	    return bytearray(prof_profile(low, high, calls, bins, *how, **named))
	def save(name, data):
	    open(name, 'wb').write(data)
	for name, *layout in layouts():
	    save(name, made(*layout, room=30))
	save('unused', made() + bytes(8 * (high - low)))
	save('odd', made(tail=b'\0'))
	save('calls', prof_profile(low, high, calls, []))
	save('none', prof_profile(low, high, [], bins))
	save('header', made()[:22])
	save('inverted', prof_profile(high, low, calls, bins))
	save('short', made(count=900))
	open('foreign', 'wb').write(Program(['main', 'work', 'idle'], 'ppc').bytes())
END

expect_layouts prof prof.other-layout
expect_match expected '^ 75\.00 +0\.30 +0\.30 +7 .* work$'
expect_match expected '^ 25\.00 +0\.40 +0\.10 +1 .* main$'
expect_not_in expected 'Call graph'
expect_not_in expected outside
expect_status 0 "$GPROFX" -b program 64l
expect_not_in err rate.differs
expect_status 0 "$GPROFX" -b program unused
expect_undiagnosed

# There is no call graph in it, and it adds to one.
expect_status 1 "$GPROFX" -b -q program 64l
expect_in err 'error[report.no-arcs]'
expect_status 0 "$GPROFX" -b program gmon.out 64l
expect_match out ' 7/14 +<outside any function> \['
expect_match out ' 7/14 +main \['

expect_status 0 "$GPROFX" -b --explain -C program calls
expect_in err 'histogram.missing'
expect_in err 'Calls are counted, not sampled'
expect_status 0 "$GPROFX" -b -p program none
expect_match out '^ 75\.00 .* work$'
expect_status 0 "$GPROFX" -b program odd
expect_same expected out
expect_match err '^gprofx: warning\[prof.trailing-byte\]: odd:0x[0-9a-f]+: .* found one byte, which is left out$'
expect_match err '^  hint: .'

expect_damage header prof.short-header 0x0 'expected a header, found 22 bytes in all' -O prof
expect_damage inverted prof.bad-header 0x0 'expected ascending addresses, found 0x[0-9a-f]+ before 0x401000' -O prof
expect_damage short prof.short-counts 0x10 'expected counts of 900 functions, found 2 before the end of file' -O prof
expect_status 1 "$GPROFX" -b -p program inverted
expect_match err '^gprofx: error\[profile\.not-a-profile\]: inverted: no installed reader '

# GNU gprof announced the format and never read it.
expect_status 1 "$GPROFX" --gnu -Oprof program 64l
expect_in err ": sorry, file format \`prof' is not yet supported"

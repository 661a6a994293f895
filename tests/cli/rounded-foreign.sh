#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rounded call sites of other machines, whose collectors round to 16, 8 or 4 bytes: a call from the
# first bytes of a function, direct or through a register, counts for who made it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

# expect_callers MACHINE QUANTUM BEGIN PART: a function that begins BEGIN bytes behind a multiple calls leaf,
# directly or not; before it lies one that calls nobody.
expect_callers() {
	python3 - "$@" <<-'END' || fail "no profile for $1"
		import sys
		from callsites import POINTER, Program
		machine, quantum, begin, part = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
		program = Program(machine, quantum, {
		    'leaf': (0, []), 'first': (64, []),
		    'second': (64 + begin, [POINTER if part == 'pointer' else 'leaf'])})
		assert program.site('second') == program.LOW + 64, 'no case for this test'
		program.write([('second', 0, 'leaf', 10)])
	END
	expect_status 0 "$GPROFX" --gnu -b -q program gmon
	expect_match out ' 10/18  *first '
	expect_status 0 "$GPROFX" --no-findings -b -q program gmon
	expect_empty err
	expect_match out ' 10/18  *second '
	expect_not_in out 'first'
	expect_status 0 "$GPROFX" --no-findings -i program gmon
	expect_in out "rounded down by up to $(($2 - 1)) bytes; 1 arc (10 calls) can be"
	expect_in out '  corrected   1 arc (10 calls) moved, 0 arcs (0 calls) split'
}

# expect_scanner NAME COMMAND...: only where that plugin is installed.
expect_scanner() {
	if [ "${GPROFX_BUILTIN:-0}" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-$1.so" ]; then
		"${@:2}"
	fi
}

expect_scanner x86 expect_callers x86_64 16 1 direct
expect_scanner x86 expect_callers x86_64 16 10 direct
expect_scanner x86 expect_callers x86_64 16 13 pointer
expect_scanner x86 expect_callers i386 8 1 direct
expect_scanner x86 expect_callers i386 4 1 pointer
expect_scanner aarch64 expect_callers aarch64 16 4 direct
expect_scanner aarch64 expect_callers aarch64 16 8 pointer
expect_scanner arm expect_callers arm 16 4 direct
expect_scanner arm expect_callers arm 16 8 pointer
expect_scanner mips expect_callers mips 16 4 direct
expect_scanner mips expect_callers mips 16 4 pointer
expect_scanner ppc expect_callers ppc64 16 8 direct
expect_scanner ppc expect_callers ppc64 16 8 pointer
expect_scanner s390x expect_callers s390x 16 2 direct
expect_scanner s390x expect_callers s390x 8 4 pointer
# The address that its callees see is that of the call itself.
expect_scanner sparc expect_callers sparc 8 4 direct
expect_scanner sparc expect_callers sparc 8 4 pointer
expect_scanner m68k expect_callers m68k 16 4 direct
expect_scanner m68k expect_callers m68k 8 2 pointer
expect_scanner alpha expect_callers alpha 16 4 direct
expect_scanner alpha expect_callers alpha 16 8 pointer
expect_scanner riscv expect_callers riscv64 16 4 direct
expect_scanner riscv expect_callers riscv64 16 8 pointer
expect_scanner vax expect_callers vax 16 4 direct
expect_scanner vax expect_callers vax 8 2 pointer

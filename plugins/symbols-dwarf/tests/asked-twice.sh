#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compressed debug information is read as often as it is needed: first for the files of static functions in
# the index of the call graph, then for all functions, then for the lines of all code.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

for compress in elf gnu; do
	COMPRESS=$compress python3 - <<'PROGRAM' || fail 'cannot write the profile'
import os
from profiled import Program
program = Program(['main', '~work'])
program.lines({'main': [(0, 2)], 'work': [(0, 3), (16, 4)]}, 'prog.c', '.', compress=os.environ['COMPRESS'])
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
open('prog.c', 'w').write('line 1\nline 2\nline 3\nline 4\n')
PROGRAM
	expect_status 0 "$GPROFX" -b -q -A program gmon
	expect_undiagnosed
	expect_in out '[2] work (prog.c)'
	expect_match out ' 0\.03  70\.3% \* +line 4'
done

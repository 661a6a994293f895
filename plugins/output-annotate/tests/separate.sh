#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -y: a listing for each source, whole or not at all, that replaces nothing the run reads.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

mkdir sub
small .
numbered 9 >sub/prog.c
expect_status 0 "$GPROFX" -b -A program gmon
sed -e 1,2d out >expected
expect_status 0 "$GPROFX" -b -A -y program gmon
expect_empty out
expect_same expected prog.c-ann
# It is replaced as a whole: who has the old one open goes on reading that.
exec 5<prog.c-ann
expect_status 0 "$GPROFX" -b -A -y -t 0 program gmon
cat <&5 >old
exec 5<&-
expect_same expected old
! cmp -s prog.c-ann old || fail 'it was not replaced'
[ "$(echo .*.tmp)" = '.*.tmp' ] || fail 'something was left behind'
# Beside an output in a file of its own.
expect_status 0 "$GPROFX" -b --output=annotate:report --output-option=annotate.separate-files=true program gmon
expect_same expected prog.c-ann
expect_empty report

# An input is not replaced.
for mode in '' --gnu; do
	cp gmon prog.c-ann
	run "$GPROFX" $mode -b -A -y program prog.c-ann
	[ "$status" -eq "$([ -n "$mode" ] && echo 0 || echo 1)" ] || fail "$mode: status $status"
	expect_in err '[output.same-file]: prog.c-ann: '
	expect_same gmon prog.c-ann
done
# Nor is one that is a source.
python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 2, 'prog.c-ann')], 'work': [(0, 5, 'sub/prog.c')]}, 'sub/prog.c', '.')
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
PROGRAM
numbered 4 source >prog.c-ann
cp prog.c-ann kept
expect_status 0 "$GPROFX" -b -A -y program gmon
expect_same kept prog.c-ann
expect_in prog.c-2-ann '7 -> line 5'
expect_in prog.c-ann-ann 'source 2'

# A device is written to as it is, and failures are reported.
rm prog.c-*
small .
ln -s /dev/full prog.c-ann
expect_status 1 "$GPROFX" -b -Aprog.c -y program gmon
expect_in err 'warning[output.beside-failed]: prog.c-ann: '
expect_not_in err 'plugin.no-reason'

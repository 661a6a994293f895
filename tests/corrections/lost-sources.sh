#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lost-sources: the exit status tells that no source was found, or that a listing could not be written.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'other'])
program.lines({'main': [(0, 2, 'main.c')], 'work': [(0, 3, 'work.c')], 'other': [(0, 3, 'other.c')]},
              'main.c', '.')
open('program', 'wb').write(program.bytes())
open('gmon', 'wb').write(program.profile({'main': 1}, [('main', 'work', 7), ('main', 'other', 1)]).bytes())
PROGRAM

expect_status 0 "$GPROFX" --gnu -b -A program gmon
[ "$(grep -c 'could not locate' err)" = 2 ] || fail 'gprof: it says so'
expect_status 1 "$GPROFX" -b -A program gmon
expect_in err 'error[source.none]: none of 3 source files was found'
expect_status 0 "$GPROFX" --correct=no-lost-sources -b -A program gmon
expect_in err 'warning[source.not-found]: ./work.c: '
# One is enough.
echo line >work.c
expect_status 0 "$GPROFX" -b -A program gmon
expect_in err 'warning[source.not-found]: ./main.c: '
expect_in out '*** File ./work.c:'
# A folder in the place of the listing.
mkdir work.c-ann
expect_status 0 "$GPROFX" --gnu -b -A -y program gmon
expect_in err 'work.c-ann: Is a directory'
expect_status 1 "$GPROFX" -b -A -y program gmon
expect_in err 'warning[output.beside-failed]: work.c-ann: '
expect_not_in err 'source.none'

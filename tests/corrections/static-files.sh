#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# static-files: the index names the file of the static function "sub" once, with and without the source
# positions of all functions. The truth is the line table: sub is line 6 of a.c.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', '~sub']).lines({'main': [(0, 2)], 'sub': [(0, 6)]}, 'src/a.c', '/home/me')
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'main': 1, 'sub': 3}, [('main', 'sub', 7)]).bytes())
END

index() {
	sed '1,/^Index by/d' out >index
}

expect_status 0 "$GPROFX" --gnu -b -q --inline-file-names program
index
expect_match index ' \[2\] sub \(a\.c:6\) \(a\.c\)$'
expect_status 0 "$GPROFX" -b -q --inline-file-names program
index
expect_match index ' \[1\] main \(a\.c:2\) +\[2\] sub \(a\.c:6\)$'
expect_status 0 "$GPROFX" -b -q -L --inline-file-names program
index
expect_match index ' \[2\] sub \(/home/me/src/a\.c:6\)$'

# Without positions the file is there to tell static functions of one name apart.
expect_status 0 "$GPROFX" -b -q program
index
expect_match index ' \[1\] main +\[2\] sub \(a\.c\)$'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# full-index: every function that has an entry is in the index. Here main has time only below it, and
# again is called by itself alone; idle has nothing, and no entry.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the profile'
from profiled import Program
program = Program(['again', 'idle', 'main', 'work'])
open('program', 'wb').write(program.bytes())
arcs = [('main', 'work', 7), ('again', 'again', 3)]
open('gmon.out', 'wb').write(program.profile({'work': 30}, arcs).bytes())
END

# indexed: the names in the index, one on a line.
indexed() {
	sed '1,/^Index by/d' out | grep -oE '[a-z]+' | sort
}

# entered: the names on primary lines.
entered() {
	sed -n 's/^\[.* \([a-z]*\) \[[0-9]*\]$/\1/p' out | sort
}

printf '%s\n' again main work >truth
expect_status 0 "$GPROFX" --gnu -b -q program
entered >entries
expect_same truth entries
[ "$(indexed)" = work ] || fail 'the index of gprof is full'
expect_status 0 "$GPROFX" -b -q program
entered >entries
expect_same truth entries
indexed >index
expect_same truth index
expect_match out "^ +\[3\] again +\[2\] main +\[1\] work\$"

# A function without an entry because of a filter is distinguished, as those are that gprof lists.
expect_status 0 "$GPROFX" -b -q -Qmain program
expect_match out '\(2\) main '

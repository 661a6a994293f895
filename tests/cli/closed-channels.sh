#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Standard channels that are closed are not taken for files: nothing but the report is ever written to
# the number of a closed one.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

expect_status 0 "$GPROFX" --version
cp out expected
"$GPROFX" --version <&- 2>&- >out || fail "status $? without standard input and error"
expect_same expected out
# Without standard error a message is lost, and the status is not.
status=0
"$GPROFX" no-image 2>&- >out </dev/null || status=$?
[ "$status" -eq 1 ] || fail "status $status without standard error"
expect_empty out
# Standard input that is closed is no profile: it fails as a file that cannot be read.
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'work'])
open('image', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 3}, [('main', 'work', 1)]).bytes())
END
status=0
"$GPROFX" image - <&- >out 2>err || status=$?
[ "$status" -eq 1 ] || fail "status $status without standard input"
expect_empty out
# The file that would get the number of standard output stays as it is.
echo text >file
status=0
"$GPROFX" file file >&- 2>err || status=$?
[ "$status" -eq 1 ] || fail "status $status without standard output"
[ "$(cat file)" = text ] || fail 'a closed channel was written to'

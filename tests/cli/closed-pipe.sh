#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader that goes away ends the program without a word, but not with status 0.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

need python3
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'work'])
open('image', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 30}, [('main', 'work', 1)]).bytes())
END

# A pipe whose reading end is closed already.
exec 3> >(:)
wait $!

quiet() {
	status=0
	"$@" >&3 2>err || status=$?
	[ "$status" -ne 0 ] || fail "status 0 from: $*"
	[ "$status" -ne 99 ] || fail "sanitizer report from: $*"
	expect_empty err
}
quiet "$GPROFX" --help
quiet "$GPROFX" --list-plugins
quiet "$GPROFX" -b image
# The same when the signal is ignored and the write fails instead.
trap '' PIPE
quiet "$GPROFX" --help
quiet "$GPROFX" --list-plugins
quiet "$GPROFX" -b image
quiet "$GPROFX" -b -d image
quiet "$GPROFX" --gnu -b image
[ "$status" -eq 1 ] || fail "status $status instead of 1"

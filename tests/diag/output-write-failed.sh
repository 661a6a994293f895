#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# output.write-failed: standard output on a full disk, or closed; nothing is lost silently.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

[ -w /dev/full ] || skip 'there is no /dev/full'
need python3
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'work'])
open('image', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 3}, [('main', 'work', 1)]).bytes())
END

full() {
	status=0
	"$@" >/dev/full 2>"$scratch/err" || status=$?
	[ "$status" -eq 1 ] || fail "status $status instead of 1 from: $*"
	[ "$(grep -c 'error\[' err)" = 1 ] || fail "not one message: $*"
	expect_match err '^gprofx: error\[output\.write-failed\]: standard output: .*No space left on device'
	expect_in err '  hint: '
}
full "$GPROFX" --help
full "$GPROFX" --version
full "$GPROFX" --list-plugins
full "$GPROFX" -b image
full "$GPROFX" -b -d image

status=0
"$GPROFX" --help >&- 2>err || status=$?
[ "$status" -eq 1 ] || fail "status $status with standard output closed"
expect_in err 'gprofx: error[output.write-failed]: standard output: '
# GNU gprof says nothing about it; we do, in our own form.
status=0
"$GPROFX" --gnu -b image >/dev/full 2>err || status=$?
[ "$status" -eq 1 ] || fail "status $status in GNU mode"
expect_in err 'error[output.write-failed]'

# A limit for the size of files, which by itself ends a program; nothing is left behind.
mkdir folder
words=$( (ulimit -f 0 && exec "$GPROFX" -b --output=flat:folder/report image) 2>&1)
[ $? -eq 1 ] || fail 'status not 1 at the limit for the size of files'
case $words in
*'error[output.write-failed]: folder/report: '*'File too large'*) ;;
*) fail "at the limit for the size of files: $words" ;;
esac
[ -z "$(ls -A folder)" ] || fail "left behind: $(ls -A folder)"

# What to do depends on why.
mkdir folder
expect_status 1 "$GPROFX" -b --output=flat:folder image
expect_match err '^  hint: name a file: this is a folder$'
expect_status 1 "$GPROFX" -b --output=flat:nowhere/file image
expect_match err '^  hint: create the folder first, or write somewhere else$'
expect_status 1 "$GPROFX" -b --output=flat:/dev/full image
expect_match err '^  hint: free some space, or write somewhere else$'

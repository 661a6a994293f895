#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# profile.*, reader.prof-unsupported: files that are named as profiles and are not.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
mkdir folder
printf 'gmon\1' >short
printf 'not a profile, but a text of some length\n' >text

# refuse ID TEXT WORD...: one error of this id, and a hint.
refuse() {
	expect_status 1 "$GPROFX" -b "${@:3}"
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_match err "^gprofx: error\\[$1\\]: $2"
	expect_match err '^  hint: .'
}

refuse profile.cannot-open 'absent: .*No such file or directory$' program absent
expect_match err 'hint: check the path'
refuse profile.cannot-open 'text/absent: .*Not a directory$' program text/absent
expect_match err 'hint: check the path'
refuse profile.is-a-folder 'folder: the folder contains no profiles$' program folder
refuse profile.short-file 'short: expected at least [0-9]+ bytes of a profile, found 5$' program short
refuse profile.not-a-profile 'text: no installed reader recognizes the format of the file$' program text
expect_status 1 "$GPROFX" --gnu -O prof program gmon.out
expect_in err "sorry, file format \`prof' is not yet supported"
# What is wrong with the second file is not forgiven because of the first.
refuse profile.not-a-profile 'text: ' program gmon.out text

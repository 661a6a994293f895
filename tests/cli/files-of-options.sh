#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @FILE stands for the words in FILE, which may be quoted and may be @FILE again.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

# found WORD ARGUMENT...: the first word that is no option is WORD.
found() {
	word=$1
	shift
	expect_status 2 "$GPROFX" "$@"
	expect_in err "[usage.unknown-option]: unknown option '$word'"
}
printf -- "-b\n\t--fo'o b'ar" >quotes
found '--foo bar' @quotes
printf -- '--a\\ b"c\\"d"' >escapes
found '--a bc"d' -b @escapes
printf '@quotes' >nested
found '--foo bar' @nested -b
: >empty
found --next @empty --next
printf -- '--width' >width
found --next @width 7 --next

# A name that is no file is a word as it is; a folder is an error.
expect_status 1 "$GPROFX" @none
expect_in err 'image.cannot-open]: @none: '
expect_status 1 "$GPROFX" @.
expect_in err '@-file refers to a directory'
# A file that names itself ends, too.
printf '@self' >self
expect_status 1 "$GPROFX" @self
# Nothing waits for the writer of a pipe, and nothing is read without an end.
mkfifo pipe
expect_status 1 timeout 20 "$GPROFX" @pipe
expect_in err 'image.cannot-open]: @pipe: '
found --next @/dev/zero --next
truncate -s 4G holes
printf -- '-b @holes' >around
for file in holes around; do
	for mode in -b --gnu; do
		expect_status 1 "$GPROFX" $mode @$file
		expect_in err 'error[usage.file-too-large]: holes: the files named with @ have more than 16 MiB of words'
	done
done
# Names of many profiles are fine: these are 13 MB.
yes "$(printf 'a%.0s' {1..63})" | head -n 200000 >many
expect_status 1 "$GPROFX" none @many
expect_in err 'image.cannot-open]: none: '
# A long file that names itself costs no more.
{ yes '"b c"' | head -n 150000 && echo @long; } >long
expect_status 1 "$GPROFX" none @long
expect_in err 'usage.file-too-large]: long: '
# --gnu counts from there as well.
printf -- '--gnu --foo' >gnu
expect_status 1 "$GPROFX" @gnu
expect_in err "unrecognized option '--foo'"

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
	expect_in err "[usage.unknown-option]: expected an option, found '$word'"
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
# --gnu counts from there as well.
printf -- '--gnu --foo' >gnu
expect_status 1 "$GPROFX" @gnu
expect_in err "unrecognized option '--foo'"

# SPDX-License-Identifier: Apache-2.0
#
# Helper of the tests about all diagnostics: the ids in the sources.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

# list_ids FOLDER...: every id that stands in C files of the folders, the table of GNU gprof's words
# and the findings left out. An id is a string of the form "area.word-word" (names of files have that form as well,
# but for their endings), or stands in brackets in a message.
list_ids() {
	find "$@" \( -name tests -o -path '*/engine/findings' -o -path 'engine/findings' \) -prune -o -name gnu-messages.c -o -name '*.[ch]' -print0 |
		xargs -0 grep -ohE '("|error\[)[a-z]+\.[a-z][a-z0-9]*(-[a-z0-9]+)*[]"]' |
		sed -E 's/^("|error\[)(.*)[]"]$/\2/' | grep -vE '\.(c|h|def|out|sum|yaml|so|gz|data)$' | sort -u
}

# SPDX-License-Identifier: Apache-2.0
#
# Helpers of the tests of "gprofx open", on top of those in tests/plugin/lib.sh: ./program with its profile,
# ./bin as the only folder that programs are found in, and no display. Pages are below ./tmp.

. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program
mkdir bin tmp
unset DISPLAY WAYLAND_DISPLAY BROWSER HOME XDG_RUNTIME_DIR
export TMPDIR=$scratch/tmp
tools=$PATH

# fake NAME [LINE...]: makes ./bin/NAME, which notes its words in ./NAME.words, one a line; then come the lines.
fake() {
	{
		printf '#!/bin/sh\nPATH=%q\n' "$tools"
		printf 'printf "%%s\\n" "$@" >%q\n' "$scratch/$1.words"
		printf '%s\n' "${@:2}"
	} >"bin/$1"
	chmod +x "bin/$1"
}

# opened STATUS [VARIABLE=VALUE...] [-- WORD...]: runs "gprofx open WORD... program" where only ./bin has programs; the file
# that it printed is in $page.
opened() {
	local expected=$1 variables=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	rm -f ./*.words
	expect_status "$expected" env PATH="$scratch/bin" "${variables[@]}" "$GPROFX" open --no-findings "${@:2}" program
	page=$(cat out)
}

# shown NAME: the program of that name ran with the file as its last word.
shown() {
	[ -e "$1.words" ] || fail "$1 did not run"
	[ "$(tail -n 1 "$1.words")" = "$page" ] || fail "$1 got $(cat "$1.words") instead of $page"
}

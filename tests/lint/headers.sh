#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Headers can be included first, and without any other, with the warnings of the tree; public ones,
# and those that were frozen, in C++, too; public ones as strictly as anybody may have it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc
need g++

warnings='-Wall -Wextra -Wconversion -Werror'
in_c="$warnings -Wshadow -Wstrict-prototypes -Wmissing-prototypes"

# alone LIST COMPILER...: each header of a list by itself, two at once.
alone() {
	[ -s "$1" ] || fail "no headers in $1"
	# shellcheck disable=SC2016
	xargs -d '\n' -a "$1" -I{} -P 2 sh -c 'header=$1; shift
		printf "#include \"%s\"\n" "$header" | "$@" -fsyntax-only - || {
			printf "not alone: %s\n" "$header" >&2
			exit 1
		}' sh {} "${@:2}" 2>log || {
		cat log >&2
		fail "with ${*:2}: $(sed -n 's/^not alone: //p' log | paste -sd' ')"
	}
}

shopt -s nullglob
for include in "$GPROFX_SOURCE"/include "$GPROFX_SOURCE"/tests/abi/*/include; do
	find "$include/gprofx" -name '*.h' >list
	strict=
	[ "$include" != "$GPROFX_SOURCE/include" ] || strict=-pedantic
	# shellcheck disable=SC2086
	alone list gcc -x c -std=c11 $in_c -I"$include"
	# shellcheck disable=SC2086
	alone list g++ -x c++ -std=c++11 $strict $warnings -I"$include"
done
find "$GPROFX_SOURCE/include/gprofx" -name '*.h' >list
# shellcheck disable=SC2086
alone list g++ -x c++ -std=c++20 -pedantic $warnings -I"$GPROFX_SOURCE/include"

for folder in engine cli library plugins; do
	find "$GPROFX_SOURCE/$folder" -name tests -prune -o -name '*.h' -print
done >list
[ "$(uname -m)" != x86_64 ] || find "$GPROFX_SOURCE/collect" -name '*.h' >>list
# shellcheck disable=SC2086
alone list gcc -x c -std=c11 -D_GNU_SOURCE $in_c -I"$GPROFX_SOURCE/include" -I"$GPROFX_SOURCE/engine" \
	-I"$GPROFX_SOURCE/cli"

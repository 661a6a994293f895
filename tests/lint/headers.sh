#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Headers can be included first, and without any other; public ones in C++, too.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc
need g++

headers=0
for header in "$GPROFX_SOURCE"/include/gprofx/*.h; do
	name=gprofx/$(basename "$header")
	headers=$((headers + 1))
	for language in 'c -std=c11 -Wstrict-prototypes' 'c++ -std=c++11'; do
		# shellcheck disable=SC2086
		printf '#include <%s>\n' "$name" |
			gcc -x $language -Wall -Wextra -Werror -I"$GPROFX_SOURCE/include" -fsyntax-only - ||
			fail "$name alone, in ${language%% *}"
	done
done
[ "$headers" -ge 5 ] || fail 'no public headers'
for folder in engine cli plugins/shared; do
	find "$GPROFX_SOURCE/$folder" -name tests -prune -o -name '*.h' -print
done >list
while read -r header; do
	printf '#include "%s"\n' "$header" |
		gcc -x c -std=gnu11 -D_GNU_SOURCE -I"$GPROFX_SOURCE/include" -I"$GPROFX_SOURCE/engine" \
			-I"$GPROFX_SOURCE/cli" -I"$GPROFX_SOURCE/plugins/shared" -fsyntax-only - 2>log || {
		cat log >&2
		fail "$header alone"
	}
done <list
[ -s list ] || fail 'no headers'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The table of corrections: what switches them, in which order, and that the manual has each of them.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

# state NAME OPTION...: on or off.
state() {
	"$GPROFX" "${@:2}" --list-corrections | sed -n "s/^$1 (\\(.*\\))\$/\\1/p"
}

expect_status 0 "$GPROFX" --list-corrections
sed -n 's/^\([a-z-]*\) (on)$/\1/p' out >names
[ -s names ] || fail 'no corrections are listed'
while read -r name; do
	[ "$(state "$name")" = on ] || fail "$name is off"
	[ "$(state "$name" --gnu)" = off ] || fail "$name is on in GNU mode"
	[ "$(state "$name" --gnu --correct="$name")" = on ] || fail "$name cannot be switched on"
	[ "$(state "$name" --correct=no-"$name")" = off ] || fail "$name cannot be switched off"
	[ "$(state "$name" --correct=none)" = off ] || fail "none leaves $name"
	[ "$(state "$name" --gnu --correct=all)" = on ] || fail "all leaves $name out"
	[ "$(state "$name" --correct=none --correct="$name")" = on ] || fail 'the first word counts'
	[ "$(state "$name" --correct="$name" --correct=none)" = off ] || fail 'the first word counts'
done <names

# In the manual each is an ".It Cm" of its list.
sed -n 's/^\.It Cm \([a-z-]*\)$/\1/p' "$GPROFX_SOURCE/doc/gprofx-corrections.7" | sort >in-manual
sort names | diff - in-manual >out || fail 'corrections in the table only (<) or in the manual only (>)'

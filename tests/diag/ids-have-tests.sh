#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every diagnostic has a test: each id in the sources stands in at least one test.
. "$GPROFX_SOURCE/tests/diag/lib.sh"

cd "$GPROFX_SOURCE" || exit 1
list_ids engine cli collect plugins >"$scratch/ids"
[ "$(wc -l <"$scratch/ids")" -gt 40 ] || fail 'hardly any ids found: they are looked for in the wrong way'
# An id that is set has the form that is looked for.
grep -rhoE --include='*.[ch]' --exclude-dir=tests '\.id = "[^"]*"' engine cli plugins |
	sed 's/.*"\(.*\)"/\1/' | grep -vxFf "$scratch/ids" >"$scratch/odd"
expect_empty "$scratch/odd"

find tests plugins/*/tests -type f \( -name '*.sh' -o -name '*.c' -o -name '*.py' \) -print0 |
	xargs -0 cat | tr -d '\\' >"$scratch/tests"
while read -r id; do
	grep -qF -e "$id" "$scratch/tests" || printf '%s\n' "$id"
done <"$scratch/ids" >"$scratch/untested"
[ ! -s "$scratch/untested" ] ||
	fail "no test provokes these diagnostics: $(paste -sd' ' "$scratch/untested")"

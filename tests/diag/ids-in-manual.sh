#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The manual lists every diagnostic: those of the engine and the program in gprofx(1), those of a
# plugin there or in the plugin's own page, those of the collector in gprofx-record(1); and none that
# does not exist.
. "$GPROFX_SOURCE/tests/diag/lib.sh"

# listed PAGE...: ids under DIAGNOSTICS, one ".It Li ID" each.
listed() {
	sed -nE '/^\.Sh DIAGNOSTICS/,/^\.Sh [^D]/s/^\.It Li ([a-z]+\.[a-z0-9-]+)$/\1/p' "$@" | sort -u
}

# found: ids of findings, which have a section of their own. Plugins can look for one.
found() {
	sed -nE '/^\.Sh FINDINGS/,/^\.Sh [^F]/s/^\.It Li ([a-z]+\.[a-z0-9-]+)$/\1/p' doc/gprofx.1
}

cd "$GPROFX_SOURCE" || exit 1
shopt -s nullglob
comm -13 <(listed doc/gprofx-record.1) <(list_ids collect) >"$scratch/missing-of-record"
listed doc/gprofx.1 >"$scratch/manual"
list_ids engine cli >"$scratch/program"
comm -13 "$scratch/manual" "$scratch/program" | cat - "$scratch/missing-of-record" >"$scratch/missing"
for folder in plugins/*/; do
	pages=("$folder"*.7)
	# What plugins share is reported by one of them.
	[ "$folder" != plugins/shared/ ] || pages=(plugins/*/*.7)
	list_ids "$folder" | comm -23 - <({ listed doc/gprofx.1 "${pages[@]}"; found; } | sort -u) >>"$scratch/missing"
done
[ ! -s "$scratch/missing" ] ||
	fail "not in the manual: $(paste -sd' ' "$scratch/missing")"
listed doc/gprofx.1 doc/gprofx-record.1 plugins/*/*.7 | comm -23 - <(list_ids engine cli collect plugins) >"$scratch/stale"
[ ! -s "$scratch/stale" ] ||
	fail "in the manual, but not in the sources: $(paste -sd' ' "$scratch/stale")"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every diagnostic and finding has a line in gprofx-diagnostics(7) and a test that names it, and the manual
# has no others.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need mandoc

cd "$GPROFX_SOURCE" || exit 1
# Names stand in the source as texts of their own, but for what a signal handler says. Other texts with a dot are
# names of files.
grep -rhoE '("|(error|warning)\[)[a-z][a-z0-9]*\.[a-z][a-z0-9]*(-[a-z0-9]+)*("|\])' \
	--include='*.[ch]' --exclude-dir=tests engine cli collect library mpi plugins | sed 's/^[a-z]*\[//; s/[]"]//g' |
	grep -vE '\.(so|o|c|h|out|sum|yaml|text|gmon|mon|dbg|def|gz|data)$' | sort -u >"$scratch/source"
[ "$(wc -l <"$scratch/source")" -gt 150 ] || fail 'hardly any found: they are looked for in the wrong way'
awk -f doc/diagnostics.awk doc/gprofx-diagnostics.7.in doc/*.[135] plugins/*/*.7 >"$scratch/page.7"
run mandoc -Tlint -Wwarning "$scratch/page.7"
[ "$status" -eq 0 ] || fail 'mandoc finds faults in the page'
sed -n 's/^\.It Li //p' "$scratch/page.7" >"$scratch/manual"
sort -c "$scratch/manual" || fail 'the page is not in order'
diff "$scratch/source" "$scratch/manual" >"$scratch/out" ||
	fail 'diagnostics in the source only (<) or in the manual only (>)'
while read -r id; do
	# In patterns the dot has a backslash.
	grep -rqE --include='*.sh' --include='*.py' --include='*.c' -e "${id/./\\\\?[.]}" tests plugins/*/tests ||
		printf '%s\n' "$id"
done <"$scratch/source" >"$scratch/untested"
expect_empty "$scratch/untested"

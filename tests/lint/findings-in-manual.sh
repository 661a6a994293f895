#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every finding has a line in the manual and an input that must give it, and neither has others.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

cd "$GPROFX_SOURCE" || exit 1
grep -ohE '\{"[a-z]+\.[a-z-]+",' engine/findings/findings.c | tr -d '{",' | sort >"$scratch/source"
[ "$(wc -l <"$scratch/source")" -gt 15 ] || fail 'hardly any findings found: they are looked for in the wrong way'
uniq -d "$scratch/source" >"$scratch/twice"
expect_empty "$scratch/twice"
sed -nE '/^\.Sh FINDINGS/,/^\.Sh [^F]/s/^\.It Li ([a-z]+\.[a-z0-9-]+)$/\1/p' doc/gprofx.1 | sort |
	diff "$scratch/source" - >"$scratch/out" || fail 'findings in the source only (<) or in the manual only (>)'
# What only a reader of somebody else's can bring about is in the tests of plugins.
{
	grep -ohE "^@case\('[a-z.-]+'" tests/findings/odd.py | cut -d"'" -f2
	sed -nE 's/.*finding\\\[([a-z]+)\\\.([a-z-]+)\\\].*/\1.\2/p' tests/plugin/*.sh
} | sort -u |
	diff "$scratch/source" - >"$scratch/out" || fail 'findings in the source only (<) or in the tests only (>)'

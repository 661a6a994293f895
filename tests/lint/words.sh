#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No text of the tree has an expression of words.txt: manuals, messages, help, comments and names of tests use the
# terms of the field. Takes 2 s.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

words() { python3 "$GPROFX_SOURCE/tests/lint/words.py" "$GPROFX_SOURCE/tests/lint/words.txt" "$@"; }

# expect_found LINE REST: the check names the file, the line, and what to write.
expect_found() {
	cat >"$scratch/text"
	run words "$scratch/text"
	[ "$status" -eq 1 ] || fail "status $status for a text with \"$2\""
	grep -qF "$scratch/text:$1: \"$2\": write " "$scratch/out" || fail "\"$2\" on line $1 was not found: $(cat "$scratch/out")"
}
expect_found 2 'linkage table' <<<$'int a;\n/* A slot of the linkage table. */'
expect_found 2 'Linkage tables' <<<$'.Nm gprof\nLinkage tables are read.'
# An expression can go on in the next line: of a comment, a string, a request.
expect_found 1 'held against' <<<$'/*\tEach is held\n *\tagainst another. */'
expect_found 2 'held against' <<<$'\n# Each is held\n# against another.'
expect_found 1 'held against' <<<$'puts("it is held "\n     "against it");'
expect_found 2 'held against' <<<$'\nIt is held\n.Em against it'
# Parts of words are none.
printf '%s\n' 'An upheld against-all unlinkage tablet. It begins offside.' >"$scratch/text"
run words "$scratch/text"
[ "$status" -eq 0 ] && [ ! -s "$scratch/out" ] || fail "found in a sound text: $(cat "$scratch/out")"

# Data of tests is as programs wrote it, and GNU gprof has its own words.
cd "$GPROFX_SOURCE" || exit 1
find . \( -path './build*' -o -name .git -o -name .cache -o -name __pycache__ -o -path './debian/*gprofx*' \
	-o -path ./debian/.debhelper -o -path ./bench-data -o -path ./tests/vectors -o -path ./tests/data \) -prune -o \
	-type f ! -name LICENSE ! -path './tests/lint/words.*' ! -name 'gmon.*' ! -path ./cli/gnu-messages.c -print0 \
	>"$scratch/files"
[ "$(tr -dc '\0' <"$scratch/files" | wc -c)" -gt 500 ] || fail 'hardly any files found'
run xargs -0 -a "$scratch/files" python3 tests/lint/words.py tests/lint/words.txt
[ "$status" -eq 0 ] || fail "words that this project does not use: $(cat "$scratch/out" "$scratch/err")"

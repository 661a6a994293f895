#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every command of the manual's section EXAMPLES runs as it stands there, on programs made for it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc python3

cat >table.c <<'END'
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
static char *words[100000];
static size_t count;
static int place(const char *word)
{
	size_t i = 0;
	while (i < count && strcmp(words[i], word) < 0)
		i++;
	return (int)i;
}
void insert(const char *word)
{
	int at = place(word);
	memmove(words + at + 1, words + at, (count++ - (size_t)at) * sizeof *words);
	words[at] = strdup(word);
}
END
cat >main.c <<'END'
#include <stdio.h>
void insert(const char *word);
int main(int argc, char **argv)
{
	char word[64];
	FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (!file)
		return 1;
	while (fscanf(file, "%63s", word) == 1)
		insert(word);
	return 0;
}
END
cat >walker.c <<'END'
int depth;
void leave(int n);
void enter(int n) { depth++; if (n > 0) leave(n - 1); }
void leave(int n) { depth--; if (n > 0) enter(n - 1); }
int main(void) { enter(1000); return depth; }
END
seq 1 4000 >words.txt
seq 4000 -1 1 >a.txt
cp a.txt b.txt
gcc -O0 -pg walker.c -o walker && { ./walker; :; } && mv gmon.out gmon.walker ||
	skip 'programs cannot be profiled here'
mkdir -p bin home/bin
ln -s "$GPROFX" bin/gprofx
printf '#!/bin/sh\nexec cat >shown\n' >bin/less
printf '#!/bin/sh\nexec cp "$1" shown.callgrind\n' >bin/kcachegrind
printf '#!/bin/sh\nexec cp "$1" shown.html\n' >bin/xdg-open
chmod +x bin/*
export PATH="$PWD/bin:$PATH" HOME="$PWD/home" TMPDIR="$PWD" DISPLAY=:7

sed -n '/^\.Sh EXAMPLES/,/^\.Sh DIAGNOSTICS/p' "$GPROFX_SOURCE/doc/gprofx.1" |
	sed -n '/^\.Bd -literal/,/^\.Ed/p' | grep -v '^\.[BE]d' |
	sed -e 's/^\\&//' -e 's/\\e$/\\/' | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' >commands
[ "$(wc -l <commands)" -ge 10 ] || fail "only these examples were found: $(cat commands)"
while IFS= read -r command; do
	case $command in *json:*)
		"$GPROFX" --list-plugins | grep -q '^output-json ' || continue
		;;
	esac
	# What the ranks of a parallel run would have written.
	case $command in *' ranks') mkdir -p ranks && cp gmon.out ranks/gmon.out.1 ;; esac
	run bash -c "set -o pipefail; $command"
	[ "$status" -eq 0 ] || fail "status $status from: $command"
	expect_not_in err 'error['
	case $command in
	*' -p sorter' | *'sorter all.gmon' | *'-p sorter run.'* | *-ptable.c*)
		expect_match out ' (insert|place)$'
		;;
	*'--entry=insert'*) expect_match out '^\[[0-9]+\].* insert \[' ;;
	*' -k leave/enter '*)
		expect_match out ' leave \['
		expect_not_in out 'cycle'
		;;
	esac
done <commands
expect_match shown ' (insert|place)$'
expect_in shown.callgrind 'fn='
expect_in shown.html insert
[ ! -e report.json ] || expect_in flat.txt 'Flat profile:'
[ ! -e report.json ] || python3 -m json.tool report.json >/dev/null || fail 'report.json is not JSON'
run home/bin/gprof -b walker gmon.walker
[ "$status" -eq 0 ] || fail 'the link to gprof does not work'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# first-files: what stands first in the code of a unit and comes from a header is of the header. The
# truth: add is in line 3 of part.h, and nothing is in line 3 of first.c; eu-addr2line knows, too.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need gcc

printf '\n\nstatic inline int add(int a, int b) { return a + b; }\n' >part.h
cat >first.c <<'PROGRAM'
#include "part.h"
int main(int argc, char **argv)

{
	int sum = 0;

	(void)argv;
	for (int i = 0; i < 1000; i++)
		sum = add(sum, argc);
	return sum == 0;
}
PROGRAM
gcc -gdwarf-5 -O0 -pg first.c -o program || fail 'cannot build'
./program
objdump --dwarf=decodedline program | grep -m1 '0x' | grep '^part\.h' >/dev/null || {
	echo 'this compiler puts add elsewhere'
	exit 77
}
place_of_add() {
	"$GPROFX" "$@" -b -C program 2>err | sed -n 's/.*\/\([^/]*: (add:\).*/\1/p'
}
[ "$(place_of_add --gnu)" = 'first.c:3: (add:' ] || fail "gprof: $(place_of_add --gnu)"
[ "$(place_of_add)" = 'part.h:3: (add:' ] || fail "found $(place_of_add)"
[ "$(place_of_add --correct=no-first-files)" = 'first.c:3: (add:' ] || fail 'switched off'
# Lines and annotated source are of the same mind.
"$GPROFX" -b -l -C program >out 2>err || fail 'status'
expect_match out 'part\.h:3: \(add:'
"$GPROFX" -b -A program >out 2>err || fail 'status'
sed -n '/File .*first\.c/,/^Top/p' out >first
expect_not_in first '1000 ->'
expect_match out '^ +1000 -> static inline int add'

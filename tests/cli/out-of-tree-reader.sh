#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A reader built outside of the tree, with the installed headers only and one compiler command, is
# loaded by --plugin=./x.so and chosen by -O; without --plugin the format is unknown.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need cmake nm

expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/prefix"
installed=$scratch/prefix/bin/gprofx
[ -x "$installed" ] || fail 'the program was not installed'

cp "$GPROFX_SOURCE/examples/plugin/input-text.c" reader.c
expect_status 0 "$GPROFX_CC" -shared -fPIC -I"$scratch/prefix/include" -o x.so reader.c
expect_status 0 "$GPROFX_CC" -Wall -Wextra -Wconversion -Werror -std=c11 -fsyntax-only \
	-I"$scratch/prefix/include" reader.c

cat >program.c <<'END'
int work(int n);
int work(int n) { int sum = 0; while (n > 0) sum += n--; return sum; }
int main(void) { return work(10) == 55 ? 0 : 1; }
END
expect_status 0 "$GPROFX_CC" -g -O0 -o program program.c
address_of() { nm program | sed -n "s/^0*\([0-9a-f]*\) [Tt] $1\$/\1/p"; }
work=$(address_of work) main=$(address_of main)
# Four bytes from the start of each function are sampled; the rest of the range is not covered.
printf 'samples %s %x 100 75 0\n\ncall %s %s 7\n# the end' "$work" $((0x$work + 8)) "$main" "$work" \
	>profile.txt

expect_status 0 "$installed" --plugin=./x.so -O text -b -p program profile.txt
expect_match out '^100\.00 +0\.75 +0\.75 +7 +107ms +107ms  work$'
expect_empty err
expect_status 0 "$installed" --plugin=./x.so -O text -b -q program profile.txt
expect_match out ' 7/7 +work \['

# A mistake is reported with its line, in the form of every diagnostic.
printf 'call %s %s 7\ncall %s %s many\n' "$main" "$work" "$main" "$work" >bad.txt
expect_status 1 "$installed" --plugin=./x.so -O text -b -p program bad.txt
expect_match err '^gprofx: error\[text\.bad-line\]: bad\.txt:2: expected samples or a call, found something else'
expect_empty out

expect_status 1 "$installed" -O text -b -p program profile.txt
expect_empty out
expect_in err text

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ##### is before a function only if the profile shows that it did not run: not if it was inlined everywhere, nor if its
# calls are not counted. The truth: inlined and silent ran, though no call of them was recorded; idle did not run.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
command -v gcc >/dev/null || skip 'gcc is not installed'

cat >prog.c <<'SOURCE'
int seen;
int inlined(int n) { return n * 3 + seen; }
__attribute__((noipa, no_instrument_function)) int silent(int n) { return n + seen; }
__attribute__((noipa)) int idle(int n) { return n - seen; }
__attribute__((noipa)) int work(int n) { return silent(inlined(n)); }
int main(int n, char **v) { (void)v; for (int i = 0; i < 5; i++) seen += work(i); return n > 9 ? idle(n) : 0; }
SOURCE
gcc -g -O2 -pg prog.c -o prog 2>err || skip 'gcc cannot profile here'
nm prog | grep -q ' T inlined$' || fail 'inlined has no code of its own'
./prog || fail 'prog'

# margins OPTION...: what stands before lines 2 to 6, '.' for nothing.
margins() {
	"$GPROFX" -b -A "$@" prog >out 2>err || fail "status $? from: $*"
	sed -n 's/^ *\([0-9,#]*\) *-* *>* *\(int inlined\|__attr\|int main\).*/\1/p' out | sed 's/^$/./' | tr '\n' ' '
}

seldom='#####'
[ "$(margins)" = ". . $seldom 5 . " ] || fail "$(margins)"
[ "$(margins -l)" = ". . $seldom 5 . " ] || fail "by line: $(margins -l)"
[ "$(margins --correct=no-unknown-counts)" = "$seldom $seldom $seldom 5 $seldom " ] || fail 'switched off'
[ "$(margins --gnu)" = "$seldom $seldom $seldom 5 $seldom " ] || fail "gprof: $(margins --gnu)"

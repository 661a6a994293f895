#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The collector of this machine rounds call sites down. Wherever a small function lies, its call counts for it,
# and, with -l, for its line.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 1 ] || ls "$GPROFX_PLUGIN_DIR"/findcall-*.so >/dev/null 2>&1 || skip 'no scanner is installed'
case $(uname -sm) in
'Linux x86_64') ;;
*) skip 'the options of the compiler are those for x86-64' ;;
esac

cat >program.c <<'END'
#define STAY __attribute__((noinline, noclone))
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

STAY void leaf(void) { __asm__ volatile(""); }
STAY void quiet(void) { __asm__ volatile(""); }
__asm__(".text\n.skip " TEXT(PADDING) ", 0x90");
STAY void caller(void)
{
	leaf();
	__asm__ volatile("");
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		quiet();
		caller();
	}
	return 0;
}
END

# expect_callers OPTION...: with every padding; counts in $wrong how often the rounded address is another function's.
expect_callers() {
	wrong=0
	for padding in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		"$GPROFX_CC" -Os -g -pg -fno-toplevel-reorder "-DPADDING=$padding" "$@" -o program program.c 2>cc.log ||
			skip "the compiler does not know $*"
		./program || fail 'the program fails'
		expect_status 0 "$GPROFX" --correct=no-call-sites -b -q --no-findings program
		! grep -Eq ' 10/10  *(quiet|leaf) |  *10  *leaf ' out || wrong=$((wrong + 1))
		expect_status 0 "$GPROFX" -b -q --no-findings program
		expect_match out ' 10/10  *caller '
		expect_status 0 "$GPROFX" -b -q -l --no-findings program
		expect_match out ' 10/10  *caller \(program\.c:10 '
		expect_match out ' 10/10  *main \(program\.c:1[78] '
	done
}

expect_callers -mfentry -no-pie
[ "$wrong" -gt 0 ] || fail 'no padding makes a difference'
expect_callers -mfentry -fpie -pie
expect_callers -no-pie -falign-functions=1

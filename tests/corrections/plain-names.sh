#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plain-names: of several names of a function, the one that people write. The truth: the names of the source.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from elfimage import Image
image = Image('x86_64')
image.section('.text', 0x1000, b'\x90' * 0x200)
image.functions(['main'], 0x1000, 0x100)
for name in ('___expf64', 'expf64', 'exp', 'expf32x'):
    image.functions([name], 0x1100, 0x80)
image.functions(['last'], 0x1180, 0x80)
open('program', 'wb').write(image.bytes())
END
python3 - <<'END' || fail 'no profile was made'
from gmonfile import Profile
open('gmon.out', 'wb').write(Profile().histogram(0x1000, 0x1200, [3, 0, 5, 0]).bytes())
END
expect_status 0 "$GPROFX" --no-findings -b -p program
expect_match out ' exp$'
expect_status 0 "$GPROFX" --no-findings --correct=no-plain-names -b -p program
expect_match out ' expf64$'
expect_status 0 "$GPROFX" --gnu -b -p program
expect_match out ' expf64$'

# Versions for processors of what a library exports, in a recording: what the loader chooses the code of, and nothing else
# that is called so.
: "${GPROFX_CC:=cc}"
[ -x "${GPROFX%/*}/gprofx-record" ] || exit 0
cat >lib.c <<'LIBRARY'
#include <time.h>
typedef int function(int);
#define HIDDEN __attribute__((noinline, visibility("hidden")))
#define SPIN(seed) \
	clock_t end = clock() + CLOCKS_PER_SEC / 5; \
	int sum = seed; \
	while (clock() < end) \
		for (volatile int i = 0; i < 1000000; i++) \
			sum += i; \
	return sum
HIDDEN int __work_avx512_unaligned_erms(int n) { SPIN(n); }
HIDDEN int __other_avx2(int n) { SPIN(n); }
static function *choose(void) { return __work_avx512_unaligned_erms; }
int work(int n) __attribute__((ifunc("choose")));
int other(int n) { return __other_avx2(n) + 1; }
LIBRARY
cat >main.c <<'MAIN'
int work(int n), other(int n);
int main(int argc, char **argv) { (void)argv; return work(argc) + other(argc) == 7; }
MAIN
"$GPROFX_CC" -O1 -fPIC -shared lib.c -o libversions.so 2>err && "$GPROFX_CC" main.c -o versions ./libversions.so 2>err ||
	skip 'no library with an indirect function'
"$GPROFX" record ./versions >out 2>err
[ -d gprofx.data ] || fail "nothing was recorded: $(cat err)"
shown='work [avx512_unaligned_erms] (libversions.so)'
expect_status 0 "$GPROFX" --no-findings -b -p ./versions gprofx.data
expect_in out " $shown"
expect_in out ' __other_avx2 (libversions.so)'
for words in --correct=no-plain-names --correct=none --no-demangle; do
	expect_status 0 "$GPROFX" --no-findings -b -p $words ./versions gprofx.data
	expect_in out ' __work_avx512_unaligned_erms (libversions.so)'
done
for name in work __work_avx512_unaligned_erms 'work [avx512_unaligned_erms]' "$shown"; do
	expect_status 0 "$GPROFX" --no-findings -b "-p$name" ./versions gprofx.data
	expect_in out " $shown"
	expect_not_in out '__other'
done
expect_status 0 "$GPROFX" --no-findings --output=json ./versions gprofx.data
expect_in out '"raw_name":"__work_avx512_unaligned_erms"'
expect_status 0 "$GPROFX" --summary ./versions gprofx.data
expect_match out ' work \[avx512_[a-z_.]*\]?.* libversions\.so'

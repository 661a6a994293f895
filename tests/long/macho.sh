#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Mach-O programs, libraries and objects of real linkers and compilers, cut short at each 64th byte and damaged at
# random, under the address sanitizer. This is the long form of plugin.symbols-macho.damaged.
#
#   macho.sh BUILD [--seed N] [--count N]
#
# --count: damaged files for each image; 10000 by default.
set -uo pipefail

count=10000 seed=$RANDOM
shift
while [ $# -gt 1 ]; do
	case $1 in
	--count) count=$2 ;;
	--seed) seed=$2 ;;
	esac
	shift 2
done
echo "seed $seed"
plugin=$GPROFX_SOURCE/plugins/symbols-macho
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gprofx-macho.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
"$GPROFX_CC" -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-I"$GPROFX_SOURCE/include" -I"$GPROFX_SOURCE/tests/unit" -I"$plugin" "$plugin/tests/damaged.c" -lcmocka \
	-o damaged || exit 1

cat >program.c <<'END'
int printf(const char *, ...);
static __attribute__((noinline)) int helper(int n) { volatile int s = 0; while (n-- > 0) s += n; return s; }
int work(int n) { return helper(n) + helper(n + 1); }
int main(int count, char **words) { return printf("%s", words[0]) + work(count); }
END
ln -s "$(command -v lld)" ld64.lld
lipo=$(command -v llvm-lipo || command -v llvm-lipo-14)
for target in i386-apple-macos10.6 armv7-apple-ios5 x86_64-apple-macos11 arm64-apple-macos11; do
	clang -target $target -g -c program.c -o object.$target || exit 1
done
for machine in x86_64 arm64; do
	for kind in '' -dylib; do
		# shellcheck disable=SC2086
		./ld64.lld -arch $machine -platform_version macos 11.0 11.0 -undefined dynamic_lookup $kind \
			object.$machine-apple-macos11 -o linked.$machine$kind || exit 1
	done
done
"$lipo" -create linked.x86_64 linked.arm64 -output fat || exit 1

passed=0 failed=0
for image in object.* linked.* fat; do
	if ASAN_OPTIONS=detect_leaks=0 ./damaged "$seed" "$count" "$image"; then
		passed=$((passed + 1))
	else
		echo "$image: fails"
		failed=$((failed + 1))
	fi
done
echo "macho: $passed passed, $failed failed"
[ $failed -eq 0 ]

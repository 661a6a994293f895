#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs, libraries and objects that MinGW makes, with profiles as its programs write them: in GNU
# mode the same as GNU gprof prints; in own mode the same wherever the program was loaded.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 gprof
gprof --version | grep -q ' 2\.40' || skip 'the installed gprof is not GNU gprof 2.40'
data=$GPROFX_SOURCE/plugins/symbols-pe/tests/data
mkdir link
ln -s "$GPROFX" link/gprof

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static volatile int sink;
static __attribute__((noinline)) void quiet(int n) { for (int i = 0; i < n; i++) sink += i; }
static __attribute__((noinline)) int scaled(int n, int m) { quiet(n); return sink * m + sink / m; }
__attribute__((weak, noinline)) int replaceable(int n) { return scaled(n, 12) + scaled(n + 1, 12); }
int outer(int n)
{
	int inner(int m) { quiet(n); return n * m + sink; }
	return inner(3) + replaceable(n);
}
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int count, char **words)
{
	int some[] = {3, 1, 2};
	qsort(some, 3, sizeof some[0], compare);
	printf("%d %s\n", outer(count), words[0]);
	return 0;
}
END
cat >program.cc <<'END'
struct table {
	int key;
	table(int k) : key(k) {}
	virtual ~table() {}
	int find(int k) const;
};
template <typename T> __attribute__((noinline)) T twice(T value) { return value + value; }
__attribute__((noinline)) int table::find(int k) const { return key + twice(k) + (int)twice(0.5); }
namespace { __attribute__((noinline)) int hidden(const table &t) { return t.find(2); } }
int main(int count, char **) { table t(count); return hidden(t) + t.find(3); }
END

# compare_all IMAGE: all listings of both programs.
compare_all() {
	for options in '-b -p' '-b -q' '-b -p -q -z' '-b -a' '-b -D' '-b -T' '-b --no-demangle -p' \
		'-b -pmain' '-b -qquiet' '-b -Cmain' '-b -l -z' '-b -l -C -z' '-b -C -z' '-b -p -L -z' \
		'-b -A -x' '-b -q -l -a'; do
		# shellcheck disable=SC2086
		run gprof $options "$1" profile
		cp out theirs
		cp err their-messages
		# shellcheck disable=SC2086
		expect_status "$status" link/gprof $options "$1" profile
		sed 's|link/gprof|gprof|' err >messages
		expect_same theirs out
		expect_same their-messages messages
	done
}

tried=0
for target in x86_64-w64-mingw32 i686-w64-mingw32; do
	for compiler in gcc g++; do
		command -v $target-$compiler >/dev/null || continue
		source=program.c
		[ $compiler = gcc ] || source=program.cc
		for options in -O0 '-O2 -pg' '-Os -g -ffunction-sections' '-O2 -pg -gdwarf-4' '-O1 -pg -g -flto' \
			'-O1 -pg -gstabs+ -Wl,--image-base,0x400000'; do
			# shellcheck disable=SC2086
			$target-$compiler $options -static -Wl,--disable-dynamicbase $source -o program.exe ||
				fail "$target-$compiler $options fails"
			tried=$((tried + 1))
			$target-objdump -d program.exe |
				python3 "$data/profile.py" profile 2>/dev/null || fail 'no profile'
			gprof -b -p program.exe profile >/dev/null 2>&1 ||
				skip 'the installed gprof does not read Windows images'
			compare_all program.exe
			# The libraries that it imports from, by their names.
			expect_status 0 "$GPROFX" --no-findings -b -p program.exe profile
			expect_match out '^Not sampled: time in the shared libraries KERNEL32\.dll and msvcrt\.dll\.$'
		done
		case $compiler in
		gcc)
			$target-gcc -O2 -c $source -o program.o
			compare_all program.o
			$target-gcc -O2 -shared $source -o program.dll
			$target-strip -g program.dll
			compare_all program.dll
			;;
		esac
		$target-strip program.exe
		compare_all program.exe
		expect_status 1 "$GPROFX" -b program.exe profile
		expect_match err '^gprofx: error\[image\.no-symbols\]: program\.exe: '
	done
done
[ $tried -gt 0 ] || skip 'no compiler for Windows is installed'

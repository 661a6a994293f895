#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/mutants finds what tests do not notice: in a tree of one folder whose test knows one of its
# functions and not the other.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
command -v cmake >/dev/null && command -v ninja >/dev/null && command -v python3 >/dev/null || skip "no build tools"

mkdir -p tree/engine/toy tree/tests/unit/toy
cat >tree/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
enable_testing()
add_library(engine STATIC engine/toy/toy.c engine/toy/build-mode.c)
add_executable(unit.toy.toy tests/unit/toy/toy.c)
target_link_libraries(unit.toy.toy PRIVATE engine)
add_test(NAME unit.toy.toy COMMAND unit.toy.toy)
END
cat >tree/engine/toy/toy.c <<'END'
/* Comments stay as they are: 1 < 2, and so do "strings". */
int area(int width, int height)
{
	return width * height;
}
int is_less(int left, int right)
{
	return left < right;
}
int down(int count)
{
	while (count > 0)
		count--;
	return count;
}
END
# A source whose name begins as that of a folder for building, and an octal number.
cat >tree/engine/toy/build-mode.c <<'END'
int mode(void)
{
	return 010;
}
END
cat >tree/tests/unit/toy/toy.c <<'END'
int area(int width, int height), is_less(int left, int right), down(int count), mode(void);
int main(void)
{
	return area(2, 3) != 6 || !is_less(1, 2) || is_less(2, 1) || down(3) != 0 || mode() != 8;
}
END
cp -r tree before

mutants() { GPROFX_JOBS=2 "$GPROFX_SOURCE/scripts/mutants" --tree tree --seed 1 "$@"; }

mutants --list toy >list
expected='engine/toy/build-mode.c:3: return 010; -> return 9;
engine/toy/toy.c:4: return width * height; -> return width / height;
engine/toy/toy.c:8: return left < right; -> return left <= right;
engine/toy/toy.c:12: while (count > 0) -> while (!(count > 0))
engine/toy/toy.c:12: while (count > 0) -> while (count >= 0)
engine/toy/toy.c:12: while (count > 0) -> while (count > 1)'
[ "$(cat list)" = "$expected" ] || fail "other changes than expected: $(diff <(echo "$expected") list)"

# The test never asks about equal numbers, so one mutant survives: 5 of 6 are 83 percent.
status=0
mutants --count 0 --least 84 toy >found 2>said || status=$?
[ "$status" -eq 1 ] || fail "status $status below the least: $(cat found said)"
expected='seed 1
engine/toy/toy.c:8: return left < right; -> return left <= right;
toy: 5 / 6'
[ "$(cat found)" = "$expected" ] || fail "$(cat found said)"
diff -r before tree >changes || fail "the tree was changed: $(cat changes)"

# A test that fails anyway proves nothing.
sed -i 's/!= 6/!= 7/' tree/tests/unit/toy/toy.c
status=0
mutants --count 1 toy >found 2>said || status=$?
[ "$status" -eq 2 ] && grep -q 'unit.toy.toy fails without a change' said || fail "status $status: $(cat found said)"
status=0
mutants toys >found 2>said || status=$?
[ "$status" -eq 2 ] || fail "status $status for a folder that is not there"

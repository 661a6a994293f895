#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# symspec.no-match: under its own name the program says that a symspec matches nothing, with what is like it.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
: "${GPROFX_CC:=cc}"
make_program

# warned HINT WORD...: one warning, the same report as without the symspec, and nothing said in GNU mode.
warned() {
	expect_status 0 "$GPROFX" --no-findings -b "${@:2}"
	[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
	expect_match err '^gprofx: warning\[symspec\.no-match\]: expected a function or source line for .*, found none; it selects nothing$'
	expect_match err "^  hint: $1\$"
	expect_status 0 "$GPROFX" --gnu -b "${@:2}"
	expect_empty err
}
silent() {
	expect_status 0 "$GPROFX" --no-findings -b "$@"
	expect_empty err
}
rest='name a function as the symbol table has it (nm PROGRAM), or FILE:LINE where one begins'
warned 'did you mean work[?]' -pwrok program
warned 'did you mean idle[?]' -qidel program
warned "${rest//[()]/.}" -pnosuchthing program
for option in -Pwrok -Qwrok -ewrok -Ewrok -fwrok -Fwrok -nwrok -Nwrok -kwrok/main -kmain/wrok -Cwrok; do
	warned 'did you mean work[?]' -p $option program
done
silent -p -q program
silent -pwork -Qidle -kmain/work program
silent -kmain program
# It selects nothing, so all is there.
expect_status 0 "$GPROFX" --no-findings -b -p program
cp out plain
expect_status 0 "$GPROFX" --no-findings -b -pwrok program
expect_same plain out
# Each, but not any number.
expect_status 0 "$GPROFX" --no-findings -b -p -Pwrok -Pidel -Pmian program
[ "$(grep -c symspec.no-match err)" -eq 3 ] || fail 'not three warnings'
# shellcheck disable=SC2046 # many words
expect_status 0 "$GPROFX" --no-findings -b -p $(printf -- '-Pwrok%d ' {1..40}) program
[ "$(grep -c symspec.no-match err)" -eq 16 ] || fail 'not 16 warnings'
expect_status 0 "$GPROFX" --no-findings -b -pwork.part.0 program
expect_in err 'hint: compile with -g, so that source files are known'

# Files and lines.
need "$GPROFX_CC"
cat >small.c <<-'END'
	volatile int sum;
	__attribute__((noinline)) void work(void) {
		sum++;
	}

	int main(void) {
		work();
		return 0;
	}
END
"$GPROFX_CC" -g -O0 -pg -o small small.c 2>cc.log || skip 'no program with -pg can be built'
(cd . && ./small) || skip 'the program does not run'
silent -psmall.c small
silent -psmall.c:work small
warned 'did you mean small\.c[?]' -psmal.c small
warned 'did you mean small\.c:2, where work begins[?]' -psmall.c:4 small
warned 'did you mean small\.c:6, where main begins[?]' -psmall.c:999 small
warned 'did you mean small\.c:2, where work begins[?]' -psmall.c:1 small
warned 'did you mean small\.c:6, where main begins[?]' -p9 small
warned 'did you mean work[?]' -psmall.c:wrok small
# Names that only the symbol table knows.
cat >names.cc <<-'END'
	namespace shop { struct Till { int add(int); }; int Till::add(int i) { return i + 1; } }
	int main() { return shop::Till().add(-1); }
END
if command -v g++ >/dev/null && g++ -O0 -pg -o names names.cc && ./names; then
	warned 'did you mean _ZN4shop4Till3addEi[?]' -pshop::Till::add names
	warned 'did you mean _ZN4shop4Till3addEi[?]' -padd names
fi

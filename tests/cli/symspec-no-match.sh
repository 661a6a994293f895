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
	expect_match err '^gprofx: warning\[symspec\.no-match\]: no function or source line matches .*; the option has no effect$'
	expect_match err "^  hint: $1\$"
	expect_status 0 "$GPROFX" --gnu -b "${@:2}"
	expect_empty err
}
silent() {
	expect_status 0 "$GPROFX" --no-findings -b "$@"
	expect_empty err
}
rest='name a function as the report shows it or as nm PROGRAM does, or FILE:LINE at the start of one'
warned 'did you mean work[?]' -pwrok program
warned 'did you mean idle[?]' -qidel program
warned "${rest//[()]/.}" -pnosuchthing program
for option in -Pwrok -Qwrok -ewrok -Ewrok -fwrok -Fwrok -nwrok -Nwrok -kwrok/main -kmain/wrok -Cwrok; do
	warned 'did you mean work[?]' -p $option program
done
silent -p -q program
silent -pwork -Qidle -kmain/work program
silent -kmain program
# The option does nothing, so all is there.
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
expect_in err 'hint: compile with -g to make source files known'

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
warned 'did you mean small\.c:2, the start of work[?]' -psmall.c:4 small
warned 'did you mean small\.c:6, the start of main[?]' -psmall.c:999 small
warned 'did you mean small\.c:2, the start of work[?]' -psmall.c:1 small
warned 'did you mean small\.c:6, the start of main[?]' -p9 small
warned 'did you mean work[?]' -psmall.c:wrok small
expect_status 0 "$GPROFX" --no-findings -b -p -kwrok/main small
expect_in err 'matches the callers in wrok/main;'
expect_status 0 "$GPROFX" --no-findings -b -p -kmain/wrok small
expect_in err 'matches the callees in main/wrok;'

# Names of C++ as they are shown: with and without parameters, result and arguments of the template.
# selects FUNCTIONS SYMSPEC: the flat profile has just these, without a word; GNU mode does not know the name.
selects() {
	expect_status 0 "$GPROFX" --no-findings -b -p "-p$2" --output-option=flat.account=false names
	expect_empty err
	[ "$(sed -n 's/^.* \{3\}\(.*shop::.*\)$/\1/p' out | LC_ALL=C sort | tr '\n' ';')" = "$1" ] || fail "$2 selects other functions"
}
cat >names.cc <<-'END'
	namespace shop {
	struct Till { int add(int); int add(long); };
	int Till::add(int i) { return i + 1; }
	int Till::add(long i) { return i + 2; }
	template <class T> __attribute__((noinline)) T twice(T t) { return t + t; }
	namespace { __attribute__((noinline)) int hidden(int i) { return i; } }
	int open() { return twice(1) + (int)twice(1.0) + hidden(3); }
	struct Sign {
		bool operator<(int i) { return i; }
		int operator<<(int i) { return i; }
		int operator<=(int i) { return i; }
		template <class T> int operator<(T *t) { return *t; }
		Sign *operator->() { return this; }
		int operator()(int i) { return i; }
		operator bool() const { return true; }
		int sold;
	};
	template <class T> int t(T i) { return i; }
	/* In Rust: shop::rust::<i32, fn() -> i32>. */
	__attribute__((noinline)) int rust(int i) __asm__("_RINvCs6GmmlP4bgsG_4shop4rustlFElEB2_");
	int rust(int i) { return i; }
	int lend(int i) {
		struct Inner { static int run(int k) { return k; } };
		Sign s;
		return [](int k) { return k; }(i) + Inner::run(i) + (s < i) + (s << i) + (s <= i) + (s < &i) +
		       (s->sold = 1) + s(i) + bool(s) + t(i) + rust(i);
	}
	}
	int main() { return shop::Till().add(-1) + shop::Till().add(-8L) + shop::open() + shop::lend(1); }
END
if command -v g++ >/dev/null && g++ -O0 -pg -o names names.cc && { ./names; [ -s gmon.out ]; }; then
	selects 'shop::Till::add(int);shop::Till::add(long);' shop::Till::add
	selects 'shop::Till::add(long);' 'shop::Till::add(long)'
	selects 'double shop::twice<double>(double);int shop::twice<int>(int);' shop::twice
	selects 'int shop::twice<int>(int);' 'shop::twice<int>'
	selects 'shop::(anonymous namespace)::hidden(int);' 'shop::(anonymous namespace)::hidden'
	selects 'shop::open();' _ZN4shop4openEv
	# Operators have brackets in their names; what is local to a function is not that function.
	selects 'int shop::Sign::operator< <int>(int*);shop::Sign::operator<(int);' 'shop::Sign::operator<'
	selects 'int shop::Sign::operator< <int>(int*);' 'shop::Sign::operator< <int>'
	selects 'shop::Sign::operator<<(int);' 'shop::Sign::operator<<'
	selects 'shop::Sign::operator<=(int);' 'shop::Sign::operator<='
	selects 'shop::Sign::operator->();' 'shop::Sign::operator->'
	selects 'shop::Sign::operator()(int);' 'shop::Sign::operator()'
	selects 'shop::Sign::operator bool() const;' 'shop::Sign::operator bool'
	selects 'int shop::t<int>(int);' shop::t
	selects 'shop::rust::<i32, fn() -> i32>;' shop::rust
	selects 'shop::lend(int);' shop::lend
	selects 'shop::lend(int)::Inner::run(int);' 'shop::lend(int)::Inner::run'
	selects 'shop::lend(int)::{lambda(int)#1}::operator()(int) const;' 'shop::lend(int)::{lambda(int)#1}::operator()'
	selects 'shop::lend(int)::Inner::run(int);' shop::lend::Inner::run
	selects 'shop::lend(int)::{lambda(int)#1}::operator()(int) const;' 'shop::lend::{lambda#1}::operator()'
	selects 'shop::Sign::operator bool() const;' 'shop::Sign::operator bool()'
	selects 'double shop::twice<double>(double);' 'shop::twice(double)'
	warned 'did you mean shop::Till::add[?]' '-pshop::Till::add(char)' names
	warned 'did you mean shop::twice[?]' '-pshop::twice<char>' names
	warned "${rest//[()]/.}" -pbool names
	expect_status 0 "$GPROFX" --no-findings -b -q '-kmain/shop::open' names
	expect_empty err
	expect_status 0 "$GPROFX" --gnu -b -p -pshop::Till::add names
	expect_in out 'shop::open()'
	warned 'did you mean shop::Till::add[?]' -padd names
	warned 'did you mean shop::open[?]' -pstore::open names
fi

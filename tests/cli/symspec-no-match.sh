#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# symspec.no-match: under its own name the program says that a symspec matches nothing, with what is like it.
# symspec.last-component: it says that a symspec is the end of a name.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
: "${GPROFX_CC:=cc}"
make_program

# refused HINT WORD...: one error and no tables; in GNU mode, nothing is said.
refused() {
	expect_status 1 "$GPROFX" --no-findings -b "${@:2}"
	expect_empty out
	[ "$(grep -c '\[symspec' err)" -eq 1 ] || fail 'not just one message'
	expect_match err '^gprofx: error\[symspec\.no-match\]: no function or source line matches [^;]*$'
	expect_match err "^  hint: $1\$"
	expect_status 0 "$GPROFX" --gnu -b "${@:2}"
	expect_empty err
}
silent() {
	expect_status 0 "$GPROFX" --no-findings -b "$@"
	expect_empty err
}
rest='name a function as the report shows it or as nm PROGRAM does, or FILE:LINE at the start of one'
refused 'did you mean work[?]' -pwrok program
refused 'did you mean idle[?]' -qidel program
refused 'did you mean work[?]' -pWORK program
refused 'did you mean work[?]' -pwork@plt program
refused "${rest//[()]/.}" -pnosuchthing program
for option in -Pwrok -Qwrok -ewrok -Ewrok -fwrok -Fwrok -nwrok -Nwrok -kwrok/main -kmain/wrok -Cwrok; do
	refused 'did you mean work[?]' -p $option program
done
silent -p -q program
silent -pwork -Qidle -kmain/work program
silent -kmain program
# Where another one of the same option matches, it has no effect.
expect_status 0 "$GPROFX" --no-findings -b -pwork program
cp out plain
for words in '-pwrok -pwork' '-pwork -pwrok'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings -b $words program
	expect_same plain out
	expect_match err '^gprofx: warning\[symspec\.no-match\]: no function or source line matches wrok; the option has no effect$'
	expect_in err 'hint: did you mean work?'
done
# Of another option, or its opposite, it does not help.
expect_status 1 "$GPROFX" --no-findings -b -pwork -qwrok program
expect_empty out
expect_status 1 "$GPROFX" --no-findings -b -pwork -Pwrok program
expect_empty out
# Each, but not any number.
expect_status 1 "$GPROFX" --no-findings -b -p -Pwrok -Pidel -Pmian program
[ "$(grep -c 'error\[symspec.no-match' err)" -eq 3 ] || fail 'not three errors'
# shellcheck disable=SC2046 # many words
expect_status 1 "$GPROFX" --no-findings -b -p $(printf -- '-Pwrok%d ' {1..40}) program
[ "$(grep -c 'error\[symspec.no-match' err)" -eq 16 ] || fail 'not 16 errors'
# shellcheck disable=SC2046
expect_status 0 "$GPROFX" --no-findings -b -p $(printf -- '-Pwrok%d ' {1..40}) -Pwork program
[ "$(grep -c 'warning\[symspec.no-match' err)" -eq 16 ] || fail 'not 16 warnings'
expect_status 1 "$GPROFX" --no-findings -b -pwork.part.0 program
expect_in err 'hint: compile with -g to make source files known'
# Without a program the profile says what there is.
printf 'main;app::run;read_all 12\nmain;write 3\n' >stacks
expect_status 1 "$GPROFX" --no-findings -b -p -pwirte stacks
expect_empty out
expect_in err 'hint: did you mean write?'
silent -pwrite stacks

# The last component of one name. noted NAME SYMSPEC: said once; in GNU mode it matches nothing.
noted() {
	expect_status 0 "$GPROFX" --no-findings -b -p "-p$2" "${@:3}"
	[ "$(grep -c '\[symspec' err)" -eq 1 ] || fail 'not just one message'
	grep -qFx "gprofx: warning[symspec.last-component]: no function is called $2; the only one whose name ends so is $1" err ||
		fail 'not the message'
	expect_in err "  hint: write $1"
	expect_in out "$1"
	expect_not_in out ' main'
	run "$GPROFX" --gnu -b -p "-p$2" "${@:3}"
	[ "$status" -eq 0 ] || fail 'GNU mode fails'
	expect_in out ' main'
}
if command -v python3 >/dev/null; then
	python3 - <<-'END' || fail 'nothing was made'
		from profiled import Program
		names = ['main', '__grid_mod_MOD_norm', '__solver_mod_MOD_relax', '__a_MOD_step', '__b_MOD_step',
		         '_ZNSt10_HashtableIiSaIiEE19_M_find_before_nodeEm', '_ZN12_GLOBAL__N_13fooEi', '_ZN1a3endEv',
		         '_ZN1b3endEv', '_ZN1c3endEv', '_ZN1d3endEv', '_ZNK1AcvSt6vectorIiSaIiEEEv', '_ZN1x1yIiE1zEl',
		         '_ZN1x1yIlE1zEl', '_ZN1v3runEv', '_ZThn8_N1v3runEv']
		program = Program(names)
		open('ends', 'wb').write(program.bytes())
		open('gmon.ends', 'wb').write(program.profile({name: 2 for name in names}, [('main', names[2], 3)]).bytes())
	END
	noted solver_mod::relax relax ends gmon.ends
	noted grid_mod::norm norm ends gmon.ends
	# Cut by the summary, and as Fortran calls it.
	noted grid_mod::norm ...norm ends gmon.ends
	noted grid_mod::norm ..norm ends gmon.ends
	silent -p -qgrid_mod::norm ends gmon.ends
	silent -pgrid_mod::norm ends gmon.ends
	expect_in out ' grid_mod::norm'
	expect_not_in out relax
	expect_status 0 "$GPROFX" --no-findings -b -p -p_M_find_before_node ends gmon.ends
	expect_in err 'the only one whose name ends so is std::_Hashtable::_M_find_before_node'
	expect_in out 'std::_Hashtable<int, std::allocator<int> >::_M_find_before_node(unsigned long)'
	expect_status 0 "$GPROFX" --no-findings -b -p -pfoo ends gmon.ends
	expect_in err 'is (anonymous namespace)::foo'
	# Functions of one name are one; parameters and arguments count if they are there.
	expect_status 0 "$GPROFX" --no-findings -b -p -pz ends gmon.ends
	expect_in err 'ends so is x::y::z'
	[ "$(grep -c 'x::y<.*>::z' out)" -eq 2 ] || fail 'not both'
	# What is to be written matches no others, either.
	expect_status 0 "$GPROFX" --no-findings -b -p '-py<int>::z' ends gmon.ends
	expect_in err 'ends so is x::y<int>::z'
	expect_in err 'hint: write x::y<int>::z'
	[ "$(grep -c 'x::y<.*>::z' out)" -eq 1 ] || fail 'not one'
	cp out expected
	silent -p '-px::y<int>::z' ends gmon.ends
	expect_same out expected
	expect_status 0 "$GPROFX" --no-findings -b -p '-py<int>::z' ends gmon.ends
	[ "$(grep -c 'x::y<.*>::z' out)" -eq 1 ] || fail 'not just one'
	# What passes a call on has another name.
	noted 'v::run' run ends gmon.ends
	expect_status 0 "$GPROFX" --no-findings -b -p -prun ends gmon.ends
	expect_not_in out thunk
	expect_status 0 "$GPROFX" --no-findings -b -qmain/relax ends gmon.ends
	expect_in err 'no function is called relax; '
	expect_match out ' 3/3 +solver_mod::relax '
	# Of several none is meant, and no part of a name.
	refused 'did you mean a::step or b::step[?]' -pstep ends gmon.ends
	refused 'did you mean a::end, b::end, c::end, [.]{3}[?]' -pend ends gmon.ends
	for name in vector find_before_node elax 'z(int)' A; do
		expect_status 1 "$GPROFX" --no-findings -b "-p$name" ends gmon.ends
		expect_empty out
	done
	silent -p__solver_mod_MOD_relax ends gmon.ends
fi

# Of a pair, places have slashes, and arguments of templates have brackets.
if command -v python3 >/dev/null; then
	python3 - <<-'END' || fail 'nothing was made'
		from profiled import Program
		names = ['main', '_ZN1KIFiiEE3runEi', 'cb']
		program = Program(names)
		program.lines({name: [(0, 3)] for name in names}, 'a.cpp', '/src')
		open('pairs', 'wb').write(program.bytes())
		arcs = [('main', names[1], 3), (names[1], 'cb', 2)]
		open('gmon.pairs', 'wb').write(program.profile({name: 2 for name in names}, arcs).bytes())
	END
	silent '-kK<int (int)>::run(int) (/src/a.cpp)/cb (/src/a.cpp)' pairs gmon.pairs
	silent '-kmain (/src/a.cpp:3)/K<int (int)>::run (/src/a.cpp:3)' pairs gmon.pairs
	silent '-kK<int (int)>::run(int) [/src/a.cpp]/cb' pairs gmon.pairs
fi

# Files and lines.
need "$GPROFX_CC"
cat >small.c <<-'END'
	volatile int sum; int atoi(const char *); static inline __attribute__((always_inline)) void add(void) { sum += atoi("2"); }
	__attribute__((noinline)) void work(void) {
		sum++;
	}

	int main(void) {
		work(); add();
		return 0;
	}
END
"$GPROFX_CC" -g -O0 -pg -o small small.c 2>cc.log || skip 'no program with -pg can be built'
(cd . && ./small) || skip 'the program does not run'
silent -psmall.c small
silent -psmall.c:work small
refused 'did you mean small\.c[?]' -psmal.c small
refused 'did you mean small\.c:2, the start of work[?]' -psmall.c:4 small
refused 'did you mean small\.c:6, the start of main[?]' -psmall.c:999 small
refused 'did you mean small\.c:2, the start of work[?]' -psmall.c:1 small
refused 'did you mean small\.c:6, the start of main[?]' -p9 small
refused 'did you mean work[?]' -psmall.c:wrok small
# Rows of reports, as they were copied: each is the only one of its table.
# rows OPTION...: the names in the flat profile, one a line.
rows() {
	"$GPROFX" --no-findings -b -p "$@" --output-option=flat.account=false small | sed -n 's/^  *[0-9].* \{3\}//p'
}
for options in '' -l --inline-file-names '-l -L'; do
	# shellcheck disable=SC2086
	rows $options >names
	[ -s names ] || fail 'no rows'
	while IFS= read -r name; do
		# shellcheck disable=SC2086
		rows $options "-p$name" >name
		[ "$(cat name)" = "$name" ] || fail "$name $options selects $(cat name)"
	done <names
done
name=$(rows -l | grep '^work (small\.c:2 @ ')
refused 'add -l to select a line, or write work' "-p$name" small
silent '-pwork (small.c)' small
silent '-pwork (small.c:2)' small
silent '-pwork [small.c]' small
silent '-pwork [7]' small
silent '-pwork <cycle 1> [7]' small
silent "-kmain (small.c)/work ($PWD/small.c)" small
silent "-kmain [$PWD/small.c]/work [$PWD/small.c]" small
refused 'did you mean work[?]' '-pwork (other.c)' small
refused 'did you mean work[?]' '-pwork (libwork.so)' small
refused 'did you mean work[?]' '-pwrok [7]' small
refused 'name functions: numbers of entries depend on the options' '-p[7]' small
refused 'name functions: what is between < and > is none' '-p<spontaneous>' small
# What is cut is the one that it can be.
expect_status 0 "$GPROFX" --no-findings -b -p -pwo... small
expect_in err 'no function is called wo...; the only one whose name begins so is work'
expect_status 0 "$GPROFX" --no-findings -b -p -pw...k small
expect_in err 'no function is called w...k; the only one whose name begins and ends so is work'
# What has no code of its own.
refused 'add was inlined into main; write -Amain' -Aadd small
expect_status 0 "$GPROFX" --no-findings -b -l -Aadd small
expect_match err 'warning\[source\.nothing\]: no source line that is selected has calls or time'
expect_empty out
refused 'did you mean add[?] it was inlined into main; add -l to see its lines' -pADD small
# Where its copies have samples is in cli.inlined-entry.
for words in '-padd' '--entry=add' '-l --entry=add'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings -b $words small
	expect_empty err
	expect_in out 'Inlined subroutine add:'
	expect_in out '  none of its inlined copies has a sample'
done
# That has neither samples nor calls here.
"$GPROFX" --no-findings -b -l -p -z small >all
grep -oE -m1 'add \(small.c:[0-9]+ @ [0-9a-f]+\)' all >line || fail 'no line of add'
expect_status 0 "$GPROFX" --no-findings -l "--entry=$(cat line)" small
expect_match err 'warning\[symspec\.no-entry\]: what add .* selects is no function with samples or calls: .* no entries$'
expect_in err 'hint: use -l -p instead of --entry to see lines'
expect_status 0 "$GPROFX" --no-findings -b -l "-p$(cat line)" small
expect_match err 'warning\[symspec\.no-samples\]: what add .* selects has neither samples nor calls: the flat profile has no rows$'
expect_in err 'hint: name the function of the line: its other lines can have samples'
expect_status 0 "$GPROFX" --gnu -b -l -padd small
expect_empty err
case $(uname -m) in
x86_64 | aarch64)
	refused 'did you mean atoi@plt, the PLT stub[?] atoi itself is in a shared library' -patoi small
	expect_status 0 "$GPROFX" --no-findings -b -patoi@plt small
	expect_match err 'warning\[symspec\.no-samples\]: '
	expect_in err 'hint: add -z to list it nevertheless'
	silent -z -patoi@plt small
	;;
esac
expect_status 1 "$GPROFX" --no-findings -b -p -kwrok/main small
expect_in err 'matches the callers in wrok/main'
expect_status 1 "$GPROFX" --no-findings -b -p -kmain/wrok small
expect_in err 'matches the callees in main/wrok'

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
if command -v g++ >/dev/null && g++ -g -O0 -pg -o names names.cc && { ./names; [ -s gmon.out ]; }; then
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
	refused 'did you mean shop::Till::add[?]' '-pshop::Till::add(char)' names
	refused 'did you mean shop::twice[?]' '-pshop::twice<char>' names
	refused "${rest//[()]/.}" -pbool names
	expect_status 0 "$GPROFX" --no-findings -b -q '-kmain/shop::open' names
	expect_empty err
	expect_status 0 "$GPROFX" --gnu -b -p -pshop::Till::add names
	expect_in out 'shop::open()'
	refused 'did you mean .*shop::Sign::operator[(][)].*[?]' '-poperator()' names
	expect_status 0 "$GPROFX" --no-findings -b -p -padd names
	expect_in err 'no function is called add; the only one whose name ends so is shop::Till::add'
	expect_in out 'shop::Till::add(long)'
	refused 'did you mean shop::open[?]' -pstore::open names
	refused 'did you mean shop::open[?]' -pstore::Open names
	# A hint has the short name.
	refused 'did you mean names[.]cc:3, the start of shop::Till::add[?]' -pnames.cc:1 names
	# As tables show and cut them.
	selects 'shop::Till::add(long);' 'shop::Till::add(long) [3]'
	selects 'shop::Sign::operator()(int);' 'shop::Sign::operator()(int) [12]'
	for name in 'shop::Till::ad...' 'shop::T...::add' 'shop::...ill::add' 'int shop::twice<...>(int)'; do
		expect_status 0 "$GPROFX" --no-findings -b -p "-p$name" names
		expect_match err "the only one whose name begins .*so is shop::(Till::add|twice)$"
	done
	refused 'did you mean shop::twice or shop::t[?]' '-pshop::t...' names
	# One component differs, or letters of another case; nameless scopes can be left out.
	refused 'did you mean shop::Till::add[?]' -pshop::Till::dad names
	refused 'did you mean shop::Till::add[?]' -pTill::dad names
	refused 'did you mean shop::Till::add[?]' -pSHOP::till::Add names
	refused 'did you mean shop::twice[?]' '-pshop::twise<int>' names
	refused 'did you mean shop::[(]anonymous namespace[)]::hidden[?]' -pshop::hiden names
fi

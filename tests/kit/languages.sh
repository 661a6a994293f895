#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples in other languages than C build with the commands of their README from the installed files, and
# work: an emitter in C++, a reader in Rust. One whose compiler is missing is left out. Takes about 3 seconds.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
need pkg-config
install_kit
cp -r "$prefix/share/doc/gprofx/examples/languages" examples || fail 'there are no installed examples'

# build COMPILER NAME WORD...: by the command of the README, with these words behind it.
build() {
	local compiler=$1 name=$2 command
	shift 2
	command=$(sed -n "s/^ *\\($compiler .*\\)/\\1/p" examples/README.md)
	[ -n "$command" ] || fail "README.md has no command for $compiler"
	(cd examples && eval "$command $*") || fail "$name does not compile"
	nm -D --defined-only "examples/$name.so" | awk '$2 != "W" && $2 != "V" && $2 != "u" { print $3 }' >shown
	echo gprofx_plugin_1 | diff - shown >&2 || fail "$name shows something else"
	[ "$GPROFX_BUILTIN" = 1 ] && return
	expect_status 0 "$GPROFX" --check-plugin="examples/$name.so"
	expect_match out '^ +[0-9]+ passed, 0 failed'
}

# in_two_files: writes ./program of two source files, and its profile, 3 of 4 samples in the second one.
in_two_files() {
	mkdir -p src
	printf 'void work(void);\nint main(void) { work(); return 0; }\n' >src/main.c
	printf 'volatile int x;\nvoid work(void) { x++; }\n' >src/work.c
	"$GPROFX_CC" -g -fno-pie -no-pie -o program src/main.c src/work.c || fail 'cannot compile the program'
	python3 - <<-'END' || fail 'cannot write the profile'
		import subprocess
		from gmonfile import Profile
		at = {row.split()[2]: int(row.split()[0], 16)
		      for row in subprocess.check_output(['nm', '--defined-only', 'program'], text=True).splitlines()}
		profile = Profile()
		for name, count in ('main', 10), ('work', 30):
		    profile.histogram(at[name], at[name] + 4, [count])
		open('gmon.out', 'wb').write(profile.bytes())
	END
}

tried=0
if command -v c++ >/dev/null && echo 'int x;' | c++ -std=c++20 -x c++ -fsyntax-only - 2>/dev/null; then
	build 'c++' output-by-file -Wall -Wextra -Wno-missing-field-initializers -Werror
	in_two_files
	expect_status 0 "$GPROFX" --plugin=examples/output-by-file.so --no-findings --output=by-file program gmon.out
	expect_empty err
	sed 's,[^ ]*/src/,src/,' out >found
	expect_same found - <<-'END'
		% time     seconds  file
		  75.0        0.30  src/work.c
		  25.0        0.10  src/main.c
	END
	tried=$((tried + 1))
fi
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
	build rustc input-gdb -D warnings
	cat >stacks.gdb <<-'END'
		Thread 2 (Thread 0x7f (LWP 2) "worker"):
		#0  0x00007f10 in wait (private=0, done=true) at ./nptl/wait.c:57
		#1  0x00005561 in std::vector<int (*)(int)>::push_back (this=0x1, x=(void (*)(int)) 0x2) at vector.h:12
		#2  0x00005562 in ns::(anonymous namespace)::work (n=3) at work.cc:12

		Thread 1 (Thread 0x7f (LWP 1) "main"):
		#0  operator<< <char> (o=...) from /lib/libstdc++.so.6
		#1  0x00000556 in main () at work.cc:20
		[Inferior 1 (process 12) detached]
	END
	for words in '' '-Ogdb'; do
		expect_status 0 "$GPROFX" --plugin=examples/input-gdb.so --no-findings $words --output=csv stacks.gdb
		expect_empty err
		tr -d '"\r' <out | cut -d, -f1 | tail -n +2 | LC_ALL=C sort >found
		expect_same found - <<-'END'
			main
			ns::(anonymous namespace)::work
			operator<< <char>
			std::vector<int (*)(int)>::push_back
			wait
		END
	done
	# Without the reader's word for it, there is nothing to read.
	printf 'no stack at all, but text that is long enough\n' >stacks.gdb
	expect_status 1 "$GPROFX" --plugin=examples/input-gdb.so -Ogdb stacks.gdb
	expect_in err 'error[gdb.no-stacks]: stacks.gdb: expected frames of gdb, found none'
	tried=$((tried + 1))
fi
[ $tried -gt 0 ] || skip 'neither c++ nor rustc is there'

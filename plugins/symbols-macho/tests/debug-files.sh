#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The file that dsymutil makes beside a program has what was stripped from it, if both have the same UUID. Without it,
# functions are known by their starts. Calls in the code are found, also through stubs.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 clang lld llvm-nm llvm-strip dsymutil
ln -s "$(command -v lld)" ld64.lld

cat >program.c <<'END'
int printf(const char *, ...);
static __attribute__((noinline)) int helper(int n) { volatile int s = 0; while (n-- > 0) s += n; return s; }
int work(int n) { return helper(n) + helper(n + 1); }
int main(int count, char **words) { return printf("%s", words[0]) + work(count); }
END

for target in x86_64 arm64; do
	rm -rf -- *.dSYM
	clang -target $target-apple-macos11 -g -O1 -c program.c -o program.o || fail 'cannot compile'
	./ld64.lld -arch $target -platform_version macos 11.0 11.0 -undefined dynamic_lookup program.o -o program ||
		fail 'cannot link'
	python3 - "$(llvm-nm program | sed -n 's/ t _helper$//p')" <<-'END' || fail 'cannot write the profile'
		import sys
		from gmonfile import Profile
		helper = int(sys.argv[1], 16)
		open('gmon.out', 'wb').write(Profile().histogram(helper, helper + 8, [9, 9]).bytes())
	END
	# Calls in the code, to functions of the program and of libraries.
	expect_status 0 "$GPROFX" -b -q -c -z --no-findings program
	expect_undiagnosed
	expect_match out ' 0/0 +helper \['
	expect_match out ' 0/0 +work \['
	expect_match out ' 0/0 +printf@plt \['

	expect_status 0 "$GPROFX" -b -p -z --no-findings program
	expect_match out '^100\.00 .* helper$'
	cp out whole
	cp program kept
	llvm-strip program
	expect_status 0 "$GPROFX" -b -p -z --no-findings program
	expect_undiagnosed
	expect_match out '^100\.00 .* function_[0-9a-f]+$'
	dsymutil kept -o program.dSYM || fail 'no file of debug information'
	mv program.dSYM/Contents/Resources/DWARF/kept program.dSYM/Contents/Resources/DWARF/program
	expect_status 0 "$GPROFX" -b -p -z --no-findings program
	expect_undiagnosed
	expect_same whole out
	expect_status 0 "$GPROFX" -d128 -b -p -z --no-findings program
	expect_in out 'symbols of program are in program.dSYM/Contents/Resources/DWARF/program'

	# Of a program in a bundle it is beside the bundle.
	rm -rf P.app P.app.dSYM
	mkdir -p P.app/Contents/MacOS
	cp program P.app/Contents/MacOS
	cp -r program.dSYM P.app.dSYM
	expect_status 0 "$GPROFX" -b -p -z --no-findings P.app/Contents/MacOS/program gmon.out
	expect_same whole out
	(cd P.app/Contents/MacOS && expect_status 0 "$GPROFX" -b -p -z --no-findings program "$scratch/gmon.out") || exit
	expect_match out 'function_'

	# Of another program: its UUID is another one.
	python3 - <<-'END' || fail 'cannot change the UUID'
		data = bytearray(open('program', 'rb').read())
		uuid = data.index(bytes([0x1b, 0, 0, 0, 24, 0, 0, 0])) + 8
		data[uuid] ^= 1
		open('program', 'wb').write(data)
	END
	expect_status 0 "$GPROFX" -b -p -z --no-findings program
	expect_one macho.other-debug-file
	expect_match out '^100\.00 .* function_[0-9a-f]+$'
done

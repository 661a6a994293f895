#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Source lines of objects and of programs with a file of debug information: those that llvm-symbolizer prints for the
# same addresses.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 clang lld llvm-nm llvm-symbolizer dsymutil
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/symbols-dwarf.so" ] || skip 'symbols-dwarf was not built'

ln -s "$(command -v lld)" ld64.lld
cat >program.c <<'END'
static int sink;
static inline int scaled(int n)
{
	for (int i = 0; i < n; i++)
		sink += i * n;
	return sink;
}
__attribute__((noinline)) int work(int n)
{
	int all = scaled(n);
	if (n > 3)
		all += scaled(n + 1);
	return all;
}
int main(int count, char **words)
{
	(void)words;
	switch (count) {
	case 1:
		return work(1);
	case 2:
		return work(7) + work(2);
	default:
		return work(count);
	}
}
END

# compare IMAGE BITS: the line of each row is that of its address, and most of the lines of the source are there.
compare() {
	python3 - "$GPROFX" "$1" "$2" <<-'END' || fail "lines of $1 with $options differ"
		import re, subprocess, sys
		from gmonfile import Profile
		program, image, bits = sys.argv[1], sys.argv[2], int(sys.argv[3])
		names = subprocess.run(['llvm-nm', image], stdout=subprocess.PIPE, check=True, text=True).stdout
		low = min(int(line.split()[0], 16) for line in names.splitlines() if line.endswith(('_work', '_main')))
		open('gmon.out', 'wb').write(Profile(bits).histogram(low, low + 0x400, [1] * 0x400).bytes())
		done = subprocess.run([program, '--no-findings', '-b', '-p', '-l', image, 'gmon.out'], check=True,
		                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
		rows = re.findall(r' \((program\.c:\d+) @ ([0-9a-f]+)\)', done.stdout)
		theirs = subprocess.run(['llvm-symbolizer', '--obj=' + image, '--functions=none', '--inlining=false'] +
		                        ['0x' + address for _, address in rows], stdout=subprocess.PIPE, check=True,
		                        text=True).stdout.split()
		theirs = [place.rsplit('/', 1)[-1].rsplit(':', 1)[0] for place in theirs]
		if done.stderr or len({line for line, _ in rows}) < 8 or [line for line, _ in rows] != theirs:
		    sys.exit('%s\n%s\n%s\n%s' % (image, rows, theirs, done.stderr))
	END
}

for options in '-O0 -gdwarf-4' '-O0 -gdwarf-5' '-O2 -gdwarf-4' '-O2 -gdwarf-5'; do
	for target in x86_64-apple-macos11 arm64-apple-macos11 i386-apple-macos10.6 armv7-apple-ios5; do
		# shellcheck disable=SC2086
		clang -target $target $options -c program.c -o "object.$target.o" || fail 'cannot compile'
		bits=64
		case $target in i386* | armv7*) bits=32 ;; esac
		compare "object.$target.o" $bits
		# These versions of lld and dsymutil know DWARF 4.
		[[ $bits = 64 && $options = *-4 ]] || continue
		rm -rf -- *.dSYM
		./ld64.lld -arch "${target%%-*}" -platform_version macos 11.0 11.0 -undefined dynamic_lookup \
			"object.$target.o" -o program || fail 'cannot link'
		dsymutil program || fail 'no file of debug information'
		compare program 64
	done
done

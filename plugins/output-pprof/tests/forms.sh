#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a file of pprof has: types, chains, places, objects, comments, hostile names, no profile at all; what cannot be
# written; the same bytes each time.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the program'
from exportcases import example
program, samples, calls = example()
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
open('rate-0', 'wb').write(program.profile(samples, calls, rate=0).bytes())
open('nothing', 'wb').write(program.empty().bytes())
open('bytes', 'wb').write(program.profile({'main': 5, 'c': 8}, calls, rate=1, unit=b'bytes', letter=b'b').bytes())
open('b-only', 'wb').write(program.profile({'b': 7}, [], rate=1, unit=b'b\xff\x01', letter=b'q').bytes())
open('c-only', 'wb').write(program.profile({'c': 6}, []).bytes())
END

# written WORD...: what the file of such a run says, in ./text: types, comments, and stacks by name, sorted.
written() {
	expect_status 0 "$GPROFX" --no-findings --output=pprof "$@"
	expect_undiagnosed
	mv out file.pb.gz
	python3 - >text <<-'END' || fail 'the file cannot be read'
		from pprofreader import Pprof
		p = Pprof('file.pb.gz')
		print(*['/'.join(t) for t in p.types], 'shown:', p.default_type, 'period:', p.period)
		for comment in p.comments[1:]:
		    print('#', comment)
		assert p.comments[0].startswith('Written by gprofx '), p.comments
		for line in sorted(';'.join(p.names(reversed(frames))) + ' %s' % values for frames, values in p.samples):
		    print(line)
	END
}

written program gmon.out
cat >expected <<'END'
samples/count cpu/nanoseconds shown: cpu period: 10000000
# Profile: gmon.out
# The paths of calls are estimated (gprof propagation), not measured
program (gprof estimate, paths not measured);main [1, 10000000]
program (gprof estimate, paths not measured);main;<cycle 1>;a [1, 10000000]
program (gprof estimate, paths not measured);main;<cycle 1>;c [0, 5000000]
program (gprof estimate, paths not measured);main;b [3, 30000000]
program (gprof estimate, paths not measured);main;b;<cycle 1>;a [3, 30000000]
program (gprof estimate, paths not measured);main;b;<cycle 1>;c [2, 15000000]
END
expect_same expected text
cp file.pb.gz first.pb.gz
written --threads=1 program gmon.out
expect_same first.pb.gz file.pb.gz

# Each of several metrics has all of its time, in functions that have none of the first one, too.
sum_of() {
	sed -n 's/.* \[\(.*\)\]$/\1/p' text | cut -d, -f"$1" | awk '{ s += $1 } END { print s + 0 }'
}
written program gmon.out bytes
expect_match text '^samples/count cpu/nanoseconds bytes/count shown: cpu '
[ "$(sum_of 2) $(sum_of 3)" = '100000000 13' ] || fail 'time was lost'
written --metric=bytes program gmon.out bytes
expect_match text ' shown: bytes period: 10000000$'
written program c-only b-only
[ "$(sum_of 2) $(sum_of 3)" = '60000000 7' ] || fail 'time was lost'
expect_match text '^samples/count cpu/nanoseconds b\\xff\\x01/count '

# With a rate that is not known, samples are all there is.
written program rate-0
expect_match text '^time/samples shown: time period: 0$'

# Without callers, with calls.
written --set=pprof.flat=true program gmon.out
cat >expected <<'END'
calls/count samples/count cpu/nanoseconds shown: cpu period: 10000000
# Profile: gmon.out
a [4, 4, 40000000]
b [2, 3, 30000000]
c [0, 2, 20000000]
main [0, 1, 10000000]
END
sed 's/^\([ac]\) \[[0-9]*/\1 [N/' expected >expected.members
sed 's/^\([ac]\) \[[0-9]*/\1 [N/' text >text.members
expect_same expected.members text.members

# Contexts beyond the bound stand below a frame that says so, and nothing is lost.
written --set=report.contexts=2 program gmon.out
expect_match text '^program \(gprof estimate, paths not measured\);\[paths too small to show\];a \[4, 40000000\]$'
[ "$(sed -n 's/.*, \([0-9]*\)\]$/\1/p' text | awk '{ s += $1 } END { print s }')" = 100000000 ] || fail 'time was lost'

# Measured stacks have no mark, and the weights of the input.
cat >stacks <<'END'
main;a;a 3
main;p;q;p 9007199254740993
std::map<int, char>::find(int);<lambda()>;x"y\ 5
END
written stacks
cat >expected <<'END'
samples/count shown: samples period: 0
# Profile: stacks
main;a;a [3]
main;p;q;p [9007199254740993]
std::map<int, char>::find(int);<lambda()>;x"y\ [5]
END
expect_same expected text
printf 'a\001b;\377 1\nmain 2\n' >hostile
written hostile
expect_match text '^a\\x01b;\\xff \[1\]$'

# No samples: a file without stacks.
written program nothing
expect_match text 'shown: '

# The program's path and build ID, sources and lines, from an object with all of them.
if [ -n "${GPROFX_CC-}" ]; then
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >one.c
	"$GPROFX_CC" -g -Wl,--build-id=0x0123ab -o one one.c || fail 'cannot compile'
	echo 'main 4' >of-one
	expect_status 0 "$GPROFX" --no-findings --output=pprof:one.pb.gz one of-one
	python3 - <<-'END' || fail 'places are missing'
		from pprofreader import Pprof
		p = Pprof('one.pb.gz')
		(frames, values), = p.samples
		location = p.locations[frames[0]]
		assert location['function']['file'].endswith('one.c') and location['line'] in (1, 2), location
		mapping = p.mappings[location[2]]
		assert (mapping['file'], mapping['build_id']) == ('one', '0123ab'), mapping
		assert all(mapping[i] == 1 for i in (7, 8, 9, 10)), mapping
	END
fi

echo 'main 18446744073709551614' >large
expect_status 1 "$GPROFX" --output=pprof:never large
expect_in err 'report.values-too-large'
[ ! -e never ] || fail 'a file was left behind'

# A zlib that refuses.
if [ "$GPROFX_BUILTIN" = 0 ] && [ -z "${GPROFX_SANITIZE-}" ] && [ -n "${GPROFX_CC-}" ]; then
	printf 'int deflateInit2_(void *s, ...) { (void)s; return -6; }\n' >zlib.c
	"$GPROFX_CC" -shared -fPIC -o zlib.so zlib.c || fail 'cannot compile'
	expect_status 1 env LD_PRELOAD="$PWD/zlib.so" "$GPROFX" --output=pprof:never stacks
	expect_in err 'pprof.cannot-compress'
	[ ! -e never ] || fail 'a file was left behind'
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where code is: of programs linked at an address and of others, of libraries of one name, of frames by name; and what
# "go tool pprof" disassembles.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the programs'
import os
from exportcases import example
from profiled import Program
program, samples, calls = example()
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
for folder, ticks in ('one', 3), ('two', 5):
    os.mkdir(folder)
    library = Program(['lib_open', 'a'])
    open(folder + '/libother.so', 'wb').write(library.bytes())
    open(folder + '/profile', 'wb').write(library.profile({'lib_open': ticks, 'a': 2}, [('lib_open', 'a', 6)]).bytes())
# Code that is one page away from its bytes, and some that is two.
apart = Program(['main', 'a'])
apart.image.section('.text.far', 0x700010, b'\x90' * 0x100)
apart.image.symbol('far', 0x700010, 0x100, section='.text.far')
open('apart', 'wb').write(apart.bytes())
open('of-apart', 'w').write('main;far 4\nmain;a 2\n')
open('of-program', 'w').write('main;elsewhere 4\nmain;a 2\n')
END

# mapped WORD...: locations of functions and mappings of such a run, in ./text.
mapped() {
	expect_status 0 "$GPROFX" --no-findings --output=pprof:file.pb.gz "$@"
	expect_undiagnosed
	python3 - >text <<-'END' || fail 'the mappings are wrong'
		from pprofreader import Pprof
		p = Pprof('file.pb.gz')
		rows = sorted(p.mappings.values(), key=lambda row: row.get(2, 0))
		assert all(left[3] <= right[2] for left, right in zip(rows, rows[1:])), 'mappings overlap'
		for row in rows:
		    print('%#x-%#x +%#x %s' % (row.get(2, 0), row[3], row.get(4, 0), row['file']))
		for place in sorted(p.locations.values(), key=lambda row: row.get(3, 0)):
		    if place.get(3, 0) == 0:
		        continue
		    row = p.mappings[place[2]]
		    assert row.get(2, 0) <= place[3] < row[3], place
		    print('%#x %s %s' % (place[3], place['function']['name'], row['file']))
	END
}

mapped program gmon.out
expect_same text - <<'END'
0x401000-0x402000 +0x78 program
0x401000 main program
0x401100 a program
0x401200 b program
0x401300 c program
END
# Each library has a place of its own, as in a process.
mapped --object=one/libother.so=one/profile --object=two/libother.so=two/profile program gmon.out
expect_match text '^0x401000-0x402000 \+0x78 program$'
expect_match text '^0x600000-0x601000 \+0x78 one/libother\.so$'
expect_match text '^0x800000-0x801000 \+0x78 two/libother\.so$'
expect_match text '^0x600000 lib_open \(libother\.so\) \[one/libother\.so\] one/libother\.so$'
expect_match text '^0x800100 a \(libother\.so\) \[two/libother\.so\] two/libother\.so$'
# Sections that are not equally far away from their bytes are mapped apart.
mapped apart of-apart
expect_match text '^0x401000-0x402000 \+0x[0-9a-f]+ apart$'
expect_match text '^0x700010-0x701000 \+0x[0-9a-f]+ apart$'
expect_match text '^0x700010 far apart$'
# Frames by name that the program does not have are nowhere in it.
mapped program of-program
expect_match text '^0x600000-0x601000 \+0x0 \[names\]$'
expect_match text '^0x600000 elsewhere \[names\]$'
# Without a program there are no addresses.
mapped of-program
expect_empty text

[ -n "${GPROFX_CC-}" ] || exit 0
cat >work.c <<'END'
static volatile long sum;
__attribute__((noinline)) void leaf(int n)
{
	sum += n;
}
int main(void)
{
	leaf(3);
	return (int)sum;
}
END
echo 'main;leaf 7' >of-work
for form in '-no-pie -fno-pie' '-pie -fPIE'; do
	# shellcheck disable=SC2086
	"$GPROFX_CC" -g -O1 $form -Wl,--build-id -o work work.c || fail 'cannot compile'
	mapped work of-work
	address=$(printf '%#x' "0x$(nm work | awk '$3 == "leaf" { print $1 }')")
	expect_match text "^$address leaf work\$"
	# Code is where the segment says that the loader reads.
	python3 - "$(readelf -lW work | awk '$1 == "LOAD" && / R E / { print $2, $3, $5 }')" <<-'END' || fail 'not as in the segment'
		import sys
		offset, address, size = (int(word, 16) for word in sys.argv[1].split())
		start, limit, place = (int(word, 16) for word in open('text').readline().replace('-', ' ').replace('+', '').split()[:3])
		assert start - place == address - offset, (start, place, address, offset)
		assert start == address and limit >= address + size, (start, limit, address, size)
	END
	command -v go >/dev/null && command -v objdump >/dev/null || continue
	export HOME=$PWD
	expect_status 0 go tool pprof -disasm=leaf file.pb.gz
	expect_match out '^ROUTINE =+ leaf$'
	expect_match out '^ +7 +7 \(flat, cum\) +100% of Total'
	expect_match out "^ +7 +7 +${address#0x}: .*leaf work\.c:[0-9]"
	printf '#!/bin/sh\ncp "$1" page.html\n' >browser && chmod +x browser
	expect_status 0 env BROWSER="$PWD/browser" go tool pprof -weblist=leaf file.pb.gz
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -s page.html ] && break
		sleep 0.1
	done
	expect_in page.html "${address#0x}:"
	rm page.html
done

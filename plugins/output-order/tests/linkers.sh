#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each linker takes the order meant for it: the functions that ran stand together in the new image, in
# that order, with nothing else between them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need nm python3

# Of sixty functions in two files each tenth runs.
write_sources() {
	python3 - <<-'END'
		head = '#define FUNCTION __attribute__((noinline)) int\nextern volatile int sink;\n'
		for file in 0, 1:
		    with open('part%d.c' % file, 'w') as out:
		        out.write(head)
		        out.write('static FUNCTION same(int x) { sink += x; return x + %d; }\n' % file)
		        for i in range(file, 60, 2):
		            out.write('int work%d(int x);\n' % (i + 10))
		            call = 'work%d(x)' % (i + 10) if i + 10 < 60 else 'x'
		            more = ' + same(x)' if i == 50 or i % 2 else ''
		            out.write('FUNCTION work%d(int x) { sink += x; return %s%s + %d; }\n' % (i, call, more, i))
		with open('main.c', 'w') as out:
		    out.write('''
		#include <stdio.h>
		volatile int sink;
		int work0(int);
		int work5(int);
		int main(int argc, char **argv)
		{
			int sum = 0;
			for (int i = 0; i < 1000; i++)
				sum += work0(i);
			if (argc > 1)
				sum += work5(argc);
			printf("%d\\n", sum);
			return argv == 0;
		}
		''')
	END
}

ran='main same work0 work10 work20 work30 work40 work50'

# expect_together IMAGE: between the first and the last of the functions that ran are no others but those
# of the same name.
expect_together() {
	nm -n "$1" | awk '$2 == "t" || $2 == "T" { print $3 }' >functions
	awk -v words="$ran" 'BEGIN { split(words, list, " "); for (i in list) ran[list[i]] = 1 }
		{ line[NR] = $1 } $1 in ran { if (!first) first = NR; last = NR }
		END { for (i = first; i <= last; i++) print line[i] }' functions >between
	tr ' ' '\n' <<<"$ran" | sort >expected
	sort -u between | diff expected - >&2 || fail "$1: they are not together"
}

compile() {
	"$1" -O2 "${@:2}" -ffunction-sections -fno-inline -c main.c part0.c part1.c 2>cc.log ||
		fail "$1 does not compile"
}

write_sources || fail 'cannot write the sources'
tried=
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null 2>&1 || continue
	compile "$compiler" -pg
	"$compiler" -pg -o program main.o part0.o part1.o || fail "$compiler does not link"
	rm -f gmon.out
	./program >said || fail 'the program does not run'
	[ -s gmon.out ] || skip 'there is no profile'
	mv gmon.out profile
	"$GPROFX" --no-findings -r program profile | grep -xE 'work[1-5]?0|main' >wanted
	# As it was linked, they are not; else the test would say nothing.
	(expect_together program) 2>/dev/null && fail 'they are together anyway'
	for linker in lld gold bfd; do
		command -v "ld.$linker" >/dev/null 2>&1 || continue
		case $linker in
		lld) format=lld option=--symbol-ordering-file=order ;;
		gold) format=gold option=--section-ordering-file=order ;;
		bfd) format=ldscript option=-T,order ;;
		esac
		expect_status 0 "$GPROFX" -r --order-format=$format --output=order:order program profile
		"$compiler" -fuse-ld=$linker -pg -o ordered main.o part0.o part1.o -Wl,"$option" 2>link.log ||
			fail "$linker refuses the order: $(head -n 3 link.log)"
		! grep -iE 'warning.*(order|script)' link.log || fail "$linker does not like the order"
		./ordered >said.again && cmp -s said said.again || fail 'it does something else'
		expect_together ordered
		grep -xE 'work[1-5]?0|main' between | diff wanted - >&2 || fail "$linker: another order"
		# The new image can be profiled as the old one.
		expect_status 0 "$GPROFX" -r ordered
		expect_match out '^work50$'
		tried="$tried $compiler:$linker"
	done
done
[ -n "$tried" ] || skip 'there is no linker that takes an order'

# Files: GNU ld puts those in order of which the map tells.
if command -v ld.bfd >/dev/null 2>&1; then
	nm --extern-only --defined-only -v --print-file-name part1.o main.o part0.o >map
	expect_status 0 "$GPROFX" -R map program profile
	cp out files
	expect_status 0 "$GPROFX" -R map --order-format=ldscript --output=order:order program profile
	gcc -fuse-ld=bfd -pg -o ordered part1.o part0.o main.o -Wl,-T,order || fail 'ld refuses the order'
	./ordered >said.again
	expect_same said said.again
	nm -n ordered | awk '$3 == "main" { print "main.o" } $3 == "work0" { print "part0.o" }
		$3 == "work1" { print "part1.o" }' >placed
	expect_same files placed
fi
echo "tried:$tried"

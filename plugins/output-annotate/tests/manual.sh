#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example that gprof's manual explains -x with, by a program of our own: a checksum with a loop and a
# branch of two ways, called twice. The basic blocks are counted by the program itself, at the labels that it
# has at their starts, and are recorded as a compiler with such an option did it.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"
need nm strip

cat >sum.c <<'PROGRAM'
extern unsigned long counts[];

#define BLOCK(number) __asm__ volatile(".globl block" #number "\nblock" #number ":"); counts[number]++

unsigned fold(unsigned sum, const unsigned char *text, int length)
{
	BLOCK(0);
	int i = 0;
	while (i < length) {
		BLOCK(1);
		if (text[i] & 1) {
			BLOCK(2);
			sum = sum * 31 + text[i];
		} else {
			BLOCK(3);
			sum ^= text[i];
		}
		i++;
	}
	return sum;
}
PROGRAM
cat >main.c <<'PROGRAM'
#include <stdio.h>

unsigned long counts[4];
unsigned fold(unsigned sum, const unsigned char *text, int length);

int main(void)
{
	/* Seven odd and twenty even characters. */
	unsigned sum = fold(1, (const unsigned char *)"aceg0000000000", 14);

	sum = fold(sum, (const unsigned char *)"ace2222222222", 13);
	for (int i = 0; i < 4; i++)
		printf("%lu\n", counts[i]);
	return sum == 0;
}
PROGRAM
"$GPROFX_CC" -O0 -g -pg -no-pie -fno-pie -o program main.c sum.c 2>err || { cat err; skip 'cannot build'; }
./program >counted || fail 'cannot run'
[ "$(tr '\n' ' ' <counted)" = '2 27 7 20 ' ] || fail "the program counts otherwise: $(cat counted)"
nm program >names
python3 - <<'PROGRAM' || fail 'cannot write the blocks'
from gmonfile import Profile
places = {}
for row in open('names'):
    words = row.split()
    if len(words) == 3:
        places[words[2]] = int(words[0], 16)
blocks = [(places['block%d' % i], int(count)) for i, count in enumerate(open('counted'))]
blocks.insert(0, (places['fold'], 2))
data = open('gmon.out', 'rb').read()
open('gmon', 'wb').write(data + Profile().blocks(blocks).data[20:])
PROGRAM
# Symbols they are, too, and would be taken for functions.
strip -N block0 -N block1 -N block2 -N block3 program 2>err || fail 'cannot strip the labels'

# margins OPTION...: LINE=COUNTS of the lines of sum.c that have any.
margins() {
	"$GPROFX" "$@" -b -l -A --output-option=annotate.layout=gprof -Asum.c program gmon >out 2>err ||
		fail "status $? from: $*"
	sed -n '/^\*\*\* File .*sum\.c:$/,/^Top/p' out | sed 1d |
		awk '{ margin = substr($0, 1, 16) } margin ~ /->/ { gsub(/[ ]|->/, "", margin); print NR "=" margin }' |
		tr '\n' ' '
}
margins --gnu >gnu
margins >own
# Where blocks begin.
for mode in gnu own; do
	for line in 7=2 10=27 12=7 15=20; do
		grep -q "\\b$line\\b" $mode || fail "$mode: $line is not there: $(cat $mode)"
	done
	! grep -q '\b13=\|\b16=\|\b18=' $mode || fail "$mode: lines without a block: $(cat $mode)"
done
margins --gnu -x >gnu
margins -x >own
# And inside of them: the other way of the branch, and the line behind it.
for mode in gnu own; do
	for line in 8=2 11=27 13=7 16=20; do
		grep -q "\\b$line\\b" $mode || fail "$mode, -x: $line is not there: $(cat $mode)"
	done
done
grep -q '^ *2 -> .*return sum;\|^ *20 -> .*return sum;' out || fail 'the end has no count'
expect_status 0 "$GPROFX" -b -l -A -x -Asum.c program gmon
expect_match out ' 27 -> .*if \(text\[i\] & 1\) \{$'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bb.*: listings and converted files, found by themselves and beside others; damaged ones, with the place
# of the damage; and what is reported about files that are read.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the profiles'
	from gmonfile import Block, block_listing, converted_blocks
	from profiled import Program
	for name, machine in (('image32', 'i386'), ('foreign64', 's390x'), ('foreign32', 'ppc')):
	    open(name, 'wb').write(Program(['main', 'work', 'idle'], machine).bytes())
	first = ('a, 2.c', [Block(5, 0x401020, 'main', 10, 'a.c'), Block(600, 0x401100, 'work', 11, 'a.c')])
	second = ('b.c', [Block(7, 0x401104, 'work')])
	bare = ('c.c', [Block(9), Block(10, 0x401024)])
	wide = ('d.c', [Block(1 << 40, 0xffffffff81000010)])
	def save(name, data):
	    open(name, 'wb').write(data)
	save('bb.out', block_listing([first, second]))
	save('twice', block_listing([first, second]) + block_listing([second], 'Fri Jan  2 00:00:00 1970'))
	save('windows', block_listing([first, second]).replace(b'\n', b'\r\n'))
	save('tail', block_listing([first, second]).split(b'\n', 2)[2])
	save('bare', block_listing([bare]))
	save('wide', block_listing([wide]))
	save('little', converted_blocks([first, second]))
	save('big', converted_blocks([first, second], '>'))
	text = block_listing([first, second])
	save('few', text.replace(b', 2 basic', b', 3 basic'))
	save('many', text.replace(b', 1 basic', b', 0 basic'))
	save('cut', text[:text.index(b'File b.c') + 30])
	save('line', text.replace(b'executed 600', b'executed six'))
	save('large', text.replace(b'600', b'99999999999999999999'))
	save('early', text.replace(b'File a', b'Fill a'))
	save('bytes', text.replace(b'    Block #2', b'\x1b[31m\0\xff'))
	save('noaddress', text.replace(b'0x401104', b'401104'))
	big = converted_blocks([first, second], '>')
	save('short', big[:-3])
	save('tag', big + b'\1')
	save('number', big + b'\2\0')
	save('other', big[:4] + b'\0\0\0\2' + big[8:])
END

# blocks IMAGE FILE [OPTION...]: the blocks that are read, one "address count" a line, in the file blocks.
blocks() {
	expect_status 0 "$GPROFX" -b -d2048 "${@:3}" "$1" "$2"
	sed -n 's/^basic block \(0x[0-9a-f]*\): \([0-9]*\) executions$/\1 \2/p' out >blocks
}
printf '%s\n' '0x401020 5' '0x401100 600' '0x401104 7' >expected

for image in program image32 foreign64 foreign32; do
	for file in bb.out tail windows little big; do
		blocks $image $file
		expect_same expected blocks
		[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
		expect_in err 'warning[profile.blocks-ignored]'
		expect_not_in err 'profile.empty'
	done
	blocks $image twice
	(cat expected && echo '0x401104 7') >both
	expect_same both blocks
done
blocks program bb.out -O bb
expect_same expected blocks
blocks program big -O bb
expect_same expected blocks
blocks program wide
expect_same blocks <(echo '0xffffffff81000010 1099511627776')
# Among others, which have the times.
expect_status 0 "$GPROFX" -b program gmon.out
cp out usual
for files in 'bb.out gmon.out' 'gmon.out big' 'little gmon.out bb.out'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" -b program $files
	expect_same usual out
done

blocks program bare
expect_same blocks <(echo '0x401024 10')
expect_match err '^gprofx: warning\[bb.no-address\]: bare:5: .* found none for 1 of 2 blocks'
expect_match err '^  hint: .'

expect_damage few bb.count-differs 3 'expected 3 blocks in this part, found 2'
expect_damage many bb.count-differs 9 'expected 0 blocks in this part, found 1'
expect_damage cut bb.count-differs 9 'expected 1 blocks in this part, found 0'
expect_damage line bb.unexpected-text 6:24 "expected a number of executions, found 'six time\\(s\\) address= 0x4'"
expect_damage large bb.large-number 6:24 'expected a number of executions below 2\^64, found a larger one'
expect_damage early bb.unexpected-text 3:1 "expected 'File NAME, N basic blocks', found 'Fill a, 2.c, 2 basic blo'"
expect_damage bytes bb.unexpected-text 6:1 "expected 'Block #', found '\\?\\[31m.*"
expect_damage noaddress bb.unexpected-text 11:43 "expected an address, which begins with 0x, found '401104 .*'"
expect_status 1 "$GPROFX" -b image32 wide
expect_match err '^gprofx: error\[bb.wide-address\]: wide:5:55: .* found 0xffffffff81000010$'
expect_damage short bb.bad-record 0x29 'expected 1 basic blocks, found 0 before the end of file' -O bb
expect_damage tag bb.bad-record 0x36 'expected a record tag of 2, found 1' -O bb
expect_damage number bb.bad-record 0x36 'expected a number of blocks, found the end of the file' -O bb
expect_damage other bb.bad-version 0x4 'expected version 1, found 33554432' -O bb

# GNU mode converts nothing.
expect_status 1 "$GPROFX" --gnu -b program bb.out
expect_in err "file 'bb.out' does not appear to be in gmon.out format"
expect_status 1 "$GPROFX" --gnu -b program big
expect_in err "file \`big' has unsupported version 16777216"
expect_status 1 "$GPROFX" --gnu -b program little

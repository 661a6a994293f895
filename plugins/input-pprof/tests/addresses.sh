#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pprof.addresses: a profile that has no names: functions and lines are those of the files that its mappings name, if
# these are the files that ran. Takes about a second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >program.c <<-'END'
	int leaf(int n) { return n + 1; }
	int twig(int n) { return leaf(n) + 1; }
	int main(void) { return twig(1) - 3; }
END
"$GPROFX_CC" -g -O0 -Wl,--build-id -o program program.c 2>/dev/null || skip 'no build IDs'
nm program >symbols
readelf -n program | sed -n 's/.*Build ID: //p' >id
[ -s id ] || skip 'no build IDs'
export PYTHONPATH="$GPROFX_SOURCE/tests/tools${PYTHONPATH:+:$PYTHONPATH}"
cat >make.py <<-'END'
	import os, sys
	from pproffile import Pprof

	at = {line.split()[2]: int(line.split()[0], 16) for line in open('symbols') if len(line.split()) == 3}
	id = open('id').read().strip()
	BASE = 0x555555554000 if at['main'] < 0x400000 else 0
	for name, build_id in (('right', id), ('other', '00' + id[2:] if id[:2] != '00' else '11' + id[2:]), ('none', '')):
	    p = Pprof(('samples', 'count'))
	    lowest = min(at['leaf'], at['twig'], at['main']) & ~0xfff
	    m = p.mapping(BASE + lowest, BASE + lowest + 0x1000, lowest - (0 if BASE else 0x400000), os.path.abspath('program'), build_id)
	    stack = [p.address(BASE + at[f] + 4, m) for f in ('leaf', 'twig', 'main')]
	    p.sample(stack, 7).sample(stack[1:], 2)
	    open(name, 'wb').write(p.bytes())
END
python3 -B make.py || fail 'cannot write the profiles'
for file in right none; do
	expect_status 0 "$GPROFX" --no-findings -b -p $file
	expect_match out '^ *77\.78 .* leaf \(program\)$'
	expect_match out '^ *22\.22 .* twig \(program\)$'
done
expect_status 0 "$GPROFX" --no-findings -l -b -p ./program right
expect_match out 'leaf \(program\.c:1'
# Another build: its names would be wrong.
expect_status 0 "$GPROFX" --no-findings -b -p other
expect_not_in out leaf
expect_match out '^100\.00 .*\[program\]'

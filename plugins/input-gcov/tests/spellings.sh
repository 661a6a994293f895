#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A header that the debug information knows under two names: samples in it are shown under that name whose
# code is asked for, also when the counters' lines, which are of both, are not.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from dwarfinfo import Function, Unit, add_debug_info
	from elfimage import Image
	from gcovfile import Source, gcov_document
	from gmonfile import Profile
	T = 0x401000
	image = Image()
	image.section('.text', T, b'\x90' * 96)
	rows = {'first': [(0, 10, 'a.c'), (8, 5, 'h.h')], 'last': [(0, 20, 'a.c'), (8, 6, './h.h'), (16, 9, 'g.h')]}
	functions = []
	for at, name in enumerate(rows):
	    image.symbol(name, T + 32 * at, 32)
	    functions.append(Function(name, T + 32 * at, 32, rows[name]))
	add_debug_info(image, [Unit('a.c', functions, '/src')])
	open('program', 'wb').write(image.bytes())
	open('gmon.out', 'wb').write(Profile.of(image).histogram(T, T + 96, [5] * 24).bytes())
	header = Source('/src/h.h', {5: 40, 6: 80}, [('inlined', 5, 6, 40)])
	main = Source('/src/a.c', {10: 1, 20: 7}, [('first', 10, 10, 1), ('last', 20, 20, 7)])
	open('counts', 'wb').write(gcov_document([header, main]))
END
mkdir -p src
for name in a.c g.h h.h; do
	printf "$name:%s\n" {1..30} >"src/$name"
done

for options in -Alast -A; do
	expect_status 0 "$GPROFX" -b --source-map=/src="$PWD/src" "$options" program gmon.out counts
	[ "$(grep -c '/h\.h:$' out)" -eq 1 ] || fail "the header is not one file with $options"
	expect_match out '0\.10 .*h\.h:6$'
	expect_match out '0\.20 .*g\.h:9$'
done
expect_match out '0\.30 .* 40 -> h\.h:5$'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every layout of nm, and what Linux writes about its kernel, names the functions as the image does.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need nm strip

python3 - <<-'END' || fail 'cannot write the program'
	from elfimage import NOTYPE, OBJECT, WEAK, WRITE, ALLOC
	from profiled import Program
	program = Program(['main', '~work', '_ZN2ns1gEii', '~work.part.0', '~.odd.name', 'orph$an'])
	program.image.section('.data', 0x500000, bytes(64), ALLOC | WRITE)
	program.image.symbol('table', 0x500000, 8, kind=OBJECT, section='.data')
	program.image.symbol('alias', program.at('work'), 16, WEAK)
	program.image.symbol('_ZnomE', 0, 0, kind=NOTYPE, section=0)
	program.image.symbol('maybe', 0, 0, WEAK, NOTYPE, section=0)
	open('program', 'wb').write(program.bytes())
	profile = program.profile({'main': 10, 'work': 30, '_ZN2ns1gEii': 4, 'work.part.0': 2},
	                          [('main', 'work', 7), ('work', '_ZN2ns1gEii', 3)])
	open('gmon.out', 'wb').write(profile.bytes())
END
expect_status 0 "$GPROFX" -b -z program
expect_undiagnosed
cp out expected

# expect_listed: the list gives the same report as the image, without complaints.
expect_listed() {
	[ -s list ] || fail 'the list is empty'
	expect_status 0 "$GPROFX" -b -z -S list "${1:-program}" gmon.out
	expect_undiagnosed
	expect_same expected out
}
cp program bare
strip bare || fail 'cannot strip the program'
for options in '' -S -n -r -g\ -a -a '-f posix' '-P -S' '-f sysv' '-f sysv -S' '-C' '-C -P' '-C -f sysv'; do
	# shellcheck disable=SC2086
	nm $options program >list || fail "nm $options fails"
	[ "$options" = '-g -a' ] && nm -a program >list
	expect_listed
	expect_listed bare
	expect_status 1 "$GPROFX" -b bare gmon.out
	expect_in err 'error[image.no-symbols]'
done
# Several programs, with headings; what ends as on other systems; a mark of the encoding.
nm program gmon.out 2>/dev/null | sed '1i\\nprogram:' >list
expect_listed
nm program | sed 's/$/\r/; 1s/^/\xef\xbb\xbf/' >list
expect_listed
# A kernel, with a module.
nm -n program | grep -v ' [Uw] ' | sed '2,$s/$/\t[module]/; s/^/0x/' >list
expect_listed
nm -n program | sed 's/$/ [module]/' >list
expect_listed
# Another image: the same program with its symbols.
cp program list
expect_listed bare
# From a pipe.
expect_status 0 bash -c '"$0" -b -z -S <(nm program) bare gmon.out' "$GPROFX"
expect_same expected out

# Static functions can be dropped from a list as well, but not in GNU mode.
nm program >list
expect_status 0 "$GPROFX" -b -z -a -p program
cp out expected
expect_status 0 "$GPROFX" -b -z -a -p -S list program
expect_same expected out
expect_status 0 "$GPROFX" --gnu -b -z -a -p -S list program
expect_in out work.part.0

# Sizes tell where a function ends: samples behind it are outside of any.
make_program_with_gap
mv program gap
for size in '-S' '-P' '-f sysv'; do
	# shellcheck disable=SC2086
	nm $size gap >list
	expect_status 0 "$GPROFX" -b -p -S list gap
	expect_match out '^ 40\.00 .* <outside any function>$'
done
nm gap >list
expect_status 0 "$GPROFX" -b -p -S list gap
expect_not_in out 'outside any function'

# Addresses of machines that extend their signs.
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'work', 'idle'], 'mips', base=0x80400000)
	open('mips', 'wb').write(program.bytes())
	profile = program.profile({'main': 10, 'work': 30}, [('main', 'work', 7)])
	open('gmon.mips', 'wb').write(profile.bytes())
	open('list', 'w').write('80400000 T main\n80400100 T work\nffffffff80400200 T idle\n')
END
expect_status 0 "$GPROFX" -b -p -q mips gmon.mips
cp out expected
expect_status 0 "$GPROFX" -b -p -q -S list mips gmon.mips
expect_same expected out
# The source positions are those of the image.
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', '~work']).lines({'main': [(0, 3)], 'work': [(0, 12)]})
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(program.profile({'main': 1, 'work': 3}, []).bytes())
END
nm program >list
expect_status 0 "$GPROFX" -b -p --inline-file-names -S list program
expect_in out 'work (prog.c:12)'
cp out expected
strip -o bare program
expect_status 0 "$GPROFX" -b -p --inline-file-names -S program bare gmon.out
expect_same expected out

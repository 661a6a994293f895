#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --object: a program and shared libraries in one report, each from a profile of its own.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	import os
	from gmonfile import library_profile
	from profiled import Program
	program = Program(['main', 'work'])
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(
	    program.profile({'main': 10, 'work': 20}, [('main', 'work', 4)]).bytes())
	os.mkdir('lib')
	# Both libraries have functions of the same names at the same addresses.
	library = Program(['work', '_ZN3lib4leafEi'], base=0x1000)
	open('lib/libone.so.1', 'wb').write(library.bytes())
	open('libtwo.so', 'wb').write(library.bytes())
	leaf, work = library.at('_ZN3lib4leafEi'), library.at('work')
	def profile(leaf_ticks, arcs, bins=4, rate=100):
	    # Bins of another width than the program's.
	    low, high = 0x1000, 0x1200
	    ticks = [0] * bins
	    ticks[-1] = leaf_ticks
	    return library_profile(low, high, ticks, arcs, rate=rate)
	open('one', 'wb').write(profile(30, [(0, work, 7), (work + 4, leaf, 14)]))
	open('more', 'wb').write(profile(5, [(0, work, 1)]))
	open('two', 'wb').write(profile(400, [(work + 4, leaf, 2)], bins=8, rate=1000))
	open('machine', 'wb').write(Program(['work'], machine='s390x').bytes())
END

expect_status 0 "$GPROFX" -b -p --object=lib/libone.so.1=one --object=libtwo.so=two program
expect_match out '^ 40\.00      0\.40     0\.40        2 .* lib::leaf\(int\) \(libtwo\.so\)$'
expect_match out '^ 30\.00      0\.70     0\.30       14 .* lib::leaf\(int\) \(libone\.so\.1\)$'
expect_match out '^ 20\.00      0\.90     0\.20        4 .* work$'
expect_match out '^ 10\.00      1\.00     0\.10 +main$'
expect_match out ' 7 .* work \(libone\.so\.1\)$'
# Who called the first library from elsewhere is not known; nothing calls the second from there.
expect_match err 'finding\[calls\.between-objects\]: .* without their callers'
expect_status 0 "$GPROFX" -b -p --object=libtwo.so=two program
expect_undiagnosed
expect_not_in err 'calls.between-objects'
# A run samples one object.
expect_in err 'finding[profile.separate-runs]: program and libtwo.so were profiled in separate runs: '
expect_in err 'gprofx libtwo.so two;'
expect_status 0 "$GPROFX" -b -p --object=lib/libone.so.1=one --object=libtwo.so=two program
expect_in err 'program, libone.so.1 and 1 more were profiled in separate runs: '
# The dynamic linker needs no -pg.
expect_status 0 "$GPROFX" -b -p --explain libtwo.so two
expect_not_in err '-pg'
expect_not_in err 'calls.plt-only'
python3 -c 'from gmonfile import library_profile
open("inside", "wb").write(library_profile(0x1000, 0x1200, [50, 50], [(0, 0x1100, 7)]))'
expect_status 0 "$GPROFX" -b -p --explain libtwo.so inside
expect_in err 'no call was counted of 1 function with 50 % of 100 samples'
expect_match err 'calls through the PLT only \(LD_PROFILE\)'
# Several profiles of one object are of as many runs, but each samples all of it.
expect_status 0 "$GPROFX" -b -p program gmon.out gmon.out
expect_not_in err 'separate-runs'
expect_status 0 "$GPROFX" -b -q --explain --object=lib/libone.so.1=one program
expect_in err '7 calls of functions in 1 library from elsewhere'
expect_match out '0\.00    0\.30       7/7           <outside any function> \['
expect_match out '^\[[0-9]+\] +50\.0    0\.00    0\.30       7         work \(libone\.so\.1\) \['
# Two profiles of one library are added up.
expect_status 0 "$GPROFX" -b -p --object=lib/libone.so.1=one --object=lib/libone.so.1=more program
expect_match out '      0\.35     0\.35       14 .* lib::leaf\(int\) \(libone\.so\.1\)$'
expect_match out ' 8 .* work \(libone\.so\.1\)$'
# Threads make no difference.
expect_status 0 "$GPROFX" -b --object=lib/libone.so.1=one --object=libtwo.so=two program
cp out expected
expect_status 0 "$GPROFX" -b --threads=5 --object=lib/libone.so.1=one --object=libtwo.so=two program
expect_same out expected
# Gprof's ways of crediting do not need a common width of bins either.
expect_status 0 "$GPROFX" -b -p --correct=none --object=libtwo.so=two program
expect_match out '400\.|4\.00 .* _ZN3lib4leafEi|lib::leaf'
# Addresses are those of each object.
expect_status 0 "$GPROFX" --output=csv --object=libtwo.so=two program
expect_match out 'leaf.*,0x1100'
if "$GPROFX" --list-plugins | grep -q '^output-json '; then
	expect_status 0 "$GPROFX" --output=json --object=libtwo.so=two --object=lib/libone.so.1=one program
	python3 - <<-'END' || fail 'other objects in JSON'
		import json
		report = json.load(open('out'))
		functions = report['functions']
		images = [(i['name'], i['path'], i['kind'], i['build_id'], i['names_from'], i['symbols_file']) for i in report['images']]
		assert images == [('libtwo.so', 'libtwo.so', 'library', None, 'file', None),
		                  ('libone.so.1', 'lib/libone.so.1', 'library', None, 'file', None)], images
		rows = {(f['raw_name'], f['object'], f['address']) for f in functions}
		assert {('work', None, '0x401100'), ('work', 'libtwo.so', '0x1000'),
		        ('_ZN3lib4leafEi', 'libtwo.so', '0x1100')} <= rows, rows
	END
fi
expect_status 0 "$GPROFX" -i --object=libtwo.so=two program
expect_in out 'histogram   0x1000-0x1200: 8 bins'

# Mistakes.
cp two libtwo.so.profile
cp two libtwo.so.1.profile
expect_status 0 "$GPROFX" --no-findings -b -p program libtwo.so.profile
expect_match err 'warning\[profile\.of-a-library\]: libtwo\.so\.profile: the profile is named after the library libtwo\.so, but read as one of program$'
expect_in err 'hint: add it to the profile of the program with --object=libtwo.so=libtwo.so.profile, or report the library by itself: gprofx libtwo.so libtwo.so.profile'
expect_status 0 "$GPROFX" --no-findings -b -p program libtwo.so.1.profile
expect_match err 'warning\[profile\.of-a-library\]: libtwo\.so\.1\.profile: '
expect_status 0 "$GPROFX" --no-findings -b -p ./libtwo.so libtwo.so.profile
expect_empty err
expect_status 0 "$GPROFX" --no-findings -b -p --object=libtwo.so=libtwo.so.profile program
expect_empty err
expect_status 1 "$GPROFX" -b --object=absent=one program
expect_match err 'error\[object\.cannot-open\]: absent: cannot read the shared library: '
expect_status 1 "$GPROFX" -b --object=machine=one program
expect_match err 'error\[object\.other-machine\]: machine: '
expect_status 1 "$GPROFX" -b --object=libtwo.so=absent program
expect_match err 'error\[profile\.cannot-open\]: absent: '
expect_status 1 "$GPROFX" -b -p --keep-going --object=libtwo.so=absent program
expect_match out '      0\.20     0\.20        4 .* work$'
for value in libtwo.so libtwo.so= =two; do
	expect_status 2 "$GPROFX" -b --object="$value" program
	expect_match err 'error\[usage\.bad-object\]: '
done
expect_status 2 "$GPROFX" -s --object=libtwo.so=two program
expect_match err 'error\[usage\.sum-of-objects\]: '
expect_status 1 "$GPROFX" --output=flat:two --object=libtwo.so=two program
expect_match err 'error\[output\.same-file\]: two: '

# A call of a function of a library that was compiled with -pg has an address of that run: the last symbol of
# the program, which names no code, does not reach there, nor does a weak one of data.
python3 - <<-'END' || fail 'cannot write the files'
	from elfimage import ALLOC, GLOBAL, NOTYPE, WEAK, WRITE
	from profiled import Program
	program = Program(['main', 'work'])
	program.image.section('.data', 0x500000, bytes(16), flags=ALLOC | WRITE)
	program.image.symbol('data_start', 0x500000, 0, WEAK, NOTYPE, '.data')
	profile = program.profile({'main': 10, 'work': 20}, [('main', 'work', 4)])
	profile.arc(program.at('main') + 4, 0x7f0000001000, 9)
	open('far', 'wb').write(program.bytes())
	open('far.gmon', 'wb').write(profile.bytes())
	program.image.symbol('etext', program.at('work') + 0x100, 0, GLOBAL, NOTYPE)
	open('ending', 'wb').write(program.bytes())
END
for program in far ending; do
	for words in --correct=all --correct=no-local-names; do
		expect_status 0 "$GPROFX" -b -q $words --no-findings --object=libtwo.so=two $program far.gmon
		[ "$words" = --correct=all ] && expect_not_in out data_start
		expect_not_in out etext
		expect_not_in out '9/9'
		expect_match out ' 4/4 +work \['
	done
done

# Lines of the program are none of a library's, which has its own.
python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work']).lines({'main': [(0, 3), (0x40, 4)], 'work': [(0, 8)]})
	open('lined', 'wb').write(program.bytes())
	library = Program(['work', '_ZN3lib4leafEi'], base=0x1000)
	library.lines({'work': [(0, 7)], '_ZN3lib4leafEi': [(0, 11), (0x40, 12)]}, source='lib.c')
	open('libthree.so', 'wb').write(library.bytes())
END
expect_status 0 "$GPROFX" -b -p -l --object=libtwo.so=two lined
expect_match out ' main \(prog\.c:4 @ 401040\)$'
expect_match out ' lib::leaf\(int\) \(libtwo\.so\)$'
expect_match err 'warning\[object\.no-lines\]: libtwo\.so: the library has no debug information with source lines'
expect_in err 'hint: compile the library with -g, too'
expect_not_in err symbols.no-lines
expect_status 0 "$GPROFX" -b -p -l program
expect_match err 'warning\[symbols\.no-lines\]: program: -l has no effect: the program has no debug information'
expect_status 0 "$GPROFX" -b -p -l lined
expect_empty err
expect_status 0 "$GPROFX" --gnu -b -p -l program
expect_empty err

# Time of a library, 400 samples at 1000 Hz, is divided by its own lines, and those of a program do not matter.
python3 -c 'from gmonfile import library_profile
bins = [0] * 32
bins[0], bins[17], bins[21] = 100, 50, 250
open("lines", "wb").write(library_profile(0x1000, 0x1200, bins, [(0x1004, 0x1100, 2)], rate=1000))'
for program in lined program; do
	expect_status 0 "$GPROFX" --no-findings -b -p -l --object=libthree.so=lines $program
	expect_match out ' 0\.25 .* lib::leaf\(int\) \(lib\.c:12 @ 1140\) \(libthree\.so\)$'
	expect_match out ' 0\.05 +2 .* lib::leaf\(int\) \(lib\.c:11 @ 1100\) \(libthree\.so\)$'
	expect_match out ' 0\.10 .* work \(lib\.c:7 @ 1000\) \(libthree\.so\)$'
	expect_not_in err object.no-lines
	cp out expected
	expect_status 0 "$GPROFX" --no-findings -b -p -l --threads=4 --object=libthree.so=lines $program
	expect_same out expected
done
expect_match err 'warning\[symbols\.no-lines\]: program'

# Functions of a library have positions, whether the program has any or not.
for program in lined program; do
	expect_status 0 "$GPROFX" --no-findings -b -p --inline-file-names --object=libthree.so=two $program
	expect_match out ' lib::leaf\(int\) \(lib\.c:11\) \(libthree\.so\)$'
	for spec in lib.c:11 'lib::leaf(int) (lib.c:11) (libthree.so)' 'lib::leaf(int) (libthree.so) [2]'; do
		expect_status 0 "$GPROFX" --no-findings -b -p "-p$spec" --object=libthree.so=two $program
		expect_match out ' lib::leaf\(int\) \(libthree\.so\)$'
		expect_not_in out work
	done
done
expect_status 0 "$GPROFX" --no-findings --summary --object=libtwo.so=two --object=libthree.so=two lined
expect_match out ' lib::leaf \(libthree\.so\) +lib\.c:11 '
expect_match out ' lib::leaf\(int\) +libtwo\.so '
expect_match out ' main +prog\.c:3 '

# Forty libraries with the same addresses, and an address of the program's own profile where one of them stands
# here. One is linked high up.
python3 - <<-'END' || fail 'cannot write the files'
	from elfimage import ALLOC, EXEC
	from gmonfile import library_profile
	from profiled import Program
	program = Program(['main', 'work'])
	profile = program.profile({'main': 10, 'work': 20}, [('main', 'work', 4)])
	for i in range(64):
	    profile.arc(program.at('main') + 4, (i << 32) + 0x1000, 9)
	open('astray.gmon', 'wb').write(profile.bytes())
	for i in range(40):
	    base = 0x1000 if i != 20 else 0xffffffffff700000
	    library = Program(['work', 'f%d' % i], base=base)
	    open('many%d.so' % i, 'wb').write(library.bytes())
	    open('many%d' % i, 'wb').write(library_profile(
	        base, base + 0x200, [3, i + 1], [(0, library.at('work'), 7), (base + 4, base + 0x100, i + 1)]))
	open('kernel', 'wb').write(Program(['main', 'work'], base=0xffffffff81000000).bytes())
	open('kernel.gmon', 'wb').write(
	    Program(['main', 'work'], base=0xffffffff81000000).profile({'main': 10}).bytes())
	far = Program(['work'])
	far.image.section('.far', 1 << 41, bytes(16), flags=ALLOC | EXEC)
	open('spread.so', 'wb').write(far.bytes())
	open('far-off', 'wb').write(library_profile(0x7f0000001000, 0x7f0000001200, [1, 2], []))
	open('wide.gmon', 'wb').write(library_profile(0x401000, 0x1000000000, [1, 2], []))
END
objects=()
for ((i = 0; i < 40; i++)); do
	objects+=("--object=many$i.so=many$i")
done
expect_status 0 "$GPROFX" -b -p "${objects[@]}" program
for ((i = 0; i < 40; i++)); do
	expect_match out "$(printf ' 0\\.%02d  *%d .* f%d \\(many%d\\.so\\)$' $((i + 1)) $((i + 1)) $i $i)"
done
expect_match out '^ +[0-9.]+ +[0-9.]+ +0\.20 +4 .* work$'
[ "$(grep -c ' 0\.03  *7 .* work (many[0-9]*\.so)$' out)" = 40 ] || fail 'not 40 functions of one name'
expect_status 0 "$GPROFX" -b --threads=3 --correct=none "${objects[@]}" program
cp out expected
expect_status 0 "$GPROFX" -b --threads=1 --correct=none "${objects[@]}" program
expect_same out expected
expect_status 0 "$GPROFX" --output=csv "${objects[@]}" program
expect_match out '"f20",0xffffffffff700100'
expect_match out '"f21",0x1100'
expect_status 0 "$GPROFX" -b -p --no-findings --object=many0.so=many0 program astray.gmon
expect_match out ' 4 .* work$'
expect_match out ' 7 .* work \(many0\.so\)$'

# Objects that have no place.
expect_status 0 "$GPROFX" -b -p --slide=none --object=libtwo.so=two kernel kernel.gmon
expect_match err 'warning\[object\.no-room\]: kernel: .*: the program is reported alone$'
expect_match out ' 0\.10 .* main$'
expect_not_in out libtwo
expect_status 1 "$GPROFX" -b -p --object=spread.so=two program
expect_match err 'error\[object\.spread-code\]: spread\.so: '
expect_status 1 "$GPROFX" -b -p --object=libtwo.so=far-off program
expect_match err 'error\[profile\.far-off\]: far-off:.* of libtwo\.so, found 0x7f0000001000-0x7f0000001200$'
expect_status 1 "$GPROFX" -b -p --slide=none --object=libtwo.so=two program wide.gmon
expect_match err 'error\[profile\.far-off\]: wide\.gmon:.* of program, found 0x401000-0x1000000000$'

# Where libraries stand here says nothing about where the program was loaded.
python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	names = ['f%d' % i for i in range(30)]
	program = Program(['main', 'work'] + names)
	open('position', 'wb').write(program.bytes())
	for by, name in ((0, 'linked.gmon'), (0x555555400000, 'loaded.gmon')):
	    profile = program.empty()
	    profile.histogram(program.base + by, program.end + by, program.bins({'main': 10, 'work': 20}))
	    for i, callee in enumerate(names):
	        profile.arc(program.at('work') + 4 + by, program.at(callee) + by, i + 1)
	    open(name, 'wb').write(profile.bytes())
END
expect_status 0 "$GPROFX" -b --no-findings --object=libtwo.so=two position linked.gmon
cp out expected
expect_status 0 "$GPROFX" -b --no-findings --object=libtwo.so=two position loaded.gmon
expect_match err 'warning\[profile\.slid\]: loaded\.gmon: .* load bias of 0x555555400000'
expect_same out expected

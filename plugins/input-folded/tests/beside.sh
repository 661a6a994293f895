#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# folded.beside: names of frames beside a program that gmon.out is of: times from stacks, calls from gmon.out. Names as in
# the symbol table, demangled, and without arguments; names that several functions have, or nobody; another program's.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'work', 'idle', '_ZN2ns1gEi', '_Z1hIiET_S0_', '~twice', '~twice', '_Z4overi', '_Z4overd'])
	open('program', 'wb').write(program.bytes())
	calls = [('main', 'work', 7), ('work', '_ZN2ns1gEi', 3), ('work', 'idle', 2)]
	open('gmon.out', 'wb').write(program.profile({'idle': 10}, calls).bytes())
	open('twice', 'w').write('%x' % program.address['twice'])
END

cat >stacks <<-'END'
	main;work 4
	main;work;ns::g 2
	main;ns::g(int) 1
	main;h<int> 2
	main;twice 3
	main;over 1
	main;work;malloc 5
	main;[unknown];malloc 2
END
# row SAMPLES NAME [CALLS]: the flat profile has one such row.
row() {
	local per_cent
	per_cent=$(printf '%d.%02d' $(($1 * 5)) 0)
	grep -E " $2\$" out >row || fail "no row of $2"
	[ "$(wc -l <row)" -eq 1 ] || fail "several rows of $2"
	grep -qE "^ *${per_cent/./\\.} +[0-9.]+ +$1\\.00 +${3:+$3 +[0-9.]+m? +[0-9.]+m? +}$2\$" row || fail "row of $2: $(cat row)"
}
all_rows() {
	row 0 main
	row 4 work 7
	row 3 'ns::g\(int\)' 3
	row 2 'int h<int>\(int\)'
	row 3 twice
	row 1 over
	row 7 malloc
	row 0 '\[unknown\]'
}
expect_status 0 "$GPROFX" -b -p program gmon.out stacks
expect_match err 'finding\[samples\.not-used\]'
expect_not_in err 'warning['
expect_in out 'Times are measured from call stacks, in samples.'
row 0 idle 2
all_rows
expect_in out 'Values are from stacks, calls from gmon.out.'
expect_status 0 "$GPROFX" -b -p program stacks gmon.out
all_rows
# Inclusive times and calls: work is in 11 of 20, and was called 7 times, what is nobody's is in the graph like the rest.
expect_status 0 "$GPROFX" -b -q program gmon.out stacks
expect_in out 'values are from stacks, calls from gmon.out'
expect_match out '^\[[0-9]+\] +100\.0 +0\.00 +20\.00 +main \[[0-9]+\]$'
expect_match out '^\[[0-9]+\] +55\.0 +4\.00 +7\.00 +7 +work \[[0-9]+\]$'
expect_match out '^\[[0-9]+\] +35\.0 +7\.00 +0\.00 +malloc \[[0-9]+\]$'
expect_match out '^\[[0-9]+\] +10\.0 +0\.00 +2\.00 +\[unknown\] \[[0-9]+\]$'
expect_match out '^ +2\.00 +0\.00 +3/3 +ns::g\(int\) \[[0-9]+\]$'
expect_match out '^ +5\.00 +0\.00 +malloc \[[0-9]+\]$'
# Without the counts of calls; raw names; names are looked up as given, whatever is shown.
expect_status 0 "$GPROFX" --no-findings --no-demangle -b -p program stacks
row 3 _ZN2ns1gEi
row 2 _Z1hIiET_S0_
expect_empty err
# What is selected: functions of the program and others alike.
expect_status 0 "$GPROFX" -b -pmalloc program gmon.out stacks
expect_match out '^100\.00 +7\.00 +7\.00 +malloc$'
expect_status 0 "$GPROFX" -b -Pmalloc program gmon.out stacks
expect_not_in out malloc
expect_match out ' 4\.00 +7 +[0-9.]+m? +[0-9.]+m? +work$'
# Other formats say that they are not the program's.
expect_status 0 "$GPROFX" --no-findings --output=json program gmon.out stacks
python3 - <<-'END' || fail 'the document is not right'
	import json
	report = json.load(open('out'))
	found = {f['name']: f.get('object') for f in report['functions']}
	assert found['malloc'] == found['[unknown]'] == found['twice'] == '[names]', found
	assert not found['work'] and not found['ns::g(int)'], found
	assert report['sources'] == [{'file': 'stacks', 'metric': 0}, {'file': 'gmon.out', 'metric': None}], report['sources']
END

# Stacks of somebody else: a quarter of the weight is known by name. With half of it nothing is said.
printf 'x;y 3\nmain;work 1\n' >other
expect_status 0 "$GPROFX" -b -p program other
expect_match err '^gprofx: warning\[profile\.other-program\]: program: .* in 75 % of their weight$'
expect_match out '^ 75\.00 +3\.00 +3\.00 +y$'
printf 'x;y 1\nx;main;y 1\n' >half
expect_status 0 "$GPROFX" --no-findings -b -p program half
expect_empty err

# What has no place for them.
expect_status 1 "$GPROFX" -s program gmon.out stacks
expect_match err 'error\[sum\.has-stacks\]'
# What has no stacks beside them counts as 0, with a warning.
expect_status 0 "$GPROFX" --per-file program gmon.out stacks
expect_match err 'warning\[report\.unmeasured-files\]: expected files that all have call stacks that measure samples, found 1 of 2'
expect_not_in out 'counts as 1 samples'

# Fragments that compilers take out of a function have its name without arguments; they can count for it.
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'work', 'work.cold', '_Z1fv', '_Z1fv.part.0'])
	open('parts', 'wb').write(program.bytes())
END
printf 'main;work.cold 1\nmain;work 2\nmain;f 4\nmain;f() [clone .part.0] 8\n' >cold
expect_status 0 "$GPROFX" -b -p parts cold
expect_match out '^ 53\.33 +8\.00 +8\.00 +f\(\) \[clone \.part\.0\]$'
expect_match out '^ 26\.67 +12\.00 +4\.00 +f\(\)$'
expect_match out '^  6\.67 +15\.00 +1\.00 +work\.cold$'
expect_status 0 "$GPROFX" --clones=fold -b -p parts cold
expect_match out '^ 80\.00 +12\.00 +12\.00 +f\(\)$'
expect_match out '^ 20\.00 +15\.00 +3\.00 +work$'

# A map of files renames rows and leaves functions out, which count for those before them; frames have the program's names.
# What is not in the program is in no file, even if the map has its name.
python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'work', 'idle', 'tail'])
	open('mapped', 'wb').write(program.bytes())
	open('calls', 'wb').write(program.profile({}, [('main', 'work', 7), ('work', 'idle', 3)]).bytes())
END
printf '%s\n' 'a.o:0000 T main' 'b.o:0000 t work' 'b.o:0010 T idle' 'c.o:0 T first' 'c.o:4 T gone' >map
printf 'main 1\nmain;work 4\nmain;work;idle 8\nmain;tail 2\nmain;work;first 3\nmain;gone 2\n' >frames
expect_status 0 "$GPROFX" --no-findings -b -p -R map mapped calls frames
expect_empty err
row 1 a.o
row 12 b.o 7
row 2 tail
row 3 first
row 2 gone
expect_not_in out c.o.
expect_status 0 "$GPROFX" --no-findings --output=csv:rows.csv -R map mapped calls frames
! grep -E 'b\.o.*\[names\]|idle' rows.csv || fail 'functions of the program are nobody'\''s'
# So do static functions that -a leaves out.
python3 - <<-'END' || fail 'cannot write the program'
	from elfimage import Image
	image = Image('x86_64')
	image.section('.text', 0x401000, b'\x90' * 0x200)
	image.symbol('main', 0x401000, 0x100)
	image.symbol('hidden', 0x401100, 0x100, bind=0)
	open('static', 'wb').write(image.bytes())
END
printf 'main;hidden 15\nmain 5\n' >frames
expect_status 0 "$GPROFX" --no-findings -b -p static frames
row 15 hidden
expect_status 0 "$GPROFX" --no-findings -b -p -a static frames
row 20 main
expect_empty err

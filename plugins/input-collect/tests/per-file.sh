#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --per-file shows the processes of a recording, each as a file, with the functions of shared libraries, and other files
# with call stacks. What has none beside them counts as 0, with a warning.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	os.mkdir('gprofx.data')
	library = Program(['helper', 'other'], base=0x1000)
	save('library.so', library.bytes())
	low, high = 0x7f0000000000 + library.base, 0x7f0000000000 + library.end
	for pid, ticks, calls in (7, 30, 5), (8, 10, 0), (9, 20, 300):
	    file = new(pid=pid)
	    file.objects([(low, high, 0x7f0000000000, 0, b'', file.text(os.path.abspath('library.so')))])
	    if calls:
	        file.arcs([(at('main+5'), at('work'), calls), (at('work+4'), at('work'), 1000)])
	        file.arcs([(1, at('main'), 1), (at('work+5'), low, 2 * calls)], thread=2)
	    file.stacks([(at('main+5'), 0, 0, 2, 2), (at('work+3'), 1, 0, ticks, ticks), (low, 2, 0, 100 - ticks, 100 - ticks)])
	    save('gprofx.data/program.%d.0.gxc' % pid, file)
	    save('counted.%d' % pid, new(pid=pid, rate=0).arcs([(at('main+5'), at('work'), calls + 1)]))
	save('gmon', program.profile({'main': 1}, [('main', 'work', 5)]))
	save('one', b'main;work 3\nmain;[kernel] 4\n')
	save('two', b'main 8\nmain;work 1\n')
END

# table OPTION...: the per-file statistics of CSV, some columns of the rows without the first line.
table() {
	expect_status 0 "$GPROFX" --no-findings --per-file --output=csv --output-option=csv.table=per-file "$@"
	python3 - <<-'END'
		import csv
		for row in csv.DictReader(open('out')):
		    print(*(row[i].split('/')[-1] for i in ('name', 'total_ticks', 'min_file', 'max_file', 'files', 'total_calls', 'calls_files', 'max_calls_file')))
	END
}
cat >expected <<-'END'
	helper (library.so) 240 program.7.0.gxc program.8.0.gxc 3 610 2 program.9.0.gxc
	main 6 program.7.0.gxc program.7.0.gxc 3 2 2 program.7.0.gxc
	work 60 program.8.0.gxc program.7.0.gxc 3 305 2 program.9.0.gxc
END
table program | sort >got
expect_same expected got
expect_undiagnosed
table program gprofx.data/*.gxc | sort >got
expect_same expected got
for threads in 1 4; do
	table --threads=$threads program gprofx.data | sort >got
	expect_same expected got
done
# Values of single files, and what these weigh.
expect_status 0 "$GPROFX" --no-findings --per-file --output-option=per-file.what=files program
expect_match out '^ 33\.33 +1\.020 +102  gprofx\.data/program\.7\.0\.gxc$'
expect_match out '^ 33\.33 +1\.020 +102  gprofx\.data/program\.9\.0\.gxc$'
# Two files have a column each.
expect_status 0 "$GPROFX" --no-findings -b --per-file program gprofx.data/*[79].0.gxc
expect_match out '^ +0\.700 +0\.800 +\+0\.100 none shown  helper \(library\.so\)$'

# Without samples, calls are what differs.
[ "$(table program counted.7 counted.8 counted.9)" = 'work 0 counted.7 counted.7 0 308 3 counted.9' ] || fail 'calls alone'
expect_undiagnosed
# Other files beside recordings without samples are not looked at, and that is said.
table program counted.7 gmon gmon
expect_in err 'warning[report.unmeasured-files]: expected files that are all recordings, found 2 of 3 that are none'

# Stacks with names, of functions of the program and others.
cat >expected <<-'END'
	[kernel] 4 two one 1 0 0 one
	main 8 one two 1 0 0 one
	work 4 two one 2 0 0 one
END
table program one two | sort >got
expect_same expected got
expect_undiagnosed

# What has no stacks, or those of another unit, counts as 0.
cat >expected <<-'END'
	[kernel] 4 gmon one 1 0 0 gmon
	main 8 gmon two 1 0 0 gmon
	work 4 gmon one 2 0 0 gmon
END
table program gmon one gmon two gprofx.data/program.7.0.gxc | sort >got
expect_same expected got
expect_match err 'warning\[report\.unmeasured-files\]: expected .* that measure samples, found 3 of 5 that have none: '

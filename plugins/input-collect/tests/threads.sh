#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tables by thread and process of files of the collector: names and numbers, tables of several threads, and what is of
# none; files of the first version, whose threads lack a member; the same numbers in JSON and CSV.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	def threads(order='<', pid=7, **more):
	    file = new(order, pid=pid, **more)
	    for thread, calls, ticks in (1, 5, 20), (3, 70, 300), (2, 1, 80), (0, 2, 10), (9, 3, 0):
	        file.arcs([(at('main+5'), at('work'), calls)], thread=thread)
	        own, rest = ticks // 10, ticks - ticks // 10
	        file.stacks([(at('main+8'), 0, 0, own, own), (at('work+3'), 1, 0, rest, rest)], thread=thread)
	    return file
	rows = [(1, 70, 250 * 10**6, 'main', 1), (3, 72, 0, 'worker', 12), (2, 71, 0, '', 4), (0, 99, 0, 'unused', 1),
	        (4, 73, 10**9, 'id\x01le', 1), (4, 74, 0, 'twice', 1)]
	save('one', threads().threads(rows))
	save('big', threads('>').threads(rows))
	save('other', new(pid=8).threads([(1, 80, 0, 'main', 1)]).stacks([(at('main+8'), 0, 0, 40, 40)]))
	save('few', new(pid=9).threads([(1, 90, 0, 'main', 1)]).stacks([(at('main+8'), 0, 0, 34, 34)]))
	gxcfile.LAYOUT[THREADS] = 'IIQQQ16s'
	save('former', threads().chunk(THREADS, [(number, tid, 0, 0, cpu, name.encode()) for number, tid, cpu, name, _ in rows]))
	save('none', threads())
	gxcfile.LAYOUT[THREADS] = 'IIQQQ16sII'
	phased = new(pid=7).threads([(1, 70, 10**9, 'main', 1), (2, 71, 0, 'worker', 1)]).phases('load', 'solve')
	for phase, thread, ticks in (0, 1, 1), (1, 1, 20), (2, 1, 3), (2, 2, 40), (1, 1, 5), (9, 2, 0):
	    phased.arcs([(at('main+5'), at('work'), ticks)], thread=thread, phase=phase)
	    phased.stacks([(at('work+3'), 0, 0, ticks, 0)], thread=thread, phase=phase)
	save('phased', phased)
END
cat >expected <<'END'
Threads:

% time   seconds  cpu time      calls  thread              heaviest function
 73.17     3.000                   70  worker, 12 threads  work
 19.51     0.800                    1  4 threads           work
  4.88     0.200     0.250          5  main 70             work
  2.44     0.100                    5  not known           work
  0.00     0.000     1.000          0  id\x01le 73
  0.00     0.000                    0  twice 74

Time per thread, of 6 threads. Each sample counts as 0.01 seconds.

    total worker, 12 threa 4 threads   main 70 not known id\x01le 73  twice 74
  seconds          seconds   seconds   seconds   seconds     seconds   seconds  name
    3.690            2.700     0.720     0.180     0.090       0.000     0.000  work
    0.410            0.300     0.080     0.020     0.010       0.000     0.000  main
END
for file in one big; do
	expect_status 0 "$GPROFX" --no-findings -b --per-thread program $file
	sed 's/ *$//' out >got
	expect_same expected got
done
# Which of them is the slowest: more than chance explains, but not if there are few samples, or weights are not known.
columns=--set=per-thread.columns=worst,best,verdict,name
expect_status 0 "$GPROFX" --no-findings -b --per-thread $columns program one
expect_match out '^worker, 12 threads +id.x01le 73 +slower  work$'
expect_status 0 "$GPROFX" --no-findings -b --per-process $columns program few other
expect_match out '^- +- +none shown  main$'
expect_status 0 "$GPROFX" --no-findings -b --per-thread $columns program phased
expect_match out '^\(worker 71\)  \(main 70\) not tested  work$'
# The page has them instead, with what chance explains of each.
if "$GPROFX" --list-plugins | grep -q '^output-html '; then
	expect_status 0 "$GPROFX" --no-findings --per-thread --output=html:page program one
	expect_empty out
	python3 - <<-'END' || fail 'the page has other bounds'
		import os, sys
		sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
		import htmlpage
		bounds = htmlpage.read('page')[1]['slices']['bounds']
		# Of six threads, at most three are set apart: those with 30 and 8 samples of main, with 270, 72 and 18 of work.
		assert (bounds['thread']['low'], bounds['thread']['high']) == ([0, 0], [2, 9]), bounds
		# There is one process.
		assert bounds['process']['high'] == [None, None], bounds
	END
fi
# Without the number of threads each is one; without threads, all is of none.
expect_status 0 "$GPROFX" --no-findings -b --per-thread program former
expect_match out '^ 73\.17 +3\.000 +70  worker 72  '
expect_match out '^ 19\.51 +0\.800 +1  thread 71  '
expect_status 0 "$GPROFX" --no-findings -b --per-thread program none
expect_match out '^100\.00 +4\.100 +81  not known  work$'
# Several processes: threads have theirs behind their names, and what is of no thread is of a process.
expect_status 0 "$GPROFX" --no-findings -b --per-thread --per-process program one other
expect_match out '^ +88\.17 +[0-9.]+ +81  program 7  work$|^ 91\.11 +4\.100 +81  program 7  work$'
expect_match out '^  8\.89 +0\.400 +0  main 80 of program 8 +main$'
expect_match out 'not known of program 7'
# With as much text as one likes, the rows explain themselves.
expect_status 0 "$GPROFX" --no-findings --per-thread program one
expect_in out 'N threads ran one after the other and are not distinguished'
expect_status 0 "$GPROFX" --no-findings --per-thread program other
expect_not_in out 'N threads'

expect_status 0 "$GPROFX" --no-findings --per-thread --per-process --output=json program one other
mv out all.json
expect_status 0 "$GPROFX" --no-findings --output=json program one other
expect_not_in out '"per_thread"'
python3 - <<'END' || fail 'JSON has other figures'
import json
report = json.load(open('all.json'))
found = {row['label']: (row['ticks'], row['calls'], row['threads'], row['cpu_seconds']) for row in report['threads']}
assert found['worker, 12 threads of program 7'] == (300, 70, 12, None), found
assert found['main 70 of program 7'] == (20, 5, 1, 0.25), found
assert found['not known of program 7'] == (10, 5, 0, None), found
assert 'id\x01le 73 of program 7' in found, found
assert [(row['ticks'], row['calls']) for row in report['processes']] == [(410, 81), (40, 0)], report['processes']
for kind in 'thread', 'process':
    for row in report['per_' + kind]:
        function = report['functions'][row['function']]
        values = row['values']
        assert sum(v['self_ticks'] for v in values) == row['self']['total_ticks'] == function['self_ticks'], row
        assert sum(v['calls'] for v in values) == row['calls']['total'] == (function['calls'] or 0), row
        assert max(v['self_ticks'] for v in values) == row['self']['max_ticks'], row
END
for python in python3 /usr/bin/python3; do
	"$python" -c 'import jsonschema' 2>/dev/null || continue
	"$python" "$GPROFX_SOURCE/plugins/output-json/tests/check_report.py" \
		"$GPROFX_SOURCE/plugins/output-json/gprofx-report.schema.json" all.json || fail 'not a valid report'
	break
done

# CSV has them without another option.
expect_status 0 "$GPROFX" --no-findings --output=csv --set=csv.table=threads program one
tr -d '\r' <out | sed -n 1,3p >got
printf '%s\n' 'label,seconds,calls,heaviest,cpu_seconds,ticks' '"main 70",0.2,5,"work",0.25,20' \
	'"worker, 12 threads",3,70,"work",,300' >expected
expect_same expected got
expect_status 0 "$GPROFX" --no-findings --output=csv --set=csv.table=per-thread program one
expect_match out '^"work",3\.69,.*,"worker, 12 threads",81,'
expect_status 0 "$GPROFX" --no-findings --output=csv --set=csv.table=processes program one other
expect_match out '^"program 7",4\.1,81,"work",,410.?$'
expect_status 1 "$GPROFX" --no-findings --output=csv --set=csv.table=phases program one
expect_in err 'error[report.lacks-threads]: '

# Phases and threads at the same time, each by itself; one phase alone.
expect_status 0 "$GPROFX" --no-findings -b --per-phase --per-thread program phased
expect_match out '^ 62\.32 +0\.430 +43  solve +work$'
expect_match out '^ 36\.23 +0\.250 +25  load +work$'
expect_match out '^  1\.45 +0\.010 +1  no-phase +work$'
expect_match out '^ 57\.97 +0\.400 +40  worker 71  work$'
expect_match out '^ 42\.03 +0\.290 +1\.000 +29  main 70 +work$'
expect_status 0 "$GPROFX" --no-findings -b --per-thread --phase=solve program phased
expect_in out 'Only what happened in phase solve.'
expect_match out '^ 93\.02 +0\.400 +40  worker 71  work$'
expect_match out '^  6\.98 +0\.030 +3  main 70 +work$'
expect_not_in out 'cpu time'

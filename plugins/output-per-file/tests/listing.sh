#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The listing of times per file, its options, its labels, and when it is printed.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	import os
	from gmonfile import prof_profile
	from profiled import Program
	program = Program(['main', 'work', 'idle'])
	open('program', 'wb').write(program.bytes())
	os.mkdir('ranks')
	for i, (main, work) in enumerate(((100, 200), (100, 600), (104, 0), (100, 0))):
	    open(f'ranks/gmon.out.{i}', 'wb').write(
	        program.profile({'main': main, 'work': work}, [('main', 'work', 7)]).bytes())
	open('fast', 'wb').write(program.profile({'main': 2000}, rate=1000).bytes())
	open('arcs', 'wb').write(program.profile(None, [('main', 'work', 7)]).bytes())
	for i, calls in enumerate((4, 8)):
	    # Calls whose callers are not known count, too.
	    open(f'prof{i}', 'wb').write(prof_profile(program.base, program.end,
	        [(program.at('work'), calls)], program.bins({'work': 2 + i})))
	open('cut', 'wb').write(program.profile({'idle': 900}).bytes()[:-3])
	open('odd\x1b[2J\n', 'wb').write(program.profile({'main': 5}).bytes())
END
quiet="$GPROFX --no-findings -b"

# expect_row FILE NAME ROW...: the row of NAME is this, whatever the blanks.
expect_row() {
	printf '%s\n' "${*:3}" >expected
	awk -v name="$2" '$NF == name { $1 = $1; print }' "$1" >row
	cmp -s row expected || fail "the row of $2 is \"$(cat row)\", not \"$(cat expected)\""
}

# The sum of squares of 2, 6, 0, 0 about 2 is 24; that of 1, 1, 1.04, 1 about 1.01 is 0.0012.
expect_status 0 $quiet --per-file program ranks
expect_match out '^Time per file, of 4 files\. Each sample counts as 0\.01 seconds\.$'
expect_not_in out 'Flat profile'
expect_row out work 4.000 2.000 0.000 6.000 2.449 3.00 8.000 ranks/gmon.out.1 work
# 4 samples more are chance.
expect_row out main 0.030 1.010 1.000 1.040 0.017 1.03 4.040 - main
awk '$NF == "work" { work = NR } $NF == "main" { main = NR } END { exit !(work < main) }' out ||
	fail 'not sorted by excess'
expect_not_in out idle
cp out listing
expect_status 0 $quiet --output=per-file program ranks
expect_same out listing
expect_status 0 $quiet --output=per-file:file program ranks
expect_same file listing
expect_status 0 "$GPROFX" --no-findings --per-file program ranks
expect_match out '^ excess    how far'
expect_in out ' slowest   the file with the longest time; -: chance explains that it is'
expect_in out 'most 4 in 100 are expected to be wrong'

# One file; one of another rate; one without a histogram; one that is left out.
expect_status 0 $quiet --per-file program ranks/gmon.out.1
expect_match out 'of 1 file\. '
expect_row out work 0.000 6.000 6.000 6.000 0.000 1.00 6.000 ranks/gmon.out.1 work
expect_status 0 $quiet --per-file program ranks/gmon.out.0 fast
# Of files with different rates the error is not known.
expect_row out main 1.000 2.000 +1.000 not tested main
expect_in out 'first:  ranks/gmon.out.0
second: fast'
expect_match out '^ +first +second +difference *$'
expect_match out '^ +seconds +seconds +seconds +verdict  name$'
expect_status 0 $quiet --per-file program ranks/gmon.out.1 ranks/gmon.out.0
expect_row out main 1.000 1.000 0.000 none shown main
expect_row out work 6.000 2.000 -4.000 faster work
expect_status 0 $quiet --per-file program ranks/gmon.out.0 ranks/gmon.out.1
expect_row out work 2.000 6.000 +4.000 slower work
expect_status 0 "$GPROFX" --no-findings --per-file program ranks/gmon.out.0 fast
expect_match out '^ difference second minus first$'
expect_match out '^ verdict    none shown: chance explains the difference'
many='--output-option=per-file.columns=excess,mean,min,max,sd,imbalance,total,worst,name'
expect_status 0 $quiet --per-file $many program ranks/gmon.out.0 fast
expect_row out main 0.500 1.500 1.000 2.000 0.500 1.33 3.000 '(fast)' main
expect_not_in out 'first'
# Other than two files have no first and second one.
expect_status 0 $quiet --per-file --output-option=per-file.columns=difference,auto program ranks
expect_row out work - 4.000 2.000 0.000 6.000 2.449 3.00 8.000 ranks/gmon.out.1 work
expect_status 0 $quiet --per-file program arcs ranks/gmon.out.0
expect_row out main 0.000 1.000 +1.000 slower main
expect_status 1 $quiet --keep-going --per-file program ranks/gmon.out.1 cut ranks/gmon.out.0
expect_match out 'of 2 files\. '
expect_row out work 6.000 2.000 -4.000 faster work
expect_not_in out idle
expect_status 1 $quiet --per-file program arcs
expect_match err 'error\[report\.no-histogram\]: expected a histogram for times per file, found none'

if "$GPROFX" --list-plugins | grep -q '^input-prof '; then
	expect_status 0 $quiet -O prof --per-file --output=csv --output-option=csv.table=per-file program \
		prof0 prof1
	expect_match out '^"work",[0-9.]*,[0-9.]*,[0-9.]*,[0-9.]*,[0-9.]*,1\.2,2,"prof0","prof1",12,6,4,8,2,1\.3[0-9]*,2,"prof0","prof1",5,'
fi
# A rate that is stated holds for every file.
expect_status 0 $quiet --hz=10 --per-file program ranks/gmon.out.0 fast
expect_row out main 10.000 200.000 +190.000 slower main

# With other listings: behind them, and not where another output has the figures.
expect_status 0 $quiet -p --per-file program ranks
awk '/^Flat profile/ { flat = NR } /^Time per file/ { spread = NR } END { exit !(flat && flat < spread) }' \
	out || fail 'not behind the flat profile'
expect_status 0 $quiet --per-file --output=flat:flat program ranks
expect_same out listing
if "$GPROFX" --list-plugins | grep -q '^output-json '; then
	expect_status 0 $quiet --per-file --output=json:json program ranks
	expect_empty out
	expect_match json '"per_file":\['
	grep -o '"m[inax_]*_verdict":"[a-z]*"' json | paste -sd' ' >verdicts
	echo '"min_verdict":"none" "max_verdict":"none" "min_verdict":"less" "max_verdict":"more"' >expected
	expect_same verdicts expected
	expect_status 0 $quiet --output=json program ranks
	expect_not_in out per_file
fi
expect_status 0 $quiet --per-file --output=csv:csv --output-option=csv.table=per-file program ranks
expect_empty out
expect_status 0 $quiet --per-file --output=csv:flat program ranks
expect_same out listing
expect_status 0 $quiet --per-file --output=csv:csv --output-option=csv.table=per-file program ranks
expect_match csv '^"work",8,2,0,6,2\.449489742783178[0-9]*,3,2,"ranks/gmon\.out\.2","ranks/gmon\.out\.1",28,7,7,7,0,1,4,'
expect_match csv '^name,.*,raw_name,min_verdict,max_verdict,p.?$'
expect_match csv '^"work",.*,800,"work","less","more",[0-9.e-]*.?$'
expect_match csv '^"main",.*,"main","none","none",1.?$'
expect_status 0 $quiet --per-file --output=csv:csv --output-option=csv.table=per-file program ranks/gmon.out.0 fast
expect_match csv '^"main",.*,"main","untested","untested",.?$'
printf 'report:\n  per-file: true\n' >settings
expect_status 0 $quiet --config=settings program ranks
expect_match out '^Flat profile'
expect_match out '^Time per file'
expect_status 0 $quiet --config=settings --sum=sum program ranks
expect_empty out

# Filters, columns, order, parts.
expect_status 0 $quiet -Pwork --per-file program ranks
expect_not_in out ' work$'
expect_match out ' main$'
options='--output-option=per-file.columns=name,files,best,max --output-option=per-file.sort=mean'
expect_status 0 $quiet --per-file $options program ranks
# Of work, the one file with most is set apart first; those that are left are 2, 0 and 0.
expect_match out '^work  *2  ranks/gmon\.out\.2  *6\.000$'
expect_match out '^main  *4  -  *1\.040$'
options='--output-option=per-file.columns=verdict,name'
expect_status 0 $quiet --per-file $options program ranks
expect_row out work slower work
expect_row out main none shown main
expect_status 0 $quiet --per-file --output-option=per-file.top=1 program ranks
expect_match out '^\.\.\. 1 more function with 33\.55% of the time$'
expect_status 0 $quiet --per-file --output-option=per-file.minimum=50 program ranks
expect_not_in out ' main$'
expect_status 0 $quiet --per-file --output-option=per-file.sort=imbalance program ranks
expect_status 0 $quiet --per-file --output-option=per-file.what=files program ranks fast
expect_match out '^ 49\.86     7\.000        700  ranks/gmon\.out\.1$'
expect_match out '^ 14\.25     2\.000       2000  fast$'
expect_not_in out '^Time per file'
expect_status 0 $quiet --per-file --output-option=per-file.what=all program ranks
expect_match out '^Time per file'
expect_match out '^Files:$'
# The text below both tables is as wide as asked for.
expect_status 0 "$GPROFX" --no-findings --per-file --output-option=per-file.what=all --output-option=text-width=40 program ranks
sed -n '/^How to read/,/^ %\|^ exc/p' out | awk 'length > 40 { print; exit 1 }' || fail 'wider than 40 columns'
[ "$(grep -c '^How to read' out)" = 2 ] || fail 'not two texts'
# Names are harmless.
expect_status 0 $quiet --per-file program $'odd\x1b[2J\n'
expect_match out '  odd\\x1b\[2J\\x0a  main$'
expect_status 0 $quiet --gnu --per-file program ranks/*
expect_row out work 4.000 2.000 0.000 6.000 2.449 3.00 8.000 ranks/gmon.out.1 work 2>/dev/null ||
	fail 'not in GNU mode'

# Labels.
"$GPROFX" --list-plugins | grep -q '^labels-pcre2 ' || skip 'no labels without labels-pcre2'
# labelled PATTERN [TEXT]: leaves the labels, one on each line, in the file labels.
labelled() {
	printf "profiles:\n  label: '%s'\n  label-text: '%s'\n" "$1" "${2-}" >settings
	expect_status 0 $quiet --config=settings --per-file --output-option=per-file.what=files program \
		ranks fast
	sed -n 's/^ *[0-9.]*  *[0-9.]*  *[0-9]*  \(.*[^ ]\)   *[^ ]*$/\1/p' out >labels
}
labelled 'gmon.out.(?<pid>\d+)'
[ "$(tr '\n' ,  <labels)" = 'pid=0,pid=1,pid=2,pid=3,fast,' ] || fail 'labels by groups'
labelled '(?<folder>r\w+)/(gmon|(?<none>x)).out.(?<pid>[0-2])'
[ "$(head -n 2 labels)" = 'folder=ranks pid=0
folder=ranks pid=1' ] || fail 'two groups'
[ "$(sed -n 4p labels)" = 'ranks/gmon.out.3' ] || fail 'a name that does not match'
labelled '(?<pid>\d+)' 'rank {pid} {{of {pid}}'
[ "$(head -n 1 labels)" = 'rank 0 {of 0}' ] || fail 'a text'
labelled '(?<pid>\d*)$' '{pid}'
[ "$(tail -n 1 labels)" = 'fast' ] || fail 'an empty label'
printf "profiles:\n  label: 'gmon.out.(?<pid>\\d+)'\n" >settings
expect_status 0 $quiet --config=settings --per-file program ranks
expect_row out work 4.000 2.000 0.000 6.000 2.449 3.00 8.000 pid=1 work

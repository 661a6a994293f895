#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# output.same-file: a report that would replace the program, a profile or another report.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
cp program kept.program
cp gmon.out kept.gmon
ln -s program link
ln gmon.out twin
for file in program ./program link "$PWD/program"; do
	expect_status 1 "$GPROFX" -b --output=flat:"$file" program gmon.out
	expect_in err "gprofx: error[output.same-file]: $file: expected a file that the run does not use yet, but it is also the program"
	expect_in err '  hint: '
done
for file in gmon.out twin; do
	expect_status 1 "$GPROFX" -b --output=flat:"$file" program gmon.out
	expect_in err 'but it is also a profile'
done
for file in new ./new "$PWD/new" "$PWD/../${PWD##*/}/new"; do
	expect_status 1 "$GPROFX" -b --output=flat:new --output=flat:"$file" program gmon.out
	expect_in err "error[output.same-file]: $file: expected a file that the run does not use yet, but it is also another output"
	[ ! -e new ] || fail 'half of the outputs were written'
done
# Profiles that are read through their folder, and one of them that is damaged.
mkdir runs
for i in 0 1; do
	cp gmon.out runs/gmon.out.$i
done
head -c 30 gmon.out >runs/gmon.out.2
cp -r runs kept.runs
ln -s runs/gmon.out.1 way
ln -s "$PWD/runs" ways
echo 'runs' >names
for file in runs/gmon.out.0 ./runs/gmon.out.1 way ways/gmon.out.0 runs/gmon.out.2; do
	for profiles in runs runs/ ways @names; do
		expect_status 1 "$GPROFX" -b --keep-going --output=flat:"$file" program "$profiles"
		expect_in err "error[output.same-file]: $file: expected a file that the run does not use yet, but it is also a profile"
		diff -r kept.runs runs >&2 || fail "$file was replaced"
	done
done
expect_status 1 "$GPROFX" -b --keep-going --output=flat:runs/gmon.out.3 program runs
expect_not_in err 'output.same-file'
[ -s runs/gmon.out.3 ] || fail 'no output'
# A sum may replace a profile, but not the program.
for file in program link; do
	expect_status 1 "$GPROFX" --sum="$file" program gmon.out
	expect_in err "gprofx: error[output.same-file]: $file: expected a file that the run does not use yet, but it is also the program"
done
nm program >list
cp list kept.list
expect_status 1 "$GPROFX" --sum=list -S list program gmon.out
expect_in err 'but it is also the list of symbols'
expect_same kept.list list
rm -f new
expect_status 1 "$GPROFX" -b --sum=new --output=flat:new program gmon.out
expect_in err 'error[output.same-file]: new: expected a file that the run does not use yet, but it is also another output'
[ ! -e new ] || fail 'half of the outputs were written'
expect_same kept.program program
expect_same kept.gmon gmon.out

# What is no regular file can take several.
expect_status 0 "$GPROFX" -b --output=flat:/dev/null --output=flat:/dev/null program gmon.out

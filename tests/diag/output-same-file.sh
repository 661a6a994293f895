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
	expect_in err "gprofx: error[output.same-file]: $file: cannot write to this file: it is also the program"
	expect_in err '  hint: '
done
for file in gmon.out twin; do
	expect_status 1 "$GPROFX" -b --output=flat:"$file" program gmon.out
	expect_in err 'it is also a profile'
done
for file in new ./new "$PWD/new" "$PWD/../${PWD##*/}/new"; do
	expect_status 1 "$GPROFX" -b --output=flat:new --output=flat:"$file" program gmon.out
	expect_in err "error[output.same-file]: $file: cannot write to this file: it is also another output"
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
		expect_in err "error[output.same-file]: $file: cannot write to this file: it is also a profile"
		diff -r kept.runs runs >&2 || fail "$file was replaced"
	done
done
expect_status 1 "$GPROFX" -b --keep-going --output=flat:runs/gmon.out.3 program runs
expect_not_in err 'output.same-file'
[ -s runs/gmon.out.3 ] || fail 'no output'
# A sum may replace a profile, but not the program.
for file in program link; do
	expect_status 1 "$GPROFX" --sum="$file" program gmon.out
	expect_in err "gprofx: error[output.same-file]: $file: cannot write to this file: it is also the program"
done
nm program >list
cp list kept.list
expect_status 1 "$GPROFX" --sum=list -S list program gmon.out
expect_in err 'it is also the list of symbols'
expect_same kept.list list
rm -f new
expect_status 1 "$GPROFX" -b --sum=new --output=flat:new program gmon.out
expect_in err 'error[output.same-file]: new: cannot write to this file: it is also another output'
[ ! -e new ] || fail 'half of the outputs were written'
expect_same kept.program program
expect_same kept.gmon gmon.out

# What is no regular file can take several.
expect_status 0 "$GPROFX" -b --output=flat:/dev/null --output=flat:/dev/null program gmon.out

# Whatever else a run reads: sources, by any name, settings, words of the command line.
python3 - <<'END' || fail 'no program was made'
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 2)], 'work': [(0, 5)]}, 'small.c', '.')
open('lined', 'wb').write(program.bytes())
open('lined.gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
END
seq 9 >small.c
mkdir elsewhere
ln -s ../small.c elsewhere/soft.c
ln small.c elsewhere/hard.c
printf 'explain: false\n' >settings.yaml
printf -- '-b @nested' >words
printf ' ' >nested
cp small.c kept.c
cp settings.yaml kept.yaml
for file in small.c elsewhere/soft.c elsewhere/hard.c; do
	for words in "-A --output=json:$file" "--output=annotate:$file" "--output=json:$file" "--gnu -A --output=flat:$file" \
		"--gnu --output=annotate:$file" "--output=flat:$file" "--gnu -q --output=callgraph:$file" \
		"--sum=$file" "-l --sum=$file"; do
		# shellcheck disable=SC2086 # Several words.
		expect_status 1 "$GPROFX" -b $words lined lined.gmon
		expect_in err "error[output.same-file]: $file: cannot write to this file: it is also "
		expect_same kept.c small.c
	done
done
expect_status 1 "$GPROFX" --config=settings.yaml -b --output=flat:settings.yaml lined lined.gmon
expect_in err 'it is also a file of settings'
expect_same kept.yaml settings.yaml
for file in words nested; do
	expect_status 1 "$GPROFX" @words --output=flat:$file lined lined.gmon
	expect_in err 'it is also a file of words of the command line'
	expect_status 1 "$GPROFX" --gnu @words --output=flat:$file lined lined.gmon
	expect_in err 'it is also a file of words of the command line'
	expect_status 1 "$GPROFX" @words --sum=$file lined lined.gmon
	expect_in err 'it is also a file of words of the command line'
done
[ "$(cat words)" = '-b @nested' ] || fail 'words were replaced'
ln -s small.c gmon.sum
expect_status 1 "$GPROFX" --gnu -s lined lined.gmon
expect_in err 'gmon.sum: cannot write to this file: it is also a source file of the program'
expect_same kept.c small.c
rm gmon.sum
cp lined gmon.sum
expect_status 1 "$GPROFX" --gnu -s gmon.sum lined.gmon
expect_in err 'error[output.same-file]: gmon.sum: '
expect_same lined gmon.sum
[ -z "$(find . -name '.gprofx-*')" ] || fail 'files were left behind'
# Beside an older output all is well.
for i in 1 2; do
	expect_status 0 "$GPROFX" -b -A --output=json:report.json lined lined.gmon
done

# Files that a profile names are read, too, in a comparison as well.
recorded=$GPROFX_SOURCE/plugins/input-perf/tests/recorded
"$GPROFX" --list-plugins >plugins
if grep -q input-perf plugins; then
	mkdir -p root/tmp/demo
	cp "$recorded/program" root/tmp/demo/demo
	for command in "$recorded/plain.data" "diff $recorded/plain.data $recorded/plain.data"; do
		# shellcheck disable=SC2086 # as typed
		expect_status 1 "$GPROFX" $command --no-findings --sysroot=root --output=json:root/tmp/demo/demo
		expect_in err 'it is also a file that the profiles name'
	done
	expect_same "$recorded/program" root/tmp/demo/demo
fi

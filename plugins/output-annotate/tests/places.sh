#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where sources are looked for, in which order, and what is said where there is none.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

mkdir -p built/sub moved/sub folder/built/sub other
small "$scratch/built"
numbered 9 original >built/sub/prog.c
numbered 9 mapped >moved/sub/prog.c
numbered 9 base >folder/prog.c
numbered 9 second >other/prog.c

expect_source original
expect_source original -I folder
# A map goes before the place itself, and means whole names of folders; the first that fits counts.
expect_source mapped --source-map="$scratch/built=moved"
expect_source mapped --source-map="$scratch/built/=moved/"
expect_source original --source-map="$scratch/bui=moved"
expect_source mapped --source-map=/nowhere=other --source-map="$scratch/built=$scratch/moved" \
	--source-map="$scratch=other"
expect_source original --source-map="$scratch/built=nowhere"
mv built gone
# Absolute names: their last components in each folder.
expect_source base -I folder
expect_source base -I nowhere:folder -I other
expect_source second -I other -I folder
GPROF_PATH=other expect_source second
GPROF_PATH=other expect_source base -I folder
expect_source base --output-option=annotate.source-folders=folder
# Relative names: first as they are in each folder.
small built
expect_source base -I folder
expect_source base --gnu -I nowhere -I other/../folder/. --source-map=built=nowhere
numbered 9 whole >folder/built/sub/prog.c
expect_source whole -I other:folder
expect_source whole --gnu -I other:folder

# In settings.
printf 'options:\n  output-annotate:\n    source-map: |\n      nowhere=other\n      built=moved\n' >settings
small "$scratch/built"
sed -i "s,built=,$scratch/built=," settings
expect_source mapped --config=settings

# What was tried is named, with what is there instead.
mkdir -p folder2/prog.c
mkfifo pipe
ln -s loop folder/loop
rm folder/prog.c
ln -s ../pipe folder/prog.c
expect_status 1 timeout 20 "$GPROFX" -b -A -I nowhere:folder -I folder2 --source-map="$scratch/built=map" \
	program gmon
expect_in err "warning[source.cannot-open]: $scratch/built/sub/prog.c: cannot find the source file"
expect_in err "hint: tried map/sub/prog.c, $scratch/built/sub/prog.c, nowhere/prog.c, folder/prog.c (not a regular file), folder2/prog.c (a folder); name folders with -I"
expect_in err 'error[source.none]: none of 1 source files was found'
expect_status 1 "$GPROFX" -b -A program gmon
expect_in err "warning[source.not-found]: $scratch/built/sub/prog.c: cannot find the source file"
# GNU gprof takes a folder for an empty file.
expect_status 0 "$GPROFX" --gnu -b -A -I folder2 program gmon
expect_empty err
expect_match out '^\*\*\* File .*prog\.c:$'
expect_match out '^ *0   Executable lines'
expect_status 0 timeout 20 "$GPROFX" --gnu -b -A -I folder program gmon
expect_status 0 "$GPROFX" --gnu -b -A program gmon
expect_in err "could not locate \`$scratch/built/sub/prog.c'"

# Words that are no map.
for word in built =moved; do
	expect_status 1 "$GPROFX" -b -A --source-map=$word program gmon
	expect_in err "error[source.bad-map]: expected two folders with '=' between them, found '$word'"
done
expect_status 2 "$GPROFX" -b -A --source-map= program gmon
expect_in err 'usage.empty-value'
expect_status 0 "$GPROFX" -b -p --source-map=a=b program gmon
expect_in err 'warning[option.unused]'

# Without debug information there is no source; GNU gprof says nothing.
python3 - <<-'PROGRAM' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'work'])
	open('bare', 'wb').write(program.bytes())
	open('bare.gmon', 'wb').write(program.profile({'main': 3}, [('main+4', 'work', 5)]).bytes())
PROGRAM
expect_status 1 "$GPROFX" -b -A bare bare.gmon
expect_in err "error[source.no-lines]: the program's debug information has no source lines"
expect_in err '  hint: compile every source file with -g'
expect_status 0 "$GPROFX" --gnu -b -A bare bare.gmon
expect_empty err

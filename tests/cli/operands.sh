#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Operands that are missing, misplaced or misspelt: what the hint says to write. GNU mode says no more than gprof.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program
chmod +x program
mkdir empty
printf 'main;work 3\nmain;rest x\n' >folded
printf 'int main(void)\n{\n\treturn 0;\n}\n' >source.c
: >nothing
echo short >junk
cp gmon.out prof.15401

# hinted ID HINT WORD...: one error of this id, the hint, and no table.
hinted() {
	expect_status 1 "$GPROFX" "${@:3}"
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
	expect_match err "^gprofx: error\\[$1\\]: "
	expect_not_in err 0x0
	grep -qFx "  hint: $2" err || fail "not the hint: $2"
}

# No program.
hinted image.cannot-open 'name a program, as one of this folder: ./program; --help has examples'
hinted image.cannot-open 'name a program, as one of this folder: ./program; --help has examples' -b -p
hinted image.cannot-open 'name the program, too: ./program is the SPEC of -e' -e ./program
hinted image.cannot-open 'name a program, as one of this folder: ./program; --help has examples' -eprogram
for name in a b c; do cp program $name; done
hinted image.cannot-open 'name a program, as one of this folder: ./a, ./b, ./c, ...; --help has examples'
rm a b c
(
	cd empty || exit
	expect_status 1 "$GPROFX"
	expect_in ../err 'hint: name a program, of which none is in this folder: gprofx PROGRAM [PROFILE...]; --help'
) || fail 'in a folder without programs'

# What another program writes has to be asked for.
expect_status 1 bash -c 'echo main 3 | "$0"' "$GPROFX"
expect_match err 'hint: .*; for a profile from the pipe, write gprofx -$'
expect_status 1 bash -c '"$0" </dev/null' "$GPROFX"
expect_not_in err 'pipe'

# A symspec behind a blank or a sign.
for words in '-p work program' 'program -p work' '-b -Q work program gmon.out' '-bq work program' '--graph work program'; do
	# shellcheck disable=SC2086
	expect_status 1 "$GPROFX" $words
	expect_match err '^  hint: write -[pqQ]work, without a blank$'
done
touch work
expect_status 1 "$GPROFX" -p work program
expect_not_in err blank
rm work
# The source of the program is no program.
hinted image.not-an-object 'write -Asource.c, without a blank' -A source.c program
hinted symspec.no-match "leave out the '=': work" -p=work program

# A number of rows.
hinted symspec.no-match 'write --set=flat.top=10 for 10 rows: the SPEC of -n is a function' -n 10 program
hinted symspec.no-match 'write --set=flat.top=3 for 3 rows: the SPEC of -n is a function' -b -n3 program

# Options behind one that takes them for its symspec.
for words in '-bpq -b -p -q' '-pq -p -q' '-bqA -b -q -A'; do
	hinted symspec.no-match "write ${words#* }: what follows ${words: -4:1} is its SPEC" "${words%% *}" program
done
expect_status 1 "$GPROFX" -pwrk program
expect_in err 'did you mean work?'

# Names.
hinted image.cannot-open 'did you mean ./program?' ./progam
hinted image.cannot-open 'did you mean ./program?' ./prog
hinted image.cannot-open 'did you mean program?' PROGAM
cp program progress
hinted image.cannot-open "name the program that wrote the profile: gprofx PROGRAM [PROFILE...]" prog
rm progress
hinted image.cannot-open "name the program that wrote the profile: gprofx PROGRAM [PROFILE...]" fold
hinted profile.cannot-open 'did you mean prof.15401?' program prof
cp gmon.out prof.15402
hinted profile.cannot-open 'did you mean prof.15401, or all of prof.*?' program prof
# A link that leads nowhere is not what it should have been called.
ln -s nowhere dangling
hinted profile.cannot-open 'check the symbolic link: the file that it leads to does not exist' program dangling
rm dangling

# One profile is not two runs.
# twice TEXT WORD...: a warning, and its samples twice.
twice() {
	expect_status 0 "$GPROFX" --no-findings -b -p "${@:2}"
	[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
	expect_in err "gprofx: warning[profile.given-twice]: $1"
}
ln prof.15402 prof.hard
ln -s prof.15402 prof.soft
twice 'prof.15402: the profile is named 2 times, and added as often' program prof.15401 prof.15402 prof.15402
twice 'prof.hard: the profile is named 3 times, first as prof.15402, and added as often' program prof.15402 prof.hard prof.soft
twice 'gmon.out: the profile is named 2 times, first as ./gmon.out, and added as often' program . gmon.out
rm prof.hard prof.soft
expect_status 0 "$GPROFX" --no-findings -b -p program prof.15401 prof.15402
expect_empty err
expect_status 0 "$GPROFX" --gnu -b -p program gmon.out gmon.out
expect_empty err

# Files of another kind.
hinted image.not-an-object 'name the program before its profile: gprofx program gmon.out' gmon.out program
hinted image.not-an-object 'name the program before its profile: gprofx PROGRAM gmon.out' gmon.out
text='name the program, not its source; of folded stacks, each line must end with a number'
hinted image.not-an-object "$text" source.c
hinted image.not-an-object "$text" folded
hinted profile.not-a-profile 'name the profile that the program wrote, such as gmon.out: this is a program' program program
text='name a profile: this is a text file; of folded stacks, each line must end with a number'
hinted profile.not-a-profile "$text" program source.c
hinted profile.not-a-profile 'leave out source.c: it is a text, which a pattern such as NAME.* matches, too' program gmon.out source.c
hinted profile.short-file 'leave out junk: it is a text, which a pattern such as NAME.* matches, too' program gmon.out junk
hinted profile.short-file 'the file is empty: name a profile, or run the program to a normal exit' program nothing
hinted profile.short-file 'name a profile: these bytes are not the start of one' program junk
expect_status 1 "$GPROFX" --output=nothing program
expect_in err 'if this is a format of gprofx, it is in the package gprofx-output-nothing'
expect_status 1 "$GPROFX" --output=flt program
expect_in err 'did you mean flat?'
expect_not_in err package

as_gprof
expect_status 1 ./gprof -p work program
echo 'work: No such file or directory' >expected
expect_same expected err

# Commands of other profilers: what is advised works.
for words in 'report=./program' 'display=./program' 'stat=--summary ./program' 'top=--summary ./program'; do
	hinted image.cannot-open "write gprofx ${words#*=}" "${words%%=*}" program
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings ${words#*=}
	[ -s out ] || fail 'nothing was printed'
done
hinted image.cannot-open 'write gprofx -b -A ./program' annotate program
hinted image.cannot-open 'write gprofx -b -A ./program gmon.out' annotate program gmon.out
hinted image.cannot-open 'write gprofx record ./program' run ./program
hinted image.cannot-open 'write gprofx record ./program 1 2' collect ./program 1 2
hinted image.cannot-open 'write gprofx --summary PROGRAM' top
hinted image.cannot-open 'write gprofx --summary PROGRAM' top 'a b'
expect_status 1 "$GPROFX" program report
expect_not_in err 'write gprofx'
expect_status 1 "$GPROFX" --gnu report program
expect_not_in err 'hint'

# Their options, likewise, with the operands.
# unknown HINT OPTION WORD...: the hint; each of its commands runs, those with a format write its file.
unknown() {
	rm -f program.*
	expect_status 2 "$GPROFX" "${@:2}"
	expect_in err "[usage.unknown-option]: unknown option '$2'"
	grep -qFx "  hint: $1" err || fail "not the hint: $1"
	grep -oE 'gprofx [^,;]*' <<<"$1" | sed 's/ shows such .*//' >commands
	[ -s commands ] || fail 'no command'
	while read -r _ line; do
		case $line in
		open*) line="${line#open} --output=html:program.opened" ;;
		esac
		# shellcheck disable=SC2086
		expect_status 0 "$GPROFX" --no-findings $line
		file=$(grep -oE 'program\.[a-z.]+' <<<"$line") || continue
		[ -s "$file" ] || fail "no $file"
	done <commands
}
text='write gprofx --output=html:program.html ./program; gprofx open ./program shows such a page in a browser'
unknown "$text" --html program
unknown "${text//.\/program/.\/program gmon.out}" --html=any.html program gmon.out
text='write gprofx --output=speedscope:program.speedscope.json ./program, or, for FlameGraph, '
text+='gprofx --output=folded:program.folded ./program'
unknown "$text" --flamegraph program
unknown "$text" --flame-graph ./program
text='tables are sorted by time; to sort by any column, write gprofx --output=csv:program.csv ./program'
unknown "$text" --sort program
unknown "$text" --sort calls program
unknown "$text" --sort-by=calls program
# Where there are several profiles, or their statistics are asked for, also by a column of those.
words='./program gmon.out prof.15401'
several="${text%./program}$words, or gprofx --per-file --set=per-file.sort="
unknown "${several}max $words" --sort=max program gmon.out prof.15401
unknown "${several}total $words" --sort program gmon.out prof.15401
unknown "$text, or gprofx --per-file --set=per-file.sort=total ./program" --sort=calls --per-file program
unknown "--per-file shows the difference of two profiles: gprofx --per-file $words" --diff program gmon.out prof.15401
# What a shell would change is not repeated.
cp program 'a program'
expect_status 2 "$GPROFX" --html 'a program'
expect_in err 'hint: write gprofx --output=html:report.html PROGRAM; '
rm 'a program' program.*

# What time prints where fractions follow a comma.
for time in 3.25 3,25 3,25s 0m3,25s 0m3,1s+0m0,15s 0m3,1s+0m0.15s; do
	expect_status 0 "$GPROFX" -b -p --cpu-time=$time program
	expect_in out 'of 3.25 s'
	rm -f err
done
for time in , 3,2,5 3,25x 0m,s; do
	expect_status 2 "$GPROFX" -b -p --cpu-time=$time program
	expect_in err 'usage.bad-number'
done

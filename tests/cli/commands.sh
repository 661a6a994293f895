#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Commands are the very first word, outside of GNU mode; programs of their names are found by other words, misspelled ones
# by a hint. Options that do not go with a command are refused.
. "$GPROFX_SOURCE/tests/tools/opened.sh"
fake xdg-open

# refused TEXT HINT WORD...: wrongly called, with this error.
refused() {
	expect_status 2 "$GPROFX" "${@:3}"
	expect_empty out
	expect_one usage.unused-option
	expect_in err "gprofx: error[usage.unused-option]: $1"
	expect_in err "hint: $2"
}
for words in -p -pwork --flat-profile=work -q -A -bp --summary --entry=work -r '-R map' -i -t7 -y --order-format=lld; do
	# shellcheck disable=SC2086
	expect_status 2 "$GPROFX" open $words program
	expect_one usage.unused-option
	expect_empty out
done
refused '-q chooses tables, which this command does not print' 'leave it out; -F, -E' open program -qwork
refused '--entry chooses tables' 'leave it out' open --entry=work program
refused '-b is about tables, which this command does not print' 'leave it out' open -b program
refused '--no-pager is about tables' 'leave it out' open --no-pager program
refused '--output is for runs without a command' 'leave out the command' open --output=json:x program
refused '-s is for runs without a command' 'leave out the command' open -s program
refused '--list-plugins is for runs without' 'leave out the command' open --list-plugins
refused '--with needs the command open, as the first word' 'write gprofx open --with=PROGRAM' --with=dot program
refused '--with needs the command open' 'write gprofx open --with=PROGRAM' program open --with=dot
[ -z "$(ls tmp)" ] || fail 'something was written'
expect_status 0 "$GPROFX" open --version
expect_match out '^gprofx [0-9]'
expect_status 0 "$GPROFX" open --help=flat.top
expect_match out '^options\.output-flat\.top: '

# Programs of these names.
cp program open
cp program help
chmod +x open help
for name in ./open ./help; do
	expect_status 0 "$GPROFX" -b --no-findings $name
	expect_undiagnosed
	expect_in out 'Flat profile'
	expect_status 0 "$GPROFX" --no-findings -b "${name#./}"
	expect_undiagnosed
	expect_in out 'Flat profile'
	expect_status 0 "$GPROFX" -- "${name#./}"
	expect_in out 'Flat profile'
done
note='usage.command-or-file'
expect_status 0 "$GPROFX" help
expect_one $note
expect_in err "gprofx: warning[$note]: help is a command of gprofx, but also a program in this folder"
expect_in err 'hint: write ./help for the program'
expect_match out '^Usage: '
cp program a.out
opened 0 DISPLAY=:7
expect_one $note
[[ $page == */program.html ]] || fail "not a page of the program: $page"
expect_status 0 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open
[[ $(cat out) == */a.out.html ]] || fail "not a page of a.out: $(cat out)"
expect_status 0 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" open open
[[ $(cat out) == */open.html ]] || fail "not a page of the program: $(cat out)"
chmod -x open
opened 0 DISPLAY=:7
expect_undiagnosed
rm open help
mkdir open help
opened 0 DISPLAY=:7
expect_undiagnosed
rmdir open help
# Words of a file are words.
echo 'open --no-findings' >words
expect_status 0 env PATH="$scratch/bin" DISPLAY=:7 "$GPROFX" @words program
[[ $(cat out) == */program.html ]] || fail "not a page: $(cat out)"

# hinted HINT WORD...: a program that is not there.
hinted() {
	expect_status 1 "$GPROFX" "${@:2}"
	expect_empty out
	expect_one image.cannot-open
	expect_in err "  hint: $1"
}
hinted 'did you mean gprofx open program?' opne program
hinted 'did you mean gprofx open program?' Open program
hinted 'did you mean gprofx help?' hepl
hinted 'did you mean gprofx record program?' recrod program
# What a shell takes as it is, and what is to be quoted.
hinted 'did you mean gprofx record ./run,1=a:b@c%d+e?' recrod ./run,1=a:b@c%d+e
hinted 'did you mean gprofx record PROGRAM?' recrod './my run'
hinted 'write the command first: gprofx record' -b record
hinted 'write the command first: gprofx open program' --no-findings open program
hinted 'write the command first: gprofx help' -b help
hinted 'name the program that wrote the profile' ./opne
hinted 'name the program that wrote the profile' -b opne
hinted 'name the program that wrote the profile' opinion
cp program opne
expect_status 0 "$GPROFX" -b --no-findings opne
expect_status 0 "$GPROFX" opne
rm opne

# GNU mode has no commands.
as_gprof
cp program open
expect_status 0 "$GPROFX" --gnu -b open
cp out expected
expect_in expected 'Flat profile'
for words in './gprof open -b' "$GPROFX open --gnu -b" "$GPROFX --gnu open -b"; do
	# shellcheck disable=SC2086
	expect_status 0 $words
	expect_empty err
	expect_same expected out
done
rm open
expect_status 1 ./gprof open
[ "$(cat err)" = 'open: No such file or directory' ] || fail 'not the words of GNU gprof'
expect_status 1 ./gprof help
[ "$(cat err)" = 'help: No such file or directory' ] || fail 'not the words of GNU gprof'
expect_status 1 ./gprof opne
expect_not_in err hint
expect_status 1 ./gprof --with=dot program
expect_in err 'error[usage.unused-option]'

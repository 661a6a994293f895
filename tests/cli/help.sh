#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --help goes to standard output with status 0, in both modes, and what stands behind it does not count.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

narrow() {
	[ "$(awk 'length > 79' out | wc -l)" = 0 ] || fail "lines too long: $(awk 'length > 79' out)"
}

expect_status 0 "$GPROFX" --help=all
expect_empty err
expect_match out '^Usage: gprofx '
expect_match out '^  -p\[SPEC\], --flat-profile\[=SPEC\]$'
expect_match out '^  -k FROM/TO$'
expect_match out '^  --output=FORMAT\[:FILE\]$'
narrow
# Each option is one line of spelling; lines below it are its description.
sed -nE 's/^  -([^-])([ ,[].*)?$/\1/p' out | sort | tr -d '\n' >letters
[ "$(cat letters)" = "$(printf '%s\n' A B C D E F I J L N O P Q R S T Z a b c d e f h i k l m n p q r s t v w x y z |
	sort | tr -d '\n')" ] || fail "these letters have a line: $(cat letters)"
mv out all

# By itself it is one screen, and its examples are commands.
expect_status 0 "$GPROFX" -bh --foo no-image
expect_empty err
mv out short
expect_status 0 "$GPROFX" --help
expect_same short out
narrow
[ "$(wc -l <out)" -le 23 ] || fail "--help has $(wc -l <out) lines"
make_program
mv program prog
mkdir run1 run2
cp gmon.out run1
cp gmon.out run2
cp gmon.out old
cp gmon.out new
sed -nE 's/^  gprofx (.*[^ ])   *[a-zA-Z].*/\1/p' short >examples
[ "$(wc -l <examples)" -ge 4 ] || fail 'no examples in --help'
export TMPDIR=$scratch
unset DISPLAY WAYLAND_DISPLAY BROWSER
while read -r words; do
	# A program that runs; where the collector is not built, nothing does it.
	if [[ $words == record* ]]; then
		[ -x "${GPROFX%/*}/gprofx-record" ] || continue
		mkdir real
		cp "$(type -P true)" real/prog
		(
			cd real || exit 1
			# shellcheck disable=SC2086
			"$GPROFX" $words 2>err && grep -q '^gprofx record: .* nothing lost' err
		) || fail "$words: $(cat real/err)"
		continue
	fi
	# shellcheck disable=SC2086 # as typed, with patterns of names of files
	expect_status 0 "$GPROFX" $words
	case $words in
	open*) mv "$(cat out)" out ;;
	esac
	[[ $words == diff* ]] && grep -q 'samples can show' out || expect_in out main
done <examples

# Topics are groups of options; --help=all has all of them.
sed -n '/help TOPIC/,/;$/p' short | sed '1d;s/;$//' | tr -s ' \n' '\n\n' | sed '/^$/d' >topics
[ "$(wc -l <topics)" -gt 8 ] || fail "these topics were found in --help: $(cat topics)"
cp /dev/null options
for topic in $(grep -vx -e all -e commands -e words topics); do
	expect_status 0 "$GPROFX" --help "$topic"
	mv out plain
	expect_status 0 "$GPROFX" --help="$topic"
	expect_empty err
	narrow
	# A word behind a blank is an operand.
	expect_same short plain
	grep '^  -' out >>options
done
grep '^  -' all | diff - options >&2 || fail 'options of --help=all (<) and of all topics (>) differ'
expect_status 0 "$GPROFX" --help=names
expect_in out 'last-components  list::find'
expect_match out '^options.output-flat.names: full$'
expect_not_in out plt-names
expect_status 0 "$GPROFX" --help=selection
expect_in out 'SPEC selects functions'
# An option, by any of its names; one name can be that of two.
for word in p -p flat-profile --flat-profile; do
	expect_status 0 "$GPROFX" --help=$word
	expect_match out '^  -p\[SPEC\], --flat-profile\[=SPEC\]$'
	[ "$(grep -c '^  -' out)" = 1 ] || fail "--help=$word shows more than one option"
done
expect_status 0 "$GPROFX" --help=sum
expect_match out '^  -s, --sum$'
expect_match out '^  --sum=FILE$'
expect_status 0 "$GPROFX" --help=--config
expect_match out '^  --config=FILE$'
[ "$(grep -c '^  -' out)" = 1 ] || fail '--help=--config shows a group'

# What help texts call an argument; settings, by the names that --set takes.
for word in SPEC FROM/TO; do
	expect_status 0 "$GPROFX" --help=$word
	expect_empty err
	expect_in out 'SPEC selects functions: NAME'
	expect_match out "$word"
done
expect_match out '^  -k FROM/TO$'
expect_not_in out '--entry'
expect_status 0 "$GPROFX" --list-settings
mv out settings
expect_status 0 "$GPROFX" --help=settings
expect_same settings out
expect_status 0 "$GPROFX" --help=flat.top
expect_match out '^options\.output-flat\.top: '
[ "$(grep -c '^[a-z]' out)" = 1 ] || fail 'not one setting'
expect_status 0 "$GPROFX" --help=report.metric
[ "$(grep -c '^[a-z]' out)" = 1 ] || fail 'not one setting'
expect_status 1 "$GPROFX" --help=flat.tpo
expect_in err "error[usage.unknown-topic]: unknown topic 'flat.tpo'"
expect_empty out

# Findings, by the ids that the summary and messages show; the manual has those of diagnostics.
expect_status 0 "$GPROFX" --help=account.counting
expect_empty err
expect_match out '^account\.counting$'
expect_match out '^        compile .* -pg'
expect_in out 'under FINDINGS'
narrow
expect_status 1 "$GPROFX" --help=account.conting
expect_in err 'hint: did you mean --help=account.counting?'
expect_status 1 "$GPROFX" --help=symspec.no-match
expect_in err "error[usage.unknown-topic]: unknown topic 'symspec.no-match'"
expect_in err 'ids of messages are in the manual, gprofx(1)'

# Words of tables, each by its own name: a few lines, and what they refer to is there.
expect_status 0 "$GPROFX" --help=words
expect_empty err
narrow
mv out words
expect_status 2 "$GPROFX" --help=xyzzy123
sed -n 's/.* the words \(.*\), and the names .*/\1/p' err | tr ' ' '\n' >topics
[ "$(wc -l <topics)" -ge 10 ] || fail "these words were found in the hint: $(cat topics)"
while read -r topic; do
	expect_status 0 "$GPROFX" --help="$topic"
	expect_empty err
	grep '^        ' out >text || fail "--help=$topic explains nothing"
	[ "$(wc -l <text)" -ge 3 ] && [ "$(wc -l <text)" -le 8 ] || fail "--help=$topic has $(wc -l <text) lines"
	[ "$(grep -cxFf text words)" -ge "$(wc -l <text)" ] || fail "--help=words lacks $topic"
	grep -q "^\.Cm.* $topic\b" "$GPROFX_SOURCE/doc/gprofx.1" || fail "the manual lacks --help=$topic"
	# A reference can go on in the next line.
	tr -s ' \n' '  ' <out | grep -oE -e '--help=[A-Za-z-]*[A-Za-z]' >references || continue
	while read -r reference; do
		"$GPROFX" "$reference" >other || fail "--help=$topic refers to $reference"
		[ -s other ] || fail "$reference is empty"
	done <references
done <topics
for word in '<spontaneous>' 'not sampled' PLT @plt called in-all; do
	expect_status 0 "$GPROFX" --help="$word"
	[ "$(grep -c '^        ' out)" -ge 3 ] || fail "--help=$word explains nothing"
done
for word in '<spontaneous' 'spontaneous>' 'self>'; do
	expect_status 2 "$GPROFX" --help="$word"
done

# On a terminal what is longer than a screen goes through the pager.
for words in --help=all --help=symbols --list-settings --help=settings --list-corrections; do
	on_terminal 0 TERM=xterm PAGER='sed s/^/paged:/' -- "$GPROFX" $words
	[ "$(grep -vc '^paged:' out)" = 0 ] || fail "$words is not paged"
done
on_terminal 0 TERM=xterm PAGER='sed s/^/paged:/' -- "$GPROFX" --help
expect_not_in out paged:
on_terminal 0 TERM=xterm PAGER='sed s/^/paged:/' -- "$GPROFX" --no-pager --help=all
expect_not_in out paged:
on_terminal 0 TERM=xterm PAGER='sed s/^/paged:/' -- "$GPROFX" --gnu --help
expect_not_in out paged:

# Commands.
for words in 'help commands' --help=commands; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $words
	expect_empty err
	expect_match out '^  gprofx open \[OPTION\]'
	expect_match out '^  gprofx help \[TOPIC\]$'
	narrow
	! diff out all | grep '^<' || fail '--help=all lacks commands'
done
expect_status 0 "$GPROFX" help
expect_same short out
for topic in all open help output -p SPEC flat.top settings account.counting; do
	expect_status 0 "$GPROFX" --help="$topic"
	mv out expected
	expect_status 0 "$GPROFX" help "$topic"
	expect_empty err
	expect_same expected out
done
expect_status 0 "$GPROFX" help open
narrow
expect_match out '^Usage: gprofx open \[OPTION\]... \[PROGRAM'
expect_match out '^  --with=PROGRAM$'
mv out expected
for words in '--help' '-h no-image' '--with=dot --help'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" open $words
	expect_same expected out
done
expect_status 0 "$GPROFX" help record
narrow
expect_match out '^Usage: gprofx record \[OPTION\]... PROGRAM \[ARGUMENT\]...$'
expect_in out 'gprofx-record(1)'
expect_status 0 "$GPROFX" help help
expect_match out '^Usage: gprofx help \[TOPIC\]$'
expect_match out '^  --help=TOPIC$'
expect_status 2 "$GPROFX" help --gnv
expect_in err 'did you mean --help=gnu?'
expect_status 2 "$GPROFX" help ''
expect_in err 'error[usage.empty-value]'
expect_status 2 "$GPROFX" help open help
expect_in err "error[usage.unexpected-argument]: help takes one topic, but 'help' follows"
expect_empty out

# GNU mode has no commands.
as_gprof
expect_status 0 ./gprof -h
sed '/^Commands/,/^$/d; /^Options of the command/,/^$/d; s/gprofx \[/.\/gprof [/' all >expected
expect_same expected out
expect_status 1 ./gprof --help=all
expect_match err "option '--help' doesn't allow an argument"

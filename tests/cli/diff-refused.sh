#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# "gprofx diff" refuses each option that would have no effect, and says why. It takes the others, which change what is
# compared. Starts the program 80 times on profiles of a few functions.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
from profiled import Program
program = Program(['main', 'work', 'same', '_ZN3set4findEi'])
open('prog', 'wb').write(program.bytes())
def put(name, work):
    calls = [('main', 'work', 10), ('main', 'same', 3), ('main', '_ZN3set4findEi', 5)]
    open(name, 'wb').write(program.profile({'work': work, 'same': 500, '_ZN3set4findEi': work}, calls).bytes())
put('base', 400)
put('slower', 800)
END

# refused REASON HINT WORD...: each of the words is an option that is refused.
refused() {
	local reason=$1 hint=$2
	shift 2
	for words in "$@"; do
		# shellcheck disable=SC2086
		expect_status 2 "$GPROFX" diff $words prog base slower
		expect_empty out
		expect_one usage.unused-option
		option=${words%% *}
		case $option in --*) option=${option%%=*} ;; *) option=${option:0:2} ;; esac
		expect_in err "error[usage.unused-option]: $option $reason"
		expect_in err "hint: $hint"
	done
}
refused 'chooses tables, which this command does not print' 'leave it out; -z lists all functions, -q callers and callees of those that differ' \
	-p -pwork -P -Q -B -C -J -Z -r '-R map' -i -t7 -y -m5 -x --summary --entry=work --order-format=lld \
	--per-file --per-thread --per-process --per-phase
refused 'does not work with the command diff' 'leave it out' \
	-c -l -T -d -w80 -ework -fwork --object=lib.so --cpu-time=3 --explain --source-map=a=b
refused 'is for runs without a command' 'leave out the command, the first word, or the option' \
	-s --sum=sum --completion=bash --list-corrections --list-settings --print-config --print-config-schema \
	--list-plugins --dump-plugin=input-gmon --format=gmon --check-plugin=x.so
# Those of another command, and those of diff without it.
refused 'needs the command open, as the first word' 'write gprofx open --with=PROGRAM' --with=dot
for words in --normalize=total --fail-if-slower=1 --min-share=1 --base-image=prog; do
	expect_status 2 "$GPROFX" $words prog base
	expect_one usage.unused-option
	expect_in err 'needs the command diff, as the first word'
	expect_in err "hint: write gprofx diff ${words%%=*}="
	# Nor does another command take them.
	expect_status 2 "$GPROFX" open $words prog base
	expect_one usage.unused-option
	expect_empty out
	# GNU mode has none of them.
	expect_status 1 "$GPROFX" --gnu $words prog base
	expect_empty out
done
[ ! -e sum ] || fail 'something was written'

# taken TEXT WORD...: with these options there is a comparison, which has the text.
taken() {
	expect_status 0 "$GPROFX" diff "${@:2}" prog base slower
	expect_undiagnosed
	expect_match out "$1"
}
# lacks TEXT: that comparison does not have it.
lacks() {
	! grep -Eq -e "$1" out || fail "the comparison has $1"
}
both='slower +(work|set::find\(int\))$'
taken "$both"
[ "$(grep -cE "$both" out)" = 2 ] || fail 'not two functions are slower'
taken "$both" -D
taken "$both" -a
taken "$both" --no-findings
taken "$both" --metric=time
taken "$both" --keep-going
taken 'slower +_ZN3set4findEi$' --no-demangle
lacks 'set::find'
# Those for the call graph are about estimates: what main calls.
taken '^ +13\.000 +21\.000 +\+8\.000 +1\.615  main$'
for words in -Ework -Nwork --no-time=work -kmain/work; do
	taken '^ +9\.000 +13\.000 +\+4\.000 +1\.444  main$' $words
done
for words in -Fwork -nwork --time=work; do
	taken "$both" $words
	lacks '  main$'
done
# Rows are those of all functions with time of their own, which no option for the call graph leaves out: no hint names these.
for words in -Fsame -nsame -Esame -Nsame -kmain/same; do
	taken "$both" $words
	[ "$(grep -cE "$both" out)" = 2 ] || fail "$words selects rows"
done
taken 'slower +work$' --set=diff.top=1 --no-findings
# What follows the tables, and what is above them.
taken 'How to read these tables'
taken "$both" -b
lacks 'How to read'
taken "$both" --output-option=diff.explain=false
lacks 'How to read'
taken 'none shown +same$' -z
taken 'none shown +same$' --output-option=diff.all=true
# Standard input is one profile, and can be either side.
for words in '- slower' 'base -'; do
	file=base
	[ "$words" = '- slower' ] || file=slower
	# shellcheck disable=SC2086
	"$GPROFX" diff -b prog $words <$file >out 2>err || fail "standard input is not read as $words"
	expect_match out "$both"
done
for words in 'prog - -' '- -'; do
	# shellcheck disable=SC2086
	expect_status 2 "$GPROFX" diff $words
	expect_one usage.diff-operands
	expect_in err 'standard input has only one'
done

# Programs of this name are found by another word, and by GNU mode.
cp prog diff
chmod +x diff
expect_status 0 "$GPROFX" diff -b prog base slower
expect_one usage.command-or-file
expect_in err 'hint: write ./diff for the program'
for words in '--gnu diff' './diff' '-- diff'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $words base
	expect_not_in err 'usage.command-or-file'
	expect_in out 'Flat profile'
done
as_gprof
expect_status 0 ./gprof diff base
expect_empty err
expect_in out 'Flat profile'
rm diff

# Help, and words that are nearly right.
expect_status 0 "$GPROFX" help diff
for option in --base-image=FILE --normalize= --fail-if-slower=PERCENT --min-share=PERCENT; do
	expect_in out "$option"
done
mv out helped
expect_status 0 "$GPROFX" diff --help
expect_same helped out
expect_status 1 "$GPROFX" dif prog base slower
expect_in err 'gprofx diff'
expect_status 2 "$GPROFX" diff --fail-if-slow=1 prog base slower
expect_in err --fail-if-slower

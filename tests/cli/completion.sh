#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --completion: every option is completed, with a description where the shell shows one, and values are those
# that the program takes.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 0 "$GPROFX" --help=all
sed -nE 's/^  (-.*)$/, \1/p' out | grep -oE ', --?[[:alnum:]][[:alnum:]-]*' | tr -d ', ' | sort -u >options
[ "$(wc -l <options)" -gt 30 ] || fail 'no options'
cp options all
for command in open diff; do
	expect_status 0 "$GPROFX" help $command
	sed -nE 's/^  (--[a-z-]+).*/\1/p' out >only-$command
	[ -s only-$command ] || fail "no options of the command $command"
done
grep -vxFf <(cat only-open only-diff) all >options
for command in open diff; do
	sort -u options only-$command >of-$command
done
expect_status 0 "$GPROFX" help commands
sed -nE 's/^  gprofx ([a-z]+) .*/\1/p' out | sort >commands
[ "$(wc -l <commands)" -gt 1 ] || fail 'no commands'
for shell in bash zsh fish; do
	expect_status 0 "$GPROFX" --completion=$shell
	expect_empty err
	cp out "completion.$shell"
done
expect_status 0 env HOME="$PWD" bash -n completion.bash
mkdir folder.d
touch file.gmon
# The program is found as a user types it.
PATH=${GPROFX%/*}:$PATH

# in_bash WORD...: what bash offers for the last word, one a line; words are split as it splits them.
in_bash() {
	bash -c '. ./completion.bash
		compopt() { :; }
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_gprofx gprofx
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort >out
}
in_bash gprofx -
sed 's/=$//' out | sort -u | diff options - >&2 || fail 'bash offers other options'
for command in open diff; do
	in_bash gprofx $command -
	sed 's/=$//' out | sort -u | diff of-$command - >&2 || fail "bash offers other options of gprofx $command"
done
launcher=${GPROFX%/*}/gprofx-record
if [ -x "$launcher" ]; then
	expect_status 0 "$launcher" --help
	{ grep -oE '^ +(-o|-F)' out; grep -oE -- '--[a-z]+' out; } | tr -d ' ' | sort -u >of-record
	in_bash gprofx record -
	sed 's/=$//' out | sort -u | diff of-record - >&2 || fail 'bash offers other options of gprofx record'
fi
in_bash gprofx record --output = j
[ -z "$(cat out)" ] || fail 'values of another option in bash'
in_bash gprofx open --with = p
echo pprof | diff - out >&2 || fail 'other values of an option of a command in bash'
in_bash gprofx ''
sort commands - <<<$'completion.bash\ncompletion.fish\ncompletion.zsh' >expected
grep -xFf expected out | diff expected - >&2 || fail 'no commands and files in bash'
in_bash gprofx ope
echo open | diff - out >&2 || fail 'other commands in bash'
in_bash gprofx -b ope
[ -z "$(cat out)" ] || fail 'a command that is not the first word in bash'
in_bash gprofx help sy
echo symbols | diff - out >&2 || fail 'other topics in bash'
in_bash gprofx help ope
echo open | diff - out >&2 || fail 'other commands to explain in bash'
in_bash gprofx --color = a
printf 'always\nauto\n' | diff - out >&2 || fail 'other values in bash'
in_bash gprofx --color =
printf 'always\nauto\nnever\n' | diff - out >&2 || fail 'other values behind = in bash'
in_bash gprofx -S f
printf 'file.gmon\nfolder.d\n' | diff - out >&2 || fail 'other files in bash'
in_bash gprofx -I f
echo folder.d | diff - out >&2 || fail 'other folders in bash'
in_bash gprofx --output = j
echo json | diff - out >&2 || fail 'other outputs in bash'
in_bash gprofx --correct = no-last
echo no-last-symbol | diff - out >&2 || fail 'other corrections in bash'
in_bash gprofx -O m
echo magic | diff - out >&2 || fail 'other readers in bash'
in_bash gprofx --plugin = symbols-e
echo symbols-elf | diff - out >&2 || fail 'other plugins in bash'
in_bash gprofx fi
echo file.gmon | diff - out >&2 || fail 'no files in bash'
mkdir names
touch 'names/two words' 'names/$(touch ran)' 'names/*'
in_bash gprofx names/
printf '%s\n' 'names/$(touch ran)' 'names/*' 'names/two words' | LC_ALL=C sort >expected
LC_ALL=C sort out | diff expected - >&2 || fail 'other names with blanks in bash'
if [ "${GPROFX_BUILTIN:-0}" = 0 ]; then
	# What a manifest says are words, not commands.
	mkdir plugins
	for format in '`touch${IFS}ran`' '${HOME}' '*'; do
		printf 'name: input-odd\nabi: 1\nreader: { format: "%s" }\n' "$format" >plugins/input-odd.yaml
		GPROFX_PLUGIN_PATH=$PWD/plugins in_bash gprofx -O ''
		expect_in out "$format"
		[ ! -e ran ] || fail 'bash ran what a manifest says'
	done
fi

if command -v zsh >/dev/null; then
	expect_status 0 zsh -n completion.zsh
	while read -r option; do
		grep -qE "^		'\*$option[-+=]{0,2}\[" completion.zsh || fail "zsh does not know $option"
	done <of-open
	# What the completion system says of the descriptions, without a terminal.
	cat >check.zsh <<-'END'
		autoload -U compinit
		compinit -D -u
		_arguments() { printf '%s\n' "$@" }
		service=gprofx
		. ./completion.zsh
	END
	expect_status 0 env HOME="$PWD" zsh -f check.zsh
	expect_empty err
	expect_in out '*--color=[color the tables'
	expect_in out ']:WHEN:(auto always never)'
	expect_in out '1:program:_gprofx_first'
	expect_not_in out '*--with='
	sed -i 's/service=gprofx/& words=(gprofx open "")/' check.zsh
	expect_status 0 env HOME="$PWD" zsh -f check.zsh
	expect_in out '*--color=[color the tables'
	expect_in out ']:PROGRAM:(browser kcachegrind'
	sed -i 's/gprofx open/gprofx help/' check.zsh
	expect_status 0 env HOME="$PWD" zsh -f check.zsh
	expect_match out '^2:topic:\(all .* symbols .*\)$'
	expect_not_in out '--color'
	while read -r command; do
		expect_match completion.zsh "^	_alternative .* *\(?$command\\\\:\""
	done <commands
fi

# in_fish TEXT: what fish offers for the last word of a command, without descriptions.
in_fish() {
	HOME=$PWD XDG_CONFIG_HOME=$PWD fish --no-config -c 'source completion.fish
		complete -C $argv[1]' "$1" 2>err | sed 's/	.*//' | sort >out
	expect_empty err
}
if command -v fish >/dev/null; then
	in_fish 'gprofx -'
	sed -n 's/^--/--/p' out >found
	grep '^--' options | diff - found >&2 || fail 'fish offers other options'
	for letter in $(grep '^-[^-]' options | tr -d -); do
		grep -qE "^complete -c gprofx -s $letter( |$)" completion.fish || fail "fish does not know -$letter"
	done
	for command in open diff; do
		in_fish "gprofx $command --"
		grep '^--' of-$command | diff - out >&2 || fail "fish offers other options of gprofx $command"
	done
	in_fish 'gprofx open --with=p'
	echo --with=pprof | diff - out >&2 || fail 'other values of an option of a command in fish'
	in_fish 'gprofx '
	grep -xFf commands out | diff commands - >&2 || fail 'no commands in fish'
	in_fish 'gprofx -b ope'
	! grep -qx open out || fail 'a command that is not the first word in fish'
	in_fish 'gprofx help sy'
	echo symbols | diff - out >&2 || fail 'other topics in fish'
	in_fish 'gprofx --color=a'
	printf '%s\n' --color=always --color=auto | diff - out >&2 || fail 'other values in fish'
	in_fish 'gprofx --correct=no-last'
	echo --correct=no-last-symbol | diff - out >&2 || fail 'other corrections in fish'
	in_fish 'gprofx --output js'
	echo json | diff - out >&2 || fail 'other outputs in fish'
fi

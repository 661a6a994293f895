#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands of README.md and of the tutorial run, and print what the pages say but for figures that vary. Takes 9
# seconds.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc python3

mkdir bin demo tutorial
ln -s "$GPROFX" bin/gprofx
cp "$GPROFX_SOURCE"/examples/demo/* demo
cp "$GPROFX_SOURCE"/examples/tutorial/* tutorial
export PATH=$PWD/bin:$PATH COLUMNS=80

# page NAME COMMANDS: which of two functions comes first may be chance, so a page has three attempts.
page() {
	for _ in 1 2; do
		python3 "$GPROFX_SOURCE/tests/kit/page.py" "$GPROFX_SOURCE/$1" "$2" >/dev/null 2>&1 && return
	done
	expect_status 0 python3 "$GPROFX_SOURCE/tests/kit/page.py" "$GPROFX_SOURCE/$1" "$2"
}

cd demo || exit
page README.md 2
[ "$(wc -l <"$GPROFX_SOURCE/README.md")" -le 90 ] || fail 'README.md has more than 90 lines'
ln -s sheet prog
sed -nE 's/^    (gprofx .*[^ ]) +# .*/\1/p' "$GPROFX_SOURCE/README.md" >commands
[ "$(wc -l <commands)" = 6 ] || fail "six commands in README.md, found: $(cat commands)"
unset DISPLAY WAYLAND_DISPLAY BROWSER
export TMPDIR=$scratch
while read -r command; do
	# shellcheck disable=SC2086 # as typed
	expect_status 0 $command
	# A page is in the file that it names; a recording prints what its program does.
	case $command in
	*' open '*) mv "$(cat "$scratch/out")" "$scratch/out" ;;
	*' record '*)
		[ -d gprofx.data ] || fail 'nothing was recorded'
		continue
		;;
	esac
	expect_match "$scratch/out" 'sheet_find|main'
done <commands
cd ../tutorial || exit
page doc/tutorial.md 16

# gprofx(1) has it in short, with the same commands and figures.
sed -n '/^\.Sh TUTORIAL/,/^\.Sh OPTIONS/p' "$GPROFX_SOURCE/doc/gprofx.1" | sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.' >lines
[ "$(grep -c '^\$ gprofx' lines)" -ge 3 ] || fail 'gprofx(1) has no tutorial'
grep -q '>text$' lines || fail 'gprofx(1) does not make the text that it reads'
while read -r line; do
	grep -qF -e "$line" "$GPROFX_SOURCE/doc/tutorial.md" || fail "gprofx(1) has what the tutorial has not: $line"
done <lines

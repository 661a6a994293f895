#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --color: colors on a terminal, and only there unless they are asked for; never in a file, and in GNU
# mode only when the command line asks. Without the escape sequences the bytes are the same.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program

colored() { grep -q "$(printf '\033')" "${1-out}"; }

# Tables alone; between them a terminal gets no form feed.
tables='-b -p -q --no-pager'
# shellcheck disable=SC2086
expect_status 0 "$GPROFX" $tables program
tr -d '\f' <out >plain
! colored plain || fail 'colors without a terminal'

# shown ENVIRONMENT... -- OPTION...: the tables on a terminal.
shown() {
	local environment=()

	for word; do
		shift
		[ "$word" != -- ] || break
		environment+=("$word")
	done
	# shellcheck disable=SC2086
	on_terminal 0 ${environment[@]+"${environment[@]}"} -- "$GPROFX" $tables "$@" program
}
shown TERM=xterm --
colored || fail 'no colors on a terminal'
sed 's/\x1b\[[0-9;]*m//g' out >without
expect_same plain without
# Most of the time is hot, and headings stand out.
expect_in out "$(printf '\033[31m 75.00\033[0m')"
expect_in out "$(printf '\033[31mwork\033[0m')"
expect_match out "^$(printf '\033')\\[1mindex % time"
cp out shown

# refused WORD...: no colors on a terminal with this environment and these options.
refused() {
	shown "$@"
	! colored || fail "colors in spite of: $*"
	expect_same plain out
}
refused TERM=xterm NO_COLOR=1 --
refused TERM=xterm NO_COLOR=1 -- --color=auto
refused TERM=dumb --
refused --
refused TERM=xterm -- --color=never
refused TERM=xterm -- --color=always --color=never
shown TERM=xterm NO_COLOR= --
expect_same shown out

# GNU gprof has none.
on_terminal 0 TERM=xterm -- "$GPROFX" --gnu -b program
! colored || fail 'colors in GNU mode'
on_terminal 0 TERM=xterm -- "$GPROFX" --gnu -b --color=auto program
colored || fail 'no colors in GNU mode, though asked for'

# Asked for, they go to whatever standard output is; not to other files.
# shellcheck disable=SC2086
expect_status 0 env NO_COLOR=1 TERM=dumb "$GPROFX" $tables --color=always program
tr -d '\f' <out >colored
expect_same shown colored
expect_status 0 "$GPROFX" -b --color=always --output=flat:table --output=flat program
colored || fail 'no colors on standard output'
! colored table || fail 'colors in a file'
sed 's/\x1b\[[0-9;]*m//g' out >without
expect_same without table
on_terminal 0 TERM=xterm -- "$GPROFX" -b --output=flat:table program
! colored table || fail 'colors in a file, though standard output is a terminal'

# Every line ends without a color, in both layouts, and padding is no part of it.
for options in -T '--output-option=flat.columns=name,share' '--output-option=errors=true'; do
	expect_status 0 "$GPROFX" -b "$options" program
	cp out plain
	expect_status 0 "$GPROFX" -b --color=always "$options" program
	sed 's/\x1b\[[0-9;]*m//g' out >without
	expect_same plain without
	sed 's/\x1b\[0m/END/g' out | grep "$(printf '\033')" | grep -v 'END[^'"$(printf '\033')"']*$' >open
	[ "$options" = -T ] || expect_empty open
done

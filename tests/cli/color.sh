#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --color: colours on a terminal, and only there unless they are asked for; never in a file, and in GNU
# mode only when the command line asks. Without the escape sequences the bytes are the same.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program

# on_terminal ENVIRONMENT... -- COMMAND...: runs it with standard output on a terminal; in ./out what was
# shown there.
on_terminal() {
	python3 - "$@" >out <<-'END'
		import os, pty, sys
		mark = sys.argv.index('--')
		pid, terminal = pty.fork()
		if pid == 0:
		    for name in ('NO_COLOR', 'TERM'):
		        os.environ.pop(name, None)
		    os.environ.update(word.split('=', 1) for word in sys.argv[1:mark])
		    os.execv(sys.argv[mark + 1], sys.argv[mark + 1:])
		shown = b''
		while True:
		    try:
		        piece = os.read(terminal, 65536)
		    except OSError:     # Linux says so when the other side is closed
		        break
		    if not piece:
		        break
		    shown += piece
		sys.stdout.buffer.write(shown.replace(b'\r\n', b'\n'))
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	status=$?
	[ "$status" = 0 ] || fail "status $status on a terminal: $*"
}

colored() { grep -q "$(printf '\033')" "${1-out}"; }

expect_status 0 "$GPROFX" -b program
cp out plain
! colored || fail 'colours without a terminal'

on_terminal TERM=xterm -- "$GPROFX" -b program
colored || fail 'no colours on a terminal'
sed 's/\x1b\[[0-9;]*m//g' out >without
expect_same plain without
# Most of the time is hot, and headings stand out.
expect_in out "$(printf '\033[31m 75.00\033[0m')"
expect_in out "$(printf '\033[31mwork\033[0m')"
expect_match out "^$(printf '\033')\\[1mindex % time"
cp out shown

# refused WORD...: no colours on a terminal with this environment and these options.
refused() {
	on_terminal "$@"
	! colored || fail "colours in spite of: $*"
	expect_same plain out
}
refused TERM=xterm NO_COLOR=1 -- "$GPROFX" -b program
refused TERM=xterm NO_COLOR=1 -- "$GPROFX" -b --color=auto program
refused TERM=dumb -- "$GPROFX" -b program
refused -- "$GPROFX" -b program
refused TERM=xterm -- "$GPROFX" -b --color=never program
refused TERM=xterm -- "$GPROFX" -b --color=always --color=never program
on_terminal TERM=xterm NO_COLOR= -- "$GPROFX" -b program
expect_same shown out

# GNU gprof has none.
on_terminal TERM=xterm -- "$GPROFX" --gnu -b program
! colored || fail 'colours in GNU mode'
on_terminal TERM=xterm -- "$GPROFX" --gnu -b --color=auto program
colored || fail 'no colours in GNU mode, though asked for'

# Asked for, they go to whatever standard output is; not to other files.
expect_status 0 env NO_COLOR=1 TERM=dumb "$GPROFX" -b --color=always program
expect_same shown out
expect_status 0 "$GPROFX" -b --color=always --output=flat:table --output=flat program
colored || fail 'no colours on standard output'
! colored table || fail 'colours in a file'
sed 's/\x1b\[[0-9;]*m//g' out >without
expect_same without table
on_terminal TERM=xterm -- "$GPROFX" -b --output=flat:table program
! colored table || fail 'colours in a file, though standard output is a terminal'

# Every line ends without a colour, in both layouts, and padding is no part of it.
for options in -T '--output-option=flat.columns=name,share' '--output-option=errors=true'; do
	expect_status 0 "$GPROFX" -b "$options" program
	cp out plain
	expect_status 0 "$GPROFX" -b --color=always "$options" program
	sed 's/\x1b\[[0-9;]*m//g' out >without
	expect_same plain without
	sed 's/\x1b\[0m/END/g' out | grep "$(printf '\033')" | grep -v 'END[^'"$(printf '\033')"']*$' >open
	[ "$options" = -T ] || expect_empty open
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A pager shows what goes to a terminal; its end, its absence and its status are no matter of the report's.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program

cat >pager <<'END'
#!/bin/sh
echo "paged $# LESS=$LESS"
cat
END
cat >early <<'END'
#!/bin/sh
head -c 10 >/dev/null
echo early
exit 3
END
chmod +x pager early
mark="$scratch/pager"

on_terminal 0 TERM=dumb -- "$GPROFX" program
cp out plain
# paged VARIABLE...: the pager showed the report.
paged() {
	on_terminal 0 TERM=xterm NO_COLOR=1 "$@" -- "$GPROFX" program
	expect_match out '^paged '
	tail -n +2 out >rest
	expect_same rest plain
}
paged PAGER="$mark"
paged GPROFX_PAGER="$mark" PAGER=false
expect_in out 'paged 0 LESS=FRX'
paged PAGER="$mark" LESS=-i
expect_in out 'paged 0 LESS=-i'
# With arguments, and through a shell.
paged PAGER="$mark 1 2 3"
expect_in out 'paged 3'
paged PAGER="'$mark' 1 '2 3'"
expect_in out 'paged 2'
paged PAGER="$mark | sed s/x/x/"

# not_paged VARIABLE... [-- OPTION...]: the report went to the terminal without it.
not_paged() {
	on_terminal 0 TERM=xterm NO_COLOR=1 "$@" program
	expect_same out plain
}
not_paged PAGER= -- "$GPROFX"
not_paged PAGER=' ' -- "$GPROFX"
not_paged PAGER=cat -- "$GPROFX"
not_paged GPROFX_PAGER= PAGER="$mark" -- "$GPROFX"
not_paged GPROFX_PAGER=cat PAGER="$mark" -- "$GPROFX"
not_paged PAGER="$mark" -- "$GPROFX" --no-pager
not_paged TERM=dumb PAGER="$mark" -- "$GPROFX"
on_terminal 0 TERM=xterm PAGER="$mark" -- "$GPROFX" --gnu program
expect_not_in out 'paged'
on_terminal 0 TERM=xterm PAGER="$mark" -- /bin/sh -c '"$@" >report' sh "$GPROFX" program
expect_empty out
expect_not_in report 'paged'
expect_not_in report 'of CPU time'
on_terminal 0 TERM=xterm PAGER="$mark" -- "$GPROFX" --version
expect_not_in out 'paged'

# Other tables, too; nothing is shown of a run that fails before it writes, whose status is its own.
on_terminal 0 TERM=xterm PAGER="$mark" -- "$GPROFX" -b -p program
expect_match out '^paged '
on_terminal 1 TERM=xterm PAGER="$mark" -- "$GPROFX" nothing-there
expect_not_in out 'paged'
expect_in out 'error[image.cannot-open]'
on_terminal 2 TERM=xterm PAGER="$mark" -- "$GPROFX" --no-such-option
expect_not_in out 'paged'
on_terminal 0 TERM=xterm PAGER="$mark" -- "$GPROFX" --output=json:report.json program
expect_not_in out 'paged'

# One that is not there: the report is, with a warning if somebody named it.
missing='environment.no-pager'
for pager in "$scratch/nothing" nothing-of-that-name "$scratch"; do
	on_terminal 0 400x24 TERM=xterm NO_COLOR=1 PAGER="$pager" -- "$GPROFX" -w 80 --output-option=top.width=80 \
		--output-option=text-width=80 program
	expect_in out "gprofx: warning[$missing]: cannot run the pager that PAGER names, $pager: "
	tail -n +3 out >rest
	expect_same rest plain
done
on_terminal 0 TERM=xterm NO_COLOR=1 PATH=/nonexistent -- "$GPROFX" program
expect_same out plain
on_terminal 0 TERM=xterm NO_COLOR=1 PAGER="nothing-of-that-name 'a b'" -- "$GPROFX" program
expect_in out 'nothing-of-that-name: not found'
tail -n +2 out >rest
expect_same rest plain

# One that ends early is no error, whatever its status and however much is left; another output is complete.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
names = ['function_%d' % i for i in range(4000)]
program = Program(names, step=0x10)
open('large', 'wb').write(program.bytes())
arcs = [(a, b, 1) for a, b in zip(names, names[1:])]
open('large.out', 'wb').write(program.profile({name: 1 for name in names}, arcs).bytes())
END
expect_status 0 "$GPROFX" large large.out
[ "$(wc -c <out)" -gt 500000 ] || fail 'not more than a pipe holds'
expect_status 0 "$GPROFX" --output=json large large.out
cp out expected.json
for pager in "$scratch/early" true false 'exit 7;' "kill -9 \$\$"; do
	on_terminal 0 TERM=xterm PAGER="$pager" -- "$GPROFX" --output=callgraph --output=json:report.json large large.out
	expect_not_in out 'error['
	expect_same expected.json report.json
	rm report.json
done
# Nor does it take the status of a run that fails while it is shown.
on_terminal 1 TERM=xterm PAGER="$scratch/early" -- "$GPROFX" --output=callgraph --output=json:nowhere/x large large.out

# less itself: the summary is what it shows first, and on the screen when it ends; keys are its own.
if command -v less >/dev/null 2>&1; then
	export ONTERMINAL_KEYS=q
	on_terminal 0 TERM=xterm NO_COLOR=1 -- "$GPROFX" large large.out
	sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g; s/\x1b[=>]//g; s/.*\r//' out >shown
	head -n 1 shown | grep -q '^large: ' || fail 'the summary is not on the first page'
	expect_match shown '^  gprofx .*--entry='
	[ "$(wc -l <shown)" -le 24 ] || fail 'more than a page was shown'
	unset ONTERMINAL_KEYS
	# What fits is shown at once.
	on_terminal 0 TERM=xterm NO_COLOR=1 -- "$GPROFX" -b -p --no-findings program
	expect_in out 'Flat profile:'
fi

# Colors go to a pager that shows them.
colored() { grep -q "$(printf '\033\\[31m')" out; }
on_terminal 0 TERM=xterm PAGER="$mark" -- "$GPROFX" -p program
colored || fail 'no colors'
mkdir bin
cp pager bin/less
on_terminal 0 TERM=xterm PATH="$scratch/bin:$PATH" -- "$GPROFX" -p program
expect_match out '^paged '
colored || fail 'no colors in less'
on_terminal 0 TERM=xterm LESS=-i PATH="$scratch/bin:$PATH" -- "$GPROFX" -p program
! colored || fail 'colors in a less that would show escape sequences'
on_terminal 0 TERM=xterm LESS=-iR PATH="$scratch/bin:$PATH" -- "$GPROFX" -p program
colored || fail 'no colors in less with -R'

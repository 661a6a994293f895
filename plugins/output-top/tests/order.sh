#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The order of functions of equal self time, what is said of the others, and the caller that a command is about.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'zeta', 'run', 'step', 'leaf', 'beta', 'alpha', 'often'])
open('deep', 'wb').write(program.bytes())
arcs = [('main', 'run', 1), ('run', 'step', 10), ('step', 'leaf', 20), ('run', 'zeta', 3), ('main', 'beta', 3),
        ('main', 'alpha', 3), ('main', 'often', 4)]
open('gmon.out', 'wb').write(program.profile({'leaf': 40}, arcs).bytes())
open('cycle', 'wb').write(program.profile({'leaf': 40, 'zeta': 9, 'beta': 9, 'step': 9}, [
    ('main', 'step', 3), ('main', 'zeta', 9), ('zeta', 'beta', 9), ('beta', 'zeta', 1), ('step', 'leaf', 2)]).bytes())
open('twice', 'wb').write(program.profile({'leaf': 40}, arcs + [('run', 'leaf', 1)]).bytes())
END

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'run', '__strlen_evex'])
open('chosen', 'wb').write(program.bytes())
open('chosen.out', 'wb').write(program.profile({'__strlen_evex': 40, 'run': 9}, [('main', 'run', 2)]).bytes())
END
# What the start-up code chose has no callers that a command could show.
expect_status 0 "$GPROFX" --no-findings --summary chosen chosen.out
expect_in out ' __strlen_evex'
expect_not_in out '=__strlen_evex'
expect_in out '  gprofx --entry=run chosen chosen.out'

printf '%s\n' 'main;parse;read 2' 'main;write 9' >stacks

# The order is that of the flat profile: of equal self times more calls come first, then the name, whether a total is
# known or not.  A total that is all self time is no estimate.
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=6 deep
awk '/^ *[0-9.]+% / { print $1, $2, $3, $4 }' out | grep -v functions >found
cat >expected <<'END'
100.0% 100.0% 20 leaf
0.0% ~100.0% 10 step
0.0% 0.0% 4 often
0.0% 0.0% 3 alpha
0.0% 0.0% 3 beta
0.0% 0.0% 3 zeta
END
expect_same found expected
# Some of those that are shown have none either.
expect_in out '  6 of 7 functions; only 1 of the 7 has self time'
expect_in out '  ~ estimated: '
# Without a mark in the table there is no word about it.
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=1 deep
expect_in out '  1 of 7 functions; the other 6 have no self time'
expect_not_in out 'estimated'

for profile in gmon.out cycle; do
	expect_status 0 "$GPROFX" --no-findings --summary deep $profile
	awk '/^ *[0-9.]+% / { print $4 }' out >summary
	expect_status 0 "$GPROFX" --no-findings -b -p deep $profile
	awk '/^ *[0-9]/ { print $NF }' out >flat
	[ "$(wc -l <flat)" -ge 4 ] || fail 'too few functions'
	expect_same summary flat
done
expect_status 0 "$GPROFX" --no-findings --summary deep

# A leaf that is called from one place only says less than the next caller with a choice.
expect_match out '^  gprofx --entry=leaf deep +'
expect_match out '^  gprofx --entry=run deep +'
expect_not_in out '=step'
expect_status 0 "$GPROFX" --no-findings --summary deep twice
expect_match out '^  gprofx --entry=leaf deep twice +'
expect_not_in out '=run'
# Everything comes from where the program begins.
expect_status 0 "$GPROFX" --no-findings --summary stacks
expect_match out '^  gprofx --entry=write stacks +'
expect_not_in out '=main'
# So it does from what the C library starts.
printf 'start;call_main;main;run;leaf 10\nstart;call_main;main;other 2\n' >started
expect_status 0 "$GPROFX" --no-findings --summary started
expect_match out '^  gprofx --entry=leaf started +'
expect_not_in out '=main'
printf 'start;call_main;main;step;run;leaf 10\nstart;call_main;main;step;other 2\nstart;call_main;main;other 1\n' >stepped
expect_status 0 "$GPROFX" --no-findings --summary stepped
expect_match out '^  gprofx --entry=step stepped +where these calls come from'

# Functions of whose calls none was counted, as in libraries of static programs: the code may have calls. Not what is
# chosen for the processor, nor where the program begins, nor little time, nor once the code was asked.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'work', '__sin_fma', 'log', 'expf64', 'log@plt'])
open('static', 'wb').write(program.bytes())
arcs = [('main', 'work', 3)]
for name, samples in (('second', {'work': 50, '__sin_fma': 30, 'expf64': 3}), ('first', {'work': 50, 'expf64': 60}),
                      ('little', {'work': 98, 'expf64': 2}), ('chosen', {'work': 50, '__sin_fma': 30}),
                      ('begin', {'main': 50})):
    open(name, 'wb').write(program.profile(samples, arcs if name != 'begin' else [('work', 'log', 1)]).bytes())
open('times', 'wb').write(program.profile({'expf64': 60}).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary static second
expect_in out '  gprofx --entry=expf64 -c static second   its callers in the code, not counted'
expect_in out '  gprofx --entry=work static second  '
expect_status 0 "$GPROFX" --no-findings --summary static first
expect_in out '  gprofx --entry=expf64 -c static first   its callers in the code, not counted'
[ "$(grep -c -e --entry out)" -eq 1 ] || fail 'a command that shows no caller'
for words in little chosen begin times '-c second' '-l second'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings --summary static $words
	expect_not_in out 'not counted'
done
# Explanations name the option, too.
expect_status 0 "$GPROFX" -b --explain static second
tr -s ' \n' ' ' <err >words
expect_in words '__sin_fma and expf64. -c lists the code that calls them, with 0 calls. '
expect_status 0 "$GPROFX" -b --explain -c static second
tr -s ' \n' ' ' <err >words
expect_in words '__sin_fma and expf64. '
expect_not_in words '-c lists'

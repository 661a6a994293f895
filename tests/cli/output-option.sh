#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --output-option sets options of outputs, by format or of all that have them, and is checked as
# what the plugins declare.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
"$GPROFX" -p program >flat.long
"$GPROFX" -b -p program >flat.brief
"$GPROFX" -b program >both.brief
"$GPROFX" -q -w 20 -b program >narrow

expect_status 0 "$GPROFX" -p --output-option=explain=false program
expect_same out flat.brief
expect_status 0 "$GPROFX" --output-option=explain=false program
expect_same out both.brief
expect_status 0 "$GPROFX" -p --output-option=flat.explain=false program
expect_same out flat.brief
# The last value counts, and goes before -b and -w wherever these stand.
expect_status 0 "$GPROFX" -p --output-option=explain=false --output-option=flat.explain=true -b program
expect_same out flat.long
expect_status 0 "$GPROFX" -q -b --output-option=width=20 -w 70 program
expect_same out narrow
# In GNU mode, too.
expect_status 0 "$GPROFX" --gnu -p --output-option=explain=false program
"$GPROFX" --gnu -b -p program >gnu.brief
expect_same out gnu.brief

# One output to a file, one to standard output.
expect_status 0 "$GPROFX" --output=flat:file --output=callgraph --output-option=explain=false program
expect_same file flat.brief

# option.unknown: with the nearest of the options that there are.
expect_status 1 "$GPROFX" --output-option=explian=false program
expect_in err 'gprofx: error[option.unknown]: unknown option of output-flat or output-callgraph: "explian"'
expect_match err '^  hint: did you mean explain\? the options are: [a-z, -]+, explain, [a-z, -]*width$'
expect_not_in err 'top, .*top, '
expect_empty out
expect_status 1 "$GPROFX" -T --output-option=callgraph.windth=9 program
expect_in err 'error[option.unknown]: unknown option of output-callgraph: "windth"'
expect_in err '  hint: did you mean width? '
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'told more than once'
expect_status 1 "$GPROFX" --output=json --output-option=json.top=1 program
expect_in err '  hint: it has no options'

# option.bad-value: type, range and choices are those that the plugin declares.
expect_status 1 "$GPROFX" --output-option=explain=yes program
expect_in err 'error[option.bad-value]: output-flat explain: expected true or false, found "yes"'
expect_in err '  hint: did you mean true? '
expect_status 1 "$GPROFX" --output-option=callgraph.cycle-callers=autto program
expect_in err 'error[option.bad-value]: output-callgraph cycle-callers: expected one of auto, '
expect_in err '  hint: did you mean auto? '
expect_status 1 "$GPROFX" --output-option=callgraph.width=0 program
expect_in err 'error[option.bad-value]: output-callgraph width: expected a whole number from 1 to '
for number in '' ' 5' +5 5x 0x10 99999999999999999999; do
	expect_status 1 "$GPROFX" --output-option=callgraph.width="$number" program
	expect_in err 'error[option.bad-value]: output-callgraph width: expected a whole number from 1 to '
done

# option.unused: a format in which nothing is written.
expect_status 0 "$GPROFX" -b -p --output-option=callgraph.width=20 program
expect_in err 'gprofx: warning[option.unused]: no output of the format callgraph is requested, but its option width is set'
expect_same out flat.brief

# usage.bad-output-option
for word in width =5 .width=5 flat.=5 . x.; do
	expect_status 2 "$GPROFX" --output-option="$word" program
	expect_in err "gprofx: error[usage.bad-output-option]: expected an option and its value after --output-option, found '$word'"
done
# A format that comes near is offered.
expect_status 1 "$GPROFX" --output=falt program
expect_in err 'error[emitter.not-installed]: '
expect_in err '  hint: did you mean flat? '

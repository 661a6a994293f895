#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The manual and --help name the same options and commands.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 0 "$GPROFX" --help=all
# In --help an option has a line of its own, "  -p[SPEC], --flat-profile[=SPEC]".
sed -nE 's/^  (-.*)$/, \1/p' out | grep -oE ', --?[[:alnum:]][[:alnum:]-]*' | tr -d ', ' | sort -u >in-help
# In the manual each is an ".It Fl" of the section OPTIONS; "Fl -name" is a long option.
sed -n '/^\.Sh COMMANDS/,/^\.Sh SYMSPECS/p' "$GPROFX_SOURCE/doc/gprofx.1" |
	sed -n 's/^\.It //p' | grep -oE 'Fl [[:alnum:]-]+' | sed 's/^Fl /-/' | sort -u >in-manual

[ "$(wc -l <in-help)" -gt 30 ] || fail "only these options were found in --help: $(cat in-help)"
diff in-help in-manual >out || fail 'options in --help only (<) or in the manual only (>)'

# Commands stand in the synopsis, and as ".It Ic" in their section.
expect_status 0 "$GPROFX" help commands
sed -nE 's/^  gprofx ([a-z]+) .*/\1/p' out | sort >in-help
[ "$(wc -l <in-help)" -gt 1 ] || fail 'no commands'
sed -n '/^\.Sh COMMANDS/,/^\.Sh OPTIONS/s/^\.It Ic \([a-z]*\).*/\1/p' "$GPROFX_SOURCE/doc/gprofx.1" | sort >in-manual
diff in-help in-manual >out || fail 'commands in help only (<) or in the manual only (>)'
sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.Nm gprofx \([a-z]*\)$/\1/p' "$GPROFX_SOURCE/doc/gprofx.1" | sort >in-manual
diff in-help in-manual >out || fail 'commands in help only (<) or in the synopsis only (>)'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The manual and --help name the same options.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 0 "$GPROFX" --help=all
# In --help an option has a line of its own, "  -p[SPEC], --flat-profile[=SPEC]".
sed -nE 's/^  (-.*)$/, \1/p' out | grep -oE ', --?[[:alnum:]][[:alnum:]-]*' | tr -d ', ' | sort -u >in-help
# In the manual each is an ".It Fl" of the section OPTIONS; "Fl -name" is a long option.
sed -n '/^\.Sh OPTIONS/,/^\.Sh SYMSPECS/p' "$GPROFX_SOURCE/doc/gprofx.1" |
	sed -n 's/^\.It //p' | grep -oE 'Fl [[:alnum:]-]+' | sed 's/^Fl /-/' | sort -u >in-manual

[ "$(wc -l <in-help)" -gt 30 ] || fail "only these options were found in --help: $(cat in-help)"
diff in-help in-manual >out || fail 'options in --help only (<) or in the manual only (>)'

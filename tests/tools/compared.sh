# SPDX-License-Identifier: Apache-2.0
#
# Helpers for tests of what "gprofx diff" prints, on top of those in tests/cli/lib.sh.

. "$GPROFX_SOURCE/tests/cli/lib.sh"

# row NAME: the row of the table of self values: base, new, difference, error, ratio, verdict.
row() {
	awk -v name="$1" '/^Self/ { inside = 1; next } /^Total|^Calls/ { inside = 0 }
		inside && ($7 == name || $8 == name) { print $1, $2, $3, $4, $5, $6 }' out
}

# said NAME VALUES: what the row says.
said() {
	[ "$(row "$1")" = "$2" ] || fail "$1: $(row "$1") instead of $2"
}

# compared_as FORMAT NAME WORD...: such a comparison in NAME.FORMAT, and as JSON in NAME.json.
compared_as() {
	local format=$1 name=$2
	shift 2
	expect_status 0 "$GPROFX" diff "$@" --no-findings "--output=$format:$name.$format" "--output=json:$name.json"
	expect_empty out
	expect_undiagnosed
}

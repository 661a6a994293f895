# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of this plugin, on top of those in tests/cli/lib.sh.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need cmark-gfm python3
export PYTHONPATH="$PYTHONPATH:$GPROFX_SOURCE/plugins/output-markdown/tests"

# markdown NAME WORD...: the report of these words in NAME.md.
markdown() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" "$@" --no-findings "--output=markdown:$name.md"
	expect_empty out
	expect_undiagnosed
}

# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of this plugin, on top of those in tests/cli/lib.sh.

. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

# expect_list NAME...: standard input is what the list says of the files, but for the times of writing.
expect_list() {
	cat >expected
	expect_status 0 "$GPROFX" -i program "$@"
	sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/TIME/g' out >list
	expect_same expected list
}

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The library has nothing that only --check-plugin of the program needs.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need nm

symbols() {
	nm "$1" | sed 's/.* //' | sort -u
}
[ -e "$GPROFX_BUILD/lib/libgprofx.so" ] || skip 'there is no library'
symbols "$GPROFX_BUILD/lib/libgprofx.so" >library
grep -q '^engine_analyse$' library || skip 'the library has no symbol table'
symbols "$GPROFX" >program
grep -q '^engine_try_plugin$' program || fail 'the program has no check'
expect_not_in library engine_try_plugin
expect_not_in library engine_check_steps

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The system's file is read before the user's. It stands at a fixed place, so the test puts one there
# in a file system of its own.
. "$GPROFX_SOURCE/tests/config/lib.sh"
need unshare mount

etc=$(sed -n 's/^GPROFX_SYSCONFDIR:[A-Z]*=//p' "$GPROFX_BUILD/CMakeCache.txt")
[ -d "$etc" ] || skip "there is no folder $etc"
# apart COMMAND...: runs it where $etc holds nothing but our file.
mkdir -p etc/gprofx
apart() {
	unshare -rm sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$scratch/etc" "$etc" "$@"
}
apart true 2>/dev/null || skip 'no file system of our own can be had'

"$GPROFX" --no-config -b -p program >brief
"$GPROFX" --no-config -p program >long
echo 'options: { output-flat: { explain: false } }' >etc/gprofx/config.yaml
expect_status 0 apart "$GPROFX" -p program
expect_same out brief
expect_status 0 apart "$GPROFX" --no-config -p program
expect_same out long
echo 'options: { output-flat: { explain: true } }' >"$user"
expect_status 0 apart "$GPROFX" -p program
expect_same out long
echo 'broken: [' >etc/gprofx/config.yaml
expect_status 1 apart "$GPROFX" -p program
expect_in err "error[document.syntax]: $etc/gprofx/config.yaml:2:1: "
expect_status 0 apart "$GPROFX" --gnu -b -p program

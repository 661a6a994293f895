#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The manual pages are well-formed, and every plugin has one.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need mandoc

cd "$GPROFX_SOURCE" || exit 1
for description in plugins/*/plugin.yaml; do
	[ -f "$description" ] || fail 'no plugins found'
	folder=${description%/plugin.yaml}
	[ -s "$folder/${folder##*/}.7" ] || fail "$folder has no manual page ${folder##*/}.7"
done
run mandoc -Tlint -Wwarning doc/*.[1357] plugins/*/*.7 "$GPROFX_BUILD/gprofx-config.5"
[ "$status" -eq 0 ] || fail 'mandoc finds faults in the manual pages'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# manifest.bad-folder: a folder of plugins that cannot be read is a warning.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

: >file
for folder in none file/none; do
	expect_status 0 "$GPROFX" --plugin-path="$folder" --list-plugins
	expect_in err "gprofx: warning[manifest.bad-folder]: $scratch/$folder: cannot read the plugin folder"
	expect_match err '^  hint: .*--plugin-path'
	expect_match out '^output-flat '
done
expect_match err 'Not a directory'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.not-found: a plugin asked for by a name that no folder has.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

expect_status 1 "$GPROFX" --plugin=input-nowhere --list-plugins
expect_match err '^gprofx: error\[plugin\.not-found\]: input-nowhere: no plugin of that name is installed$'
expect_match err '^  hint: install the plugin input-nowhere, package gprofx-input-nowhere; .*--plugin=\./x\.so'
expect_match out '^input-gmon-magic '

# A file in the working folder is not a name; every absent plugin is reported.
: >input-here.so
expect_status 1 "$GPROFX" --plugin=input-here --plugin=input-here.so program
[ "$(grep -cF 'error[plugin.not-found]' err)" -eq 2 ] || fail 'not both are reported'
expect_empty out

# By name from the folder of the installed ones.
expect_status 0 "$GPROFX" --plugin=output-flat --list-plugins
expect_match out '^output-flat +emitter +flat '

# What no plugin can be called is in no package.
for name in nowhere input input- inputs-x; do
	expect_status 1 "$GPROFX" --plugin=$name program
	expect_not_in err package
done

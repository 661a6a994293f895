#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All plugins of the tree, and the examples, pass --check-plugin without a remark.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in'

count=0
for module in "$(dirname "$GPROFX")"/../lib/gprofx/1/*.so; do
	# It runs a program, which reports need then.
	[ "$(basename "$module")" != output-svg.so ] || command -v dot >/dev/null || continue
	[ -e "$module" ] || module=$GPROFX_PLUGIN_DIR/$(basename "$module")
	expect_status 0 "$GPROFX" --check-plugin="$module"
	expect_empty err
	expect_not_in out FAILED
	expect_not_in out note
	expect_match out '^  ([6-9]|[1-9][0-9]+) passed, 0 failed$'
	count=$((count + 1))
done
[ "$count" -gt 20 ] || fail "only $count plugins"

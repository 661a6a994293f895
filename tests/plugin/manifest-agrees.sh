#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the manifest of each plugin says is what its module says: the list made from the manifests is the one
# made from the modules.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

expect_status 0 "$GPROFX" --list-plugins
expect_empty err
expect_not_in out 'cannot be used'
cp out by-manifest
sed -nE '4,$s/ .*//p' by-manifest | sort -u >names
for description in "$GPROFX_SOURCE"/plugins/*/plugin.yaml; do
	basename "$(dirname "$description")"
done | sort >described
# A plugin whose library is missing on this machine is not built.
expect_empty <(comm -23 names described)
[ "$(wc -l <names)" -ge 5 ] || fail 'hardly any plugins'

while read -r name; do
	expect_status 0 "$GPROFX" --plugin="$name" --list-plugins
	expect_empty err
	# Plugins that were asked for are described by their modules, and go first.
	sed -n 4p out | grep -q "^$name " || fail "$name is not listed first"
	for list in by-manifest out; do
		awk -v name="$name" '/^[^ ]/ { shown = $1 == name } shown' $list >"$list.one"
	done
	expect_same by-manifest.one out.one
done <names

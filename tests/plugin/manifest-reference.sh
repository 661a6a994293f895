#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The manifest in config/ that shows every key is itself one that is read without a complaint.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

mkdir folder
cp "$GPROFX_SOURCE/config/plugin.yaml" folder/plugin.yaml
: >folder/plugin.so
expect_status 0 "$GPROFX" --plugin-path=folder --list-plugins
expect_empty err
expect_match out '^plugin .*What the plugin does, in a few words'
# Every interface is shown, and a key that is not known would be reported.
for kind in reader symbols findcall emitter document; do
	grep -qE "^plugin +$kind .*What" out || fail "no $kind in the list"
	grep -qE "^$kind:" folder/plugin.yaml || fail "no $kind in the manifest"
done
sed -i 's/^summary:/sumary:/' folder/plugin.yaml
expect_status 0 "$GPROFX" --plugin-path=folder --list-plugins
expect_in err 'manifest.unknown-key'

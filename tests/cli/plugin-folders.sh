#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where plugins are looked for: --plugin-path, then $GPROFX_PLUGIN_PATH, then the folder at a fixed place
# relative to the program itself, under whatever name it was called.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

[ "${GPROFX_BUILTIN:-0}" = 0 ] || skip 'plugins are linked in'
run "$GPROFX" --list-plugins
plugin_files out | grep '/output-flat\.so$' >own
[ -s own ] || fail 'output-flat is not listed'

# Neither argv[0] nor the working folder counts.
(exec -a /nowhere/bin/gprofx "$GPROFX" --list-plugins) >out
expect_in <(plugin_files out) "$(cat own)"
ln -s "$GPROFX" elsewhere
expect_status 0 ./elsewhere --list-plugins
expect_in <(plugin_files out) "$(cat own)"

mkdir a b
for folder in a b; do
	cp "$(cat own)" "$(dirname "$(cat own)")/output-flat.yaml" $folder/
done
list() {
	expect_status 0 "$@" --list-plugins
	plugin_files out | grep -m 1 '/output-flat\.so$' >first
}
list env GPROFX_PLUGIN_PATH="$scratch/none:$scratch/a:" "$GPROFX"
expect_same <(echo "$scratch/a/output-flat.so") first
list env GPROFX_PLUGIN_PATH="$scratch/a" "$GPROFX" --plugin-path=./b
expect_same <(echo "$scratch/b/output-flat.so") first
list env GPROFX_PLUGIN_PATH= "$GPROFX" --plugin-path none
expect_same own first

# Where the program happens to be run, anybody may have put something.
list env GPROFX_PLUGIN_PATH="a:./a:../${scratch##*/}/a:.:$scratch/b" "$GPROFX"
expect_same <(echo "$scratch/b/output-flat.so") first
[ "$(grep -c 'warning\[environment\.relative-folder\]' err)" -eq 4 ] || fail 'not four warnings'
expect_match err '^gprofx: warning\[environment\.relative-folder\]: GPROFX_PLUGIN_PATH has a path that is not absolute, "\./a"; it is not used$'
expect_match err '^  hint: .*--plugin-path'

# The user's own folder: behind those that are named, before the installed one, and not in GNU mode.
mkdir -p home/gprofx/plugins
cp -r a home/gprofx/plugins/1
list env XDG_CONFIG_HOME="$scratch/home" "$GPROFX"
expect_same <(echo "$scratch/home/gprofx/plugins/1/output-flat.so") first
expect_empty err
list env XDG_CONFIG_HOME="$scratch/home" GPROFX_PLUGIN_PATH="$scratch/b" "$GPROFX"
expect_same <(echo "$scratch/b/output-flat.so") first
echo "plugin-path: [ $scratch/b ]" >settings.yaml
list env XDG_CONFIG_HOME="$scratch/home" "$GPROFX" --config=settings.yaml
expect_same <(echo "$scratch/b/output-flat.so") first
mkdir -p gone/.config
mv home/gprofx gone/.config
list env -u XDG_CONFIG_HOME HOME="$scratch/gone" "$GPROFX"
expect_same <(echo "$scratch/gone/.config/gprofx/plugins/1/output-flat.so") first
for option in --gnu --no-plugins; do
	list env -u XDG_CONFIG_HOME HOME="$scratch/gone" "$GPROFX" $option
	expect_same own first
done
chmod 777 gone/.config/gprofx/plugins/1
list env -u XDG_CONFIG_HOME HOME="$scratch/gone" "$GPROFX"
expect_same own first
expect_match err '^gprofx: warning\[plugin\.folder-not-trusted\]: .*/gone/\.config/gprofx/plugins/1: .*; it is not used$'

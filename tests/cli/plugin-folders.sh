#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where plugins are looked for: --plugin-path, then $GPROFX_PLUGIN_PATH, then the folder at a fixed place
# relative to the program itself, under whatever name it was called.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

[ "${GPROFX_BUILTIN:-0}" = 0 ] || skip 'plugins are linked in'
run "$GPROFX" --list-plugins
grep -E '^    /.*/output-flat\.so$' out | tr -d ' ' >own
[ -s own ] || fail 'output-flat is not listed'

# Neither argv[0] nor the working folder counts.
(exec -a /nowhere/bin/gprofx "$GPROFX" --list-plugins) >out
expect_in out "$(cat own)"
ln -s "$GPROFX" elsewhere
expect_status 0 ./elsewhere --list-plugins
expect_in out "$(cat own)"

mkdir a b
for folder in a b; do
	cp "$(cat own)" "$(dirname "$(cat own)")/output-flat.yaml" $folder/
done
list() {
	expect_status 0 "$@" --list-plugins
	grep -E '/output-flat\.so$' out | head -n 1 | tr -d ' ' >first
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
expect_match err '^gprofx: warning\[environment\.relative-folder\]: expected absolute paths in GPROFX_PLUGIN_PATH, found "\./a"; it is not used$'
expect_match err '^  hint: .*--plugin-path'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# manifest.no-parser: without config-yaml there is one warning, and plugins are still found by their names.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

make_program
"$GPROFX" -b program >expected
"$GPROFX" --list-plugins >list
folder=$(dirname "$(plugin_files list | grep '/output-flat\.so$')")
mkdir -p p/bin "p/${folder#"$(dirname "$(dirname "$GPROFX")")"/}"
cp "$GPROFX" p/bin/gprofx
copy=p/${folder#"$(dirname "$(dirname "$GPROFX")")"/}
cp "$folder"/*.so "$folder"/*.yaml "$copy"
expect_status 0 p/bin/gprofx --list-plugins
expect_empty err

rm "$copy/config-yaml.so"
expect_status 0 p/bin/gprofx --list-plugins
expect_empty out
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
expect_match err '^gprofx: warning\[manifest\.no-parser\]: .*config-yaml is not installed$'
expect_match err '^  hint: .*config-yaml'
expect_status 0 p/bin/gprofx -b program
expect_same out expected
expect_empty err

# One that is there and cannot be opened is reported as such, once.
echo 'no module' >"$copy/config-yaml.so"
expect_status 0 p/bin/gprofx --list-plugins
expect_empty out
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
expect_match err '^gprofx: warning\[plugin\.cannot-open\]: .*/config-yaml\.so: '

# Without manifests nobody misses it.
rm "$copy"/*.yaml
expect_status 0 p/bin/gprofx --list-plugins
expect_empty out
expect_empty err

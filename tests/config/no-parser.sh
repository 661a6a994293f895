#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config.no-parser, and that the parser is loaded only if there is a file to parse.
. "$GPROFX_SOURCE/tests/config/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in'

# The loader tells what it loads.
loaded() {
	LD_DEBUG=files "$GPROFX" "$@" program 2>&1 >/dev/null | grep -cE 'config-yaml|libyaml'
}
[ "$(loaded)" -eq 0 ] || fail 'the parser was loaded for nothing'
echo 'threads: 1' >"$user"
[ "$(loaded)" -gt 0 ] || fail 'there is no telling what the loader loads'
[ "$(loaded --no-config)" -eq 0 ] || fail 'the parser was loaded with --no-config'
[ "$(loaded --gnu)" -eq 0 ] || fail 'the parser was loaded in GNU mode'
rm "$user"

"$GPROFX" -b program >expected
folder=${GPROFX_PLUGIN_DIR#"$(dirname "$(dirname "$GPROFX")")"/}
mkdir -p p/bin "p/$folder"
cp "$GPROFX" p/bin/gprofx
cp "$GPROFX_PLUGIN_DIR"/*.so "$GPROFX_PLUGIN_DIR"/*.yaml "p/$folder"
echo 'threads: 1' >"$user"
expect_status 0 p/bin/gprofx -b program
expect_empty err
expect_same out expected
rm "p/$folder/config-yaml.so"
expect_status 1 p/bin/gprofx -b program
expect_empty out
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
expect_match err "^gprofx: error\\[config\\.no-parser\\]: .*/$user: .*config-yaml is not installed\$"
expect_in err '  hint: install the plugin config-yaml, package gprofx-config-yaml, or use --no-config'
expect_status 0 p/bin/gprofx -b --no-config program
expect_same out expected
rm "$user"
expect_status 0 p/bin/gprofx -b program
expect_empty err

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.denied, usage.conflicting-plugins: settings say which plugins may be loaded, and --no-plugins
# leaves those that are installed.
. "$GPROFX_SOURCE/tests/config/lib.sh"

# with TEXT: plugins as the text says, in ./x.yaml.
with() {
	printf 'plugins: %s\n' "$1" >x.yaml
}
denied() {
	expect_in err "[plugin.denied]: $1: the plugin must not be loaded: x.yaml:1:$2"
	expect_in err '  hint: change plugins.allow or plugins.deny there, or use --no-config'
}

"$GPROFX" --no-config program >plain
with '{ deny: [output-csv] }'
expect_status 0 "$GPROFX" --config=x.yaml program
expect_empty err
expect_same plain out
expect_status 1 "$GPROFX" --config=x.yaml --output=csv --output=csv:y program
expect_empty out
[ "$(grep -c plugin.denied err)" -eq 1 ] || fail 'not told just once'
denied output-csv '18 denies it'
expect_in err 'error[emitter.not-installed]'
for text in '{ deny: ["output-c*"] }' '{ deny: [ "*" ] }' '{ allow: [symbols-*], deny: [output-*] }'; do
	with "$text"
	expect_status 1 "$GPROFX" --config=x.yaml --plugin=output-csv program
	expect_match err 'warning\[plugin\.denied\]: output-csv: .*denies it$'
	expect_in err 'error[plugin.not-found]'
done
# What is allowed is enough, and the parser is there already.
with '{ allow: [output-flat, output-callgraph, "symbols-*", "input-*"] }'
expect_status 0 "$GPROFX" --config=x.yaml program
expect_empty err
expect_same plain out
expect_status 1 "$GPROFX" --config=x.yaml --output=csv program
denied output-csv '19 allows only others'
with '{ allow: [], deny: [] }'
expect_status 0 "$GPROFX" --config=x.yaml --output=csv program
# deny goes before allow; a later file changes the list.
with '{ allow: ["*"], deny: [output-csv] }'
expect_status 1 "$GPROFX" --config=x.yaml --output=csv program
echo 'plugins: { deny: [] }' >later.yaml
expect_status 0 "$GPROFX" --config=x.yaml --config=later.yaml --output=csv program
# Lists tell it.
with '{ deny: [output-csv] }'
expect_status 0 "$GPROFX" --config=x.yaml --list-plugins
expect_empty err
expect_match out 'cannot be used: x\.yaml:1:18 denies it$'
[ "$(grep -c 'cannot be used' out)" -eq 1 ] || fail 'more than one is denied'
expect_status 0 "$GPROFX" --config=x.yaml --list-settings
expect_not_in out 'output-csv'

for option in --plugin=output-csv --plugin-path=.; do
	expect_status 2 "$GPROFX" --no-plugins "$option" program
	expect_in err 'gprofx: error[usage.conflicting-plugins]: --no-plugins cannot be used with --plugin or --plugin-path'
done
expect_status 0 "$GPROFX" --no-plugins program
expect_same plain out

# Modules by their paths, by the name of the file and by their own.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
module mine <<'END'
#include "stub.h"
#include <stdio.h>
__attribute__((constructor)) static void begin(void) { fclose(fopen("loaded", "w")); }
static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
	struct gprofx_writer *writer = emission->writer;
	(void)gx; (void)options;
	gprofx_out(writer, "mine\n");
	return GPROFX_OK;
}
static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "word", .emit = emit};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-word", .emitter = &emitter};
END
mkdir p
cp mine.so p/output-word.so
expect_status 0 "$GPROFX" --plugin=./mine.so --output=word program
expect_same out <(echo mine)
rm loaded
with '{ deny: [mine] }'
expect_status 1 "$GPROFX" --config=x.yaml --plugin=./mine.so program
expect_match err '^gprofx: error\[plugin\.denied\]: mine: .*denies it$'
[ ! -e loaded ] || fail 'the module was loaded'
with '{ deny: [output-word] }'
expect_status 1 "$GPROFX" --config=x.yaml --plugin=./mine.so program
expect_match err '^gprofx: error\[plugin\.denied\]: output-word: .*denies it$'
rm loaded
expect_status 1 "$GPROFX" --config=x.yaml --plugin-path=p --output=word program
expect_in err 'warning[plugin.denied]: output-word'
[ ! -e loaded ] || fail 'the module was loaded'
# --no-plugins hears neither files nor the environment.
printf 'plugins: [ ./p/output-word.so ]\nplugin-path: [ %s ]\n' "$scratch/p" >x.yaml
expect_status 0 "$GPROFX" --config=x.yaml --output=word program
expect_status 1 env GPROFX_PLUGIN_PATH="$scratch/p" "$GPROFX" --no-plugins --config=x.yaml --output=word program
expect_in err 'emitter.not-installed'
expect_status 0 env GPROFX_PLUGIN_PATH="$scratch/p" "$GPROFX" --output=word program

# Nor does it take a plugin of others that was installed beside its own.
installed=${GPROFX_PLUGIN_DIR#"$(dirname "$(dirname "$GPROFX")")"/}
mkdir -p inst/bin "inst/$installed"
cp "$GPROFX" inst/bin/gprofx
cp "$GPROFX_PLUGIN_DIR"/*.so "$GPROFX_PLUGIN_DIR"/*.yaml p/output-word.so "inst/$installed"
printf 'name: output-word\nabi: 1\nemitter: { format: word }\n' >"inst/$installed/output-word.yaml"
expect_status 0 inst/bin/gprofx --output=word program
rm loaded
expect_status 1 inst/bin/gprofx --no-plugins --output=word program
expect_in err 'only the plugins of gprofx itself are allowed'
[ ! -e loaded ] || fail 'the module was loaded'
expect_status 0 inst/bin/gprofx --no-plugins program
expect_same plain out
expect_empty err
expect_status 0 inst/bin/gprofx --no-plugins --list-plugins
[ "$(grep -c 'cannot be used' out)" -eq 1 ] || fail 'others cannot be used'

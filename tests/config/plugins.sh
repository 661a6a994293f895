#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plugins that a file names are seen from the folder of the file, never from the working directory; folders have to
# be absolute (config.relative-path). Both come behind those of the command line.
. "$GPROFX_SOURCE/tests/config/lib.sh"

# emitter FILE WORD: a module for the format "word" that writes the word and its option.
emitter() {
	module x <<-END
		#include "stub.h"
		struct options { const char *tail; };
		static const struct gprofx_option table[] = {
			{.key = "tail", .type = GPROFX_STRING, .offset = 0, .initial = "", .help = "what follows"}};
		static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
			struct gprofx_writer *writer = emission->writer;
			(void)gx;
			gprofx_out(writer, "$2%s\\n", ((const struct options *)options)->tail);
			return GPROFX_OK;
		}
		static const struct gprofx_emitter emitter = {
			.size = sizeof emitter, .format = "word", .emit = emit};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-word", .emitter = &emitter,
			GPROFX_OPTIONS(struct options, table)};
	END
	mkdir -p "$(dirname "$1")"
	mv x.so "$1"
}
prints() {
	expect_status 0 "$GPROFX" --output=word "${@:2}" program
	expect_empty err
	expect_same out <(echo "$1")
}

emitter home/gprofx/mine/output-word.so mine
emitter given/output-word.so given
emitter evil.so evil
mkdir mine
cp evil.so mine/output-word.so
mkdir elsewhere
cp program gmon.out elsewhere

echo 'plugins: [./mine/output-word.so]' >"$user"
prints mine
echo "plugin-path: [$scratch/home/gprofx/mine]" >"$user"
prints mine
printf '%s\n' "plugin-path: [$scratch/home/gprofx/mine]" 'plugins: [output-word]' 'options: { output-word: { tail: "!" } }' >"$user"
prints 'mine!'
# The command line goes before.
prints 'given!' --plugin=./given/output-word.so
prints 'given!' --plugin-path=given
prints 'given?' --plugin-path=given --output-option=word.tail='?'
expect_status 0 env GPROFX_PLUGIN_PATH="$scratch/given" "$GPROFX" --output=word program
expect_same out <(echo 'given!')
# A list replaces that of the file before.
printf 'plugin-path: [%s]\nplugins: []\n' "$scratch/given" >given.yaml
prints 'given!' --config=given.yaml

# Installed plugins come behind those of files; one that is missing is reported as always.
expect_status 0 "$GPROFX" --list-plugins
expect_in <(plugin_files out) "$scratch/home/gprofx/mine/output-word.so"
echo 'plugins: [output-none]' >"$user"
expect_status 1 "$GPROFX" program
expect_in err 'plugin.not-found'

# The settings of such a plugin are listed.
echo 'plugins: [mine/output-word.so]' >"$user"
expect_status 0 "$GPROFX" --list-settings
expect_in out 'options.output-word.tail: ""'

# A folder that is relative is refused, at its own place, with what to write; whatever there is of that name.
relative='the folder'
expect_config_error 1:15 config.relative-path "$relative \"mine\" is not an absolute path" "write an absolute path, $scratch/mine; " \
	<<<'plugin-path: [mine]'
expect_in err 'only --plugin-path on the command line may be relative'
expect_config_error 2:5 config.relative-path "$relative \"../x\" is not an absolute path" "write an absolute path, $scratch/../x; " \
	< <(printf 'plugin-path:\n  - ../x\n  - /usr\n')
expect_config_error 1:22 config.relative-path "$relative \".\" is not an absolute path" 'write an absolute path' <<<'plugin-path: [/mine, ., /x]'
expect_config_error 1:15 config.relative-path "$relative \"~/x\" is not an absolute path" 'write an absolute path; ' <<<'plugin-path: [~/x]'
expect_config_error 1:14 config.wrong-type 'expected a list' <<<'plugin-path: mine'
printf 'plugin-path: [ a, b ]\n' >two.yaml
expect_status 1 "$GPROFX" --config=two.yaml program
[ "$(grep -c 'error\[config\.relative-path\]: two\.yaml:1:' err)" -eq 2 ] || fail 'not both are reported'
# In every file: that of the user, one that is included, a preset.
echo 'plugin-path: [mine]' >"$user"
expect_status 1 "$GPROFX" program
expect_match err "^gprofx: error\\[config\\.relative-path\\]: $scratch/home/gprofx/config\\.yaml:1:15: "
expect_in err "path, $scratch/home/gprofx/mine; "
mkdir home/gprofx/presets
mv "$user" home/gprofx/presets/mine.yaml
expect_status 1 "$GPROFX" --preset=mine program
expect_in err 'home/gprofx/presets/mine.yaml:1:15: '
echo 'include: home/gprofx/presets/mine.yaml' >x.yaml
expect_status 1 "$GPROFX" --config=x.yaml program
expect_in err 'home/gprofx/presets/mine.yaml:1:15: '
# On the command line it is taken as seen from here.
prints given! --plugin-path=given --output-option=word.tail=!

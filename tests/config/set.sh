#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.bad-setting, and that --set sets everything with a single value, checked by the same tables.
. "$GPROFX_SOURCE/tests/config/lib.sh"

"$GPROFX" --no-config -b -p program >brief
"$GPROFX" --no-config -p program >long
flat() {
	expect_status 0 "$GPROFX" -p "$@" program
	expect_empty err
}

# An option of a plugin, by its whole path, by the plugin, by the format.
for key in options.output-flat.explain output-flat.explain flat.explain options.flat.explain; do
	flat --set=$key=false
	expect_same out brief
	flat --set $key=false --set output-flat.explain=true
	expect_same out long
	flat --set output-flat.explain=true --set=$key=false
	expect_same out brief
done
# Rows of files and corrections.
expect_same_as --hz=250 -- --set=hz=250
expect_same_as --no-demangle -z -- --set=report.show-unused=true --set symbols.demangle=none
expect_same_as --correct=none -- --set=corrections.all=false
"$GPROFX" --set=corrections.all=false --set=corrections.zero-rate=true --list-corrections >out
[ "$(grep '(on)' out)" = 'zero-rate (on)' ] || fail 'not just one correction is on'
# "all" is the ground only of what stands in the same place.
"$GPROFX" --set=corrections.zero-rate=true --set=corrections.all=false --list-corrections >out
expect_not_in out '(on)'
expect_same_as --preset=gnu -- --set=preset=gnu
# Each row can be set to its default.
expect_status 0 "$GPROFX" --list-settings
grep -v '^ ' out | grep -vE ': (\[\])$' | sed 's/: ""$/=/; s/: /=/' >settings
[ "$(wc -l <settings)" -gt 50 ] || fail 'hardly any settings'
sets=()
while read -r words; do
	sets+=("--set=$words")
done <settings
"$GPROFX" --no-config program >plain
expect_status 0 "$GPROFX" "${sets[@]}" program
expect_empty err
expect_same out plain

# Before all files, before options of outputs, behind options of the command line.
echo 'options: { output-flat: { explain: true } }' >"$user"
flat --set=flat.explain=false --config="$user"
expect_same out brief
echo 'outputs: [ { format: flat, options: { explain: true } } ]' >"$user"
expect_status 0 "$GPROFX" --set=flat.explain=false program
expect_same out brief
flat --set=flat.explain=false --output-option=flat.explain=true
expect_same out long
flat -b --set=flat.explain=true
expect_same out brief
expect_same_as --hz=50 -- --set=hz=250 --hz=50
flat --no-config --set=flat.explain=false
expect_same out brief
expect_status 0 "$GPROFX" --gnu -b -p program
mv out gnu
flat --gnu --set=flat.explain=false
expect_same out gnu
rm "$user"
# Nothing has to be parsed.
if [ "$GPROFX_BUILTIN" = 0 ]; then
	LD_DEBUG=files "$GPROFX" --set=threads=1 program 2>&1 >/dev/null | grep -qE 'config-yaml|libyaml' && fail 'the parser was loaded'
fi

# refused ID TEXT HINT SETTING
refused() {
	expect_status 1 "$GPROFX" -b --set="$4" program
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
	expect_in err "gprofx: error[$1]: --set $4: $2"
	expect_in err "  hint: $3"
}
refused config.unknown-key 'unknown key of the configuration: "thread"' 'did you mean threads? ' thread=3
refused config.unknown-key 'unknown key of the configuration: "demangel"' 'did you mean demangle? ' symbols.demangel=none
refused config.unknown-key 'unknown key of the configuration: "zero-rates"' 'did you mean zero-rate? ' corrections.zero-rates=false
refused config.bad-value 'expected a whole number from 0 to 1024 for threads, found "many"' '' threads=many
refused config.bad-value 'expected one of none, auto, ' 'did you mean none? ' symbols.demangle=nine
refused config.bad-value 'expected true or false for all, found ""' '' corrections.all=
refused config.wrong-type 'expected a list for outputs, found text' '' outputs=flat
refused config.wrong-type 'expected a mapping for symbols, found text' '' symbols=none
refused config.wrong-type 'expected a list for load, found text' '' plugins.load=x
refused config.wrong-type 'expected a list for deny, found text' '' plugins.deny=x
refused config.unknown-key 'unknown key of the configuration: "dny"' 'did you mean deny?' plugins.dny=x
refused config.unknown-preset 'unknown preset "gun"' 'did you mean gnu? ' preset=gun
refused config.bad-value 'the path "x.yaml" is not absolute' '' include=x.yaml
refused option.unknown 'unknown option of output-flat: "explian"' 'did you mean explain? ' flat.explian=true
refused option.unknown 'unknown option of output-csv: "explain"' '' csv.explain=true
refused option.unknown 'unknown option of symbols-list: "x"' 'it has no options' symbols-list.x=true
refused option.unknown-plugin 'unknown key "symbol"' \
	'did you mean symbols? ' symbol.demangle=none
refused option.unknown-plugin 'unknown key ' 'did you mean flat? ' flatt.explain=none
refused option.unknown-plugin 'unknown key ' 'did you mean output-flat? ' output-flatt.explain=none
refused option.unknown-plugin 'unknown key ' 'use --list-settings' a.b.c=1
refused option.unknown-plugin 'unknown key ' '' .x=1
refused reader.not-installed 'cannot read the format "x"' 'install the plugin input-x' reader=x
# What a plugin says about a setting; where it is not built, that is reported.
expect_status 1 "$GPROFX" --per-file --set='profiles.label=(' program
expect_match err 'error\[labels\.(bad-pattern|not-installed)\]: --set profiles\.label=\(: expected '
# A plugin that the run does not use is looked at as well.
expect_status 1 "$GPROFX" -b -p --set=callgraph.width=none program
expect_in err 'error[option.bad-value]: --set callgraph.width=none: output-callgraph width: expected a whole number'
for word in x = =x flat.explain; do
	expect_status 2 "$GPROFX" --set="$word" program
	expect_in err "error[usage.bad-setting]: expected a setting and its value after --set, found '$word'"
done

# A plugin that is named by its path.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
module mine <<'END'
#include "stub.h"
struct options { const char *tail; };
static const struct gprofx_option table[] = {
	{.key = "tail", .type = GPROFX_STRING, .offset = 0, .initial = "", .help = "what follows"}};
static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
	struct gprofx_writer *writer = emission->writer;
	(void)gx;
	gprofx_out(writer, "word%s\n", ((const struct options *)options)->tail);
	return GPROFX_OK;
}
static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "word", .emit = emit};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "my-words", .emitter = &emitter, GPROFX_OPTIONS(struct options, table)};
END
for key in my-words word options.my-words; do
	expect_status 0 "$GPROFX" --plugin=./mine.so --output=word --set=$key.tail='=!' program
	expect_empty err
	expect_same out <(echo 'word=!')
done

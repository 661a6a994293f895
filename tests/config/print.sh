#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --print-config prints the settings of a command line as a file that has the same effect, each with the
# place that it is from.
. "$GPROFX_SOURCE/tests/config/lib.sh"

# values FILE: what it says, without comments.
values() {
	sed 's/ # .*//; /^#/d' "$1"
}
# holds OPTION...: what is printed for the options acts as they do, and prints itself.
holds() {
	expect_status 0 "$GPROFX" "$@" --print-config
	expect_empty err
	mv out printed.yaml
	expect_status 0 "$GPROFX" "$@" program
	mv out expected
	rm -f x.txt
	expect_status 0 "$GPROFX" --no-config --config=printed.yaml program
	expect_same expected out
	expect_status 0 "$GPROFX" --no-config --config=printed.yaml --print-config
	diff <(values printed.yaml) <(values out) >err || fail "printed again it is not the same: $*"
	expect_not_in out '# default'
}
# says KEY VALUE ORIGIN: a line of ./printed.yaml.
says() {
	expect_match printed.yaml "^ *(- )?$1: $2 # $3\$"
}

holds --no-config
says reader '"auto"' default
says explain false default
says zero-rate true default
says outputs '\[\]' default
diff <(values printed.yaml | grep -v ':$' | wc -l) <("$GPROFX" --list-settings | grep -v '^ ' | grep -cvE '^(preset|include):') ||
	fail 'not as many settings as there are'

# The origin of each.
mkdir -p home/gprofx/presets
echo 'report: { show-unused: true, full-paths: true, inline-file-names: true }' >"$user"
echo 'symbols: { drop-static: true, clones: fold }' >home/gprofx/presets/mine.yaml
printf 'preset: mine\nsymbols:\n  clones: drop\n' >own.yaml
export GPROFX_SET='{ hz: 250, report: { full-paths: false } }'
holds --config=own.yaml --set=threads=2 --set symbols.demangle=none --no-demangle -b -w 40
says hz 250 'environment, GPROFX_SET:1:7'
says full-paths false 'environment, GPROFX_SET:1:34'
says show-unused true '/.*/home/gprofx/config\.yaml:1:24'
says drop-static true 'preset mine, /.*/home/gprofx/presets/mine\.yaml:1:25'
says clones drop 'own\.yaml:3:11'
says threads 2 'command line, --set threads=2'
says demangle none 'command line'
says width 40 'command line'
says top 0 default
[ "$(grep -c 'explain: false # command line' printed.yaml)" -ge 2 ] || fail 'nothing is brief'
unset GPROFX_SET
rm "$user"

# Corrections, outputs and their options, plugins that are not there.
holds --correct=none --correct=zero-rate
says zero-rate true 'command line'
says clones false 'command line'
holds --preset=gnu
says zero-rate false 'preset gnu, /.*/gnu\.yaml:[0-9]*:[0-9]*'
holds -p -q
says format flat 'command line'
says format callgraph 'command line'
holds -C
holds --per-file
holds --output=csv --output=flat:x.txt --output-option=csv.table=arcs
expect_in printed.yaml 'file: "x.txt"'
says table arcs 'command line'
cat >outputs.yaml <<-'END'
	outputs:
	  - { format: flat, options: { explain: false, top: 1 } }
	  - { format: flat, file: x.txt }
	options:
	  output-flat: { names: no-arguments }
	  output-none: { some: "thing # else", more: "1", some-more: "" }
END
expect_status 0 "$GPROFX" --config=outputs.yaml --print-config
expect_in err 'warning[option.unknown-plugin]'
mv out printed.yaml
says explain false 'outputs\.yaml:2:41'
says top 1 'outputs\.yaml:2:53'
says names no-arguments 'outputs\.yaml:5:25'
says some '"thing # else"' 'outputs\.yaml:6:24'
expect_status 0 "$GPROFX" --config=outputs.yaml program
mv out expected
expect_status 0 "$GPROFX" --no-config --config=printed.yaml program
expect_same expected out
expect_in err 'warning[option.unknown-plugin]: printed.yaml:'
sed -i /output-none/d outputs.yaml
holds --config=outputs.yaml --set=flat.explain=true
says explain true 'command line, --set flat\.explain=true'

# Texts that are more than words.
echo 'profiles: { label: "(?<a>[\"\\\\x])\t#: ", label-text: "\u00e9 {a}\n" }' >texts.yaml
if "$GPROFX" --list-plugins | grep -q '^labels-pcre2 '; then
	holds --config=texts.yaml
	holds --config=texts.yaml --set=profiles.label-text='it: {a} # "quoted"'
fi
mkdir -p "$(printf 'odd\nname: # ')"
echo 'threads: 1' >"$(printf 'odd\nname: # ')/x.yaml"
holds --config="$(printf 'odd\nname: # ')/x.yaml"
says threads 1 'odd\?name: # /x\.yaml:1:10'

# What is wrong is reported, and nothing is printed.
echo 'threads: many' >bad.yaml
expect_status 1 "$GPROFX" --config=bad.yaml --print-config
expect_empty out
expect_in err 'bad.yaml:1:10'
# Options of plugins that no output uses are checked as well.
echo 'options: { output-csv: { tabel: flat } }' >bad.yaml
expect_status 0 "$GPROFX" --config=bad.yaml program
expect_status 1 "$GPROFX" --config=bad.yaml --print-config
expect_empty out
expect_in err 'error[option.unknown]: bad.yaml:1:26'
# So are those of outputs; what nobody knows is kept for where it is known.
echo 'outputs: [ { format: flat, options: { explane: true } } ]' >bad.yaml
expect_status 1 "$GPROFX" --config=bad.yaml --print-config
expect_empty out
expect_in err 'error[option.unknown]: bad.yaml:1:39'
echo 'outputs: [ { format: elsewhere, options: { depth: "3" } } ]' >absent.yaml
expect_status 0 "$GPROFX" --config=absent.yaml --print-config
expect_in out '  - format: elsewhere # absent.yaml:1:22'
expect_in out '      depth: "3" # absent.yaml:1:51'

# Tables that are left out are no setting, which is said.
expect_status 0 "$GPROFX" -P --print-config
expect_in out 'outputs: [] # command line, which leaves out tables; a settings file cannot say that'

# Plugins: from the command line, the environment and files.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
mkdir -p given listed files/mine
echo "plugin-path: [$scratch/files/mine]" >files/x.yaml
expect_status 0 env GPROFX_PLUGIN_PATH="$scratch/listed" "$GPROFX" --plugin-path=given --plugin=output-csv --config=files/x.yaml --print-config
expect_empty err
expect_in out "  - \"$scratch/given\" # command line"
expect_in out "  - \"$scratch/listed\" # environment, GPROFX_PLUGIN_PATH"
expect_in out "  - \"$scratch/files/mine\" # files/x.yaml:1:14"
expect_in out '    - "output-csv" # command line'
echo 'plugins: { load: [output-csv], allow: ["output-*", input-*, symbols-*], deny: [output-json] }' >allow.yaml
holds --config=allow.yaml
expect_in printed.yaml '    - "input-*" # allow.yaml:1:39'
expect_in printed.yaml '    - "output-json" # allow.yaml:1:79'

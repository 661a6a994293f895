#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config.relative-path, and what the environment says: a file, settings, and where they stand among others.
. "$GPROFX_SOURCE/tests/config/lib.sh"

"$GPROFX" --no-config -b -p program >brief
"$GPROFX" --no-config -p program >long
brief='options: { output-flat: { explain: false } }'
long='options: { output-flat: { explain: true } }'
echo "$brief" >brief.yaml
echo "$long" >long.yaml
# prints FILE VARIABLE=VALUE... -- OPTION...
prints() {
	local wanted=$1 set=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		set+=("$1")
		shift
	done
	shift
	expect_status 0 env "${set[@]}" "$GPROFX" -p "$@" program
	expect_empty err
	expect_same out "$wanted"
}

prints brief GPROFX_CONFIG="$scratch/brief.yaml" --
prints brief GPROFX_SET="$brief" --
prints brief GPROFX_SET=$'options:\n  output-flat:\n    explain: false' --
prints long GPROFX_CONFIG= GPROFX_SET= --
# A setting as of --set, or one a line.
prints brief GPROFX_SET=flat.explain=false --
prints brief GPROFX_SET=output-flat.explain=false --
prints brief GPROFX_SET=$'threads=1\n\n  flat.explain=false\n' --
prints long GPROFX_SET=flat.explain=false -- --config=long.yaml
prints long GPROFX_SET=flat.explain=false -- --set=flat.explain=true
# And what it says in a file: the name of a plugin or the format of an emitter, and the option.
echo 'flat: { explain: false }' >format.yaml
prints brief GPROFX_CONFIG="$scratch/format.yaml" --
prints long GPROFX_CONFIG="$scratch/format.yaml" GPROFX_SET=flat.explain=true --
echo 'output-flat: { explain: false }' >format.yaml
prints brief GPROFX_CONFIG="$scratch/format.yaml" --
echo 'options: { flat: { explain: false } }' >format.yaml
prints brief GPROFX_CONFIG="$scratch/format.yaml" --
# One plugin is looked for, not opened: an option that it does not have is found when it is used.
echo 'json: { nonsense: 1 }' >format.yaml
prints long GPROFX_CONFIG="$scratch/format.yaml" --
# The user's file, then the file of the environment, then its settings, then the command line.
echo "$long" >"$user"
prints brief GPROFX_CONFIG="$scratch/brief.yaml" --
echo "$brief" >"$user"
prints long GPROFX_CONFIG="$scratch/long.yaml" --
prints brief GPROFX_CONFIG="$scratch/long.yaml" GPROFX_SET="$brief" --
prints long GPROFX_CONFIG="$scratch/brief.yaml" GPROFX_SET="$long" --
prints brief GPROFX_SET="$long" -- --config=brief.yaml
prints long GPROFX_SET="$brief" -- --config=long.yaml
prints brief GPROFX_SET="$long" -- -b
prints long GPROFX_CONFIG="$scratch/brief.yaml" GPROFX_SET="$brief" -- --no-config
# It is the user's own word, even if others may write to it.
chmod 666 brief.yaml
prints brief GPROFX_CONFIG="$scratch/brief.yaml" --
rm "$user"

for path in brief.yaml ./brief.yaml ../x; do
	expect_status 1 env GPROFX_CONFIG=$path "$GPROFX" program
	expect_empty out
	expect_in err "gprofx: error[config.relative-path]: the path in GPROFX_CONFIG is not absolute: '$path'"
	expect_in err '  hint: '
done
expect_status 1 env GPROFX_CONFIG="$scratch/none.yaml" "$GPROFX" program
expect_in err "error[config.cannot-read]: $scratch/none.yaml: "
# refused PLACE ID TEXT VALUE
refused() {
	expect_status 1 env GPROFX_SET="$4" "$GPROFX" program
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
	expect_in err "gprofx: error[$2]: GPROFX_SET:$1: $3"
	expect_match err '^  hint: .'
}
refused 1:1 config.unknown-key 'unknown key of the configuration: "thread"' 'thread: 3'
expect_in err '  hint: did you mean threads? '
refused 2:10 config.bad-value 'expected a whole number' $'hz: 3\nthreads: many'
refused 2:1 document.syntax 'expected YAML' 'symbols: {'
refused 1:1 config.wrong-type 'expected a mapping, found text' 'threads'
refused 3 config.wrong-type 'not a setting with a value: "threads"' $'threads=3\n\nthreads'
refused 1:1 option.unknown-plugin 'unknown key "flt": it is no setting, no plugin and no output format' 'flt: { top: 3 }'
expect_in err '  hint: did you mean flat? '
refused 1:1 config.unknown-key 'unknown key of the configuration: "flat"' 'flat: 3'
expect_status 1 env GPROFX_SET=flt.top=3 "$GPROFX" program
expect_in err 'error[option.unknown-plugin]: GPROFX_SET flt.top=3: unknown key "flt"'
expect_status 1 env GPROFX_SET=flat.top=many "$GPROFX" program
expect_in err 'error[option.bad-value]: GPROFX_SET flat.top=many: '
refused 1:1 config.wrong-type 'expected a mapping, found a list' '[a]'
# There is no folder that paths could be seen from.
refused 1:10 config.bad-value 'the path "long.yaml" is not absolute' 'include: long.yaml'
refused 1:10 config.bad-value 'the path "./x.so" is not absolute' 'plugins: [ output-flat, ./x.so ]'
refused 1:16 config.relative-path 'the folder "mine" is not an absolute path' 'plugin-path: [ mine ]'
prints brief GPROFX_SET="include: $scratch/brief.yaml" --
prints brief GPROFX_SET="{ preset: gnu, options: { output-flat: { explain: false } }, corrections: { all: true } }" --
# A program that was made set-user-ID takes nothing from the environment.
[ "$(id -u)" -eq 0 ] || skip 'the rest needs root'
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in'
[ -z "${GPROFX_SANITIZE-}" ] || skip 'sanitizers do not go with set-user-ID'
need setpriv
folder=${GPROFX_PLUGIN_DIR#"$(dirname "$(dirname "$GPROFX")")"/}
mkdir -p p/bin "p/$folder"
cp "$GPROFX" p/bin/gprofx
cp "$GPROFX_PLUGIN_DIR"/*.so "$GPROFX_PLUGIN_DIR"/*.yaml "p/$folder"
chmod -R a+rX "$scratch"
as() {
	setpriv --reuid=12345 --regid=12345 --clear-groups "$@"
}
other() {
	expect_status 0 as env GPROFX_CONFIG="$scratch/brief.yaml" GPROFX_SET="$brief" \
		GPROFX_PLUGIN_PATH="$scratch/evil" XDG_CONFIG_HOME="$scratch/home" HOME="$scratch/home" p/bin/gprofx -p program
	expect_empty err
}
other
expect_same out brief
chmod u+s p/bin/gprofx
other
expect_same out long

# So it is with places of sources: folders, and servers.
[ -e "$GPROFX_PLUGIN_DIR/symbols-dwarf.so" ] || skip 'there is no plugin for source lines'
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 1)], 'work': [(0, 2)]}, 'gone.c', '/nonexistent')
open('located', 'wb').write(program.bytes())
open('located.gmon', 'wb').write(program.profile({'main': 1, 'work': 3}, [('main', 'work', 7)]).bytes())
END
mkdir sources
printf 'first\nsecond\n' >sources/gone.c
chmod -R a+rX "$scratch"
annotate() {
	run as env "$1" p/bin/gprofx --no-findings -b -A located located.gmon
}
annotate GPROF_PATH="$scratch/sources"
expect_empty out
annotate DEBUGINFOD_URLS="file://$scratch/none"
expect_not_in err DEBUGINFOD_URLS
chmod u-s p/bin/gprofx
annotate GPROF_PATH="$scratch/sources"
expect_in out first
annotate DEBUGINFOD_URLS="file://$scratch/none"
expect_in err DEBUGINFOD_URLS

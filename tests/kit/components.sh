#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The program without a single plugin names the plugin and the package that it misses; each that is added takes it
# a step further. Components are installed one by one, as packages do.
. "$GPROFX_SOURCE/tests/kit/lib.sh"
[ "$GPROFX_BUILTIN" = 1 ] && skip 'the plugins are linked in'
make_program

# add COMPONENT...: installs components into ./root.
add() {
	for component in "$@"; do
		expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/root" --component "$component"
	done
}

# misses PLUGIN WORD...: the run with these words fails for want of the plugin, which the hint names.
misses() {
	expect_status 1 "$GPROFX" "${@:2}"
	expect_match err "error\\[.*\\.(not-installed|no-parser|not-found)\\]: .*(is not installed|is installed|no symbol provider)"
	expect_match err "^  hint: .*package gprofx-$1\\b"
}

add core
GPROFX=$scratch/root/bin/gprofx
[ -z "$(find root -name '*.so')" ] || fail 'the core has modules'
expect_status 0 "$GPROFX" --version
printf 'outputs:\n' >c.yaml
misses config-yaml --config=c.yaml program gmon.out
expect_status 1 "$GPROFX" --preset=gnu program gmon.out
expect_in err 'error[config.unknown-preset]'
expect_in err '  hint: install the plugin config-yaml, package gprofx-config-yaml, which comes with presets'
misses symbols-elf -b -p program gmon.out
misses input-gcov --plugin=input-gcov -b -p program gmon.out
misses output-json --dump-plugin=output-json
expect_status 0 "$GPROFX" --list-plugins
expect_match err '^  hint: .*package gprofx-plugins'
add plugin-symbols-elf
misses input-gmon-magic -b -p program gmon.out
misses input-gmon-magic -O magic -b -p program gmon.out
misses input-prof -O prof -b -p program gmon.out
add plugin-input-gmon-magic
misses output-flat -b -p program gmon.out
misses output-json --output=json program gmon.out
add plugin-output-flat
expect_status 0 "$GPROFX" --no-findings -b -p program gmon.out
expect_empty err
expect_match out '^ 75\.00 +0\.30 +0\.30 +7 .* work$'
expect_status 0 "$GPROFX" --no-findings -b -p -c program gmon.out
expect_match err '^  hint: install the plugin findcall-x86, package gprofx-findcall-x86;'
misses symbols-list -S c.yaml -b -p program gmon.out

# Presets come with what reads them, and need nothing else.
add plugin-config-yaml
expect_status 0 "$GPROFX" --no-findings --preset=gnu -b -p program gmon.out
expect_match out ' work$'

# Whatever else there is comes with one component each, and all of them are the whole.
manifests=$(cd "$GPROFX_PLUGIN_DIR" && echo *.yaml)
for manifest in $manifests; do
	add "plugin-${manifest%.yaml}"
	[ -n "$(find root -name "${manifest%.yaml}.7")" ] || fail "${manifest%.yaml} has no manual page"
done
add library dev doc
[ ! -e "$GPROFX_BUILD/bin/gprofx-record" ] || add collect collect-dev
for mpi in openmpi mpich; do
	[ ! -e "$GPROFX_BUILD/bin/gprofx-mpi.$mpi" ] || add mpi-$mpi
done
expect_status 0 cmake --install "$GPROFX_BUILD" --prefix "$scratch/whole"
diff <(cd root && find . | sort) <(cd whole && find . | sort) >&2 || fail 'there is more, or less, than the components'
expect_status 0 "$GPROFX" --no-findings --config=c.yaml -b -p program gmon.out
expect_empty err

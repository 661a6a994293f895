#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# config.unknown-preset, and that each installed preset is what it says: found by its name, in its place
# among files, replaced by one of the user.
. "$GPROFX_SOURCE/tests/config/lib.sh"

presets="$GPROFX_SOURCE/config/presets"
# Each is accepted as a whole and says what it is for.
for preset in "$presets"/*.yaml; do
	name=$(basename "$preset" .yaml)
	expect_status 0 "$GPROFX" --no-config --preset="$name" --list-settings
	expect_empty err
	expect_match "$GPROFX_SOURCE/doc/gprofx-config.5" "^\\.It Cm $name\$"
	expect_match "$preset" "--preset=$name"
done
for name in gnu mingw embedded hpc teach openocd esp-idf nuttx pico ecos kallistios rt-thread newlib zephyr; do
	[ -f "$presets/$name.yaml" ] || fail "there is no preset $name"
done

# gnu: what GNU mode prints.
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', '_Z4workv', '~idle', '_ZN1a1bEv'])
open('program', 'wb').write(program.bytes())
calls = [('main', '_Z4workv', 7), ('_Z4workv', 'main', 2)]
for name, samples in ('gmon.out', 30), ('slow', 900):
    profile = program.profile({'main': 10, '_Z4workv': samples}, calls)
    open(name, 'wb').write(profile.bytes())
END
expect_status 0 "$GPROFX" --gnu program
mv out expected
expect_status 0 "$GPROFX" program
! cmp -s out expected || fail 'nothing is corrected'
expect_status 0 "$GPROFX" --no-config --preset=gnu program
expect_empty err
expect_same out expected
expect_status 0 "$GPROFX" --no-config --config=<(echo 'preset: gnu') program
expect_same out expected
expect_status 0 "$GPROFX" --gnu --preset=gnu program
expect_same out expected
"$GPROFX" --preset=gnu --list-corrections >out
expect_not_in out '(on)'
# What a file says itself goes before its presets, and so does what is named later.
"$GPROFX" --config=<(printf 'corrections: { long-counts: true }\npreset: gnu\n') --list-corrections >out
[ "$(grep '(on)' out)" = 'long-counts (on)' ] || fail 'not just one correction is on'
echo 'corrections: { all: true }' >all.yaml
"$GPROFX" --preset=gnu --config=all.yaml --list-corrections >out
expect_not_in out '(off)'
"$GPROFX" --config=all.yaml --preset=gnu --list-corrections >out
expect_not_in out '(on)'
"$GPROFX" --preset=gnu --correct=zero-rate --list-corrections >out
[ "$(grep '(on)' out)" = 'zero-rate (on)' ] || fail 'the command line does not count more'

# teach: the tables are explained, and everything is listed.
expect_status 0 "$GPROFX" --no-config --preset=teach program
expect_in out 'idle'
expect_in err 'Times come from samples'
# mingw: no other format is taken for the one that is known.
head -c 3 gmon.out >short
expect_status 1 "$GPROFX" --preset=mingw program gmon.out
expect_in err 'with input-4.4bsd'
# embedded.
expect_status 0 "$GPROFX" --no-config --preset=embedded -b -p program
expect_in out 'idle'
# hpc: files labelled by their ranks, a damaged one left out.
if "$GPROFX" --list-plugins | grep -q '^labels-pcre2 '; then
	mkdir ranks
	for rank in 1 2 3 4; do cp gmon.out ranks/gmon.out.rank$rank; done
	cp slow ranks/gmon.out.rank-6
	cp short ranks/gmon.out.rank5
	run "$GPROFX" --no-config --preset=hpc program ranks
	[ "$status" -eq 1 ] || fail 'the status does not tell that a file is missing'
	expect_in out 'rank 6'
	expect_in err 'rank5'
fi

# Names that are none.
expect_status 1 "$GPROFX" --preset=techa program
expect_empty out
expect_in err 'gprofx: error[config.unknown-preset]: unknown preset "techa"'
expect_in err '  hint: did you mean teach? the available presets are: ecos, embedded, esp-idf, gnu, hpc, kallistios, mingw, newlib, nuttx, openocd, pico, rt-thread, teach, zephyr'
for name in ../presets/gnu ./gnu .gnu gnu.yaml "$presets/gnu"; do
	expect_status 1 "$GPROFX" --preset="$name" program
	expect_in err 'error[config.unknown-preset]'
done
expect_config_error 2:9 config.unknown-preset 'unknown preset "gnus"' 'did you mean gnu? ' < <(printf 'threads: 1\npreset: gnus\n')
expect_config_error 1:11 config.wrong-type 'expected text, found a list' <<<'preset: [ [gnu] ]'
expect_status 2 "$GPROFX" --preset= program
expect_in err 'usage.empty-value'

# The user's presets go before the installed ones, and may be made of these.
mkdir -p home/gprofx/presets
printf 'preset: gnu\nsymbols: { demangle: none }\n' >home/gprofx/presets/raw.yaml
expect_status 0 "$GPROFX" --preset=raw -b -p program
expect_in out '_Z4workv'
echo 'threads: many' >home/gprofx/presets/gnu.yaml
expect_status 1 "$GPROFX" --preset=gnu program
expect_match err 'error\[config.bad-value\]: .*/home/gprofx/presets/gnu\.yaml:1:10: '
# One that is its own ground.
echo 'preset: gnu' >home/gprofx/presets/gnu.yaml
expect_status 1 "$GPROFX" --preset=gnu program
expect_in err 'config.include-loop'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# symbols.not-installed, symbols.no-positions: a plugin that is needed is missing from the installation.
# A run that does not need it does not mind.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in'

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', '~work']).lines({'main': [(0, 1)], 'work': [(0, 5)]})
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(program.profile({'work': 30}, [('main', 'work', 7)]).bytes())
END

folder=${GPROFX_PLUGIN_DIR#"$GPROFX_BUILD"/}
mkdir -p "t/$folder" t/bin
cp "$GPROFX" t/bin/gprofx
cp "$GPROFX_PLUGIN_DIR"/* "t/$folder"
expect_status 0 t/bin/gprofx -b program
expect_empty err
expect_in out 'work (prog.c)'

rm "t/$folder"/symbols-dwarf.*
for options in -p '-p -q -a' '-T -q' -pwork '-q -kmain/main -a'; do
	# shellcheck disable=SC2086
	expect_status 0 t/bin/gprofx -b $options program
	expect_empty err
done
for options in -q -C '-p --inline-file-names' '-p -Pprog.c -Pwork'; do
	# shellcheck disable=SC2086
	expect_status 0 t/bin/gprofx -b $options program
	expect_in err 'warning[symbols.no-positions]'
done
for options in -pprog.c -p6; do
	expect_status 1 t/bin/gprofx -b $options program
	expect_in err 'warning[symbols.no-positions]'
	expect_in err 'error[symspec.no-match]'
	expect_empty out
done
expect_status 0 t/bin/gprofx -b program
[ "$(grep -c 'warning\[symbols\.no-positions\]' err)" -eq 1 ] || fail 'not just one warning'
expect_match err '^gprofx: warning\[symbols\.no-positions\]: program: .*symbols-dwarf, which is not installed$'
expect_match err '^  hint: .*symbols-dwarf'
expect_not_in out 'prog.c'
expect_in out ' work'

rm -f "t/$folder"/symbols-pe.*
printf 'MZ%0200d' 0 >windows.exe
expect_status 1 t/bin/gprofx -b -p windows.exe gmon.out
expect_match err '^gprofx: error\[symbols\.not-installed\]: windows\.exe: .*symbols-pe is not installed$'
expect_match err '^  hint: .*symbols-pe'
expect_empty out

# In GNU mode such a file is no image, installed or not.
rm -f "t/$folder"/symbols-macho.*
printf '\317\372\355\376%0200d' 0 >macho
expect_status 1 t/bin/gprofx -b -p macho gmon.out
expect_match err '^gprofx: error\[symbols\.not-installed\]: macho: .*symbols-macho is not installed$'
expect_match err '^  hint: .*symbols-macho'
expect_empty out
expect_status 1 t/bin/gprofx --gnu -b -p macho gmon.out
expect_match err ': macho: not in executable format$'

rm "t/$folder"/symbols-elf.*
expect_status 1 t/bin/gprofx -b -p program
expect_match err '^gprofx: error\[symbols\.not-installed\]: program: .*symbols-elf is not installed$'
expect_match err '^  hint: .*symbols-elf'
expect_empty out

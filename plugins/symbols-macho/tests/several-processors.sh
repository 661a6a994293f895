#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Files with images for several processors: which one is read, what is said about it, and how to choose. In GNU mode
# no such file is an image.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	import machoimage
	from gmonfile import Profile
	def image(machine):
	    made = machoimage.Image(machine).section('__text', 0x2000, bytes(0x100))
	    return made.symbol('_main', 0x2000).symbol('_of_' + machine, 0x2080)
	for name, machines in ('neither', ['ppc64', 'ppc']), ('wide', ['ppc64', 'armv7']), ('one', ['ppc64']), \
	                      ('most', ['ppc', 'x86_64', 'arm64', 'i386', 'ppc64']):
	    open(name, 'wb').write(machoimage.fat([image(m) for m in machines], name == 'wide'))
	open('thin', 'wb').write(image('ppc64').bytes())
	open('64l', 'wb').write(Profile().histogram(0x2000, 0x2100, [0] * 32 + [3] * 32).bytes())
	open('64b', 'wb').write(Profile(64, '>').histogram(0x2000, 0x2100, [0] * 32 + [3] * 32).bytes())
	open('32b', 'wb').write(Profile(32, '>').histogram(0x2000, 0x2100, [0] * 32 + [3] * 32).bytes())
END

expect_status 0 "$GPROFX" -b --no-findings -p thin 64b
expect_empty err
cp out thin.out
expect_match out ' of_ppc64$'
expect_status 0 "$GPROFX" -b --no-findings -p one 64b
expect_empty err
expect_same thin.out out

for file in neither wide; do
	expect_status 0 "$GPROFX" -b --no-findings -p $file 64b
	expect_one macho.several-processors
	expect_same thin.out out
done
expect_match err "^gprofx: warning\\[macho\\.several-processors\\]: wide:0x8: .*: that for ppc64 is read, not those for armv7\$"
expect_match err '^  hint: .*--set=symbols-macho\.architecture=NAME$'
expect_status 0 "$GPROFX" -b --no-findings -p --set=symbols-macho.architecture=ppc neither 32b
expect_empty err
expect_match out ' of_ppc$'
expect_status 1 "$GPROFX" -b -p --set=symbols-macho.architecture=armv7 neither 32b
expect_one image.not-an-object
expect_match err 'expected an image for armv7, found only ppc64, ppc$'

# This machine's comes before others.
case $(uname -m) in
x86_64) own=x86_64 ;;
aarch64) own=arm64 ;;
esac
if [ -n "${own-}" ]; then
	expect_status 0 "$GPROFX" -b -p -z most 64l
	expect_match err "that for $own is read, not those for ppc, "
fi

as_gprof
for file in thin neither; do
	expect_status 1 ./gprof -b $file 64b
	expect_empty out
	[ "$(cat err)" = "./gprof: $file: not in executable format" ] || fail 'another message'
done
if command -v gprof >/dev/null && gprof --version | grep -q ' 2\.40'; then
	expect_status 1 gprof -b thin 64b
	[ "$(cat err)" = 'gprof: thin: not in executable format' ] || skip 'this GNU gprof reads Mach-O images'
fi

# A file of debug information of the same UUID for another processor is another program's.
mkdir -p mixed.dSYM/Contents/Resources/DWARF
python3 - <<-'END' || fail 'cannot write the images'
	import struct
	from gmonfile import Profile
	from machoimage import Image
	uuid = (0x1b, b'0123456789abcdef')
	program = Image('x86_64').section('__text', 0x1000, bytes(64)).symbol('_f', 0x1000).command(*uuid)
	# Data in code: a row at the start of the file.
	program.command(0x29, struct.pack('<II', 0, 8))
	open('mixed', 'wb').write(program.bytes())
	other = Image('armv7').section('__text', 0x1000, bytes(4096)).command(*uuid)
	for i in range(1000):
	    other.symbol('_g%d' % i, 0x1000 + i * 4)
	open('mixed.dSYM/Contents/Resources/DWARF/mixed', 'wb').write(other.bytes())
	open('mixed.gmon', 'wb').write(Profile().histogram(0x1000, 0x1040, [3] * 16).bytes())
END
expect_status 0 "$GPROFX" --no-findings -b -p mixed mixed.gmon
expect_one macho.other-debug-file
expect_match out ' f$'
# What is to be done to have lines.
rm -r mixed.dSYM
expect_status 0 "$GPROFX" --no-findings -b -p -l mixed mixed.gmon
expect_in err 'hint: make its file of debug information, from objects that were compiled with -g: dsymutil PROGRAM'

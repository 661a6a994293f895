#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Functions of firmware in sections of other names than .text, with .text and without: their rows, samples, calls in the code,
# lines; overlays. Links four small images; about 1 s.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3 arm-none-eabi-gcc riscv64-unknown-elf-gcc

cat >board.c <<'END'
#define IN(section_name) __attribute__((noinline, section(section_name)))
IN(".iram0.text") int in_iram(int n) { return n * 3; }
IN(".ramfunc") int in_ram(int n) { return n * 5; }
IN(".itcm") int in_itcm(int n) { return n * 7; }
IN(".flash.text") int rare(int n) { return n * 11; }
IN(".flash.text") int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += in_iram(i);
	return sum;
}
IN(".flash.text") int start(void)
{
	int sum = work(3) + in_ram(4);
	return sum + in_itcm(5) + rare(6);
}
END
script() {
	cat <<-END
		ENTRY(start)
		SECTIONS {
			.iram0.text 0x40080000 : { *(.iram0.text) }
			.ramfunc 0x20000000 : { *(.ramfunc) }
			.itcm 0x100000 : { *(.itcm) }
			$1 0x400d0020 : { *(.flash.text) }
			/DISCARD/ : { *(.text) *(.data) *(.bss) *(.comment) *(.ARM*) *(.riscv*) }
		}
	END
}
script .flash.text >esp.ld
script .text >text.ld
build() { # NAME SCRIPT COMPILER...
	"${@:3}" -g -O1 -nostdlib -nostartfiles -Wl,--no-warn-rwx-segments -T "$2" board.c -o "$1.elf" 2>err || {
		cat err
		fail "cannot link $1"
	}
}
for kind in esp text; do
	build arm-$kind $kind.ld arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mlong-calls
	build riscv-$kind $kind.ld riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32
done

cat >profile.py <<'END'
import struct, subprocess, sys
nm = subprocess.run([sys.argv[1], sys.argv[2] + '.elf'], capture_output=True, text=True, check=True).stdout
at = {row.split()[2]: int(row.split()[0], 16) for row in nm.splitlines()}
data = b'gmon' + struct.pack('<I', 1) + bytes(12)
for name, count in ('in_iram', 40), ('in_ram', 30), ('in_itcm', 20), ('work', 10):
    low = at[name] & ~3
    data += b'\0' + struct.pack('<IIII', low, low + 4, 2, 1000) + b'seconds'.ljust(15, b'\0') + b's' + struct.pack('<HH', 0, count)
for caller, callee, count in ('start', 'work', 1), ('work', 'in_iram', 3), ('start', 'in_ram', 1), ('start', 'in_itcm', 1):
    data += b'\1' + struct.pack('<III', at[caller] + 4, at[callee], count)
open(sys.argv[2], 'wb').write(data)
END
for image in arm-esp arm-text riscv-esp riscv-text; do
	python3 profile.py "${image%-*}-none-eabi-nm" $image 2>/dev/null || python3 profile.py riscv64-unknown-elf-nm $image || fail "no profile of $image"
	expect_status 0 "$GPROFX" -b $image.elf $image
	expect_undiagnosed
	expect_match out '^ 40\.00 .* 3 .* in_iram$'
	expect_match out '^ 30\.00 .* in_ram$'
	expect_match out '^ 20\.00 .* in_itcm$'
	expect_match out '^ 10\.00 .* work$'
	expect_match out ' 3/3 +in_iram \['
	expect_not_in out 'outside any'
	expect_status 0 "$GPROFX" -b -l -p $image.elf $image
	expect_in out 'in_iram (board.c:2 @'
	expect_in out 'in_itcm (board.c:4 @'
	if "$GPROFX" --list-plugins | grep -q "^findcall-${image%-*} "; then
		expect_status 0 "$GPROFX" -b -c -q $image.elf $image
		[ "${image%-*}" = arm ] || expect_match out ' 0/0 +rare \['
	fi
done

# GNU gprof wants the section to be called .text.
expect_status 1 "$GPROFX" --gnu arm-esp.elf arm-esp
expect_in err "can't find .text section in arm-esp.elf"
expect_status 0 "$GPROFX" --gnu arm-text.elf arm-text

# Overlays: what is loaded at a time is not known.
sed 's/\.itcm 0x100000/.itcm 0x20000000/' text.ld >overlay.ld
build overlay overlay.ld arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mlong-calls -Wl,--no-check-sections
python3 profile.py arm-none-eabi-nm overlay || fail 'no profile of the overlay'
expect_status 0 "$GPROFX" -b -p overlay.elf overlay
expect_match err 'finding\[image.overlays\]: 2 sections of code share addresses.*: \.(ramfunc|itcm), \.(ramfunc|itcm)$'
expect_match out '^ 50\.00 .* in_(ram|itcm)$'

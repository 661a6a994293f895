#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Frames of stacks in PLT stubs, by address and by name, are in the row of the stub, beside samples or without. The truth:
# the stubs as objdump names them. Takes 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need gcc objdump
[ "$(uname -m)" = x86_64 ] || skip 'objdump names the stubs of x86'
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77
module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'

# row NAME SAMPLES: the flat profile has one row of that name, with so many.
row() {
	awk -v name="$1" -v samples="$2" 'substr($0, length - length(name)) == " " name { rows++; ok = $3 == samples }
		END { exit !(rows == 1 && ok) }' out || fail "no row $1 with $2: $(cat out)"
}
rows() {
	row exp@plt "$1"
	row rand@plt "$2"
	row main "$3"
	expect_not_in out outside
	expect_not_in out cos@plt
	expect_undiagnosed
}
report() {
	expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p "$@"
}

printf 'extern int g(int) __asm__("_ZN2ns1gEi"); int g(int i) { return i; }' >ns.c
gcc -shared -fPIC -o libns.so ns.c || skip 'gcc -shared'
cat >program.c <<'END'
#include <math.h>
#include <stdlib.h>
extern int g(int) __asm__("_ZN2ns1gEi");
int main(int argc, char **argv) { return (int)(exp(argc) + cos(argc)) + (argv[0] ? rand() : g(argc)); }
END
printf 'main;exp@plt 7\nmain;rand@plt 2\nmain 1\n' >named
for flags in '-no-pie' '-pie -fPIE' '-pie -fPIE -fcf-protection=full' '-pie -fPIE -fcf-protection=full -Wl,-z,now'; do
	# shellcheck disable=SC2086
	gcc -O1 -fno-builtin $flags -o program program.c -L. -lns -lm || skip "gcc $flags"
	objdump -d program | sed -n 's/^0*\([0-9a-f]*\) <\(.*\)>:$/\2 0x\1/p' >places
	place() { awk -v name="$1" '$1 == name { print $2 }' places; }
	{
		echo '#maps'
		echo "stack 0 7 $(($(place exp@plt) + 4)) $(place main)"
		echo "stack 0 2 $(place rand@plt) $(place main)"
		echo "stack 0 1 $(place main)"
	} >placed
	report program placed
	rows 7.00 2.00 1.00
	report program named
	rows 7.00 2.00 1.00
	report program named placed
	rows 14.00 4.00 2.00
	# The row is the program's, also where all stubs have names.
	expect_status 0 "$GPROFX" --no-findings --output=csv program named
	expect_match out 'exp@plt'
	expect_not_in out '[names]'
	report -pexp@plt program named
	row exp@plt 7.00
	report -l program named
	row exp@plt 7.00
	report --correct=no-plt-names program placed
	row '<outside any function>' 9.00
	# Names as others demangle them.
	printf 'main;ns::g@plt 3\n' >short
	printf 'main;ns::g(int)@plt 3\n' >whole
	for profile in short whole; do
		report program $profile
		row 'ns::g(int)@plt' 3.00
		expect_undiagnosed
		expect_status 0 "$GPROFX" --no-findings --output=csv program $profile
		expect_not_in out '[names]'
	done
	# What the program has no stub for is nobody's.
	printf 'main;exp@plt 7\nmain;tan@plt 2\n' >strange
	report program strange
	row tan@plt 2.00
	row exp@plt 7.00
done

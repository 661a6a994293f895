#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A symspec can be any name that the symbol table has for an address, not only the one that reports show.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from elfimage import LOCAL, WEAK
from profiled import Program
program = Program(['main', 'work', 'other', 'plain'])
for name, of, bind in ('_work', 'work', WEAK), ('__work', 'work', LOCAL), ('_both', 'work', WEAK), ('_both', 'other', LOCAL):
    program.image.symbol(name, program.address[of], 0x100, bind)
program.image.symbol('number', program.address['work'], 4, kind=1, section=0xfff1)
program.lines({'work': [(0, 7)], 'other': [(0, 9)]}, source='work.c')
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 30, 'other': 20, 'plain': 10},
                                             [('main', 'work', 3), ('main', 'other', 4)]).bytes())
END

# shows SYMSPEC NAME...: the functions that a symspec selects, without a word.
shows() {
	expect_status 0 "$GPROFX" --no-findings -b -p "-p$1" program
	expect_empty err
	sed -n 's/^ *[0-9].*[num]*s  //p' out | sort >names
	printf '%s\n' "${@:2}" | sort >expected
	expect_same names expected
}
shows work work
shows _work work
shows __work work
shows _both work other
shows work.c:_work work
shows work.c:_both work other
expect_status 0 "$GPROFX" --no-findings -b -q_work program
expect_match out ' work \[2\]$'
expect_status 0 "$GPROFX" --no-findings -b -kmain/_work program
expect_not_in out ' 3/3 '
expect_match out ' 4/4 '
# Names of nothing that has a row are none, nor are those of another file.
for name in number other.c:_work; do
	expect_status 1 "$GPROFX" --no-findings -b "-p$name" program
	expect_in err 'error[symspec.no-match]'
done
# GNU gprof knows only the names that it shows.
expect_status 0 "$GPROFX" --gnu -b -p_work program
expect_match out ' other$'

# What the C library chooses for the processor is in none of its aliases.
cat >copy.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	return printf("%d\n", (int)strlen(argv[argc - 1])) < 0;
}
END
if "$GPROFX_CC" -static -pg -fno-builtin copy.c -o copy 2>/dev/null && ./copy >/dev/null &&
	nm copy 2>/dev/null | grep -q ' i strlen$'; then
	expect_status 1 "$GPROFX" --no-findings -b -q -pstrlen copy
	expect_match err 'hint: .*the code is in one of the versions for processors: __strlen_'
	expect_not_in err 'shared library'
	expect_status 0 "$GPROFX" --no-findings -b -q -q__libc_malloc copy
	expect_empty err
fi

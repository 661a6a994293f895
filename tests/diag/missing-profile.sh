#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# profile.cannot-open: the hint tells why there may be no gmon.out, as far as the program tells.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc

echo 'int main(void) { return 0; }' >sound.c
printf '#include <stdlib.h>\n#include <unistd.h>\nint main(int n, char **words)\n{\n' >leaves.c
printf '\tif (n > 1)\n\t\tabort();\n\treturn chdir(words[0]);\n}\n' >>leaves.c
gcc sound.c -o plain || fail 'no program'
gcc -pg sound.c -o sound || skip 'nothing to link with -pg'
gcc -pg leaves.c -o leaves || fail 'no program'

# hint PROGRAM PATTERN: what is said without a profile.
hint() {
	expect_status 1 "$GPROFX" -b "$1"
	expect_match err '^gprofx: error\[profile.cannot-open\]: gmon.out: '
	expect_match err "^  hint: .*$2"
}
hint plain 'with -pg: it has no profiling call'
hint sound 'no call of abort or _exit does: it has none; .*was started in'
hint leaves 'its calls of abort; .*its calls of chdir, or .*GMON_OUT_PREFIX'

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# arc-specs: every symspec for calls counts. The truth: main calls read, write and close; what is
# removed, or kept, is what the command line says.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'read', 'write', 'close'])
open('program', 'wb').write(program.bytes())
samples = {'main': 10, 'read': 3, 'write': 5, 'close': 7}
calls = [('main', 'read', 3), ('main', 'write', 5), ('main', 'close', 7)]
open('gmon', 'wb').write(program.profile(samples, calls).bytes())
PROGRAM

# below_main OPTION...: what the report shows as called by main.
below_main() {
	"$GPROFX" "$@" -b -q program gmon >out 2>err || fail "status $? from: $*"
	sed -n '/^\[[0-9]*\].* main \[/,/^---/s/^ .*[0-9]\/[0-9]* *\([a-z]*\) \[.*/\1/p' out | sort |
		tr '\n' ' '
}

[ "$(below_main)" = 'close read write ' ] || fail 'without symspecs'
[ "$(below_main --gnu -k main/read -k main/write)" = 'close read ' ] || fail 'gprof: -k twice'
[ "$(below_main -k main/read -k main/write)" = 'close ' ] || fail '-k twice'
[ "$(below_main -k main/write -k main/read)" = 'close ' ] || fail '-k twice, turned round'
[ "$(below_main --correct=no-arc-specs -k main/read -k main/write)" = 'close read ' ] ||
	fail 'switched off'
[ "$(below_main -k main/read -k main/write -k main/close -k main/read)" = '' ] || fail '-k of all'
[ "$(below_main --gnu -qmain/read -qmain/close)" = 'close ' ] || fail 'gprof: -q twice'
[ "$(below_main -qmain/read -qmain/close)" = 'close read ' ] || fail '-q twice'
[ "$(below_main -Qmain/read -Qmain/close)" = 'write ' ] || fail '-Q twice'
# A symspec for all callees and one for a single one.
[ "$(below_main -k main/ -k main/read)" = '' ] || fail '-k main/ and one more'
[ "$(below_main -k /write -k main/read)" = 'close ' ] || fail '-k of all callers and of one'

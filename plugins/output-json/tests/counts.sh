#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts of calls up to 2^64 - 1: numbers below 2^53, their digits as strings from there on.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema
need "${GPROFX_CC:=cc}"

# The reader of the examples: its counts have 64 bits, those of gmon.out 32.
expect_status 0 "$GPROFX_CC" -shared -fPIC -I"$GPROFX_SOURCE/include" -o text.so \
	"$GPROFX_SOURCE/examples/plugin/input-text.c"
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'a', 'b', 'c', 'd'])
open('image', 'wb').write(program.bytes())
counts = {'a': 2**53 - 2, 'b': 2**63, 'c': 2**64 - 2, 'd': 2**64 - 1}
for name, ones in (('first', 0), ('second', 1)):
    with open(name, 'w') as file:
        for function, count in counts.items():
            count = (1 if function != 'd' else 0) if ones else count
            file.write('call %x %x %d\n' % (program.at('main') + 4, program.at(function), count))
END
report() { # report FILE PROFILE...
	expect_status 0 "$GPROFX" --plugin=./text.so -O text --output=json:"$1" image "${@:2}"
	expect_valid "$1"
	python3 - "$1" <<-'END' >counts || fail 'no counts'
		import json, sys
		report = json.load(open(sys.argv[1]))
		for row in report['functions'][1:5] + report['arcs']:
		    print(repr(row['calls']))
	END
}
# The sums of two files.
report one.json first
printf "%s\n" 9007199254740990 "'9223372036854775808'" "'18446744073709551614'" \
	"'18446744073709551615'" >one
cat one one >expected
expect_same counts expected
report two.json first second
printf "%s\n" 9007199254740991 "'9223372036854775809'" "'18446744073709551615'" \
	"'18446744073709551615'" >two
cat two two >expected
expect_same counts expected
report three.json first second second
sed -n 1p counts | grep -qx "'9007199254740992'" || fail '2^53 is not a string'
